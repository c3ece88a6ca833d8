/*
 * kmeans_rules.c - choices of a k-means fit from public quantities.
 */
#include <math.h>

#include "core/kmeans/evolution.h"
#include "core/kmeans/kmeans_estimate.h"
#include "core/kmeans/nearby_step.h"
#include "core/kmeans/subspace.h"
#include "core/kmeans/zoom.h"

#define FEWEST_PASSES	2
#define MOST_PASSES		10
#define USUAL_PASSES	5		/* of an unknown number of rows */

/*
 * Of a fit from a start in a subspace (subspace.h), chosen by simulation of the fits of
 * test/bench/utility_kmeans.pl: no other spare axis, box, factor of cells or weight
 * that was tried made the geometric mean of the losses less by more than 3 %.
 */
#define SPARE_AXES		2		/* beyond those that tell 2^axes clusters apart */
#define FEWEST_AXES		2
#define FEWEST_PARTS	4.0		/* of an axis, about: where there are not as many cells, axes are given up */
#define BOX_OF_FEW		3.0		/* half the box, in standard deviations along an axis: */
#define BOX_OF_MANY		2.2		/* ... where parts are few */
#define FEW_AXES		4
#define MOST_CENTER_NOISE 0.4	/* of the rows, in radii of a ball: few5 at epsilon 0.2; 0.3 is as good on 21 tables of R of up to 2,500 rows, 0.2 and 0.6 are worse */
#define NEARER			0.3		/* of a radius: narrow12; from no nearer, two looks are one of less noise */
#define LEAST_RESOLUTION 3		/* of the mean squared distance, in deviations of its noise: with 2, 24 tables of R in domains 1.5, 20 and 200 times as wide are worse or alike */
#define NARROW_NOISE	0.5		/* in the center, over the rows' spread: of 0.25 to 1, by the same tables */
#define CELLS_FACTOR	0.4		/* of rows over noise, as in grid.h */
#define CELLS_PER_CENTER 8
#define MOST_CELLS		65536
#define SPARE_CENTERS	2		/* times as many as clusters, and as many more */
#define SPARE_NOISE		0.05	/* squared, in a center, over the cluster's spread, that spare centers may have */
#define USUAL_REACH		DPEM_SUBSPACE_REACH
#define LARGEST_REACH	8.0
#define REACH_NOISE		0.04	/* in a center, over the cluster's spread, that a longer reach may cost */
#define PASS_NOISE		0.01	/* squared, in a center, over the cluster's spread, of the last of many passes */
#define FEWEST_SUBSPACE_PASSES 3
#define MOST_SUBSPACE_PASSES 10	/* of 8 to 30: more are better for uniform10, and worse for few5 at epsilon 1 */
#define FURTHER			0.9		/* uniform10, of 0 to 1.3; from 1 on steps need not lead anywhere */
#define FURTHER_NOISE	0.06	/* in a center, over the cluster's spread, above which steps overshoot by it: few5 at epsilon 1 */
#define OPEN_PASSES		30		/* without noise: until nothing moves, nearly always */
#define USUAL_ROWS		10000	/* where their number is not public */
#define NEARBY_COUNT	0.5		/* weights beside sums of 1 */
#define NEARBY_NORM		0.25

/*
 * Of grids within grids (zoom.h), chosen by narrow3 and bank2 of the same bench: a smaller share
 * within, or larger blocks, lose the tails of bank2 where noise is large, a larger one narrow3.  A rarer chance for all rows makes the losses of
 * 102 tables of R of two or three columns 4 % larger at epsilon 1; for nearly all rows it only finds narrow ones beside a cell of noise.
 * Grids are dim below 100 deviations by blobs of two and three columns in domains 1.5 and 20 times as wide, four and eight clusters: 200
 * is no better, and loses rows far out of tables of R with 20 centers; in more of the
 * domain than two parts of four of three axes such tables lose a tenth.  A grid is not looked at once below 20 deviations by 24 tables of R in domains
 * 1.5, 20 and 200 times as wide, and 16 others with 40, which loses more of those 20 times as wide.  Noise beside few rows is taken off in
 * up to as many as make a grid dim: without it rows in a two-hundredth of three axes are lost in half of the fits.  Of two cells that share a side
 * rows have a mean square of 3 variances between them, and noise beside these makes it more; two clusters 14 widths apart, taken for one heap, had 0.09 of one
 * center's loss in place of 0.007.
 */
