/*
 * columns_rules.h - a threshold that laws and spreads of columns share.
 */
#ifndef DPEM_CORE_COLUMNS_RULES_H
#define DPEM_CORE_COLUMNS_RULES_H

/* standard deviations of noise that are taken for rows; column_spread.c says why not fewer or more */
#define DPEM_COLUMNS_SEEN	3.0

#endif							/* DPEM_CORE_COLUMNS_RULES_H */
