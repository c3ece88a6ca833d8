/*
 * gam_scale.c - how much of a number all of its columns may explain, and how much more scores vary than pairs of
 * columns show, and of several classes among the rows of a cell: see gam_posterior.h.
 *
 * Steps' variances are learnt slowly where noise hides them, and begin where columns explain most of what there is.
 * So all of them are, besides, times one of a few scales; the mean of these, each by the density of the releases.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/gam/gam_posterior.h"
#include "core/gam/gam_rules.h"
#include "core/numeric/linalg.h"
#include "core/numeric/public_random.h"

#define NOTHING	1e-13			/* of the weight of the best */
#define LEAST_BEND	1e-3		/* of a cell where probabilities are 0 or 1 gradients show nothing of M: what they seem to show is divided by nearly 0 */
#define CERTAIN	2.0				/* of the target's variance, which is not known well where it has tails: no more is explained */
#define DRAWS		64			/* of the scores of a cell's rows */
#define LEAST_VARIANCE	0.01	/* of a score, given those of the classes before it, in its own: noise in pairs may leave less than none */
#define LEAST_PART	0.1			/* of p (1 - p) at a cell's share p, its mean over the rows */
#define LEAST_WEIGHT	1e-4	/* of a row in a class's curvature */

DpemStatus
dpem_gam_find_scale(const DpemGamRows *rows, DpemGamScore *score, DpemWorkspace work)
{
	double		best = -INFINITY;
	double		all = 0;
	double		sum = 0;

	for (int i = 0; i < dpem_gam_rules.scales; i++)
	{
		DpemGamPosterior posterior;
		DpemWorkspace free = work;
		DpemStatus	status;
		double		before;
		double		weight;

		score->scale = pow(dpem_gam_rules.scale_ratio, -i);
		status = dpem_gam_solve(rows, score, &posterior, &free);
		if (status != DPEM_OK)
			return status;
		weight = exp(fmin(posterior.evidence - best, 0));
		before = posterior.evidence > best ? exp(best - posterior.evidence) : 1;
		best = fmax(best, posterior.evidence);
		all = before * all + weight;
		sum = before * sum + weight * score->scale;
		/* smaller ones tell still less */
		if (weight < NOTHING)
			break;
	}
	score->scale = sum / all;
	return DPEM_OK;
}

/* ---- how much scores vary ---- */

/*
 * Noise hides the pairs of columns that tell the same one by one, and M takes these for independent.  Then scores that add up what
 * each column tells go many times too far, and the next gradient sends them back as far.
 */

/* adds `times` u u' to every curvature that was taken, and so to every linear statistic that times its mean */
static void
add_along(int n, double times, const double *u, DpemGamScore *score)
{
	const double *moved = score->path + 2 * (size_t) n;
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += times * u[i] * moved[i];
	for (int i = 0; i < n; i++)
	{
		double		own = times * score->weight * u[i];

		score->linear[i] += sum * u[i];
		for (int j = 0; j < n; j++)
			score->curvature[(size_t) i * n + j] += own * u[j];
	}
}

/* ---- what gradients show ---- */

/*
 * The mean follows t by G t, G = K H V^-1: of noise of variance 1 in each entry of t the product with what that moves the
 * mean by, its expectation and variance.
 */
static DpemStatus
find_following(const DpemGamRows *rows, const DpemGamScore *score, double *mean, double *variance, DpemWorkspace work)
{
	size_t		n = (size_t) rows->n;
	DpemGamPosterior posterior;
	DpemStatus	status = dpem_gam_solve(rows, score, &posterior, &work);
	double	   *follows = posterior.spare;

	if (status != DPEM_OK)
		return status;
	memcpy(posterior.reduced, posterior.factor, n * n * sizeof(double));
	status = dpem_linalg_invert_factored(rows->n, posterior.reduced);
	if (status != DPEM_OK)
		return status;
	dpem_linalg_multiply_tn(rows->n, posterior.gain, posterior.reduced, follows);
	*mean = *variance = 0;
	for (size_t i = 0; i < n; i++)
	{
		*mean += follows[i * (n + 1)];
		for (size_t j = 0; j < n; j++)
			*variance += follows[i * n + j] * (follows[i * n + j] + follows[j * n + i]);
	}
	return DPEM_OK;
}

/* M, and all that was taken, more by u u' */
static void
stiffen(DpemGamRows *rows, double *u, DpemGamScore *score)
{
	size_t		n = (size_t) rows->n;

	add_along(rows->n, 1, u, score);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			score->here[i * n + j] += u[i] * u[j];
	for (size_t i = 0; i < n && rows->shape.targets > 1; i++)
		u[i] = score->bend[i] > LEAST_BEND ? u[i] / score->bend[i] : 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			rows->second[i * n + j] += u[i] * u[j];
}

