/*
 * chi_square.h - the law of the squared norm of a standard normal vector.
 */
#ifndef DPEM_CORE_CHI_SQUARE_H
#define DPEM_CORE_CHI_SQUARE_H

/* P(chi^2_d <= x), d >= 1, to about 1e-14 */
extern double dpem_chi_square_below(double d, double x);

/* the x with P(chi^2_d <= x) = p, 0 < p < 1, to about 1e-12 of it */
extern double dpem_chi_square_quantile(double d, double p);

/*
 * E[min(|z|^2, r^2)] / (d v) for z ~ N(0, v I) in d dimensions: what is left of
 * a normal's variance when vectors longer than r are shortened to r.
 */
extern double dpem_chi_clipped_share(int d, double v, double r);

/*
 * The v of which clipping at r leaves `left` per axis (0 < left < r^2 / d): the
 * variance of a normal from that of its clipped rows.  At most `most` times left.
 */
extern double dpem_chi_unclipped(int d, double left, double r, double most);

#endif							/* DPEM_CORE_CHI_SQUARE_H */
