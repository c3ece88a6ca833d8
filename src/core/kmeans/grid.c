/*
 * grid.c - see grid.h.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/kmeans/grid.h"
#include "core/numeric/bisect.h"

/* published: N epsilon / 10, sd = sqrt(2) / epsilon */
const DpemGridRule dpem_grid_published = {.factor = 0.1 * M_SQRT2,.most_cells = DPEM_CELLS_MAX};

/* found on real data (docs/clusters.md); finer than 64 x 64 did not help k-means */
const DpemGridRule dpem_grid_thresholded = {.factor = 0.7,.per_cluster = 8,.most_cells = 4096};
const DpemGridRule dpem_grid_start = {.factor = 0.5,.per_cluster = 8,.most_cells = 4096};
const DpemGridRule dpem_grid_second_level = {.factor = 0.3,.most_cells = 64};

#define NOISE_SHARE		0.005	/* of the weight above a threshold */
#define THRESHOLD_STEP	0.1		/* standard deviations */
#define MOST_DEVIATIONS 10

/* the largest of n noises of a kind */
typedef struct DpemSurprise
{
	DpemNoiseKind noise;
	int			n;
	double		chance;
} DpemSurprise;

/* the greatest n with n^axes <= cells */
static int
axis_parts(int axes, double cells)
{
	int			n = (int) floor(pow(cells, 1.0 / axes) + 1e-9);

	return n > 1 ? n : 1;
}

int
dpem_grid_parts_of(int axes, double cells)
{
	return axis_parts(axes, fmin(fmax(cells, 1), DPEM_CELLS_MAX));
}

int
dpem_grid_parts(const DpemGridRule *rule, int axes, int k, double rows, double sd)
{
	double		least = ceil(pow(rule->per_cluster * k, 1.0 / axes));
	double		most = fmin(fmax(axis_parts(axes, rule->most_cells), least), axis_parts(axes, DPEM_CELLS_MAX));
	double		parts = rint(pow(fmax(rule->factor * rows / sd, 0), 2.0 / (axes + 2)));

	if (!(sd > 0))
		return (int) most;
	return (int) fmax(fmin(fmax(parts, least), most), 1);
}

/* E[X; X > t] of a noise X with standard deviation 1 */
static double
tail_mass(DpemNoiseKind noise, double t)
{
	if (noise == DPEM_NOISE_LAPLACE)
		return (t + M_SQRT1_2) / 2 * exp(-t * M_SQRT2);
	return exp(-t * t / 2) / sqrt(2 * M_PI);
}

static double
weight_above(const double *count, int n, double threshold, int *above)
{
	double		sum = 0;

	*above = 0;
	for (int i = 0; i < n; i++)
	{
		if (count[i] > threshold)
		{
			sum += count[i];
			(*above)++;
		}
	}
	return sum;
}

double
dpem_grid_threshold(const double *count, int n, DpemNoiseKind noise, double sd, int least)
{
	int			above;
	double		t = 1;

	if (!(sd > 0))
		return 0;
	while (t < MOST_DEVIATIONS &&
		   !(n * sd * tail_mass(noise, t) < NOISE_SHARE * weight_above(count, n, t * sd, &above)))
		t += THRESHOLD_STEP;
	for (; t > 0; t -= THRESHOLD_STEP)
	{
		(void) weight_above(count, n, t * sd, &above);
		if (above >= least)
			return t * sd;
	}
	return 0;
}

/* P(X > t) of a noise X with standard deviation 1, t >= 0 */
static double
tail(DpemNoiseKind noise, double t)
{
	return (noise == DPEM_NOISE_LAPLACE ? exp(-t * M_SQRT2) : erfc(t * M_SQRT1_2)) / 2;
}

static bool
is_no_surprise(const void *context, double t)
{
	const DpemSurprise *s = context;

	return s->n * tail(s->noise, t) > s->chance;
}

double
dpem_grid_surprise(DpemNoiseKind noise, int n, double chance)
{
	DpemSurprise s = {noise, n, chance};

	return dpem_bisect(is_no_surprise, &s, 0, dpem_first_failure(is_no_surprise, &s, 1));
}

/* their number is binomial; above the mean a Poisson variable's upper tail bounds it (Anderson, Samuels 1967) */
bool
dpem_grid_surprising(DpemNoiseKind noise, double n, double deviations, double above, double chance)
{
	double		mean = n * tail(noise, fmax(deviations, 0));
	double		term = exp(above * log(mean) - mean - lgamma(above + 1));
	double		sum = 0;

	if (!(above >= mean + 1))
		return false;
	for (double i = above; term > sum * 1e-12; i++)
	{
		sum += term;
		term *= mean / (i + 1);
	}
	return sum < chance;
}

int
dpem_grid_keep(double *count, double *point, int n, int d, double threshold)
{
	int			kept = 0;

	for (int i = 0; i < n; i++)
	{
		if (!(count[i] > threshold))
			continue;
		count[kept] = count[i];
		memmove(point + (size_t) kept * d, point + (size_t) i * d, (size_t) d * sizeof(double));
		kept++;
	}
	return kept;
}

/* parts per axis of every cell under a rule; returns how many cells that makes */
static double
refine_with(const DpemGridRule *rule, const double *count, int n, int axes, double threshold,
			double next_sd, double *parts)
{
	double		total = 0;

	for (int i = 0; i < n; i++)
	{
		parts[i] = count[i] > threshold ? dpem_grid_parts(rule, axes, 1, count[i], next_sd) : 1;
		total += pow(parts[i], axes);
	}
	return total;
}

void
dpem_grid_refine(const double *count, int n, int axes, double threshold, double next_sd, double *parts)
{
	DpemGridRule rule = dpem_grid_second_level;

	while (refine_with(&rule, count, n, axes, threshold, next_sd, parts) > DPEM_CELLS_MAX)
		rule.most_cells /= 2;
}

void
dpem_grid_reconcile(const double *coarse_count, int coarse, double coarse_sd, const double *parts,
					int axes, double *count, double sd)
{
	for (int c = 0; c < coarse; c++)
	{
		int			n = (int) lrint(pow(parts[c], axes));
		double		sum = 0;
		double		trust;		/* in the coarse count: inverse variances */

		for (int i = 0; i < n; i++)
			sum += count[i];
		trust = sd > 0 ? n * sd * sd / (n * sd * sd + coarse_sd * coarse_sd) : 0;
		for (int i = 0; i < n; i++)
			count[i] += trust * (coarse_count[c] - sum) / n;
		count += n;
	}
}
