/*
 * statistic_keys.c - statistics by a key whose values are not public.
 */
#include "postgres.h"

#include <math.h>

#include "core/accounting/budget_rule.h"
#include "families/statistics/minimum.h"
#include "families/statistics/statistics.h"

#define STATISTIC "keys"

/* of the call's delta; the noise has the rest */
#define FAILURE_PART 0.5

bool
dpem_statistic_is_selection(const DpemStatisticPlan *plan)
{
	return dpem_binding_has_key(plan->fit.binding) && plan->request->statistic->counts_alone;
}

/* ---- plan ---- */

static void
require_share(const DpemDataset *ds)
{
	if (ds->keys_share == 0 && dpem_accountant_has_failures(dpem_accountant_from_name(ds->accountant)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("by must be a label with categories: dataset \"%s\" has no part of its delta for private keys", ds->name),
				 errhint("Its owner sets one aside when the source is registered: dp_register_dataset(..., keys_share => 0.1).")));
}

void
dpem_statistic_plan_keys(DpemStatisticPlan *plan)
{
	const DpemDataset *ds = plan->fit.dataset;
	DpemCostLine cost;

	require_share(ds);
	plan->fit.failure = FAILURE_PART * plan->request->fit.delta;
	plan->keys = (DpemKeySpec) {plan->spec.noise, ds->replace_one, ds->max_rows_per_unit};
	cost = dpem_statistic_cost(plan, dpem_statistic_is_selection(plan) ? 1 : DPEM_STATISTIC_KEYS_SHARE);
	plan->key_law = dpem_release_keys_law(&plan->keys, cost.noise_multiplier, plan->fit.failure);
	plan->keys_line = dpem_fit_add_line(&plan->fit, STATISTIC, dpem_noise_mechanism(plan->keys.noise, DPEM_COUNTS_ALONE), &cost);
	plan->fit.charge.lines[plan->keys_line].failure = plan->fit.failure;
}

void
dpem_statistic_forecast_keys(const DpemStatisticPlan *plan, DpemForecast *f)
{
	(void) dpem_forecast_charged(f, plan->keys_line);
	dpem_forecast_row(f, "keys: units", plan->key_law.sensitivity, plan->key_law.sd);
	dpem_forecast_remark(f, "keys: threshold", plan->key_law.threshold);
	dpem_forecast_remark(f, "keys: failure", plan->fit.failure);
}

/* ---- run ---- */

typedef struct KeySize
{
	int			at;
	double		units;
} KeySize;

static int
compare_sizes(const void *a, const void *b)
{
	const KeySize *x = a;
	const KeySize *y = b;

	if (x->units != y->units)
		return x->units > y->units ? -1 : 1;
	return x->at - y->at;
}

static int
compare_places(const void *a, const void *b)
{
	return ((const KeySize *) a)->at - ((const KeySize *) b)->at;
}

/* where there are more than groups can be, those of most units; of released numbers, so at no price */
static void
keep_largest(DpemReleasedKeys *keys)
{
	KeySize    *size;

	if (keys->n <= DPEM_GROUPS_MAX)
		return;
	size = MemoryContextAllocHuge(CurrentMemoryContext, keys->n * sizeof(KeySize));
	for (int i = 0; i < keys->n; i++)
		size[i] = (KeySize) {i, keys->units[i]};
	qsort(size, keys->n, sizeof(KeySize), compare_sizes);
	qsort(size, DPEM_GROUPS_MAX, sizeof(KeySize), compare_places);
	for (int i = 0; i < DPEM_GROUPS_MAX; i++)
	{
		keys->key[i] = keys->key[size[i].at];
		keys->units[i] = size[i].units;
	}
	keys->n = DPEM_GROUPS_MAX;
	pfree(size);
}

/* the same under a minimum: a key of fewer persons is not shown, nor is anything by it */
static void
keep_minimum(DpemReleasedKeys *keys, int minimum)
{
	int			kept = 0;

	for (int i = 0; i < keys->n; i++)
	{
		if (keys->units[i] < minimum)
			continue;
		keys->key[kept] = keys->key[i];
		keys->units[kept++] = keys->units[i];
	}
	keys->n = kept;
}

static DpemStatisticValue *
count_units(const DpemReleasedKeys *keys, const DpemStatistic *statistic, const DpemStatisticPlan *plan)
{
	DpemStatisticValue *values = MemoryContextAllocHuge(CurrentMemoryContext, Max(keys->n, 1) * sizeof(DpemStatisticValue));

	for (int i = 0; i < keys->n; i++)
	{
		DpemStatisticMoments moments = {.noise = plan->spec.noise,.n = keys->units[i],.sd = {keys->sd}};

		statistic->estimate(&moments, &plan->scale, &values[i]);
	}
	return values;
}

DpemStatisticValue *
dpem_statistic_run_keys(const DpemStatisticPlan *plan, DpemFitRun *run)
{
	const DpemStatistic *statistic = plan->request->statistic;
	DpemReleasedKeys *keys;

	dpem_fit_report(run, STATISTIC, 0);
	if (plan->fit.noisy)
		keys = dpem_release_keys(run->charge, plan->keys_line, run->source, &plan->keys);
	else
		keys = dpem_release_keys_to_reader(run->reader, run->source);
	keep_minimum(keys, dpem_fit_minimum(&plan->fit));
	if (!statistic->counts_alone)
		keep_largest(keys);
	dpem_binding_know_keys(plan->fit.binding, keys->key, keys->n);
	return statistic->counts_alone ? count_units(keys, statistic, plan) : NULL;
}
