/*
 * sbn_rules.c - what a plan of belief networks takes from public quantities
 * (sbn_estimate.h).  The numbers were chosen by test/bench/vips_sbn.pl
 * (docs/vips.md).
 */
#include <math.h>

#include "core/sbn/sbn_estimate.h"

#define MOST_PASSES		500		/* without noise, where passes end once they change nothing */

double
dpem_sbn_gram_weight(void)
{
	return 0.5;
}

double
dpem_sbn_first_share(void)
{
	return 0.1;
}

int
dpem_sbn_iterations(int hidden, int d, double rows, double gradient_sd)
{
	/* noise in a weight, if gradients are half as long as they may be and G has eigenvalues of a tenth of the rows */
	double		noise = 40 * gradient_sd * sqrt((double) d * (1 + hidden)) / 2 / rows;

	if (!(gradient_sd > 0))
		return MOST_PASSES;
	if (!(rows > 0))
		return 20;
	return noise > 2 ? 15 : noise > 0.3 ? 25 : noise > 0.05 ? 40 : 60;
}
