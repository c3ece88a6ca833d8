/*
 * gmm_apart.h - the density of a mixture in some of whose columns rows may stand apart from the others: at an atom
 * (columns/column_atom.h), or further out than any component (post-processing).
 *
 * One number in a tail, or at a value that many rows have, would take the density of its whole row with it.  In a row's
 * component k each column j stands apart by itself, in the atom with probability s_kj and in the tail with the same small
 * probability for all columns (cellwise contamination: Alqallaf, Van Aelst, Yohai, Zamar 2009, Annals of Statistics 37), and the others
 * have the component's normal law, of these columns alone.  What counts of this sum over sets of columns are two terms: that
 * in which the columns at their atoms stand apart, and that in which so do those whose tails have more density than
 * the mixture.  Their sum is no more than the whole, and integrates to no more than 1.
 */
#ifndef DPEM_CORE_GMM_APART_H
#define DPEM_CORE_GMM_APART_H

#include "core/columns/column_atom.h"
#include "core/gmm/gmm_density.h"

/* log-density of component k's columns that `apart` (d) does not mark */
typedef double (*DpemGmmColumnsLaw) (const void *law, int k, const double *apart, const double *x);

/* logarithms that are the same for all rows */
typedef struct DpemGmmApartLogs
{
	double	   *weight;			/* k: of components */
	double	   *variance;		/* k * d */
	double	   *share;			/* k * d: of the component's rows at the column's atom, */
	double	   *others;			/* k * d: and of those that are not */
	double	   *all_share;		/* d: the same of all components' rows */
	double	   *all_others;		/* d */
	double		tail;
} DpemGmmApartLogs;

typedef struct DpemGmmApart
{
	const DpemGmm *gmm;			/* its components' normal laws, of rows that are not apart */
	const DpemGmmDensity *density;	/* of these; NULL: columns_law says it */
	DpemGmmColumnsLaw columns_law;	/* where that is shorter than by covariances; NULL: by these */
	const void *law;
	const double *share;		/* k * d: of atoms, 0 where a column has none */
	const DpemAtomLaw *atom;	/* d */
	double		tail;			/* probability that a column of a row is in its tail; 0: no tails */
	DpemGmmApartLogs logs;		/* of these fields, by dpem_gmm_apart_prepare */
} DpemGmmApart;

/* fills the logarithms once all else is set; memory: dpem_gmm_apart_logs numbers, which stay in use */
extern size_t dpem_gmm_apart_logs(int k, int d);
extern void dpem_gmm_apart_prepare(DpemGmmApart *apart, double *memory);

/* log-density at a point; far: d, log-density of each column's tail there; work: dpem_gmm_apart_work */
extern size_t dpem_gmm_apart_work(int k, int d);
extern double dpem_gmm_apart_log_density(const DpemGmmApart *apart, const double *x, const double *far, DpemWorkspace work);

/*
 * The same of independent columns: of half of such rows each column is at its atom, with the share of all components' rows, or else in its tail, and
 * of the others it has the mixture's own law of that column.  Of these is a row that lies off a plane on which nearly all
 * others are.
 */
extern double dpem_gmm_apart_far(const DpemGmmApart *apart, const double *x, const double *far);

#endif							/* DPEM_CORE_GMM_APART_H */
