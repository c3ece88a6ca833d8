/*
 * charge_message.h - what the caller of a charge and its worker share.
 *
 * A fixed struct in a dynamic shared memory segment; never SQL text.  The
 * caller writes the request before the worker starts.  The worker writes the
 * reply, then sets `state` (release), then the caller's latch.
 */
#ifndef DPEM_CATALOG_CHARGE_MESSAGE_H
#define DPEM_CATALOG_CHARGE_MESSAGE_H

#include "port/atomics.h"
#include "storage/proc.h"

#include "catalog/charge.h"

#define DPEM_CHARGE_MAGIC 0x64706d31

typedef enum DpemChargeState
{
	DPEM_CHARGE_PENDING = 0,
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
	int64		role_number;	/* the payer in dpem.role_number */
	int			sqlstate;
	char		message[256];
	char		hint[256];
} DpemChargeMessage;

#endif							/* DPEM_CATALOG_CHARGE_MESSAGE_H */
