/*
 * softmax_law.c - see softmax_law.h.
 */
#include <math.h>
#include <string.h>

#include "core/logit/softmax_law.h"
#include "core/numeric/linalg.h"
#include "core/numeric/public_random.h"

#define LEAST_ROWS	100			/* of a class */
#define COORDINATES	2			/* times as many rows of all classes, at least */
#define EXPONENTIAL	20			/* products that one takes as long as */

static int
rows_of(int problems, int d)
{
	int			least = 2 * ((COORDINATES * d + 2 * problems - 1) / (2 * problems));

	return least > LEAST_ROWS ? least : LEAST_ROWS;
}

double
dpem_softmax_law_cost(int problems, int d)
{
	return 2.0 * rows_of(problems, d) * problems * problems * (d + EXPONENTIAL);
}

DpemSoftmaxLaw
dpem_softmax_law_take(int problems, int d, DpemWorkspace *work)
{
	DpemSoftmaxLaw law = {.d = d,.problems = problems,.rows = rows_of(problems, d)};
	size_t		rows = (size_t) law.rows;

	law.row = dpem_workspace_take(work, problems * rows * d);
	law.weight = dpem_workspace_take(work, problems);
	law.score = dpem_workspace_take(work, rows * problems);
	law.slope = dpem_workspace_take(work, rows * problems);
	law.own = dpem_workspace_take(work, (size_t) problems * d);
	return law;
}

/* nearly a normal deviate for every n, to the bit on every machine: of a binomial number of 64 */
static double
deviate(uint64_t n)
{
	return (__builtin_popcountll(dpem_public_word_at(n)) - 32) / 4.0;
}

/* of one class; own is overwritten */
static void
fill_class(const DpemClassFit *fit, int class, DpemSoftmaxLaw *law)
{
	int			d = law->d;
	const double *center = fit->problem[class].center;

	for (int r = 0; r < law->rows; r += 2)
	{
		size_t		first = (size_t) class * law->rows + r;
		double	   *one = law->row + first * d;

		for (int j = 0; j < d; j++)
			law->own[j] = deviate(first * d + j);
		dpem_linalg_product(1, d, d, law->own, fit->spread, one);
		for (int i = 0; i < d; i++)
		{
			one[d + i] = center[i] - one[i];
			one[i] += center[i];
		}
	}
	law->weight[class] = fit->problem[class].share * fmax(fit->rows, 1) / law->rows;
}

void
dpem_softmax_law_fill(const DpemClassFit *fit, DpemSoftmaxLaw *law)
{
	for (int k = 0; k < law->problems; k++)
		fill_class(fit, k, law);
}

/* scores of a row of that class become slopes, times the weight, in column r of slope */
static void
put_slopes(DpemSoftmaxLaw *law, int class, int r)
{
	int			problems = law->problems;
	double	   *score = law->score + (size_t) r * problems;
	double		most = score[0];
	double		sum = 0;

	for (int k = 1; k < problems; k++)
		most = fmax(most, score[k]);
	for (int k = 0; k < problems; k++)
		sum += score[k] = exp(score[k] - most);
	for (int k = 0; k < problems; k++)
		law->slope[(size_t) k * law->rows + r] = law->weight[class] * ((k == class) - score[k] / sum);
}

void
dpem_softmax_law_gradient(const double *coefficients, DpemSoftmaxLaw *law, double *out)
{
	int			d = law->d;
	int			n = law->problems;

	memset(out, 0, (size_t) n * d * sizeof(double));
	for (int class = 0; class < n; class++)
	{
		const double *row = law->row + (size_t) class * law->rows * d;

		dpem_linalg_product_nt(law->rows, n, d, row, d, coefficients, d, law->score, n);
		for (int r = 0; r < law->rows; r++)
			put_slopes(law, class, r);
		dpem_linalg_product(n, d, law->rows, law->slope, row, law->own);
		for (int i = 0; i < n * d; i++)
			out[i] += law->own[i];
	}
}
