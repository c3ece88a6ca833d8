/*
 * logit_store.h - logistic regressions as rows.
 */
#ifndef DPEM_FAMILY_LOGIT_STORE_H
#define DPEM_FAMILY_LOGIT_STORE_H

#include "fit/model_store.h"

/* n coefficients in the columns' own units, the intercept last */
typedef struct DpemLogitRow
{
	const DpemLabel *label;
	int			n;
	const double *mean;			/* n */
	const double *covariance;	/* n x n */
	const double *noise;		/* n */
} DpemLogitRow;

/* stores a model made by the current role; returns its name */
extern char *dpem_model_save_logit(const DpemModelRecord *record, const DpemLogitRow *row);

typedef struct DpemStoredLogit
{
	int			d;				/* coordinates of a row: one less than coefficients */
	double	   *mean;
	double	   *covariance;
} DpemStoredLogit;

/*
 * The model of that name in the current memory context; 42704 unless it
 * exists and the current role may read it, 42809 if it is of another family.
 */
extern DpemStoredLogit *dpem_model_load_logit(const char *name);

#endif							/* DPEM_FAMILY_LOGIT_STORE_H */
