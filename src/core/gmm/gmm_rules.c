/*
 * gmm_rules.c - see gmm_rules.h.
 */
#include <math.h>

#include "core/gmm/gmm_rules.h"

/*
 * One component's counts cost nothing under replace_one: two rows of the same
 * component differ in no count (docs/proofs.md, 4).
 */
const DpemGmmWeights dpem_gmm_weights[3] = {
	{1, 1, 1},					/* centre */
	{1, 0.5, 1},				/* whitening */
	{0.35, 0.6, 1}				/* mixture */
};

const double dpem_gmm_budget_shares[3] = {0.05, 0.25, 0.70};

#define ROWS_UNKNOWN	10000	/* assumed where the number of rows is private */
#define CLIP			1.3		/* tightest clip of whitened rows, in sqrt(d) */
#define CLIP_MOST		4.0
#define NOISE_AIM		0.01	/* relative noise up to which the clip is opened */
#define LOST_FACTOR		2.0		/* and up to this times the variance that was cut off */
#define PASSES_FACTOR	5.0
#define NEGLIGIBLE		0.05	/* relative noise that needs no averaging */
#define LEAST_PASSES	4
#define MOST_PASSES		40

double
dpem_gmm_relative_noise(const DpemGmmPrediction *p, double clip)
{
	double		share = p->k / (p->rows > 0 ? p->rows : ROWS_UNKNOWN);
	double		of_mean = p->sum_sd * share * clip * sqrt(p->d);
	double		entries = p->shape == DPEM_SECOND_FULL ? sqrt(2.0 * p->d)
		: p->shape == DPEM_SECOND_DIAGONAL ? 1 : 1.0 / p->d;
	double		of_covariance = p->second_sd * share * clip * clip * p->d * entries;

	return fmax(of_mean, of_covariance);
}

int
dpem_gmm_iterations(const DpemGmmPrediction *p)
{
	/* components smaller than the whole are harder to tell apart */
	double		noise = dpem_gmm_relative_noise(p, CLIP) * pow(p->k, 2.0 / p->d);
	double		passes = noise > 0 ? rint(PASSES_FACTOR / sqrt(noise)) : MOST_PASSES;

	return (int) fmin(fmax(passes, LEAST_PASSES), MOST_PASSES);
}

double
dpem_gmm_least_step(const DpemGmmPrediction *p, double radius)
{
	double		noise = dpem_gmm_relative_noise(p, radius / sqrt(p->d));

	return noise > 0 ? fmin(NEGLIGIBLE / noise, 1) : 1;
}

double
dpem_gmm_whitened_radius(const DpemGmmPrediction *p, double lost)
{
	double		noise = dpem_gmm_relative_noise(p, CLIP);
	double		aim = fmax(NOISE_AIM, LOST_FACTOR * lost);
	double		clip = noise > 0 ? CLIP * sqrt(fmax(aim / noise, 1)) : CLIP_MOST;

	return fmin(clip, CLIP_MOST) * sqrt(p->d);
}
