/*
 * factors_plan.c - what a factor or component fit will do and cost, from
 * public facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "core/accounting/choice.h"
#include "core/numeric/linalg.h"
#include "families/factors/factors_run.h"
#include "families/factors/pca_algorithm.h"
#include "fit/fit_arguments.h"
#include "server/arguments.h"
#include "wall/release_choice.h"

static const DpemPcaAlgorithm *const algorithms[] = {
	&dpem_pca_analyze_gauss, &dpem_pca_power_method, &dpem_pca_exponential
};

const char	dpem_pca_algorithm_names[] = "analyze_gauss, power, exponential";

const DpemPcaAlgorithm *
dpem_pca_algorithm(const char *name)
{
	for (int i = 0; i < lengthof(algorithms); i++)
	{
		if (strcmp(algorithms[i]->name, name) == 0)
			return algorithms[i];
	}
	return NULL;
}

/* factors do not depend on the units of columns; components do */
static void
read_precondition(DpemFactorsRequest *r, const char *value, bool factors)
{
	if (value == NULL)
		return;
	r->radius_given = true;
	r->radius_first = strcmp(value, "radius") == 0;
	r->margins_first = strcmp(value, factors ? "standardise" : "margins") == 0;
	r->whiten = factors && strcmp(value, "whiten") == 0;
	if (!r->radius_first && !r->margins_first && !r->whiten && strcmp(value, "none") != 0)
		dpem_refuse_name("precondition", value, factors ? "whiten, standardise, radius, none" : "margins, radius, none");
	if ((r->margins_first || r->whiten) && r->fit.clip_norm > 0)
		dpem_fit_bad_argument("precondition", value, "radius or none with clip_norm");
	if (r->whiten && !r->centered)
		dpem_fit_bad_argument("precondition", value, "standardise, radius or none with a public center");
}

void
dpem_factors_read(const DpemArguments *arguments, const char *k, DpemFactorsRequest *r)
{
	r->k = dpem_named_sizes(arguments, k, &r->fit);
	r->centered = dpem_named_choice(arguments, "center", "private", "public");
	r->fit.bind.marginal = dpem_named_marginal(arguments);
	read_precondition(r, dpem_optional_named_text(arguments, "precondition", true), strcmp(k, "factors") == 0);
}

void
dpem_factors_describe(const DpemFitPlan *fit, DpemModelRecord *record)
{
	const DpemFactorsPlan *plan = (const DpemFactorsPlan *) fit;

	record->precondition = plan->whiten ? "whiten" : plan->margins_first ? (plan->request->algorithm ? "margins" : "standardise")
		: plan->radius_first ? "radius" : "none";
	record->mechanism = plan->request->algorithm ? plan->request->algorithm->name : dpem_pca_analyze_gauss.name;
}

DpemReleaseSpec
dpem_factors_moments_spec(const DpemFactorsPlan *plan)
{
	DpemCovarianceWeights w = dpem_covariance_weights(plan->fit.d, plan->request->centered,
													  plan->fit.dataset->replace_one);

	return dpem_fit_spec(&plan->fit, w.count, w.sum, w.second);
}

/* counts, sums where they are wanted, and the squared norm: three numbers of equal worth */
DpemReleaseSpec
dpem_factors_center_spec(const DpemFactorsPlan *plan)
{
	return dpem_fit_spec(&plan->fit, 1, plan->request->centered ? 1 : 0, 1);
}

DpemReleaseSpec
dpem_factors_projection_spec(const DpemFactorsPlan *plan)
{
	DpemReleaseSpec spec = dpem_fit_spec(&plan->fit, 0, 1, 0);

	spec.contribution = DPEM_PROJECTED;
	return spec;
}

void
dpem_factors_add_stage(DpemFactorsPlan *plan, DpemFactorsStage stage, const char *name, double share,
					   DpemSecondMoment second, double root_sum, int releases)
{
	int			k = plan->spec[stage].contribution == DPEM_PROJECTED ? plan->request->k
		: second == DPEM_SECOND_NONE ? plan->margins.layout.k : plan->fit.groups;
	DpemMomentLayout layout = {k, plan->fit.d, second};
	DpemCostLine cost;

	if (!plan->fit.noisy)
		return;
	cost = dpem_fit_gaussian_cost(&plan->fit, stage == plan->sampled, share, root_sum, releases);
	dpem_release_check(&plan->spec[stage], &layout, cost.noise_multiplier);
	plan->noise_multiplier[stage] = cost.noise_multiplier;
	plan->line[stage] = dpem_fit_add_line(&plan->fit, name, DPEM_MECHANISM_GAUSSIAN, &cost);
}

double
dpem_factors_stage_rows(const DpemFactorsPlan *plan, DpemFactorsStage stage)
{
	return stage == plan->sampled ? dpem_fit_sample_rows(&plan->fit) : plan->fit.public_rows;
}

static void
check_components(const DpemFactorsRequest *r, int d)
{
	const DpemPcaAlgorithm *algorithm = r->algorithm;
	const char *name = algorithm ? "components" : "factors";
	int			most = algorithm ? d : d - 1;

	if (algorithm && algorithm->max_components > 0)
		most = Min(most, algorithm->max_components);
	if (!algorithm && d < 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("factor analysis needs at least 2 coordinates, not %d", d)));
	if (r->k < 1 || r->k > most)
		dpem_fit_bad_argument(name, psprintf("%d", r->k),
							  psprintf("between 1 and %d for %d coordinates", most, d));
}

