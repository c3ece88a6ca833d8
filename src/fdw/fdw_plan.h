/*
 * fdw_plan.h - paths and plans, by the server's version.
 */
#ifndef DPEM_FDW_FDW_PLAN_H
#define DPEM_FDW_FDW_PLAN_H

#include "optimizer/pathnode.h"
#include "optimizer/planmain.h"

#include "fdw/fdw.h"

static inline ForeignPath *
dpem_create_upper_path(PlannerInfo *root, RelOptInfo *rel, PathTarget *target, double rows, Cost cost)
{
#if PG_VERSION_NUM >= 180000
	return create_foreign_upper_path(root, rel, target, rows, 0, cost, cost, NIL, NULL, NIL, NIL);
#elif PG_VERSION_NUM >= 170000
	return create_foreign_upper_path(root, rel, target, rows, cost, cost, NIL, NULL, NIL, NIL);
#else
	return create_foreign_upper_path(root, rel, target, rows, cost, cost, NIL, NULL, NIL);
#endif
}

static inline ForeignPath *
dpem_create_scan_path(PlannerInfo *root, RelOptInfo *rel, double rows, Cost cost)
{
#if PG_VERSION_NUM >= 180000
	return create_foreignscan_path(root, rel, NULL, rows, 0, cost, cost, NIL, rel->lateral_relids, NULL, NIL, NIL);
#elif PG_VERSION_NUM >= 170000
	return create_foreignscan_path(root, rel, NULL, rows, cost, cost, NIL, rel->lateral_relids, NULL, NIL, NIL);
#else
	return create_foreignscan_path(root, rel, NULL, rows, cost, cost, NIL, rel->lateral_relids, NULL, NIL);
#endif
}

/* the scan of a path that dpem_get_upper_paths made */
extern ForeignScan *dpem_plan_question(RelOptInfo *rel, List *tlist, List *having);

#endif							/* DPEM_FDW_FDW_PLAN_H */
