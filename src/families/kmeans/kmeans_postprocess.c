/*
 * kmeans_postprocess.c - postprocess => 'mcmc': centers from all released
 * answers of a fit (core/kmeans/kmeans_mcmc.h).
 *
 * Reads the history of releases and public facts, no row and no charge.  Its
 * random numbers are public ones, seeded by the released counts.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/shmem.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "core/kmeans/kmeans_mcmc.h"
#include "families/kmeans/kmeans_algorithms.h"
#include "server/fit_memory.h"

/* steps between two chances to cancel, and between two reports */
#define STEPS_AT_ONCE	1000
#define REPORTS			10

static DpemConsistent
make_consistent(const DpemKmeansHistory *history)
{
	DpemConsistent answers;

	dpem_consistent_place(history, dpem_fit_allocate(dpem_consistent_length(history)), &answers);
	dpem_make_consistent(history, &answers, dpem_fit_workspace((size_t) history->k));
	return answers;
}

static DpemKmeansBelief
make_belief(const DpemKmeansRun *run, const DpemConsistent *answers, DpemPublicRandom *random)
{
	const DpemKmeansHistory *history = &run->history;
	DpemKmeansBelief belief;
	DpemWorkspace work = dpem_fit_workspace(dpem_kmeans_belief_work(history->d));

	dpem_kmeans_belief_place(history, dpem_fit_allocate(dpem_kmeans_belief_length(history)), &belief);
	for (int pass = 0; pass < history->passes; pass++)
	{
		dpem_fit_report(run->fit, "consistency", pass + 1);
		dpem_kmeans_belief_pass(history, answers, pass, random, &belief, work);
	}
	dpem_kmeans_belief_weigh(history, &belief);
	return belief;
}

static void
begin_chain(DpemKmeansMcmc *chain, const DpemKmeansHistory *history, const DpemKmeansBelief *belief,
			DpemPublicRandom random, int points)
{
	Size		integers = mul_size(dpem_kmeans_mcmc_integers(history, points), sizeof(int32));

	if (!AllocSizeIsValid(integers))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the fit does not fit into memory")));
	dpem_kmeans_mcmc_begin(chain, history, belief, random, points,
						   dpem_fit_allocate(dpem_kmeans_mcmc_doubles(history, points)),
						   palloc(integers), palloc(points * sizeof(bool)));
}

static void
run_chain(const DpemKmeansRun *run, DpemKmeansMcmc *chain)
{
	int			steps = run->plan->request->postprocess_steps;
	int			done = 0;
	int			reported = 0;

	while (done < steps)
	{
		int			now = Min(STEPS_AT_ONCE, steps - done);

		if (done >= (double) reported * steps / REPORTS)
		{
			dpem_fit_report(run->fit, psprintf("mcmc, %d of %d steps done", done, steps), 0);
			reported++;
		}
		CHECK_FOR_INTERRUPTS();
		dpem_kmeans_mcmc_run(chain, now);
		done += now;
	}
}

/*
 * Centers of a rule that shrinks and averages are estimates with other errors
 * than the dataset's: halfway between the two errs less than either.  Those of
 * a plain rule are the last answers, which the dataset contains.
 */
static void
cluster(DpemKmeansRun *run, const DpemKmeansMcmc *chain)
{
	DpemKmeans *means = &run->means;
	size_t		n = (size_t) means->k * means->d;
	double		share = run->plan->rule->shrink ? 0.5 : 1;
	double	   *estimate = dpem_fit_allocate(n);

	memcpy(estimate, means->center, n * sizeof(double));
	dpem_kmeans_mcmc_cluster(chain, means->center, means->weight,
							 dpem_fit_workspace(dpem_lloyd_work(means->k, means->d)));
	for (size_t i = 0; i < n; i++)
		means->center[i] = share * means->center[i] + (1 - share) * estimate[i];
}

/* what noise is left in these centers has no simple law */
static void
forget_noise(DpemKmeans *means)
{
	for (int k = 0; k < means->k; k++)
		means->weight_noise[k] = get_float8_nan();
	for (int i = 0; i < means->k * means->d; i++)
		means->center_noise[i] = get_float8_nan();
}

static void
apply(DpemKmeansRun *run)
{
	const DpemKmeansHistory *history = &run->history;
	DpemPublicRandom random = dpem_public_seed(history->count, (size_t) history->passes * history->k);
	DpemConsistent answers = make_consistent(history);
	DpemKmeansBelief belief;
	DpemKmeansMcmc chain;

	if (!dpem_kmeans_mcmc_pays(history, &answers, run->means.center, dpem_fit_workspace((size_t) history->d)))
		return;
	belief = make_belief(run, &answers, &random);
	begin_chain(&chain, history, &belief, random, dpem_kmeans_mcmc_points(history, &answers));
	run_chain(run, &chain);
	cluster(run, &chain);
	forget_noise(&run->means);
}

void
dpem_kmeans_postprocess_mcmc(DpemKmeansRun *run)
{
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);

	apply(run);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}
