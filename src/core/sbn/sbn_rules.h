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

#endif							/* DPEM_CORE_SBN_RULES_H */
