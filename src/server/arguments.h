/*
 * arguments.h - checks of SQL arguments, and SQL errors for core statuses.
 *
 * Every check returns the value it was given or raises 22023 with one line
 * that names the argument, the range and the value.  NaN is in no range.
 */
#ifndef DPEM_SERVER_ARGUMENTS_H
#define DPEM_SERVER_ARGUMENTS_H

#include "postgres.h"

#include "nodes/pg_list.h"

#include "core/accounting/accountant.h"
#include "core/numeric/status.h"
#include "server/version_shims.h"

/* finite and > 0;  finite and >= 0 */
extern float8 dpem_check_positive(const char *name, float8 value);
extern float8 dpem_check_nonnegative(const char *name, float8 value);

/* finite and > 0;  > 0 and < 1;  > 0 and <= 1 */
extern float8 dpem_check_epsilon(const char *name, float8 value);
extern float8 dpem_check_delta(const char *name, float8 value);
extern float8 dpem_check_rate(const char *name, float8 value);
extern float8 dpem_check_keys_share(float8 value);

/* > 1 and <= most: the order of a Renyi divergence */
extern float8 dpem_check_order(const char *name, float8 value, float8 most);

/* >= 1 */
extern int32 dpem_check_count(const char *name, int32 value);

/* one of the names of the enum or keyword, exactly */
extern DpemComposition dpem_check_composition(const char *name, const text *value);
extern DpemScenario dpem_check_scenario(const char *name, const text *value);
extern bool dpem_check_replace_one(const char *name, const text *value);	/* an adjacency */

/*
 * A question for a hint, "Did you mean \"...\"?  ", about the name among `known` that is
 * nearest to `given`: the same but for case, the same letters in another order, the
 * beginning of the other, or at a Levenshtein distance of at most a third of its length.  "" if there is none.  For names that the caller may see.
 */
extern const char *dpem_did_you_mean(const char *given, List *known);

/* the text as a message may repeat it: its first 40 bytes or so, control characters as \xHH */
extern char *dpem_shown_text(const char *text);

/* raises 22023: value is not one of the names in `allowed`, "one, two, ..." */
pg_noreturn extern void dpem_refuse_name(const char *name, const char *value, const char *allowed);

/* raises 22023 with the reason: the request is well formed but cannot be met */
pg_noreturn extern void dpem_refuse_infeasible(const char *what, const char *reason, const char *hint);

/*
 * Returns if status is DPEM_OK.  Otherwise raises 22023 if arguments that are
 * valid one by one are together beyond the arithmetic, and an internal error if
 * no argument can be the cause.
 */
extern void dpem_check_status(DpemStatus status, const char *what);

#endif							/* DPEM_SERVER_ARGUMENTS_H */
