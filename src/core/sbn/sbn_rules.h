/*
 * sbn_rules.h - what an estimate of a belief network takes from nowhere else.
 * The numbers were chosen by test/bench/vips_sbn.pl (docs/vips.md).
 */
#ifndef DPEM_CORE_SBN_RULES_H
#define DPEM_CORE_SBN_RULES_H

#define DPEM_SBN_START_SPREAD	1.5 /* of a hidden unit's field over the rows, in units of its logit */
#define DPEM_SBN_CLIP_MARGIN	1.2 /* of a gradient's length, over what is expected of it */
#define DPEM_SBN_IDLE_DRAWS		512 /* of hidden units, by which a network's shares of ones are known (sbn_idle.h) */
#define DPEM_SBN_GRAM_KEEP		0.5 /* of the last G under noise */
#define DPEM_SBN_OVERSTEP		1.8 /* times the step to the parabola's top; below 2 it still goes up */

/*
 * Chosen by test/bench/utility_sbn.pl.  Hidden units are given up early where the gain along the path (sbn_gain.h) is
 * below so many standard deviations of its noise (dear: where noise in counts and in the gain are much): that leaves
 * more passes to the columns.  Otherwise they are put to
 * trial (sbn_trial.h) unless the gain is beyond doubt.
 */
#define DPEM_SBN_GAIN_CHEAP		(-1.6)
#define DPEM_SBN_GAIN_DEAR		1.0
#define DPEM_SBN_GAIN_DEAR_NOISE	0.045	/* of the entropy, of the gain's noise */
#define DPEM_SBN_GAIN_DEAR_LOSS	0.004	/* of the entropy, what noise in columns' counts costs */
#define DPEM_SBN_GAIN_SURE		4.0
#define DPEM_SBN_GAIN_SURE_PART	0.04	/* of the entropy, too: legs of the path are long, and err by more than their noise */
#define DPEM_SBN_GAIN_PARAMETER	0.5
#define DPEM_SBN_GAIN_FIRST		0.2 /* part of the steps from which on the gain is looked at */
#define DPEM_SBN_GAIN_FIRST_DEAR	0.16
#define DPEM_SBN_TRIAL_AT		0.36 /* part of the steps before the first trial */
#define DPEM_SBN_TRIAL_POINTS	0.12	/* part of the steps that one takes */
#define DPEM_SBN_TRIAL_GAP		0.1 /* part of the steps between two */
#define DPEM_SBN_TRIAL_UNTIL	0.9 /* part of the steps in which they end: columns that are left alone need some to be counted */
#define DPEM_SBN_TRIAL_BLIND	0.14	/* of the columns' entropy in all rows: where the gain's noise is more, none can be told */

/*
 * The gain in standard deviations of its noise up to which hidden units are given up after a trial, and from which
 * on they are kept; between them it is tried once more, and the third decides.  Where that noise is nothing, and where
 * it is so much of the entropy, or more; between the two by its square.  A network that is learnt well is still learning then.
 */
#define DPEM_SBN_TRIAL_CHEAP	{-1.5, 0.3, -0.5}
#define DPEM_SBN_TRIAL_DEAR		{0.0, 2.5, 1.2}
#define DPEM_SBN_TRIAL_DEAR_NOISE	0.03
#define DPEM_SBN_TRIAL_DEARER	0.6 /* more of each, up to 1, for each time that much noise beyond the first */

#define DPEM_SBN_TRIAL_MEAN_ANEW	0.8 /* part of the steps until which the mean begins anew after the last trial */
#define DPEM_SBN_AVERAGE_FROM	0.7 /* part of the steps from which on their mean is the estimate */
#define DPEM_SBN_LEAST_BETA		0.25	/* parameter of the law of columns' shares (sbn_shares.h): what is seldom 1 is not never 1 */
#define DPEM_SBN_CLIPPED_APART	3.0	/* deviations by which counts of clipped rows may be off more than noise makes them */
#define DPEM_SBN_ONES_WORTH		0.75	/* of the noise's variance, which clipping leaves: where it is more, no row is clipped */
#define DPEM_SBN_ONES_LOSS		0.03	/* nats a row by noise from which on rows are clipped one deviation above their norm; two where it is a tenth of it */
#define DPEM_SBN_NEVER			(-40.0) /* bias of a hidden unit that is never on */

#endif							/* DPEM_CORE_SBN_RULES_H */
