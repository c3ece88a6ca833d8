/*
 * charge_turn.h - the order in which charges are served.
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
 * Waits until a worker that charges the account (0: none) for the role may be
 * started; raises at the deadline.  The locks taken so far are in the turn,
 * which is zeroed before; the caller gives them back in any case.
 */
extern void dpem_turn_take(DpemTurn *turn, Oid role, int64 account, TimestampTz deadline);
extern void dpem_turn_give_back(DpemTurn *turn);

#endif							/* DPEM_LEDGER_CHARGE_TURN_H */
