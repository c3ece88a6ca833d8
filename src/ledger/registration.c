/*
 * registration.c - locks of those who change the catalog.
 *
 * Two sessions must not open two ledgers for one table, nor add datasets to
 * one ledger that do not go together.  What is locked for that is the
 * registrant's own: the tables, their ledger, the name; registrations of other
 * tables go on beside it.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "storage/lmgr.h"
#include "utils/lsyscache.h"

#include "ledger/registration.h"
#include "registry/source_relations.h"
#include "server/catalog_lock.h"

/* a view that is replaced after it was looked at reads other tables than were asked about */
static void
keep_definition(Oid relation)
{
	if (!ConditionalLockRelationOid(relation, AccessShareLock))
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("\"%s\" is being changed by another session", get_rel_name(relation)),
				 errhint("Try again when that has ended.")));
}

/* true if there was one that the transaction did not have yet */
static bool
lock_people(Oid source, TimestampTz deadline)
{
	bool		any = false;
	ListCell   *cell;

	foreach(cell, dpem_source_people(source))
	{
		any |= dpem_lock_wait(DPEM_LOCK_RELATION, lfirst_oid(cell), deadline);
		keep_definition(lfirst_oid(cell));
	}
	return any;
}

int64
dpem_registration_begin(const char *name, Oid source)
{
	TimestampTz deadline = dpem_lock_deadline();
	int64		account;

	dpem_refuse_prepare();
	(void) dpem_lock_wait(DPEM_LOCK_NAME,
						  (int64) hash_bytes_extended((const unsigned char *) name, strlen(name), 0), deadline);
	/* partitions may have come while we waited */
	while (lock_people(source, deadline))
		;
	account = dpem_source_find_account(source);
	if (account != 0)
		(void) dpem_lock_wait(DPEM_LOCK_DATASETS, account, deadline);
	return account;
}

void
dpem_account_close(int64 account)
{
	dpem_refuse_prepare();
	(void) dpem_lock_wait(DPEM_LOCK_CLOSED, account, dpem_lock_deadline());
}
