/*
 * spectrum.h - denoising of a symmetric matrix with noise of known level.
 *
 * Noise: a symmetric Gaussian matrix whose svec entries have standard
 * deviation `sd` (off the diagonal sd / sqrt(2)), which no rotation changes.
 * Large-dimension limits; without noise every function is the identity.
 */
#ifndef DPEM_CORE_SPECTRUM_H
#define DPEM_CORE_SPECTRUM_H

/*
 * clean[i] = estimate of v_i' C v_i, the quadratic form of the noise-free
 * matrix in the i-th eigenvector of the noisy one, whose eigenvalues are
 * value[], largest first:
 *     y_i - 2 s^2 sum_{j != i} (y_i - y_j) / ((y_i - y_j)^2 + eta^2),   s = sd / sqrt(2)
 * (Bun, Allez, Bouchaud, Potters 2016, "Rotational invariant estimator for
 * general noisy matrices", IEEE Trans. Inf. Theory 62(12), additive Gaussian
 * noise), made monotone by isotonic regression.  clean may not be value.
 */
extern void dpem_spectrum_clean(int n, double sd, const double *value, double *clean);

/*
 * Squared cosine between the i-th eigenvector of the noisy matrix and the
 * noise-free one: 1 / (1 + s^2 sum_{j != i} (y_i - y_j)^-2), the derivative of
 * the subordination map (Benaych-Georges, Nadakuditi 2011).
 */
extern double dpem_spectrum_alignment(int n, double sd, const double *value, int i);

/* least eigenvalue that a covariance of this trace is given: what noise leaves unknown */
extern double dpem_spectrum_floor(int n, double sd, double trace);

#endif							/* DPEM_CORE_SPECTRUM_H */
