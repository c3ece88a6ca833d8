/*
 * mechanism.h - the mechanism that protects a release.
 */
#ifndef DPEM_CORE_MECHANISM_H
#define DPEM_CORE_MECHANISM_H

typedef enum DpemMechanism
{
	DPEM_MECHANISM_NONE = 0,
	DPEM_MECHANISM_GAUSSIAN,
	DPEM_MECHANISM_LAPLACE,
	DPEM_MECHANISM_EXPONENTIAL,
	DPEM_MECHANISM_GAMMA,		/* one-sided, as the next: protect nobody; only in forecasts */
	DPEM_MECHANISM_WISHART
} DpemMechanism;

#endif							/* DPEM_CORE_MECHANISM_H */
