/*
 * linreg_rules.c - see linreg_rules.h.  The numbers were chosen by
 * test/bench/utility_linreg.pl (docs/families/linreg.md).
 */
#include <math.h>

#include "core/kernels/block_means.h"
#include "core/linreg/linreg_rules.h"
#include "core/numeric/chi_square.h"

#define CLIPPED_NOISE	0.06	/* at which rows are clipped to their root mean square norm */
#define CLIPPED_PART	0.1	/* of the noise's variance, that clipping by chance may have */
#define WIDEST			5.0		/* root mean square norms */


#define LEAST_PRIOR		0.1		/* expected R squared; above 1 where predictors are nearly collinear */
#define MOST_PRIOR		5.0

#define LEAST_SHARE		0.1		/* of the budget for margins, */
#define MOST_SHARE		0.5
#define FEW_SHARE		0.2		/* the least where rows may be few */
#define WANTED_NOISE	0.06	/* and between these, what their noise is to be: 2,000 rows, ten predictors, have it from epsilon 0.5 on */

/*
 * Without the target's own margins one fit in 30 of these at epsilon 0.2 takes a bin of noise for the target's: R squared -1; and what noise hides
 * of a target's tail is cut off.  hpc_cv (2,426 rows, 22 coordinates, a target that is nearly always 0) has an R squared of 0.89 at epsilon 2 and
 * 0.12 without; 162 tables of R's packages at 0.5 / 1 / 4 are 0.012 / 0.004 / 0.002 better on average of three fits, at their worst 0.018 / 0.012 /
 * 0.004; utility_linreg.pl's are alike.
 */
const double dpem_linreg_location_share = 0.1;

/*
 * `few` of test/bench/utility_linreg.pl, 800 rows, at epsilon 0.02 / 0.05 / 0.1 / 0.2, median (worst) R squared of 40 fits: -2.1 (-48) /
 * -1.7 (-11) / -0.14 (-6.4) / -0.009 (-0.07); with margins however much is hidden, and means shrunk to where they show the target,
 * -10 (-80) / -2.2 (-31) / -0.26 (-4.4) / -0.016 (-0.10); and with the law that margins show, without their clamp, -31 (-143) / -6.9
 * (-52) / -0.12 (-2.2) / -0.07 (-0.21).  With posterior means (dpem_target_within) -3.4 (-64) / -0.27 (-14) / -0.15 (-4.4) / -0.012 (-0.07),
 * where without -2.1 (-41) / -1.5 (-19) / -0.14 (-3.7) / -0.014 (-0.10) came out beside them: a target near an end of its domain loses where
 * noise is half of that, any other gains.
 */
#define MEAN_LOCATION	0.4
#define MOST_HIDDEN		0.2		/* of the rows, noise in a first-level bin: with more no bin tells anything */

const double dpem_linreg_mean_square = 0.5;

/* 2,000 rows with ten predictors: at epsilon 0.2 R squared is 0.2, at worst -0.2; at 0.17 down to -0.9 in 60 fits */
const double dpem_linreg_margins_noise = 0.085;

/*
 * Of rows whose number is not public (ADJACENCY=add_remove) `few` has an R squared of -0.19 (-2.8) / 0.00 (-0.07) / 0.39 (0.09) at epsilon
 * 0.1 / 0.3 / 0.5, median (worst) of ten fits, and without this and FEW_SHARE -9.0 (-30) / -0.17 (-5.8) / 0.05 (-6.9); `small` at 0.3 0.73 (0.50)
 * and 0.66 (0.32), `ten` and `diamonds` are alike.
 */
const double dpem_linreg_hidden = 0.12;

/* where nothing is seen the center is the middle of the domain, and the sums, in units of the domain, say less than that */
const double dpem_linreg_center_error = 0.3;

/*
 * Of 190 tables of R's packages, 500 to 2,500 rows, prediction intervals of 95 % hold 95 / 96 / 96 % of rows held out at epsilon 0.5 / 1 / 4, means
 * of two and four fits; with what clipping leaves taken for all 91 / 91 / 94 (utility_intervals.pl has generated ones).
 */
const double dpem_linreg_most_unclipped = 4.0;

/* uncleaned, ten predictors lose 0.02 of R squared where the noise is a third of the variances */
const double dpem_linreg_clean_edges = 2.0;

/*
 * Where noise is as large as the target's variance, without it models are worse than the mean by a tenth
 * of that variance; where R squared is 0.3 and the noise 0.3, it costs 0.02 of it.
 */
const double dpem_linreg_nothing = 1 / 3.0;
const double dpem_linreg_least_target = 0.5;

/*
 * test/bench/bench_coverage.c: diamonds at epsilon 0.1 / 0.5 / 1 / 4 have 95.4 / 96.2 / 96.3 / 94.7 % of their coefficients covered
 * by 95 % intervals.  With noise taken off however little is told, 98.8 / 99.1 / 98.5 / 97.2; from 9 variances on, 92.4 / 92.2 / 93.4 / 92.6.
 */
