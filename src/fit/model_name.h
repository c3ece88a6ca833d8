/*
 * model_name.h - which names a transaction may give its models.
 *
 * The models of one fit have a stem: a model of all rows is called by it, that
 * of a category `stem/category`.
 */
#ifndef DPEM_FIT_MODEL_NAME_H
#define DPEM_FIT_MODEL_NAME_H

/* in bytes; a longer name has no place in an index */
#define DPEM_MODEL_STEM_MOST	256
#define DPEM_MODEL_NAME_MOST	2000

typedef struct DpemModelNames
{
	const char *stem;
	char	  **category;
	int			n;				/* of categories; 0: one model, of all rows */
} DpemModelNames;

/*
 * Until the transaction ends nobody else gets these names; raises 42710 where
 * one is a model's, or another transaction's.  Never waits.
 */
extern void dpem_model_claim(const DpemModelNames *names);

/* the first of stem, stem_2, stem_3, ... from that number on whose names nobody has, claimed */
extern char *dpem_model_claim_free(const DpemModelNames *names, int first);

/* what a fit's models are called where nobody named them: dataset_kernel_charge */
extern char *dpem_model_stem(const char *dataset, const char *family, int64 charge);

/* category NULL: the stem */
extern char *dpem_model_name(const char *stem, const char *category);

#endif							/* DPEM_FIT_MODEL_NAME_H */
