/*
 * kmeans_rules.c - choices of a k-means fit from public quantities.
 */
#include <math.h>

#include "core/kmeans/kmeans_estimate.h"

#define FEWEST_PASSES	2
#define MOST_PASSES		10
#define USUAL_PASSES	5		/* of an unknown number of rows */

/* |c| of a centre in the unit ball that weights are chosen for */
#define TYPICAL_NORM	0.5

/*
 * With weights a and b for counts and sums and sensitivity D, the noise in a
 * centre c is D^2 (d / b^2 + |c|^2 / a^2) / n^2 in all.  add_remove has D^2 =
 * a^2 + b^2, so a^2 / b^2 = |c| / sqrt(d) is best.  replace_one has D^2 = 4 b^2
 * for all a <= b: counts of weight b are free, and heavier ones never pay.
 */
void
dpem_kmeans_weights(int d, bool replace_one, double *count, double *sum)
{
	*sum = 1;
	*count = replace_one ? 1 : sqrt(TYPICAL_NORM / sqrt((double) d));
}

/*
 * A cluster of rows / k has noise sqrt(d) sum_sd k / rows in its centre, and
 * centres stand about k^(-1/d) apart.  More passes converge further and are
 * noisier each: the fifth root of the squared ratio did best on real data.
 */
int
dpem_kmeans_iterations(int k, int d, double rows, double sum_sd)
{
	double		noise = sqrt((double) d) * sum_sd * k / rows;
	double		passes = pow(pow(k, -1.0 / d) / noise, 0.4);

	if (!(rows > 0))
		return USUAL_PASSES;
	if (!(passes > FEWEST_PASSES))
		return FEWEST_PASSES;
	return passes < MOST_PASSES ? (int) lrint(passes) : MOST_PASSES;
}
