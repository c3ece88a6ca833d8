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

#endif							/* DPEM_LEDGER_BUDGET_H */
