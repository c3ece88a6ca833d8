/*
 * model_store.h - released models, and who may read them.
 *
 * A model may be read by the role that made it, the owner of the dataset's
 * source, and roles it was granted to (and their members).
 */
#ifndef DPEM_FIT_MODEL_STORE_H
#define DPEM_FIT_MODEL_STORE_H

#include "registry/dataset.h"

/* what every family keeps; texts may be NULL where the column allows it */
typedef struct DpemModelRecord
{
	const char *stem;			/* of its name (model_name.h); NULL: none could be had, and it is not stored */
	const char *family;
	const DpemDataset *dataset; /* bound */
	const char *category;		/* of the dataset's grouping: of whose rows alone the model is; NULL: of all */
	int64		charge;
	int64		maker;			/* dpem_charge_role_number */
	int			k;
	int			d;
	const char *covariance;
	const char *estimator;
	const char *mechanism;
	const char *composition;
	const char *precondition;
	int			iterations;
	double		epsilon;
	double		delta;
} DpemModelRecord;

/* stores what a family keeps of a model besides its record; called as the extension's owner */
typedef void (*DpemModelRows) (int64 model, const DpemModelRecord *record, const void *rows);

/*
 * Stores a model that was paid for, under a name that this transaction has
 * claimed (model_name.h), and returns its name.  Whatever goes wrong, the fit's
 * rows are to be returned: a model that cannot be stored so is stored under
 * another name, or not at all, which is NULL; a WARNING says it.
 */
extern char *dpem_model_save(const DpemModelRecord *record, DpemModelRows insert, const void *rows);

/* says, and logs why, that a model that was paid for is not stored */
extern void dpem_model_warn_lost(const ErrorData *error);

/*
 * Id of a model that `role` may read, its components and coordinates; 42704 for
 * any other, 42809 for one of another family (title: what it is not, with its
 * article).  Call as the extension's owner.
 */
extern int64 dpem_model_find(const char *name, Oid role, const char *family, const char *title,
							 int *k, int *d);

/* family of a model that the current role may read, in the current memory context; 42704 */
extern char *dpem_model_family(const char *name);

/* a float8[] of n numbers of the last query's result; an internal error if it is not that */
extern void dpem_model_copy_floats(uint64 row, int column, double *out, int n);

extern void dpem_model_grant(const char *name, Oid role);
/* takes a grant back; 42704 if there is none */
extern void dpem_model_revoke(const char *name, Oid role);
extern void dpem_model_drop(const char *name);

/* a float8[] of n numbers, or rows x columns */
extern Datum dpem_float8_array(const double *values, int n);
extern Datum dpem_float8_matrix(const double *values, int rows, int columns);

#endif							/* DPEM_FIT_MODEL_STORE_H */
