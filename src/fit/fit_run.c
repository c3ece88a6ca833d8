/*
 * fit_run.c - charge, scan, release: the part of a run that all families share.
 *
 * The charge is committed before the first row is read; from then on control flow depends on the plan and released numbers only.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "fit/fit.h"
#include "fit/progress.h"

/* rows that count are few where they are less than this part of the table's, by so many deviations of the noise (1e-9) */
#define FEW_ROWS		0.5
#define FEW_DEVIATIONS	6

#define FITS_WITH_NULLS	"dp_mixture_fit and dp_bayes_fit count rows that have some, as do missing => 'marginal' of mixtures and factor models and 'impute' of regressions."

static bool show_progress = false, warn_of_noise = true;

void
dpem_fit_init(void)
{
	DefineCustomBoolVariable("dpem.progress",
							 "Report each pass of a fit as it starts.",
							 NULL, &show_progress, false, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("dpem.noise_warnings",
							 "Say where released numbers show that a fit is made of noise, or of few of the table's rows.",
							 NULL, &warn_of_noise, true, PGC_USERSET, 0, NULL, NULL, NULL);
}

bool
dpem_fit_tells(void)
{
	return warn_of_noise;
}

/* passes that are not released one by one: gradient steps, or batches */
static int
count_steps(const DpemFitPlan *plan, bool batches)
{
	int			steps = 0;

	for (int i = 0; i < plan->stages; i++)
	{
		const DpemFitStage *stage = &plan->stage[i];

		if (stage->line >= 0)
			steps += batches ? stage->batches : dpem_release_own_passes(&stage->spec);
	}
	return steps;
}

/* at most, over all rows */
static int
count_passes(const DpemFitPlan *plan)
{
	int			releases = plan->noisy ? 0 : plan->iterations;

	if (plan->one_pass)
		return 1;
	for (int i = 0; i < plan->charge.nlines; i++)
		releases += plan->charge.lines[i].releases;
	releases += count_steps(plan, false) + count_steps(plan, true);
	/* plans that share a charge have a release each */
	return plan->sample.sampling == DPEM_SAMPLING_NONE && plan->shared == NULL ? releases : 0;
}

static void
open_sources(DpemFitRun *run)
{
	const DpemFitPlan *plan = run->plan;

	run->source = dpem_source_open(plan->binding, run->reader, NULL);
	if (plan->noisy)
		dpem_source_require_rights(run->source);
	if (plan->brings_model)
		dpem_source_require_trust(run->source);
	if (dpem_fit_is_sampled(plan))
		run->sampled_source = dpem_source_open(plan->binding, run->reader, &plan->sample);
	/* reading rows once is worth their keeping where all are read more than once */
	if (count_passes(plan) > 1)
		dpem_source_keep_rows(run->source, plan->binding, plan->noisy ? Max(plan->d, plan->features) : 0, plan->codes, count_passes(plan));
}

/* what steps have come to stands in no query; which rows of a unit are in batches is chosen once */
static void
require_kept_rows(const DpemFitRun *run)
{
	bool		steps = count_steps(run->plan, false) > 0;

	if ((steps || count_steps(run->plan, true) > 0) && !dpem_source_keeps_rows(run->source))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("this algorithm goes over rows that are kept, and the source's are not"),
				 steps ? errdetail("Between its passes are numbers without noise, which no query may contain.")
				 : errdetail("Which rows are in a batch must stay the same until the last one."),
				 errhint("Set dpem.resident_memory above 0, and read no tables of other servers; or leave out the algorithm.")));
}

void
dpem_fit_require_open(const DpemFitPlan *plan)
{
	DpemFitRun	run = {.plan = plan};

	open_sources(&run);
	require_kept_rows(&run);
	dpem_dataset_require_committed(plan->dataset);
	dpem_source_close(run.source);
}

static DpemCharge *
pay(const DpemFitPlan *plan, const DpemChargeRequest *request)
{
	DpemCharge *charge;

	if (plan->shared != NULL && *plan->shared != NULL)
		return *plan->shared;
	dpem_dataset_require_committed(plan->dataset);
	charge = dpem_charge_commit(request);
	if (plan->shared != NULL)
		*plan->shared = charge;
	return charge;
}

