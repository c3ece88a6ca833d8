/*
 * gmm_rules.c - see gmm_rules.h.
 */
#include <math.h>

#include "core/gmm/gmm_rules.h"
#include "core/numeric/chi_square.h"
#include "core/pass/noisy_moments.h"

/*
 * One component's counts cost nothing under replace_one: two rows of the same
 * component differ in no count (docs/proofs.md, 4).
 */
const DpemGmmWeights dpem_gmm_weights[3] = {
	{1, 1, 1},					/* center */
	{1, 0.5, 1},				/* whitening */
	{0.35, 0.6, 1}				/* mixture */
};

/*
 * test/bench/utility_gmm.pl: a first look at the whole box's squared norms and two at
 * single axes find domains that are a hundred times too wide.  Where there is
 * nothing but noise for components, means and scales need more.
 */
const DpemGmmSchedule dpem_gmm_schedules[DPEM_GMM_METHODS] = {
	[DPEM_GMM_PASSES] = {3, {0.08, 0.25, 0.67}},
	[DPEM_GMM_CELLS] = {3, {0.08, 0.12, 0.80}},
	[DPEM_GMM_TOTAL] = {2, {0.30, 0.30, 0.40}}
};

/* the same bench: columns that are narrow in their domains are found where squares drown in the wide ones'; the total's: 102 tables at epsilon .1 and .5 */
const DpemGmmSchedule dpem_gmm_margin_schedules[DPEM_GMM_METHODS] = {
	[DPEM_GMM_PASSES] = {1, {0.15, 0.20, 0.65}},
	[DPEM_GMM_CELLS] = {1, {0.10, 0.12, 0.78}},
	[DPEM_GMM_TOTAL] = {1, {0.33, 0.34, 0.33}}
};

/*
 * Inputs of the rules below: k, d, shape and noise are public facts, `rows` is
 * the public number of rows or, once one was released, the released one, and
 * `lost` is made of released numbers.  HOPELESS, CELLS_*: utility_gmm.pl; HOPELESS_BLIND, ASKED: 43 tables of four to
 * twenty columns, passes beside the total, each at the epsilon that gives noise of .7 to .9; ALONE: 77 tables at epsilon .1
 * and .5; LOST_NOISE, LOST_MOST: the same tables, zeros_and_tails in utility_gmm.pl, and near_constant there for one
 * component; CELLS_BLUR, CELLS_DROWN: 66 tables of two and three columns, four components beside one; CELLS_SEED,
 * CELLS_APART: 24 tables of make_blobs at epsilon .5, 1 and 4 (0.05 to 0.5), 81 tables of R's packages and adult in
 * utility_gmm.pl (nearly all beyond 0.5); PROBE_NOISE, PROBE_CELLS: 22 tables of make_blobs at epsilon .1 to .8, and all of R's packages
 * that it concerns, which have no such clusters; CLIP_QUANTILE: 100
 * clusters in the plane in utility_gmm.pl; REFINE_NOISE: 240 tables of four to 25 columns at epsilon .5, 1 and 4; REFINE_MORE,
 * REFINE_AFTER: 13 of these at epsilon 1 and 4; the others: paper.pl.
 */
