/*
 * evaluation_run.c - the passes of an evaluation, and what follows from their releases.
 */
#include "postgres.h"

#include <math.h>

#include "core/columns/column_target.h"
#include "core/evaluation/evaluate_rules.h"
#include "families/evaluation/evaluation.h"
#include "fit/fit_margins.h"
#include "fit/fit_model.h"
#include "server/fit_memory.h"

static DpemNoisyMoments *
release(const DpemEvaluationPlan *plan, DpemFitRun *run, int stage, const DpemEvaluation *e)
{
	const DpemFitStage *s = &plan->fit.stage[stage];
	int			classes = plan->request->classes;

	dpem_fit_report(run, s->statistic, 0);
	return dpem_fit_release_stage(run, stage, classes > 2 ? &dpem_kernel_pairs_evaluate : classes == 2 ? &dpem_kernel_class_evaluate : &dpem_kernel_evaluate,
								  &s->layout, dpem_evaluation_theta(plan, stage, e->target));
}

void
dpem_evaluation_add_metric(DpemEvaluation *e, const char *name, DpemStatisticValue value)
{
	e->name[e->metrics] = name;
	e->metric[e->metrics++] = value;
}

/* ---- cells ---- */

static void
take_cells(const DpemEvaluationPlan *plan, const DpemNoisyMoments *m, DpemEvaluation *e)
{
	e->classes = Max(plan->request->classes, 1);
	e->cells = (DpemEvaluateCells) {plan->request->bins, m->value, m->count_sd};
}

/* the lower end of a bin that is nearest to the threshold */
static int
cut_of(const DpemEvaluationRequest *r)
{
	double		threshold = isnan(r->threshold) ? 0.5 : r->threshold;
	double		log_odds = log(threshold) - log1p(-threshold);
	double		at = (log_odds / r->high + 1) / 2 * r->bins;

	return (int) rint(fmin(fmax(at, 0), r->bins));
}

/* of margins there is no probability to be right or wrong */
static void
judge_classes(const DpemEvaluationPlan *plan, DpemEvaluation *e)
{
	bool		margins = plan->request->kind == DPEM_EVALUATE_MARGINS;
	DpemStatisticValue value[DPEM_CLASS_METRICS];
	double	   *u = dpem_fit_allocate(4 * (size_t) e->cells.bins);

	dpem_evaluate_classes(&e->cells, plan->request->high, cut_of(plan->request), u, u + 2 * e->cells.bins, value);
	for (int i = 0; i < (margins ? DPEM_METRIC_BRIER : DPEM_CLASS_METRICS); i++)
		dpem_evaluation_add_metric(e, dpem_class_metric_names[i], value[i]);
}

/* rows: those of the cells where no sums have said how many there are */
static void
judge_pairs(DpemEvaluation *e)
{
	int			n = e->cells.bins * e->cells.bins;
	DpemStatisticValue value[DPEM_PAIR_METRICS];
	double	   *u = dpem_fit_allocate(2 * (size_t) n);
	double		rows = 0;
	double		reach = dpem_noise_half_width(DPEM_NOISE_GAUSSIAN, e->cells.sd * e->cells.bins, 0);

	for (int i = 0; i < n; i++)
		rows += e->cells.count[i];
	if (e->metrics == 0)
		dpem_evaluation_add_metric(e, "rows", (DpemStatisticValue) {rows, e->cells.sd * e->cells.bins, rows - reach, rows + reach, 0});
	dpem_evaluate_pairs(&e->cells, u, u + n, value);
	for (int i = 0; i < DPEM_PAIR_METRICS; i++)
		dpem_evaluation_add_metric(e, dpem_pair_metric_names[i], value[i]);
}

/* where the bins at both ends have more than all the others would explain, the noise in them aside */
static void
tell_of_range(const DpemEvaluateCells *cells, double reach)
{
	double		ends = cells->count[0] + cells->count[cells->bins - 1];
	double		all = 0;

	for (int i = 0; i < cells->bins; i++)
		all += cells->count[i];
	all = Max(all, ends);		/* noise may make it less */
	if (dpem_fit_tells() && ends - 3 * M_SQRT2 * cells->sd > (DPEM_EVALUATE_CUT + 2.0 / cells->bins) * all)
		ereport(WARNING,
				(errmsg("about %.0f %% of residuals are at the ends of the range from %.3g to %.3g, or beyond them", 100 * ends / all, -reach, reach),
				 errdetail("They count as if they were at its ends: errors are larger than said, and r2 is smaller."),
				 errhint("Give a wider range.")));
}

