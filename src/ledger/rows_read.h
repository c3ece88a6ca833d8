/*
 * rows_read.h - how the rows of a release were read: what its price depends on
 * besides the moments themselves.
 */
#ifndef DPEM_LEDGER_ROWS_READ_H
#define DPEM_LEDGER_ROWS_READ_H

#include "core/accounting/fit_cost.h"

typedef struct DpemRowsRead
{
	bool		rehearsed;		/* made up (ledger/rehearsal.h) */
	bool		replace_one;	/* what neighbours are, as the dataset has it */
	int			rows_per_unit;	/* 0: not known */
	int			groups;			/* of rows; at least 1 */
	DpemSampling sampling;		/* which units were read, and which part of them */
	double		rate;
} DpemRowsRead;

#endif							/* DPEM_LEDGER_ROWS_READ_H */
