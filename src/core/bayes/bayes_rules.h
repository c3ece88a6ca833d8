/*
 * bayes_rules.h - the constants of a naive Bayes classifier.
 */
#ifndef DPEM_CORE_BAYES_RULES_H
#define DPEM_CORE_BAYES_RULES_H

/* parts of a number's domain; fewer, from this on in halves, where places of all classes and groups would be more than the next */
extern const int dpem_bayes_parts;
extern const double dpem_bayes_most_places;

/* part of the budget that counts rows in parts of numbers, whatever their class, and parts that are left (core/bayes/cell_join.h) */
extern const double dpem_bayes_first;
extern const double dpem_bayes_parts_told;

/* a cell shows that has so many standard deviations of the noise in a sum over classes; cells of no more than so many parts are values of their own */
extern const double dpem_bayes_clear;
extern const int dpem_bayes_few_parts;

/* pseudo-count of every cell and class in a fit without noise (Laplace's rule of succession) */
extern const double dpem_bayes_pseudo_count;

/*
 * Grids of the prior of a column's evidence: its variance, in units of that of a class's
 * indicator, and the correlation of neighbouring parts.
 */
#define DPEM_BAYES_SPREADS	9
#define DPEM_BAYES_TIES		6
extern const double dpem_bayes_spread[DPEM_BAYES_SPREADS];
extern const double dpem_bayes_tie[DPEM_BAYES_TIES];	/* the first is 0, that of categories */

/*
 * The power of the evidence (bayes_power.h): part of the budget that counts rows for it; of the prior of its logarithm the mean, in that of the number
 * of columns, and the standard deviation; and shares at a place differ from the best power's by about so much.
 */
extern const double dpem_bayes_power_share;
extern const double dpem_bayes_power_columns;
extern const double dpem_bayes_power_spread;
extern const double dpem_bayes_misfit;

#endif							/* DPEM_CORE_BAYES_RULES_H */