const double dpem_linreg_told = 4.0;

/*
 * Of 32 tables of R's packages, 150 to 2,000 rows in domains of 1.5 / 20 / 1,000 times their range, some in three groups, at epsilon 0.5 to 8, 95 %
 * intervals of slopes cover 84 / 92 / 94 % of the rows' least squares, and with lengths that the posterior has 81 / 88 / 88 %.
 */
const double dpem_linreg_sure = 4.0;

#define ROWS_PER_COEFFICIENT	4	/* in a block */
#define CENTER_NOISE			3.0	/* deviations of the center's noise that blocks' coefficients may be off */
#define BLOCK_SPREAD			0.5	/* and what they vary by themselves */

/*
 * Friedman #1, 40,000 rows, test/bench/kernel_linreg.sh: with five columns at epsilon 1 widths of 0.5 / 1 / 1.5 have an R squared of
 * 0.84 / 0.90 / 0.83 (128 features, a fit of each), and 64 / 128 / 256 features of width 1 have 0.85 / 0.90 / 0.89.
 */
#define KERNEL_WIDTH	1.0

/* of 1,024 features a model's covariance has 8 MB, and its noise is beyond what more would explain */
const int	dpem_linreg_most_features = 1024;

/* rows of the ball's radius, sqrt(2): beyond a normal target's 99 %, least noise beside the features */
const double dpem_linreg_target_reach = 2.5;

const double dpem_linreg_block_margins_share = 0.1;
const double dpem_linreg_block_radius = 2.0;
const double dpem_linreg_block_center_share = 0.3;
const double dpem_linreg_block_center_reach = 2.0;

/* columns vary over about a third of their domains */
double
dpem_linreg_kernel_width(int d, bool standardised)
{
	return KERNEL_WIDTH * sqrt(d) / (standardised ? 1 : 3);
}

int
dpem_linreg_blocks(int d, double rows)
{
	return (int) fmin(fmax(rows / (ROWS_PER_COEFFICIENT * d), 1), DPEM_BLOCKS_MAX);
}

double
dpem_linreg_block_reach(double noise)
{
	return fmin(BLOCK_SPREAD + CENTER_NOISE * noise, dpem_linreg_block_center_reach);
}

/* cells' widths are far below the noise of any number of blocks */
const int	dpem_linreg_candidate_cells = 4096;

#define CANDIDATE_SPREAD	1.5		/* deviation of a block's coefficient, over that of a mean of as many rows as it has coefficients */

#define MOST_PROPOSED		8		/* the range over what is proposed at most: noise for more would be beyond it, so let the test refuse */

/* a normal law has so many blocks in a cell at its middle; `distance` more may change */
int
dpem_linreg_proposal(int d, double blocks, double distance, int cells)
{
	double		spread = CANDIDATE_SPREAD / sqrt(d);
	double		spacing = sqrt(2 * M_PI) * spread / blocks * cells / (2 * dpem_linreg_block_center_reach);

	return (int) fmin(fmax(ceil((1 + distance) * spacing), 1), cells / MOST_PROPOSED);
}

double
dpem_linreg_margins_share(double noise, bool few)
{
	return fmin(fmax(pow(noise / WANTED_NOISE, 2), few ? FEW_SHARE : LEAST_SHARE), MOST_SHARE);
}

double
dpem_linreg_mean_location(double noise)
{
	return noise < MOST_HIDDEN * sqrt(MEAN_LOCATION) ? MEAN_LOCATION : 0;
}

/* share of rows beyond a radius: of a normal distribution, correlated so that half of the dimensions are left */
static double
clipped_share(double d, double radius)
{
	return 1 - dpem_chi_square_below(d / 2.0, radius * radius / 2);
}

/*
 * The noise grows with the square of the radius.  A clipped row is a row of less weight in the least
 * squares of rows about their center.  What that changes is bias, which may be as large as little noise, and
 * chance, of variance about share / rows, which must be little beside the noise where intervals are to cover.
 */
double
dpem_linreg_radius(double d, double rows, double noise)
{
	double		factor = noise > 0 ? fmax(pow(CLIPPED_NOISE / noise, 0.25), 1) : WIDEST;

	while (factor < WIDEST && clipped_share(d, factor * sqrt(d)) > CLIPPED_PART * rows * pow(noise * factor * factor, 2))
		factor *= 1.05;
	return sqrt(d) * fmin(factor, WIDEST);
}

/* a lower least prior loses more where R squared is small than it wins where it is nothing */
double
dpem_linreg_prior(int i)
{
	return LEAST_PRIOR * pow(MOST_PRIOR / LEAST_PRIOR, i / (DPEM_LINREG_PRIORS - 1.0));
}

double
dpem_linreg_label_prior(int i)
{
	return i > 0 ? 10 * pow(0.1, DPEM_LINREG_LABEL_PRIORS - 1 - i) : 0;
}

const int	dpem_linreg_wide_label = 10;
