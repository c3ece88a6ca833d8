/*
 * statistic_rules.c - what a statistic takes from released numbers; the benchmark
 * behind the number is test/bench/utility_statistics.pl.
 */
#include <math.h>

#include "core/statistics/statistic.h"

/*
 * Of the reach, on either side.  A tail of mass h and length s beyond an end is least noise and bias together
 * s ln(h / (sqrt(2) k)) further out, k the noise in an average for each unit between the ends.  The bins at the end of a reach
 * hide several times the 2.7 k that is the noise of one, whatever epsilon and the number of rows; wider clamps
 * cost noise in proportion, of which a wide domain had hundreds of times as much.
 */
#define WIDER	1.0

void
dpem_statistic_widen(double *low, double *high)
{
	double		more = WIDER * (*high - *low);

	*low = fmax(*low - more, -1);
	*high = fmin(*high + more, 1);
}
