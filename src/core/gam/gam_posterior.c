/*
 * gam_posterior.c - see gam_posterior.h and gam_estimate.h.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/gam/gam_posterior.h"
#include "core/gam/gam_rules.h"
#include "core/numeric/linalg.h"

#define JITTER	1e-12			/* of the mean of V's diagonal, or of 1 without rows: V has no full rank without noise */

const double *
dpem_gam_block(const DpemGamRows *rows, const DpemGamPosterior *posterior, int c)
{
	const double *block = posterior->prior;

	for (int e = 0; e < c; e++)
		block += (size_t) dpem_gam_cells_of(rows, e) * dpem_gam_cells_of(rows, e);
	return block;
}

static double
scale_of(const DpemGamRows *rows)
{
	return rows->shape.targets > 1 ? 1 : dpem_gam_rules.number_scale;
}

double
dpem_gam_constant(const DpemGamRows *rows)
{
	return fmin(pow(dpem_gam_rules.intercept, 2) * scale_of(rows), rows->middle_off / rows->dispersion) / pow(dpem_gam_terms(&rows->shape), 2);
}

void
dpem_gam_precision(const DpemGamRows *rows, int c, double step, double *block)
{
	int			s = dpem_gam_cells_of(rows, c);
	int			walk = dpem_gam_walk(&rows->shape, c);

	memset(block, 0, (size_t) s * s * sizeof(double));
	for (int i = 0; i < s; i++)
	{
		block[(size_t) i * s + i] = dpem_gam_rules.level_precision / scale_of(rows) + (i >= walk ? 1 / step : 0);
		if (i >= walk)
			continue;
		block[(size_t) i * s + i] += ((i > 0) + (i + 1 < walk)) / step;
		if (i > 0)
			block[(size_t) i * s + i - 1] = block[(size_t) (i - 1) * s + i] = -1 / step;
	}
}

/*
 * The prior, given that the column's contributions add up to 0 over the rows: what they have in common is the intercept's
 * (Wood 2017, 5.4.1).  Noise in the counts of pairs would else tell columns' levels from one another, which no rows do.
 */
static void
center_prior(const DpemGamRows *rows, int c, double *block, double *moved)
{
	int			s = dpem_gam_cells_of(rows, c);
	const double *count = rows->count + rows->offset[c];
	double		square = dpem_linalg_form(s, block, count, moved);

	for (int i = 0; i < s && square > 0; i++)
		for (int j = 0; j < s; j++)
			block[(size_t) i * s + j] -= moved[i] * moved[j] / square;
}

/* H K, a column of cells after the other; the intercept's part is H 1 1' times the constant */
static void
apply_prior(const DpemGamRows *rows, DpemGamPosterior *posterior, const double *curvature, double *sum)
{
	int			n = rows->n;
	const double *block = posterior->prior;

	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		int			s = dpem_gam_cells_of(rows, c);

		dpem_linalg_product_nt(n, s, s, curvature + rows->offset[c], n, block, s, posterior->gain + rows->offset[c], n);
		block += (size_t) s * s;
	}
	memset(sum, 0, n * sizeof(double));
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			sum[j] += curvature[(size_t) i * n + j];
	for (int i = 0; i < n; i++)
	{
		double	   *gain = posterior->gain + (size_t) i * n;
		double		level = posterior->constant * sum[i];

		for (int j = 0; j < n; j++)
			gain[j] += level;
	}
}

/* into posterior->factor the lower factor of V = H K H + H + N */
static DpemStatus
factorise(int n, const DpemGamScore *score, const double *curvature, DpemGamPosterior *posterior)
{
	double	   *v = posterior->factor;
	double		trace = 0;

	dpem_linalg_lower_nt(n, posterior->gain, curvature, v);
	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++)
			v[(size_t) i * n + j] += curvature[(size_t) i * n + j];
	for (size_t i = 0; i < (size_t) n; i++)
		trace += v[i * (n + 1)];
	for (int i = 0; i < n; i++)
		v[(size_t) i * (n + 1)] += posterior->noise * dpem_gam_together(score, i) + JITTER * (trace > 0 ? trace / n : 1);
	return dpem_linalg_factorise(n, v);
}

