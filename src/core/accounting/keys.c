/*
 * keys.c - see keys.h.
 */
#include <math.h>

#include "core/accounting/keys.h"
#include "core/numeric/bisect.h"

/* relative error of erfc, exp and what is done to their arguments, below 40 deviations or 700 scales */
#define TAIL_SLACK 1e-11

/* tails below this are not told apart, so that no double of theirs is subnormal */
#define LEAST_TAIL 1e-300

double
dpem_keys_sensitivity(DpemNoiseKind noise, int rows_per_unit, bool replace_one)
{
	double		keys = (replace_one ? 2.0 : 1.0) * rows_per_unit;

	if (rows_per_unit < 1 || (noise != DPEM_NOISE_GAUSSIAN && noise != DPEM_NOISE_LAPLACE))
		return NAN;
	return dpem_round_up(noise == DPEM_NOISE_GAUSSIAN ? sqrt(keys) : keys);
}

double
dpem_distinct_sensitivity(DpemNoiseKind noise, bool persons, int rows_per_unit, int groups, bool replace_one)
{
	double		moved = (replace_one ? 2.0 : 1.0) * rows_per_unit;
	bool		gaussian = noise == DPEM_NOISE_GAUSSIAN;

	if (rows_per_unit < 1 || groups < 1 || (!gaussian && noise != DPEM_NOISE_LAPLACE))
		return NAN;
	if (groups == 1)
		return persons ? 1 : rows_per_unit;
	if (persons)
		moved = fmin(moved, groups);
	if (!gaussian)
		return moved;
	return dpem_round_up(persons ? sqrt(moved) : sqrt(replace_one ? 2.0 : 1.0) * rows_per_unit);
}

/* P(round(scale X) >= above) = P(X >= (above - 1/2) / scale), as above is an integer */
static double
normal_tail(double scale, double above)
{
	return erfc((above - 0.5) / scale * sqrt(0.5)) / 2;
}

/* P(Z >= above) = q^above / (1 + q), q = exp(-1 / scale) */
static double
laplace_tail(double scale, double above)
{
	return exp(-above / scale) / (1 + exp(-1 / scale));
}

double
dpem_keys_failure(DpemNoiseKind noise, DpemUint128 scale, int64_t above, int rows_per_unit)
{
	double		tail;

	if (scale < 1 || scale > DPEM_KEYS_SCALE_MAX || above < 1 || rows_per_unit < 1 ||
		(noise != DPEM_NOISE_GAUSSIAN && noise != DPEM_NOISE_LAPLACE))
		return NAN;
	tail = noise == DPEM_NOISE_GAUSSIAN ? normal_tail((double) scale, (double) above)
		: laplace_tail((double) scale, (double) above);
	return rows_per_unit * fmin(tail * (1 + TAIL_SLACK) + LEAST_TAIL, 1);
}

int64_t
dpem_keys_threshold(DpemNoiseKind noise, DpemUint128 scale, int64_t one, int rows_per_unit, double failure)
{
	int64_t		low = 0;		/* fails */
	int64_t		high = INT64_C(1) << 62;

	if (one < 1 || one > INT64_C(1) << 60 || !dpem_is_probability(failure) ||
		!(dpem_keys_failure(noise, scale, high, rows_per_unit) <= failure))
		return 0;
	while (high - low > 1)
	{
		int64_t		middle = low + (high - low) / 2;

		if (dpem_keys_failure(noise, scale, middle, rows_per_unit) <= failure)
			high = middle;
		else
			low = middle;
	}
	return one + high;
}
