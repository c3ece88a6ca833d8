/*
 * consistency.c - see consistency.h.
 */
#include "core/kmeans/consistency.h"

#include <math.h>
#include <string.h>

size_t
dpem_consistent_length(const DpemKmeansHistory *history)
{
	size_t		d = (size_t) history->d;

	return d + (size_t) history->passes * (size_t) history->k * (1 + d);
}

void
dpem_consistent_place(const DpemKmeansHistory *history, double *memory, DpemConsistent *answers)
{
	answers->total = memory;
	answers->count = answers->total + history->d;
	answers->sum = answers->count + (size_t) history->passes * (size_t) history->k;
}

/* inverse variance; without noise all passes agree and any weight does */
static double
precision(double sd)
{
	return sd > 0 ? 1 / (sd * sd) : 1;
}

static double
sum_of(const double *value, size_t n, size_t stride)
{
	double		sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += value[i * stride];
	return sum;
}

/* mean over the passes of all clusters' answers, k numbers `stride` apart, weighted by precision */
static double
agreed_total(const DpemKmeansHistory *h, const double *value, size_t stride, const double *sd)
{
	double		total = 0;
	double		weight = 0;

	for (size_t t = 0; t < (size_t) h->passes; t++)
	{
		total += precision(sd[t]) * sum_of(value + t * h->k * stride, (size_t) h->k, stride);
		weight += precision(sd[t]);
	}
	return total / weight;
}

/* spreads what each pass is off evenly over its clusters */
static void
agree(const DpemKmeansHistory *h, const double *value, size_t stride, double total, double *out)
{
	size_t		k = (size_t) h->k;

	for (size_t t = 0; t < (size_t) h->passes; t++)
	{
		const double *from = value + t * k * stride;
		double		off = (total - sum_of(from, k, stride)) / (double) k;

		for (size_t i = 0; i < k; i++)
			out[(t * k + i) * stride] = from[i * stride] + off;
	}
}

/*
 * The nearest point of {x >= 0, sum x = sum of x}, the sum being positive:
 * max(x - level, 0), the level found by dropping what falls below zero until
 * nothing more does (Michelot 1986).  positive: k doubles of scratch.
 */
static void
project_to_simplex(double *x, size_t k, double sum, double *positive)
{
	double		level = 0;
	size_t		n = k;
	size_t		before;

	memcpy(positive, x, k * sizeof(double));
	do
	{
		size_t		left = 0;

		before = n;
		level = (sum_of(positive, n, 1) - sum) / (double) n;
		for (size_t i = 0; i < n; i++)
			if (positive[i] > level)
				positive[left++] = positive[i];
		n = left;
	} while (n > 0 && n < before);
	for (size_t i = 0; i < k; i++)
		x[i] = fmax(x[i] - level, 0);
}

void
dpem_make_consistent(const DpemKmeansHistory *history, DpemConsistent *answers, DpemWorkspace work)
{
	size_t		k = (size_t) history->k;
	double	   *scratch = dpem_workspace_take(&work, k);

	answers->rows = history->public_rows;
	if (!(answers->rows > 0))
		answers->rows = agreed_total(history, history->count, 1, history->count_sd);
	answers->rows = fmax(answers->rows, 1);
	agree(history, history->count, 1, answers->rows, answers->count);
	for (size_t t = 0; t < (size_t) history->passes; t++)
		project_to_simplex(answers->count + t * k, k, answers->rows, scratch);
	for (int j = 0; j < history->d; j++)
	{
		answers->total[j] = agreed_total(history, history->sum + j, (size_t) history->d, history->sum_sd);
		agree(history, history->sum + j, (size_t) history->d, answers->total[j], answers->sum + j);
	}
}
