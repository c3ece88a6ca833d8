/*
 * budget.h - roles' shares of a dataset's budget, and what was spent of them.
 */
#ifndef DPEM_LEDGER_BUDGET_H
#define DPEM_LEDGER_BUDGET_H

#include "datatype/timestamp.h"
#include "utils/array.h"

#include "core/accounting/budget_rule.h"
#include "ledger/charge.h"
#include "registry/dataset.h"

typedef struct DpemBudget
{
	double		epsilon;
	double		delta;
	TimestampTz since;			/* charges before do not count: the share was renewed; -infinity without renewal */
	bool		expired;
} DpemBudget;

/* false if the role has no share of the dataset */
extern bool dpem_budget_load(int64 dataset, Oid role, DpemBudget *budget);

/* the same; raises 42501 if there is none or it has expired */
extern DpemBudget dpem_budget_require(int64 dataset, const char *name, Oid role);

/* what a share is granted for besides its size */
typedef struct DpemBudgetTerm
{
	bool		ends;
	TimestampTz expires;		/* not to be spent from then on */
	Interval   *refresh;		/* renewed so often; NULL: never */
} DpemBudgetTerm;

/*
 * Creates the share or replaces its size and term; what the role has spent
 * stays spent, since the period began if the share is renewed.
 */
extern void dpem_budget_grant(const DpemDataset *dataset, Oid role, double epsilon, double delta,
							  const DpemBudgetTerm *term);

/* 42704 if there is no share */
extern void dpem_budget_revoke(const DpemDataset *dataset, Oid role);

/* all shares of a dataset that the caller drops; between enter and leave (as_owner.h) */
extern void dpem_budget_drop(const DpemDataset *dataset, Oid caller);

/* for the totals of whoever's charges there are */
#define DPEM_ALWAYS DT_NOBEGIN

/*
 * Totals of an account's ledger, of one role or (InvalidOid) of all, since
 * then, plus `extra` unless NULL.
 */
extern DpemTotals dpem_budget_totals(int64 account, Oid role, TimestampTz since, const DpemTotals *extra);

/* a curve as bigint[] of its units, one per order; 22023 for an array that is not one */
extern void dpem_curve_from_array(ArrayType *array, DpemCurve *curve);
extern Datum dpem_curve_to_array(const DpemCurve *curve);

extern DpemTotals dpem_budget_cost(const DpemChargeRequest *request);

#endif							/* DPEM_LEDGER_BUDGET_H */
