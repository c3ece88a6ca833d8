/*
 * column_atom.h - a value that many rows of a column have, an atom of its law, from released margins, for densities of it.
 * Reads released numbers and public facts only: post-processing.
 *
 * A normal law as wide as a column of zeros and a tail has little density at either.  Where margins show a bin of the finest level
 * with many rows, a component is a law of two parts: its share of the atom, within the bin, and a normal, whose mean and variance
 * are such that both together have the component's.
 */
#ifndef DPEM_CORE_COLUMN_ATOM_H
#define DPEM_CORE_COLUMN_ATOM_H

#include <stdbool.h>

#include "core/columns/column_law.h"

typedef struct DpemColumnAtom
{
	double		share;			/* of the rows; 0: there is none */
	double		lower;			/* ends of its bin */
	double		upper;
	bool		alone;			/* the bins beside it have few rows */
	double		rest;			/* mean of the others, as far as they are seen, clipped at two deviations of all */
} DpemColumnAtom;

/*
 * Of each column of margins (atom: grid.columns) the bin with the most rows if that is a tenth of them or more, by its own count
 * and by the law that noise lets be seen (dpem_margins_law), in units in which its domain is from lower to upper.  Columns that dpem_column_spikes takes for a
 * single value have none.  work: dpem_column_atoms_work.
 */
extern size_t dpem_column_atoms_work(const DpemMarginGrid *grid);
extern void dpem_column_atoms(const DpemMargins *margins, const double *lower, const double *upper, DpemColumnAtom *atom,
							  DpemWorkspace work);

/*
 * The density of an atom's rows (atom_law.c), in the same units as its ends.  A public value is more likely than others to be that of
 * all of them: 0 or an end of the domain, of those the first within the bin (which is upper < lower for none).  Half of
 * the density is uniform within the bin, the other half within 1/32 of its width about the value.
 */
typedef struct DpemAtomLaw
{
	double		lower;
	double		upper;
	double		value_lower;
	double		value_upper;
} DpemAtomLaw;

extern DpemAtomLaw dpem_atom_law(double lower, double upper, double domain_lower, double domain_upper);

/* those of d columns, whose atoms have these ends */
extern void dpem_atom_laws(int d, const double *atom_lower, const double *atom_upper, const double *lower, const double *upper,
						   DpemAtomLaw *law);

/* logarithm of the density: -infinity outside of the bin */
extern double dpem_atom_log_density(const DpemAtomLaw *law, double x);

/* a value of that law; u, v: uniform in [0, 1) */
extern double dpem_atom_draw(const DpemAtomLaw *law, double u, double v);

/*
 * Which share of the rows of each of k components is in the atom (share, k): the atom's rows in proportion to the components' densities
 * there, but no component has all of its rows there.  weight, mean, variance: of the components, the last two of the column;
 * given: their variances where a row's other columns are known.  An atom has no share that is not worth 0.05 nats a
 * row more than if its rows were as likely as normals are in their middles.  For that rows are taken to be at the atom's public value
 * where it is alone and the mean of all components says so, too, or that of components that are all there, else to be anywhere in the
 * bin.  work: k numbers.
 */
extern void dpem_atom_shares(const DpemColumnAtom *atom, const DpemAtomLaw *law, int k, const double *weight, const double *mean,
							 const double *variance, const double *given, double *share, double *work);

/* the mean and variance of a component's rows that are not in the atom, from those of all of its rows */
extern void dpem_atom_rest(const DpemAtomLaw *law, double share, double *mean, double *variance);

#endif							/* DPEM_CORE_COLUMN_ATOM_H */
