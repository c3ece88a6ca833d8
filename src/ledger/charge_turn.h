/*
 * charge_turn.h - whose charge is next.
 */
#ifndef DPEM_LEDGER_CHARGE_TURN_H
#define DPEM_LEDGER_CHARGE_TURN_H

#include "server/catalog_lock.h"

#define DPEM_TURN_LOCKS 4

typedef struct DpemTurn
{
	int			nheld;
	struct
	{
		DpemLockKind kind;
		int64		key;
	}			held[DPEM_TURN_LOCKS];
} DpemTurn;

/*
 * Waits until a worker may be started that charges the account (0: none) for
 * the role; raises at the deadline.  What was taken by then is in the turn,
 * which is zero before, and is given back by the caller in any case.
 */
extern void dpem_turn_take(DpemTurn *turn, Oid role, int64 account, TimestampTz deadline);
extern void dpem_turn_give_back(DpemTurn *turn);

#endif							/* DPEM_LEDGER_CHARGE_TURN_H */
