/*
 * resident_pass.h - passes over rows that are kept, by workers that run for
 * the whole fit.
 */
#ifndef DPEM_SCAN_RESIDENT_PASS_H
#define DPEM_SCAN_RESIDENT_PASS_H

#include "scan/moments.h"
#include "scan/pass.h"
#include "scan/resident_rows.h"

typedef struct DpemTeam DpemTeam;

/*
 * Starts up to `workers` parallel workers on these rows; fewer, or none, if the
 * server has no more.  Parallel mode lasts from here to
 * dpem_team_dismiss, or to the end of the (sub)transaction in an error.
 */
extern DpemTeam *dpem_team_start(DpemResidentRows *rows, int workers);

/*
 * One pass over all blocks, by the leader and its workers.  map: the number of
 * the pass's feature map; different maps have different numbers.  The moments
 * are exactly those of a scan.  An error of a worker is raised here.
 */
extern DpemRawMoments *
dpem_team_pass(DpemTeam *team, const DpemPass *pass, uint32 map);

/* waits for the workers to end */
extern void dpem_team_dismiss(DpemTeam *team);

#endif /* DPEM_SCAN_RESIDENT_PASS_H */
