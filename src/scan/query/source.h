/*
 * source.h - scanning a private source: one query per pass, or per fit, every row once.
 */
#ifndef DPEM_SCAN_SOURCE_H
#define DPEM_SCAN_SOURCE_H

#include "core/accounting/fit_cost.h"
#include "registry/binding.h"
#include "scan/moments.h"
#include "scan/pass.h"

extern void dpem_source_execute_init(void);

/* proof that the caller may SELECT the columns of a dataset; see release.h */
typedef struct DpemReader DpemReader;

/* raises 42501 unless the caller may read all bound columns (and the unit) */
extern DpemReader *dpem_source_require_reader(const DpemBinding *binding);

typedef struct DpemSource DpemSource;

/* the units that each pass reads, drawn anew for every pass */
typedef struct DpemSample
{
	DpemSampling sampling;
	double		rate;			/* of units, as dpem_sample_rate gave it */
} DpemSample;

/* a Poisson rate that can be drawn exactly: a multiple of 2^-32, not above `rate` in (0, 1] unless that is below 2^-32 */
extern double dpem_sample_rate(double rate);

/*
 * The query for the bound columns; reader non-NULL: run as the caller, not as
 * the owner.  sample NULL: every unit.
 */
extern DpemSource *dpem_source_open(const DpemBinding *binding, const DpemReader *reader,
									const DpemSample *sample);

/*
 * From now on the rows are read once, by the first pass, if possible: not if a
 * table is on another server or the session keeps no rows.  No row is read
 * here.  features: most that a quantised pass makes of a row, 0 if none is; codes: what all passes make of it
 * (core/kernels/kernel.h, encode), else 0; passes: about how many there will be.
 */
extern void dpem_source_keep_rows(DpemSource *source, const DpemBinding *binding, int features, int codes, int passes);

/* does it keep its rows, so that a pass after the first sends no query? */
extern bool dpem_source_keeps_rows(const DpemSource *source);

/*
 * Before a charge, of a source that the owner's rights open: raises 42501 where the owner has no right to what the query reads
 * and calls, and another error where it cannot be run for another reason that depends on no row.  Reads no row.
 */
extern void dpem_source_require_rights(DpemSource *source);

/*
 * Before the charge of a pass that brings a model (kernel.h, own): raises 42501 where a server that would run it takes
 * none from the role that it is asked as, DP003 where it cannot be asked.  Reads no row.
 */
extern void dpem_source_require_trust(DpemSource *source);

/* releases what keeping rows took */
extern void dpem_source_close(DpemSource *source);

/* fills lower, upper, scale, nargs, arg_lengths of a pass from the bound columns */
extern void dpem_source_describe(const DpemSource *source, DpemPass *pass);

/*
 * Runs a pass: a query, or over the rows kept by the first.  If the scan fails, the caller sees one constant message
 * (DP003) and the server log the details; cancellation passes through.
 */
extern DpemRawMoments *dpem_source_scan(DpemSource *source, const DpemPass *pass);

#endif							/* DPEM_SCAN_SOURCE_H */
