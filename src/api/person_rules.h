/*
 * person_rules.h - constants of the clip that dp_register_person_column chooses.
 *
 * Steps are powers of two above the lower bound, so that the clip is within a factor of two
 * of any other.  A step is heard if its noisy count is above DPEM_CLIP_HEARD standard deviations of its
 * noise: of all the empty steps one is heard by mistake in less than one call in 500.  What bench/persons chose:
 * with 3 an empty step was heard in one call of 15, with 6 the clip was a step lower and the error of sums larger.
 */
#ifndef DPEM_API_PERSON_RULES_H
#define DPEM_API_PERSON_RULES_H

#define DPEM_CLIP_FIRST -6
#define DPEM_CLIP_LAST 40
#define DPEM_CLIP_HEARD 4

#endif							/* DPEM_API_PERSON_RULES_H */
