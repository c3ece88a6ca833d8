/*
 * pca.h - principal components from released moments; coordinates of the
 * unit ball throughout.
 */
#ifndef DPEM_CORE_PCA_H
#define DPEM_CORE_PCA_H

#include "core/numeric/status.h"
#include "core/numeric/workspace.h"

typedef struct DpemPca
{
	int			d;
	int			k;
	double	   *variance;		/* k: of the rows along each direction */
	double	   *variance_sd;	/* k: noise in it */
	double	   *direction;		/* k * d: orthonormal rows */
	double	   *alignment;		/* k: squared cosine to the noise-free direction, estimated */
} DpemPca;

/*
 * The variances' shares of the total variance, which has noise of standard
 * deviation total_sd.  Numbers in [0, 1] of sum at most 1, however noisy variances
 * and total are; 0 where nothing varies.
 */
extern void dpem_pca_shares(const DpemPca *pca, double total, double total_sd, double *share);

/*
 * Analyze Gauss: the top eigenvectors of a noisy covariance (d x d,
 * destroyed; its svec entries have noise sd).  Variances are those of the rows
 * along the released directions (spectrum.h), between 0 and 1, the square of the
 * ball's radius; those that do not stand out from noise add up to what the others leave of the released total.
 */
extern size_t dpem_pca_analyze_work(int d);
extern DpemStatus dpem_pca_analyze(double *covariance, double sd, DpemPca *pca, DpemWorkspace work);

/* deviations of an entry's noise that the largest cleaned eigenvalue of noise alone exceeds in at most one of 100 releases */
extern double dpem_pca_largest_of_noise(int d);

/*
 * The noisy power method (Hardt, Price 2014, NeurIPS 27, Figure 1).  The rows
 * of `product` are C q_k for the k orthonormal rows q_k of pca->direction,
 * each number with noise sd.  The directions become an orthonormal basis of
 * product's rows, rotated to its principal axes.  product is overwritten.
 */
extern size_t dpem_pca_power_work(int d, int k);
extern DpemStatus dpem_pca_power(double *product, double sd, DpemPca *pca, DpemWorkspace work);

/*
 * Data-independent start directions: pseudo-random, and the same for equal k and d.
 */
extern void dpem_pca_start(int k, int d, double *direction);

/*
 * Number of passes of the power method, fewer with more noise.  noise: norm of the
 * noise in a column of the product if there were a single pass, in units of the
 * ball (measurements: docs/factors.md).
 */
extern int	dpem_pca_power_passes(double noise);

/*
 * Makes k rows of d numbers orthonormal, to rounding (modified Gram-Schmidt,
 * twice); a row that depends on those before it is replaced by a unit vector
 * that does not.
 */
extern void dpem_pca_orthonormalize(int k, int d, double *rows);

#endif							/* DPEM_CORE_PCA_H */
