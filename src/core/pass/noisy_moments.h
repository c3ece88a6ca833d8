/*
 * noisy_moments.h - released moments, on the public side of the privacy wall.
 *
 * Values are in units of rows (counts) and of the unit ball (sums, second
 * moments): dpem_moments_length numbers in the layout of moments.h.  The
 * standard deviations of the noise are public and exact; zero everywhere for
 * an owner's noise-free run.  second_sd is that of a coordinate of svec: of a
 * diagonal entry as stored, sqrt(2) times that of an off-diagonal one.
 */
#ifndef DPEM_CORE_NOISY_MOMENTS_H
#define DPEM_CORE_NOISY_MOMENTS_H

#include "core/pass/moments.h"

typedef struct DpemNoisyMoments
{
	DpemMomentLayout layout;
	double		count_sd;
	double		sum_sd;
	double		second_sd;
	double	   *value;
} DpemNoisyMoments;

#endif							/* DPEM_CORE_NOISY_MOMENTS_H */
