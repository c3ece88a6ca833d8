/*
 * selftest_families.h - the fits and statistics that dp_selftest runs.
 */
#ifndef DPEM_API_SELFTEST_FAMILIES_H
#define DPEM_API_SELFTEST_FAMILIES_H

/*
 * The call, without the schema, of a fit on the dataset dpem_selftest (three
 * numeric columns, domain [-1, 1], and a label of two categories) that is stored under the name dpem_selftest,
 * or of a statistic of it.
 */
typedef struct DpemSelftestFamily
{
	const char *name;
	const char *call;
} DpemSelftestFamily;

extern const DpemSelftestFamily dpem_selftest_families[];
extern const int dpem_selftest_nfamilies;

#endif							/* DPEM_API_SELFTEST_FAMILIES_H */