/* is it more than the curvature by far, and than noise may make of it? */
static bool
is_stiff(double seen, double noise, double along)
{
	return seen > dpem_gam_rules.stiff * along + dpem_gam_rules.sure * noise;
}

/* the last gradient's noise is in the step that was made of it, and so in what the two show along it */
DpemStatus
dpem_gam_take_secant(DpemGamRows *rows, const double *gradient, double sd, DpemGamScore *score, DpemWorkspace work)
{
	int			n = rows->n;
	double	   *step = dpem_workspace_take(&work, n);
	double	   *product = dpem_workspace_take(&work, n);
	double		own = score->path_share * score->path_sd * score->path_sd;
	double		seen = 0;
	double		square = 0;
	double		following;
	double		variance;
	double		along;
	double		noise;
	DpemStatus	status;

	if (!(score->path_sd > 0))
		return DPEM_OK;
	for (int i = 0; i < n; i++)
	{
		step[i] = score->mean[i] - score->path[i];
		seen += step[i] * (score->path[n + i] - gradient[i]);
		square += step[i] * step[i];
	}
	along = dpem_linalg_form(n, score->here, step, product);
	noise = sqrt(square * (sd * sd + score->path_sd * score->path_sd));
	if (!(along > 0 && is_stiff(seen, noise, along)))
		return DPEM_OK;
	status = find_following(rows, score, &following, &variance, work);
	if (status != DPEM_OK || !is_stiff(seen - following * own, hypot(noise, own * sqrt(variance)), along))
		return status;
	for (int i = 0; i < n; i++)
		product[i] *= sqrt(seen - following * own - along) / along;
	stiffen(rows, product, score);
	return DPEM_OK;
}

void
dpem_gam_leave_path(int n, const double *gradient, double sd, double keep, double weight, DpemGamScore *score)
{
	memcpy(score->path, score->mean, n * sizeof(double));
	memcpy(score->path + n, gradient, n * sizeof(double));
	for (int i = 0; i < n; i++)
		score->path[2 * (size_t) n + i] = keep * score->path[2 * (size_t) n + i] + weight * score->mean[i];
	score->path_sd = sd;
	score->path_share = weight / score->weight;
}

/* ---- what pairs cannot show ---- */

/* the mean, less what it is on average in each column; returns the sum of the squares of pairs of columns, as noise in pairs of cells has it */
static double
center_mean(const DpemGamRows *rows, const double *mean, double *centered)
{
	double		before = 0;
	double		pairs = 0;

	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		double		level = 0;
		double		square = 0;

		for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
			level += rows->count[i] * mean[i] / rows->rows;
		for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
		{
			centered[i] = mean[i] - level;
			square += centered[i] * centered[i];
		}
		pairs += square * before;
		before += square;
	}
	return pairs;
}

/*
 * Were columns independent given the target, and not whatever it is, scores m'x would vary by m'M m (1 + m'M m / n v) for the
 * target's variance v and the M of independent columns: as much as linear discriminant analysis has it, and never more than v
 * for the m that follows.  That is expected as far as noise would hide it, and for certain of scores that vary more than the target does.
 */
bool
dpem_gam_take_along(const DpemGamRows *rows, DpemGamScore *score, DpemWorkspace work)
{
	int			n = rows->n;
	double	   *centered = dpem_workspace_take(&work, n);
	double	   *product = dpem_workspace_take(&work, n);
	double		noise = 2 * rows->pair_sd * sqrt(center_mean(rows, score->mean, centered));
	double		square = dpem_linalg_form(n, score->here, centered, product);
	double		total = rows->rows * rows->variance;
	double		excess = square * square / total;

	if (square < CERTAIN * total)
		excess *= noise * noise / fmax(noise * noise + excess * excess, DBL_MIN);
	if (!(excess > dpem_gam_rules.least_along * square))
		return false;
	dpem_gam_leave_along(n, score);
	for (int i = 0; i < n; i++)
		score->along[i] = sqrt(excess) * product[i] / square;
	add_along(n, 1, score->along, score);
	return true;
}

void
dpem_gam_leave_along(int n, DpemGamScore *score)
{
	add_along(n, -1, score->along, score);
	memset(score->along, 0, n * sizeof(double));
}

/* ---- how scores of several classes vary ---- */

typedef double Draws[DRAWS][DPEM_GAM_MAX_CLASSES];

