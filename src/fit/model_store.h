/*
 * model_store.h - released models, and who may read them.
 *
 * A model may be read by the role that made it, the owner of the dataset's
 * source, and roles it was granted to (and their members).
 */
#ifndef DPEM_FIT_MODEL_STORE_H
#define DPEM_FIT_MODEL_STORE_H

#include "fit/model_fields.h"
#include "registry/binding.h"

struct DpemFamily;				/* fit/family.h */

/* stored for every family; texts may be NULL where the column allows it */
typedef struct DpemModelRecord
{
	const char *stem;			/* of its name (model_name.h); NULL: no name was free, not stored */
	const struct DpemFamily *family;
	const DpemBinding *binding;
	const char *category;		/* of the dataset's grouping, whose rows were fitted; NULL: all rows */
	bool		replace;		/* what has the name goes, and its grants stay */
	const char *function;		/* that made it, and its arguments (fit.h) */
	const char *arguments;
	double		public_rows;	/* 0: not public */
	int64		charge;
	int64		maker;			/* dpem_charge_role_number */
	const char *covariance;
	const char *estimator;
	const char *mechanism;
	const char *composition;
	const char *precondition;
	int			iterations;
	double		epsilon;
	double		delta;
} DpemModelRecord;

/*
 * Stores a model that was paid for, under a name that this transaction has
 * claimed (model_name.h), and returns its name.  As the fit's rows must be
 * returned whatever goes wrong, a model that cannot be stored under that name is
 * stored under another, or not at all (returns NULL), with a WARNING.
 */
extern char *dpem_model_save(const DpemModelRecord *record, const DpemModel *model);

/* warns that a model that was paid for is not stored, and logs the reason */
extern void dpem_model_warn_lost(const ErrorData *error);

/*
 * Loads a model into the current memory context; raises 42704 unless it exists
 * and the current role may read it, 42809 if it is of another family.
 */
extern DpemModel *dpem_model_load(const char *name, const struct DpemFamily *family);

/* family of a model; raises 42704 unless it exists and the current role may read it */
extern const struct DpemFamily *dpem_model_family(const char *name);

/* is there a model of that name that the current role may grant and drop? */
extern bool dpem_model_may_change(const char *name);

/* for others that change models, as the extension's owner: may model m be granted and dropped by role $2? */
#define DPEM_MAY_CHANGE_MODEL \
	" (pg_has_role($2, (SELECT r.role::oid FROM dpem_internal.role_number r WHERE r.id = m.maker), 'USAGE')" \
	"  OR EXISTS (SELECT 1 FROM pg_class c WHERE c.oid = m.source AND pg_has_role($2, c.relowner, 'USAGE')))"

/*
 * The id of a model that the role may read or, with `change`, grant and drop; 42704, 42501.
 * A model one may not read looks like one that does not exist.
 */
extern int64 dpem_model_find(const char *name, Oid role, bool change, bool read_only);

/* deletes the rows of a model; its grants are left */
extern void dpem_model_delete(int64 id);

#endif							/* DPEM_FIT_MODEL_STORE_H */
