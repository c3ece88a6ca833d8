/*
 * gam_fit.c - the passes of an additive model.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "core/gam/gam_join.h"
#include "core/gam/gam_pairs.h"
#include "core/gam/gam_rules.h"
#include "families/gam/gam_run.h"
#include "server/fit_memory.h"

/* relative change of the coefficients at which passes without noise end */
#define CONVERGED		1e-11

static int
updates_of(const DpemGamPlan *plan, int pass)
{
	if (((const DpemGamRequest *) plan->fit.request)->prior_variance > 0)
		return 0;
	return dpem_gam_updates(plan->fit.noisy, plan->shape.targets, plan->pairs, pass);
}

/* the mean of every score, and where the next pass is made */
static void
estimate(const DpemGamPlan *plan, DpemGamRun *run, int pass, DpemWorkspace work)
{
	size_t		n = (size_t) run->rows.n;
	double		change = 0;
	double		size = 0;

	for (int s = 0; s < plan->scores; s++)
	{
		double	   *coefficient = run->coefficient + s * n;

		CHECK_FOR_INTERRUPTS();
		dpem_fit_require_ok(dpem_gam_estimate(&run->rows, updates_of(plan, pass), &run->score[s], work));
		for (size_t i = 0; i < n; i++)
		{
			change = fmax(change, fabs(run->score[s].mean[i] - coefficient[i]));
			size = fmax(size, fabs(run->score[s].mean[i]));
			coefficient[i] = run->score[s].mean[i];
		}
	}
	dpem_gam_update_dispersion(&run->rows, &run->score[0], pass, work.next);
	run->converged = !plan->fit.noisy && updates_of(plan, pass) == 0 && change <= CONVERGED * size;
}

static void
take_counts(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, DpemWorkspace work)
{
	DpemNoisyMoments *m = dpem_gam_release(fit, plan, run, DPEM_GAM_COUNTS, false);

	for (int g = 0; g < plan->fit.groups; g++)
	{
		dpem_gam_take_rows(&m[g], plan->fit.public_rows, &run[g].rows, work);
		dpem_fit_note_rows(fit, g, run[g].rows.counted, run[g].rows.counted_sd);
		for (int s = 0; s < plan->scores; s++)
			dpem_gam_start(&run[g].rows, &m[g], s, &run[g].score[s]);
	}
}

/* the mean by what counts told */
static void
estimate_first(const DpemGamPlan *plan, DpemGamRun *run, DpemWorkspace work)
{
	CHECK_FOR_INTERRUPTS();
	if (!run->cleaned)
		dpem_fit_require_ok(dpem_gam_clean_pairs(&run->rows, work));
	run->cleaned = true;
	dpem_gam_create_curvatures(run, plan);
	for (int s = 0; s < plan->scores; s++)
		dpem_gam_start_curvature(&run->rows, &run->score[s]);
	estimate(plan, run, 1, work);
	for (int s = 0; s < plan->scores; s++)
		if (run->score[s].together != NULL)
			dpem_gam_forget_start(&run->rows, &run->score[s]);
}

/*
 * Bins are joined as soon as that is known: fewer cells cost far less.  How far a number's residuals reach is known by its mean.
 * False: noise hides classes.
 */
static bool
run_first(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, DpemWorkspace work)
{
	MemoryContext old = MemoryContextSwitchTo(fit->per_pass);

	dpem_fit_report(fit, "coefficients", 1);
	take_counts(fit, plan, run, work);
	MemoryContextSwitchTo(old);
	MemoryContextReset(fit->per_pass);
	if (dpem_gam_are_classes_hidden(plan, run))
		return false;
	if (plan->shape.targets > 1)
		dpem_gam_join_runs(plan, run, work);
	for (int g = 0; g < plan->fit.groups; g++)
		estimate_first(plan, &run[g], work);
	if (plan->shape.targets == 1)
		dpem_gam_join_runs(plan, run, work);
	return true;
}

/*
 * number: of the gradient, from 1, among those that are averaged; curvature where the gradient is taken: without noise
 * that of two classes is summed up there
 */
static void
run_later(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, int pass, int number, DpemWorkspace work)
{
	bool		exact = !plan->fit.noisy && plan->shape.targets == 2;
	DpemNoisyMoments *curvature = exact ? dpem_gam_release(fit, plan, run, DPEM_GAM_COUNTS, false) : NULL;
	DpemNoisyMoments *m;
	double		scale;

	for (int g = 0; g < plan->fit.groups; g++)
		dpem_gam_curvature(&run[g].rows, exact ? &curvature[g] : NULL, run[g].score, work.next);
	fit->sampled = dpem_fit_is_sampled(&plan->fit);
	scale = fit->sampled ? 1 / plan->fit.sample.rate : 1;
	m = dpem_gam_release(fit, plan, run, DPEM_GAM_GRADIENTS, false);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		for (int s = 0; s < plan->scores; s++)
			dpem_fit_require_ok(dpem_gam_take_gradient(&run[g].rows, &m[g], scale, s, number, &run[g].score[s], work));
		estimate(plan, &run[g], pass, work);
	}
}

