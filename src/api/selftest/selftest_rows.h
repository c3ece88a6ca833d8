/*
 * selftest_rows.h - the artificial tables of dp_selftest: one table and its neighbours.
 */
#ifndef DPEM_API_SELFTEST_SELFTEST_ROWS_H
#define DPEM_API_SELFTEST_SELFTEST_ROWS_H

#include "postgres.h"

/* separate from any schema of a user */
#define DPEM_SELFTEST_SCHEMA	"dpem_selftest"
#define DPEM_SELFTEST_DATASET	"dpem_selftest"

/* the unit in which neighbouring tables differ */
typedef struct DpemSelftestUnits
{
	const char *name;
	const char *adjacency;
	const char *registration;	/* of the unit, as arguments of dp_register_dataset */
	bool		several;		/* rows per unit */
	bool		counts_nulls;	/* to the fit that is tested a row with NULLs is not the null row */
	bool		classes;		/* the label has a third category */
	bool		wide;			/* two more columns, d and e */
} DpemSelftestUnits;

/* the rows of all units but the one that differs */
typedef enum DpemSelftestOthers
{
	DPEM_OTHERS_VARIED,
	DPEM_OTHERS_NULL,			/* rows that do not count */
	DPEM_OTHERS_ALIKE			/* in the middle of the domain */
} DpemSelftestOthers;

extern const DpemSelftestUnits dpem_selftest_units[];
extern const int dpem_selftest_nunits;

/* creates table and dataset in the current subtransaction; `functions`: schema of the extension */
extern void dpem_selftest_make_dataset(const DpemSelftestUnits *units, const char *functions);

/* number of neighbours; the last is the same rows in another order, with parallel workers */
extern int	dpem_selftest_neighbours(const DpemSelftestUnits *units);

/*
 * Turns the table into its n-th neighbour, counted from 1; 0: leaves it as it is.
 */
extern void dpem_selftest_become(const DpemSelftestUnits *units, int n, DpemSelftestOthers others);

#endif							/* DPEM_API_SELFTEST_SELFTEST_ROWS_H */
