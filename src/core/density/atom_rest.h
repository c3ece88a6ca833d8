/*
 * atom_rest.h - how wide the rows of a number are that are not at its atom (core/columns/column_atom.h).
 * Reads released numbers and public facts only: post-processing.
 *
 * A component's own variance less the atom's is a difference of noisy numbers that are often much larger; margins see the rest by itself.
 */
#ifndef DPEM_CORE_ATOM_REST_H
#define DPEM_CORE_ATOM_REST_H

#include "core/columns/column_atom.h"
#include "core/gmm/gmm_estimate.h"

/* a number in a mixture of components within which columns are independent, in its own units */
typedef struct DpemAtomNumber
{
	int			k;
	const double *weight;		/* of the components, */
	const double *mean;			/* and of all of their rows */
	const double *variance;
	const double *share;		/* which part of them is at the atom */
	const DpemAtomLaw *atom;
	double		lower;			/* domain */
	double		upper;
} DpemAtomNumber;

/*
 * By what the deviations of dpem_atom_rest are to be multiplied, in all components: the factor, from e^-1.2 to e^1.2 in steps of e^0.2, with which
 * rows as the number's margins show them, but for the atom's bin, are likeliest, if that is DPEM_ATOM_REST_GAIN nats a row more than with 1.
 * Else it is 1, as where no component has rows at the atom, and where noise lets margins not see it.  Of the rest as many rows as DPEM_ATOM_REST_HIDDEN times the noise in a first-level bin
 * are not seen there, and are as the components say.  No bench chose these, but tables of one half of R's packages, 19 to 30 with atoms at each epsilon
 * from 0.1 to 10, one and three components: for 5 times the noise up to seven of these are worse by 0.05 nats, for 20 most of the gain is lost at epsilon
 * = 0.1; without a least gain 14 instead of 10 of 244 cells are worse.
 * work: dpem_atom_rest_work.
 */
#define DPEM_ATOM_REST_HIDDEN 10.0
#define DPEM_ATOM_REST_GAIN	0.05
extern size_t dpem_atom_rest_work(const DpemMarginGrid *grid, int k);
extern double dpem_atom_rest_scale(const DpemMargins *margins, int column, const DpemAtomNumber *number, DpemWorkspace work);

/* the same of a column of a mixture with covariances; share: k * d */
extern size_t dpem_gmm_rest_scale_work(const DpemMarginGrid *grid, int k);
extern double dpem_gmm_rest_scale(const DpemMargins *margins, const DpemGmm *gmm, int column, const DpemAtomLaw *law, double lower, double upper,
								  const double *share, DpemWorkspace work);

#endif							/* DPEM_CORE_ATOM_REST_H */