#define HOPELESS		1.0		/* relative noise from which on components are not told apart, */
#define HOPELESS_BLIND	0.7		/* passes' where the rows cannot be asked whether they were, */
#define ASKED			0.15	/* as the comparison has more noise than this, nats; */
#define ALONE			0.25	/* and from which on one is better found by a single release, with more for the stages before it */
#define CELLS_BLUR		0.004	/* noise in a cell's count, in parts of the rows, from which on margins are worth more, */
#define CELLS_DROWN		0.010	/* and components are worse than one */
#define CELLS_SEED		0.03	/* noise in a cell's count, in parts of a component's rows, up to which cells are counted for a start of passes */
#define CELLS_APART		0.5		/* variance within components in cells, of pieces of a single normal 1.3 to 1.6, below which passes start from them */
#define PROBE_NOISE		3.0		/* relative noise up to which clusters that cells show to be apart are found although components are not told apart otherwise, */
#define PROBE_CELLS		0.06	/* and noise in a cell's count, in parts of a component's rows */
#define CELLS_FACTOR	4.0		/* cells: (4 rows / sd)^(2d / (d + 2)) */
#define CELLS_LEAST		8		/* but so many for each component */
#define CELLS_MOST		16384
#define CELLS_PARTS		2e6		/* nor more cells times components */
#define CLIP_QUANTILE	0.92
#define CLIP_NOISE		1.0		/* relative noise beyond which the quantile does not count */
#define LOCATED			1.25	/* clip of rows in a frame from margins, in sqrt(d) */
#define LOCATED_MOST	1.75
#define LOCATED_AIM		0.1		/* relative noise up to which it is opened */
#define AGAIN			3.0		/* relative noise from which on whitening is one look */
#define CLIP			1.3		/* tightest clip of whitened rows, in sqrt(d) */
#define CLIP_MOST		4.0
#define NOISE_AIM		0.01	/* relative noise up to which the clip is opened */
#define LOST_FACTOR		2.0		/* and up to this times the variance that was cut off, */
#define LOST_NOISE		0.2		/* of several components with more noise than this the more the more there is, */
#define LOST_MOST		4.0		/* up to this: they may end up equal, and have the total of clipped rows */
#define REFINE_NOISE	1.0		/* relative noise of all passes in components' own frames beyond which there are none */
#define REFINE_AFTER	0.4		/* of the passes that there would be otherwise come before those in components' own frames, */
#define REFINE_MORE		1.6		/* and there are so many times as many, up to the most: they average noise, which is little there */
#define PASSES_FACTOR	5.0
#define MARGINS_NOISE	0.1		/* relative noise in a bin of margins beyond which they say nothing */
#define MARGINS_HINT	2.0		/* and beyond which they do not even tell a density where a column is rather than not */
#define NEGLIGIBLE		0.05	/* relative noise that needs no averaging */
#define LEAST_PASSES	4
#define MOST_PASSES		40

bool
dpem_gmm_margins_tell(double noise)
{
	return noise < MARGINS_NOISE;
}

bool
dpem_gmm_margins_hint(double noise)
{
	return noise < MARGINS_HINT;
}

double
dpem_gmm_relative_noise(const DpemGmmPrediction *p, double clip)
{
	double		share = p->k / dpem_supposed_rows(p->rows);
	double		of_mean = p->sum_sd * share * clip * sqrt(p->d);
	double		entries = p->shape == DPEM_SECOND_FULL ? sqrt(2.0 * p->d)
		: p->shape == DPEM_SECOND_DIAGONAL ? 1 : 1.0 / p->d;
	double		of_covariance = p->second_sd * share * clip * clip * p->d * entries;

	return fmax(of_mean, of_covariance);
}

bool
dpem_gmm_hopeless(const DpemGmmPrediction *p, double compared)
{
	return dpem_gmm_relative_noise(p, CLIP) > (compared > ASKED ? HOPELESS_BLIND : HOPELESS);
}

DpemGmmMethod
dpem_gmm_method(const DpemGmmPrediction *p, bool cells, double compared)
{
	bool		in_cells = cells && p->k > 1 && p->d <= DPEM_GMM_CELLS_MAX_D;

	if (p->k == 1 ? dpem_gmm_relative_noise(p, CLIP) > ALONE : dpem_gmm_hopeless(p, in_cells ? 0 : compared))
		return DPEM_GMM_TOTAL;
	return in_cells ? DPEM_GMM_CELLS : DPEM_GMM_PASSES;
}

bool
dpem_gmm_probes(const DpemGmmPrediction *p, double cell, double compared)
{
	return p->d > DPEM_GMM_CELLS_MAX_D && dpem_gmm_relative_noise(p, CLIP) <= PROBE_NOISE && dpem_gmm_cells_seed(cell, true) &&
		compared > 0 && compared <= DPEM_GMM_COMPARE_NOISE;
}

bool
dpem_gmm_cells_seed(double noise, bool probe)
{
	return noise <= (probe ? PROBE_CELLS : CELLS_SEED);
}

bool
dpem_gmm_cells_apart(double within)
{
	return within < CELLS_APART;
}

bool
dpem_gmm_cells_blur(double noise)
{
	return noise > CELLS_BLUR;
}

bool
dpem_gmm_cells_drown(double noise)
{
	return noise > CELLS_DROWN;
}

