/*
 * selftest_run.h - one case of dp_selftest, on one table and all its neighbours.
 */
#ifndef DPEM_API_SELFTEST_SELFTEST_RUN_H
#define DPEM_API_SELFTEST_SELFTEST_RUN_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "api/selftest/selftest_rows.h"
#include "fit/family.h"

/*
 * Adds the rows of the case to dp_selftest's answer: family, adjacency, what was checked, what was
 * declared, what was measured, and whether that is as it should be.  The dataset has been made and
 * its rehearsal begun; `functions`: schema of the extension.
 */
extern void dpem_selftest_run(const DpemSelftestCase *test, const DpemSelftestUnits *units,
							  const char *functions, ReturnSetInfo *rows);

#endif							/* DPEM_API_SELFTEST_SELFTEST_RUN_H */