static void
judge_residuals(const DpemEvaluationPlan *plan, DpemEvaluation *e)
{
	static const struct
	{
		const char *name;
		double		level;
	}			quantile[] = {{"median_absolute_error", 0.5}, {"absolute_error_p90", 0.9}, {"absolute_error_p95", 0.95}};
	double		reach = plan->request->high;
	double	   *u = dpem_fit_allocate(2 * (size_t) e->cells.bins);
	DpemStatisticValue value;

	dpem_evaluate_residual_mean(&e->cells, reach, u, u + e->cells.bins, &value);
	dpem_evaluation_add_metric(e, "mean_error", value);
	for (int i = 0; i < lengthof(quantile); i++)
	{
		dpem_evaluate_residual_quantile(&e->cells, reach, quantile[i].level, &value);
		dpem_evaluation_add_metric(e, quantile[i].name, value);
	}
	tell_of_range(&e->cells, reach);
}

/* ---- sums ---- */

/* of values in [-1, 1], as the average of a column with the domain low..high */
static DpemStatisticValue
mean_of(const DpemEvaluateSums *sums, int i)
{
	DpemStatisticMoments moments = {
		.noise = DPEM_NOISE_GAUSSIAN,.n = sums->n,.s = {sums->s[i], 0},
		.sd = {[DPEM_PART_COUNT] = sums->n_sd,[DPEM_PART_SUM] = sums->s_sd}
	};
	DpemStatisticScale scale = {.middle = {sums->middle[i], 0},.half = {sums->half[i], 0}};
	DpemStatisticValue value;

	dpem_statistic_from_name("avg")->estimate(&moments, &scale, &value);
	return value;
}

static DpemEvaluateSums
take_sums(const DpemEvaluationPlan *plan, const DpemNoisyMoments *m)
{
	double		unit = dpem_evaluate_unit(plan->request->values);
	DpemEvaluateSums sums = {.n = m->value[0],.n_sd = m->count_sd,.s_sd = m->sum_sd / unit};

	for (int i = 0; i < plan->request->values; i++)
		sums.s[i] = m->value[1 + i] / unit;
	return sums;
}

static void
set_range(DpemEvaluateSums *sums, int i, double low, double high)
{
	sums->middle[i] = low / 2 + high / 2;
	sums->half[i] = high / 2 - low / 2;
}

static DpemStatisticValue
root_of(DpemStatisticValue mean)
{
	double		root = sqrt(fmax(mean.value, 0));

	return (DpemStatisticValue) {root, root > 0 ? fmin(mean.sd / (2 * root), sqrt(mean.sd)) : sqrt(mean.sd),
								 sqrt(fmax(mean.lower, 0)), sqrt(fmax(mean.upper, 0)), 0};
}

static void
add_rows(DpemEvaluation *e, const DpemEvaluateSums *sums)
{
	double		reach = dpem_noise_half_width(DPEM_NOISE_GAUSSIAN, sums->n_sd, 0);

	dpem_evaluation_add_metric(e, "rows", (DpemStatisticValue) {sums->n, sums->n_sd, sums->n - reach, sums->n + reach, 0});
}

static void
add_bounds(DpemEvaluation *e)
{
	static const char *const name[2] = {"target_lower", "target_upper"};

	for (int i = 0; i < 2; i++)
		dpem_evaluation_add_metric(e, name[i], (DpemStatisticValue) {e->target[i], 0, e->target[i], e->target[i], 0});
}

