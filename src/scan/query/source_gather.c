/*
 * source_gather.c - a source that Citus has distributed.
 *
 * Where Citus computes what is its planner's choice.  An aggregate that it
 * cannot split is computed here, but the pass, an argument of it, then comes
 * from the other servers once with every row; or it runs on one of them.  So
 * Citus is asked for rows and nothing else, by a function, dpem_internal.gathered.
 * What a pass makes of them is planned like any other pass: quotas, samples
 * and the aggregate are computed here.
 */
#include "postgres.h"

#include "access/relation.h"
#include "executor/spi.h"
#include "executor/tstoreReceiver.h"
#include "fmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "registry/source_relations.h"
#include "scan/query/source_query.h"
#include "server/as_owner.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dpem_gathered);

/* counting rows takes a column, any that `role` may read; NULL if there is none */
static char *
some_column(Oid source, Oid role)
{
	Relation	relation = relation_open(source, AccessShareLock);
	TupleDesc	columns = RelationGetDescr(relation);
	bool		all = pg_class_aclcheck(source, role, ACL_SELECT) == ACLCHECK_OK;
	char	   *name = NULL;

	for (int i = 0; i < columns->natts && name == NULL; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);

		if (!column->attisdropped &&
			(all || pg_attribute_aclcheck(source, i + 1, role, ACL_SELECT) == ACLCHECK_OK))
			name = pstrdup(NameStr(column->attname));
	}
	relation_close(relation, AccessShareLock);
	return name;
}

static void
append_definition(StringInfo sql, Oid source, const char *column)
{
	Oid			type;
	int32		typmod;
	Oid			collation;

	get_atttypetypmodcoll(source, get_attnum(source, column), &type, &typmod, &collation);
	appendStringInfo(sql, "%s%s %s", sql->len > 0 ? ", " : "", quote_identifier(column),
					 format_type_extended(type, typmod, FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY));
}

char *
dpem_source_gathered(const DpemBinding *bound, Oid role)
{
	List	   *columns = dpem_binding_names(bound);
	StringInfoData definitions;
	ListCell   *cell;

	if (columns == NIL)
	{
		char	   *column = some_column(bound->dataset->source, role);

		/* the scan says which rights are missing */
		if (column == NULL)
			return dpem_relation_qualified_name(bound->dataset->source);
		columns = list_make1(column);
	}
	initStringInfo(&definitions);
	foreach(cell, columns)
		append_definition(&definitions, bound->dataset->source, lfirst(cell));
	return psprintf("(SELECT * FROM dpem_internal.gathered('%u'::pg_catalog.regclass) AS g(%s))", bound->dataset->source, definitions.data);
}

static char *
select_columns(Oid relation, TupleDesc columns)
{
	StringInfoData sql;

	initStringInfo(&sql);
	for (int i = 0; i < columns->natts; i++)
		appendStringInfo(&sql, "%s%s", i == 0 ? "SELECT " : ", ", quote_identifier(NameStr(TupleDescAttr(columns, i)->attname)));
	appendStringInfo(&sql, " FROM %s", dpem_relation_qualified_name(relation));
	return sql.data;
}

static void
gather(const char *sql, const SPIExecuteOptions *options)
{
	MemoryContext here = CurrentMemoryContext;
	volatile int rc = 0;

	PG_TRY();
	{
		rc = SPI_execute_extended(sql, options);
	}
	PG_CATCH();
	{
		dpem_rethrow_outside(here);
	}
	PG_END_TRY();
	if (rc != SPI_OK_SELECT)
		elog(ERROR, "dpem: unexpected result of a gathering query");
}

/* with the rights of whoever asks; the columns are those that the caller's definition list names */
Datum
dpem_gathered(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	SPIExecuteOptions options = {.read_only = true};
	Oid			relation = PG_GETARG_OID(0);

	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	if (get_rel_name(relation) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE), errmsg("there is no relation with OID %u", relation)));
	options.dest = CreateDestReceiver(DestTuplestore);
	SetTuplestoreDestReceiverParams(options.dest, result->setResult, result->econtext->ecxt_per_query_memory, false,
									result->setDesc, gettext_noop("the definition list has other types than the relation"));
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "dpem: SPI_connect failed");
	gather(select_columns(relation, result->setDesc), &options);
	SPI_finish();
	options.dest->rDestroy(options.dest);
	return (Datum) 0;
}
