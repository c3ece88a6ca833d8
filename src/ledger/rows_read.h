/*
 * rows_read.h - how the rows of a release were read: besides the moments
 * themselves, what the price of the release depends on.
 */
#ifndef DPEM_LEDGER_ROWS_READ_H
#define DPEM_LEDGER_ROWS_READ_H

#include "core/accounting/fit_cost.h"

typedef struct DpemRowsRead
{
	bool		rehearsed;		/* artificial rows (ledger/rehearsal.h) */
	bool		replace_one;	/* the dataset's adjacency */
	int			rows_per_unit;	/* 0: not known */
	bool		together;		/* all rows of a unit go to the same random block, or a unit has but one row */
	int			groups;			/* of rows; at least 1 */
	DpemSampling sampling;		/* how units were sampled, and at which rate */
	double		rate;
} DpemRowsRead;

#endif							/* DPEM_LEDGER_ROWS_READ_H */
