/*
 * totals.h - what charges come to, as SQL and as the accountants have it.
 *
 * dpem_internal.total holds epsilons, deltas, squares and failures as decimals, so that
 * sums are exact and the same in any order; DpemTotals has what these round to.
 */
#ifndef DPEM_LEDGER_TOTALS_H
#define DPEM_LEDGER_TOTALS_H

#include "postgres.h"

#include "utils/array.h"

#include "core/accounting/budget_rule.h"
#include "ledger/charge.h"

/* a curve as bigint[] of its units, one per order; 22023 for an array that is not one */
extern void dpem_curve_from_array(ArrayType *array, DpemCurve *curve);
extern Datum dpem_curve_to_array(const DpemCurve *curve);

/* a dpem_internal.total; 22004 if anything but the curve is null in it */
extern DpemTotals dpem_total_read(Datum total);

/* what a request costs */
extern DpemTotals dpem_total_cost(const DpemChargeRequest *request);

/* the same as the fields of dpem_internal.total, in their order, for ROW($from, ...)::dpem_internal.total */
#define DPEM_TOTAL_FIELDS 9
extern void dpem_total_cost_fields(const DpemChargeRequest *request, Oid types[DPEM_TOTAL_FIELDS],
								   Datum values[DPEM_TOTAL_FIELDS], char nulls[DPEM_TOTAL_FIELDS]);

#endif							/* DPEM_LEDGER_TOTALS_H */