/* ---- pairs ---- */

/* the pairs that gain most, all groups together */
static const DpemGamPair *
choose(DpemFitRun *fit, const DpemGamPlan *plan, const DpemGamRun *run)
{
	const DpemGamShape *all = &plan->choice;
	size_t		mains = (size_t) run->rows.n;
	DpemGamRun *look = palloc0(plan->fit.groups * sizeof(DpemGamRun));
	double	   *gain = dpem_fit_allocate(all->pairs);
	int		   *place = palloc(plan->pairs * sizeof(int));
	DpemGamPair *pair = palloc(plan->pairs * sizeof(DpemGamPair));
	DpemWorkspace work = dpem_fit_workspace(dpem_gam_gains_work());
	DpemNoisyMoments *m;

	for (int g = 0; g < plan->fit.groups; g++)
	{
		size_t		n;

		look[g].joined = run[g].joined;
		look[g].rows.shape = dpem_gam_with_pairs(&run[g].rows.shape, all->pair, all->pairs, dpem_gam_rules.choice_parts, run[g].rows.count);
		n = (size_t) dpem_gam_cells(&look[g].rows.shape);
		look[g].coefficient = dpem_fit_allocate(plan->scores * n);
		for (int s = 0; s < plan->scores; s++)
			memcpy(look[g].coefficient + s * n, run[g].score[s].mean, mains * sizeof(double));
	}
	fit->sampled = false;
	m = dpem_gam_release(fit, plan, look, DPEM_GAM_CHOICE, false);
	for (int g = 0; g < plan->fit.groups; g++)
		for (int s = 0; s < plan->scores; s++)
			dpem_gam_pair_gains(&run[g].rows, &look[g].rows.shape, &m[g], s, &run[g].score[s], gain, work);
	dpem_gam_best_pairs(gain, all->pairs, plan->pairs, place);
	for (int q = 0; q < plan->pairs; q++)
		pair[q] = all->pair[place[q]];
	return pair;
}

/* what is known of the columns */
static void
take_mains(const DpemGamPlan *plan, const DpemGamRun *from, DpemGamRun *to)
{
	to->rows.exact = from->rows.exact;
	to->rows.rows = from->rows.rows;
	to->rows.single_sd = from->rows.single_sd;
	to->rows.tails = from->rows.tails;
	to->rows.variance = from->rows.variance;
	to->rows.dispersion = from->rows.dispersion;
	for (int s = 0; s < plan->scores; s++)
	{
		DpemGamScore *score = &to->score[s];

		memcpy(score->mean, from->score[s].mean, from->rows.n * sizeof(double));
		memcpy(to->coefficient + (size_t) s * to->rows.n, score->mean, from->rows.n * sizeof(double));
		memcpy(score->counted, from->score[s].counted, from->rows.n * sizeof(double));
		memcpy(score->step, from->score[s].step, plan->shape.columns * sizeof(double));
		score->spread = from->score[s].spread;
	}
}

/* from here on the model has its pairs; without noise counts of their cells are taken, too */
static void
add_pairs(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run)
{
	const DpemGamPair *pair = plan->pair ? plan->pair : choose(fit, plan, run);
	DpemGamRun *mains = palloc(plan->fit.groups * sizeof(DpemGamRun));
	DpemNoisyMoments *m = NULL;

	memcpy(mains, run, plan->fit.groups * sizeof(DpemGamRun));
	for (int g = 0; g < plan->fit.groups; g++)
	{
		DpemGamShape shape = dpem_gam_with_pairs(&mains[g].rows.shape, pair, plan->pairs, dpem_gam_rules.pair_parts, mains[g].rows.count);

		run[g] = (DpemGamRun) {.joined = mains[g].joined};
		dpem_gam_create_run(&run[g], plan, &shape);
		dpem_gam_create_curvatures(&run[g], plan);
		take_mains(plan, &mains[g], &run[g]);
	}
	if (!plan->fit.noisy)
		m = dpem_gam_release(fit, plan, run, DPEM_GAM_COUNTS, true);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		DpemWorkspace work = dpem_fit_workspace(Max(dpem_gam_work(run[g].rows.n), dpem_gam_pairs_work(mains[g].rows.n, run[g].rows.n)));

		CHECK_FOR_INTERRUPTS();
		if (m != NULL)
			dpem_gam_take_rows(&m[g], plan->fit.public_rows, &run[g].rows, work);
		else
			dpem_fit_require_ok(dpem_gam_add_pairs(&mains[g].rows, &run[g].rows, work));
		/* of a number the curvature is that of all rows throughout */
		for (int s = 0; s < plan->scores; s++)
			memcpy(run[g].score[s].here, run[g].rows.second, (size_t) run[g].rows.n * run[g].rows.n * sizeof(double));
		pfree(work.next);
	}
}

