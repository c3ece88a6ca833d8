/*
 * gam_scale.c - how much of a number all of its columns may explain: see gam_posterior.h.
 *
 * Steps' variances are learnt slowly where noise hides them, and begin where columns explain most of what there is.
 * So all of them are, besides, times one of a few scales; the mean of these, each by the density of the releases.
 */
#include <math.h>

#include "core/gam/gam_posterior.h"
#include "core/gam/gam_rules.h"

#define NOTHING	1e-13			/* of the weight of the best */

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
