/*
 * charge.h - spending budget, durably, before any private row is read.
 *
 * A DpemCharge can only be had from dpem_charge_commit, which returns after
 * the charge worker's transaction has been flushed to disk.  The release
 * takes it as proof of how many releases at which noise multiplier were paid for.
 */
#ifndef DPEM_LEDGER_CHARGE_H
#define DPEM_LEDGER_CHARGE_H

#include "core/accounting/budget_rule.h"
#include "core/accounting/fit_cost.h"
#include "core/accounting/mechanism.h"
#include "ledger/rows_read.h"
#include "registry/dataset.h"

#define DPEM_CHARGE_MAX_LINES	8
#define DPEM_CHARGE_NAME		32

/* one mechanism of a call: `releases` releases at one noise multiplier */
typedef struct DpemChargeLine
{
	char		statistic[DPEM_CHARGE_NAME];
	DpemMechanism mechanism;

	/* gaussian: standard deviation / L2, laplace: scale / L1 sensitivity, exponential: 1 / epsilon */
	double		noise_multiplier;
	int32		releases;
	DpemSampling sampling;
	double		sampling_rate;	/* 1 without sampling */
	double		failure;		/* of all its releases (core/accounting/budget_rule.h); 0: none */
	int64		mu2_units;		/* cost, rounded up; see core/accounting/budget_rule.h */
	int64		rho_units;
	DpemCurve	curve;			/* if rho does not determine it */
} DpemChargeLine;

typedef struct DpemChargeRequest
{
	int64		dataset;
	int64		account;		/* for waiting in turn; the worker looks it up itself */
	Oid			role;			/* who pays */
	char		function[DPEM_CHARGE_NAME];
	char		composition[DPEM_CHARGE_NAME];
	double		epsilon;		/* of the whole call */
	double		delta;
	double		part;			/* of the dataset's budget, that the call takes: dpem_budget_part; for views */
	int64		reads;			/* charge whose answer the role is given: its share alone pays, once; 0: none */
	int32		rows_per_unit;	/* that the noise is for; 0: those of the dataset */
	bool		stores;			/* the caller's transaction writes more than an answer: it must not be read-only */
	int32		nlines;
	DpemChargeLine lines[DPEM_CHARGE_MAX_LINES];
} DpemChargeRequest;

typedef struct DpemCharge DpemCharge;

/*
 * Charges or raises: DP001 if a budget would be crossed, 42501 if the role
 * has none, DP002 if the charge could not be recorded.  A statement that is
 * cancelled while it waits has been charged only if the worker had begun to
 * commit.  A charge for reading (`reads`) pays for no release.
 */
extern DpemCharge *dpem_charge_commit(const DpemChargeRequest *request);

extern int64 dpem_charge_number(const DpemCharge *charge);

/* the payer in dpem_internal.role_number, which the caller's snapshot may be too old to see */
extern int64 dpem_charge_role_number(const DpemCharge *charge);

/* what a line pays for, as its request named it */
extern const char *dpem_charge_statistic(const DpemCharge *charge, int line);

/*
 * Takes one of the paid releases of a line and returns the noise multiplier
 * it was paid for.  Internal error if all are used up, if the line paid for
 * another mechanism or another sampling of the units (whose price differs), or
 * if only one of charge and rows is of a rehearsal (rehearsal.h).
 */
extern double dpem_charge_take(DpemCharge *charge, int line, DpemMechanism mechanism, const DpemRowsRead *rows);

/* the failure probability that a line paid for, for all its releases together */
extern double dpem_charge_failure(const DpemCharge *charge, int line);

/*
 * Raises unless the session may charge at all: not in a standby, a parallel operation, another
 * role's SECURITY DEFINER function, or a security-restricted operation; in a read-only transaction
 * only for what stores nothing but an answer (answers/kept.h), and unless it is serializable.
 */
extern void dpem_charge_require_possible(const char *function, bool stores);

/* the same but for whose function it is */
extern void dpem_charge_require_session(const char *function, bool stores);

extern PGDLLEXPORT void dpem_charge_worker_main(Datum segment);

#endif							/* DPEM_LEDGER_CHARGE_H */
