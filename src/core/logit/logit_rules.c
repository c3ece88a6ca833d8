/*
 * logit_rules.c - what a logistic regression's plan takes from public quantities
 * (logit_estimate.h); the benchmarks behind the numbers are test/bench/utility_logit.pl and vips_logit.pl.
 */
#include <math.h>

#include "core/logit/class_estimate.h"
#include "core/logit/logit_curvature.h"
#include "core/logit/logit_estimate.h"

#define MOST_PASSES		200		/* without noise, where passes end once they change nothing */
#define MOST_GRADIENTS	2000	/* the same of a minimum from gradients alone */
#define PRIVATE_PASSES	5
#define SURE_PASSES		8
#define SURE_NOISE		0.0003		/* of the rows in one release with the whole budget */
#define MULTINOMIAL_PASSES	7
#define MARGINS_NOISE	0.03	/* of the rows in a bin: more hides how wide columns are, */
#define MOST_MARGINS	0.3		/* of the budget against it */
#define RIDGE			4.0		/* of output perturbation, in parts of what noise and bias in the loss would have */
#define CONSTANT		3.0		/* deviations of a column that the constant is as large as */
#define LEAST_REACH		2.0		/* deviations that rows of few columns keep, whatever the constant has of the ball */
#define LEAST_SHARE		0.5		/* of rows that bend a hinge */
#define KEPT_NOISE		0.001
#define HIDDEN_NOISE	0.007
#define UNEVEN_NOISE	0.03
#define MODEL_NOISE		0.005	/* of the rows, in the mean of all gradients */
#define MODEL_RARE		0.5		/* the same, of those of a class */
#define MODEL_NUMBERS	0.01	/* the same, times how many numbers noise is in */
#define LEAST_HOLD		0.005
#define HOLD			4.0		/* times that */

/*
 * Second moments are released once and weigh sqrt(2) times the sums: gradients follow, which say what sums say.
 * Counts add nothing under replace_one (docs/proofs.md, 15).  Else the classes' shares are parts of them: with 0.3 their noise is 1.9 times as large, that of the others
 * 4 % less, and 12 tables of R's packages in much noise (add_remove, epsilon 0.1, outside of the repository) have log losses above the shares' by 0.195, with 0.6 by 0.096.
 */
void
dpem_logit_weights(bool replace_one, double *count, double *sum, double *second)
{
	*count = replace_one ? 1.5 : 0.6;
	*sum = 1;
	*second = M_SQRT2;
}

/*
 * test/bench/utility_logit.pl: margins of 5 or 20 % are within 0.002 in AUC from epsilon 0.5 on, and lose at 0.1; so does a first
 * pass of 40 % (adult 0.8845 instead of 0.8866, a9a 0.8830 instead of 0.8852).
 */
const DpemLogitShares dpem_logit_shares = {0.1, 0.25, 0.65};

/*
 * Eight normal columns of 10,000 rows in domains of 5 / 50 / 500 deviations, medians of 11 fits at epsilon 0.1: AUC 0.86 /
 * 0.74 / 0.54 with 10 % for margins, 0.94 / 0.82 / 0.82 with 30 %, the worst 0.65 / 0.40 / 0.25 and 0.91 / 0.59 / 0.66.
 * With 30 % from a noise of 0.02 or 0.01 on, `bank` of test/bench/utility_logit.pl loses 0.03 or 0.05, with 0.03 hardly anything.
 */
DpemLogitShares
dpem_logit_shares_with(DpemLogitShares usual, double noise)
{
	double		margins = fmin(fmax(usual.margins * pow(noise / MARGINS_NOISE, 2), usual.margins), fmax(MOST_MARGINS, usual.margins));
	double		rest = (1 - margins) / (1 - usual.margins);

	return (DpemLogitShares) {margins, usual.first * rest, usual.gradients * rest};
}

/*
 * Each gradient has the noise of d numbers, whatever the curvature cost, and all that were taken count
 * together: eight are as good as four at every epsilon from 0.02 to 8, two are not (test/bench/utility_logit.pl).  Where a rare flag tells much,
 * steps are short, and what is left of the way is more than little noise: 10,500 rows of Fertility2 (r-cran-aer) at epsilon 2 / 8 have a
 * log loss of 0.216 / 0.217 with 5, 0.190 / 0.190 with 8, 0.188 / 0.188 with 12; of 36 tables none of which loses more than 0.001 where
 * noise is below SURE_NOISE; with 12 passes everywhere 71 tables lose 0.009 in AUC on average at 0.5 (outside of the repository).
 */