static void
judge_sums(const DpemEvaluationPlan *plan, const DpemNoisyMoments *m, DpemEvaluation *e)
{
	const DpemEvaluationRequest *r = plan->request;
	DpemEvaluateSums sums = take_sums(plan, m);
	DpemStatisticValue r2;

	add_rows(e, &sums);
	set_range(&sums, 0, r->low, r->high);
	if (r->kind == DPEM_EVALUATE_CLASSES)
	{
		set_range(&sums, 0, 0, r->high);
		set_range(&sums, 1, 0, 2);
		dpem_evaluation_add_metric(e, "log_loss", mean_of(&sums, 0));
		dpem_evaluation_add_metric(e, "brier_score", mean_of(&sums, 1));
		return;
	}
	if (r->kind != DPEM_EVALUATE_REGRESSION)
	{
		dpem_evaluation_add_metric(e, r->kind == DPEM_EVALUATE_DENSITY ? "mean_log_density" : "nicv", mean_of(&sums, 0));
		return;
	}
	set_range(&sums, 0, 0, r->high * r->high);
	set_range(&sums, 1, 0, r->high);
	set_range(&sums, 2, e->target[0] / 2 - e->target[1] / 2, e->target[1] / 2 - e->target[0] / 2);
	set_range(&sums, 3, 0, sums.half[2] * sums.half[2]);
	dpem_evaluate_r2(&sums, &r2);
	if (plan->fit.stage[DPEM_EVALUATE_LOCATION].line >= 0)
		add_bounds(e);
	dpem_evaluation_add_metric(e, "r2", r2);
	dpem_evaluation_add_metric(e, "rmse", root_of(mean_of(&sums, 0)));
	dpem_evaluation_add_metric(e, "mean_absolute_error", mean_of(&sums, 1));
}

/* ---- where the target is ---- */

/* x in the box, in the target's own unit */
static double
target_at(const DpemColumn *target, double x)
{
	double		lower = dpem_scale_apply(target->scale, target->lower);
	double		upper = dpem_scale_apply(target->scale, target->upper);

	return dpem_fit_own_number(target, lower + (upper - lower) * (x + 1) / 2);
}

/*
 * Of a target that is somewhere in a wide domain sums are of what is near: in those of the whole domain noise hides how much it
 * varies, and with it r2.  It is cut off no nearer than residuals are, or it would vary less than they do.
 */
static void
locate_target(const DpemEvaluationPlan *plan, DpemFitRun *run, DpemEvaluation *e)
{
	const DpemColumn *target = plan->fit.binding->target;
	const DpemFitStage *stage = &plan->fit.stage[DPEM_EVALUATE_LOCATION];
	double		reach = plan->request->high;
	DpemMargins *margins;
	DpemWorkspace work;
	double		center;
	double		deviation;

	e->target[0] = target ? target->lower : -1;
	e->target[1] = target ? target->upper : 1;
	if (stage->line < 0)
		return;
	margins = dpem_fit_release_number(run, stage, plan->target);
	work = dpem_fit_workspace(dpem_target_locate_work(&margins->grid));
	dpem_target_locate(margins, 0, &center, &deviation, work);
	pfree(work.next);
	deviation *= DPEM_EVALUATE_TARGET_REACH;
	e->target[0] = Max(target->lower, Min(target_at(target, center - deviation), target_at(target, center) - reach));
	e->target[1] = Min(target->upper, Max(target_at(target, center + deviation), target_at(target, center) + reach));
}

/* ---- the whole ---- */

DpemEvaluation *
dpem_evaluation_run(const DpemEvaluationPlan *plan)
{
	DpemEvaluation *e = palloc0(sizeof(DpemEvaluation));
	DpemFitRun	run = {0};

	dpem_fit_begin(&run, &plan->fit);
	locate_target(plan, &run, e);
	if (plan->request->kind == DPEM_EVALUATE_TOPICS)
		dpem_evaluation_judge_topics(plan, &run, e);
	else if (plan->request->values > 0)
		judge_sums(plan, release(plan, &run, DPEM_EVALUATE_SUMS, e), e);
	if (plan->tables != NULL)
		dpem_evaluation_judge_tables(plan, &run, e);
	if (plan->request->values != 1)
		take_cells(plan, release(plan, &run, DPEM_EVALUATE_CELLS, e), e);
	if (e->classes > 2)
		judge_pairs(e);
	else if (e->classes == 2)
		judge_classes(plan, e);
	else if (e->classes == 1)
		judge_residuals(plan, e);
	dpem_fit_end(&run);
	dpem_fit_payment(&run, &e->charge, &e->maker);
	return e;
}