/* log det V + t' V^-1 t, of half of which the density of t has the exponential; half: L^-1 t */
static double
evidence_of(int n, const double *factor, const double *half, double dispersion)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += 2 * log(factor[(size_t) i * (n + 1)]) + half[i] * half[i] / dispersion;
	return -sum / 2;
}

/* mean = (H K)' L'^-1 L^-1 t; solved: n, V^-1 t */
static void
find_mean(const DpemGamRows *rows, const DpemGamScore *score, DpemGamPosterior *posterior, double *solved)
{
	int			n = rows->n;

	for (int i = 0; i < n; i++)
		solved[i] = score->linear[i] / score->weight;
	dpem_linalg_solve_lower(n, posterior->factor, false, 1, solved);
	posterior->evidence = evidence_of(n, posterior->factor, solved, rows->dispersion);
	dpem_linalg_solve_lower(n, posterior->factor, true, 1, solved);
	memset(posterior->mean, 0, n * sizeof(double));
	for (int i = 0; i < n; i++)
	{
		const double *gain = posterior->gain + (size_t) i * n;
		double		own = solved[i];

		for (int j = 0; j < n; j++)
			posterior->mean[j] += gain[j] * own;
	}
}

/*
 * Without noise a Newton step, mean + (I + K H)^-1 (K g - mean) for the gradient g: nothing in it is squared, and what
 * it adds vanishes where it converges to.  The gain's transpose is K H.
 */
static DpemStatus
find_exact_mean(const DpemGamRows *rows, const DpemGamScore *score, DpemGamPosterior *posterior, double *left, double *pivots)
{
	int			n = rows->n;
	double		total = 0;
	DpemStatus	status;

	for (int i = 0; i < n; i++)
	{
		total += score->linear[i];
		for (int j = 0; j < n; j++)
			left[(size_t) i * n + j] = posterior->gain[(size_t) j * n + i] + (i == j);
	}
	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		const double *block = dpem_gam_block(rows, posterior, c);
		int			s = dpem_gam_cells_of(rows, c);

		for (int i = 0; i < s; i++)
		{
			double		sum = posterior->constant * total - score->mean[rows->offset[c] + i];

			for (int j = 0; j < s; j++)
				sum += block[(size_t) i * s + j] * score->linear[rows->offset[c] + j];
			posterior->mean[rows->offset[c] + i] = sum;
		}
	}
	status = dpem_linalg_solve(n, left, posterior->mean, pivots);
	for (int i = 0; i < n; i++)
		posterior->mean[i] += score->mean[i];
	return status;
}

DpemStatus
dpem_gam_solve(const DpemGamRows *rows, const DpemGamScore *score, DpemGamPosterior *posterior, DpemWorkspace *work)
{
	size_t		n = (size_t) rows->n;
	double	   *curvature;
	double	   *line;
	double	   *block;
	double		log_det;
	DpemStatus	status = DPEM_OK;

	posterior->prior = block = dpem_workspace_take(work, n * n);
	posterior->gain = dpem_workspace_take(work, n * n);
	posterior->factor = dpem_workspace_take(work, n * n);
	posterior->reduced = dpem_workspace_take(work, n * n);
	posterior->mean = dpem_workspace_take(work, n);
	posterior->solved = NULL;
	posterior->spare = curvature = dpem_workspace_take(work, n * n);
	line = dpem_workspace_take(work, n);
	if (work->end == NULL)
		return DPEM_OK;
	posterior->constant = dpem_gam_constant(rows);
	posterior->noise = score->noise / (score->weight * score->weight) / rows->dispersion;
	for (size_t i = 0; i < n * n; i++)
		curvature[i] = score->curvature[i] * (1 / score->weight);
	for (int c = 0; c < dpem_gam_terms(&rows->shape) && status == DPEM_OK; c++)
	{
		dpem_gam_precision(rows, c, score->step[c] * score->scale, block);
		status = dpem_linalg_inverse(dpem_gam_cells_of(rows, c), block, &log_det);
		if (status == DPEM_OK && !rows->exact && c < rows->shape.columns)
			center_prior(rows, c, block, line);
		block += (size_t) dpem_gam_cells_of(rows, c) * dpem_gam_cells_of(rows, c);
	}
	if (status == DPEM_OK)
		apply_prior(rows, posterior, curvature, line);
	if (status == DPEM_OK)
		status = factorise(rows->n, score, curvature, posterior);
	if (status != DPEM_OK)
		return status;
	if (rows->exact)
		return find_exact_mean(rows, score, posterior, curvature, line);
	find_mean(rows, score, posterior, line);
	posterior->solved = line;
	return DPEM_OK;
}

