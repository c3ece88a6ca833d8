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

/* of a row's density: weight of independent columns, and within these of categories that are all alike */
extern const double dpem_synth_background;

/* where a number's bins are (synth_place.h), and the looks that tell */
typedef struct DpemSynthPlaceRules
{
	int			bins;			/* of a number, */
	int			least_bins;		/* and where there is no room for as many, at least */
	double		price;			/* of an interval of neighbours with one count, in squared standard deviations */
	double		filled;			/* part of equal bins that rows fill where bins are best equal, */
	double		doubt;			/* if so many standard deviations more than are seen are anywhere */
	double		seen;			/* standard deviations that an interval with rows exceeds its noise by */
	double		hidden;			/* part of the rows that may be hidden, and bins are placed as if there were none; */
	double		hidden_clear;	/* and standard deviations of the noise in that */
	double		power;			/* of the rows' density, which that of bins is in proportion to */
	double		gap;			/* part of what has rows, from which on what is empty between is a bin of its own */
	double		tail_start;		/* width of a tail's first bin, in parts of what has rows */
	double		tail_growth[2]; /* a tail has a bin more for each time that it is so many times as wide as the first one: in looks, and in the fit */
	int			tail_bins[2];	/* at most */
	double		clear;			/* standard deviations from which on a bin that was empty has rows */
	int			most_in_one;	/* bins of the fit in one of the last look */
	int			looks;			/* releases, the bins of each placed by the one before it */
	int			look_bins[2];	/* of a number in each, least and most */
	double		look_noise;		/* that so many bins would have together, in parts of the rows, as far as these go */
	int			parts;			/* of its domain between which edges are, at most: as fine as features of many columns are (core/pass/features.h) */
	double		noise;			/* in a bin of a look, in parts of the rows, that a share of the budget is to give, */
	double		least_share;	/* between these */
	double		most_share;
	double		blind;			/* noise from which on a look would tell nothing */
} DpemSynthPlaceRules;

extern const DpemSynthPlaceRules dpem_synth_place_rules;

/* of the budget, for all looks; noise: in a bin of one, in parts of the rows, if they had all of it; 0: there are none */
extern double dpem_synth_look_share(double noise);

/* of a number in a look; noise: in a bin, in parts of the rows */
extern int	dpem_synth_look_bins(double noise);

#endif							/* DPEM_CORE_SYNTH_RULES_H */
