/*
 * budget.h - roles' shares of a dataset's budget, and what was spent of them.
 */
#ifndef DPEM_CATALOG_BUDGET_H
#define DPEM_CATALOG_BUDGET_H

#include "utils/array.h"

#include "catalog/charge.h"
#include "catalog/dataset.h"
#include "core/budget_rule.h"

typedef struct DpemBudget
{
	double		epsilon;
	double		delta;
} DpemBudget;

/* false if the role has no share of the dataset */
extern bool dpem_budget_load(int64 dataset, Oid role, DpemBudget *budget);

/* creates the share or replaces its size; what the role has spent stays spent */
extern void dpem_budget_grant(const DpemDataset *dataset, Oid role, double epsilon, double delta);

/* 42704 if there is no share */
extern void dpem_budget_revoke(const DpemDataset *dataset, Oid role);

/*
 * Totals of an account's ledger, of one role or (InvalidOid) of all, plus
 * `extra` unless NULL.
 */
extern DpemTotals dpem_budget_totals(int64 account, Oid role, const DpemTotals *extra);

/* a curve as bigint[] of its units, one per order; 22023 for an array that is not one */
extern void dpem_curve_from_array(ArrayType *array, DpemCurve *curve);
extern Datum dpem_curve_to_array(const DpemCurve *curve);

extern DpemTotals dpem_budget_cost(const DpemChargeRequest *request);

#endif							/* DPEM_CATALOG_BUDGET_H */
