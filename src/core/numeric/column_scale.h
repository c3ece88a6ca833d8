/*
 * column_scale.h - the coordinate in which models see a column.
 *
 * A column that spans decades is evenly spread, and noise is small where its
 * rows are, on a logarithmic scale.  The map of a value is public and of that
 * value alone; bounds are mapped by the same function (docs/proofs.md, 2).
 */
#ifndef DPEM_CORE_COLUMN_SCALE_H
#define DPEM_CORE_COLUMN_SCALE_H

#include <stdbool.h>

typedef enum DpemColumnScale
{
	DPEM_SCALE_LINEAR,			/* x */
	DPEM_SCALE_LOG,				/* ln x, for domains above 0 */
	DPEM_SCALE_SIGNED_LOG,		/* sign(x) ln(1 + |x|) */
	DPEM_SCALES
} DpemColumnScale;

#define DPEM_SCALE_NAMES "linear, log, signed_log"

/* domains must be at least that wide in the scale's coordinate, unless it is linear */
#define DPEM_SCALE_LEAST_WIDTH 1e-6

extern const char *dpem_scale_name(DpemColumnScale scale);

/* DPEM_SCALES: there is none of that name */
extern DpemColumnScale dpem_scale_from_name(const char *name);

/*
 * The coordinate of a value.  NaN and the infinities stay what they are.  What
 * a logarithm does not have, finite x <= 0, becomes -DBL_MAX, which every domain
 * clamps to its lower bound.
 */
extern double dpem_scale_apply(DpemColumnScale scale, double x);

/* the coordinate of a point given to a model; what a logarithm does not have has that of the lower bound */
extern double dpem_scale_point(DpemColumnScale scale, double lower, double x);

/* the value of a coordinate, finite for a finite one */
extern double dpem_scale_invert(DpemColumnScale scale, double y);

/* a column's domain, in its own unit, and the scale that models see it on */
typedef struct DpemScaledDomain
{
	DpemColumnScale scale;
	double		lower;
	double		upper;
} DpemScaledDomain;

/* the value of a coordinate, at most as far out as the domain's ends, beyond which no value counts; NaN for NaN */
extern double dpem_scale_predict(const DpemScaledDomain *domain, double y);

/* dx / dy, the value's change with its coordinate, at a value x of the domain: > 0 */
extern double dpem_scale_unit(DpemColumnScale scale, double x);

/* number i of n + 1 from lower to upper, evenly spaced in the scale's coordinate; the ends are exact */
extern double dpem_scale_between(DpemColumnScale scale, double lower, double upper, int i, int n);

/* of a number y in the scale's coordinate where in a domain it is, from -1 to 1 */
extern double dpem_scale_in_box(DpemColumnScale scale, double lower, double upper, double y);

/*
 * A domain seen on two scales at once: a place in it is `share` of its place, from 0 to 1, on signed_log and the rest of that on
 * linear, so that equal parts of places are narrow near 0, however wide the domain is, and nowhere much wider than
 * equal parts of the domain.  Is it wide enough for that?  Number i of n + 1 values from lower to upper at evenly spaced
 * places; the ends are exact, and values ascend.
 */
extern bool dpem_scale_is_mixable(double lower, double upper);
extern double dpem_scale_mixed(double share, double lower, double upper, int i, int n);

#endif							/* DPEM_CORE_COLUMN_SCALE_H */
