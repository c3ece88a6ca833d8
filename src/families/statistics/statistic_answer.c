/*
 * statistic_answer.c - what is kept of a statistic, or a release of it, which is kept.
 */
#include "postgres.h"

#include <math.h>

#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "answers/kept.h"
#include "families/statistics/minimum.h"
#include "families/statistics/statistics.h"

/* "avg(age)" */
static char *
name_of(const DpemStatisticPlan *plan)
{
	const List *columns = plan->request->fit.bind.columns;
	StringInfoData out;
	ListCell   *cell;

	initStringInfo(&out);
	appendStringInfoString(&out, plan->request->statistic->name);
	foreach(cell, columns)
		appendStringInfo(&out, "%s%s", foreach_current_index(cell) == 0 ? "(" : ", ", quote_identifier(lfirst(cell)));
	appendStringInfoString(&out, columns == NIL ? "" : ")");
	return out.data;
}

/* what the noise depends on besides the price */
static DpemKeptQuestion *
question_of(const DpemStatisticPlan *plan)
{
	const char *after = psprintf("%s%s", plan->request->clamp ? ", clamped" : "", dpem_minimum_text(dpem_fit_minimum(&plan->fit)));

	return dpem_fit_question(&plan->fit, name_of(plan), plan->spec.noise == DPEM_NOISE_LAPLACE ? "laplace noise, " : "gaussian noise, ", after);
}

/*
 * Noise of a count or a sum is that of the release; what is clamped, or a key that was chosen, is not what another release is of,
 * and which releases a minimum shows depends on their noise.
 */
bool
dpem_statistic_adds(const DpemStatisticPlan *plan)
{
	const char *name = plan->request->statistic->name;

	return plan->fit.noisy && plan->spec.noise == DPEM_NOISE_GAUSSIAN && !plan->clamps && dpem_fit_minimum(&plan->fit) == 0 && !dpem_binding_has_key(plan->fit.binding) &&
		(strcmp(name, "count") == 0 || strcmp(name, "sum") == 0);
}

static DpemStatisticValue *
take_kept(const DpemStatisticPlan *plan, const DpemKeptAnswer *a)
{
	DpemStatisticValue *value = MemoryContextAllocHuge(CurrentMemoryContext, Max(a->n, 1) * sizeof(DpemStatisticValue));
	char	  **key = MemoryContextAllocHuge(CurrentMemoryContext, Max(a->n, 1) * sizeof(char *));

	for (int i = 0; i < a->n; i++)
	{
		const DpemKeptCell *c = &a->cell[i];

		value[i] = (DpemStatisticValue) {c->value, c->noise, c->lower, c->upper, 0};
		key[i] = unconstify(char *, c->key);
	}
	if (dpem_binding_has_key(plan->fit.binding))
		dpem_binding_know_keys(plan->fit.binding, key, a->n);
	else if (a->n != dpem_binding_groups(plan->fit.binding))
		elog(ERROR, "dpem: an answer of other groups");
	return value;
}

static void
keep(const DpemStatisticPlan *plan, const DpemKeptQuestion *q, const DpemStatisticValue *value, int64 charge)
{
	const char *name = name_of(plan);
	int			n = dpem_binding_groups(plan->fit.binding);
	DpemKeptAnswer a = {.n = n,.epsilon = q->epsilon,.delta = q->delta,.charge = charge,.answered_at = GetCurrentTimestamp()};

	a.cell = MemoryContextAllocHuge(CurrentMemoryContext, Max(n, 1) * sizeof(DpemKeptCell));
	for (int g = 0; g < n; g++)
		a.cell[g] = (DpemKeptCell) {
			name, dpem_kept_key(plan->fit.binding, g), value[g].value, value[g].sd, value[g].lower, value[g].upper, NAN,
				dpem_statistic_adds(plan) && value[g].sd > 0
		};
	dpem_kept_store(q, &a);
}

DpemStatisticValue *
dpem_statistic_answer(DpemStatisticPlan *plan)
{
	DpemKeptQuestion *q = question_of(plan);
	DpemKeptAnswer *kept = dpem_kept_find(q);
	DpemStatisticValue *value;
	int64		charge = 0;

	if (kept != NULL)
		return take_kept(plan, kept);
	plan->fit.paid = &charge;
	value = dpem_statistic_run(plan);
	plan->fit.paid = NULL;
	keep(plan, q, value, charge);
	return value;
}
