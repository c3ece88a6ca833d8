/*
 * gam_search.c - see gam_search.h.
 */
#include <string.h>

#include "core/gam/gam_posterior.h"
#include "core/gam_search/gam_prior.h"
#include "core/numeric/linalg.h"

#define ROUNDS		20			/* that learn the prior's variances, */
#define FIXED_ROUNDS	1		/* or find curvatures again where these are given */
#define NEAR		0.01		/* of the point's norm, a direction so short ends such a round, */
#define ROUND_PASSES	12		/* and so many passes */

size_t
dpem_gam_search_work(const DpemGamRows *rows, int scores)
{
	size_t		n = (size_t) rows->n;
	size_t		all = n * scores;

	return scores * (dpem_gam_blocks_length(rows) + 1) + 3 * all + n * n + 2 * n * (dpem_gam_terms(&rows->shape) + 1) + dpem_quasi_newton_work((int) all);
}

/* ---- coordinates ---- */

/*
 * H := H - (H u_c) (v_c - mean of v)', summed over columns c: u_c has 1 in the column's cells, and v_c the shares of their rows, so that what
 * columns' levels differ by has no curvature from that side, as it changes no score.  product: n x n of workspace.
 */
static void
level_side(const DpemGamRows *rows, double *h, double *product, double *spare)
{
	int			n = rows->n;
	int			terms = dpem_gam_terms(&rows->shape);
	double	   *along = spare;
	double	   *share = spare + (size_t) n * terms;

	for (int i = 0; i < n; i++)
		for (int c = 0; c < terms; c++)
		{
			double		sum = 0;

			for (int j = rows->offset[c]; j < rows->offset[c + 1]; j++)
				sum += h[(size_t) i * n + j];
			along[(size_t) i * terms + c] = sum;
			share[(size_t) i * terms + c] = rows->count[i] / rows->rows * ((i >= rows->offset[c] && i < rows->offset[c + 1]) - 1.0 / terms);
		}
	dpem_linalg_product_nt(n, n, terms, along, terms, share, terms, product, n);
	for (size_t i = 0; i < (size_t) n * n; i++)
		h[i] -= product[i];
}

static void
transpose(int n, double *a)
{
	for (size_t i = 0; i < (size_t) n; i++)
		for (size_t j = 0; j < i; j++)
		{
			double		other = a[i * n + j];

			a[i * n + j] = a[j * n + i];
			a[j * n + i] = other;
		}
}

/* H into curvature, and the lower factor L of H + K^-1 into `here` */
static DpemStatus
find_factor(DpemGamSearch *search, int s)
{
	size_t		n = (size_t) search->rows->n;
	DpemGamScore *score = &search->score[s];

	for (int side = 0; side < 2; side++)
	{
		level_side(search->rows, score->here, score->curvature, search->spare);
		transpose(search->rows->n, score->here);
	}
	memcpy(score->curvature, score->here, n * n * sizeof(double));
	dpem_gam_find_precision(search, s);
	dpem_gam_add_precision(search, s, score->here);
	return dpem_linalg_factorise(search->rows->n, score->here);
}

/* y = L' b */
static void
put_point(const DpemGamSearch *search, int s, const double *b, double *y)
{
	size_t		n = (size_t) search->rows->n;
	const double *factor = search->score[s].here;

	memset(y, 0, n * sizeof(double));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++)
			y[j] += factor[i * n + j] * b[i];
}

void
dpem_gam_search_at(const DpemGamSearch *search, double *coefficient)
{
	size_t		n = (size_t) search->rows->n;

	memcpy(coefficient, search->minimum.at, search->minimum.n * sizeof(double));
	for (int s = 0; s < search->scores; s++)
		dpem_linalg_solve_lower(search->rows->n, search->score[s].here, true, 1, coefficient + s * n);
	dpem_gam_center_classes(search, coefficient);
}

/* ---- rounds ---- */

/* from the scores' means */
static DpemStatus
begin_round(DpemGamSearch *search)
{
	size_t		n = (size_t) search->rows->n;
	DpemWorkspace rest = search->rest;
	DpemStatus	status = DPEM_OK;

	search->round++;
	search->passes = 0;
	dpem_gam_curvature_classes(search->rows, search->score, search->gradient);
	for (int s = 0; s < search->scores && status == DPEM_OK; s++)
	{
		search->pause();
		status = find_factor(search, s);
		put_point(search, s, search->score[s].mean, search->gradient + s * n);
	}
	if (status == DPEM_OK)
		status = dpem_gam_find_common(search);
	dpem_quasi_newton_begin(&search->minimum, (int) (search->scores * n), search->ones, search->gradient, &rest);
	return status;
}

