/*
 * nearby_step.c - see nearby_step.h.
 */
#include <math.h>

#include "core/kmeans/nearby_step.h"

#define LEAST_DEVIATIONS 3		/* counts below this many noise deviations move nothing */

/* how much of a step to believe */
static double
believed_share(const double *step, const double *noise, int d)
{
	double		length = 0;
	double		variance = 0;

	for (int j = 0; j < d; j++)
	{
		length += step[j] * step[j];
		variance += noise[j] * noise[j];
	}
	return variance < length ? 1 - variance / length : variance > 0 ? 0 : 1;
}

static void
move_centre(const DpemNoisyMoments *m, const double *record, double reach, int d, double *centre,
			double *centre_noise, double *step, double *noise)
{
	double		share;

	if (!(record[0] > 0) || record[0] < LEAST_DEVIATIONS * m->count_sd)
		return;
	for (int j = 0; j < d; j++)
	{
		double		mean = record[1 + j] / record[0];

		step[j] = reach * mean;
		noise[j] = reach * hypot(m->sum_sd, mean * m->count_sd) / record[0];
	}
	share = believed_share(step, noise, d);
	for (int j = 0; j < d; j++)
	{
		centre[j] += share * step[j];
		centre_noise[j] = hypot((1 - share) * centre_noise[j], share * noise[j]);
	}
}

/*
 * What was counted about the centres, and nothing of what they were found by:
 * weights that a maximum was chosen from are too large.
 */
static void
count_shares(const DpemNoisyMoments *m, DpemKmeans *fit)
{
	size_t		record = 1 + (size_t) fit->d;
	double		rows = 0;

	for (int k = 0; k < fit->k; k++)
		rows += fmax(m->value[k * record], 0);
	for (int k = 0; k < fit->k && rows > 0; k++)
	{
		double		w = fmax(m->value[k * record], 0) / rows;

		fit->weight[k] = w;		/* its error: (e_k - w sum of all e) / rows */
		fit->weight_noise[k] = m->count_sd / rows * sqrt((1 - w) * (1 - w) + (fit->k - 1) * w * w);
	}
}

void
dpem_nearby_step(const DpemNoisyMoments *released, const double *reach, DpemKmeans *fit,
				 DpemWorkspace work)
{
	size_t		d = (size_t) fit->d;
	double	   *step = dpem_workspace_take(&work, d);
	double	   *noise = dpem_workspace_take(&work, d);

	for (size_t k = 0; k < (size_t) fit->k; k++)
		move_centre(released, released->value + k * (1 + d), reach[k], fit->d, fit->centre + k * d,
					fit->centre_noise + k * d, step, noise);
	count_shares(released, fit);
}
