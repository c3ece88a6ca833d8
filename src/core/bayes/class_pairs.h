/*
 * class_pairs.h - counts of rows by what a naive Bayes classifier says of their two likeliest classes, and by which of these
 * theirs is.
 *
 * A row's evidence for a class is the sum of ln P(cell | class) over the columns that are known, its score the evidence plus ln of
 * the class's share of all rows.  Of the two classes of the highest scores the rarer one comes second.  A row of one of these counts in one place: by
 * the odds of the two shares (a level), by the second's evidence less the first's (a bin), and by which of the two its class is;
 * rows of other classes count nowhere.  Given the pair, the log-odds of its second class are
 * ln (share of the second / of the first) + the difference of evidence, if the classifier's columns are independent.
 *
 * The kernel `class_pairs` (kernel.h) names each row's place, so that counts are those of DPEM_ON_SIMPLEX, whatever its parameters
 * are (docs/proofs.md, 10).
 */
#ifndef DPEM_CORE_CLASS_PAIRS_H
#define DPEM_CORE_CLASS_PAIRS_H

#include "core/bayes/class_cells.h"

/* bins of evidence to each side of 0, each but the first twice as wide as the one before */
#define DPEM_PAIRS_SIDE		11
#define DPEM_PAIRS_BINS		(2 * DPEM_PAIRS_SIDE)
#define DPEM_PAIRS_LEVELS	3	/* of odds, where there are more than two classes */

typedef struct DpemClassPairs
{
	DpemClassCells cells;
	const double *weight;		/* classes: share of all rows, above 0 */
	const double *probability;	/* classes x cells: of the cell in rows of the class, above 0 */
} DpemClassPairs;

extern int	dpem_class_pairs_levels(int classes);

/* place ((level * DPEM_PAIRS_BINS + bin) * 2 + which of the two), from 0, of so many */
extern int	dpem_class_pairs_places(int classes);

/* level of two classes whose logarithms of shares differ by so much */
extern int	dpem_class_pairs_level(int classes, double odds);

/* the middle of a bin */
extern double dpem_class_pairs_evidence(int bin);

/* place of a row of that class; evidence of class c at evidence[c * stride].  -1: it is of neither */
extern int	dpem_class_pairs_place(int classes, const double *log_weight, const double *evidence, size_t stride, int class);

/* as parameters of a pass, dpem_class_pairs_theta_length numbers */
extern size_t dpem_class_pairs_theta_length(const DpemClassPairs *pairs);
extern void dpem_class_pairs_write(const DpemClassPairs *pairs, double *theta);

#endif							/* DPEM_CORE_CLASS_PAIRS_H */
