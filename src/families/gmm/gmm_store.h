/*
 * gmm_store.h - mixtures as rows.
 */
#ifndef DPEM_FAMILY_GMM_STORE_H
#define DPEM_FAMILY_GMM_STORE_H

#include "fit/model_store.h"

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

#endif							/* DPEM_FAMILY_GMM_STORE_H */
