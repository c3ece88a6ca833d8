/*
 * rehearsal.c - see rehearsal.h.
 */
#include "postgres.h"

#include "access/relation.h"
#include "utils/rel.h"

#include "core/accounting/budget_rule.h"
#include "ledger/rehearsal.h"

static int64 rehearsed_dataset = 0; /* 0: none; datasets count from 1 */
static Oid	rehearsed_source = InvalidOid;
static DpemRehearsedPayment payment;

/* a plain table of this transaction: nobody else ever wrote to it */
static bool
is_new_table(Oid source)
{
	Relation	rel = try_relation_open(source, AccessShareLock);
	bool		answer;

	if (rel == NULL)
		return false;
	answer = rel->rd_createSubid != InvalidSubTransactionId && !rel->rd_rel->relhassubclass &&
		rel->rd_rel->relkind == RELKIND_RELATION && !rel->rd_rel->relhasrules;
	relation_close(rel, NoLock);
	return answer;
}

void
dpem_rehearsal_begin(int64 dataset, Oid source)
{
	if (dataset < 1 || !is_new_table(source))
		elog(ERROR, "dpem: a rehearsal needs a table of its own");
	rehearsed_dataset = dataset;
	rehearsed_source = source;
	memset(&payment, 0, sizeof(payment));
}

void
dpem_rehearsal_end(void)
{
	rehearsed_dataset = 0;
	rehearsed_source = InvalidOid;
}

bool
dpem_rehearsal_covers(int64 dataset, Oid source)
{
	return dpem_rehearsal_pays(dataset) && source == rehearsed_source;
}

bool
dpem_rehearsal_pays(int64 dataset)
{
	return rehearsed_dataset != 0 && dataset == rehearsed_dataset && is_new_table(rehearsed_source);
}

/* what a sample hides is not seen where two runs have the same one: the noise alone is compared */
static double
unsampled_mu2(const DpemChargeLine *line)
{
	if (line->sampling == DPEM_SAMPLING_NONE)
		return line->mu2_units / DPEM_COST_UNITS;
	return line->releases / (line->noise_multiplier * line->noise_multiplier);
}

void
dpem_rehearsal_note_charge(const DpemChargeRequest *request)
{
	payment.charges++;
	for (int i = 0; i < request->nlines; i++)
	{
		payment.releases_paid += request->lines[i].releases;
		payment.mu2 += unsampled_mu2(&request->lines[i]);
		payment.failure += request->lines[i].failure;
	}
}

void
dpem_rehearsal_note_take(void)
{
	payment.releases_taken++;
}

DpemRehearsedPayment
dpem_rehearsal_payment(void)
{
	DpemRehearsedPayment answer = payment;

	memset(&payment, 0, sizeof(payment));
	return answer;
}