void
dpem_gam_reduce(const DpemGamRows *rows, DpemGamPosterior *posterior)
{
	size_t		n = (size_t) rows->n;

	memcpy(posterior->reduced, posterior->gain, n * n * sizeof(double));
	dpem_linalg_solve_lower(rows->n, posterior->factor, false, rows->n, posterior->reduced);
}

/* ---- the prior's variances ---- */

double
dpem_gam_learnt_step(const DpemGamRows *rows, int c, double scale, double sum)
{
	int			number = dpem_gam_cells_of(rows, c) - (dpem_gam_walk(&rows->shape, c) > 0);

	return (fmax(sum, 0) / scale + 2 * dpem_gam_expected_step(&rows->shape, c) * scale_of(rows)) / (number + 2);
}

/* what the releases tell: of each cell its entry on the diagonal of reduced' reduced, and the one beside it, of the next cell */
static void
find_told(const DpemGamRows *rows, const DpemGamPosterior *posterior, double *own, double *beside)
{
	int			n = rows->n;

	memset(own, 0, n * sizeof(double));
	memset(beside, 0, n * sizeof(double));
	for (int r = 0; r < n; r++)
	{
		const double *line = posterior->reduced + (size_t) r * n;

		for (int i = 0; i < n; i++)
			own[i] += line[i] * line[i];
		for (int i = 0; i + 1 < n; i++)
			beside[i] += line[i] * line[i + 1];
	}
}

/* expected sum of squared steps of column c, of differences and of what is penalised alone; own, beside: of the column's cells */
static double
expected_steps(const DpemGamRows *rows, const DpemGamPosterior *posterior, int c, const double *own, const double *beside)
{
	int			s = dpem_gam_cells_of(rows, c);
	int			walk = dpem_gam_walk(&rows->shape, c);
	const double *mean = posterior->mean + rows->offset[c];
	const double *block = dpem_gam_block(rows, posterior, c);
	double		sum = 0;

	for (int i = 0; i + 1 < walk; i++)
	{
		const double *at = block + (size_t) i * (s + 1);

		sum += pow(mean[i + 1] - mean[i], 2) / rows->dispersion + at[0] + at[s + 1] - 2 * at[1] - (own[i] + own[i + 1] - 2 * beside[i]);
	}
	for (int i = walk; i < s; i++)
		sum += mean[i] * mean[i] / rows->dispersion + block[(size_t) i * (s + 1)] + posterior->constant - own[i];
	return sum;
}

/* no further than changes the rows' scores by so much, root mean square; work: 2 n */
static void
take_step(const DpemGamRows *rows, const double *to, double *work, double *mean)
{
	int			n = rows->n;
	double	   *step = work;
	double	   *product = work + n;
	double		square;
	double		factor;

	for (int i = 0; i < n; i++)
		step[i] = to[i] - mean[i];
	square = dpem_linalg_form(n, rows->second, step, product);
	factor = fmin(1, dpem_gam_rules.step * sqrt(rows->dispersion * scale_of(rows) * rows->rows / fmax(square, DBL_MIN)));
	for (int i = 0; i < n; i++)
		mean[i] = factor < 1 ? mean[i] + factor * step[i] : to[i];
}

