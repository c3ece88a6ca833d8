/*
 * charge.c - the caller's side of a charge.
 *
 * A dynamic background worker (charge_errand.c) commits the charge in a
 * transaction of its own, so that nothing the caller's transaction does later
 * can undo it.
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "utils/acl.h"

#include "ledger/charge.h"
#include "ledger/charge_errand.h"
#include "ledger/charge_message.h"
#include "ledger/rehearsal.h"
#include "ledger/role_number.h"

struct DpemCharge
{
	int64		number;
	int64		role_number;
	bool		rehearsed;
	int			nlines;
	int			left[DPEM_CHARGE_MAX_LINES];
	double		noise_multiplier[DPEM_CHARGE_MAX_LINES];
	DpemSampling sampling[DPEM_CHARGE_MAX_LINES];
	double		sampling_rate[DPEM_CHARGE_MAX_LINES];
	double		failure[DPEM_CHARGE_MAX_LINES];
	DpemMechanism mechanism[DPEM_CHARGE_MAX_LINES];
	char		statistic[DPEM_CHARGE_MAX_LINES][DPEM_CHARGE_NAME];
};

/* a worker's charge is no write of the caller's transaction; what is stored besides is */
static void
refuse_read_only(const char *function, bool stores)
{
	if (!XactReadOnly)
		return;
	if (stores)
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot execute %s in a read-only transaction", function),
				 errhint("It stores what it makes: BEGIN READ WRITE. Statistics and queries of private tables are possible here, and so is all that reads a model.")));
	if (IsolationIsSerializable())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot execute %s in a read-only transaction that is serializable", function),
				 errhint("Its answer is kept, which a serializable transaction must say it does: BEGIN READ WRITE, or take another isolation level.")));
}

void
dpem_charge_require_session(const char *function, bool stores)
{
	PreventCommandDuringRecovery(function);
	refuse_read_only(function, stores);
	PreventCommandIfParallelMode(function);
}

void
dpem_charge_require_possible(const char *function, bool stores)
{
	dpem_charge_require_session(function, stores);
	if (InSecurityRestrictedOperation() && GetUserId() == GetOuterUserId())
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("%s cannot run while a materialized view is filled", function),
				 errhint("Keep its answer in a table: CREATE TABLE ... AS SELECT * FROM %s(...).", function)));
	if (InSecurityRestrictedOperation() ||
		(InLocalUserIdChange() && GetUserId() != GetOuterUserId()))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("%s cannot run inside another role's function", function),
				 errhint("A budget is spent only by a statement of the role that holds it: call %s directly.", function)));
}

void
dpem_charge_raise_refusal(const DpemChargeMessage *answer)
{
	ereport(ERROR,
			(errcode(answer->sqlstate), errmsg("%s", answer->message),
			 answer->hint[0] ? errhint("%s", answer->hint) : 0));
}

static DpemCharge *
create_charge(const DpemChargeRequest *request, int64 number, int64 role_number)
{
	DpemCharge *charge = palloc0(sizeof(DpemCharge));

	charge->number = number;
	charge->role_number = role_number;
	charge->nlines = request->nlines;
	for (int i = 0; i < request->nlines; i++)
	{
		charge->left[i] = request->reads != 0 ? 0 : request->lines[i].releases;
		charge->noise_multiplier[i] = request->lines[i].noise_multiplier;
		charge->sampling[i] = request->lines[i].sampling;
		charge->sampling_rate[i] = request->lines[i].sampling_rate;
		charge->failure[i] = request->lines[i].failure;
		charge->mechanism[i] = request->lines[i].mechanism;
		strlcpy(charge->statistic[i], request->lines[i].statistic, DPEM_CHARGE_NAME);
	}
	return charge;
}

/* in the ledger of no table: for the releases of made-up rows */
static DpemCharge *
rehearse_charge(const DpemChargeRequest *request)
{
	DpemCharge *charge = create_charge(request, 0, dpem_role_number(request->role));

	charge->rehearsed = true;
	dpem_rehearsal_note_charge(request);
	return charge;
}

DpemCharge *
dpem_charge_commit(const DpemChargeRequest *request)
{
	DpemChargeMessage answer;

	if (request->nlines < 1 || request->nlines > DPEM_CHARGE_MAX_LINES)
		elog(ERROR, "dpem: a charge of %d lines", request->nlines);
	dpem_charge_require_possible(request->function, request->stores);
	if (dpem_rehearsal_pays(request->dataset))
		return rehearse_charge(request);
	dpem_errand_run(request, &answer);
	if (pg_atomic_read_u32(&answer.state) != DPEM_CHARGE_COMMITTED)
		dpem_charge_raise_refusal(&answer);
	return create_charge(request, answer.charge, answer.role_number);
}

int64
dpem_charge_number(const DpemCharge *charge)
{
	return charge->number;
}

int64
dpem_charge_role_number(const DpemCharge *charge)
{
	return charge->role_number;
}

const char *
dpem_charge_statistic(const DpemCharge *charge, int line)
{
	return charge->statistic[line];
}

double
dpem_charge_failure(const DpemCharge *charge, int line)
{
	return charge->failure[line];
}

double
dpem_charge_take(DpemCharge *charge, int line, DpemMechanism mechanism, const DpemRowsRead *rows)
{
	if (charge->rehearsed != rows->rehearsed)
		elog(ERROR, "dpem: a charge for other rows");
	if (line < 0 || line >= charge->nlines || charge->left[line] <= 0 ||
		charge->mechanism[line] != mechanism)
		elog(ERROR, "dpem: a release that was not charged");
	if (charge->sampling[line] != rows->sampling || !(rows->rate <= charge->sampling_rate[line]))
		elog(ERROR, "dpem: a charge for another sample of the rows");
	charge->left[line]--;
	if (rows->rehearsed)
		dpem_rehearsal_note_take();
	return charge->noise_multiplier[line];
}
