/*
 * noisier.h - what was released, with more noise of the same law.
 */
#ifndef DPEM_CORE_NOISIER_H
#define DPEM_CORE_NOISIER_H

#include "core/numeric/public_random.h"
#include "core/pass/noisy_moments.h"

/*
 * Of the noise, that is added to what there is: as little as first order asks for, as much as averages over kinks.  Of
 * nine generated tables (docs/families/svm.md), 60 fits each, what is said of slopes is in the mean of each table 0.84
 * to 1.49 times what it is with 0.2, 0.91 to 1.35 with 0.5, 0.83 to 1.32 with 1, by the medians of fits 0.84 to 1.15,
 * 0.89 to 1.16 and 0.86 to 1.59 (outside of the repository).
 */
#define DPEM_NOISIER_PART	0.5

/* that part of it, into moments which have memory for as many values; their deviations are those of what was released */
extern void dpem_noisier_add(const DpemNoisyMoments *from, DpemPublicRandom *random, DpemNoisyMoments *to);

#endif							/* DPEM_CORE_NOISIER_H */
