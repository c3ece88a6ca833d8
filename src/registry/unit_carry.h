/*
 * unit_carry.h - a ledger that counted rows goes on counting persons.
 *
 * Its charges stay what they were.  One more for each role makes their sums an
 * upper bound of what was told of any person with at most that many rows
 * (docs/proofs.md, "From rows to persons").
 */
#ifndef DPEM_REGISTRY_UNIT_CARRY_H
#define DPEM_REGISTRY_UNIT_CARRY_H

#include "postgres.h"

#include "registry/dataset.h"

/* the mechanism of such a charge in dpem_internal.charge: from its number on a ledger counts in another unit */
#define DPEM_CARRY_MECHANISM "group"

/*
 * Adds these charges to the account of `altered`, whose unit is the new one, under its name, for
 * groups of `rows` rows; returns how many charges are carried over.  Between enter and leave
 * (as_owner.h), with the account closed (ledger/registration.h).  Raises 55000 for a ledger
 * with failures of private keys, which have no such bound.
 */
extern int64 dpem_ledger_carry_over(const DpemDataset *altered, int rows);

#endif							/* DPEM_REGISTRY_UNIT_CARRY_H */
