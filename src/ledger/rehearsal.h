/*
 * rehearsal.h - fits on artificial rows, which dp_selftest runs without a charge.
 *
 * A rehearsal covers one dataset, over a table that was created in this very
 * transaction, by dp_selftest, which fills it with rows of its own making.
 * Such a fit is not charged, and its charge is valid for nothing else: raw
 * moments of a covered dataset and charges for it carry a mark, and
 * dpem_charge_take refuses a charge and moments if only one of them is marked.
 * So only numbers computed from dp_selftest's own rows can be released without
 * a charge.
 */
#ifndef DPEM_LEDGER_REHEARSAL_H
#define DPEM_LEDGER_REHEARSAL_H

#include "ledger/charge.h"

/*
 * Begin: internal error unless the table was created in this transaction and
 * is a plain one.  End: must also be called after an error.
 */
extern void dpem_rehearsal_begin(int64 dataset, Oid source);
extern void dpem_rehearsal_end(void);

/* is this dataset, over this source, the one of a rehearsal? */
extern bool dpem_rehearsal_covers(int64 dataset, Oid source);

/* the same for a charge, which knows the dataset only */
extern bool dpem_rehearsal_pays(int64 dataset);

/* what fits paid for since the last call, and how many releases they took */
typedef struct DpemRehearsedPayment
{
	int			charges;
	int			releases_paid;
	int			releases_taken;
	double		mu2;			/* of all lines, as if they read every unit */
	double		failure;
} DpemRehearsedPayment;

extern DpemRehearsedPayment dpem_rehearsal_payment(void);

/* for charge.c */
extern void dpem_rehearsal_note_charge(const DpemChargeRequest *request);
extern void dpem_rehearsal_note_take(void);

#endif							/* DPEM_LEDGER_REHEARSAL_H */
