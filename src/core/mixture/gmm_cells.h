/*
 * gmm_cells.h - a mixture from noisy counts on a fine grid (post-processing).
 *
 * In few dimensions one release of counts is more informative than passes of
 * moments: the second moments of a narrow component drown in noise proportional to
 * the ball, while its cells stand out.  This is EM for the observed counts y_c =
 * n_c + noise of deviation s.  The E-step takes the expected count of every cell
 * given its noisy one, for n_c ~ Poisson(l_c) under the current parameters, to
 * first order
 *     E[n_c | y_c] = l_c + l_c / (l_c + s^2) (y_c - l_c),   l_c = N p_c
 * (grouped data: Dempster, Laird, Rubin 1977, section 4.2), and divides it by the
 * responsibilities at the cell's middle.  A cell with no expected rows has no
 * effect, however noisy its count.  Rows are assumed uniform within a cell, so a
 * component's covariance in the E-step is larger by width^2 / 12.  A small share of
 * the rows is assigned to a uniform component, which is not part of the result.
 *
 * The log-likelihood of the counts, normal to the same order, less a penalty per
 * parameter, also selects the number of components.
 */
#ifndef DPEM_CORE_GMM_CELLS_H
#define DPEM_CORE_GMM_CELLS_H

#include "core/gmm/gmm_estimate.h"
#include "core/gmm/gmm_rules.h"
#include "core/numeric/model_sizes.h"

typedef struct DpemGmmCells
{
	int			n;
	int			d;				/* at most DPEM_GMM_CELLS_MAX_D */
	const double *count;		/* n, noisy */
	const double *middle;		/* n * d, in the mixture's coordinates */
	double		width[DPEM_GMM_CELLS_MAX_D];
	double		sd;				/* of the noise in a count */
	double		rows;			/* > 0 */
	double		variance;		/* of all rows per axis, whose mean is about 0, by earlier releases */
	void		(*pause) (void);	/* called from time to time, may not return; NULL: never */
} DpemGmmCells;

/* doubles of workspace for both functions */
extern size_t dpem_gmm_cells_work(int n, int k, int d);

/*
 * `iterations` steps of EM from the parameters in gmm.  Returns the
 * log-likelihood of the counts before the last step, up to a constant that depends
 * on the counts alone, or -infinity after a numerical failure.
 */
extern double dpem_gmm_cells_em(const DpemGmmCells *cells, int iterations, DpemGmm *gmm, DpemWorkspace work);

/*
 * The best mixture over many starts, with as many components, up to gmm's k, as
 * the counts support.  If these are fewer than k, the heaviest are duplicated and
 * their weight divided.  Where all rows as one normal of mean 0 and the given variance explain the
 * counts nearly as well, they are that.  Returns the number of distinct components, or 0 if none
 * was found; gmm must then not be used.
 */
extern int	dpem_gmm_cells_fit(const DpemGmmCells *cells, DpemGmm *gmm, DpemWorkspace work);

/*
 * A start for passes over rows: the best mixture of exactly as many components over the short steps of all starts, whether or not the
 * counts support them all; false: none was found.
 */
extern bool dpem_gmm_cells_start(const DpemGmmCells *cells, DpemGmm *gmm, DpemWorkspace work);

/*
 * How far components are apart: the variance within them, pooled, in those a = min(d, k - 1) axes in which it is least (means of k
 * components differ in no more), in parts of that of all rows, times k^(2/a), as pieces of a single normal have the less of it the more
 * there are.  INFINITY: of one component, or not to be told.
 */
extern double dpem_gmm_cells_within(const DpemGmmCells *cells, const DpemGmm *gmm, DpemWorkspace work);

/* the same as dpem_gmm_cells_fit, where gmm is one of the starts */
extern int	dpem_gmm_cells_refit(const DpemGmmCells *cells, DpemGmm *gmm, DpemWorkspace work);

/*
 * Scores the candidates, the largest of which is gmm's k, by the log-likelihood of the counts,
 * noise included; gmm becomes a mixture of the number chosen.
 */
extern void dpem_gmm_cells_choose(const DpemGmmCells *cells, DpemSizes *candidates, DpemGmm *gmm, DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_CELLS_H */
