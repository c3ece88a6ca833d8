/*
 * gmm_cells.h - a mixture from noisy counts on a fine grid (post-processing).
 *
 * In few dimensions one release of counts says more than passes of moments:
 * the second moments of a narrow component drown in noise that is in
 * proportion to the ball, while its cells stand out.  This is EM for what is
 * observed, y_c = n_c + noise of deviation s.  The E-step takes the expected
 * count of every cell given its noisy one, for n_c ~ Poisson(l_c) under the
 * parameters so far, to first order
 *     E[n_c | y_c] = l_c + l_c / (l_c + s^2) (y_c - l_c),   l_c = N p_c
 * (grouped data: Dempster, Laird, Rubin 1977, section 4.2), and shares it out
 * by posteriors at the cell's middle.  A cell where nothing is expected counts
 * for nothing, however noisy it is.  Within a cell rows are taken to be uniform: a
 * component's covariance in the E-step is larger by width^2 / 12.  A small
 * share of the rows is left to a uniform component, which is no part of the
 * result.
 *
 * The counts' log-likelihood, normal to the same order, less a price for each
 * parameter, also tells how many components they can tell apart.
 */
#ifndef DPEM_CORE_GMM_CELLS_H
#define DPEM_CORE_GMM_CELLS_H

#include "core/gmm/gmm_estimate.h"
#include "core/gmm/gmm_rules.h"

typedef struct DpemGmmCells
{
	int			n;
	int			d;				/* at most DPEM_GMM_CELLS_MAX_D */
	const double *count;		/* n, noisy */
	const double *middle;		/* n * d, in the mixture's coordinates */
	double		width[DPEM_GMM_CELLS_MAX_D];
	double		sd;				/* of the noise in a count */
	double		rows;			/* > 0 */
	double		variance;		/* of all rows per axis, roughly */
	void		(*pause) (void);	/* called now and then and may not return; NULL: never */
} DpemGmmCells;

/* doubles of workspace for both functions */
extern size_t dpem_gmm_cells_work(int n, int k, int d);

/*
 * `iterations` steps of EM from the parameters in gmm.  Returns the
 * log-likelihood of the counts before the last step, up to a constant of theirs,
 * or -infinity where numbers broke down.
 */
extern double dpem_gmm_cells_em(const DpemGmmCells *cells, int iterations, DpemGmm *gmm, DpemWorkspace work);

/*
 * The best mixture of many starts and of as many components, up to gmm's k, as
 * the counts can tell apart.  Where these are fewer, the heaviest are there
 * several times, with a part of their weight each.  Returns how many differ, or
 * 0 if nothing was found; gmm is then not to be used.
 */
extern int	dpem_gmm_cells_fit(const DpemGmmCells *cells, DpemGmm *gmm, DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_CELLS_H */
