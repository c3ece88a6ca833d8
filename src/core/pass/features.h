/*
 * features.h - from raw column values to integers in the unit ball.
 *
 * Per row and in this order: null row if any value is NaN or infinite, but for
 * imputed ones, which are at the released center in the end; clamp to the
 * public domain; scale each coordinate to [-1, 1]; clamp to a released range, if
 * any; subtract a released center and multiply by a released whitening matrix, if
 * any; replace leading
 * coordinates by random Fourier features (fourier.h), if asked for; clip to the
 * radius, trailing coordinates that are to be kept last; divide by it; multiply by 2^bits and round to integers.
 * The map reads the row, public bounds and released numbers, nothing else.
 */
#ifndef DPEM_CORE_FEATURES_H
#define DPEM_CORE_FEATURES_H

#include <stddef.h>

#include "core/numeric/status.h"
#include "core/pass/block.h"

#define DPEM_FEATURE_BITS	13	/* q of docs/proofs.md: features are integers <= 2^q in norm */
#define DPEM_FINE_BITS	26		/* the same where what a row adds is rounded by itself, not a product of features (scan/pass.c refuses others) */

/* logarithm of the unit of what is summed, which finer features do not make finer; 0: real numbers */
static inline int
dpem_summed_bits(int feature_bits, int responsibility_bits)
{
	return feature_bits > 0 ? DPEM_FEATURE_BITS + responsibility_bits : 0;
}

typedef struct DpemFeatureMap
{
	int			d;
	int			bits;			/* q <= 26, or 0: do not quantise (owner-only path) */
	double		radius;			/* clip norm in transformed coordinates, > 0 */
	const double *lower;		/* d, public, on the columns' scales as raw values are by then */
	const double *upper;		/* d, public, lower < upper */
	const double *range;		/* d least and d greatest box coordinates, released, or NULL for -1 and 1 */
	const double *center;		/* d, in box coordinates, or NULL for the origin */
	const double *whitening;	/* d x d row-major, or NULL for the identity */
	int			imputed;		/* leading coordinates that stand at the center where they are not finite */
	int			pairs;			/* of Fourier features; 0: none */
	int			waves;			/* leading coordinates that these replace; the others follow them */
	const double *frequency;	/* pairs x waves, in turns: public */
	int			kept;			/* trailing coordinates of a mapped row that the clip leaves as they are, if they are no longer than the radius */
	int			outputs;		/* leading coordinates of what whitening makes that there are, no pairs then; 0: all */
} DpemFeatureMap;

/* numbers of a mapped row: d, or outputs, or 2 pairs and the coordinates that are not replaced */
extern int	dpem_features_dimension(const DpemFeatureMap *map);

/* doubles of scratch for dpem_features_apply */
extern size_t dpem_features_scratch(const DpemFeatureMap *map);

/*
 * Transforms block->x in place (raw column values in, features out).  On
 * entry keep is 1.0, or 0.0 for a row that is null already (an SQL NULL); its
 * coordinates may then hold anything.  On return the coordinates and the keep
 * flag of null rows and of the padding up to DPEM_BLOCK_PADDED(rows) are
 * zero.  scratch: dpem_features_scratch doubles; none without whitening and pairs.
 * block->x has room for as many coordinates as there are before and after, and
 * block->d becomes dpem_features_dimension.
 * With bits = q > 0, at most 26, every feature is an integer-valued double
 * and sum_j x_j^2 <= 2^(2q) holds exactly, for every row.  With q = 0 the
 * row is clipped to norm 1 up to rounding.  A row whose image is beyond the
 * range of double (only an extreme center, whitening or radius can cause it)
 * is a null row.
 */
extern void dpem_features_apply(const DpemFeatureMap *map, DpemBlock *block, double *scratch);

#endif							/* DPEM_CORE_FEATURES_H */
