/*
 * resident_pass.h - passes over rows that are kept, by workers that stay for
 * the length of a fit.
 */
#ifndef DPEM_SCAN_RESIDENT_PASS_H
#define DPEM_SCAN_RESIDENT_PASS_H

#include "scan/moments.h"
#include "scan/pass.h"
#include "scan/resident_rows.h"

typedef struct DpemTeam DpemTeam;

/*
 * Starts up to `workers` parallel workers on these rows; fewer, or none, where
 * the server has no more.  Parallel mode lasts from here to
 * dpem_team_dismiss, or to the end of the (sub)transaction in an error.
 */
extern DpemTeam *dpem_team_start(DpemResidentRows *rows, int workers);

/*
 * One pass over all blocks, by the leader and the workers that are there.
 * map: the number of the pass's feature map, the same for the same map only.
 * rehearsed: the rows were made up (moments.h).  The moments are exactly those
 * of a scan.  An error of a worker is raised
 * here.
 */
extern DpemRawMoments *
dpem_team_pass(DpemTeam *team, const DpemPass *pass, uint32 map);

/* waits for the workers to leave */
extern void dpem_team_dismiss(DpemTeam *team);

#endif /* DPEM_SCAN_RESIDENT_PASS_H */
