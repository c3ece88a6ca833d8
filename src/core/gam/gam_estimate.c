/*
 * gam_estimate.c - see gam_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_posterior.h"
#include "core/gam/gam_rules.h"
#include "core/numeric/linalg.h"

#define WITHIN_CELL	0.6			/* of the variance of scores, that among the rows of a cell */
#define LEAST_DISPERSION 0.01	/* of the target's variance */

double
dpem_gam_expected_step(const DpemGamShape *shape, int term)
{
	int			walk = dpem_gam_walk(shape, term);

	return dpem_gam_rules.expected * (walk > 0 ? (double) dpem_gam_rules.expected_bins / walk : 1);
}

/* ---- curvature ---- */

double
dpem_gam_mean_score(const DpemGamRows *rows, const DpemGamScore *score)
{
	double		sum = 0;

	for (int i = 0; i < rows->n; i++)
		sum += rows->count[i] * score->mean[i];
	return sum / rows->rows;
}

/* product: n, M mean; returns the variance of the rows' scores */
static double
score_variance(const DpemGamRows *rows, const DpemGamScore *score, double *product)
{
	double		mean = dpem_gam_mean_score(rows, score);
	double		square = dpem_linalg_form(rows->n, rows->second, score->mean, product);

	return fmax(square / rows->rows - mean * mean, 0);
}

/* probit approximation (MacKay 1992) of the mean of sigma'(u) for u ~ N(middle, variance) */
static double
logistic_weight(double middle, double variance)
{
	double		shrink = 1 / sqrt(1 + M_PI / 8 * variance);
	double		odds = exp(-fabs(shrink * middle));

	return shrink * odds / ((1 + odds) * (1 + odds));
}

double
dpem_gam_steepness(const DpemGamRows *rows, const DpemGamScore *score, double *work)
{
	size_t		length = (size_t) rows->n * rows->n;
	double		sum = 0;
	double		own;

	if (rows->shape.targets != 2)
		return 1;
	for (size_t i = 0; i < length; i++)
		sum += score->curvature[i];
	/* scores without end have no curvature: as if one row of the rare class were left */
	own = fmax(rows->rows * logistic_weight(dpem_gam_mean_score(rows, score), score_variance(rows, score, work)), 1);
	return fmax(sum / score->weight / pow(dpem_gam_terms(&rows->shape), 2) / own, 1);
}

void
dpem_gam_cell_scores(const DpemGamRows *rows, const DpemGamScore *score, double *out)
{
	dpem_linalg_product(rows->n, 1, rows->n, rows->second, score->mean, out);
	for (int i = 0; i < rows->n; i++)
		out[i] /= fmax(rows->count[i], 1);
}

static void
exact_curvature(const DpemGamRows *rows, const DpemNoisyMoments *m, double *curvature)
{
	size_t		n = (size_t) rows->n;
	double		single = dpem_gam_single_mark(&rows->shape);
	double		pair = dpem_gam_pair_mark(&rows->shape);

	memset(curvature, 0, n * n * sizeof(double));
	for (size_t i = 0; i < n; i++)
	{
		curvature[i * (n + 1)] = (m->value[i] + m->value[n + i]) / single / 4;
		for (size_t j = 0; j < i && pair > 0; j++)
			curvature[i * n + j] = curvature[j * n + i] = m->value[dpem_gam_pair(&rows->shape, (int) i, (int) j)] / pair / 4;
	}
}

/* bend of two classes' score; work: n */
static void
two_weights(const DpemGamRows *rows, const DpemGamScore *score, double *work)
{
	double		variance = WITHIN_CELL * score_variance(rows, score, work);

	dpem_gam_cell_scores(rows, score, score->bend);
	for (int i = 0; i < rows->n; i++)
		score->bend[i] = fmin(dpem_gam_rules.two * logistic_weight(score->bend[i], variance), 0.25);
}

/* from the weight w of each cell's rows in `bend`, which gets its square root: sqrt(w_i w_j) M_ij has no negative eigenvalues either */
static void
bend_pairs(const DpemGamRows *rows, const DpemGamScore *score)
{
	int			n = rows->n;
	double	   *root = score->bend;

	for (int i = 0; i < n; i++)
		root[i] = sqrt(root[i]);
	for (int i = 0; i < n; i++)
	{
		const double *second = rows->second + (size_t) i * n;
		double	   *line = score->here + (size_t) i * n;
		double		own = root[i];

		for (int j = 0; j < n; j++)
			line[j] = second[j] * (own * root[j]);
	}
}

void
dpem_gam_curvature_classes(const DpemGamRows *rows, const DpemGamScore *scores, double *work)
{
	dpem_gam_bend_classes(rows, scores, work);
	for (int s = 0; s < dpem_gam_scores(&rows->shape); s++)
		bend_pairs(rows, &scores[s]);
}

void
dpem_gam_curvature(const DpemGamRows *rows, const DpemNoisyMoments *exact, const DpemGamScore *scores, double *work)
{
	if (exact != NULL)
		exact_curvature(rows, exact, scores->here);
	else if (rows->shape.targets > 2)
		dpem_gam_curvature_classes(rows, scores, work);
	else if (rows->shape.targets == 2)
	{
		two_weights(rows, scores, work);
		bend_pairs(rows, scores);
	}
}

/* ---- gradients ---- */

double
dpem_gam_residual_unit(const DpemGamRows *rows)
{
	return rows->shape.targets > 2 ? M_SQRT2 : rows->shape.targets == 1 ? rows->shape.reach : 1;
}

