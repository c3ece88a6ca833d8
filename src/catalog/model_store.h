/*
 * model_store.h - released models, and who may read them.
 *
 * A model may be read by the role that made it, the owner of the dataset's
 * source, and roles it was granted to (and their members).
 */
#ifndef DPEM_CATALOG_MODEL_STORE_H
#define DPEM_CATALOG_MODEL_STORE_H

#include "catalog/dataset.h"

/* what every family keeps; texts may be NULL where the column allows it */
typedef struct DpemModelRecord
{
	const char *name;			/* NULL: one is made from dataset, family and charge */
	const char *family;
	const DpemDataset *dataset; /* bound */
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

/* one component of a mixture, columns' own units; arrays of d and d * d */
typedef struct DpemGmmRow
{
	double		weight;
	double		weight_noise;
	const double *mean;
	const double *mean_noise;
	const double *covariance;
	const double *covariance_noise;
} DpemGmmRow;

/* raises 42710 if a model of that name exists (said before anything is spent) */
extern void dpem_model_require_free_name(const char *name);

/* stores a mixture made by the current role; returns its name */
extern char *dpem_model_save_gmm(const DpemModelRecord *record, const DpemGmmRow *rows);

typedef struct DpemStoredGmm
{
	int			k;
	int			d;
	double	   *weight;
	double	   *mean;
	double	   *covariance;
} DpemStoredGmm;

/*
 * The mixture of that name in the current memory context; 42704 unless it
 * exists and the current role may read it, 42809 if it is of another family.
 */
extern DpemStoredGmm *dpem_model_load_gmm(const char *name);

extern void dpem_model_grant(const char *name, Oid role);
/* takes a grant back; 42704 if there is none */
extern void dpem_model_revoke(const char *name, Oid role);
extern void dpem_model_drop(const char *name);

/* a float8[] of n numbers, or rows x columns */
extern Datum dpem_float8_array(const double *values, int n);
extern Datum dpem_float8_matrix(const double *values, int rows, int columns);

#endif							/* DPEM_CATALOG_MODEL_STORE_H */
