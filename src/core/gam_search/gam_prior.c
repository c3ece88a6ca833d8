/*
 * gam_prior.c - see gam_prior.h.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_posterior.h"
#include "core/gam_search/gam_prior.h"
#include "core/numeric/linalg.h"

size_t
dpem_gam_blocks_length(const DpemGamRows *rows)
{
	size_t		length = 0;

	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
		length += (size_t) dpem_gam_cells_of(rows, c) * dpem_gam_cells_of(rows, c);
	return length;
}

/* ---- of one score ---- */

/* out: n, the blocks times b */
static void
apply_blocks(const DpemGamRows *rows, const double *block, const double *b, double *out)
{
	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		int			s = dpem_gam_cells_of(rows, c);

		dpem_linalg_product(s, 1, s, block, b + rows->offset[c], out + rows->offset[c]);
		block += (size_t) s * s;
	}
}

/* K^-1 of K = P^-1 + c 1 1': P - P 1 1' P c / (1 + c 1' P 1) (Sherman, Morrison 1950) */
void
dpem_gam_find_precision(DpemGamSearch *search, int s)
{
	const DpemGamRows *rows = search->rows;
	const DpemGamScore *score = &search->score[s];
	double	   *first = search->precision + s * dpem_gam_blocks_length(rows);
	double	   *block = first;
	double	   *level = search->level + (size_t) s * rows->n;
	double		constant = dpem_gam_constant(rows);
	double		sum = 0;

	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		dpem_gam_precision(rows, c, score->step[c] * score->scale, block);
		block += (size_t) dpem_gam_cells_of(rows, c) * dpem_gam_cells_of(rows, c);
	}
	apply_blocks(rows, first, search->ones, level);
	for (int i = 0; i < rows->n; i++)
		sum += level[i];
	search->constant[s] = constant / (1 + constant * sum);
}

void
dpem_gam_apply_precision(const DpemGamSearch *search, int s, const double *b, double *out)
{
	const DpemGamRows *rows = search->rows;
	const double *level = search->level + (size_t) s * rows->n;
	double		along = 0;

	apply_blocks(rows, search->precision + s * dpem_gam_blocks_length(rows), b, out);
	for (int i = 0; i < rows->n; i++)
		along += level[i] * b[i];
	along *= search->constant[s];
	for (int i = 0; i < rows->n; i++)
		out[i] -= along * level[i];
}

void
dpem_gam_add_precision(const DpemGamSearch *search, int s, double *sum)
{
	const DpemGamRows *rows = search->rows;
	size_t		n = (size_t) rows->n;
	const double *block = search->precision + s * dpem_gam_blocks_length(rows);
	const double *level = search->level + s * n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++)
			sum[i * n + j] -= search->constant[s] * level[i] * level[j];
	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		int			m = dpem_gam_cells_of(rows, c);
		double	   *corner = sum + rows->offset[c] * (n + 1);

		for (int i = 0; i < m; i++)
			for (int j = 0; j <= i; j++)
				corner[i * n + j] += block[(size_t) i * m + j];
		block += (size_t) m * m;
	}
}

/* ---- of all ---- */

DpemStatus
dpem_gam_find_common(DpemGamSearch *search)
{
	size_t		n = (size_t) search->rows->n;

	memset(search->common, 0, n * n * sizeof(double));
	for (int s = 0; s < search->scores; s++)
		dpem_gam_add_precision(search, s, search->common);
	return dpem_linalg_factorise(search->rows->n, search->common);
}

/* where the sum of all K_s^-1 b_s is 0 */
void
dpem_gam_center_classes(const DpemGamSearch *search, double *coefficient)
{
	int			n = search->rows->n;
	double	   *sum = search->spare;
	double	   *own = sum + n;

	memset(sum, 0, n * sizeof(double));
	for (int s = 0; s < search->scores; s++)
	{
		dpem_gam_apply_precision(search, s, coefficient + (size_t) s * n, own);
		for (int i = 0; i < n; i++)
			sum[i] += own[i];
	}
	dpem_linalg_solve_lower(n, search->common, false, 1, sum);
	dpem_linalg_solve_lower(n, search->common, true, 1, sum);
	for (int s = 0; s < search->scores; s++)
		for (int i = 0; i < n; i++)
			coefficient[(size_t) s * n + i] -= sum[i];
}

/* ---- learning ---- */

/* expected sum of squared steps of a column, of differences and of what is penalised alone */
static double
expected_steps(const DpemGamRows *rows, const double *covariance, int c, const double *mean)
{
	size_t		n = (size_t) rows->n;
	int			first = rows->offset[c];
	int			walk = dpem_gam_walk(&rows->shape, c);
	double		sum = 0;

	for (int i = first; i < rows->offset[c + 1]; i++)
	{
		const double *own = covariance + i * (n + 1);

		if (i + 1 < first + walk)
			sum += pow(mean[i + 1] - mean[i], 2) + own[0] + own[n + 1] - 2 * own[1];
		else if (i >= first + walk)
			sum += mean[i] * mean[i] + own[0];
	}
	return sum;
}

void
dpem_gam_learn_prior(const DpemGamRows *rows, const double *covariance, DpemGamScore *score)
{
	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
		score->step[c] = dpem_gam_learnt_step(rows, c, score->scale, expected_steps(rows, covariance, c, score->mean));
}
