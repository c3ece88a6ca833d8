/*
 * column_domain.h - what a column's domain says of its mean and variance in much noise.
 *
 * Rows are clamped to public bounds: a mean lies between them, and a variance
 * is at most half the domain's width squared.  Where noise is as large as that,
 * a released number says less than the bounds do.
 */
#ifndef DPEM_CORE_COLUMN_DOMAIN_H
#define DPEM_CORE_COLUMN_DOMAIN_H

/*
 * A mean with noise of that standard deviation, drawn to the middle by empirical Bayes: means are expected half a width over
 * sqrt(3) from it, as values of a uniform law are.  Finite; *noise becomes the standard deviation of what the mean may be off by,
 * what it was drawn by included: that of the posterior.
 */
extern double dpem_domain_mean(double lower, double upper, double mean, double *noise);

/* what a variance, and covariances by the factors of both columns, become: variance * factor^2 + added */
typedef struct DpemDomainPull
{
	double		factor;
	double		added;
} DpemDomainPull;

/*
 * Noise makes variances too large rather than too small, as estimates keep them above it.  So what is beyond a uniform law's, a
 * twelfth of the width squared, is drawn to it, as if variances were expected as far from it as it is from 0; nothing is left
 * above half the width squared.  noise: standard deviation of that in the variance.
 */
extern DpemDomainPull dpem_domain_pull(double lower, double upper, double variance, double noise);

#endif							/* DPEM_CORE_COLUMN_DOMAIN_H */
