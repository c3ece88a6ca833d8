/*
 * kmeans_genetic.c - see kmeans_genetic.h.
 */
#include "postgres.h"

#include "utils/float.h"
#include "utils/memutils.h"

#include "core/kmeans/kmeans_genetic.h"
#include "families/kmeans/kmeans_algorithms.h"
#include "server/fit_memory.h"
#include "wall/release_choice.h"

#define CANDIDATES	DPEM_GENETIC_CANDIDATES
#define PARENTS		DPEM_GENETIC_PARENTS

/* theta of family scores: two numbers, then the candidates */
#define HEAD 2

static DpemChoiceSpec
choice_spec(const DpemKmeansPlan *plan)
{
	return (DpemChoiceSpec) {
		.replace_one = plan->fit.dataset->replace_one,
		.rows_per_unit = plan->fit.dataset->max_rows_per_unit
	};
}

static DpemMomentLayout
score_layout(const DpemKmeansPlan *plan)
{
	return (DpemMomentLayout) {CANDIDATES, plan->fit.d, DPEM_SECOND_NONE};
}

/* all candidates travel with the pass */
static void
check_size(const DpemKmeansPlan *plan)
{
	double		most = (double) MaxAllocSize / sizeof(double) / (CANDIDATES + PARENTS) / plan->fit.d;

	if (plan->request->k > most - 1)
		dpem_fit_bad_argument("k", psprintf("%d", plan->request->k),
							  psprintf("at most %.0f with algorithm genetic in %d coordinates",
									   Max(most - 1, 1), plan->fit.d));
}

void
dpem_kmeans_plan_genetic(DpemKmeansPlan *plan)
{
	DpemFitPlan *fit = &plan->fit;
	DpemChoiceSpec spec = choice_spec(plan);
	DpemMomentLayout layout = score_layout(plan);
	DpemCostLine cost;
	int			choices;

	check_size(plan);
	if (fit->iterations == 0)
		fit->iterations = dpem_genetic_generations(fit->public_rows, fit->request->epsilon);
	if (!fit->noisy)
		return;
	choices = (fit->iterations - 1) * PARENTS + 1;
	cost = dpem_cost_line(DPEM_COST_CHOICE, dpem_fit_pure_multiplier(fit, DPEM_COST_CHOICE, choices), choices);
	dpem_release_choice_check(&spec, &layout, cost.noise_multiplier);
	plan->noise_multiplier = cost.noise_multiplier;
	plan->line = dpem_fit_add_line(fit, "candidates", DPEM_MECHANISM_EXPONENTIAL, &cost);
}

/* the deviation is that of a choice: score differences of this size are hardly seen */
void
dpem_kmeans_forecast_genetic(const DpemKmeansPlan *plan, DpemForecast *f)
{
	DpemChoiceSpec spec = choice_spec(plan);
	double		range = dpem_release_choice_range(&spec);

	dpem_forecast_release(f, plan->line, range, range * plan->noise_multiplier);
}

/* without noise: the best, the first among equals */
static void
choose_best(const DpemNoisyMoments *scores, size_t wanted, size_t *chosen)
{
	size_t		record = dpem_moments_record(&scores->layout);

	for (size_t i = 0; i < wanted; i++)
	{
		chosen[i] = 0;
		for (size_t c = 1; c < CANDIDATES; c++)
			if (scores->value[c * record] > scores->value[chosen[i] * record])
				chosen[i] = c;
		scores->value[chosen[i] * record] = -1;
	}
}

/* one pass and its choices */
static void
choose(DpemKmeansRun *run, const double *theta, size_t wanted, size_t *chosen)
{
	const DpemKmeansPlan *plan = run->plan;
	DpemMomentLayout layout = score_layout(plan);
	DpemChoiceSpec spec = choice_spec(plan);
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	DpemRawMoments *raw = dpem_fit_scan(run->fit, &dpem_kernel_scores, &layout, theta);

	if (plan->fit.noisy)
		dpem_release_choices(run->fit->charge, plan->line, raw, &spec, wanted, chosen);
	else
		choose_best(dpem_release_to_reader(run->fit->reader, raw), wanted, chosen);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

/* a chosen candidate: its counts were not released */
static void
take_candidate(DpemKmeans *means, const double *center)
{
	memcpy(means->center, center, (size_t) means->k * means->d * sizeof(double));
	for (int i = 0; i < means->k * means->d; i++)
		means->center_noise[i] = get_float8_nan();
	for (int i = 0; i < means->k; i++)
		means->weight[i] = means->weight_noise[i] = get_float8_nan();
}

void
dpem_kmeans_run_genetic(DpemKmeansRun *run)
{
	const DpemKmeansPlan *plan = run->plan;
	size_t		n = (size_t) plan->request->k * plan->fit.d;
	double	   *theta = dpem_fit_allocate(HEAD + CANDIDATES * n);
	DpemGenetic genetic = {
		.k = plan->request->k,.d = plan->fit.d,.half_width = 1 / plan->fit.clip_norm,
		.candidate = theta + HEAD,.parent = dpem_fit_allocate(PARENTS * n)
	};
	size_t		chosen[PARENTS];

	theta[0] = genetic.k;
	theta[1] = dpem_genetic_reach(genetic.k, genetic.d, genetic.half_width);
	dpem_genetic_begin(&genetic);
	for (int generation = 1; generation < plan->fit.iterations; generation++)
	{
		dpem_fit_report(run->fit, "candidates", generation);
		choose(run, theta, PARENTS, chosen);
		dpem_genetic_breed(&genetic, chosen, generation);
	}
	dpem_fit_report(run->fit, "candidates", plan->fit.iterations);
	choose(run, theta, 1, chosen);
	take_candidate(&run->means, genetic.candidate + chosen[0] * n);
}
