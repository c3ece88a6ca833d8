/*
 * bayes_rules.c - see bayes_rules.h.  The numbers were chosen by
 * test/bench/regression.pl (docs/families/bayes.md).
 */
#include "core/bayes/bayes_rules.h"

const int	dpem_bayes_parts = 32;

/* sums of a block are gone over once for each block */
const double dpem_bayes_most_places = 1 << 16;

/*
 * test/bench/bench_bayes.c, medians of 15 fits, AUC or accuracy added up over thirteen tables of gam_tables.pl at epsilon 0.1 / 0.5: 9.55 / 10.67 with
 * nothing joined, 9.99 / 10.83 with these, 9.95 / 10.83 with a first release of 0.1, 9.94 / 10.78 with 0.25, 9.86 / 10.79 with 1 times as many parts and 9.91 / 10.79 with
 * 2.2.  shuttle loses 0.004 at 0.1.
 */
const double dpem_bayes_first = 0.15;
const double dpem_bayes_parts_told = 1.5;

/*
 * The same of twenty tables, medians of 25 fits.  A last part of few rows is never left, or if a cell of it has 2.5 or 3 times the noise: 15.57 / 16.77,
 * 15.61 / 16.79 and 15.64 / 16.77, of which flags that few rows have 0.677 / 0.726, 0.720 / 0.749 and 0.719 / 0.749, sums of log losses 7.62 / 7.03,
 * 7.56 / 7.01 and 7.55 / 7.01.  Last parts of which all cells together have 2.5 times the noise: 15.54 / 16.80, since ends of bell
 * curves say little and cost as much noise as others.
 */
const double dpem_bayes_clear = 2.5;
const int	dpem_bayes_few_parts = 4;

const double dpem_bayes_pseudo_count = 1;

const double dpem_bayes_spread[DPEM_BAYES_SPREADS] = {1e-4, 4e-4, 1.6e-3, 6.4e-3, 0.025, 0.05, 0.1, 0.3, 1};
const double dpem_bayes_tie[DPEM_BAYES_TIES] = {0, 0.5, 0.8, 0.9, 0.95, 0.98};

/*
 * The same of 35 tables, of which nine have no more than 1,000 rows and four are copies of a column or of a table, medians of 10 fits: log losses added up at
 * epsilon 0.05 / 0.1 / 0.5 / 4 are 20.5 / 19.0 / 18.3 / 20.7 without a power, 17.91 / 16.01 / 13.44 / 12.31 with these, 17.93 / 16.04 / 13.47 /
 * 12.32 with a spread of 1, 17.91 / 15.98 / 13.42 / 12.31 with -0.2, but then farther above the shares' where noise hides everything, and 17.91 /
 * 15.99 / 13.45 / 12.32 with 0.1 of the budget and -0.25.
 */
const double dpem_bayes_power_share = 0.07;
const double dpem_bayes_power_columns = -0.3;
const double dpem_bayes_power_spread = 0.7;
const double dpem_bayes_misfit = 0.03;
