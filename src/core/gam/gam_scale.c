/*
 * gam_scale.c - how much of a number all of its columns may explain, and how much more scores vary than pairs of
 * columns show: see gam_posterior.h.
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

#define NOTHING	1e-13			/* of the weight of the best */
#define LEAST_BEND	1e-3		/* of a cell where probabilities are 0 or 1 gradients show nothing of M: what they seem to show is divided by nearly 0 */
#define CERTAIN	2.0				/* of the target's variance, which is not known well where it has tails: no more is explained */

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
