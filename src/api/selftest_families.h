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
	bool		draws;			/* rows at random: of the table, the special unit's alone may count */
} DpemSelftestFamily;

extern const DpemSelftestFamily dpem_selftest_families[];
extern const int dpem_selftest_nfamilies;

/* is this family asked for: by a LIKE pattern, or by the words that its name begins with? */
extern bool dpem_selftest_is_wanted(const char *family, const char *wanted);

/* raises 22023, with the names of all families, where no family is asked for */
extern void dpem_selftest_require_wanted(const char *wanted);

#endif							/* DPEM_API_SELFTEST_FAMILIES_H */