/* one step of expectation and maximisation; what it takes from the posterior is of use from the next solution on */
static void
learn_steps(const DpemGamRows *rows, DpemGamPosterior *posterior, DpemGamScore *score, DpemWorkspace work)
{
	double	   *own = dpem_workspace_take(&work, rows->n);
	double	   *beside = dpem_workspace_take(&work, rows->n);

	dpem_gam_reduce(rows, posterior);
	find_told(rows, posterior, own, beside);
	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		double		sum = expected_steps(rows, posterior, c, own + rows->offset[c], beside + rows->offset[c]);

		score->step[c] = dpem_gam_learnt_step(rows, c, score->scale, sum);
	}
}

/* mean' e for the noise e = N V^-1 t that is expected in t: the mean has followed it */
static double
noise_followed(const DpemGamRows *rows, const DpemGamScore *score, const DpemGamPosterior *posterior)
{
	double		sum = 0;

	for (int i = 0; posterior->solved != NULL && i < rows->n; i++)
		sum += score->mean[i] * dpem_gam_together(score, i) * posterior->solved[i];
	return posterior->noise * sum;
}

static DpemStatus
estimate_once(const DpemGamRows *rows, int updates, DpemGamScore *score, DpemWorkspace work)
{
	int			solutions = updates > 1 ? updates : 1;
	DpemStatus	status = DPEM_OK;

	score->scale = 1;
	if (rows->shape.targets == 1 && !rows->exact && updates > 0)
		status = dpem_gam_find_scale(rows, score, work);
	for (int i = 1; i <= solutions && status == DPEM_OK; i++)
	{
		DpemGamPosterior posterior;
		DpemWorkspace free = work;
		DpemWorkspace steps;

		status = dpem_gam_solve(rows, score, &posterior, &free);
		steps = free;
		if (status == DPEM_OK && i == solutions)
		{
			take_step(rows, posterior.mean, dpem_workspace_take(&steps, 2 * (size_t) rows->n), score->mean);
			score->followed = noise_followed(rows, score, &posterior);
		}
		if (status == DPEM_OK && updates > 0)
			learn_steps(rows, &posterior, score, free);
	}
	return status;
}

/* again from the same mean with what pairs cannot show of what it led to, while there is such: with much noise a few times */
DpemStatus
dpem_gam_estimate(const DpemGamRows *rows, int updates, DpemGamScore *score, DpemWorkspace work)
{
	double	   *before = dpem_workspace_take(&work, rows->n);
	DpemStatus	status;

	memcpy(before, score->mean, rows->n * sizeof(double));
	status = estimate_once(rows, updates, score, work);
	for (int i = 0; i < dpem_gam_rules.looks && status == DPEM_OK && !rows->exact && rows->shape.targets == 1; i++)
	{
		if (!dpem_gam_take_along(rows, score, work))
			break;
		memcpy(score->mean, before, rows->n * sizeof(double));
		status = estimate_once(rows, updates > 1 ? 1 : updates, score, work);
	}
	return status;
}

size_t
dpem_gam_work(int n)
{
	DpemGamRows rows = {.n = n};
	DpemGamScore score = {0};
	DpemGamPosterior posterior;
	DpemWorkspace dry = {NULL, NULL};
	size_t		pairs = (size_t) n * (n + 1) + dpem_linalg_drop_negative_work(n);
	size_t		solution;

	dpem_gam_solve(&rows, &score, &posterior, &dry);
	dpem_workspace_take(&dry, (3 + 2 * DPEM_GAM_MAX_PARTS) * (size_t) n);
	solution = dpem_workspace_taken(&dry);
	return n + (solution > pairs ? solution : pairs);
}
