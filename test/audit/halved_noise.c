/*
 * halved_noise.c - noise of half the standard deviation (scale) that is charged.
 */
#include "core/accounting/choice.h"
#include "core/accounting/paper_mechanism.h"
#include "saboteur.h"

SABOTEUR;

extern DpemUint128 __real_dpem_noise_integer_scale(DpemNoiseKind noise, double scale, int bits);
extern DpemUint128 __wrap_dpem_noise_integer_scale(DpemNoiseKind noise, double scale, int bits);
extern DpemUint128 __real_dpem_choice_scale(double noise_multiplier, DpemUint128 range);
extern DpemUint128 __wrap_dpem_choice_scale(double noise_multiplier, DpemUint128 range);

DpemUint128
__wrap_dpem_noise_integer_scale(DpemNoiseKind noise, double scale, int bits)
{
	return __real_dpem_noise_integer_scale(noise, scale / 2, bits);
}

DpemUint128
__wrap_dpem_choice_scale(double noise_multiplier, DpemUint128 range)
{
	return __real_dpem_choice_scale(noise_multiplier / 2, range);
}
