/*
 * mixture_plan.c - what a mixture of numbers and categories will do and cost,
 * from public facts alone.
 */
#include "postgres.h"

#include "core/mixture/mixture_rules.h"
#include "core/numeric/linalg.h"
#include "families/mixture/mixture.h"
#include "fit/fit_arguments.h"

static bool
names(List *list, const char *name)
{
	ListCell   *cell;

	foreach(cell, list)
	{
		if (strcmp(lfirst(cell), name) == 0)
			return true;
	}
	return false;
}

static void
check_poisson(const DpemFitPlan *plan, const char *name)
{
	ListCell   *cell;

	foreach(cell, plan->binding->columns)
	{
		const DpemColumn *column = lfirst(cell);

		if (strcmp(column->name, name) != 0)
			continue;
		if (column->kind != DPEM_COLUMN_NUMBER || column->lower < 0 || column->scale != DPEM_SCALE_LINEAR)
			dpem_refuse_argument(psprintf("column \"%s\" cannot be a count: its domain must be of numbers from 0 on, with scale linear", name),
								 "Leave it out of poisson: it is a normal number then.");
		return;
	}
	dpem_refuse_argument(psprintf("poisson names \"%s\", which is none of the columns", name),
						 "Name columns of the fit.");
}

/* laws and labels of the coordinates, in the order of the binding */
static void
describe_rows(DpemMixturePlan *plan, List *poisson)
{
	DpemMixtureRows *rows = &plan->rows;
	DpemMixtureLaw *law;
	int		   *label;
	int			j = 0;
	ListCell   *cell;

	rows->d = dpem_binding_source_dimension(plan->fit.binding);
	rows->missing = plan->fit.d > rows->d;
	law = palloc(rows->d * sizeof(DpemMixtureLaw));
	label = palloc(rows->d * sizeof(int));
	foreach(cell, plan->fit.binding->columns)
	{
		const DpemColumn *column = lfirst(cell);
		int			first = j;

		if (column->kind == DPEM_COLUMN_NUMBER)
			rows->numbers++;
		for (int i = 0; i < column->length && j < rows->d; i++, j++)
		{
			law[j] = column->kind == DPEM_COLUMN_LABEL ? DPEM_LAW_CATEGORY
				: names(poisson, column->name) ? DPEM_LAW_POISSON : DPEM_LAW_NORMAL;
			label[j] = first;
		}
	}
	rows->law = law;
	rows->label = label;
}

/* without noise hardly anything has to be clipped; but products of its square lose digits (dpem_mixture_prepare) */
static double
choose_radius(const DpemMixturePlan *plan)
{
	const DpemMixtureRows *rows = &plan->rows;

	return plan->fit.noisy ? dpem_mixture_radius(rows->numbers, dpem_mixture_labels(rows), rows->missing ? rows->numbers : 0) : 1000;
}

static void
check_size(const DpemFitPlan *plan)
{
	if (plan->d > DPEM_MIXTURE_MAX_COORDINATES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a mixture of numbers and categories is for at most %d coordinates, not %d",
						DPEM_MIXTURE_MAX_COORDINATES, plan->d),
				 errdetail("Each category of a label is a coordinate, and each number that may be NULL is two."),
				 errhint("Name fewer columns.")));
	dpem_fit_check_second_moments(plan, "Name fewer columns.");
}

static DpemReleaseSpec
spec_of(const DpemFitPlan *fit)
{
	double		weight[3];

	dpem_mixture_weights(&weight[0], &weight[1], &weight[2]);
	return dpem_fit_spec(fit, weight[0], weight[1], weight[2]);
}

/* from public facts: where the number of rows is not public, the passes are made */
static bool
is_hidden(const DpemMixturePlan *plan)
{
	const DpemFitPlan *fit = &plan->fit;
	DpemReleaseSpec spec = spec_of(fit);
	double		share = dpem_mixture_shares.components / fit->iterations;
	double		sd[3];

	if (!fit->noisy || fit->public_rows <= 0 || plan->k == 1)
		return false;
	dpem_release_noise(&spec, plan->k, fit->d, dpem_fit_exact_multiplier(fit, share), &sd[0], &sd[1], &sd[2]);
	return dpem_mixture_is_hidden(plan->k, fit->public_rows, plan->rows.radius * sd[1] / fit->sample.rate);
}

