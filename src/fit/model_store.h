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

/* to or from that role; InvalidOid: everybody */
extern void dpem_model_grant(const char *name, Oid role);
/* revokes a grant; raises 42704 if there is none */
extern void dpem_model_revoke(const char *name, Oid role);
extern void dpem_model_drop(const char *name);

#endif							/* DPEM_FIT_MODEL_STORE_H */