static void
check_algorithm(const DpemFactorsRequest *r, int d)
{
	const DpemPcaAlgorithm *algorithm = r->algorithm;

	if (algorithm == NULL)
		return;
	if (algorithm->max_dimensions > 0 && d > algorithm->max_dimensions)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("algorithm %s is for at most %d coordinates, not %d", algorithm->name,
						algorithm->max_dimensions, d),
				 errhint("%s", algorithm->limit_hint)));
	if (r->fit.candidates.n > 0 && !algorithm->chooses)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("components must be one number with algorithm %s", algorithm->name),
				 errhint("Several are for algorithm analyze_gauss.")));
	if (r->fit.iterations > 0 && !algorithm->iterates)
		dpem_fit_bad_argument("iterations", psprintf("%d", r->fit.iterations),
							  psprintf("null with algorithm %s", algorithm->name));
	if (r->fit.bind.marginal && algorithm != &dpem_pca_analyze_gauss)
		dpem_refuse_argument(psprintf("missing must be complete with algorithm %s", algorithm->name),
							 "Algorithm analyze_gauss reads rows of which some columns are NULL.");
	if ((r->radius_first || r->margins_first) && !algorithm->finds_radius)
		dpem_fit_bad_argument("precondition", r->radius_first ? "radius" : "margins", psprintf("none with algorithm %s", algorithm->name));
	if (r->fit.bind.by != NULL && !algorithm->groups)
		dpem_fit_bad_argument("by", psprintf("\"%s\"", r->fit.bind.by), psprintf("null with algorithm %s", algorithm->name));
}

static void
check_sampling(const DpemFactorsPlan *plan)
{
	const DpemPcaAlgorithm *algorithm = plan->request->algorithm;

	if (algorithm != NULL && !algorithm->samples && dpem_fit_is_sampled(&plan->fit))
		dpem_fit_bad_argument("sampling_rate", psprintf("%g", plan->request->fit.sampling_rate),
							  psprintf("null with algorithm %s", algorithm->name));
}

DpemFitPlan *
dpem_factors_plan(const DpemFitRequest *fit)
{
	const DpemFactorsRequest *request = (const DpemFactorsRequest *) fit;
	DpemFactorsPlan *plan = palloc0(sizeof(DpemFactorsPlan));

	plan->request = request;
	dpem_linalg_prepare();
	dpem_fit_plan_init(&plan->fit, &request->fit);
	dpem_fit_check_marginal(&plan->fit);
	check_algorithm(request, plan->fit.d);
	check_components(request, plan->fit.d);
	check_sampling(plan);
	for (int s = 0; s < DPEM_FACTORS_STAGES; s++)
		plan->line[s] = -1;
	if (request->algorithm)
		request->algorithm->plan(plan);
	else
		dpem_factors_plan_covariance(plan);
	return &plan->fit;
}

/* own units are known unless the ball is found by the fit */
static void
forecast_moments(const DpemFactorsPlan *plan, DpemForecast *f)
{
	double		rows = plan->radius_first || plan->margins_first || plan->whiten ? 0 : dpem_factors_stage_rows(plan, DPEM_FACTORS_MOMENTS);
	DpemForecastRow *sum;
	DpemForecastRow *second;

	dpem_forecast_joint(f, plan->line[DPEM_FACTORS_MOMENTS], &plan->spec[DPEM_FACTORS_MOMENTS], plan->fit.groups,
						&sum, &second);
	if (sum != NULL)
		sum->column_deviation = dpem_forecast_columns(&plan->fit, sum->deviation, rows, 1);
	/* the first stage of the other algorithms has the one number |x|^2 */
	if (second != NULL && plan->line[DPEM_FACTORS_PASSES] < 0)
		second->column_deviation = dpem_forecast_columns(&plan->fit, second->deviation, rows, 2);
}

static void
forecast_choices(const DpemFactorsPlan *plan, DpemForecast *f)
{
	double		range = (double) dpem_choice_range(1, plan->fit.dataset->replace_one,
												  plan->fit.dataset->max_rows_per_unit);

	dpem_forecast_release(f, plan->line[DPEM_FACTORS_CHOICES], range, NAN);
}

static void
forecast_passes(const DpemFactorsPlan *plan, DpemForecast *f)
{
	const DpemReleaseSpec *spec = &plan->spec[DPEM_FACTORS_PASSES];
	int			line = plan->line[DPEM_FACTORS_PASSES];
	double		sensitivity = dpem_release_sensitivity(spec, plan->request->k, plan->fit.d);

	dpem_forecast_release(f, line, sensitivity, sensitivity * plan->fit.charge.lines[line].noise_multiplier);
}

void
dpem_factors_forecast(const DpemFitPlan *fit, DpemForecast *f)
{
	const DpemFactorsPlan *plan = (const DpemFactorsPlan *) fit;

	if (plan->line[DPEM_FACTORS_MARGINS] >= 0)
		dpem_forecast_joint(f, plan->line[DPEM_FACTORS_MARGINS], &plan->spec[DPEM_FACTORS_MARGINS],
							plan->looks > 0 ? fit->groups : plan->margins.layout.k, NULL, NULL);
	if (plan->line[DPEM_FACTORS_WHITEN] >= 0)
		dpem_forecast_joint(f, plan->line[DPEM_FACTORS_WHITEN], &plan->spec[DPEM_FACTORS_WHITEN], fit->groups, NULL, NULL);
	if (plan->line[DPEM_FACTORS_RADIUS] >= 0)
		dpem_forecast_joint(f, plan->line[DPEM_FACTORS_RADIUS], &plan->spec[DPEM_FACTORS_RADIUS], fit->groups, NULL, NULL);
	forecast_moments(plan, f);
	if (plan->line[DPEM_FACTORS_CHOICES] >= 0)
		forecast_choices(plan, f);
	if (plan->line[DPEM_FACTORS_PASSES] >= 0)
		forecast_passes(plan, f);
}
