/*
 * online_rules.h - constants of learning online, and the bench that chose each.
 */
#ifndef DPEM_CORE_ONLINE_RULES_H
#define DPEM_CORE_ONLINE_RULES_H

/* how many more batches like the largest there might be */
extern const double dpem_online_spare;

/* for rows clipped to that radius */
extern double dpem_online_reach(double radius);

#endif							/* DPEM_CORE_ONLINE_RULES_H */
