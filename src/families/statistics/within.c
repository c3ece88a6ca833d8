/*
 * within.c - see within.h.
 *
 * The search begins at an epsilon below 1, for which every composition has noise,
 * and doubles or halves it until the width passes what was asked for.
 */
#include "postgres.h"

#include <math.h>

#include "core/accounting/budget_rule.h"
#include "families/statistics/within.h"
#include "fit/fit_arguments.h"

#define FIRST_EPSILON	0.9
#define MOST_EPSILON	1e9
#define CLASSICAL_EPSILON	0.999999
#define TOLERANCE		1.005

typedef struct Search
{
	const void *request;
	DpemFitRequest *fit;
	DpemWidth	width;
	double		within;
	const char *hint;
} Search;

double
dpem_within_argument(const DpemArguments *a)
{
	return dpem_named_magnitude(a, "within", DPEM_LEAST_NUMBER, 0);
}

static bool
is_met(const Search *s, double epsilon, const DpemFitPlan **plan)
{
	double		width;

	s->fit->epsilon = epsilon;
	width = s->width(s->request, plan);
	if (isnan(width))
		dpem_refuse_argument("within must be null: the noise of this statistic is not known in advance", s->hint);
	return width <= s->within;
}

/* the least that a call may cost; private keys leave less of delta to the noise, which makes it more */
static double
least_epsilon(const DpemFitPlan *plan)
{
	const DpemDataset *ds = plan->dataset;
	DpemLimit	limit = {ds->epsilon, ds->delta, ds->keys_share};

	return dpem_budget_least_call(dpem_accountant_from_name(ds->accountant), limit, dpem_fit_noise_delta(plan));
}

/* the classical Gaussian theorem is of epsilons below 1 */
static double
most_epsilon(const DpemFitPlan *plan)
{
	bool		classical = dpem_composition_is_classical(plan->composition);

	if (classical && plan->charge.nlines == 1 && dpem_fit_cost_of_line(&plan->charge.lines[0]).kind == DPEM_COST_GAUSSIAN)
		return CLASSICAL_EPSILON;
	return MOST_EPSILON;
}

/* the first doubling at which the width is small enough */
static double
double_until_met(const Search *s, double epsilon, double most)
{
	const DpemFitPlan *plan;

	do
	{
		if (epsilon >= most)
			dpem_refuse_argument(psprintf("within must be larger than %g: no epsilon that the composition allows is enough", s->within),
								 "Ask for a wider interval, or for another composition or mechanism.");
		epsilon = fmin(epsilon * 2, most);
	} while (!is_met(s, epsilon, &plan));
	return epsilon;
}

/* the first halving at which it no longer is; `least` if it is there, too */
static double
halve_while_met(const Search *s, double epsilon, double least)
{
	const DpemFitPlan *plan;

	do
		epsilon = fmax(epsilon / 2, least);
	while (is_met(s, epsilon, &plan) && epsilon > least);
	return epsilon;
}

static double
narrow(const Search *s, double low, double high)
{
	const DpemFitPlan *plan;

	while (high > low * TOLERANCE)
	{
		double		middle = sqrt(low * high);

		if (is_met(s, middle, &plan))
			high = middle;
		else
			low = middle;
	}
	return high;
}

void
dpem_within_find(const void *request, DpemFitRequest *fit, double within, DpemWidth width, const char *hint)
{
	Search		s = {request, fit, width, within, hint};
	const DpemFitPlan *plan;
	double		least;
	double		low;
	double		high;

	if (is_met(&s, FIRST_EPSILON, &plan))
	{
		least = least_epsilon(plan);
		low = halve_while_met(&s, FIRST_EPSILON, least);
		fit->epsilon = is_met(&s, low, &plan) ? low : narrow(&s, low, low * 2);
		return;
	}
	high = double_until_met(&s, FIRST_EPSILON, most_epsilon(plan));
	fit->epsilon = narrow(&s, high / 2, high);
}

void
dpem_within_forecast(DpemForecast *f, double epsilon, double width)
{
	dpem_forecast_remark(f, "epsilon", epsilon);
	dpem_forecast_remark(f, "within, 95 %", width);
}
