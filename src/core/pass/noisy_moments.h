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

/*
 * A release of what others before it have released: m becomes the mean of these, n with it, with the noise that has.  mean:
 * dpem_moments_length numbers, of those before, zeros at first; it becomes the same.
 */
extern void dpem_noisy_moments_average(double *mean, int n, DpemNoisyMoments *m);

/*
 * Number of rows, at least 1: as released, or the public number (0: none) if the two agree within three standard
 * deviations of the noise.
 */
extern double dpem_known_rows(double released, double count_sd, double public_rows);

/* what plans suppose of the number of rows: the public number, or of a private one (0) 10,000 */
extern double dpem_supposed_rows(double public_rows);

#endif							/* DPEM_CORE_NOISY_MOMENTS_H */
