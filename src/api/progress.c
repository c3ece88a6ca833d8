/*
 * progress.c - dpem_internal.fits_under_way, which the view dpem.stat_progress reads.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "fit/progress.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dpem_fits_under_way);

#define COLUMNS 8

/* the owner of the source, and whoever runs the fit */
static bool
visible(const DpemProgress *fit)
{
	return has_privs_of_role(GetUserId(), fit->role) ||
		(SearchSysCacheExists1(RELOID, ObjectIdGetDatum(fit->source)) &&
		 pg_class_ownercheck(fit->source, GetUserId()));
}

/*
 * dpem_internal.fits_under_way() RETURNS TABLE (pid int, role oid, dataset text,
 * function text, phase text, iteration int, iterations int,
 * started_at timestamptz): those of this database that the caller may see.
 */
Datum
dpem_fits_under_way(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	DpemProgress *fits;
	int			n = dpem_progress_list(&fits);

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < n; i++)
	{
		const DpemProgress *fit = &fits[i];
		Datum		values[COLUMNS] = {Int32GetDatum(fit->pid), ObjectIdGetDatum(fit->role),
			CStringGetTextDatum(fit->dataset), CStringGetTextDatum(fit->function),
			CStringGetTextDatum(fit->phase), Int32GetDatum(fit->iteration),
			Int32GetDatum(fit->iterations), TimestampTzGetDatum(fit->started_at)};
		bool		nulls[COLUMNS] = {false};

		nulls[5] = fit->iteration == 0;
		nulls[6] = fit->iterations == 0;
		if (visible(fit))
			tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
