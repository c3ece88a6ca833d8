/*
 * gam_rules.c - see gam_rules.h.  The benchmark behind the numbers is test/bench/utility_gam.pl.
 * Of several classes each is solved for as if the others stood still, so that its curvature has to be more than its
 * own (`two`, `hazy`, `ahead`): 121 tables of R's packages with 3 to 26 classes, outside of the repository, three fits
 * of each at epsilon 1 / 4, and clouds of scikit-learn's generators.  With 2.5 times the probability at a cell's mean
 * score and weights 1, 2, 3 .. in place of the mean of p (1 - p) and weights that grow as those of two classes do, log
 * loss in that of shares, on 60 tables by which constants were chosen, is higher by 0.008 / 0.011, on 61 others by
 * 0.005 / 0.009, in standard errors of 0.002; and twelve clouds in a plane have an accuracy of 0.28 in place of 0.84
 * at 100, where it does not converge.  `hazy` 0 loses 0.07 on two tables at 0.1 (AER's STAR, collapse's GGDC10S);
 * `two` 1 gains 0.01 to 0.05 in log loss on clouds at 4 and gains nothing on tables.  Without `ahead` twelve clouds
 * have a log loss of 5 in place of 0.41 at 100. `several_moving` 0.1 / 0.5 / 2: 0.007 / 0.007 / 0.005 less at 1 and
 * 0.011 each at 4.  Ten or twelve gradients gain nothing.
 *
 * Of two classes: adult (AUC at epsilon 0.1 / 1 / 20 / 100) with 1.5 times the curvature and five gradients 0.887 / 0.909 /
 * 0.912 / 0.912, with 1.3 times 0.888 / 0.908 / 0.911 / 0.907, with one time and three 0.887 / 0.909 / 0.909 / 0.902.
 *
 * Twelve gradients of two classes in place of five (log loss at epsilon 0.1 / 1 / 4, medians of four to eleven): adult 0.356 / 0.316 / 0.311
 * and 0.359 / 0.320 / 0.313, lifesci 0.134 / 0.108 / 0.102 and 0.137 / 0.115 / 0.111, AUC the same within what fits differ;
 * 5,000 made-up rows 0.67 / 0.488 / 0.474 and 0.65 / 0.484 / 0.475.  Of a number more gain nothing (diamonds, R squared 0.90 / 0.931 / 0.932
 * with 5, 8 or 12), nor do they of five classes (nursery at epsilon 1 0.909 with twelve, 0.911 with seven).
 *
 * Where two classes start and what releases weigh (make bench-gam, made-up tables, medians of nine at epsilon 0.1 / 0.5 / 1).  From
 * probability 1/2, with weights 1, 2, 3 .. and without counts: AUC 0.814 / 0.895 / 0.908 where 3 % are in the class, 0.616 / 0.774 / 0.805 for 30
 * columns and 0.564 / 0.775 / 0.804 for 2,250 rows, log loss of a class of 1 % 0.057 / 0.052 / 0.050.  From the share: 0.817 / 0.896 / 0.909,
 * 0.615 / 0.776 / 0.805, 0.564 / 0.775 / 0.804 and 0.053 / 0.047 / 0.043.  With these constants, too: 0.833 / 0.901 / 0.910, 0.639 / 0.775 / 0.807,
 * 0.632 / 0.782 / 0.802 and 0.053 / 0.045 / 0.043.  `rare` 0 loses 0.014 in AUC of the class of 1 % at 0.5, 2 gains 0.007 there and loses 0.001 in log loss
 * of 3 %; `moving` 0.5 to 8 are alike; `counts` 0.02 loses 0.009 on lifesci at 0.1, 0.5 0.004 in adult's log loss at 4.  Equal weights lose 0.002 to 0.004
 * in AUC at 1.  `settling` 1 is alike in AUC, and 0.002 / 0.003 worse in adult's log loss at epsilon 1 / 4; where noise is little its
 * coefficients are off by several times as much, far beyond their intervals.  From their shares five classes of nursery lose 0.01 to 0.03 in log loss, and gain nothing in accuracy.
 *
 * Where bins are by default (make bench-gam, medians of 15 at epsilon 0.1 / 1; docs/families/gam.md has
 * more).  Of domains that begin at zero a `spread` of 0 / 0.25 / 0.33 / 0.5: R squared of diamonds registered from 0 to 60 0.910 / 0.945 / 0.946 / 0.945
 * and 0.931 / 0.964 / 0.972 / 0.975, AUC of ten shares of words 0.833 / 0.916 / 0.918 / 0.916 and 0.917 / 0.955 / 0.958 / 0.958, adult's amounts as they are
 * 0.882 / 0.884 / 0.884 / 0.884 and 0.909 to 0.911; `finest` 0.02 is 0.006 worse on the second at 1.  Where zero is within, 0.5 and `finest` 0.004
 * gain 0.02 on heavy tails and lose 0.05 at epsilon 0.1 on ten normal numbers registered from -5 to 5; with `spread_within`
 * and `least_spread` these stay as they are, heavy tails gain 0.015 and Shuttle's accuracy 0.007 / 0.005.
 *
 * Where a number is, and what columns explain of it (make bench-gam, medians and worst of 15 to 25 fits).  At epsilon 0.1 / 0.3 SLID (replace_one)
 * has an R squared of -0.01 (-0.45) / 0.13 (0.00).  `clear` 0.05, by which bins are looked at one by one in more noise, -0.56 at worst at 0.3; 0.002 is alike.
 * `unlike` 0 gains nothing.  With one scale -0.26 (-0.69) / 0.15 (0.02), and gss of a seventh of its rows (add_remove) -0.07 (-0.28) in place
 * of -0.02 (-0.25); three scales of 16 or six of 4 are alike.  `seen` 0, for all rows: diabetes has a log loss of 3.5 at worst at epsilon 0.1, in place of 0.74; 1 to 3 are alike.
 * `spiked` 0 / 0.02 / 0.05 / 0.14, R squared at epsilon 0.1 / 0.2 / 0.5 (nine fits, arithmetic means): number_two -0.25 / -0.23 / -0.23, 0.33 / 0.52 / 0.62,
 * 0.45 / 0.53 / 0.62 and 0.46 / 0.55 / 0.62, number_zeros -0.14 / -0.14 / -0.11, -0.07 / -0.03 / 0.02, -0.03 / -0.06 / 0.02 and -0.21 / -0.19 / 0.02; all others are alike within 0.01
 * but number_wide.  `narrow` 0 / 0.5 / 1 at epsilon 0.1: SLID -0.23 / -0.19 / -0.14 at worst, number_two 0.45 / 0.25 / -0.09, number_wide -52 / -15 / -6 (median).
 * What locates a number before it has bins (make bench-gam, add_remove, medians and, in brackets, worst of 15 fits; number_wide and its like, number_tails).  R squared at epsilon 0.1 / 0.5
 * of amounts of about 600 in a domain of 1,000,000 is 0.32 (0.24) / 0.36 (0.35); without it the cells' bins have all rows in one.  `least_location` 0.03 / 0.05 / 0.1 / 0.15: number at 0.2 0.63 / 0.63 / 0.60 / 0.60, number_humps
 * 0.42 / 0.40 / 0.39 / 0.37, number_two at 0.1 0.33 (-0.35) / 0.41 (-0.16) / 0.40 (0.20) / 0.47 (0.18), number_tails at 0.5 0.45 / 0.46 / 0.49 / 0.49.
 * `located` 0.01 in place of 0.03: at 0.05 number 0.11 in place of 0.17, number_humps 0.08 in place of 0.16 and number_two 0.11 in place of -0.01; at 0.1 0.43 / 0.25 / 0.48 in place of 0.38 / 0.29 / 0.41.  `most_location` counts where
 * rows are public and few: with replace_one number_few, number_two and SLID are within 0.02 with 0.2, but for 0.06 on number_two at 0.05.  `trusted` and `doubted`: without, number_two has -0.27 at 0.05 in place of -0.01, and DoctorVisits -0.10 in place of -0.02, as rows of rarer values are hidden;
 * but amounts of 975 rows have 0.19 (-0.06) at 0.5 in place of -1.4 (-380), and -20 in place of -255 at 0.2.
 * `clear_parts` 0.035 loses 0.03 on number_humps at 0.2, 0 gives 0.34 and 0.42 in place of 0.35 and 0.46 on number_amounts and number_tails at 0.5.
 * `reach` 3.5 loses 0.016 on number at 0.5 and has -1.0 at worst at 0.05 in place of -0.2; `tails` 1 loses 0.007 on number_tails at 0.5.
 * `hidden`: of 80 tables of up to 7,000 rows whose number is public, full models in noise of 0.1 to 0.2 of the rows have an R squared above that of the mean more
 * often at epsilon 0.5 (0.73, 0.75, 0.26, 0.18, 0.16 on five that were their means with 0.09; the worst -0.05) than not, in 0.2 to 0.3 as often, and beyond that they lose 0.02 to 2.
 * `few_location` and `doubtful`: 975 amounts in a domain of 1,000,000 (number_wide_few, add_remove, 15 fits) have -0.14 (-1.6) at 0.1, and -4,900 (-610,000) without any of this.  `coarse` 3 makes means of
 * nlme's Spruce and bivariate of R's modeldata at 0.5, where models have 0.35 and 0.28.
 * `hidden_classes`: of 23 tables of two classes at epsilon 0.1 the log loss is above that of the true shares by 0.007 on average (median fits), without by 0.011, the worst fits by 0.054 and 0.053.
 * `hidden_several`: of tables of R's packages of 3 to 26 classes (outside of the repository; replace_one, 948 fits of full models at epsilon 0.1 to 2) the log loss is above that of the shares by
 * 0.13 of it where rows tell 0.8 to 1 of the noise, 0.20 / 0.11 / 0.02 in 1 to 1.25 / 1.6 / 2, and below it beyond 3; shares with noise lose 0.02 to 0.03 there.
 * Contributions that are multiplied by what evidence or noise says gain at most 0.004 on average, and lose as often.
 * `much_noise` (nine tables of make bench-gam, 25 fits of each at epsilon 0.05 / 0.1 / 0.2 with either adjacency; R squared of rows held out, predictions not cut off at the domain's ends).
 * The worst one of a table, which counts as -1.5 at least, is higher by 0.02 / 0.03 / 0.05 on average (add_remove) and by 0.24 / 0.26 / 0.09 (replace_one) than where all is kept;
 * medians are 0.002 / 0 / -0.001 and 0.016 / -0.002 / 0.002 higher, the least -0.03, and at 0.5 nothing moves by more than 0.01.
 * In 20 fits of eight of these that took no part in the choice: worst ones 0.02 / 0.01 / 0 and 0.19 / 0.11 / 0.02 higher, at least -0.045, medians 0 to 0.012, at least -0.016.
 * 0.3 gains half of that with add_remove, 0.15 loses 0.005 at 0.1.  Without the square
 * of `much` medians lose 0.007 at 0.1 (replace_one), with James and Stein's part wherever it is 0.02, at most 0.09.  Levels that are taken a quarter of the way to the middle of the counts, or farther, lose 0.02 to 0.6 in one fit of ten at 0.05 and 0.1.
 * Other parts for pairs, 0.2 and 0.7, and for counts, 0.5, lose 0.01 to 0.02 on diamonds, SLID or a made-up number, or gain there and lose in the worst run.
 *
 * Which bins are joined (make bench-gam, BINS=apart joins none; medians of 9 to 25 fits).  Without joining, and with 1, 1.5, 2 and 3 times
 * sqrt(n w / s) bins and nothing kept apart, at epsilon 0.1 AUC of 2,250 rows 0.61 / 0.68 / 0.67 / 0.69 / 0.69, of a class of 1 % 0.71 / 0.75 / 0.78 / 0.76 / 0.75, of spam
 * 0.921 / 0.920 / 0.929 / 0.920 / 0.924; the sum of log losses of nine tables at 0.1 3.76 / 3.50 / 3.49 / 3.52 / 3.56, at 0.5 3.13 / 3.02 / 2.99 / 3.00 / 3.00.  Of a number 1 and 1.5 have an R squared of 0.09 (-0.26)
 * and 0.13 (-0.40) on SLID at 0.1, 0.273 (0.23) and 0.284 (0.20) at 0.25.  `apart`: nothing that differs is kept 0.903 on adult's amounts at 0.5, 1.5 to 4 0.907 or 0.908, without joining
 * 0.905; 1.5 loses 0.02 on spam at 0.1.  Rare categories that are joined gain nothing.
 *
 * Which columns are left out (make bench-gam, five to seven fits, AUC; the tables sparse are flags that few rows have).  None, those with few rows beyond their largest cell that do not differ beyond
 * doubt, and these: a9a at epsilon 0.1 / 0.3 0.848, 0.879 / 0.892 and 0.869 / 0.888, sparse at 0.5 / 1 0.709 / 0.750, 0.523 / 0.642 and 0.704 / 0.751, flags at 0.1 0.731, 0.675 and 0.730, adult 0.884, 0.884 and 0.888;
 * of 21 tables all others but diabetes (0.508 and 0.596 at 0.1) and spam (0.921 and 0.926) are alike.  `effect` 0.1 / 0.25 / 1: sparse_weak at 1 0.678 / 0.708 / 0.714.  `own` 0 and 1: a9a at 0.1 0.870 and
 * 0.864.  Were columns that tell the same not worth less, a9a would have 0.866 / 0.885; noise that is twice as large loses 0.01 on flags at 0.1 and 0.04 on 5,000 rows of sparse_few at 1.
 *
 * Columns that tell the same (`stiff`, `sure`, `least_along`, `looks`; dp_gam_fit of 4,274 days, ridership of a station by that of twenty others, R squared at epsilon 0.3 / 0.5 / 1 / 2 / 4, nine fits).
 * Without: -1.8 (-3.9) at 0.5 and 0.43 (0.31) at 2, five fits; with what gradients show alone 0.31 (-1.1) / -0.11 (-4.3) / -1.0 (-4.3) / -1.2 (-9.7); with what pairs cannot show alone 0.57 (-0.98) / 0.07 (-0.56) / 0.29 (-0.30) / 0.55 / 0.77;
 * with both 0.67 (0.43) / 0.65 (0.44) / 0.72 (0.66) / 0.72 (0.45) / 0.77 (0.52).  `least_along` 0.1 loses 0.025 on number_three at 0.1 (make bench-gam), and so does 0.4; were twice the target's variance not asked for
 * where scores vary beyond it, number_tails would have 0.355 and 0.370 in place of 0.381 and 0.414 at 0.1 and 0.3.  Of classes only gradients tell: 26 measures of make bench-gam are within 0.006 of what they are without.
 *
 * Gradients with half of the budget lose 0.01 in AUC on adult at epsilon 0.1 and 0.002 at 1; without pairs it is 0.870
 * and 0.881.  Two updates of the variances in place of one gain less than 0.001, and so do 30 or 70 % of the
 * counts' square for pairs.
 *
 * `class_updates` 6 (make bench-gam, nine fits of 23 tables of classes at epsilon 0.1 / 0.3 / 1 / 4): AUC and log loss are the same within 0.0002 on average, of medians and of worst fits.
 * Cells that are joined after the first posterior of all of them, and not before: medians of AUC are lower by 0.0016 / 0.0009 / 0.0001 / 0.0001 on average and log loss is higher by 0.0010 / 0.0014 /
 * -0.0001 / -0.0002, worst fits are alike within 0.0005.  Columns that are left out by pairs that are not cleaned: a9a has 0.859 in AUC at 0.1 in place of 0.866 (25 fits).
 *
 * `few_bins`, `few_cells` and `little_noise` (tables of scikit-learn's generators and of R's packages, outside of the repository; docs/families/gam.md): of 17 tables in domains ten times as
 * wide as the data 32 / 64 / 128 bins of few numbers have an AUC of 0.826 / 0.857 / 0.867 at epsilon 0.5 (noise of 0.0004 of the rows) and 0.841 / 0.881 / 0.889 at 4, half as wide again
 * 0.875 / 0.871 / 0.869 and 0.892 / 0.895 / 0.897.  At 0.1 (0.002) 64 have 0.812 and 0.804 in place of 0.782 and 0.811.  Of 17 numbers in such domains R squared with 64 is 0.34 and 0.31 in place of 0.38 and 0.38 at 0.1,
 * 0.57 and 0.58 in place of 0.56 and 0.58 at 0.5.
 *
 * `two_learnt` (make bench-gam, five fits of 21 tables at epsilon 0.1 / 1 / 4): with variances learnt at every pass AUC is the same within
 * 0.0003 on average and log loss within 0.001, the most 0.006 and 0.007 at 0.1 (lifesci, flchain), spam gains 0.02; a fit of a million rows and 661 cells costs 0.08 of 1.0 seconds more.
 *
 * Five chosen pairs on adult (log loss at epsilon 1 / 4, medians of five): up to five parts of a column, 5 % of the budget for the
 * choice by three parts, three gradients before it and eight after 0.314 / 0.311; six parts 0.315 / 0.309; eight parts, 10 %, four parts,
 * one gradient and five 0.318 and, at epsilon 100, worse than no pairs; 10 %, three gradients and ten 0.316 / 0.311.
 */
