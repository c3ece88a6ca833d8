/*
 * lda_store.c - see lda_store.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "storage/shmem.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "families/lda/lda_store.h"
#include "server/as_owner.h"

static void
insert_topic(int64 model, const DpemLdaRow *row, int topic)
{
	Oid			types[] = {INT8OID, INT4OID, FLOAT8OID, FLOAT8OID, FLOAT8ARRAYOID};
	Datum		values[] = {Int64GetDatum(model), Int32GetDatum(topic + 1), Float8GetDatum(row->part[topic]),
		Float8GetDatum(row->alpha), dpem_float8_array(row->lambda + (Size) topic * row->terms, row->terms)};

	dpem_spi_query("INSERT INTO dpem.lda_parameter (model, topic, weight, alpha, lambda) VALUES ($1, $2, $3, $4, $5)",
				   5, types, values, NULL, false, SPI_OK_INSERT);
}

static void
insert_topics(int64 model, const DpemModelRecord *record, const void *row)
{
	for (int topic = 0; topic < record->k; topic++)
		insert_topic(model, row, topic);
}

char *
dpem_model_save_lda(const DpemModelRecord *record, const DpemLdaRow *row)
{
	return dpem_model_save(record, insert_topics, row);
}

static void
load_vocabulary(int64 id, MemoryContext where, DpemStoredLda *model)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(id)};
	Datum	   *words;
	MemoryContext old;
	bool		isnull;
	int			n;

	dpem_spi_query("SELECT columns FROM dpem.model WHERE id = $1", 1, types, values, NULL, true, SPI_OK_SELECT);
	deconstruct_array(DatumGetArrayTypeP(dpem_spi_datum(0, 1, &isnull)), TEXTOID, -1, false, TYPALIGN_INT,
					  &words, NULL, &n);
	if (n != model->terms)
		elog(ERROR, "dpem: corrupt model parameters");
	old = MemoryContextSwitchTo(where);
	model->vocabulary = palloc(n * sizeof(char *));
	for (int v = 0; v < n; v++)
		model->vocabulary[v] = TextDatumGetCString(words[v]);
	MemoryContextSwitchTo(old);
}

static void
load_topics(int64 id, DpemStoredLda *model)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(id)};
	double	   *lambda = palloc(mul_size(model->terms, sizeof(double)));

	if (dpem_spi_query("SELECT alpha, lambda FROM dpem.lda_parameter WHERE model = $1 ORDER BY topic",
					   1, types, values, NULL, true, SPI_OK_SELECT) != (uint64) model->k)
		elog(ERROR, "dpem: a model without its topics");
	model->alpha = dpem_spi_float8(0, 1);
	for (int topic = 0; topic < model->k; topic++)
	{
		double		sum = 0;

		dpem_model_copy_floats(topic, 2, lambda, model->terms);
		for (int v = 0; v < model->terms; v++)
			sum += lambda[v];
		for (int v = 0; v < model->terms; v++)
			model->probability[(Size) v * model->k + topic] = lambda[v] / sum;
	}
}

DpemStoredLda *
dpem_model_load_lda(const char *name)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			role = GetUserId();
	DpemStoredLda *model = palloc0(sizeof(DpemStoredLda));
	DpemIdentity saved;
	int64		id;

	dpem_owner_enter(&saved);
	id = dpem_model_find(name, role, "lda", "a topic model", &model->k, &model->terms);
	load_vocabulary(id, caller, model);
	model->probability = MemoryContextAllocHuge(caller, mul_size(mul_size(model->k, model->terms), sizeof(double)));
	load_topics(id, model);
	dpem_owner_leave(&saved);
	return model;
}
