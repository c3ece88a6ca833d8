/*
 * gmm_whole.h - all that a stored Gaussian mixture's density is made of, as finite numbers in one piece of memory, which may
 * travel with a pass (post-processing).
 *
 * The density is that of a mixture in some of whose columns rows may stand apart, before its background
 * (gmm_apart.h, gmm_background.h).
 */
#ifndef DPEM_CORE_GMM_WHOLE_H
#define DPEM_CORE_GMM_WHOLE_H

#include "core/density/gmm_background.h"

typedef struct DpemGmmWhole
{
	double	   *lower;			/* d: the domain */
	double	   *upper;
	double	   *share;			/* k * d: of atoms, 0 where a column has none */
	DpemGmm		gmm;			/* of all rows */
	DpemGmm		rest;			/* of rows that are at no atom, of the same weights */
	DpemGmmDensity rest_density;
	DpemGmmBackground background;
	DpemAtomLaw *atom;			/* d */
} DpemGmmWhole;

/* numbers that it takes */
extern size_t dpem_gmm_whole_length(int k, int d);

/* points a density's parts into such memory; what stands there is left */
extern void dpem_gmm_whole_place(int k, int d, double *memory, DpemGmmWhole *whole);

/*
 * Fills the rest of a placed density from gmm, lower, upper and share, the ends of the columns' atoms and the factors beside them (atom_rest.h; d each).  Fails for
 * covariances that are not positive definite.
 */
extern size_t dpem_gmm_whole_prepare_work(int k, int d);
extern DpemStatus dpem_gmm_whole_prepare(const double *atom_lower, const double *atom_upper, const double *scale, DpemGmmWhole *whole,
										 DpemWorkspace work);

/* the density of rows whose columns may stand apart, of a prepared one, into which it points; logs: dpem_gmm_apart_logs numbers, which stay in use */
extern DpemGmmApart dpem_gmm_whole_apart(const DpemGmmWhole *whole, double *logs);

/* log-density at a point, of whatever numbers stand there: nothing is read beyond them */
extern size_t dpem_gmm_whole_work(int k, int d);
extern double dpem_gmm_whole_log_density(const DpemGmmWhole *whole, const DpemGmmApart *apart, const double *x, DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_WHOLE_H */
