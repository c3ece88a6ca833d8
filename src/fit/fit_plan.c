/*
 * fit_plan.c - the part of a plan that all families share; see fit.h.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "core/accounting/budget_rule.h"
#include "core/gam/gam_bins.h"
#include "fit/fit.h"
#include "ledger/totals.h"
#include "registry/source_relations.h"
#include "wall/release_choice.h"

void
dpem_fit_bad_argument(const char *name, const char *value, const char *allowed)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s must be %s, not %s", name, allowed, value)));
}

static DpemComposition
choose_composition(const DpemFitRequest *request, const DpemDataset *ds)
{
	DpemComposition composition;
	const char *name = request->composition;

	if (name == NULL)
		name = dpem_accountant_composition(dpem_accountant_from_name(ds->accountant));
	if (!dpem_composition_from_name(name, &composition))
		dpem_fit_bad_argument("composition", psprintf("\"%s\"", name),
							  "exact, zcdp, rdp, ma, advanced or linear");
	return composition;
}

/*
 * Every unit is drawn by itself, whatever the adjacency: a sample of a fixed
 * size would tell how many there are, which a view, for one, makes of values.
 * The other accountants know no sampling and would book the releases as if
 * every unit had been read.
 */
static void
init_sample(DpemFitPlan *plan)
{
	double		rate = plan->request->sampling_rate;

	plan->sample = (DpemSample) {DPEM_SAMPLING_NONE, 1};
	if (!(rate > 0 && rate < 1))
		return;
	if (plan->composition != DPEM_COMPOSE_RDP && plan->composition != DPEM_COMPOSE_MA)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("sampling_rate must be null with composition \"%s\", which gains nothing from sampling",
						dpem_composition_name(plan->composition)),
				 errhint("Sampling is for datasets whose accountant is rdp or ma.")));
	plan->sample = (DpemSample) {
		plan->dataset->replace_one ? DPEM_SAMPLING_POISSON_REPLACE : DPEM_SAMPLING_POISSON, dpem_sample_rate(rate)
	};
}

static void
init_charge(DpemFitPlan *plan)
{
	const DpemFitRequest *r = plan->request;
	DpemChargeRequest *charge = &plan->charge;

	charge->dataset = plan->dataset->id;
	charge->account = plan->dataset->account;
	charge->role = GetUserId();
	charge->epsilon = r->epsilon;
	charge->delta = r->delta;
	strlcpy(charge->function, r->function, DPEM_CHARGE_NAME);
	strlcpy(charge->composition, dpem_composition_name(plan->composition), DPEM_CHARGE_NAME);
}

/* three digits, not less than x: a hint that is taken must work */
static char *
rounded_up(double x)
{
	double		unit = pow(10, floor(log10(x)) - 2);

	return psprintf("%g", ceil(x / unit * (1 - 1e-9)) * unit);
}

double
dpem_fit_require_cost(const DpemFitPlan *plan)
{
	const DpemDataset *ds = plan->dataset;
	DpemAccountant accountant = dpem_accountant_from_name(ds->accountant);
	DpemLimit	limit = {ds->epsilon, ds->delta, ds->keys_share};
	double		epsilon = plan->request->epsilon;
	double		least;
	double		part;
	DpemTotals	cost;

	if (!plan->noisy)
		return 0;
	least = dpem_budget_least_call(accountant, limit, dpem_fit_noise_delta(plan));
	if (!(epsilon >= least))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("epsilon %g at delta %g is less than a call of dataset \"%s\" must cost",
						epsilon, plan->request->delta, ds->name),
				 errhint("Ask for an epsilon of at least %s.", rounded_up(least))));
	if (plan->charge.nlines == 0)
		return 0;
	cost = dpem_total_cost(&plan->charge);
	part = dpem_budget_part(accountant, &cost, limit, dpem_budget_units_limit(accountant, limit));
	if (dpem_budget_is_least(accountant, &cost, limit, part))
		return part;
	if (dpem_fit_is_sampled(plan))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("at sampling_rate %g, epsilon %g is less than a call of dataset \"%s\" must cost",
						plan->sample.rate, epsilon, ds->name),
				 errhint("Ask for a larger sampling_rate, or a larger epsilon.")));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("with composition \"%s\", epsilon %g is less than a call of dataset \"%s\" must cost",
					dpem_composition_name(plan->composition), epsilon, ds->name),
			 errhint(plan->request->composition ? "Leave out composition, or ask for a larger epsilon." : "Ask for a larger epsilon.")));
}

