/*
 * features.c - from raw column values to integers in the unit ball.
 *
 * With q bits the row y is scaled so that the ball of the clip radius has
 * radius 2^q, clipped to |y| <= L = 2^q - sqrt(d)/2, and rounded: rounding
 * moves each coordinate by at most 1/2, hence |rint(y)| <= L + sqrt(d)/2 =
 * 2^q (docs/proofs.md).  Kept coordinates k are clipped to L by themselves, and
 * the others to what is left, sqrt(L^2 - |k|^2).  L is shortened by a relative (d + 8) 2^-51, more than
 * the computed norm, quotient and product can be off, and the result is
 * checked in exact arithmetic all the same.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/numeric/fpenv.h"
#include "core/pass/features.h"

typedef struct FeatureClip
{
	int			quantise;
	int			kept;
	double		inverse_radius;
	double		unit;			/* 2^q, or 1 */
	double		limit;			/* greatest norm before rounding */
	double		bound;			/* greatest squared norm after it */
} FeatureClip;

/* x -> ((scale x - origin) slope - 1, in [least, most], - center) weight */
typedef struct DomainScale
{
	double		lower;
	double		upper;
	double		scale;			/* power of two */
	double		origin;			/* scale lower */
	double		slope;			/* 2 / (scale upper - scale lower) */
	double		least;
	double		most;
	double		center;
	double		weight;			/* of a diagonal matrix */
} DomainScale;

/*
 * The power of two keeps the width of the domain and its reciprocal within
 * the normal range of double, whatever the bounds.
 */
static inline DomainScale
domain_scale(const DpemFeatureMap *map, int j)
{
	DomainScale s = {map->lower[j], map->upper[j], 1.0, 0.0, 0.0, -2.0, 2.0, 0.0, 0.0};
	double		width = s.upper - s.lower;

	if (width > 0x1p1000)
		s.scale = 0x1p-10;
	else if (width < 0x1p-900)
		s.scale = 0x1p600;
	s.origin = s.scale * s.lower;
	s.slope = 2.0 / (s.scale * s.upper - s.origin);
	if (map->range)
	{
		s.least = map->range[j];
		s.most = map->range[map->d + j];
	}
	if (map->center)
		s.center = map->center[j];
	if (map->whitening)
		s.weight = map->whitening[(size_t) j * map->d + j];
	return s;
}

/* does the matrix, if there is one, leave each coordinate to itself? */
static bool
is_diagonal(const DpemFeatureMap *map)
{
	size_t		d = (size_t) map->d;
	size_t		outside = 0;

	if (map->whitening == NULL || map->outputs > 0)
		return false;
	for (size_t i = 0; i < d && outside == 0; i++)
		for (size_t j = 0; j < d; j++)
			outside += j != i && map->whitening[i * d + j] != 0;
	return outside == 0;
}

/* x^1, x^3, ... of sin(2 pi x), by Taylor; off by less than 1e-13 for |x| <= 1/4 */
static const double sine[] = {
	0x1.921fb54442d18p+2, -0x1.4abbce625be52p+5, 0x1.466bc6775aae1p+6, -0x1.32d2cce62bd84p+6, 0x1.50783487ee77fp+5,
	-0x1.e3074fde8871cp+3, 0x1.e8f434d018d5fp+1, -0x1.6fadb9f155740p-1, 0x1.aaec32af93355p-4, -0x1.8a404211f9542p-7
};

#define SINE_TERMS	((int) (sizeof(sine) / sizeof(sine[0])))

#define KERNEL_BODY "core/pass/features_body.h"
#include "core/pass/kernel_each_clone.h"

int
dpem_features_dimension(const DpemFeatureMap *map)
{
	if (map->pairs > 0)
		return 2 * map->pairs + map->d - map->waves;
	return map->outputs > 0 ? map->outputs : map->d;
}

size_t
dpem_features_scratch(const DpemFeatureMap *map)
{
	size_t		d = (map->whitening ? map->d : 0) + (map->pairs > 0 ? dpem_features_dimension(map) : 0);

	return d * DPEM_BLOCK_STRIDE;
}

static FeatureClip
clip_of(const DpemFeatureMap *map)
{
	FeatureClip clip;
	int			d = dpem_features_dimension(map);
	double		shorten = 1.0 - (d + 8) * 0x1p-51;

	clip.quantise = map->bits > 0;
	clip.kept = map->kept;
	clip.inverse_radius = 1.0 / map->radius;
	clip.unit = clip.quantise ? (double) (INT64_C(1) << map->bits) : 1.0;
	clip.limit = clip.quantise
		? (clip.unit - 0.5 * __builtin_sqrt((double) d)) * shorten
		: shorten;
	if (clip.limit < 0.0)
		clip.limit = 0.0;
	clip.bound = clip.unit * clip.unit;
	return clip;
}

/* The rows between the last one and the end of its group are null rows. */
static void
pad_block(DpemBlock *block)
{
	size_t		bytes = sizeof(double) * (DPEM_BLOCK_PADDED(block->rows) - block->rows);

	for (int j = 0; j < block->d; j++)
		memset(block->x + (size_t) j * DPEM_BLOCK_STRIDE + block->rows, 0, bytes);
	memset(block->keep + block->rows, 0, bytes);
}

void
dpem_features_apply_clone(DpemClone clone, const DpemFeatureMap *map,
						  DpemBlock *block, double *scratch)
{
	FeatureClip clip;
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	clip = clip_of(map);
	pad_block(block);
	block->d = dpem_features_dimension(map);
	CALL_CLONE(clone, features_apply, (map, &clip, block, scratch));
	dpem_fpenv_leave(&fpenv);
}

void
dpem_features_apply(const DpemFeatureMap *map, DpemBlock *block, double *scratch)
{
	dpem_features_apply_clone(dpem_clone_best(), map, block, scratch);
}
