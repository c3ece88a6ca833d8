/*
 * sbn_rules.h - what an estimate of a belief network takes from nowhere else.
 * The numbers were chosen by test/bench/vips_sbn.pl (docs/vips.md).
 */
#ifndef DPEM_CORE_SBN_RULES_H
#define DPEM_CORE_SBN_RULES_H

#define DPEM_SBN_START_SPREAD	1.5 /* of a hidden unit's field over the rows, in units of its logit */
#define DPEM_SBN_CLIP_MARGIN	1.2 /* of a gradient's length, over what is expected of it */
#define DPEM_SBN_GRAM_KEEP		0.5 /* of the last G under noise */
#define DPEM_SBN_OVERSTEP		1.8 /* times the step to the parabola's top; below 2 it still goes up */

/*
 * Chosen by test/bench/utility_sbn.pl.  Hidden units are given up where the gain (sbn_gain.h) is below so many
 * standard deviations of its noise, from the first number to the second in the course of the steps, and so
 * much for each weight.  What is found out early leaves more passes to the columns; what is given up too early
 * costs the network.
 */
#define DPEM_SBN_GAIN_EARLY		(-1.2)
#define DPEM_SBN_GAIN_SURE		2.0
#define DPEM_SBN_GAIN_PARAMETER	0.5
#define DPEM_SBN_GAIN_FIRST		0.2 /* part of the steps from which on the gain is looked at */
#define DPEM_SBN_GAIN_LAST		0.6 /* and until which: later legs add more noise to it than they tell */
#define DPEM_SBN_GAIN_AT_END	0.5 /* standard deviations, after the last */
#define DPEM_SBN_LEAST_COUNT	0.25	/* of the noise: rows of a column in which nothing is seen */
#define DPEM_SBN_NEVER			(-40.0) /* bias of a hidden unit that is never on */

#endif							/* DPEM_CORE_SBN_RULES_H */