int
dpem_logit_iterations(double noise)
{
	if (!(noise > 0))
		return MOST_PASSES;
	return noise < SURE_NOISE ? SURE_PASSES : PRIVATE_PASSES;
}

/*
 * Rows of d columns in units of their deviations have the constant CONSTANT in the same units, and are divided by what makes that `value`.  At least 1: rare ones
 * are seen in larger units, and a9a would have an AUC of 0.884 at epsilon 0.1 in place of 0.886 (five fits).  AUC
 * of lifesci at epsilon 0.1 / 0.5, ten fits: 0.809 (0.750) / 0.848, with 1 in its place 0.780 (0.715) / 0.844, with twice as much 0.818 (0.760) / 0.847; but log loss of
 * 1,103 rows of 30 columns at 0.1 0.466, 0.494 and 0.513, of 1,785 of 13 0.404, 0.404 and 0.422 (five fits, outside of the repository).
 */
double
dpem_logit_slope(int d, double value)
{
	return fmax(CONSTANT * CONSTANT / (value * value) / d, 1);
}

/*
 * Deviations are released numbers.  Scores of unit variance in each coordinate keep the sum of noise variances in a
 * score least, (sum a_j)(sum 1 / a_j) for coordinates of variance a_j; the constant has more, as all else is
 * learnt about it (equal ones: 0.015 less in AUC at epsilon 0.1, test/bench/utility_logit.pl).  The radius is
 * the root mean square norm: a wider one costs what it clips less, from epsilon 0.02 to 8.  Of one column, or two, that would cut most rows:
 * 8,000 of two lognormal columns have a log loss of 0.382 (0.471) at epsilon 0.1, with LEAST_REACH 0.353 (0.380), median (worst) of nine.
 */
void
dpem_logit_frame(int d, bool constant, double square, const double *deviation, double *scale, double *radius)
{
	int			columns = constant ? d - 1 : d;

	for (int j = 0; j < columns; j++)
		scale[j] = 1 / deviation[j];
	if (constant)
		scale[columns] = CONSTANT;
	*radius = sqrt(constant ? fmax(square, LEAST_REACH * LEAST_REACH) + CONSTANT * CONSTANT : square);
}

/*
 * The vector of a row's slopes over all problems is sqrt(C) long at most.  Cut at 1, which most rows of 26 letters are
 * at first, its noise is least: logistic regression of 512 Fourier features has an accuracy of 0.757 / 0.834 at epsilon
 * 2 / 8, cut at sqrt(2) 0.735 / 0.829 and at 2 0.69 / 0.81 (test/bench/letters.sh).  Without noise nothing is cut.
 */
double
dpem_class_bound(int problems, bool noisy)
{
	return noisy ? 1 : sqrt(problems);
}

/*
 * Seven passes of a multinomial loss, whose steps are short: Nursery 0.913 at epsilon 4 with five, 0.919 with eight, letters
 * 0.740 and 0.746; at 0.1 and 1 alike (test/bench/letters.sh).
 *
 * A hinge of one class against many is best left where least squares put it: on letters, with
 * Fourier features 0.722 / 0.80 instead of 0.715 / 0.77 at epsilon 2 / 8 (test/bench/letters.sh).
 */
int
dpem_class_iterations(const DpemMarginLoss *loss, int problems, double noise)
{
	if (loss->kind == DPEM_LOSS_MULTINOMIAL)
		return noise > 0 ? MULTINOMIAL_PASSES : MOST_GRADIENTS;
	return noise > 0 && loss->kind == DPEM_LOSS_HINGE && problems > 1 ? 2 : dpem_logit_iterations(noise);
}

/*
 * Least squares of one class against the rest never give a class its turn that lies between others: 12 clouds in a plane have an accuracy of 0.38, by discriminant
 * analysis of the same releases 0.82.  Gradients of a hinge, where a caller asks for them, are one class's against the rest.
 */
bool
dpem_class_is_discriminant(const DpemMarginLoss *loss, int problems, int passes)
{
	return loss->kind == DPEM_LOSS_MULTINOMIAL || (loss->kind == DPEM_LOSS_HINGE && problems > 1 && passes == 2);
}

