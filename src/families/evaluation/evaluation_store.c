/*
 * evaluation_store.c - evaluations that were paid for, beside the model; and the residuals of the last one.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "families/evaluation/evaluation.h"
#include "server/as_owner.h"
#include "server/attempt.h"

typedef struct Saving
{
	const DpemEvaluationPlan *plan;
	const DpemEvaluation *evaluation;
} Saving;

static const char *
kind_name(const DpemEvaluationRequest *r)
{
	static const char *const names[] = {"classes", "residuals", "density", "distance", "margins", "topics"};

	return r->classes > 2 ? "pairs" : names[r->kind];
}

/* names of the classes that cells are counted by; NULL where the cells have bins */
static Datum
categories_of(const DpemEvaluationPlan *plan, const DpemEvaluation *e)
{
	const DpemLabel *label = plan->fit.binding->label;
	Datum	   *name = palloc(Max(e->classes, 1) * sizeof(Datum));

	if (e->classes <= 2)
		return (Datum) 0;
	for (int i = 0; i < e->classes; i++)
		name[i] = CStringGetTextDatum(label->category[i]);
	return PointerGetDatum(construct_array(name, e->classes, TEXTOID, -1, false, TYPALIGN_INT));
}

/* nothing if the model was dropped meanwhile, whatever has its name now */
static void
insert_evaluation(const Saving *s)
{
	const DpemEvaluationRequest *r = s->plan->request;
	const DpemEvaluation *e = s->evaluation;
	Oid			types[] = {INT8OID, INT8OID, TEXTOID, INT8OID, TEXTOID, TEXTOID, FLOAT8OID, FLOAT8OID, FLOAT8OID, FLOAT8OID, FLOAT8ARRAYOID, FLOAT8OID, TEXTARRAYOID};
	char		nulls[] = "             ";
	Datum		values[] = {Int64GetDatum(r->id), Int64GetDatum(e->charge), CStringGetTextDatum(s->plan->fit.dataset->name),
		Int64GetDatum(e->maker), CStringGetTextDatum(kind_name(r)), (Datum) 0, Float8GetDatum(r->fit.epsilon),
		Float8GetDatum(r->fit.delta), Float8GetDatum(r->low), Float8GetDatum(r->high), (Datum) 0, Float8GetDatum(e->cells.sd), categories_of(s->plan, e)};

	nulls[5] = r->fit.bind.filter ? ' ' : 'n';
	values[5] = r->fit.bind.filter ? CStringGetTextDatum(r->fit.bind.filter) : (Datum) 0;
	nulls[10] = e->classes > 0 ? ' ' : 'n';
	values[10] = e->classes > 0 ? dpem_float8_array(e->cells.count, e->classes * e->cells.bins) : (Datum) 0;
	nulls[12] = e->classes > 2 ? ' ' : 'n';
	dpem_spi_query("INSERT INTO dpem_internal.evaluation (model, charge, dataset, maker, kind, filter, epsilon, delta, lower, upper, cells, cell_noise, categories)"
				   " SELECT m.id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 FROM dpem_internal.model m WHERE m.id = $1",
				   13, types, values, nulls, false, SPI_OK_INSERT);
}

static void
insert_metric(const DpemEvaluation *e, int i)
{
	const DpemStatisticValue *v = &e->metric[i];
	Oid			types[] = {INT8OID, INT4OID, TEXTOID, FLOAT8OID, FLOAT8OID, FLOAT8OID, FLOAT8OID};
	Datum		values[] = {Int64GetDatum(e->charge), Int32GetDatum(i + 1), CStringGetTextDatum(e->name[i]), Float8GetDatum(v->value),
	Float8GetDatum(v->sd), Float8GetDatum(v->lower), Float8GetDatum(v->upper)};

	dpem_spi_query("INSERT INTO dpem_internal.evaluation_metric (charge, position, metric, value, noise, lower, upper)"
				   " SELECT $1, $2, $3, $4, $5, $6, $7 WHERE EXISTS (SELECT FROM dpem_internal.evaluation e WHERE e.charge = $1)",
				   7, types, values, NULL, false, SPI_OK_INSERT);
}

static void
save(void *argument)
{
	const Saving *s = argument;
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	insert_evaluation(s);
	for (int i = 0; i < s->evaluation->metrics; i++)
		insert_metric(s->evaluation, i);
	dpem_owner_leave(&saved);
}

void
dpem_evaluation_save(const DpemEvaluationPlan *plan, const DpemEvaluation *evaluation)
{
	Saving		s = {plan, evaluation};
	ErrorData  *error = dpem_attempt(save, &s, true);

	if (error != NULL)
		dpem_model_warn_lost(error);
}

int64
dpem_evaluation_model_id(const char *model)
{
	Oid			types[] = {TEXTOID};
	Datum		values[] = {CStringGetTextDatum(model)};
	DpemIdentity saved;
	int64		id = 0;

	dpem_owner_enter(&saved);
	if (dpem_spi_query("SELECT m.id FROM dpem_internal.model m WHERE m.name = $1", 1, types, values, NULL, true, SPI_OK_SELECT) > 0)
		id = dpem_spi_int64(0, 1);
	dpem_owner_leave(&saved);
	return id;
}

double
dpem_evaluation_holdout(const char *model, const char *dataset)
{
	Oid			types[] = {TEXTOID, TEXTOID};
	Datum		values[] = {CStringGetTextDatum(model), CStringGetTextDatum(dataset)};
	double		holdout = 0;
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	if (dpem_spi_query("SELECT m.holdout FROM dpem_internal.model m WHERE m.name = $1 AND m.dataset = $2 AND m.holdout IS NOT NULL",
					   2, types, values, NULL, true, SPI_OK_SELECT) > 0)
		holdout = dpem_spi_float8(0, 1);
	dpem_owner_leave(&saved);
	return holdout;
}

static int
count_numbers(Datum array)
{
	return ArrayGetNItems(ARR_NDIM(DatumGetArrayTypeP(array)), ARR_DIMS(DatumGetArrayTypeP(array)));
}

DpemResiduals *
dpem_evaluation_residuals(const char *model)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {TEXTOID};
	Datum		values[] = {CStringGetTextDatum(model)};
	DpemResiduals *residuals = NULL;
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	if (dpem_spi_query("SELECT e.upper, e.cell_noise, e.cells FROM dpem_internal.evaluation e JOIN dpem_internal.model m ON m.id = e.model"
					   " WHERE m.name = $1 AND e.kind = 'residuals' ORDER BY e.charge DESC LIMIT 1",
					   1, types, values, NULL, true, SPI_OK_SELECT) > 0)
	{
		int			bins = count_numbers(dpem_spi_required(0, 3));
		double	   *count = MemoryContextAlloc(caller, bins * sizeof(double));

		residuals = MemoryContextAllocZero(caller, sizeof(DpemResiduals));
		dpem_model_copy_floats(0, 3, count, bins);
		residuals->reach = dpem_spi_float8(0, 1);
		residuals->cells = (DpemEvaluateCells) {bins, count, dpem_spi_float8(0, 2)};
	}
	dpem_owner_leave(&saved);
	return residuals;
}

double
dpem_evaluation_half_width(DpemResiduals *residuals, double coverage)
{
	DpemStatisticValue quantile;

	if (residuals->coverage != coverage)
	{
		dpem_evaluate_residual_quantile(&residuals->cells, residuals->reach, coverage, &quantile);
		residuals->half = dpem_evaluate_residuals_reach(&residuals->cells, coverage) ? quantile.value : INFINITY;
		residuals->coverage = coverage;
	}
	return residuals->half;
}
