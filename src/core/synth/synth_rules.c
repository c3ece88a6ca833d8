/*
 * synth_rules.c - see synth_rules.h and, for the schedule, synth_plan.h.
 */
#include <math.h>

#include "core/synth/synth_plan.h"
#include "core/synth/synth_rules.h"

#include <stdlib.h>
static double
par(const char *name, double otherwise)
{
	const char *text = getenv(name);

	return text != NULL ? atof(text) : otherwise;
}

double dpem_synth_least_count = 3;
double dpem_synth_interval_price = 6;
double dpem_synth_ridge = 0.1;
double dpem_synth_ridge_one_way = 0.001;
double most_groups_c = 3;

int
dpem_synth_most_groups(int level, double rows, double pair_sd)
{
	double		groups = sqrt(fmax(rows, 0) / (most_groups_c * pair_sd)) * pow(2, 2 - level);

	if (level == 1) groups = fmax(rows, 2) / (par("G1", 0) * pair_sd + 1);
	return groups >= DPEM_SYNTH_SIZE ? DPEM_SYNTH_SIZE : groups < 2 ? 2 : (int) groups;
}

DpemStatus
dpem_synth_schedule(const DpemSynthDomain *domain, double rows, double mu, int rounds, DpemSynthSchedule *schedule)
{
	double one = par("ONE", 0.1), choice = par("CHOICE", 0.1);
	int n;

	dpem_synth_ridge = par("RIDGE", 0.1);
	dpem_synth_ridge_one_way = par("RIDGE1", 0.001);
	most_groups_c = par("GROUPS", 3);
	dpem_synth_interval_price = par("PRICE", 6);
	dpem_synth_least_count = par("LEAST", 3);
	schedule->rounds = rounds > 0 ? rounds : 50;
	schedule->each = par("EACH", 1);
	n = schedule->rounds * schedule->each;
	schedule->one_way = 1 / sqrt(one);
	schedule->choice = 0.627 / sqrt(choice / n);
	schedule->measure = 1 / sqrt((1 - one - choice) / n);
	schedule->iterations = par("ITER", 30);
	schedule->last_iterations = par("LAST", 300);
	schedule->cells = par("CELLS", 1 << 18);
	return DPEM_OK;
}

double
dpem_synth_limit(const DpemSynthSchedule *schedule, int r)
{
	return schedule->cells * (par("LIMIT0", 0.1) + (1 - par("LIMIT0", 0.1)) * (r + 1) / schedule->rounds);
}