DpemStatus
dpem_gam_search_begin(DpemGamSearch *search, const DpemGamRows *rows, DpemGamScore *score, int scores, bool learn, void (*pause) (void), DpemWorkspace work)
{
	size_t		n = (size_t) rows->n;

	*search = (DpemGamSearch) {
		.rows = rows,.score = score,.scores = scores,.learn = learn,.pause = pause,
			.precision = dpem_workspace_take(&work, scores * dpem_gam_blocks_length(rows)),.level = dpem_workspace_take(&work, scores * n),
			.constant = dpem_workspace_take(&work, scores),.common = dpem_workspace_take(&work, n * n),.ones = dpem_workspace_take(&work, scores * n),
			.gradient = dpem_workspace_take(&work, scores * n),.spare = dpem_workspace_take(&work, 2 * n * (dpem_gam_terms(&rows->shape) + 1))
	};
	search->rest = work;
	for (size_t i = 0; i < scores * n; i++)
		search->ones[i] = 1;
	for (int s = 0; s < scores; s++)
	{
		score[s].scale = score[s].weight = 1;
		score[s].noise = 0;
	}
	return begin_round(search);
}

/* of every score, whose curvature is no longer needed; the covariance is (H + K^-1)^-1 */
static DpemStatus
learn(DpemGamSearch *search)
{
	size_t		n = (size_t) search->rows->n;
	DpemStatus	status = DPEM_OK;

	for (int s = 0; s < search->scores && status == DPEM_OK; s++)
	{
		DpemGamScore *score = &search->score[s];

		search->pause();
		memcpy(score->curvature, score->here, n * n * sizeof(double));
		status = dpem_linalg_invert_factored(search->rows->n, score->curvature);
		if (status == DPEM_OK)
			dpem_gam_learn_prior(search->rows, score->curvature, score);
	}
	return status;
}

static bool
ends_round(const DpemGamSearch *search)
{
	const DpemQuasiNewton *q = &search->minimum;
	double		step = 0;
	double		size = 0;

	if (search->round > (search->learn ? ROUNDS : FIXED_ROUNDS) || q->tries > 0)
		return false;
	for (int i = 0; i < q->n; i++)
	{
		step += q->direction[i] * q->direction[i];
		size += q->best[i] * q->best[i];
	}
	return q->found || search->passes >= ROUND_PASSES || step <= NEAR * NEAR * size;
}

/* ---- passes ---- */

/* the mean and the gradient that were accepted */
static void
keep_accepted(DpemGamSearch *search, double unit, const DpemNoisyMoments *m, const double *coefficient)
{
	size_t		n = (size_t) search->rows->n;

	for (int s = 0; s < search->scores; s++)
	{
		memcpy(search->score[s].mean, coefficient + s * n, n * sizeof(double));
		for (size_t i = 0; i < n; i++)
			search->score[s].linear[i] = unit * m->value[s * n + i];
	}
}

DpemStatus
dpem_gam_search_take(DpemGamSearch *search, const DpemNoisyMoments *m, const double *coefficient)
{
	size_t		n = (size_t) search->rows->n;
	double		unit = dpem_gam_residual_unit(search->rows) / dpem_gam_gradient_mark(&search->rows->shape);
	DpemStatus	status = DPEM_OK;

	if (search->minimum.found)
		return DPEM_OK;
	for (int s = 0; s < search->scores; s++)
	{
		double	   *own = search->gradient + s * n;

		dpem_gam_apply_precision(search, s, coefficient + s * n, own);
		for (size_t i = 0; i < n; i++)
			own[i] -= unit * m->value[s * n + i];
		dpem_linalg_solve_lower(search->rows->n, search->score[s].here, false, 1, own);
	}
	dpem_quasi_newton_take(&search->minimum, search->gradient);
	search->passes++;
	if (search->minimum.tries == 0)
		keep_accepted(search, unit, m, coefficient);
	if (!ends_round(search))
		return DPEM_OK;
	if (search->learn)
		status = learn(search);
	return status == DPEM_OK ? begin_round(search) : status;
}