const DpemZoomRule dpem_zoom_rule = {.chance = 0.01,.deviations = 2,.least_within = 0.8,.rare_chance = 1e-5,.nearly_all = 0.9,.narrow = 0.13,.dim = 100,.few = 20,.apart = 5.4};

/*
 * Of centers that are short of their rows, chosen by far6 of the same bench, with vehicle and txhousing of R beside it: 0.5 to
 * 0.75 and one or two deviations, or reaches twice as long, are alike but for noise; without, far6 has ten times the loss at
 * epsilon 1.
 */
const DpemBeyondRule dpem_subspace_beyond = {.shift = 0.6,.deviations = 1};

/* Of centers without rows (subspace.h), chosen by 19 tables of R in domains 1.5 and 20 times as wide as the data: 2.5 deviations take rows from clusters */
const DpemRefillRule dpem_subspace_refill_rule = {.empty = 1,.full = 3};

/*
 * Of looks at all rows together (nearby_step.h), chosen by simulation on 27 tables of R of up to 2,500 rows, in domains 1.5, 20 and 300
 * times as wide as the data: balls of 1 root mean square distance lose the rows, of 1.5 and 2.5 have more noise; with 4
 * looks narrow rows in wide domains are not found, and more than 8 are no better; little noise of 0.012 keeps balls too wide for these.
 */
const DpemTotalRule dpem_total_rule = {.reach = 1.3,.little_noise = 0.005,.supposed = 2,.least_share = 0.1,.looks = 8};

/*
 * Of private evolution (evolution.h), chosen by k4_d16, k16_d16, k64_d64, few5 and unequal12 of the
 * same bench, and S1: of 3, 4, 6 and 10 rounds, steps from 0.4 to 0.9 and 1.5 to 10 for votes.
 */
const int	dpem_evolution_rounds = 4;
const double dpem_evolution_step = 0.6;
#define LEAST_VOTES		2.0		/* of a candidate, in deviations of the noise, if all had equally many */
#define LEAST_CANDIDATES 8		/* for each cluster */
#define MOST_CANDIDATES	2000

/*
 * Of where rows are before Lloyd's passes, as dp_pca_fit finds its ball: 10 % of the squared mu for margins, or as much more
 * as brings their noise down to 2 % of the rows in a bin of the first level, and 5 % for the ball.  The others were chosen by narrow
 * and unequal clusters, Shuttle and letters in domains of 1 to 15,000 times their width (`joint` of test/bench/utility_kmeans.pl
 * with WIDER).
 */
#define MARGINS_SHARE	0.1
#define MARGINS_MOST	0.3
#define MARGINS_CLEAR	0.02
#define NORMS_FACTOR	0.008	/* noise in the mean squared distance of up to a quarter of what margins show of it */
#define CLUSTERS_FACTOR	0.2		/* squared noise in a center of a hundredth of the mean squared distance; of one cluster 0.002 */
#define START_POWER		0.75	/* of a bin's share: 1 and 0.5 leave more starts where no rows are */
#define HIDDEN_NOISE	0.04	/* in the middle of all rows, in the domain's radii: of 0.02 to 0.4, by two groups, k = 4 and 20, 8 to 10 tables of R */
#define WIDE_DISTANCE	0.13	/* of the domain's radius: rare clusters (far6) are lost by starts where rows are dense */

/* |c| of a center in the unit ball that weights are chosen for */
#define TYPICAL_NORM	0.5

