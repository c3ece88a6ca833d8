/*
 * subspace.c - see subspace.h.
 */
#include <math.h>
#include <string.h>

#include "core/kmeans/seeded_kmeans.h"
#include "core/kmeans/subspace.h"

#define NARROWER		1.05	/* parts' widths, where there would be too many cells */
#define MORE_TRIALS		10		/* for each that many cells would get: centers are few */

/* drawn from a law, and at least two for each center */
#define LAW_POINTS		4000

/* the width at which axes wider than it would have so many cells together */
static double
part_width(const double *half, int axes, double cells)
{
	double		width = 0;

	for (int pass = 0; pass <= axes; pass++)
	{
		double		volume = 0;
		int			wide = 0;

		for (int a = 0; a < axes; a++)
		{
			if (2 * half[a] < width)
				continue;
			volume += log(2 * half[a]);
			wide++;
		}
		if (wide == 0)
			return width;
		width = exp((volume - log(cells)) / wide);
	}
	return width;
}

void
dpem_subspace_parts(const double *half, int axes, double cells, int *parts)
{
	double		width = part_width(half, axes, cells);
	double		total;

	do
	{
		total = 1;
		for (int a = 0; a < axes; a++)
		{
			parts[a] = (int) fmin(fmax(rint(2 * half[a] / width), 1), DPEM_CELLS_MAX);
			total *= parts[a];
		}
		width *= NARROWER;
	} while (total > DPEM_CELLS_MAX);
}

/* clusters with rows, as points; returns how many */
static size_t
take_points(const DpemKmeans *from, const double *spread, double *x, double *weight, double *square)
{
	size_t		d = (size_t) from->d;
	size_t		n = 0;

	for (size_t i = 0; i < (size_t) from->k; i++)
	{
		if (!(from->weight[i] > 0))
			continue;
		memcpy(x + n * d, from->center + i * d, d * sizeof(double));
		weight[n] = from->weight[i];
		square[n] = spread[i] * spread[i];
		n++;
	}
	return n;
}

/* the best of some trials */
static void
search(const DpemPoints *points, DpemKmeans *to, double *trial, DpemPublicRandom *random, DpemWorkspace work)
{
	int			trials = dpem_seeded_kmeans_trials(MORE_TRIALS * points->n, to->k, to->d) * MORE_TRIALS;
	double		least = INFINITY;

	for (int i = 0; i < trials; i++)
	{
		double		squares = dpem_seeded_kmeans(points, to->k, random, trial, work);

		if (!(squares < least))
			continue;
		least = squares;
		memcpy(to->center, trial, (size_t) to->k * to->d * sizeof(double));
	}
}

/* what a mean of centers knows: the weights' mean of their noise, as of errors by themselves */
static void
merge_noise(const DpemKmeans *from, DpemKmeans *to)
{
	size_t		d = (size_t) from->d;

	memset(to->weight, 0, (size_t) to->k * sizeof(double));
	memset(to->weight_noise, 0, (size_t) to->k * sizeof(double));
	memset(to->center_noise, 0, (size_t) to->k * d * sizeof(double));
	for (size_t i = 0; i < (size_t) from->k; i++)
	{
		size_t		c = (size_t) dpem_nearest_center(to->k, to->d, to->center, from->center + i * d, NULL);

		to->weight[c] += from->weight[i];
		to->weight_noise[c] = hypot(to->weight_noise[c], from->weight_noise[i]);
		for (size_t j = 0; j < d; j++)
			to->center_noise[c * d + j] = hypot(to->center_noise[c * d + j],
												from->weight[i] * from->center_noise[i * d + j]);
	}
	for (size_t i = 0; i < (size_t) to->k * d; i++)
		to->center_noise[i] = to->weight[i / d] > 0 ? to->center_noise[i] / to->weight[i / d] : 0;
}

static void
merge_spread(const DpemPoints *points, const double *square, const DpemKmeans *to, double *spread, double *weight)
{
	memset(weight, 0, (size_t) to->k * sizeof(double));
	memset(spread, 0, (size_t) to->k * sizeof(double));
	for (size_t i = 0; i < points->n; i++)
	{
		double		distance;
		int			c = dpem_nearest_center(to->k, to->d, to->center, points->x + i * points->d, &distance);

		weight[c] += points->weight[i];
		spread[c] += points->weight[i] * (distance + square[i]);
	}
	for (int c = 0; c < to->k; c++)
		spread[c] = weight[c] > 0 ? sqrt(spread[c] / weight[c]) : 0;
}

