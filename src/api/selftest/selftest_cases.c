/*
 * selftest_cases.c - see selftest_cases.h.
 *
 * What draws rows at random besides its noise (samples, random blocks) runs on a
 * table of which the rows of one unit alone count, or all others are alike (the last paragraph).  Two runs draw other rows, but
 * all that can differ is that unit's part: it is in a sample or not, and blocks
 * without its rows have all the same output, so that whichever blocks have them
 * does not matter to the sum.  Both are covered by the sensitivity: a unit that is
 * missed is one that is not there.  For one component a sum of blocks' outputs moves by
 * no more than that even if a of the unit's blocks became b: |a (x - s) - b (y - s)|
 * <= 2 max(a, b), s being the output without rows.
 *
 * A test of a distance needs as many blocks as rows make, and lets nothing pass where these have no rows.  Least squares of
 * rows that are alike have no slopes, as of blocks with too few rows, and the constants of both are nearer than is
 * proposed: so all that blocks without the unit's rows are to the distance is the same, however many rows each has.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "api/selftest/selftest_cases.h"

List *
dpem_selftest_cases(bool quick)
{
	List	   *cases = NIL;

	for (const DpemFamily *const *family = dpem_families; *family; family++)
	{
		for (const DpemSelftestCase *c = (*family)->selftest; c && c->name && (!quick || c == (*family)->selftest); c++)
			cases = lappend(cases, unconstify(DpemSelftestCase *, c));
	}
	return cases;
}

int
dpem_selftest_charges(const DpemSelftestCase *test)
{
	int			n = 1;

	for (const char *at = test->call; *at; at++)
		n += *at == '@';
	return n;
}

char *
dpem_selftest_call(const DpemSelftestCase *test, const char *schema)
{
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "%s.", schema);
	for (const char *at = test->call; *at; at++)
	{
		if (*at == '@')
			appendStringInfo(&sql, "%s.", schema);
		else
			appendStringInfoChar(&sql, *at);
	}
	return sql.data;
}

static bool
is_like(const char *family, const char *pattern)
{
	return DatumGetBool(DirectFunctionCall2Coll(textlike, C_COLLATION_OID, CStringGetTextDatum(family),
												CStringGetTextDatum(pattern)));
}

bool
dpem_selftest_is_wanted(const char *family, const char *wanted)
{
	size_t		n = strlen(wanted);

	if (is_like(family, wanted))
		return true;
	return n > 0 && strncmp(family, wanted, n) == 0 && (family[n] == ' ' || family[n] == ',');
}

static char *
names_of(List *cases)
{
	StringInfoData names;
	ListCell   *cell;

	initStringInfo(&names);
	foreach(cell, cases)
		appendStringInfo(&names, "%s\"%s\"", foreach_current_index(cell) > 0 ? ", " : "",
						 ((const DpemSelftestCase *) lfirst(cell))->name);
	return names.data;
}

void
dpem_selftest_require_wanted(const char *wanted)
{
	List	   *cases = dpem_selftest_cases(false);
	ListCell   *cell;

	foreach(cell, cases)
	{
		if (dpem_selftest_is_wanted(((const DpemSelftestCase *) lfirst(cell))->name, wanted))
			return;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("dp_selftest has no family like \"%s\"", wanted),
			 errhint("Say how a name begins, or a LIKE pattern, of: %s.", names_of(cases))));
}
