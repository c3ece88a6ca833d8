/*
 * low_threshold.c - private keys pass that only one unit has.
 */
#include "core/accounting/keys.h"
#include "saboteur.h"

SABOTEUR;

extern int64_t __real_dpem_keys_threshold(DpemNoiseKind noise, DpemUint128 scale, int64_t one, int rows_per_unit, double failure);
extern int64_t __wrap_dpem_keys_threshold(DpemNoiseKind noise, DpemUint128 scale, int64_t one, int rows_per_unit, double failure);

int64_t
__wrap_dpem_keys_threshold(DpemNoiseKind noise, DpemUint128 scale, int64_t one, int rows_per_unit, double failure)
{
	return __real_dpem_keys_threshold(noise, scale, one, rows_per_unit, failure) * 9 / 10;
}
