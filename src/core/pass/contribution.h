/*
 * contribution.h - kinds of contributions of rows to moments.
 */
#ifndef DPEM_CORE_CONTRIBUTION_H
#define DPEM_CORE_CONTRIBUTION_H

/*
 * What is proved about one row's contribution to the moments (docs/proofs.md); the
 * wall releases moments only with the sensitivity of their kind.
 */
typedef enum DpemContribution
{
	DPEM_ON_SIMPLEX = 0,		/* responsibilities on the simplex (one component: in [0, 1]) times features */
	DPEM_PROJECTED,				/* signed projections times features */
	DPEM_MARKS,					/* a number in [0, 1] for every component */
	DPEM_DOCUMENT,				/* a vector without negative entries in the unit ball */
	DPEM_BLOCK_OUTPUT,			/* a change of one block's output: k points of the unit ball */
	DPEM_TALLIES,				/* counts alone, of all components together a vector without negative entries in the unit ball */
	DPEM_RESIDUALS,				/* counts alone, of all components together a vector of the unit ball */
	DPEM_PRODUCT,				/* the product a x' of a vector a of the unit ball and features */
	DPEM_ROW_OF_TABLES,			/* 1 in one cell of each of the pass's tables */
	DPEM_GRADIENT,				/* one vector of the unit ball over all components' sums, beside products E[h h'] / k of k
								 * variables in [0, 1], the first of them 1 */
	DPEM_STEPS,					/* a change of where gradient steps end (core/accounting/sensitivity.h) */
	DPEM_OBJECTIVE,				/* a change of the gradient of a problem whose minimum is what follows */
	DPEM_MINIMUM				/* how far two runs for one minimum may end apart */
} DpemContribution;

#endif							/* DPEM_CORE_CONTRIBUTION_H */
