/*
 * dataset_rules.h - what the budgets of one ledger have in common.
 *
 * Those that read the catalog are called between dpem_owner_enter and dpem_owner_leave.
 */
#ifndef DPEM_API_DATASETS_DATASET_RULES_H
#define DPEM_API_DATASETS_DATASET_RULES_H

#include "fmgr.h"

#include "core/accounting/budget_rule.h"
#include "registry/dataset.h"
#include "server/version_shims.h"

/* Raises 25001 where an older snapshot would be read, in which charges may be missing; done: "registered" */
extern void dpem_require_read_committed(const char *done);

/* Raises 42710 if a dataset other than that one has, or had, the name. */
extern void dpem_require_new_name(const char *name, int64 dataset);

/*
 * Whoever charges chooses, by what was released, through which dataset: were
 * there two rules, each with a delta of its own, their deltas would add up.  So
 * one ledger has one accountant, one part of delta for failures, and budgets
 * of which one affords whatever the other does.
 * Raises 55000 otherwise.
 */
extern void dpem_require_same_rule(int64 account, const char *accountant, DpemLimit limit);

/* Keeps the budget of a dataset that is dropped or altered, if it has been charged: it still binds its ledger. */
extern void dpem_record_rule(const DpemDataset *dataset);

/* arguments of a dataset's budget by their position: epsilon, and keys_share for that accountant; raise 22023 */
extern float8 dpem_budget_argument(FunctionCallInfo fcinfo, int i);
extern float8 dpem_keys_share_argument(FunctionCallInfo fcinfo, int i, const char *accountant);

/* the number if that many rows of one unit may count, which is 1 without a unit; raises 22023 */
extern int	dpem_check_max_rows(const char *name, int max_rows, const char *unit);

/*
 * What registering, altering and granting answer, as text: the columns that are registered, those of
 * the source that are not, and what could be next.  For the owner, who knows the source.
 */
extern Datum dpem_dataset_answer(const DpemDataset *dataset);

/* a NOTICE if its delta is above one in the number of rows, where one row is a person and their number public */
extern void dpem_dataset_notice_delta(const DpemDataset *dataset);

/* a number column's domain, and its scale by the argument's position; raise 22023 */
extern void dpem_check_bounds(float8 lower, float8 upper);
extern DpemColumnScale dpem_scale_argument(FunctionCallInfo fcinfo, int i, float8 lower, float8 upper);

/* the dataset of argument 0, which the caller must own; 42704, 42501 */
extern DpemDataset *dpem_owned_dataset(FunctionCallInfo fcinfo);

/* type of a column of its source; raises 42703 */
extern Oid	dpem_registrable_type(const DpemDataset *dataset, const char *column);

/* raises 42804: the column is none of those wanted */
pg_noreturn extern void dpem_refuse_type(const char *column, Oid type, const char *wanted);

#endif							/* DPEM_API_DATASETS_DATASET_RULES_H */
