/*
 * polya_gamma.h - the expectation of a Polya-Gamma variable PG(1, c) (Polson,
 * Scott, Windle 2013, JASA, section 2.3): E[omega] = tanh(c/2) / (2c) <= 1/4.
 */
#ifndef DPEM_CORE_POLYA_GAMMA_H
#define DPEM_CORE_POLYA_GAMMA_H

#include <math.h>

/*
 * 4 E[omega] at c^2 = square, in [0, 1]: tanh(h)/h for h = c/2, by its series
 * where the quotient would lose digits.  square >= 0; NaN for NaN.
 */
static inline double
dpem_polya_gamma_share(double square)
{
	double		h2 = square / 4;
	double		h = sqrt(h2);

	if (h2 < 1e-4)
		return 1 - h2 / 3 + 2 * h2 * h2 / 15;
	return tanh(h) / h;
}

#endif							/* DPEM_CORE_POLYA_GAMMA_H */
