/*
 * gmm_fit.c - the loop of a mixture: centre, whiten, then EM passes and M-steps.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/affine.h"
#include "core/gmm_noise.h"
#include "core/gmm_rules.h"
#include "core/gmm_whiten.h"
#include "core/linalg.h"
#include "engine/gmm_fit_paper.h"
#include "engine/fit_memory.h"
#include "engine/gmm_request.h"

/* a start that is neither given nor found from the rows, in unit-ball coordinates */
#define START_RADIUS	0.3
#define START_VARIANCE	0.1

typedef struct GmmRun
{
	DpemFitRun	fit;
	const DpemGmmPlan *plan;
	double	   *inverse;		/* of the whitening matrix, or NULL */
	DpemAffine	affine;
	DpemGmmHistory history;
	DpemGmmPaperRun paper;
	DpemGmm		gmm;
} GmmRun;

static DpemGmm
create_gmm(int k, int d, DpemSecondMoment shape)
{
	return (DpemGmm) {
		.k = k,.d = d,.shape = shape,
			.weight = dpem_fit_allocate(k),
			.mean = dpem_fit_allocate((size_t) k * d),
			.covariance = dpem_fit_allocate((size_t) k * d * d)
	};
}

/* one pass over the rows and its release; the result lives in per_pass */
static DpemNoisyMoments *
release_pass(GmmRun *run, DpemGmmStage stage, const DpemFamily *family, int k,
			 DpemSecondMoment second, const double *theta)
{
	DpemMomentLayout layout = {k, run->plan->fit.d, second};

	return dpem_fit_release(&run->fit, run->plan->line[stage], &run->plan->spec[stage], family, &layout, theta);
}

/* centre and radius from the first release */
static void
run_centre(GmmRun *run, DpemGmmCentre *frame)
{
	MemoryContext fit = MemoryContextSwitchTo(run->fit.per_pass);
	DpemNoisyMoments *m;

	dpem_fit_report(&run->fit, "centre", 0);
	m = release_pass(run, DPEM_STAGE_CENTRE, &dpem_family_sums, 1, DPEM_SECOND_NORM, NULL);
	dpem_gmm_centre(m, run->plan->fit.public_rows, run->fit.pass.map.radius, frame);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit.per_pass);
}

/* whitening matrix and its inverse from the second */
static void
run_whitening(GmmRun *run, DpemGmmCentre *frame, double *whitening)
{
	MemoryContext fit = MemoryContextSwitchTo(run->fit.per_pass);
	DpemNoisyMoments *m;

	dpem_fit_report(&run->fit, "second moment", 0);
	m = release_pass(run, DPEM_STAGE_WHITEN, &dpem_family_sums, 1, run->plan->request->shape, NULL);
	dpem_fit_require_ok(dpem_gmm_whitening(m, run->plan->fit.public_rows, frame, whitening, run->inverse,
								  dpem_fit_workspace(dpem_gmm_whitening_work(run->plan->fit.d))));
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit.per_pass);
}

/* the feature map of the mixture passes */
static void
precondition(GmmRun *run)
{
	int			d = run->plan->fit.d;
	size_t		n = (size_t) d * d;
	DpemGmmCentre frame = {.centre = dpem_fit_allocate(d)};
	double	   *whitening = dpem_fit_allocate(n);
	double	   *centre = dpem_fit_allocate(d);
	DpemGmmPrediction p = dpem_gmm_predict(run->plan, run->plan->noise_multiplier[DPEM_STAGE_MIXTURE]);

	run->inverse = dpem_fit_allocate(n);
	run_centre(run, &frame);
	memcpy(centre, frame.centre, d * sizeof(double));
	run->fit.pass.map.centre = centre;
	run->fit.pass.map.radius = frame.radius;
	run_whitening(run, &frame, whitening);
	memcpy(centre, frame.centre, d * sizeof(double));
	run->fit.pass.map.whitening = whitening;
	run->fit.pass.map.radius = dpem_gmm_whitened_radius(&p, frame.lost);
}