void
dpem_fit_begin(DpemFitRun *run, const DpemFitPlan *plan)
{
	DpemChargeRequest charge = plan->charge;

	charge.stores = !plan->request->answers;
	charge.rows_per_unit = plan->dataset->max_rows_per_unit;
	run->plan = plan;
	dpem_progress_begin(plan->dataset->name, plan->dataset->source, plan->request->function, plan->iterations);
	if (plan->noisy)
	{
		charge.part = dpem_fit_require_cost(plan);
		open_sources(run);
		require_kept_rows(run);
		run->charge = pay(plan, &charge);
		if (plan->paid != NULL)
			*plan->paid = dpem_charge_number(run->charge);
	}
	else
	{
		run->reader = dpem_source_require_reader(plan->binding);
		open_sources(run);
	}
	run->per_pass = AllocSetContextCreate(CurrentMemoryContext, "dpem pass", ALLOCSET_DEFAULT_SIZES);
	dpem_source_describe(run->source, &run->pass);
	run->pass.map.imputed = plan->request->bind.imputed ? run->pass.unknown : 0;
	run->pass.map.radius = plan->clip_norm;
	run->pass.map.bits = plan->noisy ? DPEM_FEATURE_BITS : 0;
	run->pass.responsibility_bits = plan->noisy ? DPEM_RESPONSIBILITY_BITS : 0;
	run->part = palloc0(plan->groups * sizeof(DpemPassPart));
	run->signal = palloc0(plan->groups * sizeof(DpemSignal));
	for (int g = 0; g < plan->groups; g++)
		run->part[g].radius = plan->clip_norm;
}

void
dpem_fit_regroup(DpemFitRun *run)
{
	dpem_source_close(run->source);
	run->source = dpem_source_open(run->plan->binding, run->reader, NULL);
	dpem_source_describe(run->source, &run->pass);
}

/* a sample of the rows is what is read now */
static bool
is_sampled(const DpemFitRun *run)
{
	return run->sampled && run->sampled_source != NULL;
}

void
dpem_fit_note_signal(DpemFitRun *run, int group, int line, const DpemReleaseSpec *spec, const DpemNoisyMoments *m)
{
	if (run->plan->noisy)
		dpem_signal_add(&run->signal[group], line, spec->noise, spec->contribution == DPEM_ON_SIMPLEX, m);
}

static void
note_release(DpemFitRun *run, int group, int line, const DpemReleaseSpec *spec, const DpemKernel *kernel, const DpemNoisyMoments *m)
{
	dpem_fit_note_signal(run, group, line, spec, m);
	if (run->plan->noisy && kernel->counts_rows && !is_sampled(run))
		dpem_signal_add_counts(&run->signal[group], m);
}

void
dpem_fit_note_rows(DpemFitRun *run, int group, double rows, double sd)
{
	if (run->plan->noisy && !is_sampled(run))
		dpem_signal_add_rows(&run->signal[group], rows, sd);
}

bool
dpem_fit_is_hidden(const DpemFitRun *run, int group)
{
	double		sd;

	/* NaN, where no release says how many rows counted, is not enough */
	return run->plan->hides && dpem_fit_minimum(run->plan) > 0 &&
		!(dpem_signal_counted(&run->signal[group], &sd) >= dpem_fit_minimum_rows(run->plan));
}

/* WARNING where released numbers, which are public, say that a model that is shown is made of noise */
static void
warn_of_noise_in(const DpemFitRun *run)
{
	const DpemFitPlan *plan = run->plan;
	int			shown = 0;
	int			unseen = 0;
	double		drowned = 0;

	if (!plan->noisy || !warn_of_noise)
		return;
	for (int g = 0; g < plan->groups; g++)
	{
		if (dpem_fit_is_hidden(run, g))
			continue;
		shown++;
		unseen += run->signal[g].seen ? 0 : 1;
		drowned = fmax(drowned, dpem_signal_drowned(&run->signal[g]));
	}
	if (unseen > 0)
		ereport(WARNING,
				(errmsg("%s: nothing of any row is to be seen in what was released%s", plan->request->function, plan->groups > 1 ? psprintf(" of %d of %d groups", unseen, shown) : ""),
				 errdetail("What it returns is noise; released numbers say so, not the rows."),
				 errhint("Ask for more epsilon, for fewer columns, groups or components, or for columns with fewer NULLs; " FITS_WITH_NULLS)));
	else if (drowned > 0)
		ereport(WARNING,
				(errmsg("%s: the noise in the weights, %.3g rows, is larger than the weights", plan->request->function, drowned),
				 errdetail("Many components are made of noise; released numbers say so, not the rows."),
				 errhint("Ask for fewer components, more epsilon, or columns with fewer NULLs; " FITS_WITH_NULLS)));
}

static double
two_digits(double x)
{
	double		unit = x >= 100 ? pow(10, floor(log10(x)) - 1) : 1;

	return rint(x / unit) * unit;
}

/* NOTICE where released numbers say that far fewer rows counted than the table publicly has */
static void
notice_of_rows(const DpemFitRun *run)
{
	const DpemFitPlan *plan = run->plan;
	double		sd;
	double		rows = dpem_signal_counted(&run->signal[0], &sd);

	/* NaN is not less */
	if (!plan->noisy || !warn_of_noise || run->at_least || !(plan->public_rows > 0) || !(rows + FEW_DEVIATIONS * sd < plan->public_rows * FEW_ROWS))
		return;
	ereport(NOTICE,
			(errmsg("%s: about %.0f of the table's %.0f rows counted", plan->request->function, two_digits(rows), plan->public_rows),
			 errdetail("A row counts if what the call reads of it is known; the number is a released one, with noise of standard deviation %.2g.", sd),
			 errhint("Name columns with fewer NULLs; " FITS_WITH_NULLS)));
}

