/*
 * online_learner.c - see online_learner.h.
 */
#include <math.h>
#include <string.h>

#include "core/online/online_learner.h"
#include "core/online/online_rules.h"

static DpemOnlineLearner
take(int d, DpemWorkspace *work)
{
	DpemOnlineLearner learner = {.d = d};

	learner.square = dpem_workspace_take(work, d);
	learner.largest = dpem_workspace_take(work, d);
	learner.at = dpem_workspace_take(work, d);
	learner.noise = dpem_workspace_take(work, d);
	learner.mean = dpem_workspace_take(work, d);
	learner.mean_noise = dpem_workspace_take(work, d);
	learner.factor = dpem_workspace_take(work, d);
	return learner;
}

size_t
dpem_online_work(int d)
{
	DpemWorkspace dry = {NULL, NULL};

	take(d, &dry);
	return dpem_workspace_taken(&dry) + dpem_tree_sums_work(d);
}

DpemOnlineLearner
dpem_online_create(int d, double reach, int batches, DpemWorkspace *work)
{
	DpemOnlineLearner learner = take(d, work);

	memset(learner.square, 0, d * sizeof(double));
	memset(learner.largest, 0, d * sizeof(double));
	memset(learner.at, 0, d * sizeof(double));
	memset(learner.noise, 0, d * sizeof(double));
	memset(learner.mean, 0, d * sizeof(double));
	memset(learner.mean_noise, 0, d * sizeof(double));
	learner.reach = reach;
	learner.left_out = dpem_online_left_out(batches);
	learner.sums = dpem_tree_sums_create(d, work);
	return learner;
}

/* one more, of which the factors make parameters */
static void
average(DpemOnlineLearner *learner, double sd)
{
	double		batches = learner->sums.batch - learner->left_out;

	if (batches <= 0)
		return;
	dpem_tree_sums_weigh(&learner->sums, learner->factor);
	for (int j = 0; j < learner->d; j++)
	{
		learner->mean[j] += (learner->at[j] - learner->mean[j]) / batches;
		learner->mean_noise[j] = sd * sqrt(fmax(learner->sums.spread[j], 0)) / batches;
	}
}

void
dpem_online_take(DpemOnlineLearner *learner, const double *const *ended, double sd)
{
	double		variance;

	dpem_tree_sums_add(&learner->sums, ended);
	variance = dpem_tree_sums_total(&learner->sums, learner->at);
	for (int j = 0; j < learner->d; j++)
	{
		double		square = ended[0][j] * ended[0][j];
		double		weight;

		learner->square[j] += square;
		learner->largest[j] = fmax(learner->largest[j], square);
		weight = sqrt(learner->square[j] + dpem_online_spare * learner->largest[j]);
		learner->factor[j] = weight > 0 ? learner->reach / weight : 0;
		learner->at[j] *= learner->factor[j];
		learner->noise[j] = learner->factor[j] * sd * sqrt(variance);
	}
	average(learner, sd);
}
