/*
 * linreg_rules.h - what a linear regression takes from public and released
 * numbers before its moments are read, and the constants of its estimate.
 */
#ifndef DPEM_CORE_LINREG_RULES_H
#define DPEM_CORE_LINREG_RULES_H

#include <stdbool.h>

/*
 * Part of the budget's squared mu that margins get, if rows are standardised; noise: what they would have in a first-level
 * bin, in parts of the rows, for the whole budget.  few: their number is not public, and they may be few.
 */
extern double dpem_linreg_margins_share(double noise, bool few);

/* the same of the target's own margins before */
extern const double dpem_linreg_location_share;

/* the same where only the target's mean is released, noise: in those, were they all that is released */
extern double dpem_linreg_mean_location(double noise);

/* the weight of its mean square, that of its sum being 1 */
extern const double dpem_linreg_mean_square;

/*
 * Noise in a first-level bin of the margins, in parts of the rows, from which on only the mean is released: as planned, were
 * half of the budget theirs; and as released, of a number of rows that they tell.
 */
extern const double dpem_linreg_margins_noise;
extern const double dpem_linreg_hidden;

/* variance of rows in parts of what clipping has left of it, at most */
extern const double dpem_linreg_most_unclipped;

/* standard deviation of what the margins' centers leave of the means, in units of the deviations they give */
extern const double dpem_linreg_center_error;

/*
 * Radius that standardised rows of d coordinates, or of mean square norm d, are clipped to, `rows` of them;
 * noise: standard deviation of a svec entry of the covariance if they were clipped
 * to sqrt(d).
 */
extern double dpem_linreg_radius(double d, double rows, double noise);

/* the prior's expected R squared: a grid of this many points, each the same multiple of the one before */
#define DPEM_LINREG_PRIORS 20
extern double dpem_linreg_prior(int i);

/* and, of coefficients of wide labels' categories, in parts of that */
#define DPEM_LINREG_LABEL_PRIORS	5
extern double dpem_linreg_label_prior(int i);

/* categories from which on a label is wide, its covariance taken for what it must be */
extern const int dpem_linreg_wide_label;

/* edges of the noise's spectrum, up to which eigenvalues are cleaned of noise wholly */
extern const double dpem_linreg_clean_edges;

/* prior probability that the target has nothing to do with the predictors */
extern const double dpem_linreg_nothing;

/* least standard deviation of the target, squared, in standard deviations of the noise in that: where noise hides it */
extern const double dpem_linreg_least_target;

/* square of a slope without shrinkage, in variances of its noise, from which on intervals take it for one that is there */
extern const double dpem_linreg_told;

/* variance of a predictor, in standard deviations of the noise in it, up to which they take it for one that is not told */
extern const double dpem_linreg_sure;

/*
 * Fourier features of d columns: the width of their kernel; the most that a covariance is released of; deviations of
 * the target at which a row, whose features have norm 1, is as long as the ball is wide.
 */
extern double dpem_linreg_kernel_width(int d, bool standardised);
extern const int dpem_linreg_most_features;
extern const double dpem_linreg_target_reach;

/*
 * Sample and aggregate (families/linreg/linreg_blocks.c): blocks for so many rows of d coordinates; parts of the budget's
 * squared mu for the margins and for the center; norm, in units of sqrt(d), at which standardised rows
 * are clipped; greatest coefficients in the center; and distance from the center, whose noise
 * had that standard deviation, at which coefficients are winsorised then.
 */
extern int	dpem_linreg_blocks(int d, double rows);
extern const double dpem_linreg_block_margins_share;
extern const double dpem_linreg_block_center_share;
extern const double dpem_linreg_block_radius;
extern const double dpem_linreg_block_center_reach;
extern double dpem_linreg_block_reach(double noise);

/*
 * Propose-test-release of the medians of the blocks' coefficients (families/linreg/linreg_tested.c): how many cells the range
 * of a coefficient has at most; and how far one unit is proposed to move any median, in cells of so many, that tables of
 * `distance` units are likely to pass, for so many blocks of rows of d coordinates.
 */
extern const int dpem_linreg_candidate_cells;
extern int	dpem_linreg_proposal(int d, double blocks, double distance, int cells);

#endif							/* DPEM_CORE_LINREG_RULES_H */