void
dpem_fit_end(DpemFitRun *run)
{
	if (run->ended)
		return;
	run->ended = true;
	dpem_source_close(run->source);
	warn_of_noise_in(run);
	notice_of_rows(run);
}

void
dpem_fit_payment(const DpemFitRun *run, int64 *charge, int64 *maker)
{
	*charge = run->charge ? dpem_charge_number(run->charge) : 0;
	*maker = run->charge ? dpem_charge_role_number(run->charge) : 0;
}

DpemRawMoments *
dpem_fit_scan(DpemFitRun *run, const DpemKernel *kernel, const DpemMomentLayout *layout,
			  const double *theta)
{
	DpemPass	pass;

	run->pass.kernel = kernel;
	run->pass.layout = *layout;
	run->pass.theta = theta;
	pass = run->pass;
	if (kernel->fine && pass.map.bits > 0)
		pass.map.bits = DPEM_FINE_BITS;
	return dpem_source_scan(is_sampled(run) ? run->sampled_source : run->source, &pass);
}

static DpemNoisyMoments *
release(DpemFitRun *run, int line, const DpemReleaseSpec *spec, const DpemKernel *kernel,
		const DpemMomentLayout *layout, const double *theta)
{
	DpemRawMoments *raw = dpem_fit_scan(run, kernel, layout, theta);

	return run->plan->noisy ? dpem_release(run->charge, line, raw, spec)
		: dpem_release_to_reader(run->reader, raw);
}

DpemNoisyMoments *
dpem_fit_release(DpemFitRun *run, int line, const DpemReleaseSpec *spec, const DpemKernel *kernel,
				 const DpemMomentLayout *layout, const double *theta)
{
	DpemNoisyMoments *m = release(run, line, spec, kernel, layout, theta);

	note_release(run, 0, line, spec, kernel, m);
	return m;
}

/* of unlike noises the one with longer tails judges all */
static DpemNoiseKind
widest_noise(const DpemSeparateSpec *spec)
{
	for (int s = 0; s < DPEM_PAPER_STATISTICS; s++)
	{
		if (spec->noise[s] == DPEM_NOISE_LAPLACE)
			return DPEM_NOISE_LAPLACE;
	}
	return DPEM_NOISE_GAUSSIAN;
}

DpemNoisyMoments *
dpem_fit_release_separate(DpemFitRun *run, DpemRawMoments *raw, const DpemSeparateSpec *spec)
{
	DpemNoisyMoments *m = dpem_release_separate(run->charge, raw, spec);

	dpem_signal_add(&run->signal[0], spec->line[DPEM_PAPER_WEIGHTS], widest_noise(spec), true, m);
	if (!is_sampled(run))
		dpem_signal_add_counts(&run->signal[0], m);
	return m;
}

DpemFeatureMap
dpem_fit_map(const DpemFitRun *run, int group)
{
	DpemPass	pass = run->pass;

	pass.part = run->part;
	return dpem_pass_map(&pass, group);
}

DpemNoisyMoments *
dpem_fit_release_groups(DpemFitRun *run, int line, const DpemReleaseSpec *spec, const DpemKernel *kernel,
						const DpemMomentLayout *layout)
{
	int			groups = run->plan->groups;
	DpemNoisyMoments *each = palloc(groups * sizeof(DpemNoisyMoments));
	DpemNoisyMoments *all;

	run->pass.part = run->part;
	all = release(run, line, spec, kernel, layout, run->part[0].theta);
	run->pass.part = NULL;
	for (int g = 0; g < groups; g++)
	{
		each[g] = *all;
		each[g].layout.k = layout->k;
		each[g].value = all->value + g * dpem_moments_length(layout);
		note_release(run, g, line, spec, kernel, &each[g]);
	}
	return each;
}

void
dpem_fit_report(const DpemFitRun *run, const char *phase, int iteration)
{
	CHECK_FOR_INTERRUPTS();
	dpem_progress_update(phase, iteration);
	if (!show_progress)
		return;
	if (iteration > 0)
		ereport(INFO, (errmsg("%s: %s, pass %d of %d", run->plan->request->function, phase, iteration, run->plan->iterations)));
	else
		ereport(INFO, (errmsg("%s: %s", run->plan->request->function, phase)));
}

void
dpem_fit_require_ok(DpemStatus status)
{
	if (status != DPEM_OK)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("the released moments could not be turned into a model"), errdetail("The charge stands."),
				 errhint("Ask for a larger epsilon, fewer components or fewer columns.")));
}