static void
prepare_history(GmmRun *run)
{
	DpemMomentLayout layout = {run->plan->request->k, run->plan->fit.d, run->plan->request->shape};
	DpemGmmPrediction p = dpem_gmm_predict(run->plan, run->plan->noise_multiplier[DPEM_STAGE_MIXTURE]);

	/* without whitening the scale of the rows, and so what noise is little, is unknown */
	run->history.least_step = run->plan->request->whiten ? dpem_gmm_least_step(&p, run->fit.pass.map.radius) : 0;
	/* what a pass reads; the moments of a sample are as they are, and only their proportions matter */
	run->history.public_rows = dpem_fit_sample_rows(&run->plan->fit);
	run->history.average.layout = layout;
	run->history.average.value = dpem_fit_allocate(dpem_moments_length(&layout));
	run->history.total = dpem_fit_allocate(dpem_moments_record(&layout));
}

/* whitened rows have mean 0 and covariance I, in units of the radius */
static void
start_whitened(GmmRun *run)
{
	int			d = run->plan->fit.d;
	double	   *axes = dpem_fit_allocate((size_t) d * d);
	double	   *value = dpem_fit_allocate(d);

	for (int j = 0; j < d; j++)
	{
		axes[(size_t) (d - 1 - j) * d + j] = 1;
		value[j] = 1 / (run->fit.pass.map.radius * run->fit.pass.map.radius);
	}
	dpem_gmm_start_from(&run->gmm, dpem_fit_allocate(d), axes, value);
}

/* what the caller gave of a start, over the usual one */
static void
apply_given_start(GmmRun *run)
{
	const DpemGmmRequest *r = run->plan->request;
	size_t		d = (size_t) run->plan->fit.d;

	for (int k = 0; k < r->k; k++)
	{
		if (r->init_means != NULL)
			dpem_fit_require_ok(dpem_affine_inverse_point(&run->affine, r->init_means + k * d,
												 run->gmm.mean + k * d, dpem_fit_workspace(d * d + 2 * d)));
		for (size_t i = 0; r->init_variance > 0 && i < d * d; i++)
			run->gmm.covariance[k * d * d + i] = i % (d + 1) == 0 ? r->init_variance : 0;
	}
}

/* from the mean and covariance of all rows: the first of the paid passes */
static void
start_from_total(GmmRun *run)
{
	const DpemGmmRequest *r = run->plan->request;
	MemoryContext fit = MemoryContextSwitchTo(run->fit.per_pass);

	dpem_fit_report(&run->fit, "total", 0);
	dpem_gmm_history_add_total(&run->history, release_pass(run, DPEM_STAGE_MIXTURE, &dpem_family_sums,
														   1, r->shape, NULL));
	dpem_fit_require_ok(dpem_gmm_history_start(&run->history, &run->gmm,
									  dpem_fit_workspace(dpem_gmm_maximize_work(r->k, run->plan->fit.d))));
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit.per_pass);
}

/* sets the parameters of the first E-step; returns the number of EM passes left */
static int
start(GmmRun *run)
{
	const DpemGmmRequest *r = run->plan->request;
	int			d = run->plan->fit.d;
	int			passes = run->plan->fit.iterations;

	run->affine.offset = dpem_fit_allocate(d);
	run->affine.linear = dpem_fit_allocate((size_t) d * d);
	dpem_affine_from_features(&run->fit.pass.map, run->inverse, &run->affine);
	run->gmm = create_gmm(r->k, d, r->shape);
	if (r->paper == NULL)
		prepare_history(run);
	if (r->whiten)
		start_whitened(run);
	else if (r->paper || r->init_means != NULL || r->init_variance > 0 || r->k == 1 || passes < 3)
		dpem_gmm_start(&run->gmm, START_RADIUS, START_VARIANCE);
	else
	{
		start_from_total(run);
		passes -= run->plan->fit.noisy ? 1 : 0;
	}
	apply_given_start(run);
	return passes;
}

static void
run_em(GmmRun *run, int passes)
{
	const DpemGmmRequest *r = run->plan->request;
	DpemGmmRule rule = dpem_gmm_rule(run->plan);
	DpemMomentLayout layout = {r->k, run->plan->fit.d, r->shape};

	for (int iteration = 1; iteration <= passes; iteration++)
	{
		MemoryContext fit = MemoryContextSwitchTo(run->fit.per_pass);
		double	   *theta = dpem_fit_allocate(dpem_family_gmm.theta_length(&layout));

		dpem_fit_report(&run->fit, "mixture", iteration);
		dpem_fit_require_ok(dpem_gmm_theta(&run->gmm, theta, dpem_fit_workspace(dpem_gmm_theta_work(run->plan->fit.d))));
		dpem_gmm_history_add(&run->history,
							 release_pass(run, DPEM_STAGE_MIXTURE, &dpem_family_gmm, r->k, r->shape, theta));
		dpem_fit_require_ok(dpem_gmm_maximize(&run->history, &rule, &run->gmm,
									 dpem_fit_workspace(dpem_gmm_maximize_work(r->k, run->plan->fit.d))));
		MemoryContextSwitchTo(fit);
		MemoryContextReset(run->fit.per_pass);
	}
}

