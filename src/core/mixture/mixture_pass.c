/*
 * mixture_pass.c - a mixed mixture as parameters of the kernel `gmm`, and what passes have released of it; see mixture_estimate.h.
 */
#include <math.h>

#include "core/mixture/mixture_estimate.h"

int
dpem_mixture_coordinates(const DpemMixtureRows *rows)
{
	return rows->d + (rows->missing ? rows->numbers : 0);
}

int
dpem_mixture_labels(const DpemMixtureRows *rows)
{
	int			n = 0;

	for (int j = rows->numbers; j < rows->d; j++)
		n += rows->label[j] == j;
	return n;
}

/* ---- parameters ---- */

typedef struct Theta
{
	double	   *offset;
	double	   *mean;
	double	   *factor;
} Theta;

/* adds slope times the coordinate to the logit: with the same factor in all components, their squares cancel */
static void
add_linear(const DpemMixtureRows *rows, Theta t, int j, double slope)
{
	t.factor[j] = 1;
	t.mean[j] = slope * rows->radius;
	*t.offset += t.mean[j] * t.mean[j] / 2;
}

/* a term that only rows count in which number j is known */
static void
add_known(const DpemMixtureRows *rows, Theta t, int j, double known, double unknown)
{
	if (rows->missing)
	{
		add_linear(rows, t, rows->d + j, (known - unknown) / DPEM_MIXTURE_KNOWN);
		*t.offset += unknown;
	}
	else
		*t.offset += known;
}

static void
add_number(const DpemMixtureRows *rows, Theta t, int j, double mean, double variance)
{
	if (rows->law[j] == DPEM_LAW_POISSON)
	{
		double		rate = fmax(rows->middle[j] + rows->unit[j] * mean, 1e-300);

		add_linear(rows, t, j, rows->unit[j] * log(rate));
		add_known(rows, t, j, rows->middle[j] * log(rate) - rate, 0);
		return;
	}
	t.factor[j] = rows->radius / sqrt(variance);
	t.mean[j] = mean / rows->radius;
	/* an unknown number is 0, whose distance from the mean is taken back */
	add_known(rows, t, j, -log(variance) / 2, mean * mean / variance / 2);
}

void
dpem_mixture_prepare(const DpemMixtureRows *rows, const DpemMixture *mixture, double *theta)
{
	int			n = dpem_mixture_coordinates(rows);
	size_t		k = (size_t) mixture->k;

	for (size_t c = 0; c < k; c++)
	{
		Theta		t = {theta + c, theta + k + c * n, theta + k + k * n + c * n};
		const double *mean = mixture->mean + c * rows->d;

		*t.offset = log(mixture->weight[c]);
		for (int j = 0; j < rows->numbers; j++)
			add_number(rows, t, j, mean[j], mixture->variance[c * rows->d + j]);
		for (int j = rows->numbers; j < rows->d; j++)
			add_linear(rows, t, j, log(mean[j]));
	}
}

/* ---- what is released ---- */

static double
squared_coordinate(const DpemNoisyMoments *m, const double *record, int j)
{
	size_t		at = m->layout.second == DPEM_SECOND_FULL ? (size_t) j * (j + 1) / 2 + (size_t) j : (size_t) j;

	return record[1 + m->layout.d + at];
}

double
dpem_mixture_mixed(double old, double new, double share)
{
	return share == 1 ? new : (1 - share) * old + share * new;
}

double
dpem_mixture_mixed_noise(double old, double new, double share)
{
	return share == 1 ? new : hypot((1 - share) * old, share * new);
}

void
dpem_mixture_average(const DpemMixtureRows *rows, const DpemNoisyMoments *released, double share,
					 DpemMixtureMoments *moments)
{
	size_t		record = dpem_moments_record(&released->layout);
	double		r = rows->radius;

	for (int k = 0; k < moments->k; k++)
	{
		const double *from = released->value + k * record;

		moments->count[k] = dpem_mixture_mixed(moments->count[k], from[0], share);
		for (int j = 0; j < moments->n; j++)
		{
			size_t		at = (size_t) k * moments->n + j;

			moments->sum[at] = dpem_mixture_mixed(moments->sum[at], r * from[1 + j], share);
			moments->square[at] = dpem_mixture_mixed(moments->square[at], r * r * squared_coordinate(released, from, j), share);
		}
	}
	moments->count_sd = dpem_mixture_mixed_noise(moments->count_sd, released->count_sd, share);
	moments->sum_sd = dpem_mixture_mixed_noise(moments->sum_sd, r * released->sum_sd, share);
	moments->square_sd = dpem_mixture_mixed_noise(moments->square_sd, r * r * released->second_sd, share);
}

/* the mean of two estimates by their precision */
static double
pooled(double a, double b, double sd_a, double sd_b)
{
	double		ratio = sd_b / sd_a;

	return sd_a == 0 ? (sd_b == 0 ? (a + b) / 2 : a) : a + (b - a) / (1 + ratio * ratio);
}

static double
pooled_noise(double sd_a, double sd_b)
{
	return sd_a == 0 ? 0 : sd_b / hypot(1, sd_b / sd_a);
}

void
dpem_mixture_pool(const DpemMixtureRows *rows, const DpemNoisyMoments *released, DpemMixtureMoments *total)
{
	size_t		record = dpem_moments_record(&released->layout);
	double		root = sqrt(released->layout.k);
	double		unit = rows->radius;
	double		sd[3] = {root * released->count_sd, root * unit * released->sum_sd, root * unit * unit * released->second_sd};
	int			n = total->n;

	for (int i = 0; i <= 2 * n; i++)
	{
		int			kind = i == 0 ? 0 : i <= n ? 1 : 2;
		double	   *to = kind == 0 ? total->count : kind == 1 ? total->sum + i - 1 : total->square + i - 1 - n;
		double		sum = 0;

		for (int k = 0; k < released->layout.k; k++)
			sum += released->value[(size_t) k * record + i];
		*to = pooled(*to, sum * (kind == 0 ? 1 : kind == 1 ? unit : unit * unit),
					 kind == 0 ? total->count_sd : kind == 1 ? total->sum_sd : total->square_sd, sd[kind]);
	}
	total->count_sd = pooled_noise(total->count_sd, sd[0]);
	total->sum_sd = pooled_noise(total->sum_sd, sd[1]);
	total->square_sd = pooled_noise(total->square_sd, sd[2]);
}

void
dpem_mixture_forget(DpemMixtureMoments *total)
{
	total->sum_sd = total->square_sd = INFINITY;
}
