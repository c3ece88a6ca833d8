/*
 * lda_store.h - topics as rows.
 */
#ifndef DPEM_FAMILY_LDA_STORE_H
#define DPEM_FAMILY_LDA_STORE_H

#include "fit/model_store.h"

typedef struct DpemLdaRow
{
	int			k;
	int			terms;
	double		alpha;
	const double *lambda;		/* k * terms */
	const double *part;			/* k */
} DpemLdaRow;

/* stores a model made by the current role; returns its name */
extern char *dpem_model_save_lda(const DpemModelRecord *record, const DpemLdaRow *row);

typedef struct DpemStoredLda
{
	int			k;
	int			terms;
	double		alpha;
	char	  **vocabulary;		/* terms */
	double	   *probability;	/* terms * k: E[beta] */
} DpemStoredLda;

/*
 * The model of that name in the current memory context; 42704 unless it
 * exists and the current role may read it, 42809 if it is of another family.
 */
extern DpemStoredLda *dpem_model_load_lda(const char *name);

#endif							/* DPEM_FAMILY_LDA_STORE_H */