void
dpem_fit_plan_init(DpemFitPlan *plan, const DpemFitRequest *request)
{
	const DpemDataset *ds = dpem_dataset_load(request->dataset);
	DpemBinding *bound = dpem_bind(ds, &request->bind);

	plan->request = request;
	plan->dataset = ds;
	plan->binding = bound;
	plan->noisy = isfinite(request->epsilon) && !request->nominal;
	plan->d = dpem_binding_dimension(bound);
	plan->composition = choose_composition(request, ds);
	plan->iterations = request->iterations;
	plan->clip_norm = request->clip_norm > 0 ? request->clip_norm : sqrt(dpem_binding_square(plan->binding));
	plan->groups = dpem_binding_seeks_keys(bound) ? 2 : dpem_binding_groups(bound);
	/* how many rows match or are in a group is private, whoever knows how many there are */
	if (ds->replace_one && ds->unit == NULL && bound->filter == NULL && bound->holdout == 0 &&
		bound->grouping == NULL)
		plan->public_rows = dpem_dataset_public_rows(ds);
	init_sample(plan);
	init_charge(plan);
	(void) dpem_fit_require_cost(plan);
}

double *
dpem_fit_coordinates(const DpemFitPlan *plan, const double *x, int n)
{
	const DpemColumn **column = dpem_binding_columns(plan->binding);
	size_t		length = (size_t) n * plan->d;
	double	   *y = palloc(length * sizeof(double));

	for (size_t i = 0; i < length; i++)
		y[i] = dpem_scale_point(column[i % plan->d]->scale, column[i % plan->d]->lower, x[i]);
	return y;
}

static void
check_status(const DpemFitPlan *plan, DpemStatus status)
{
	if (status == DPEM_OK)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("composition \"%s\" has no noise level for epsilon %g and delta %g",
					dpem_composition_name(plan->composition), plan->request->epsilon,
					plan->request->delta),
			 errhint("The classical Gaussian theorem needs a step's epsilon below 1: ask for a smaller epsilon, more iterations, or composition exact.")));
}

double
dpem_fit_noise_delta(const DpemFitPlan *plan)
{
	return plan->request->delta - plan->failure;
}

static double
parts_of_budget(const DpemFitPlan *plan)
{
	return plan->request->together > 0 ? plan->request->together : 1;
}

double
dpem_fit_noise_multiplier(const DpemFitPlan *plan, double share, double root_sum, int releases)
{
	double		epsilon = plan->request->epsilon;
	double		delta = dpem_fit_noise_delta(plan);
	double		z;

	if (dpem_composition_is_classical(plan->composition))
	{
		double		part = sqrt(share) / root_sum / parts_of_budget(plan);

		check_status(plan, dpem_calibrate_noise_multiplier(plan->composition, epsilon * part, delta * part, releases, &z));
	}
	else
	{
		check_status(plan, dpem_calibrate_noise_multiplier(plan->composition, epsilon, delta, 1, &z));
		z *= sqrt(releases * parts_of_budget(plan) / share);
	}
	return z * DPEM_NOISE_MARGIN;
}

double
dpem_fit_pure_multiplier(const DpemFitPlan *plan, DpemCostKind kind, int releases)
{
	double		z;

	check_status(plan, dpem_cost_multiplier(kind, plan->composition, plan->request->epsilon,
											dpem_fit_noise_delta(plan), releases * parts_of_budget(plan), &z));
	return z * DPEM_NOISE_MARGIN;
}

void
dpem_fit_scale_lines(const DpemFitPlan *plan, DpemCostLine *lines, int n)
{
	check_status(plan, dpem_cost_calibrate(lines, n, 0, plan->composition, plan->request->epsilon,
										   dpem_fit_noise_delta(plan), 0));
	for (int i = 0; i < n; i++)
		lines[i].noise_multiplier *= DPEM_NOISE_MARGIN;
}

double
dpem_fit_exact_multiplier(const DpemFitPlan *plan, double share)
{
	double		z = 0;

	if (plan->noisy)
		check_status(plan, dpem_calibrate_noise_multiplier(DPEM_COMPOSE_EXACT, plan->request->epsilon,
														   dpem_fit_noise_delta(plan), 1, &z));
	return z / sqrt(share);
}

static DpemCostKind
cost_kind(DpemMechanism mechanism)
{
	if (mechanism == DPEM_MECHANISM_EXPONENTIAL)
		return DPEM_COST_CHOICE;
	return mechanism == DPEM_MECHANISM_LAPLACE ? DPEM_COST_LAPLACE : DPEM_COST_GAUSSIAN;
}

DpemCostLine
dpem_fit_cost_of_line(const DpemChargeLine *line)
{
	return (DpemCostLine) {
		cost_kind(line->mechanism), line->noise_multiplier, line->releases, line->sampling, line->sampling_rate
	};
}

bool
dpem_fit_is_sampled(const DpemFitPlan *plan)
{
	return plan->sample.sampling != DPEM_SAMPLING_NONE;
}

double
dpem_fit_sample_rows(const DpemFitPlan *plan)
{
	return plan->public_rows * plan->sample.rate;
}

