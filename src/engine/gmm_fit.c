/*
 * gmm_fit.c - the loop: charge, scan, release, M-step.
 *
 * Order matters: the charge is committed before the first row is read.  From
 * then on control flow depends on the plan and on released numbers only.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "core/affine.h"
#include "core/gmm_noise.h"
#include "core/gmm_rules.h"
#include "core/gmm_whiten.h"
#include "core/linalg.h"
#include "engine/gmm_request.h"
#include "engine/source.h"

static bool show_progress = false;

typedef struct GmmRun
{
	const DpemGmmPlan *plan;
	DpemCharge *charge;			/* NULL without noise */
	DpemReader *reader;			/* NULL with noise */
	DpemSource *source;
	DpemPass	pass;
	double	   *inverse;		/* of the whitening matrix, or NULL */
	DpemAffine	affine;
	DpemGmmHistory history;
	DpemGmm		gmm;
	MemoryContext per_pass;
} GmmRun;

void
dpem_fit_init(void)
{
	DefineCustomBoolVariable("dpem.progress",
							 "Report each pass of a fit as it starts.",
							 NULL, &show_progress, false, PGC_USERSET, 0, NULL, NULL, NULL);
}

static double *
allocate(size_t n)
{
	Size		size = mul_size(Max(n, 1), sizeof(double));

	if (!AllocSizeIsValid(size))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the fit does not fit into memory")));
	return palloc0(size);
}

static DpemWorkspace
workspace(size_t n)
{
	double	   *start = allocate(n);

	return (DpemWorkspace) {start, start + n};
}

static void
require_ok(DpemStatus status)
{
	if (status != DPEM_OK)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("the released moments could not be turned into a model"),
				 errdetail("The charge stands."),
				 errhint("Ask for a larger epsilon, fewer components or fewer columns.")));
}

static DpemGmm
create_gmm(int k, int d, DpemSecondMoment shape)
{
	return (DpemGmm) {
		.k = k,.d = d,.shape = shape,
			.weight = allocate(k),
			.mean = allocate((size_t) k * d),
			.covariance = allocate((size_t) k * d * d)
	};
}

static void
report(const GmmRun *run, const char *phase, int iteration)
{
	CHECK_FOR_INTERRUPTS();
	if (!show_progress)
		return;
	if (iteration > 0)
		ereport(INFO, (errmsg("%s: %s, pass %d of %d", run->plan->request->function, phase,
							  iteration, run->plan->iterations)));
	else
		ereport(INFO, (errmsg("%s: %s", run->plan->request->function, phase)));
}

/* one pass over the rows and its release; the result lives in per_pass */
static DpemNoisyMoments *
release_pass(GmmRun *run, DpemGmmStage stage, const DpemFamily *family, int k,
			 DpemSecondMoment second, const double *theta)
{
	DpemRawMoments *raw;
	DpemPass   *pass = &run->pass;

	pass->family = family;
	pass->layout = (DpemMomentLayout) {k, run->plan->d, second};
	pass->map.bits = run->plan->noisy ? DPEM_FEATURE_BITS : 0;
	pass->responsibility_bits = run->plan->noisy ? DPEM_RESPONSIBILITY_BITS : 0;
	pass->theta = theta;
	raw = dpem_source_scan(run->source, pass);
	if (run->plan->noisy)
		return dpem_release(run->charge, run->plan->line[stage], raw, &run->plan->spec[stage]);
	return dpem_release_to_reader(run->reader, raw);
}

static void
keep_doubles(const double **where, const double *values, size_t n, MemoryContext context)
{
	double	   *copy = MemoryContextAlloc(context, n * sizeof(double));

	memcpy(copy, values, n * sizeof(double));
	*where = copy;
}

/* centre and radius from the first release */
static void
run_centre(GmmRun *run)
{
	int			d = run->plan->d;
	MemoryContext fit = CurrentMemoryContext;
	DpemNoisyMoments *m;
	double	   *centre;
	double		radius;

	report(run, "centre", 0);
	MemoryContextSwitchTo(run->per_pass);
	m = release_pass(run, DPEM_STAGE_CENTRE, &dpem_family_sums, 1, DPEM_SECOND_NORM, NULL);
	centre = allocate(d);
	radius = dpem_gmm_centre(m, run->plan->public_rows, run->pass.map.radius, centre);
	keep_doubles(&run->pass.map.centre, centre, d, fit);
	run->pass.map.radius = radius;
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->per_pass);
}

