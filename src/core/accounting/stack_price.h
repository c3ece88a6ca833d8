/*
 * stack_price.h - sensitivity ("price") of a weighted stack of moments: the one
 * table of what can be released with noise (docs/proofs.md, "what the wall
 * prices").
 *
 * Every kind of contribution has its own formula, for some of the weights and some
 * kinds of noise.  Whatever no formula covers has no price and is not released.
 */
#ifndef DPEM_CORE_STACK_PRICE_H
#define DPEM_CORE_STACK_PRICE_H

#include <stdbool.h>

#include "core/accounting/paper_mechanism.h"
#include "core/accounting/sensitivity.h"
#include "core/numeric/status.h"
#include "core/pass/contribution.h"

/*
 * How the statistics of a release are stacked into one vector (weights times
 * counts, sums, svec of second moments), and the unit whose change the noise must
 * hide.
 */
typedef struct DpemReleaseSpec
{
	DpemNoiseKind noise;
	double		count_weight;	/* 0: counts are not released */
	double		sum_weight;		/* 0: sums are not */
	double		second_weight;	/* 0 exactly when the layout has no second moments */
	bool		replace_one;
	int			rows_per_unit;
	DpemContribution contribution;	/* of the moments' kernel */
	DpemSteps	steps;			/* of that contribution only */
	DpemObjective objective;	/* of an objective and of a minimum only */
} DpemReleaseSpec;

/*
 * L2 (Laplace noise: L1) sensitivity, rounded up, over k components of d
 * coordinates; NaN and DPEM_BAD_ARGUMENT for what has no price:
 *
 *	 contribution		Gaussian noise on		Laplace noise on
 *	 on the simplex		counts, sums, seconds	counts, sums, seconds
 *	 projected			sums					-
 *	 marks				-						-
 *	 document, margins	sums					-
 *	 tallies			counts					-
 *	 residuals			counts					-
 *	 block's output		sums					sums
 *	 product			sums					-
 *	 gradient			sums, seconds			-
 *	 steps				sums					-
 *	 objective			sums					-
 *	 minimum			sums					-
 *
 * Weights must be finite and not negative, and one of them above zero.
 */
extern DpemStatus dpem_stack_sensitivity(const DpemReleaseSpec *spec, int k, int d, double *sensitivity);

/*
 * Does the price apply to moments of this layout, with the components of `groups`
 * groups in all (1: no groups)?  It must have all statistics with a weight, and
 * no second moments without one.  Gradients of rows that may change their group
 * have no price.
 */
extern bool dpem_stack_covers(const DpemReleaseSpec *spec, const DpemMomentLayout *layout, int groups);

#endif							/* DPEM_CORE_STACK_PRICE_H */
