/*
 * entropy.h - the server's source of random bytes for noise.
 */
#ifndef DPEM_SERVER_ENTROPY_H
#define DPEM_SERVER_ENTROPY_H

#include "core/noise/sampler.h"

/* pg_strong_random; there is no other source, and no setting changes it */
extern const DpemByteSource dpem_strong_entropy;

/* raises for a status other than DPEM_OK; sampling never continues after a failure */
extern void dpem_entropy_check(DpemStatus status);

/* lets kernels draw a number for a row (core/density/compare_kernel.h); called when the library is loaded */
extern void dpem_entropy_init(void);

/* a uniform number in (0, 1), for post-processing only: never for noise */
extern double dpem_entropy_uniform(DpemSampler *sampler);

/* a standard normal one, likewise */
extern double dpem_entropy_normal(DpemSampler *sampler);

/* one of n places, from 0, with probabilities share[], likewise */
extern int	dpem_entropy_place(DpemSampler *sampler, const double *share, int n);

#endif							/* DPEM_SERVER_ENTROPY_H */
