/*
 * selftest_cases.h - the fits and statistics of all families that dp_selftest runs.
 *
 * A case is a call of a fit or a statistic on the dataset dpem_selftest: three
 * numeric columns with domain [-1, 1], a label of two categories, a key, and
 * documents.  In a case that samples rows at random, only the rows of the unit
 * that differs are valid, or all others are alike.
 */
#ifndef DPEM_API_SELFTEST_SELFTEST_CASES_H
#define DPEM_API_SELFTEST_SELFTEST_CASES_H

#include "nodes/pg_list.h"

#include "fit/family.h"

/* all cases (DpemSelftestCase), family by family; quick: the first of each */
extern List *dpem_selftest_cases(bool quick);

/* does the case match `wanted`: a LIKE pattern, or the words that its name begins with? */
extern bool dpem_selftest_is_wanted(const char *name, const char *wanted);

/* raises 22023, with the names of all cases, if none matches */
extern void dpem_selftest_require_wanted(const char *wanted);

/* the case's call, of functions in that schema */
extern char *dpem_selftest_call(const DpemSelftestCase *test, const char *schema);

/* calls in it, each of which is charged once */
extern int	dpem_selftest_charges(const DpemSelftestCase *test);

#endif							/* DPEM_API_SELFTEST_SELFTEST_CASES_H */
