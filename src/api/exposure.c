/*
 * exposure.c - dp_exposure: what PostgreSQL itself shows about a dataset.
 *
 * The report is SQL over the system's catalogs (src/sql/7?_exposure*.sql).  It
 * runs as the extension's owner, because a table's owner may not see
 * everything that others may see of the table.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"

#include "registry/dataset.h"
#include "server/argument_list.h"
#include "server/as_owner.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_exposure);

#define COLUMNS 6

/* dp_exposure(dataset text) */
Datum
dp_exposure(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 0, "dataset"));
	Oid			types[] = {INT8OID};
	Datum		parameters[] = {Int64GetDatum(ds->id)};
	DpemIdentity saved;
	uint64		n;

	dpem_dataset_require_owner(ds);
	InitMaterializedSRF(fcinfo, 0);
	dpem_owner_enter(&saved);
	n = dpem_spi_query("SELECT topic, object, role, finding, severity, remedy FROM dpem_internal.exposure($1)",
					   1, types, parameters, NULL, true, SPI_OK_SELECT);
	for (uint64 i = 0; i < n; i++)
	{
		Datum		values[COLUMNS];
		bool		nulls[COLUMNS];

		for (int j = 0; j < COLUMNS; j++)
			values[j] = dpem_spi_datum(i, j + 1, &nulls[j]);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	dpem_owner_leave(&saved);
	return (Datum) 0;
}
