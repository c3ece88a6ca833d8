/*
 * selftest_cases.h - the fits and statistics that dp_selftest runs: those of every family.
 *
 * A case is a call of a fit on the dataset dpem_selftest (three numeric columns
 * with domain [-1, 1], a label of two categories, a key, and documents), or of
 * a statistic of it.  In one that draws rows at random the special unit's alone
 * may count.
 */
#ifndef DPEM_API_SELFTEST_CASES_H
#define DPEM_API_SELFTEST_CASES_H

#include "nodes/pg_list.h"

#include "fit/family.h"

/* all of them (DpemSelftestCase), family by family */
extern List *dpem_selftest_cases(void);

/* is this case asked for: by a LIKE pattern, or by the words that its name begins with? */
extern bool dpem_selftest_is_wanted(const char *name, const char *wanted);

/* raises 22023, with the names of all cases, where none is asked for */
extern void dpem_selftest_require_wanted(const char *wanted);

#endif							/* DPEM_API_SELFTEST_CASES_H */
