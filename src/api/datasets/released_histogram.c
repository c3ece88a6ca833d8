/*
 * released_histogram.c - see released_histogram.h.
 *
 * The release itself, not a call of dp_histogram by its name, which whoever may create functions could overload.
 */
#include "postgres.h"

#include <math.h>

#include "answers/kept.h"
#include "api/datasets/released_histogram.h"
#include "fit/fit_model.h"
#include "server/arguments.h"

DpemStatisticValue *
dpem_released_histogram(const char *function, const DpemDataset *ds, const char *column, double epsilon, double delta, double *edge, int n)
{
	DpemStatisticRequest *r = palloc0(sizeof(DpemStatisticRequest));

	if (!(isinf(epsilon) && epsilon > 0))
		(void) dpem_check_epsilon("epsilon", epsilon);
	(void) dpem_check_delta("delta", delta);
	r->statistic = dpem_statistic_from_name("count");
	r->fit = (DpemFitRequest) {.function = function,.dataset = ds->name,.epsilon = epsilon,.delta = delta,.iterations = 1,.fresh = dpem_fresh};
	r->fit.bind = (DpemBindingRequest) {
		.rows = DPEM_BIND_ALONE,.own_units = true,.by = pstrdup(column),.groups = DPEM_BY_BINS,.bins = n,.edges = edge
	};
	dpem_fit_require_possible(&r->fit);
	return dpem_statistic_answer(dpem_statistic_plan(r));
}
