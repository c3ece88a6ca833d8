/*
 * charge_message.h - what the caller of a charge and its worker share.
 *
 * A fixed struct in a dynamic shared memory segment; never SQL text.  The
 * caller writes the request before the worker starts.  The worker writes the
 * reply, then sets `state` (release), then the caller's latch.  A request
 * without lines only asks for the role's number.
 */
#ifndef DPEM_LEDGER_CHARGE_MESSAGE_H
#define DPEM_LEDGER_CHARGE_MESSAGE_H

#include "port/atomics.h"
#include "storage/proc.h"

#include "ledger/charge.h"

#define DPEM_CHARGE_MAGIC 0x64706d31

typedef enum DpemChargeState
{
	DPEM_CHARGE_PENDING = 0,
	DPEM_CHARGE_COMMITTING,		/* by the worker: from here on the charge stands */
	DPEM_CHARGE_ABANDONED,		/* by the caller: from here on it cannot be committed */
	DPEM_CHARGE_COMMITTED,
	DPEM_CHARGE_REFUSED
} DpemChargeState;

typedef struct DpemChargeMessage
{
	uint32		magic;
	Oid			database;
	int			lock_timeout;	/* milliseconds */
	PGPROC	   *caller;
	DpemChargeRequest request;
	pg_atomic_uint32 state;
	int64		charge;
	int64		role_number;	/* the payer in dpem_internal.role_number */
	int			sqlstate;
	char		message[256];
	char		hint[256];
} DpemChargeMessage;

/* raises what the worker answered, with state DPEM_CHARGE_REFUSED */
extern void dpem_charge_raise_refusal(const DpemChargeMessage *answer);

#endif							/* DPEM_LEDGER_CHARGE_MESSAGE_H */
