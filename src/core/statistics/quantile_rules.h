/*
 * quantile_rules.h - constants of the rule by which quantiles are found from counts of bins or by choices; it reads public
 * facts alone.
 *
 * test/bench/bench_quantiles.c simulates both ways over six laws of a column, one to 99 quantiles, 300 to 30,000 rows, epsilon
 * from 0.1 to 2, both adjacencies (540 cases, eight calls each).  With 13 bins in a rank errors are 1.11 times those of the better
 * way in the mean, with 50 1.06, with 100, which takes choices always, 1.05.  Where 50 takes counts, for dozens of
 * quantiles under replace_one, these miss by as much as choices do and have intervals.
 */
#ifndef DPEM_CORE_QUANTILE_RULES_H
#define DPEM_CORE_QUANTILE_RULES_H

/* a rank from counts is supposed to be off by as much as a sum of so many bins of all levels, each with the noise of a bin */
#define DPEM_QUANTILE_BINS_IN_A_RANK 50

/*
 * In a description, the part of the budget that a column's chosen quartiles get, where its sum gets 0.5, its sum of squares 1
 * and bins would get 2 (test/bench/utility_describe.pl).
 */
#define DPEM_QUANTILE_CHOSEN_WEIGHT 1.0

/*
 * Bins of a column without groups, and pieces of a bin at most (quantile_tree.h); and the share of signed_log in the places
 * of a number on a linear scale (dpem_scale_mixed), of which the rest are equal parts of the domain.
 *
 * In wide domains errors of quartiles are as large with a share of 0.25 where noise is small; where it hides most rows, as of 1,000
 * at epsilon 0.2, half misses the domain's middle less often, and in domains that values fill each share is as good
 * (test/bench/utility_wide.pl has the tables).  A quarter as many bins lose columns far from 0, whose rows are in one of them.
 */
#define DPEM_QUANTILE_BINS			(1 << 16)
#define DPEM_QUANTILE_MOST_PIECES	64
#define DPEM_QUANTILE_MIXED			0.5

#endif							/* DPEM_CORE_QUANTILE_RULES_H */
