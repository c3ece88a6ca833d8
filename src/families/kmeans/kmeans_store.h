/*
 * kmeans_store.h - k-means models as rows.
 */
#ifndef DPEM_FAMILY_KMEANS_STORE_H
#define DPEM_FAMILY_KMEANS_STORE_H

#include "core/kmeans/kmeans_estimate.h"
#include "fit/model_store.h"

/* stores centres, in the columns' own units, made by the current role; returns the model's name */
extern char *dpem_model_save_kmeans(const DpemModelRecord *record, const DpemKmeans *means);

typedef struct DpemStoredKmeans
{
	int			k;
	int			d;
	double	   *centre;			/* k * d, columns' own units */
	double	   *lower;			/* d: domain of each coordinate */
	double	   *upper;			/* d */
} DpemStoredKmeans;

/*
 * The model of that name in the current memory context; 42704 unless it
 * exists and the current role may read it, 42809 if it is of another family.
 */
extern DpemStoredKmeans *dpem_model_load_kmeans(const char *name);

#endif							/* DPEM_FAMILY_KMEANS_STORE_H */