/*
 * With weights a and b for counts and sums and sensitivity D, the noise in a
 * center c is D^2 (d / b^2 + |c|^2 / a^2) / n^2 in all.  add_remove has D^2 =
 * a^2 + b^2, so a^2 / b^2 = |c| / sqrt(d) is best.  replace_one has D^2 = 4 b^2
 * for all a <= b: counts of weight b are free, and heavier ones never pay.
 */
void
dpem_kmeans_weights(int d, bool replace_one, double *count, double *sum)
{
	*sum = 1;
	*count = replace_one ? 1 : sqrt(TYPICAL_NORM / sqrt((double) d));
}

const double dpem_lloyd_ball_share = 0.05;

bool
dpem_lloyd_hides(int d, double rows, double sum_sd)
{
	return sqrt((double) d) * sum_sd > HIDDEN_NOISE * rows;
}

bool
dpem_lloyd_starts_anywhere(double distance, double radius)
{
	return distance >= WIDE_DISTANCE * radius;
}

double
dpem_lloyd_place(int bins, const double *p, double u)
{
	double		target = 0;
	double		below = 0;		/* the bin */
	double		mass = 0;
	int			bin = 0;

	for (int b = 0; b < bins; b++)
		target += pow(p[b], START_POWER) * (1 + u) / 2;
	for (int b = 0; b < bins; b++)
	{
		if (!(p[b] > 0) || (mass > 0 && below + mass >= target))
			continue;
		below += mass;
		mass = pow(p[b], START_POWER);
		bin = b;
	}
	return (bin + (mass > 0 ? fmin((target - below) / mass, 1) : 0.5)) * 2 / bins - 1;
}

double
dpem_lloyd_margins_share(double noise)
{
	double		times = noise / MARGINS_CLEAR;

	return fmin(fmax(MARGINS_SHARE * times * times, MARGINS_SHARE), MARGINS_MOST);
}

double
dpem_lloyd_norms_noise(double rows, double second_sd)
{
	return NORMS_FACTOR * second_sd / rows;
}

double
dpem_lloyd_ball_noise(int k, int d, double rows, double sum_sd)
{
	return d * pow(sum_sd * k, 2) / rows * (k > 1 ? CLUSTERS_FACTOR : 1);
}

/*
 * A cluster of rows / k has noise sqrt(d) sum_sd k / rows in its center, and
 * centers stand about k^(-1/d) apart.  More passes converge further and are
 * noisier each: the fifth root of the squared ratio did best on real data.
 */
int
dpem_kmeans_iterations(int k, int d, double rows, double sum_sd)
{
	double		noise = sqrt((double) d) * sum_sd * k / rows;
	double		passes = pow(pow(k, -1.0 / d) / noise, 0.4);

	if (k == 1)
		return 1;
	if (!(rows > 0))
		return USUAL_PASSES;
	if (!(passes > FEWEST_PASSES))
		return FEWEST_PASSES;
	return passes < MOST_PASSES ? (int) lrint(passes) : MOST_PASSES;
}

int
dpem_subspace_axes(int k, int d, double rows, double sd)
{
	double		bearable = 2 * log(fmax(CELLS_FACTOR * rows / sd, 1)) / log(FEWEST_PARTS) - 2;
	int			axes = SPARE_AXES;

	for (int clusters = 1; clusters < k; clusters *= 2)
		axes++;
	axes = axes < DPEM_CELLS_MAX_AXES ? axes : DPEM_CELLS_MAX_AXES;
	/* (CELLS_FACTOR rows / sd)^(2 / (axes + 2)) parts of each */
	if (sd > 0 && bearable < axes)
		axes = (int) fmax(bearable, FEWEST_AXES);
	return axes < d ? axes : d;
}

bool
dpem_subspace_blind(double center_noise)
{
	return center_noise > MOST_CENTER_NOISE;
}

bool
dpem_subspace_narrow(double resolution)
{
	return resolution < LEAST_RESOLUTION;
}

bool
dpem_subspace_hides(double center_noise, double spread)
{
	return center_noise > NARROW_NOISE * spread;
}

