/*
 * fourier.h - frequencies of random Fourier features.
 *
 * For frequencies w ~ N(0, I / width^2) the features (cos w_i'y, sin w_i'y) / sqrt(n), i =
 * 1 .. n, have norm 1 and inner products whose expectation is the Gaussian kernel
 * exp(-|y - y'|^2 / (2 width^2)) (Rahimi, Recht 2007, NIPS, section 3): a linear model of
 * them is a kernel machine.  Frequencies come from a public seed, and hide nothing.
 */
#ifndef DPEM_CORE_FOURIER_H
#define DPEM_CORE_FOURIER_H

#include <stdint.h>

#define DPEM_FOURIER_MAX_PAIRS	2000

/* frequency: pairs x waves, in turns per unit of y: the same numbers for the same arguments */
extern void dpem_fourier_frequencies(uint64_t seed, int pairs, int waves, double width, double *frequency);

/* the 2 pairs features of one point y of `waves` coordinates: cosines, then sines */
extern void dpem_fourier_point(int pairs, int waves, const double *frequency, const double *y, double *feature);

/* how rows of `waves` columns become features: their domains, and center and scale in coordinates of these */
typedef struct DpemFourierMap
{
	int			pairs;			/* 0: they do not */
	int			waves;
	const double *frequency;	/* pairs x waves */
	const double *lower;		/* waves each */
	const double *upper;
	const double *center;
	const double *scale;
	double	   *point;			/* waves: overwritten */
} DpemFourierMap;

/* the features of a row as dpem_features_apply makes them before it clips: clamped to the domains, about the centers, scaled */
extern void dpem_fourier_row(const DpemFourierMap *map, const double *x, double *feature);

#endif							/* DPEM_CORE_FOURIER_H */
