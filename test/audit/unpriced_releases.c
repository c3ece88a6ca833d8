/*
 * unpriced_releases.c - callers who ask the wall for what has no price: counts
 * beside special contributions, marks with noise in the place of a choice, and
 * moments on the simplex as if neighbours were other ones.
 */
#include "postgres.h"

#include "wall/release.h"
#include "wall/release_choice.h"
#include "saboteur.h"

SABOTEUR;

extern DpemNoisyMoments *__real_dpem_release(DpemCharge *charge, int line, DpemRawMoments *raw, const DpemReleaseSpec *spec);
extern DpemNoisyMoments *__wrap_dpem_release(DpemCharge *charge, int line, DpemRawMoments *raw, const DpemReleaseSpec *spec);
extern void __real_dpem_release_choices(DpemCharge *charge, int line, DpemRawMoments *raw,
										const DpemChoiceSpec *spec, size_t wanted, size_t *chosen);
extern void __wrap_dpem_release_choices(DpemCharge *charge, int line, DpemRawMoments *raw,
										const DpemChoiceSpec *spec, size_t wanted, size_t *chosen);
extern double __real_dpem_charge_take(DpemCharge *charge, int line, DpemMechanism mechanism, const DpemRowsRead *rows);
extern double __wrap_dpem_charge_take(DpemCharge *charge, int line, DpemMechanism mechanism, const DpemRowsRead *rows);

static bool marks = false;

DpemNoisyMoments *
__wrap_dpem_release(DpemCharge *charge, int line, DpemRawMoments *raw, const DpemReleaseSpec *spec)
{
	DpemReleaseSpec other = *spec;

	if (spec->contribution == DPEM_ON_SIMPLEX)
		other.replace_one = !spec->replace_one;
	else
		other.count_weight = 1;
	return __real_dpem_release(charge, line, raw, &other);
}

void
__wrap_dpem_release_choices(DpemCharge *charge, int line, DpemRawMoments *raw,
							const DpemChoiceSpec *spec, size_t wanted, size_t *chosen)
{
	DpemReleaseSpec counts = {
		.noise = DPEM_NOISE_GAUSSIAN,.count_weight = 1,.replace_one = spec->replace_one,
		.rows_per_unit = spec->rows_per_unit,.contribution = DPEM_MARKS
	};

	marks = true;
	(void) __real_dpem_release(charge, line, raw, &counts);
	marks = false;
	for (size_t i = 0; i < wanted; i++)
		chosen[i] = i;
}

double
__wrap_dpem_charge_take(DpemCharge *charge, int line, DpemMechanism mechanism, const DpemRowsRead *rows)
{
	return __real_dpem_charge_take(charge, line, marks ? DPEM_MECHANISM_EXPONENTIAL : mechanism, rows);
}
