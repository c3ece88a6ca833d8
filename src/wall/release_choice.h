/*
 * release_choice.h - the wall's door for a choice: the exponential mechanism.
 *
 * Releases an index and nothing else.  A line of the charge that pays for it
 * has the mechanism 'exponential' and, as its noise multiplier, 1 / epsilon;
 * core/accounting/choice.h has its cost.
 */
#ifndef DPEM_WALL_RELEASE_CHOICE_H
#define DPEM_WALL_RELEASE_CHOICE_H

#include "ledger/charge.h"
#include "scan/moments.h"

/*
 * What is chosen from.  Without directions: the components, the score of each
 * its count; a row adds at most 1 to every count (responsibilities on the
 * simplex do, and so does a kernel whose link gives each candidate a mark in
 * [0, 1]).  With n directions of d integers: the directions, the score of each
 * v'Sv, S the second moment of the one component; |v| <= 2^16, best all alike.
 * With the level of a quantile (core/statistics/quantile.h): the components, which are
 * bins in ascending order, the score of each by how many rows it misses the
 * quantile's rank; counts are of responsibilities on the simplex.
 */
typedef struct DpemChoiceSpec
{
	const int32_t *directions;	/* n x d, or NULL */
	size_t		n;				/* with directions */
	int64_t		quantile_level; /* 0: none */
	bool		replace_one;
	int			rows_per_unit;
} DpemChoiceSpec;

/* by how much a unit moves one count, or miss, more than another, in rows: the range of choice.h */
extern double dpem_release_choice_range(const DpemChoiceSpec *spec);

/*
 * Raises 22003 where a choice at this noise multiplier cannot be drawn, before
 * it is paid for.
 */
extern void dpem_release_choice_check(const DpemChoiceSpec *spec, const DpemMomentLayout *layout,
									  double noise_multiplier);

/* Takes one release of the line, erases the raw moments, returns the index. */
extern size_t dpem_release_choice(DpemCharge *charge, int line, DpemRawMoments *raw,
								  const DpemChoiceSpec *spec);

/*
 * The same `wanted` times, each time from the candidates that are left: takes
 * so many releases of the line and fills chosen in the order of choice.
 */
extern void dpem_release_choices(DpemCharge *charge, int line, DpemRawMoments *raw,
								 const DpemChoiceSpec *spec, size_t wanted, size_t *chosen);

#endif							/* DPEM_WALL_RELEASE_CHOICE_H */