double
dpem_gmm_cell_width(int k, int d, double volume, double rows, double sd)
{
	double		cells = pow(CELLS_FACTOR * rows / sd, 2.0 * d / (d + 2));

	cells = fmax(fmin(cells, fmin(CELLS_MOST, CELLS_PARTS / k)), CELLS_LEAST * (double) k);
	return pow(volume / cells, 1.0 / d);
}

int
dpem_gmm_iterations(const DpemGmmPrediction *p, bool own_frames, int *first)
{
	/* components smaller than the whole are harder to tell apart */
	double		noise = dpem_gmm_relative_noise(p, CLIP) * pow(p->k, 2.0 / p->d);
	double		passes = noise > 0 ? rint(PASSES_FACTOR / sqrt(noise)) : MOST_PASSES;

	passes = fmin(fmax(passes, LEAST_PASSES), MOST_PASSES);
	*first = (int) ceil(REFINE_AFTER * passes);
	return (int) fmin(own_frames && dpem_gmm_refines(p) ? rint(REFINE_MORE * passes) : passes, MOST_PASSES);
}

double
dpem_gmm_compared_rows(int k, int d, double rows, double sd)
{
	double		most = fmax(DPEM_GMM_COMPARE_WORK / ((double) k * d * d), DPEM_GMM_COMPARE_LEAST);
	double		wanted = fmin(fmax(sd / DPEM_GMM_COMPARE_AIM, DPEM_GMM_COMPARE_ROWS), DPEM_GMM_COMPARE_MOST);

	return fmin(rows, fmin(wanted, most));
}

double
dpem_gmm_parameters(int k, int d, DpemSecondMoment shape, bool tied)
{
	double		n = d;
	double		covariance = shape == DPEM_SECOND_FULL ? n * (n + 1) / 2 : shape == DPEM_SECOND_DIAGONAL ? n : 1;

	return k * (1 + n) - 1 + (tied ? 1 : k) * covariance;
}

double
dpem_gmm_least_step(const DpemGmmPrediction *p, double radius)
{
	double		noise = dpem_gmm_relative_noise(p, radius / sqrt(p->d));

	return noise > 0 ? fmin(NEGLIGIBLE / noise, 1) : 1;
}

double
dpem_gmm_open_scale(double scale, int d, double radius)
{
	return scale * fmin(CLIP * CLIP * d / (radius * radius), 1);
}

double
dpem_gmm_located_radius(const DpemGmmPrediction *p)
{
	double		noise = dpem_gmm_relative_noise(p, LOCATED);
	double		clip = noise > 0 ? LOCATED * sqrt(fmax(LOCATED_AIM / noise, 1)) : LOCATED_MOST;

	return fmin(clip, LOCATED_MOST) * sqrt(p->d);
}

bool
dpem_gmm_whitens_again(const DpemGmmPrediction *p)
{
	return dpem_gmm_relative_noise(p, LOCATED) < AGAIN;
}

double
dpem_gmm_whitened_radius(const DpemGmmPrediction *p, double lost)
{
	double		noise = dpem_gmm_relative_noise(p, CLIP);
	double		factor = p->k > 1 ? fmin(LOST_FACTOR * fmax(noise / LOST_NOISE, 1), LOST_MOST) : LOST_FACTOR;
	double		aim = fmax(NOISE_AIM, factor * lost);
	double		clip = noise > 0 ? CLIP * sqrt(fmax(aim / noise, 1)) : CLIP_MOST;

	clip = fmin(clip, CLIP_MOST) * sqrt(p->d);
	return noise <= CLIP_NOISE ? fmax(clip, sqrt(dpem_chi_square_quantile(p->d, CLIP_QUANTILE))) : clip;
}

bool
dpem_gmm_refines(const DpemGmmPrediction *p)
{
	return p->k > 1 && dpem_gmm_relative_noise(p, dpem_gmm_refine_radius(p->d) / sqrt(p->d)) < REFINE_NOISE;
}

double
dpem_gmm_refine_radius(int d)
{
	return fmax(CLIP * sqrt(d), sqrt(dpem_chi_square_quantile(d, CLIP_QUANTILE)));
}

double
dpem_gmm_refine_ball(int d)
{
	return CLIP_MOST * sqrt(d);
}
