/*
 * mixture_rules.c - see mixture_rules.h.
 */
#include <math.h>

#include "core/mixture/mixture_estimate.h"
#include "core/mixture/mixture_rules.h"

const DpemMixtureShares dpem_mixture_shares = {0.1, 0.2, 0.7};

#define PASSES		10
#define EARLY		0.5			/* of the passes */
#define MORE		3			/* times as many components at first: a single start often ends in a bad optimum */
#define SEEN		0.15		/* noise in the mean of a component that is worth a place among them */
#define HIDDEN		0.6
/* relative noise in a component's variance, of one pass, beyond which own frames do not pay; no bench chose it: tables of R's packages */
#define FRAMES_NOISE 3.0
#define WHOLE_STEPS	2			/* until responsibilities have settled, a pass replaces the one before */
#define BIN_NOISE	0.01		/* of the rows in a bin of a margin: more hides where narrow and heavy-tailed columns are */
#define MOST_MARGINS 0.5		/* of the budget */

int
dpem_mixture_iterations(int k)
{
	return k == 1 ? 1 : PASSES;
}

int
dpem_mixture_early_passes(int passes)
{
	return (int) (EARLY * passes);
}

int
dpem_mixture_early_components(int k, double rows, double sum_sd)
{
	double		most = SEEN * rows / fmax(sum_sd, 1e-300);

	return (int) fmin(fmax(most, k), MORE * k);
}

bool
dpem_mixture_is_hidden(int k, double rows, double sum_sd)
{
	return sum_sd * k > HIDDEN * rows;
}

bool
dpem_mixture_frames_pay(int k, double rows, double square_sd)
{
	return square_sd * k < FRAMES_NOISE * rows;
}

double
dpem_mixture_margins_share(double rows, double bin_sd)
{
	double		needed = rows > 0 ? bin_sd / (BIN_NOISE * rows) : 0;

	return fmin(fmax(needed * needed, dpem_mixture_shares.margins), MOST_MARGINS);
}

double
dpem_mixture_step(int pass)
{
	return pass <= WHOLE_STEPS ? 1 : 1.0 / (pass - WHOLE_STEPS + 1);
}

void
dpem_mixture_weights(double *count, double *sum, double *square)
{
	*count = 0.5;
	*sum = 1;
	*square = 0.7;
}
