/*
 * budget.h - granting and revoking roles' shares of a dataset's budget.
 */
#ifndef DPEM_LEDGER_BUDGET_H
#define DPEM_LEDGER_BUDGET_H

#include "postgres.h"

#include "utils/timestamp.h"

#include "registry/dataset.h"

/* what a share is granted for besides its size */
typedef struct DpemBudgetTerm
{
	bool		ends;
	TimestampTz expires;		/* cannot be spent from then on */
	Interval   *refresh;		/* period of renewal; NULL: never renewed */
	bool		reserved;		/* nobody else may spend what it may still cost until it ends */
} DpemBudgetTerm;

/*
 * Creates the share or replaces its size and term; what the role has spent
 * (in the current period, if the share is renewed) stays spent.
 */
extern void dpem_budget_grant(const DpemDataset *dataset, Oid role, double epsilon, double delta,
							  const DpemBudgetTerm *term);

/*
 * Raises 55000 unless the budgets of the ledger's datasets afford what was spent and all that is reserved.  The account
 * must be closed (registration.h).
 */
extern void dpem_budget_require_reserved(const DpemDataset *dataset);

/* 42704 if there is no share */
extern void dpem_budget_revoke(const DpemDataset *dataset, Oid role);

/* all shares of a dataset that the caller drops; between enter and leave (as_owner.h) */
extern void dpem_budget_drop(const DpemDataset *dataset, Oid caller);

#endif							/* DPEM_LEDGER_BUDGET_H */
