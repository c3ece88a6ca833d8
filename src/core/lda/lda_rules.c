/*
 * lda_rules.c - what a plan of topics takes from public quantities
 * (lda_estimate.h).  The numbers were chosen by test/bench/vips_topics.pl
 * (docs/vips.md) unless a line says another.
 */
#include <math.h>

#include "core/lda/lda_estimate.h"

#define PASSES		10			/* of all documents: test/bench/lda.pl */
#define MOST_PASSES 1000		/* of samples: one epoch, or as many as are bearable */

/* shares of the terms' totals, at noise of so many times the mean and below, and above */
#define LEAST_SHARE 0.6
#define MOST_SHARE	0.95
#define LITTLE_NOISE 7
#define MUCH_NOISE	13

int
dpem_lda_iterations(double sampling_rate)
{
	return sampling_rate < 1 ? (int) fmin(ceil(1 / sampling_rate), MOST_PASSES) : PASSES;
}

double
dpem_lda_terms_share(double noise, double mean)
{
	double		part = mean > 0 ? (noise / mean - LITTLE_NOISE) / (MUCH_NOISE - LITTLE_NOISE) : 0;

	return LEAST_SHARE + (MOST_SHARE - LEAST_SHARE) * fmin(fmax(part, 0), 1);
}

double
dpem_lda_full_rate(int pass, int passes)
{
	int			first = passes - passes / 2 + 1;

	return pass > first ? 1.0 / (pass - first + 1) : 1;
}