/*
 * At least half of the most, so that a step without noise never goes more than twice too far, whatever law margins
 * have: sum l'' x x' is at most twice what is divided by.  Median AUC of 5 fits at epsilon 1 / 4, on `bank` of
 * test/bench/utility_logit.pl (FUNCTION=dp_svm_fit) with another seed, as it is (11 % of one class) and with
 * scores less by 2 (3 %):
 *
 *           share         share, but half at least   (1 + share) / 2   moments of a truncated normal law
 *   11 %    0.868 / 0.870   0.871 / 0.873            0.872 / 0.874     0.794 / 0.810
 *   3 %     0.882 / 0.890   0.874 / 0.886            0.873 / 0.877     0.881 / 0.889
 */
double
dpem_logit_hinge_curvature(const DpemMarginLoss *loss, double share)
{
	return dpem_loss_most_curvature(loss) * fmax(share, LEAST_SHARE);
}

/*
 * A median distance between standardised rows is sqrt(2 d); kernels of a third of it, sqrt(d) / 2, are best on letters
 * with 512 and 1,024 features (test/bench/letters.sh).  Columns vary over about a third of their domains.
 */
double
dpem_class_width(int d, bool standardised)
{
	return sqrt(d) / (standardised ? 2 : 6);
}

/* sums are released once more, by class: test/bench/letters.sh */
void
dpem_class_weights(bool replace_one, double *count, double *sum, double *second)
{
	*count = replace_one ? 1.5 : 0.1;
	*sum = 0.7;
	*second = M_SQRT2;
}

/*
 * Fourier features have many directions, whose second moments are what the noise is largest in: of hinges, which sums by class alone follow, 0.4
 * is best.  Of a multinomial loss 0.25 is better than 0.4 for 512 features (accuracy 0.633 / 0.729 / 0.843 at epsilon 0.5 / 1 / 4
 * in place of 0.598 / 0.715 / 0.835) and for 16 numbers (0.681 / 0.724 / 0.740, 0.667 / 0.712 / 0.741; test/bench/letters.sh).
 */
DpemLogitShares
dpem_class_shares(const DpemMarginLoss *loss)
{
	return loss->kind == DPEM_LOSS_MULTINOMIAL ? (DpemLogitShares) {0.1, 0.25, 0.65} : (DpemLogitShares) {0.1, 0.4, 0.5};
}

/*
 * Means of classes explain less than they seem to where rows have tails or are clipped.  Shuttle (r-cran-mlbench, domains three
 * times as wide as the data) has an accuracy of 0.951 / 0.954 at epsilon 1 / 4, with 0 of 0.942 / 0.946.
 */
const double dpem_softmax_explained = 0.8;

/*
 * Vehicle of r-cran-mlbench, 592 rows of 18 columns, four classes, accuracy (log loss) at epsilon 2 / 8, means of ten, before unsure parts of
 * the rows were drawn to even ones: 0.49 (1.13) / 0.67 (0.84) with 0, 0.51 (1.11) / 0.68 (0.80) with 3, 0.53 (1.10) / 0.69 (0.80) with 6.
 */
const double dpem_softmax_scores = 6;

/*
 * Log loss of 187 labels of R's packages, 3 to 12 classes, one fit each at epsilon 0.5, 1 and 4, less that of steps by the bound, by noise of one release with the whole
 * budget times classes times the root of d, up to 0.0026 / 0.005 / 0.008 / 0.0125 / 0.017 / 0.026, the mean of gradients having one and a half times as much or more: -0.033 / -0.046 / -0.023 / -0.010 / 0.007 / -0.001 in the mean, of a single one up to 0.011 / 0.030 / 0.030 / 0.18
 * from the second on; above up to 0.29.
 * Six generated tables of three to ten clouds at epsilon 4 / 20, three fits each, have 0.131 / 0.085 where what holds steps back is no curvature to noise,
 * 0.117 / 0.079 where it is, by the bound 0.124 / 0.112.  Not held back at all, two of ten do not converge (all of it outside of the repository).
 */
bool
dpem_softmax_is_modelled(double noise, int problems, int d, double least)
{
	return noise < MODEL_NOISE && noise < MODEL_RARE * least && noise * problems * sqrt(d) < MODEL_NUMBERS;
}

