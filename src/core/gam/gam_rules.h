/*
 * gam_rules.h - tuned constants of additive models; each stands with its benchmark in gam_rules.c.
 */
#ifndef DPEM_CORE_GAM_RULES_H
#define DPEM_CORE_GAM_RULES_H

#include <stdbool.h>

typedef struct DpemGamRules
{
	double		least_location;	/* part of the budget, of what locates a number, at least, */
	double		few_location;	/* where the number of rows is not public, too, */
	double		most_location;	/* at most, */
	double		located;		/* and as it takes for such noise in a sixteenth of the domain, in parts of the rows; */
	double		trusted;		/* up to such noise there values are where they are seen, */
	double		doubted;		/* and from such noise on they may be anywhere; */
	double		window;			/* its bins go so many of the standard deviations that this tells to either side */
	double		first;			/* parts of the rest: counts and pairs, */
	double		gradients;		/* and gradients */
	double		pair_share;		/* of pairs in the squared norm of a row's counts */
	double		choice;			/* part of that rest, of what chooses pairs */
	int			pair_parts;		/* of a column in a pair, at most, without that of rows that have no value, */
	int			choice_parts;	/* and where pairs are chosen */
	int			before;			/* gradients before pairs are chosen */
	int			pair_passes;	/* and with pairs */
	int			passes;			/* gradients, */
	int			two_passes;		/* of two classes without pairs, */
	int			several_passes; /* and of more */
	int			first_updates;	/* of the prior's variances at the first posterior, */
	int			class_updates;	/* with noise those of classes, */
	int			later_updates;	/* and at each later one, */
	int			two_learnt;		/* of two classes without pairs up to that of this pass */
	double		level_precision;	/* of a cell's level, in units of the scale's precision */
	double		expected;		/* variance between neighbours that the data is added to, as that of two of them, */
	int			expected_bins;	/* with so many bins */
	int			most_bins;		/* of a number, where none are asked for */
	int			few_bins;		/* the same of classes in little noise, */
	int			few_cells;		/* where all numbers have no more than that together */
	double		little_noise;	/* of one release with the whole budget, in parts of the rows */
	double		spread;			/* of bins about zero (gam_bins.h): the logarithm's weight where zero is an end of the domain, */
	double		spread_within;	/* and where it is within; */
	double		finest;			/* distance at which it begins, in that of the farther end: */
	double		least_spread;	/* where zero is within and this is more than that, bins are equal; */
	double		near_zero;		/* and an end that is so near, in the size of the other, counts as zero */
	double		class_bins;		/* bins that are left where noise would hide more (gam_join.h), times this, of classes */
	double		number_bins;	/* and of a number, */
	double		least_bins;		/* and at least so many; */
	double		apart;			/* others stay apart that differ by so many standard deviations of their noise, and that of gradients */
	double		effect;			/* square of a coefficient that is expected before columns are left out, */
	double		own;			/* and how much of a column's own counts is in what is expected of it */
	double		stiff;			/* a step's curvature is that which its gradients show if it is so many times the one of pairs, */
	double		sure;			/* and so many standard deviations of noise more */
	double		least_along;	/* what pairs cannot show is of use from so many times the curvature on (of a number), */
	int			looks;			/* and is looked for so often at a pass */
	double		intercept;		/* prior standard deviation */
	double		number_scale;	/* variance of a number's additive part, in those of its residual; of log-odds 1 */
	double		step;			/* of the scores in one pass, root mean square, in that unit */
	double		two;			/* of two classes: curvature in each cell, in units of that at its mean score */
	double		rare;			/* at the share s of one, in units of s (1 - s): 1 and this times (1 - 2 s)^2, */
	double		moving;			/* square of what scores are still to move by at the first gradient, */
	double		counts;			/* which is divided by this for counts, in the weights of gradients, */
	double		settling;		/* and for a gradient by this power of its number */
	double		several_moving;	/* of several classes that square, */
	double		hazy;			/* as much more curvature than `two`, where noise in their counts hides scores, */
	double		ahead;			/* and at least this part of what it would be at the shares that are counted */
	double		seen;			/* standard deviations of noise: what is beyond stands for rows; */
	double		clear;			/* a number's bins are looked at one by one where their noise is below this part of the rows, */
	double		clear_parts;	/* and so are parts of several (gam_place.h); */
	double		unlike;			/* and else its middle is off by this part of its variance, too */
	double		spiked;			/* where bins are looked at together: one value of many rows, in the probability of none, */
	int			spike_parts;	/* and how many parts of the rows may have it */
	double		narrow;			/* weight of the geometric mean of what variances may be beside their arithmetic mean */
	double		hidden;			/* the mean alone where that noise is beyond this part of the rows, as public facts say; */
	double		doubtful;		/* less so many standard deviations of what is known of them, if that is not public; */
	double		hidden_classes;	/* of two classes, shares alone where rows tell less than this of scores, in units of gradients' noise; */
	double		hidden_several;	/* of more; */
	double		coarse;			/* and where bins that may hold it are so many times as wide as its deviation, as margins show it; */
	double		much_noise;		/* of a number's contributions, in parts of its variance: from there on what noise may explain is taken away */
	int			scales;			/* of a number's prior variances, from 1, */
	double		scale_ratio;	/* each so many times below the one before */
	double		reach;			/* of a residual, in its standard deviations, */
	double		tails;			/* and at most so many times that, where tails are heavy */
} DpemGamRules;

extern const DpemGamRules dpem_gam_rules;

/* of the prior's variances, where these are learnt, at the posterior of a pass from 1; targets: categories, 1 of a number */
extern int	dpem_gam_updates(bool noisy, int targets, int pairs, int pass);

/* part of the budget, of what locates a number; noise: in a sixteenth of the domain, in parts of the rows, were it all of the budget; few: they may be, as far as is public */
extern double dpem_gam_location_share(double noise, bool few);

/* gradients without noise, at most */
extern int	dpem_gam_most_passes(void);

#endif							/* DPEM_CORE_GAM_RULES_H */
