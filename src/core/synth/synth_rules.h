/*
 * synth_rules.h - the numbers that a fit's plan and its estimate take; chosen with test/bench/bench_synth.c.
 */
#ifndef DPEM_CORE_SYNTH_RULES_H
#define DPEM_CORE_SYNTH_RULES_H

/* standard deviations below which a category's count joins another's at level 1 */
extern const double dpem_synth_least_count;

/* of an interval of neighbours with one count, in squared standard deviations (synth_smooth.h) */
extern const double dpem_synth_interval_price;

/*
 * Most groups of a column at a level >= 1, columns, rows and noise of a pair's cell given; at least 2.  At level
 * 1 a number that bounds the junction tree, the more the fewer columns there are; at level 2 a pair's cells hold a few standard deviations of noise on
 * average, and each level above has half the groups.
 */
extern int	dpem_synth_most_groups(int level, int columns, double rows, double pair_sd);

/*
 * Weight of the model's entropy: what is minimised is the weighted squares and this times
 * the rows' Kullback-Leibler divergence from uniform.  One-way tables, which are no structure, have the second.
 */
extern const double dpem_synth_ridge;
extern const double dpem_synth_ridge_one_way;

/* most of a table's ridge (dpem_synth_learn_ridge); the least is dpem_synth_ridge */
extern const double dpem_synth_most_ridge;

/* part of the noise that a score takes off: less than all, as a fit keeps noise out of cells that have no rows */
extern const double dpem_synth_bias;

/* least that this is times the variance of a number, in rows */
extern const double dpem_synth_least_ridge;

/* of a released table beside the model (dpem_synth_refine): standard deviations of a misfit that noise alone may make */
extern const double dpem_synth_refine_doubt;

#endif							/* DPEM_CORE_SYNTH_RULES_H */
