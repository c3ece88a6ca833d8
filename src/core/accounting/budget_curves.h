/*
 * budget_curves.h - the rule of rdp and ma for totals of Renyi curves (docs/proofs.md,
 * section 6); a part of budget_rule.h.
 */
#ifndef DPEM_CORE_BUDGET_CURVES_H
#define DPEM_CORE_BUDGET_CURVES_H

#include <stdbool.h>

#include "core/accounting/budget_rule.h"

/* part of delta for each of the two rules for several calls: either may accept, so their deltas add up */
#define DPEM_CURVES_PART 0.5

/* true for rdp and ma */
extern bool dpem_accountant_reads_curves(DpemAccountant accountant);

/* epsilon at delta of the curves: for one call by the best order, for several by the mixture */
extern double dpem_budget_curve_epsilon(DpemAccountant accountant, const DpemTotals *total, double delta);

/* the delta at which the sum of rho is converted */
extern double dpem_budget_rho_delta(DpemAccountant accountant, const DpemTotals *total, double delta);

#endif							/* DPEM_CORE_BUDGET_CURVES_H */