/* the mean of rows that were clamped to the domain lies in it; a paper's mechanism answers as published */
static void
clamp_means(GmmRun *run)
{
	int			d = run->plan->fit.d;

	if (!run->plan->fit.noisy || run->plan->request->paper)
		return;
	for (int i = 0; i < run->gmm.k * d; i++)
		run->gmm.mean[i] = fmin(fmax(run->gmm.mean[i], run->fit.pass.map.lower[i % d]),
								run->fit.pass.map.upper[i % d]);
}

/* what is stored can be evaluated: finite numbers, covariances that factorise */
static void
require_usable(const DpemGmm *gmm, double *scratch)
{
	size_t		d = (size_t) gmm->d;
	size_t		n = d * d;

	for (int k = 0; k < gmm->k; k++)
	{
		bool		finite = isfinite(gmm->weight[k]);

		for (size_t i = 0; i < d; i++)
			finite &= isfinite(gmm->mean[k * d + i]);
		for (size_t i = 0; i < n; i++)
			finite &= isfinite(gmm->covariance[k * n + i]);
		dpem_fit_require_ok(finite ? dpem_linalg_cholesky(gmm->d, gmm->covariance + k * n, scratch) : DPEM_NO_SOLUTION);
	}
}

/* EM by a paper's mechanism, which has no stages before it */
static void
run_paper(GmmRun *run, int passes)
{
	run->paper = (DpemGmmPaperRun) {
		.plan = run->plan,.fit = &run->fit
	};
	for (int iteration = 1; iteration <= passes; iteration++)
	{
		MemoryContext fit = MemoryContextSwitchTo(run->fit.per_pass);

		dpem_fit_report(&run->fit, "mixture", iteration);
		dpem_fit_require_ok(dpem_gmm_paper_iterate(&run->paper, &run->gmm));
		MemoryContextSwitchTo(fit);
		MemoryContextReset(run->fit.per_pass);
	}
}

/* into the columns' own units */
static DpemGmmFit *
finish(GmmRun *run)
{
	DpemGmmFit *fit = palloc0(sizeof(DpemGmmFit));
	size_t		k = (size_t) run->plan->request->k;
	size_t		d = (size_t) run->plan->fit.d;
	DpemGmmNoiseLevels levels = {dpem_fit_allocate(k), dpem_fit_allocate(k * d), dpem_fit_allocate(k * d * d)};
	DpemWorkspace work = dpem_fit_workspace(2 * d * d + d);

	if (run->plan->request->paper)
		dpem_gmm_noise_levels(&run->paper.released, &run->gmm, run->paper.rows, &run->affine,
							  &levels, work);
	else
		dpem_gmm_noise_levels(&run->history.average, &run->gmm, fmax(run->history.total[0], 1),
							  &run->affine, &levels, work);
	dpem_affine_apply_gmm(&run->affine, &run->gmm, work);
	clamp_means(run);
	if (run->plan->fit.noisy)
		require_usable(&run->gmm, work.next);
	fit->gmm = run->gmm;
	fit->weight_noise = levels.weight;
	fit->mean_noise = levels.mean;
	fit->covariance_noise = levels.covariance;
	if (run->fit.charge)
	{
		fit->charge = dpem_charge_number(run->fit.charge);
		fit->maker = dpem_charge_role_number(run->fit.charge);
	}
	return fit;
}

DpemGmmFit *
dpem_gmm_fit(const DpemGmmPlan *plan)
{
	GmmRun	   *run = palloc0(sizeof(GmmRun));

	run->plan = plan;
	dpem_fit_begin(&run->fit, &plan->fit);
	if (plan->request->whiten)
		precondition(run);
	/* centre and whitening need few releases and every row */
	run->fit.sampled = true;
	if (plan->request->paper)
		run_paper(run, start(run));
	else
		run_em(run, start(run));
	return finish(run);
}