bool
dpem_subspace_nearer(double radius, double suggested)
{
	return suggested <= NEARER * radius;
}

double
dpem_subspace_half(int axes, double variance, double noise)
{
	return fmin((axes <= FEW_AXES ? BOX_OF_FEW : BOX_OF_MANY) * sqrt(fmax(variance, noise)), 1);
}

double
dpem_subspace_cells(int axes, int centers, double rows, double sd)
{
	double		least = fmin((double) CELLS_PER_CENTER * centers, MOST_CELLS);

	if (!(sd > 0))
		return MOST_CELLS;
	return fmin(fmax(pow(fmax(CELLS_FACTOR * rows / sd, 0), 2.0 * axes / (axes + 2)), least), MOST_CELLS);
}

/* noise sqrt(d) R sum_sd / n in a center of n = rows / k rows that are R apart, over their spread R / USUAL_REACH */
static double
center_noise(double centers, int d, double rows, double sum_sd)
{
	return USUAL_REACH * sqrt((double) d) * sum_sd * centers / rows;
}

int
dpem_subspace_passes(int k, int d, double rows, double sum_sd)
{
	double		noise = center_noise(k, d, rows > 0 ? rows : USUAL_ROWS, sum_sd);
	double		passes = PASS_NOISE / (noise * noise);

	if (!(sum_sd > 0))
		return OPEN_PASSES;
	if (!(passes > FEWEST_SUBSPACE_PASSES))
		return FEWEST_SUBSPACE_PASSES;
	return passes < MOST_SUBSPACE_PASSES ? (int) passes : MOST_SUBSPACE_PASSES;
}

double
dpem_subspace_further(int pass, int passes, double rows, int d, double sum_sd)
{
	double		noise = center_noise(1, d, fmax(rows, 1), sum_sd);

	return noise <= FURTHER_NOISE && pass > 1 && pass < passes ? FURTHER : 0;
}

int
dpem_subspace_centers(int k, int d, double rows, double sum_sd)
{
	int			most = SPARE_CENTERS * (k + 1);
	double		bearable = sqrt(SPARE_NOISE) / center_noise(1, d, fmax(rows, 1), sum_sd);

	if (k == 1 || bearable < k)
		return k;
	return bearable < most ? (int) bearable : most;
}

double
dpem_subspace_reach(double spread, double rows, int d, double sum_sd, double diameter)
{
	double		factor = REACH_NOISE * rows / (sum_sd * sqrt((double) d));

	if (!(sum_sd > 0))
		return diameter;
	factor = fmin(fmax(factor, USUAL_REACH), LARGEST_REACH);
	/* features are multiples of 2^-13 */
	return fmin(fmax(factor * spread, 0x1p-12), diameter);
}

/* replace_one has D^2 = 4 b^2 while a^2 + c^2 <= b^2 (core/accounting/sensitivity.h): counts cost nothing there */
void
dpem_subspace_weights(bool replace_one, double *count, double *sum, double *norm)
{
	*sum = 1;
	*norm = NEARBY_NORM;
	*count = replace_one ? sqrt(1 - NEARBY_NORM * NEARBY_NORM) : NEARBY_COUNT;
}

/* as above: replace_one has room for both beside sums */
void
dpem_total_weights(bool replace_one, double *count, double *sum, double *norm)
{
	*sum = 1;
	*norm = replace_one ? 0.8 : 0.4;
	*count = replace_one ? 0.6 : 0.5;
}

const int	dpem_evolution_most_candidates = MOST_CANDIDATES;

int
dpem_evolution_candidates(int k, double rows, double sd)
{
	double		least = fmin((double) LEAST_CANDIDATES * k, MOST_CANDIDATES);
	double		bearable = rows / (LEAST_VOTES * sd);

	if (!(sd > 0))
		return MOST_CANDIDATES;
	return (int) fmax(fmin(bearable, MOST_CANDIDATES), fmax(least, k));
}
