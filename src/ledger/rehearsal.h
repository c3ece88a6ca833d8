/*
 * rehearsal.h - fits on made-up rows, which dp_selftest runs without a charge.
 *
 * A rehearsal covers one dataset, over a table that was created in this very
 * transaction, by dp_selftest, which fills it with rows of its own making.
 * Such a fit is not charged, and its charge is good for nothing else: raw
 * moments of a covered dataset carry a mark, a charge for one carries it too,
 * and dpem_charge_take refuses a charge and moments of which only one is
 * marked.  So nothing can be released without a charge but numbers made of
 * dp_selftest's own rows.
 */
#ifndef DPEM_LEDGER_REHEARSAL_H
#define DPEM_LEDGER_REHEARSAL_H

#include "ledger/charge.h"

/*
 * Begin: internal error unless the table was created in this transaction and
 * is a plain one.  End: also after an error.
 */
extern void dpem_rehearsal_begin(int64 dataset, Oid source);
extern void dpem_rehearsal_end(void);

/* is this dataset, over this source, the one of a rehearsal? */
extern bool dpem_rehearsal_covers(int64 dataset, Oid source);

/* the same for a charge, which knows the dataset only */
extern bool dpem_rehearsal_pays(int64 dataset);

/* what a fit asked to pay since the last call, and how many releases it took */
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
