/*
 * factors_store.h - factor models and principal components as rows.
 */
#ifndef DPEM_FAMILY_FACTORS_STORE_H
#define DPEM_FAMILY_FACTORS_STORE_H

#include "fit/model_store.h"

/* a factor model in the columns' own units: d numbers each, loadings k * d */
typedef struct DpemFaRow
{
	const double *mean;
	const double *mean_noise;
	const double *noise;		/* variances */
	const double *noise_noise;
	const double *loading;
	const double *loading_noise;
	double		log_likelihood; /* per row */
} DpemFaRow;

/* principal components of rows scaled to the box */
typedef struct DpemPcaRow
{
	const double *mean;			/* columns' own units */
	const double *mean_noise;
	const double *unit;			/* of the box, in the columns' own units */
	double		total;			/* variance */
	double		total_noise;
	const double *variance;		/* k */
	const double *variance_noise;
	const double *share;		/* of the total */
	const double *alignment;	/* k; NaN: not known */
	const double *direction;	/* k * d */
} DpemPcaRow;

/* store a model made by the current role; return its name */
extern char *dpem_model_save_fa(const DpemModelRecord *record, const DpemFaRow *row);
extern char *dpem_model_save_pca(const DpemModelRecord *record, const DpemPcaRow *row);

typedef struct DpemStoredFa
{
	int			k;
	int			d;
	double	   *mean;
	double	   *noise;
	double	   *loading;
} DpemStoredFa;

typedef struct DpemStoredPca
{
	int			k;
	int			d;
	double	   *mean;
	double	   *unit;
	double	   *direction;
} DpemStoredPca;

/*
 * The model of that name in the current memory context; 42704 unless it
 * exists and the current role may read it, 42809 if it is of another family.
 */
extern DpemStoredFa *dpem_model_load_fa(const char *name);
extern DpemStoredPca *dpem_model_load_pca(const char *name);

#endif							/* DPEM_FAMILY_FACTORS_STORE_H */
