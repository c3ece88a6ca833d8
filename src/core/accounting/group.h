/*
 * group.h - what costs of one row come to for a group of rows, as when a ledger that counted rows
 * goes on counting persons.
 *
 *   mu -> m mu                          Dong, Roth, Su 2022, Theorem 2.14
 *   rho -> m^2 rho                      Bun and Steinke 2016, Proposition 1.9
 *   (e, d) -> (m e, d sum_{j<m} e^(je)) Dwork and Roth 2014, Theorem 2.2, and Vadhan 2017, Lemma 2.2
 *
 * Proofs: docs/proofs.md, "From rows to persons".
 */
#ifndef DPEM_CORE_GROUP_H
#define DPEM_CORE_GROUP_H

#include <stdint.h>

#include "core/accounting/budget_rule.h"

/* units of mu^2 or rho, size^2 times; DPEM_COST_UNITS_MAX if that does not fit; size >= 1 */
extern int64_t dpem_group_units(int64_t units, int size);

/* delta, at size times epsilon, of what is (epsilon, delta)-DP for one row; at most 1 */
extern double dpem_group_delta(double epsilon, double delta, int size);

/*
 * Epsilon of one more call that makes calls with these sums of epsilons and of
 * their squares, which an accountant adds up, what they are for a group.
 */
extern double dpem_group_more_epsilon(DpemAccountant accountant, double sum, double squares, int size);

#endif							/* DPEM_CORE_GROUP_H */
