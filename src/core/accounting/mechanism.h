/*
 * mechanism.h - what a release is protected by.
 */
#ifndef DPEM_CORE_MECHANISM_H
#define DPEM_CORE_MECHANISM_H

typedef enum DpemMechanism
{
	DPEM_MECHANISM_NONE = 0,
	DPEM_MECHANISM_GAUSSIAN,
	DPEM_MECHANISM_LAPLACE,
	DPEM_MECHANISM_EXPONENTIAL,
	DPEM_MECHANISM_GAMMA,		/* these two only ever add and protect nobody: in forecasts, never in a charge */
	DPEM_MECHANISM_WISHART
} DpemMechanism;

#endif							/* DPEM_CORE_MECHANISM_H */
