/*
 * quasi_newton.h - the minimum of a convex function of many numbers, from its gradients alone.
 *
 * The limited-memory method of Broyden, Fletcher, Goldfarb and Shanno (Nocedal, Wright 2006, "Numerical Optimization", 7.2), from a
 * diagonal that is as large as the curvature, about.  The caller asks for the gradient at `at`, wherever it gets that from;
 * along a direction points are tried until the slope has at most half of the size that it begins with, which
 * for a convex function needs no value of it.
 */
#ifndef DPEM_CORE_QUASI_NEWTON_H
#define DPEM_CORE_QUASI_NEWTON_H

#include <stdbool.h>

#include "core/numeric/workspace.h"

#define DPEM_QUASI_NEWTON_PAIRS	20

typedef struct DpemQuasiNewton
{
	int			n;
	const double *diagonal;		/* n, all positive */
	double	   *at;				/* n: where a gradient is wanted */
	double	   *best;			/* n: the last point that was accepted, */
	double	   *gradient;		/* n: and the gradient there */
	double	   *direction;		/* n */
	double	   *step;			/* pairs x n: between accepted points, */
	double	   *bend;			/* pairs x n: and between their gradients */
	double		product[DPEM_QUASI_NEWTON_PAIRS];	/* of the two */
	long		pairs;			/* that there have been */
	bool		begun;
	double		slope;			/* along the direction at best: negative */
	double		length;			/* of it that is tried */
	double		short_length;	/* one that was too short, and the slope there */
	double		short_slope;
	double		long_length;	/* one that was too long; infinite: none was */
	double		long_slope;
	int			tries;
	bool		found;			/* at is the minimum, as near as numbers tell */
} DpemQuasiNewton;

/* numbers of workspace for n; a search that begins at `at` (n), where the first gradient is wanted */
extern size_t dpem_quasi_newton_work(int n);
extern void dpem_quasi_newton_begin(DpemQuasiNewton *search, int n, const double *diagonal, const double *at, DpemWorkspace *work);

/* takes the gradient at `at`, which then is the next point, or if `found` the minimum */
extern void dpem_quasi_newton_take(DpemQuasiNewton *search, const double *gradient);

#endif							/* DPEM_CORE_QUASI_NEWTON_H */
