/*
 * logit_rules.c - what a logistic regression's plan takes from public quantities
 * (logit_estimate.h); the benchmark behind the numbers is test/bench/vips_logit.pl.
 */
#include <math.h>

#include "core/logit/logit_estimate.h"

#define MOST_PASSES		200		/* without noise, where passes end once they change nothing */
#define ROWS_UNKNOWN	10000	/* assumed where the number of rows is private */

/*
 * Under replace_one, with second moments of weight 1/sqrt(2), sums move the
 * stack as far as they do alone, and counts are free as long as the whole is
 * no longer than that (docs/proofs.md, 4).  If there is no other release of
 * second moments they get more.
 */
void
dpem_logit_weights(bool only, bool replace_one, double *count, double *sum, double *second)
{
	*count = replace_one ? 1.5 : 0.3;
	*sum = 1;
	*second = only ? M_SQRT2 : M_SQRT1_2;
}

double
dpem_logit_first_share(void)
{
	return 0.4;
}

/*
 * The model alone, from a single pass, is better than anything that less of the
 * budget for each of several passes can find, until the largest eigenvalue of
 * rows that have all the same direction is some hundred times that of the noise.
 */
int
dpem_logit_iterations(int d, double rows, double second_sd)
{
	double		ratio = (rows > 0 ? rows : ROWS_UNKNOWN) / (second_sd * sqrt(2.0 * d));

	if (!(second_sd > 0))
		return MOST_PASSES;
	return ratio < 230 ? 1 : ratio < 1000 ? 2 : ratio < 4000 ? 3 : 5;
}
