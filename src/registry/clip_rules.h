/*
 * clip_rules.h - constants of the clip that dp_register_person_column chooses.
 *
 * Steps are powers of two above the lower bound, so that the clip is within a factor of two
 * of any other.  A step is heard if its noisy count is above DPEM_CLIP_HEARD standard deviations of its
 * noise: that one of all the empty steps is heard has a probability below one in a million.
 * test/bench/persons.sql compares the clip with fixed ones.
 */
#ifndef DPEM_REGISTRY_CLIP_RULES_H
#define DPEM_REGISTRY_CLIP_RULES_H

#define DPEM_CLIP_FIRST -6
#define DPEM_CLIP_LAST 40
#define DPEM_CLIP_HEARD 5.5

#endif							/* DPEM_REGISTRY_CLIP_RULES_H */
