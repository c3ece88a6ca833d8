/*
 * stack_fixture.h - what one row adds to the stacked moments of components in D coordinates: how far apart two rows' parts
 * are, and whether they can be parts of rows at all.  D, P and Q are the including test's.
 */
#ifndef STACK_FIXTURE_H
#define STACK_FIXTURE_H

#include <math.h>

#include "core/accounting/sensitivity.h"
#include "core/pass/moments.h"
#include "unit.h"

/* of counts, sums and second moments */
static const double stack_weights[][3] = {{0.35, 0.6, 1}, {1, 1, 1}, {0.2, 1, 1}, {1, 2, 0.1}};

/* |a - b|, weighted, in real units; b NULL: the null row */
static inline double
distance(const DpemMomentLayout *layout, const double *w, const double *a, const double *b)
{
	size_t		record = dpem_moments_record(layout);
	double		square = 0;

	for (size_t i = 0; i < dpem_moments_length(layout); i++)
	{
		int			place = (int) (i % record) - 1 - D;
		bool		diagonal = layout->second != DPEM_SECOND_FULL || place == 0 || place == 2 || place == 5;
		double		unit = place >= 0 ? w[2] * ldexp(diagonal ? 1 : M_SQRT2, -P - 2 * Q) : place >= -D ? w[1] * ldexp(1, -P - Q) : w[0] * ldexp(1, -P);

		square += pow((a[i] - (b ? b[i] : 0)) * unit, 2);
	}
	return sqrt(square);
}

/* how much of the declared sensitivity two rows' parts reach: that of adding a, or of a in place of b */
static inline double
part_of_bound(const DpemMomentLayout *layout, const double *w, const double *a, const double *b)
{
	double		one = sqrt(dpem_joint_sensitivity2(layout->k, w[0], w[1], w[2], false));
	double		two = sqrt(dpem_joint_sensitivity2(layout->k, w[0], w[1], w[2], true));

	return fmax(distance(layout, w, a, NULL) / one, distance(layout, w, a, b) / fmax(one, two));
}

/*
 * Each component's part is that of a law in the ball: integers everywhere, responsibilities that add up to no more than
 * the whole, traces within.
 */
static inline int
wrong_records(const DpemMomentLayout *layout, const double *sums)
{
	size_t		record = dpem_moments_record(layout);
	double		whole = 0;
	int			wrong = 0;

	for (int k = 0; k < layout->k; k++)
	{
		const double *s = sums + k * record;
		double		trace = 0;

		whole += s[0];
		for (size_t i = 0; i < record; i++)
			wrong += s[i] != rint(s[i]);
		for (int j = 0; j < D; j++)
			trace += layout->second == DPEM_SECOND_FULL ? s[1 + D + j * (j + 3) / 2]
				: layout->second == DPEM_SECOND_DIAGONAL ? s[1 + D + j] : j == 0 ? s[1 + D] : 0;
		wrong += s[0] < 0 || trace > s[0] * ldexp(1, 2 * Q);
	}
	return wrong + (whole > ldexp(1, P));
}

/* what a search has found: rows that are no parts of any, and the largest part of the bound, which it must come close to */
static inline void
check_found(const DpemMomentLayout *layout, int wrong, double worst)
{
	CHECK(wrong == 0, "K = %d, second %d: %d rows are no law in the ball", layout->k, layout->second, wrong);
	CHECK(worst <= 1 + 1e-12, "K = %d, second %d: a row moves %.9f of the bound", layout->k, layout->second, worst);
	CHECK(worst > 0.9, "K = %d, second %d: the search reaches %.6f of the bound only", layout->k, layout->second, worst);
}

#endif							/* STACK_FIXTURE_H */
