/*
 * release_choice.h - choices that pass the wall: the exponential mechanism.
 *
 * Releases the index of a candidate and nothing else.  The line of the charge
 * that pays for it has mechanism 'exponential' and noise multiplier
 * 1 / epsilon; core/accounting/choice.h has its cost.
 */
#ifndef DPEM_WALL_RELEASE_CHOICE_H
#define DPEM_WALL_RELEASE_CHOICE_H

#include "ledger/charge.h"
#include "scan/moments.h"

/*
 * Candidates and their utility scores.
 * Without directions: the candidates are the components, and the score of each
 * is its count, to which a row adds at most 1 (responsibilities on the simplex,
 * or a kernel that gives each candidate a score in [0, 1]).
 * With n directions of d integers: the candidates are the directions v, and the
 * score is v'Sv, S the second moment of the one component; |v| <= 2^16, best
 * all equally long.
 * With the level of a quantile (core/statistics/quantile.h): the candidates are
 * the components, which are bins in ascending order, and the score is minus the
 * number of rows by which a bin misses the quantile's rank; counts are of
 * responsibilities on the simplex.
 */
typedef struct DpemChoiceSpec
{
	const int32_t *directions;	/* n x d, or NULL */
	size_t		n;				/* with directions */
	int64_t		quantile_level; /* 0: none */
	bool		replace_one;
	int			rows_per_unit;
} DpemChoiceSpec;

/* most that a unit can change one score relative to another, in rows: the range of choice.h */
extern double dpem_release_choice_range(const DpemChoiceSpec *spec);

/*
 * Raises 22003 if a choice at this noise multiplier cannot be drawn; called
 * before the charge.
 */
extern void dpem_release_choice_check(const DpemChoiceSpec *spec, const DpemMomentLayout *layout,
									  double noise_multiplier);

/* Takes one release of the line, erases the raw moments, returns the index. */
extern size_t dpem_release_choice(DpemCharge *charge, int line, DpemRawMoments *raw,
								  const DpemChoiceSpec *spec);

/*
 * Chooses `wanted` times, each time from the remaining candidates; takes as
 * many releases of the line and fills chosen in the order of choice.
 */
extern void dpem_release_choices(DpemCharge *charge, int line, DpemRawMoments *raw,
								 const DpemChoiceSpec *spec, size_t wanted, size_t *chosen);

#endif							/* DPEM_WALL_RELEASE_CHOICE_H */
