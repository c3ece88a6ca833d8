/*
 * selftest_rows.h - the made-up tables of dp_selftest: one, and its neighbours.
 */
#ifndef DPEM_API_SELFTEST_ROWS_H
#define DPEM_API_SELFTEST_ROWS_H

#include "postgres.h"

/* kept apart from every schema a user would have */
#define DPEM_SELFTEST_SCHEMA	"dpem_selftest"
#define DPEM_SELFTEST_DATASET	"dpem_selftest"

/* whose change makes neighbours */
typedef struct DpemSelftestUnits
{
	const char *name;
	const char *adjacency;
	const char *registration;	/* of the unit, as arguments of dp_register_dataset */
	bool		several;		/* rows per unit */
} DpemSelftestUnits;

extern const DpemSelftestUnits dpem_selftest_units[];
extern const int dpem_selftest_nunits;

/* makes table and dataset in the current subtransaction, with the functions in schema `functions` */
extern void dpem_selftest_make_dataset(const DpemSelftestUnits *units, const char *functions);

/* number of neighbours; the last one has the same rows in another order, and parallel workers */
extern int	dpem_selftest_neighbours(const DpemSelftestUnits *units);

/*
 * Turns the table into its n-th neighbour, counted from 1; 0: leaves it as it is.
 * alone: rows of other units than the one that changes are null rows.
 */
extern void dpem_selftest_become(const DpemSelftestUnits *units, int n, bool alone);

#endif							/* DPEM_API_SELFTEST_ROWS_H */
