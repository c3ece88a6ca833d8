/*
 * information.h - how much columns say of a label: mutual information from released counts by class and cell.
 *
 * I(X; Y) = sum p(x, y) ln (p(x, y) / (p(x) p(y))), in nats (Shannon 1948; Cover and Thomas 2006, equation 2.28), of rows
 * whose class and value are known.  Noise of known size makes counts that are 0 look like association: what it adds on
 * average, to second order, is taken away (Miller 1955, for sampling), and cells that noise hides are put together.
 * Reads released numbers only: post-processing.
 */
#ifndef DPEM_CORE_INFORMATION_H
#define DPEM_CORE_INFORMATION_H

#include "core/bayes/bayes_estimate.h"

typedef struct DpemInformation
{
	double		value;			/* nats, not below 0 */
	double		sd;				/* of its noise, to second order */
	double		lower;			/* 95 % interval */
	double		upper;
	int			rank;			/* from 1, the most first */
	int			rank_best;		/* of all columns together these hold in 95 of 100 releases */
	int			rank_worst;
} DpemInformation;

/* out: of each of the counts' columns; work: dpem_information_work doubles */
extern size_t dpem_information_work(const DpemBayesCounts *counts);
extern void dpem_information(const DpemBayesCounts *counts, DpemInformation *out, DpemWorkspace work);

#endif							/* DPEM_CORE_INFORMATION_H */
