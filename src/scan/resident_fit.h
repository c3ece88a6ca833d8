/*
 * resident_fit.h - a fit's rows, read once: kept by the first pass, and the
 * later passes over them.
 */
#ifndef DPEM_SCAN_RESIDENT_FIT_H
#define DPEM_SCAN_RESIDENT_FIT_H

#include "scan/moments.h"
#include "scan/pass.h"
#include "scan/resident_rows.h"

typedef struct DpemResidentFit DpemResidentFit;

/*
 * Room for the rows of a source, chosen from public facts: about `rows` of this
 * shape, with features if passes have integer ones; passes: about how many
 * there will be, which decides the number of workers.
 * NULL if the session keeps no rows (dpem.resident_memory = 0).
 */
extern DpemResidentFit *dpem_resident_fit_begin(DpemResidentShape shape, double rows, int passes);

/* value of DpemPass.rows with which the first pass keeps its rows; 0 once they are kept */
extern uint32 dpem_resident_fit_place(const DpemResidentFit *fit);

/* the first pass is done: rows are there */
extern void dpem_resident_fit_filled(DpemResidentFit *fit, const DpemPass *pass);

/* a later pass; raises what a worker raised */
extern DpemRawMoments *
dpem_resident_fit_pass(DpemResidentFit *fit, const DpemPass *pass);

/* releases workers, memory and file; so does an error */
extern void dpem_resident_fit_end(DpemResidentFit *fit);

extern void dpem_resident_fit_init(void);

#endif /* DPEM_SCAN_RESIDENT_FIT_H */
