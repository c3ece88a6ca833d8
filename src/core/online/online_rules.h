/*
 * online_rules.h - constants of learning online, and the bench that chose each.
 */
#ifndef DPEM_CORE_ONLINE_RULES_H
#define DPEM_CORE_ONLINE_RULES_H

/* for rows clipped to that radius */
extern double dpem_online_reach(double radius);

#endif							/* DPEM_CORE_ONLINE_RULES_H */
