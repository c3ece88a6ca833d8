/*
 * model_name.h - the names that a transaction may give its models.
 *
 * The models of one fit share a stem: a model of all rows is named `stem`, that
 * of a category `stem/category`.
 */
#ifndef DPEM_FIT_MODEL_NAME_H
#define DPEM_FIT_MODEL_NAME_H

#include "nodes/pg_list.h"

/* in bytes; a longer name does not fit into an index */
#define DPEM_MODEL_STEM_MOST	256
#define DPEM_MODEL_NAME_MOST	2000

typedef struct DpemModelNames
{
	const char *stem;
	char	  **category;
	int			n;				/* of categories; 0: one model, of all rows */
	bool		replace;		/* models that have these names, and that the caller may drop, are to go */
} DpemModelNames;

/*
 * Reserves these names until the transaction ends; raises 42710 where one
 * belongs to a model or is claimed by another transaction; with `replace`, only where
 * the caller may not drop it.  Never waits.
 */
extern void dpem_model_claim(const DpemModelNames *names);

/* claims and returns the first of stem, stem_2, ... whose names are free, from number `first` on */
extern char *dpem_model_claim_free(const DpemModelNames *names, int first);

/* the stem of a fit's models that the caller did not name: dataset_kernel_charge */
extern char *dpem_model_stem(const char *dataset, const char *family, int64 charge);

/* name of a category's model; category NULL: the stem */
extern char *dpem_model_name(const char *stem, const char *category);

/* which of these models may be meant by a name that is none's, as the beginning of a hint */
extern const char *dpem_model_hint(const char *name, List *known);

#endif							/* DPEM_FIT_MODEL_NAME_H */