/* factor: the lower Cholesky factor of the covariance, over the rows of a cell, of the scores of all classes; what follows from those before has a column of zeros; work: n */
static void
factorise_scores(const DpemGamRows *rows, const DpemGamScore *scores, double *work, double *factor)
{
	int			k = rows->shape.targets;
	double		within = 1 - 1.0 / dpem_gam_terms(&rows->shape);

	for (int t = 0; t < k; t++)
	{
		double		mean = dpem_gam_mean_score(rows, &scores[t]);

		dpem_linalg_product(rows->n, 1, rows->n, rows->second, scores[t].mean, work);
		for (int u = 0; u <= t; u++)
		{
			double		sum = -mean * dpem_gam_mean_score(rows, &scores[u]) * rows->rows;
			double		least;

			for (int i = 0; i < rows->n; i++)
				sum += work[i] * scores[u].mean[i];
			sum *= within / rows->rows;
			least = LEAST_VARIANCE * sum;
			for (int v = 0; v < u; v++)
				sum -= factor[t * k + v] * factor[u * k + v];
			factor[t * k + u] = u == t ? sqrt(sum > least ? fmax(sum, 0) : 0) : factor[u * (k + 1)] > 0 ? sum / factor[u * (k + 1)] : 0;
		}
	}
}

/* how far scores of rows are from their cell's mean: normal, of the same numbers in every fit, each with either sign */
static void
draw_scores(const DpemGamRows *rows, const DpemGamScore *scores, double *work, Draws draw)
{
	int			k = rows->shape.targets;
	double		factor[DPEM_GAM_MAX_CLASSES * DPEM_GAM_MAX_CLASSES];
	DpemPublicRandom random = {1};

	factorise_scores(rows, scores, work, factor);
	for (int z = 0; z < DRAWS; z += 2)
	{
		double		normal[DPEM_GAM_MAX_CLASSES];

		for (int t = 0; t < k; t++)
		{
			normal[t] = dpem_public_normal(&random);
			draw[z][t] = 0;
			for (int u = 0; u <= t; u++)
				draw[z][t] += factor[t * k + u] * normal[u];
			draw[z + 1][t] = -draw[z][t];
		}
	}
}

/* of the rows of a cell with those mean scores the means of p (1 - p), p being the probability of a class, and of p */
static void
mean_bends(int k, const double *score, Draws draw, double *bend, double *share)
{
	memset(bend, 0, k * sizeof(double));
	memset(share, 0, k * sizeof(double));
	for (int z = 0; z < DRAWS; z++)
	{
		double		p[DPEM_GAM_MAX_CLASSES];
		double		top = -INFINITY;
		double		total = 0;

		for (int t = 0; t < k; t++)
			top = fmax(top, p[t] = score[t] + draw[z][t]);
		for (int t = 0; t < k; t++)
			total += p[t] = exp(p[t] - top);
		for (int t = 0; t < k; t++)
		{
			share[t] += p[t] / total / DRAWS;
			bend[t] += p[t] / total * (1 - p[t] / total) / DRAWS;
		}
	}
}

/* where counts say that a class is and scores do not yet, steps go to where the curvature is that of its share there */
static double
bend_toward(double bend, double share, double counted)
{
	double		part = fmin(fmax(bend / fmax(share * (1 - share), DBL_MIN), LEAST_PART), 1);

	return fmax(bend, dpem_gam_rules.ahead * part * counted * (1 - counted));
}

/* in which noise in the counts of a cell may be far more than its rows: its variance in what these tell of a score */
static double
noise_of_counts(const DpemGamRows *rows, const DpemGamScore *scores)
{
	double		told = 0;
	double		all = 0;

	for (int t = 0; t < rows->shape.targets; t++)
		for (int i = 0; i < rows->n; i++)
		{
			double		bend = scores[t].counted[i] * (1 - scores[t].counted[i]);

			told += bend * bend * rows->count[i];
			all += bend;
		}
	return pow(rows->single_sd * all / fmax(told, DBL_MIN), 2);
}

void
dpem_gam_bend_classes(const DpemGamRows *rows, const DpemGamScore *scores, double *work)
{
	int			k = rows->shape.targets;
	double		noise = noise_of_counts(rows, scores);
	double		times = dpem_gam_rules.two + dpem_gam_rules.hazy * (noise < 1 ? noise / (1 + noise) : 1 / (1 + 1 / noise));
	Draws		draw;

	draw_scores(rows, scores, work, draw);
	for (int t = 0; t < k; t++)
		dpem_gam_cell_scores(rows, &scores[t], scores[t].bend);
	for (int i = 0; i < rows->n; i++)
	{
		double		score[DPEM_GAM_MAX_CLASSES];
		double		bend[DPEM_GAM_MAX_CLASSES];
		double		share[DPEM_GAM_MAX_CLASSES];

		for (int t = 0; t < k; t++)
			score[t] = scores[t].bend[i];
		mean_bends(k, score, draw, bend, share);
		for (int t = 0; t < k; t++)
			scores[t].bend[i] = fmin(fmax(times * bend_toward(bend[t], share[t], scores[t].counted[i]), LEAST_WEIGHT), 1);
	}
}