/* whitening matrix and its inverse from the second */
static void
run_whitening(GmmRun *run)
{
	int			d = run->plan->d;
	size_t		n = (size_t) d * d;
	MemoryContext fit = CurrentMemoryContext;
	DpemNoisyMoments *m;
	double	   *whitening = allocate(n);
	double	   *centre = allocate(d);

	report(run, "second moment", 0);
	run->inverse = allocate(n);
	memcpy(centre, run->pass.map.centre, d * sizeof(double));
	MemoryContextSwitchTo(run->per_pass);
	m = release_pass(run, DPEM_STAGE_WHITEN, &dpem_family_sums, 1, DPEM_SECOND_FULL, NULL);
	require_ok(dpem_gmm_whitening(m, run->plan->public_rows, run->pass.map.radius, centre, whitening,
								  run->inverse, workspace(dpem_gmm_whitening_work(d))));
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->per_pass);
	run->pass.map.centre = centre;
	run->pass.map.whitening = whitening;
	run->pass.map.radius = dpem_gmm_whitened_clip * sqrt(d);
}

/* the start: data-independent, with the caller's means and variance in its place where given */
static void
start(GmmRun *run)
{
	const DpemGmmRequest *r = run->plan->request;
	int			d = run->plan->d;
	double		variance = r->init_variance > 0 ? r->init_variance
		: dpem_gmm_start_variance[r->whiten];

	run->affine.offset = allocate(d);
	run->affine.linear = allocate((size_t) d * d);
	dpem_affine_from_features(&run->pass.map, run->inverse, &run->affine);
	run->gmm = create_gmm(r->k, d, r->shape);
	dpem_gmm_start(&run->gmm, dpem_gmm_start_radius[r->whiten], variance);
	for (int k = 0; r->init_means != NULL && k < r->k; k++)
		require_ok(dpem_affine_inverse_point(&run->affine, r->init_means + (size_t) k * d,
											 run->gmm.mean + (size_t) k * d,
											 workspace((size_t) d * d + 2 * d)));
}

static void
prepare_history(GmmRun *run)
{
	DpemMomentLayout layout = {run->plan->request->k, run->plan->d, run->plan->request->shape};

	run->history.public_rows = run->plan->public_rows;
	run->history.average.layout = layout;
	run->history.average.value = allocate(dpem_moments_length(&layout));
	run->history.total = allocate(dpem_moments_record(&layout));
}

static void
run_em(GmmRun *run)
{
	const DpemGmmRequest *r = run->plan->request;
	DpemGmmRule rule = dpem_gmm_default_rule(run->plan->d, r->map);
	DpemMomentLayout layout = {r->k, run->plan->d, r->shape};

	prepare_history(run);
	for (int iteration = 1; iteration <= run->plan->iterations; iteration++)
	{
		MemoryContext fit = MemoryContextSwitchTo(run->per_pass);
		double	   *theta = allocate(dpem_family_gmm.theta_length(&layout));

		report(run, "mixture", iteration);
		require_ok(dpem_gmm_theta(&run->gmm, theta, workspace(dpem_gmm_theta_work(run->plan->d))));
		dpem_gmm_history_add(&run->history,
							 release_pass(run, DPEM_STAGE_MIXTURE, &dpem_family_gmm, r->k, r->shape, theta));
		require_ok(dpem_gmm_maximize(&run->history, &rule, &run->gmm,
									 workspace(dpem_gmm_maximize_work(r->k, run->plan->d))));
		MemoryContextSwitchTo(fit);
		MemoryContextReset(run->per_pass);
	}
}

/* into the columns' own units */
static DpemGmmFit *
finish(GmmRun *run)
{
	DpemGmmFit *fit = palloc0(sizeof(DpemGmmFit));
	size_t		k = (size_t) run->plan->request->k;
	size_t		d = (size_t) run->plan->d;
	DpemGmmNoiseLevels levels = {allocate(k), allocate(k * d), allocate(k * d * d)};
	DpemWorkspace work = workspace(2 * d * d + d);

	dpem_gmm_noise_levels(&run->history.average, &run->gmm, fmax(run->history.total[0], 1),
						  &run->affine, &levels, work);
	dpem_affine_apply_gmm(&run->affine, &run->gmm, work);
	fit->gmm = run->gmm;
	fit->weight_noise = levels.weight;
	fit->mean_noise = levels.mean;
	fit->covariance_noise = levels.covariance;
	fit->charge = run->charge ? dpem_charge_number(run->charge) : 0;
	return fit;
}

DpemGmmFit *
dpem_gmm_fit(const DpemGmmPlan *plan)
{
	GmmRun	   *run = palloc0(sizeof(GmmRun));

	dpem_linalg_single_thread();
	run->plan = plan;
	if (plan->noisy)
	{
		run->source = dpem_source_open(plan->dataset, NULL);
		run->charge = dpem_charge_commit(&plan->charge);
	}
	else
	{
		run->reader = dpem_source_require_reader(plan->dataset);
		run->source = dpem_source_open(plan->dataset, run->reader);
	}
	run->per_pass = AllocSetContextCreate(CurrentMemoryContext, "dpem pass", ALLOCSET_DEFAULT_SIZES);
	dpem_source_describe(run->source, &run->pass);
	run->pass.map.radius = plan->clip_norm;
	if (plan->request->whiten)
	{
		run_centre(run);
		run_whitening(run);
	}
	start(run);
	run_em(run);
	return finish(run);
}