static void
choose_passes(DpemMixturePlan *plan)
{
	bool		hidden = plan->fit.request->iterations == 0 && is_hidden(plan);

	plan->passes = plan->k == 1 || hidden ? 0 : plan->fit.iterations;
	plan->early = Min(3 * plan->k, 3 * DPEM_MIXTURE_MAX_COMPONENTS);
	if (hidden)
		dpem_fit_notice_equal(plan->fit.request, plan->k);
}

/* of all groups: moments of the first passes, and each group's frame and parameters */
static void
check_components(const DpemMixturePlan *plan)
{
	double		n = plan->fit.d;
	double		all = (double) plan->fit.groups * (plan->passes > 0 ? plan->early : plan->k);
	DpemMomentLayout layout = {1, plan->fit.d, DPEM_SECOND_DIAGONAL};
	double		bytes = all * dpem_moments_length(&layout) * sizeof(DpemInt128);

	if (all > DPEM_PASS_MAX_COMPONENTS || 2 * bytes > MaxAllocSize || 8 * (all * 4 * n + plan->fit.groups * n * n) > MaxAllocSize)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%d components in %d coordinates do not fit into memory for %d groups", plan->k, plan->fit.d, plan->fit.groups),
				 errhint("Ask for fewer components, or name fewer columns.")));
}

/* without passes as much as the moments of all rows; the usual one without noise */
static double
margins_share(const DpemMixturePlan *plan)
{
	const DpemFitPlan *fit = &plan->fit;

	if (plan->passes == 0)
		return dpem_mixture_shares.total;
	if (!fit->noisy)
		return dpem_mixture_shares.margins;
	return dpem_mixture_margins_share(fit->public_rows, dpem_fit_margins_noise(fit, &plan->grid, 1, 1));
}

static void
plan_stages(DpemMixturePlan *plan)
{
	DpemFitPlan *fit = &plan->fit;
	const DpemMixtureShares *shares = &dpem_mixture_shares;
	double		margins = shares->margins;

	if (plan->rows.numbers > 0)
	{
		plan->grid = dpem_margin_grid(plan->rows.numbers, fit->groups, fit->clip_norm);
		plan->grid.known = plan->rows.missing ? plan->rows.d : 0;
		margins = margins_share(plan);
		fit->stage[DPEM_MIXTURE_MARGINS] = dpem_fit_margins_stage(fit, &plan->grid, margins);
	}
	fit->stage[DPEM_MIXTURE_TOTAL] = (DpemFitStage) {
		.statistic = "all rows",.share = shares->total,.releases = 1,
			.spec = spec_of(fit),.layout = {fit->groups, fit->d, DPEM_SECOND_FULL}
	};
	fit->stage[DPEM_MIXTURE_COMPONENTS] = (DpemFitStage) {
		.statistic = "components",.share = plan->passes > 0 ? shares->components + shares->margins - margins : 0,.releases = plan->passes,
			.spec = spec_of(fit),
			.layout = {fit->groups * plan->k, fit->d, DPEM_SECOND_DIAGONAL},.sampled = true
	};
	dpem_fit_plan_stages(fit, DPEM_MIXTURE_STAGES);
}

DpemFitPlan *
dpem_mixture_plan(const DpemFitRequest *request)
{
	const DpemMixtureRequest *own = (const DpemMixtureRequest *) request;
	DpemMixturePlan *plan = palloc0(sizeof(DpemMixturePlan));
	ListCell   *cell;

	dpem_linalg_prepare();
	dpem_fit_plan_init(&plan->fit, request);
	plan->k = own->k;
	check_size(&plan->fit);
	foreach(cell, own->poisson)
		check_poisson(&plan->fit, lfirst(cell));
	if (plan->fit.iterations == 0)
		plan->fit.iterations = dpem_mixture_iterations(own->k);
	describe_rows(plan, own->poisson);
	plan->rows.radius = choose_radius(plan);
	choose_passes(plan);
	check_components(plan);
	plan_stages(plan);
	return &plan->fit;
}