/* what scores are still to move by, times the curvature, is what a linear statistic is off by; noise: a gradient's variance */
static double
drift_of(const DpemGamRows *rows, const DpemGamScore *score, double noise)
{
	size_t		n = (size_t) rows->n;
	double		mean = 0;

	for (size_t i = 0; i < n; i++)
		mean += score->here[i * (n + 1)] / rows->n;
	return (rows->shape.targets > 2 ? dpem_gam_rules.several_moving : dpem_gam_rules.moving) * mean * mean / noise;
}

/* 1 over variance in units of a gradient's noise, of what drift has fallen to a part of what it was at first */
static double
told(const DpemGamScore *score, double part)
{
	return 1 / (1 + score->drift / part);
}

/* drift falls as passes go on, and intervals are of noise alone: what early ones are off by is not to stay */
static double
pass_weight(const DpemGamRows *rows, const DpemGamScore *score, int pass)
{
	if (rows->exact)
		return 1;
	return rows->shape.targets > 1 ? told(score, pow(pass, dpem_gam_rules.settling)) : pass;
}

/* weight of what was before a gradient; before the first that is counts, of use to two classes if they are of the same cells */
static double
kept(const DpemGamRows *rows, const DpemGamScore *score, int pass, double noise)
{
	if (rows->exact)
		return 0;
	if (pass > 1)
		return 1;
	return rows->shape.targets == 2 && score->weight > 0 ? told(score, dpem_gam_rules.counts) * noise / score->noise : 0;
}

/* the curvature is symmetric */
static void
mix_gradient(const DpemGamRows *rows, const double *gradient, double keep, double weight, DpemGamScore *score)
{
	int			n = rows->n;

	for (int i = 0; i < n; i++)
		score->linear[i] = keep * score->linear[i] + weight * gradient[i];
	for (int j = 0; j < n; j++)
	{
		const double *here = score->here + (size_t) j * n;
		double	   *sum = score->curvature + (size_t) j * n;
		double		mean = rows->exact ? 0 : weight * score->mean[j];

		for (int i = 0; i < n; i++)
			score->linear[i] += here[i] * mean;
		for (int i = 0; i < n; i++)
			sum[i] = keep * sum[i] + weight * here[i];
	}
}

DpemStatus
dpem_gam_take_gradient(DpemGamRows *rows, const DpemNoisyMoments *m, double scale, int s, int pass, DpemGamScore *score, DpemWorkspace work)
{
	int			n = rows->n;
	double		unit = scale * dpem_gam_residual_unit(rows) / dpem_gam_gradient_mark(&rows->shape);
	double		sd = unit * m->count_sd;
	bool		tells = !rows->exact && scale == 1;
	double	   *gradient = dpem_workspace_take(&work, n);
	double		keep;
	double		weight;
	DpemStatus	status = DPEM_OK;

	for (int i = 0; i < n; i++)
		gradient[i] = unit * m->value[(size_t) s * n + i];
	if (rows->shape.targets == 1)
		dpem_gam_leave_along(n, score);
	if (tells)
		status = dpem_gam_take_secant(rows, gradient, sd, score, work);
	if (pass == 1 && !rows->exact)
		score->drift = drift_of(rows, score, sd * sd);
	keep = kept(rows, score, pass, sd * sd);
	weight = pass_weight(rows, score, pass);
	mix_gradient(rows, gradient, keep, weight, score);
	score->weight = keep * score->weight + weight;
	score->noise = keep * keep * score->noise + weight * weight * sd * sd;
	dpem_gam_leave_path(n, gradient, tells ? sd : 0, keep, weight, score);
	return status;
}

/* of what scores explain, of rows' variance: the standard deviation of the noise in 2 mean' t */
static double
noise_explained(const DpemGamRows *rows, const DpemGamScore *score)
{
	double		square = 0;

	for (int i = 0; i < rows->n; i++)
		square += dpem_gam_together(score, i) * score->mean[i] * score->mean[i];
	return 2 * sqrt(square * score->noise) / score->weight / rows->rows;
}

double
dpem_gam_reach(const DpemGamRows *rows, double off)
{
	return fmin(dpem_gam_rules.reach * rows->tails * sqrt(rows->dispersion + off) + dpem_gam_bin_width(rows), 2);
}

/* what the mean prediction is off by: of what counts told of the middle and the gradients of all columns */
static double
level_variance(const DpemGamRows *rows, const DpemGamScore *score)
{
	double		told = 0;

	if (isinf(rows->middle_off))
		return 0;
	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
		told += 1.0 / dpem_gam_cells_of(rows, c);
	return 1 / (1 / rows->middle_off + told * pow(rows->rows * score->weight, 2) / score->noise);
}

/*
 * Variance less what scores explain: var y - 2 cov(y, score) + var score, t without the noise expected in it; work has M
 * mean then.  Values in t are about the middle, which the mean score is off: mean' t has its square, too.
 */
void
dpem_gam_update_dispersion(DpemGamRows *rows, const DpemGamScore *score, int pass, double *work)
{
	double		explained = -score_variance(rows, score, work);
	double		mean = dpem_gam_mean_score(rows, score);
	double		along = 0;
	double		least = fmax(LEAST_DISPERSION * rows->variance, noise_explained(rows, score));

	if (rows->shape.targets > 1)
		return;
	for (int i = 0; i < rows->n; i++)
	{
		explained += 2 * score->mean[i] * (score->linear[i] / score->weight + (rows->exact && pass > 1 ? work[i] : 0)) / rows->rows;
		along += score->along[i] * score->mean[i];
	}
	explained -= 2 * score->followed / rows->rows;
	explained -= along * along / rows->rows;
	rows->dispersion = fmin(fmax(rows->variance - explained + 2 * mean * mean, least), rows->variance);
	if (!rows->exact)
		rows->shape.reach = dpem_gam_reach(rows, level_variance(rows, score));
}
