/*
 * exp_digamma.h - exp(psi(x)) and psi(x), psi the derivative of ln Gamma.
 */
#ifndef DPEM_CORE_EXP_DIGAMMA_H
#define DPEM_CORE_EXP_DIGAMMA_H

/*
 * exp(psi(x)) for x > 0, to a relative error below 1e-12 while it is a normal
 * number; below x = 1/700 it is 0.  What E[log theta] of a Dirichlet is made of:
 * exp(E[log theta_k]) = exp(psi(gamma_k)) / exp(psi(sum gamma)).
 */
extern double dpem_exp_digamma(double x);

/* psi(x) for x > 0, to 1e-12 of the larger of 1 and |psi(x)| */
extern double dpem_digamma(double x);

#endif							/* DPEM_CORE_EXP_DIGAMMA_H */
