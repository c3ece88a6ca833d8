/*
 * charge_errand.h - sending a worker to commit something on its own.
 */
#ifndef DPEM_LEDGER_CHARGE_ERRAND_H
#define DPEM_LEDGER_CHARGE_ERRAND_H

#include "ledger/charge_message.h"

/*
 * Waits for its turn, starts a worker and returns the worker's answer, with
 * state DPEM_CHARGE_COMMITTED or DPEM_CHARGE_REFUSED.  Raises DP002 if no
 * answer comes in time.  If it raises, or the session ends, before the worker has begun to
 * commit, nothing is committed.
 */
extern void dpem_errand_run(const DpemChargeRequest *request, DpemChargeMessage *answer);

#endif							/* DPEM_LEDGER_CHARGE_ERRAND_H */