/* ---- passes ---- */

/* how many passes there are before pairs, each of these alone; 0: there are none */
static int
passes_before(const DpemGamPlan *plan)
{
	if (plan->pairs == 0)
		return 0;
	return plan->choice.pairs == 0 ? 1 : 1 + Max(Min(dpem_gam_rules.before, plan->fit.iterations - 3), 0);
}

static bool
run_pass(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, int pass, int number, DpemWorkspace work)
{
	MemoryContext old = CurrentMemoryContext;
	bool		search = !plan->fit.noisy && plan->shape.targets > 2;
	bool		converged = true;

	if (search && run->search == NULL)
		dpem_gam_begin_search(plan, run);
	MemoryContextSwitchTo(fit->per_pass);
	dpem_fit_report(fit, "coefficients", pass);
	if (search)
		dpem_gam_search_pass(fit, plan, run);
	else
		run_later(fit, plan, run, pass, number, work);
	for (int g = 0; g < plan->fit.groups; g++)
		converged &= run[g].converged;
	MemoryContextSwitchTo(old);
	MemoryContextReset(fit->per_pass);
	return converged;
}

/* how many there were; 0: after the first noise turned out to hide classes */
static int
run_passes(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run)
{
	int			before = passes_before(plan);
	DpemWorkspace work = dpem_fit_workspace_unset(dpem_gam_work(run->rows.n));
	bool		converged = false;
	int			pass = 0;
	int			number = 0;

	while (pass < plan->fit.iterations && !converged)
	{
		if (++pass > 1)
			converged = run_pass(fit, plan, run, pass, number, work);
		else if (!run_first(fit, plan, run, work))
		{
			pass = 0;
			break;
		}
		number++;
		if (pass != before)
			continue;
		if (plan->choice.pairs > 0)
			dpem_fit_report(fit, "choice of pairs", ++pass);
		pfree(work.next);
		add_pairs(fit, plan, run);
		work = dpem_fit_workspace_unset(dpem_gam_work(run->rows.n));
		number = 1;
		converged = false;
	}
	pfree(work.next);
	return pass;
}

static void
finish(const DpemGamPlan *plan, const DpemGamRun *run, DpemModel *model)
{
	DpemGamResult *result = palloc0(plan->scores * sizeof(DpemGamResult));
	DpemGamRows rows = dpem_gam_all_rows(run);

	for (int s = 0; s < plan->scores; s++)
		result[s] = dpem_gam_run_result(run, s);
	dpem_gam_store(plan, &rows, result, model);
}

/* residuals cannot be cut off nearer than bins are wide, and have the noise of that; without noise nothing depends on these */
static void
tell_of_domain(const DpemGamPlan *plan, const DpemGamRun *run)
{
	for (int g = 0; g < plan->fit.groups && plan->fit.noisy; g++)
		if (dpem_gam_is_hidden(&run[g].rows))
		{
			ereport(NOTICE,
					(errmsg("%s: the target's domain is too wide for its values", plan->fit.request->function),
					 errdetail("Nearly all of them are in a part of it that is about as narrow as the steps in which it can be seen."),
					 errhint("Register \"%s\" with narrower bounds.", plan->fit.binding->target->name)));
			return;
		}
}

void
dpem_gam_run(DpemFitRun *fit, DpemFitted *fitted)
{
	const DpemGamPlan *plan = (const DpemGamPlan *) fit->plan;
	DpemGamRun *run = palloc0(plan->fit.groups * sizeof(DpemGamRun));
	int			passes;

	for (int g = 0; g < plan->fit.groups; g++)
		dpem_gam_create_run(&run[g], plan, &plan->seen);
	dpem_gam_locate_runs(fit, plan, run);
	passes = dpem_gam_is_mean(plan) || dpem_gam_are_hidden(plan, run) ? 0 : run_passes(fit, plan, run);
	if (passes == 0)
	{
		dpem_gam_run_mean(fit, plan, run, fitted);
		return;
	}
	/* what follows needs no rows */
	dpem_fit_end(fit);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		fitted->model[g].iterations = passes;
		finish(plan, &run[g], &fitted->model[g]);
	}
	tell_of_domain(plan, run);
}
