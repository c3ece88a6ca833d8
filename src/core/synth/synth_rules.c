/*
 * synth_rules.c - see synth_rules.h and, for the schedule, synth_plan.h.
 */
#include <math.h>

#include "core/synth/synth_plan.h"
#include "core/synth/synth_rules.h"

double dpem_synth_least_count = 3;
double dpem_synth_ridge = 0.1;
double dpem_synth_ridge_one_way = 0.001;
double most_groups_c = 3;

int
dpem_synth_most_groups(int level, double rows, double pair_sd)
{
	double		groups = sqrt(fmax(rows, 0) / (most_groups_c * pair_sd)) * pow(2, 2 - level);

	return groups >= DPEM_SYNTH_SIZE ? DPEM_SYNTH_SIZE : groups < 2 ? 2 : (int) groups;
}
