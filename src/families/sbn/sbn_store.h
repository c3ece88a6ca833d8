/*
 * sbn_store.h - sigmoid belief networks as rows.
 */
#ifndef DPEM_FAMILY_SBN_STORE_H
#define DPEM_FAMILY_SBN_STORE_H

#include "fit/model_store.h"

/*
 * Stores a model made by the current role; returns its name.  bias: a number
 * for each of the record's k hidden units; weight: (1 + k) * d numbers, visible
 * biases first.
 */
extern char *dpem_model_save_sbn(const DpemModelRecord *record, const double *bias, const double *weight);

typedef struct DpemStoredSbn
{
	int			d;
	int			hidden;
	double	   *lower;			/* d: the columns' domains */
	double	   *upper;
	double	   *bias;			/* hidden */
	double	   *weight;			/* (1 + hidden) * d */
} DpemStoredSbn;

/*
 * The model of that name in the current memory context; 42704 unless it
 * exists and the current role may read it, 42809 if it is of another family.
 */
extern DpemStoredSbn *dpem_model_load_sbn(const char *name);

#endif							/* DPEM_FAMILY_SBN_STORE_H */