/* a cluster of no points is seen as far about as the others are on average */
static void
fill_spread(int k, double *spread)
{
	double		sum = 0;
	int			known = 0;

	for (int c = 0; c < k; c++)
	{
		sum += spread[c];
		known += spread[c] > 0;
	}
	for (int c = 0; c < k && known > 0; c++)
		spread[c] = spread[c] > 0 ? spread[c] : sum / known;
}

size_t
dpem_subspace_merge_work(int from, int to, int d)
{
	return (size_t) from * ((size_t) d + 2) + ((size_t) to + 1) * ((size_t) d + 1) +
		dpem_seeded_kmeans_work((size_t) from, to, d);
}

void
dpem_subspace_merge(const DpemKmeans *from, const double *spread, DpemKmeans *to, double *to_spread,
					DpemWorkspace work)
{
	size_t		d = (size_t) from->d;
	double	   *x = dpem_workspace_take(&work, (size_t) from->k * d);
	double	   *weight = dpem_workspace_take(&work, (size_t) from->k);
	double	   *square = dpem_workspace_take(&work, (size_t) from->k);
	double	   *trial = dpem_workspace_take(&work, (size_t) to->k * d);
	double	   *blur = dpem_workspace_take(&work, d);
	double	   *sums = dpem_workspace_take(&work, (size_t) to->k);
	DpemPoints	points = {.n = take_points(from, spread, x, weight, square),.d = from->d,.x = x,.weight = weight};
	DpemPublicRandom random = dpem_public_seed(from->weight, (size_t) from->k);
	double		largest = 0;

	if (points.n == 0)
	{
		memcpy(to->center, from->center, (size_t) to->k * d * sizeof(double));
		memcpy(to_spread, spread, (size_t) to->k * sizeof(double));
		merge_noise(from, to);
		return;
	}
	search(&points, to, trial, &random, work);
	merge_noise(from, to);
	merge_spread(&points, square, to, to_spread, sums);
	fill_spread(to->k, to_spread);
	for (size_t i = 0; i < points.n; i++)
		largest = fmax(largest, square[i]);
	for (size_t j = 0; j < d; j++)
		blur[j] = largest / (double) d;
	dpem_seeded_kmeans_split(&points, to->k, &(DpemBlur) {.levels = 1,.variance = blur}, &random, to->center, (DpemWorkspace) {sums, sums + to->k});
}

static size_t
law_points(int k)
{
	return k > LAW_POINTS / 2 ? 2 * (size_t) k : LAW_POINTS;
}

/* a row about the mean: normal along the axes, and by what these leave of the spread along all others */
static void
draw_row(const DpemNormalLaw *law, DpemPublicRandom *random, double *x)
{
	size_t		d = (size_t) law->d;
	double		seen = 0;
	double		square = law->spread * law->spread;
	double		scale;
	double		other;

	for (int a = 0; a < law->axes; a++)
		seen += law->variance[a];
	scale = seen > square ? sqrt(square / seen) : 1;
	other = law->d > law->axes ? sqrt(fmax(square - seen, 0) / (law->d - law->axes)) : 0;
	for (size_t j = 0; j < d; j++)
		x[j] = other * dpem_public_normal(random);
	for (int a = 0; a < law->axes; a++)
	{
		const double *axis = law->axis + (size_t) a * d;
		double		step = scale * sqrt(law->variance[a]) * dpem_public_normal(random);

		for (size_t j = 0; j < d; j++)
			step -= x[j] * axis[j];
		for (size_t j = 0; j < d; j++)
			x[j] += step * axis[j];
	}
	for (size_t j = 0; j < d; j++)
		x[j] += law->mean[j] + law->mean_sd * dpem_public_normal(random);
}

size_t
dpem_normal_centers_work(int k, int d)
{
	size_t		n = law_points(k);

	return n * ((size_t) d + 1) + (size_t) d + (size_t) k + dpem_seeded_kmeans_work(n, k, d);
}