/* what the lines so far have left of the budget */
static DpemCostLine
sampled_cost(const DpemFitPlan *plan, int releases)
{
	DpemCostLine lines[DPEM_CHARGE_MAX_LINES + 1];
	int			n = plan->charge.nlines;

	for (int i = 0; i < n; i++)
		lines[i] = dpem_fit_cost_of_line(&plan->charge.lines[i]);
	lines[n] = (DpemCostLine) {DPEM_COST_GAUSSIAN, 1, releases, plan->sample.sampling, plan->sample.rate};
	check_status(plan, dpem_cost_calibrate(lines, n + 1, n, plan->composition, plan->request->epsilon,
										   dpem_fit_noise_delta(plan), 0));
	lines[n].noise_multiplier *= DPEM_NOISE_MARGIN;
	return lines[n];
}

DpemCostLine
dpem_fit_gaussian_cost(const DpemFitPlan *plan, bool sampled, double share, double root_sum, int releases)
{
	if (sampled && dpem_fit_is_sampled(plan))
		return sampled_cost(plan, releases);
	return dpem_cost_line(DPEM_COST_GAUSSIAN, dpem_fit_noise_multiplier(plan, share, root_sum, releases), releases);
}

static void
set_curve(DpemChargeLine *line, const DpemCostLine *cost)
{
	double		rdp[DPEM_RDP_ORDERS];

	if (dpem_cost_curve(cost, rdp) != DPEM_OK)
		elog(ERROR, "dpem: a release without a Renyi curve");
	line->curve.any = true;
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		line->curve.units[i] = dpem_cost_units(rdp[i]);
}

int
dpem_fit_add_line(DpemFitPlan *plan, const char *statistic, DpemMechanism mechanism,
				  const DpemCostLine *cost)
{
	int			line = plan->charge.nlines++;
	DpemChargeLine *l;

	if (line >= DPEM_CHARGE_MAX_LINES)
		elog(ERROR, "dpem: a charge of too many lines");
	l = &plan->charge.lines[line];
	strlcpy(l->statistic, statistic, DPEM_CHARGE_NAME);
	l->mechanism = mechanism;
	l->noise_multiplier = cost->noise_multiplier;
	l->releases = (int32) cost->releases;
	l->sampling = cost->sampling;
	l->sampling_rate = cost->sampling == DPEM_SAMPLING_NONE ? 1 : cost->sampling_rate;
	if (dpem_cost_has_curve(cost))
		set_curve(l, cost);
	l->mu2_units = dpem_cost_units(dpem_cost_mu2(cost, 1));
	l->rho_units = dpem_cost_units(dpem_cost_rho(cost, 1));
	return line;
}

int
dpem_fit_minimum(const DpemFitPlan *plan)
{
	return plan->noisy ? Max(plan->request->minimum, plan->dataset->minimum) : 0;
}

double
dpem_fit_minimum_rows(const DpemFitPlan *plan)
{
	return (double) dpem_fit_minimum(plan) * plan->dataset->max_rows_per_unit;
}

void
dpem_fit_require_counted(const DpemFitPlan *plan, const char *what)
{
	if (dpem_fit_minimum(plan) > 0 && plan->binding->filter != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("filter must be null for %s under a minimum of %d persons", what, dpem_fit_minimum(plan)),
				 errdetail("Its release does not say how many rows the filter leaves."),
				 errhint("dp_quantiles releases their number, too.")));
}

void
dpem_fit_tell_hidden(const DpemFitPlan *plan, int hidden, int n, const char *things)
{
	if (hidden > 0)
		ereport(NOTICE,
				(errmsg("%s: %d of %d %s are not shown", plan->request->function, hidden, n, things),
				 errdetail("Noisy numbers say that they stand for fewer than %d persons, the minimum of the %s.", dpem_fit_minimum(plan),
						   plan->request->minimum > plan->dataset->minimum ? "call" : "dataset")));
}

void
dpem_fit_notice_equal(const DpemFitRequest *request, int components)
{
	ereport(NOTICE,
			(errmsg("%s: the noise is larger than what %d components could differ by: they will be equal, each of all rows",
					request->function, components),
			 errhint("Ask for fewer components, more epsilon or fewer columns.")));
}

static void
require_open(const void *plan)
{
	dpem_fit_require_open(plan);
}

DpemKeptQuestion *
dpem_fit_question(const DpemFitPlan *plan, const char *what, const char *before, const char *after)
{
	const DpemFitRequest *r = plan->request;
	DpemKeptQuestion *q = dpem_kept_question(plan->binding, what, psprintf("%scomposition %s%s", before, dpem_composition_name(plan->composition), after));

	q->function = r->function;
	q->epsilon = r->epsilon;
	q->delta = r->delta;
	q->fresh = r->fresh;
	q->require_open = require_open;
	q->asked = plan;
	return q;
}

int
dpem_fit_cut_number(const DpemFitPlan *plan, const DpemColumn *column, int bins, bool equal, double *edge)
{
	DpemScaledDomain domain = {column->scale, column->lower, column->upper};
	bool		whole = dpem_type_is_whole(column->type);

	if (equal || OidIsValid(column->calendar))
		return dpem_gam_equal_bins(&domain, whole, bins, edge);
	return dpem_gam_drop_near(dpem_gam_spread_bins(&domain, whole, bins, edge), plan->d, plan->clip_norm, edge);
}
