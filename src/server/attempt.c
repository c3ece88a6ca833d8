/*
 * attempt.c - see attempt.h.
 */
#include "postgres.h"

#include "access/xact.h"
#include "utils/resowner.h"

#include "server/as_owner.h"
#include "server/attempt.h"

ErrorData *
dpem_attempt(void (*body) (void *), void *argument, bool keep)
{
	MemoryContext old = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData  *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(old);
	PG_TRY();
	{
		body(argument);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(old);
		error = CopyErrorData();
		FlushErrorState();
	}
	PG_END_TRY();
	if (keep && error == NULL)
		ReleaseCurrentSubTransaction();
	else
		RollbackAndReleaseCurrentSubTransaction();
	MemoryContextSwitchTo(old);
	CurrentResourceOwner = owner;
	if (error != NULL && error->sqlerrcode == ERRCODE_QUERY_CANCELED)
		dpem_throw_outside(error);
	return error;
}
