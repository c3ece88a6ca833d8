/*
 * gam_shape.h - for gam_kernel.c: shapes as parameters of a pass, and marks as integers.
 */
#ifndef DPEM_CORE_GAM_SHAPE_H
#define DPEM_CORE_GAM_SHAPE_H

#include "core/gam/gam_kernel.h"

#define DPEM_GAM_MAX_COLUMNS	600	/* and as many pairs */

/* a shape that was checked; returns the coefficients */
extern const double *dpem_gam_read(const double *theta, DpemGamShape *shape, DpemGamColumn *column, DpemGamPair *pair);

/*
 * A mark in units of 2^-bits, rounded down, a little more than roots, products and
 * probabilities can be off; 0 bits: as it is.
 */
extern double dpem_gam_units(double mark, int bits);

/* codes of 16 bits that those of all columns take */
extern int	dpem_gam_column_codes(const DpemGamShape *shape);

/* places among all cells of a column that begins there, from codes */
extern void dpem_gam_get_column(bool bytes, int column, int rows, int offset, const int16_t *code, int16_t *place);

/* how far rounding to features may have moved a box coordinate */
extern double dpem_gam_slack(const DpemGamShape *shape, int feature_bits);

#endif							/* DPEM_CORE_GAM_SHAPE_H */