#include <math.h>

#include "core/gam/gam_rules.h"

const DpemGamRules dpem_gam_rules = {
	.least_location = 0.05,.few_location = 0.1,.most_location = 0.15,.located = 0.03,.trusted = 0.15,.doubted = 0.4,.window = 6,.first = 0.3,.gradients = 0.7,.pair_share = 0.4,.choice = 0.05,.pair_parts = 6,.choice_parts = 3,.before = 3,.pair_passes = 8,.passes = 5,.two_passes = 12,.several_passes = 7,.first_updates = 6,.class_updates = 3,.later_updates = 1,.two_learnt = 5,
	.level_precision = 0.1,.expected = 0.05,.expected_bins = 32,.most_bins = 32,.few_bins = 128,.few_cells = 640,.little_noise = 0.0005,.spread = 0.33,.spread_within = 0.25,.finest = 0.004,.least_spread = 0.05,.near_zero = 0.01,.class_bins = 1.5,.number_bins = 1,.least_bins = 2,.apart = 2.5,.effect = 0.5,.own = 0.5,.least_along = 0.6,.looks = 3,.stiff = 1.5,.sure = 2,.intercept = 15,.number_scale = 4,.step = 3,.two = 1.5,.rare = 1,.moving = 2,.counts = 0.1,.settling = 3,.several_moving = 0.5,.hazy = 2.5,.ahead = 0.5,.seen = 2.5,.clear = 0.005,.clear_parts = 0.02,.unlike = 1.0 / 16,.spiked = 0.05,.spike_parts = 9,.narrow = 0.5,.hidden = 0.2,.doubtful = 0.5,.hidden_classes = 0.8,.hidden_several = 1.6,.coarse = 12,.much_noise = 0.2,.scales = 4,.scale_ratio = 8,.reach = 3,.tails = 2
};

#define MOST_PASSES	1000	/* where they change nothing any more they end */
#define EXACT_UPDATES	20		/* passes without noise that learn the prior's variances */

int
dpem_gam_updates(bool noisy, int targets, int pairs, int pass)
{
	int			last = !noisy ? EXACT_UPDATES : targets == 2 && pairs == 0 ? dpem_gam_rules.two_learnt : pass;

	/* core/gam_search learns them */
	if (!noisy && targets > 2)
		return 0;
	if (pass == 1)
		return noisy && targets > 1 ? dpem_gam_rules.class_updates : dpem_gam_rules.first_updates;
	return pass <= last ? dpem_gam_rules.later_updates : 0;
}

double
dpem_gam_location_share(double noise, bool few)
{
	return fmin(fmax(pow(noise / dpem_gam_rules.located, 2), few ? dpem_gam_rules.few_location : dpem_gam_rules.least_location), dpem_gam_rules.most_location);
}

int
dpem_gam_most_passes(void)
{
	return MOST_PASSES;
}
