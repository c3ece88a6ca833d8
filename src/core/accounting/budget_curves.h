/*
 * budget_curves.h - the rule of rdp and ma for totals of Renyi curves (docs/proofs.md,
 * section 6); a part of budget_rule.h.
 */
#ifndef DPEM_CORE_BUDGET_CURVES_H
#define DPEM_CORE_BUDGET_CURVES_H

#include <stdbool.h>

#include "core/accounting/budget_rule.h"

/* which of the two rules for several calls accepts at the end is the analyst's choice: their deltas add up */
#define DPEM_CURVES_PART 0.5

/* rdp and ma */
extern bool dpem_accountant_reads_curves(DpemAccountant accountant);

/* epsilon at delta of the curves of one call by the best order, of several by the mixture of all */
extern double dpem_budget_curve_epsilon(DpemAccountant accountant, const DpemTotals *total, double delta);

/* the part of delta at which the sum of rho is read */
extern double dpem_budget_rho_delta(DpemAccountant accountant, const DpemTotals *total, double delta);

#endif							/* DPEM_CORE_BUDGET_CURVES_H */