double
dpem_softmax_hold(double noise, int problems, int d)
{
	return fmin(fmax(HOLD * noise * problems * sqrt(d), LEAST_HOLD), 1);
}

/*
 * Of two classes it matters little: 60 tables of R's packages (60 / 40 / 29 with little enough noise at epsilon 4 / 1 / 0.5, three fits each) have a log loss less by
 * 0.0047 / 0.0093 / 0.0066 than by steps along the curvature of normal scores, with twice HOLD by 0.0043 / 0.0090 / 0.0067, with four times by
 * 0.0036 / 0.0084 / 0.0062; 50 others with a fourth of it by 0.0058 / 0.0075 / 0.0044, as it is by 0.0081 / 0.0081 / 0.0056 (outside of the repository).
 */
double
dpem_logit_hold(double noise, int d)
{
	return dpem_softmax_hold(noise, 2, d);
}

/*
 * Steps cost no noise, but a pass each over kept rows: adult 0.895 / 0.891 at epsilon 1 / 4 with 100, 0.896 / 0.897
 * with 300 (test/bench/utility_logit.pl).
 */
int
dpem_class_steps(void)
{
	return 300;
}

/*
 * Noise of deviation z / ridge in each coefficient adds at most rows curvature (z / ridge)^2 / 2 to the loss, the ridge
 * itself half of ridge |w|^2: their sum is least at ridge^3 = 2 rows curvature z^2 / |w|^2, where scores of unit variance
 * in coordinates of variance 1 / d have |w|^2 = d.  Four times as much is best, as the order of scores matters and not
 * their length: adult 0.875 / 0.895 at epsilon 0.1 / 1, with 16 times 0.866 / 0.893, with 1 0.847 / 0.885, with a
 * fourth 0.741 / 0.839 (test/bench/utility_logit.pl).
 */
double
dpem_class_ridge(const DpemMarginLoss *loss, int d, double rows, double z)
{
	return RIDGE * cbrt(2 * rows * dpem_loss_most_curvature(loss) * z * z / d);
}

/*
 * A larger ridge leaves less of mu for noise: with 0.3 medians of adult, its numbers and letters are within 0.002 in AUC from
 * epsilon 0.1 to 4, but 3,000 rows of two heavy tails lose 0.19 at 0.1 (test/bench/utility_logit.pl).
 */
const double dpem_class_ridge_part = 0.1;

/* noise of multiplier 26 at epsilon 1, for distances of 1e-5: 0.0005 beside coefficients of a few units */
const double dpem_class_minimum_share = 0.03;

/*
 * make bench-regression at epsilon 0.1, AUC, medians (worst) of ten fits: lifesci (noise 0.0019) has 0.787 (0.737) for dp_logit_fit where
 * rows keep it and 0.818 (0.764) where they are clipped as a whole, a9a (0.0012) 0.8848 and 0.886.  Of 10,220 rows with heavy tails,
 * 0.7 % in the class, it is 0.48 and 0.53 at 0.1 (0.0037), and 0.65 and 0.45 at 0.5 (0.0008); more noise hides what it is for.
 */
bool
dpem_logit_keeps_constant(double noise)
{
	return noise < KEPT_NOISE;
}

/*
 * Log loss above that of the classes' shares, relative, where it is above, mean of tables of R's packages, and mean AUC, four or five fits each at epsilon 0.1
 * (outside of the repository): 22 tables in noise of 0.007 to 0.02 0.029 and 0.618, with response 0.013 and 0.645 (all passes even 0.027 and 0.651), 19 in
 * 0.02 to 0.05 0.083 and 0.524, 0.028 and 0.553 (0.045 and 0.548), 24 in more 0.260 and 0.559, 0.070 and 0.580 (0.044 and 0.588).  33 tables at 0.5: 0.013 and 0.638,
 * 0.010 and 0.679.  In 0.005 to 0.007 flchain (r-cran-survival) has an AUC of 0.73 in place of 0.82.
 */
bool
dpem_logit_is_hidden(double noise)
{
	return noise > HIDDEN_NOISE;
}

int
dpem_logit_even_passes(double noise, int later)
{
	return noise > UNEVEN_NOISE ? later : later / 2;
}
