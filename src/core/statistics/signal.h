/*
 * signal.h - whether released moments contain more than noise.
 *
 * If there are no valid rows (for instance because a column is NULL in all of
 * them), every statistic is 0 and what is released is noise of a known law.
 * Decided from released numbers and public deviations alone.
 */
#ifndef DPEM_CORE_SIGNAL_H
#define DPEM_CORE_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/accounting/paper_mechanism.h"
#include "core/pass/noisy_moments.h"

/* what the releases of a fit have shown so far; zero to begin with */
typedef struct DpemSignal
{
	bool		seen;			/* some release was more than noise */
	int			line;			/* of the charge: of the releases that count together here */
	int			parts;			/* components that share the rows in these */
	double		precision;		/* 1 / variance of the noise in their numbers of rows */
	double		weighted;		/* sum of numbers of rows times precision */
	double		rows_precision; /* 1 / variance of the noise in the number of rows that counted, as all releases say */
	double		rows_weighted;	/* sum of what each says times its precision */
} DpemSignal;

/*
 * Adds a release of the charge's line `line`.  Of noise alone it is seen with a
 * probability below 2e-8.  Rows in K components whose counts have noise sd are
 * seen, but for a probability below 2e-9, if they are more than 12 sqrt(K) sd
 * (Laplace noise: 29).  shared: every row is counted once, in some component.
 */
extern void dpem_signal_add(DpemSignal *signal, int line, DpemNoiseKind noise, bool shared,
							const DpemNoisyMoments *m);

/* the noise in a component's number of rows where it is larger than such numbers are in the mean; else 0 */
extern double dpem_signal_drowned(const DpemSignal *signal);

/* a released number of all rows that counted, with noise sd; nothing for sd 0 */
extern void dpem_signal_add_rows(DpemSignal *signal, double rows, double sd);

/* the same, of moments in which every row that counts adds 1 to the counts of all components together */
extern void dpem_signal_add_counts(DpemSignal *signal, const DpemNoisyMoments *m);

/*
 * How many rows counted, by all such releases (weighted by inverse variance), at least 0, and
 * the standard deviation of the noise in it; NaN if none said so.
 */
extern double dpem_signal_counted(const DpemSignal *signal, double *sd);

#endif							/* DPEM_CORE_SIGNAL_H */
