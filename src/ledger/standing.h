/*
 * standing.h - where a role stands with a dataset: the dataset's budget, the
 * role's share of it, what was spent of both, and what stops every charge.
 *
 * The worker that charges, plans, dp_budget_remaining and the view dpem.budgets
 * read it from the view dpem_internal.standing; there is no other sum of charges.
 */
#ifndef DPEM_LEDGER_STANDING_H
#define DPEM_LEDGER_STANDING_H

#include "datatype/timestamp.h"

#include "ledger/charge.h"

/* a budget, and what was spent of it before and with the call that is asked about */
typedef struct DpemSpending
{
	DpemLimit	limit;
	DpemTotals	spent;
	DpemTotals	after;
} DpemSpending;

/* one sum of charges (dpem_internal.running_total), and what it will be with the call */
typedef struct DpemSeries
{
	int64		role;			/* in dpem_internal.role_number; 0: all */
	TimestampTz since;
	Datum		after;			/* a dpem_internal.total */
} DpemSeries;

typedef struct DpemStanding
{
	int64		account;
	DpemAccountant accountant;
	DpemSpending dataset;
	bool		has_share;
	bool		expired;		/* the share; then, and without one, nothing of it is for the role */
	DpemSpending share;
	bool		has_reserved;	/* shares of others are reserved: what they may still cost counts as spent in the next one, */
	DpemSpending unreserved;	/* of the smallest budget that a share is reserved of, or the dataset's */
	int64		last_charge;	/* of the ledger; 0: none */
	char	   *comes_from;		/* the ledger was restored and waits for its owner; NULL: it does not */
	bool		agrees;			/* totals and ledger (docs/proofs.md, "Running totals") */
	int			nseries;		/* of the account and the role, where they were asked for: all that budgets are compared with */
	DpemSeries *series;
} DpemStanding;

/*
 * With what the request costs in `after`; NULL: nothing.  42704 if there is no
 * such dataset.  No lock is taken.
 */
extern DpemStanding dpem_standing_load(int64 dataset, Oid role, const DpemChargeRequest *request);

/*
 * The same for the request's role, of that number, with all series that the
 * charge will continue.  The account is locked.
 */
extern DpemStanding dpem_standing_load_series(const DpemChargeRequest *request, int64 role_number);

/* the role's share of the dataset's budget, or, if it has none, that budget */
extern DpemLimit dpem_standing_limit(const DpemDataset *dataset, Oid role);

/* raises 42501 unless the role has a share that has not expired */
extern void dpem_standing_require_share(const DpemStanding *standing, const char *dataset, Oid role);

/* raises DP005 for a ledger that was restored, DP006 for one that its totals contradict */
extern void dpem_standing_require_ledger(const DpemStanding *standing, const char *dataset);

/* is the ledger one that may be charged? */
extern bool dpem_standing_has_ledger(const DpemStanding *standing);

/* do both budgets afford what is in `after`?  Without a share: does the dataset's? */
extern bool dpem_standing_affords(const DpemStanding *standing);

/* epsilon of the largest call at delta that both still afford after `after`; without a share, the dataset's */
extern double dpem_standing_remaining(const DpemStanding *standing, double delta);

/*
 * Appends, before its lines, what a charge of that number makes of each
 * series; one for reading is in the role's alone.  Returns the latest time from which one of these counts.
 */
extern TimestampTz dpem_standing_append(const DpemStanding *standing, int64 charge, bool reading);

/* internal error unless what is to be read was charged to the account, and cost what the request costs */
extern void dpem_standing_check_reading(int64 account, const DpemChargeRequest *request);

/* after its lines: internal error unless they cost what was appended and count since then */
extern void dpem_standing_check_lines(int64 charge, TimestampTz since, const DpemChargeRequest *request);

#endif							/* DPEM_LEDGER_STANDING_H */
