/*
 * gmm_atoms.h - the atoms of columns (columns/column_atom.h) in the components of a mixture (post-processing).
 */
#ifndef DPEM_CORE_GMM_ATOMS_H
#define DPEM_CORE_GMM_ATOMS_H

#include "core/columns/column_atom.h"
#include "core/gmm/gmm_estimate.h"

/*
 * The share of each component's rows that is in the atom of each column (k * d), 0 for atoms that gain nothing.
 * atom: d, in the mixture's units, as lower and upper are, the domain.
 */
extern DpemStatus dpem_gmm_atom_shares(const DpemGmm *gmm, const DpemColumnAtom *atom, const double *lower, const double *upper,
									   double *share, DpemWorkspace work);
extern size_t dpem_gmm_atom_shares_work(int k, int d);

/*
 * Makes of a mixture the laws of rows that are at no atom: of changed means and variances.  Correlations are kept as far as other
 * columns still tell a column then, and a law that they tell better as it was stays.  scale: d factors of the deviations (atom_rest.h).  factor: k * d, by what covariances of the
 * column with others are multiplied; NULL: not wanted.  work: as above.
 */
extern DpemStatus dpem_gmm_without_atoms(const double *share, const DpemAtomLaw *atom, const double *scale, const double *lower, const double *upper,
										 DpemGmm *gmm, double *factor, DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_ATOMS_H */