void
dpem_normal_centers(const DpemNormalLaw *law, int k, double half_width, double *center, double *spread,
					DpemWorkspace work)
{
	size_t		d = (size_t) law->d;
	size_t		n = law_points(k);
	double	   *x = dpem_workspace_take(&work, n * d);
	double	   *weight = dpem_workspace_take(&work, n);
	double	   *none = dpem_workspace_take(&work, d);
	double	   *sums = dpem_workspace_take(&work, (size_t) k);
	DpemPoints	points = {.n = n,.d = law->d,.x = x,.weight = weight};
	DpemPublicRandom random = dpem_public_seed(law->mean, d);

	memset(none, 0, d * sizeof(double));
	for (size_t i = 0; i < n; i++)
	{
		draw_row(law, &random, x + i * d);
		weight[i] = 1;
	}
	dpem_kmeans_clamp((int) n, law->d, half_width, x);
	dpem_seeded_kmeans(&points, k, &random, center, work);
	dpem_seeded_kmeans_spread(&points, k, center, &(DpemBlur) {.levels = 1,.variance = none}, spread,
							  (DpemWorkspace) {sums, sums + k});
	for (int c = 0; c < k; c++)
		spread[c] = fmax(fmin(spread[c], law->spread), 0x1p-12);
}

static int
heaviest_cluster(const DpemKmeans *means)
{
	int			heaviest = 0;

	for (int k = 1; k < means->k; k++)
		heaviest = means->weight[k] > means->weight[heaviest] ? k : heaviest;
	return heaviest;
}

/* is a center the heaviest cluster's, or to be? */
static bool
shares_rows(const DpemKmeans *means, int heaviest, int k)
{
	return k == heaviest || means->weight[k] < dpem_subspace_refill_rule.empty * means->weight_noise[k];
}

/* the heaviest cluster's n centers of a normal law, the one nearest to its mean first */
static void
draw_shares(const DpemKmeans *means, int heaviest, int n, double half_width, double spread, double *center, double *wide,
			DpemWorkspace work)
{
	size_t		d = (size_t) means->d;
	DpemNormalLaw law = {.d = means->d,.mean = means->center + heaviest * d,.spread = spread};
	size_t		own;

	dpem_normal_centers(&law, n, half_width, center, wide, work);
	own = (size_t) dpem_nearest_center(n, means->d, center, law.mean, NULL);
	for (size_t j = 0; j < d; j++)
	{
		double		first = center[j];

		center[j] = center[own * d + j];
		center[own * d + j] = first;
	}
}

/* nothing is known of where it belongs */
static void
place_center(DpemKmeans *means, int k, const double *center)
{
	size_t		d = (size_t) means->d;

	memcpy(means->center + k * d, center, d * sizeof(double));
	memset(means->center_noise + k * d, 0, d * sizeof(double));
}

static void
share_weight(DpemKmeans *means, int k, double weight)
{
	means->weight[k] = weight;
	means->weight_noise[k] = 0;
}

size_t
dpem_subspace_refill_work(int k, int d)
{
	return (size_t) k * ((size_t) d + 1) + dpem_normal_centers_work(k, d);
}

void
dpem_subspace_refill(DpemKmeans *means, double half_width, bool last, double *spread, DpemWorkspace work)
{
	size_t		d = (size_t) means->d;
	int			heaviest = heaviest_cluster(means);
	double		weight = means->weight[heaviest];
	double	   *center = dpem_workspace_take(&work, means->k * d);
	double	   *wide = dpem_workspace_take(&work, (size_t) means->k);
	int			n = 0;
	size_t		next = 1;

	for (int k = 0; k < means->k; k++)
		n += shares_rows(means, heaviest, k) ? 1 : 0;
	if (n == 1 || !(weight > dpem_subspace_refill_rule.full * means->weight_noise[heaviest]))
		return;
	draw_shares(means, heaviest, n, half_width, spread[heaviest], center, wide, work);
	for (int k = 0; k < means->k; k++)
	{
		size_t		from = k == heaviest ? 0 : next;

		if (!shares_rows(means, heaviest, k))
			continue;
		next += k == heaviest ? 0 : 1;
		if (k == heaviest && last)
			continue;
		place_center(means, k, center + from * d);
		spread[k] = wide[from];
		if (!last)
			share_weight(means, k, weight / n);
	}
}
