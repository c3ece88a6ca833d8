/*
 * dataset.h - registered private sources and the public domains of their columns.
 */
#ifndef DPEM_REGISTRY_DATASET_H
#define DPEM_REGISTRY_DATASET_H

#include "nodes/pg_list.h"

#include "core/statistics/filter.h"

typedef enum DpemColumnKind
{
	DPEM_COLUMN_NUMBER,
	DPEM_COLUMN_ARRAY,
	DPEM_COLUMN_LABEL,
	DPEM_COLUMN_TEXT,
	DPEM_COLUMN_KEY,			/* a label whose values are not public */
	DPEM_COLUMN_CONSTANT		/* of a fit, not of the source: 1 in every row */
} DpemColumnKind;

typedef struct DpemColumn
{
	char	   *name;
	DpemColumnKind kind;
	double		lower;			/* number, array */
	double		upper;
	int			length;			/* coordinates: 1, an array's registered length, or a bound
								 * document's terms; 0 otherwise */
	Oid			type;			/* base type of the source's column; set by dpem_dataset_bind */
	char	  **words;			/* of a bound document column: its vocabulary, `length` terms; else NULL */
} DpemColumn;

/* a column of two classes: a label of two categories, or a number that is one of its bounds */
typedef struct DpemLabel
{
	DpemColumn	column;
	char	   *category[2];	/* the class 0, the class 1 */
} DpemLabel;

/* conditions on registered columns; rows for which they are not true are null rows */
typedef struct DpemRowFilter
{
	const char *text;			/* as the caller wrote it */
	DpemFilter	parsed;
	DpemColumn	column[DPEM_FILTER_MAX_COLUMNS];	/* in the order of parsed.column */
} DpemRowFilter;

/*
 * Rows of public categories; a row of none of them is the null row.  The
 * categories of a key are those that were released, and before any were there
 * are none.
 */
typedef struct DpemGrouping
{
	DpemColumn	column;			/* a label, a key, or (with edges) a number */
	int			n;				/* groups; 0 only of a key */
	char	  **category;		/* n; NULL with edges */
	double	   *edge;			/* n + 1, ascending: group i is [edge i, edge i+1), the last one with its end; NULL with categories */
} DpemGrouping;

#define DPEM_GROUPS_MAX 4096

#define DPEM_KEY_BYTES	1024	/* a longer key is none */

typedef struct DpemDataset
{
	int64		id;
	char	   *name;
	int64		account;		/* the ledger */
	Oid			source;
	char	   *source_name;	/* qualified, as registered */
	Oid			owner;			/* of the source when it was registered; InvalidOid: gone */
	char	   *unit;			/* column that names the person, or NULL */
	int			max_rows_per_unit;
	bool		replace_one;
	char	   *accountant;
	double		epsilon;
	double		delta;
	double		keys_share;		/* part of delta that is for the failures of keys (core/accounting/budget_rule.h) */
	List	   *columns;		/* of DpemColumn, by position; NIL before dpem_dataset_columns */
	DpemLabel  *label;			/* NULL unless bound by dpem_dataset_bind_label */
	DpemRowFilter *filter;		/* NULL unless bound by dpem_dataset_bind_filter */
	DpemGrouping *grouping;		/* NULL unless bound by dpem_dataset_bind_categories or _bins */
} DpemDataset;

/* The dataset of that name; 42704 if there is none. */
extern DpemDataset *dpem_dataset_load(const char *name);

/*
 * Raises 42501 unless the caller owns the source or is a superuser; once the
 * source is gone, unless the caller owned it when it was registered.
 */
extern void dpem_dataset_require_owner(const DpemDataset *dataset);

/*
 * Checks that the source still is what was registered (same relation under
 * the same name, readable kind, no relation of another ledger below it) and
 * fills in columns and their types: the named ones in that order, or, for a
 * NULL list, all numeric ones.  Raises DP004, 42703 or 22023; spends nothing.
 */
extern void dpem_dataset_bind(DpemDataset *dataset, List *column_names);

/*
 * What every bind begins with, and all there is of it for what counts rows
 * alone: locks the source, and raises DP004 where it, or its unit, is not what
 * was registered.
 */
extern void dpem_dataset_bind_rows(DpemDataset *dataset);

/* every registered column, in order of registration; types are not set */
extern List *dpem_dataset_registered(const DpemDataset *dataset);

/* the one of that name among them; raises 42703 */
extern DpemColumn *dpem_dataset_find_registered(const DpemDataset *dataset, List *registered, const char *name);

/*
 * The same for a column of documents, which becomes the only one, with a
 * coordinate for each term of its vocabulary; NULL: the only registered one.
 */
extern void dpem_dataset_bind_documents(DpemDataset *dataset, const char *column);

/* the bound column of documents, or NULL */
extern const DpemColumn *dpem_dataset_documents(const DpemDataset *dataset);

/*
 * Binds the label as well: a registered column of two categories, or a number,
 * whose bounds are then the classes.  It is taken out of the bound columns
 * unless they were named; `positive` (NULL: the second category, the upper
 * bound) is the class 1.  Raises as dpem_dataset_bind does.
 */
extern void dpem_dataset_bind_label(DpemDataset *dataset, const char *label, const char *positive, bool named);

/*
 * Reads conditions (core/statistics/filter.h) and binds the columns they name, which must
 * be registered numbers or labels, compared with literals of their kind (IS
 * NULL: any registered column).  Raises 22023 with the place, 42703, DP004.
 */
extern void dpem_dataset_bind_filter(DpemDataset *dataset, const char *text);

/* rows by the categories of a registered label; raises 42703, 22023, DP004 */
extern void dpem_dataset_bind_categories(DpemDataset *dataset, const char *column);

/* rows by bins of a registered number; edges: n + 1 ascending finite numbers, or NULL for n equal parts of the domain */
extern void dpem_dataset_bind_bins(DpemDataset *dataset, const char *column, int n, const double *edges);

/* rows by the values of a registered key, of which none is known yet; raises 42703, 22023, DP004 */
extern void dpem_dataset_bind_key(DpemDataset *dataset, const char *column);

/* are rows to be grouped by a key of which no value is known yet? */
extern bool dpem_dataset_seeks_keys(const DpemDataset *dataset);

/* from now on the groups are these values of the key */
extern void dpem_dataset_know_keys(DpemDataset *dataset, char **key, int n);

/* is the column registered as a key? raises 42703 if it is not registered */
extern bool dpem_dataset_is_key(const DpemDataset *dataset, const char *column);

/* is the column registered as a label? raises 42703 if it is not registered */
extern bool dpem_dataset_is_label(const DpemDataset *dataset, const char *column);

/* appends a column that is 1 in every row */
extern void dpem_dataset_append_constant(DpemDataset *dataset);

/* raises DP004 unless the column exists in the source with a type of its kind; sets its type */
extern void dpem_dataset_bind_column(const DpemDataset *dataset, DpemColumn *column);

/* names of the columns that a fit over the bound dataset reads, each once */
extern List *dpem_dataset_bound_names(const DpemDataset *dataset);

/* total coordinates of the bound columns */
extern int	dpem_dataset_dimension(const DpemDataset *dataset);

/* their names: the column's, with a subscript for each element of an array */
extern char **dpem_dataset_coordinates(const DpemDataset *dataset);

/*
 * Planner's estimate of the number of rows of the source where that cannot
 * depend on their values, which is so for a table as a whole: pg_class.reltuples
 * of it and its children; 0 for others, and where it was never analysed.
 */
extern double dpem_dataset_public_rows(const DpemDataset *dataset);

/* owner of the source: the role the scan runs as */
extern Oid	dpem_dataset_source_owner(const DpemDataset *dataset);

extern void dpem_dataset_register(const char *name, Oid source, double epsilon, double delta,
								  const char *unit, int max_rows_per_unit,
								  const char *adjacency, const char *accountant, double keys_share);
extern void dpem_dataset_register_column(DpemDataset *dataset, const char *column,
										 DpemColumnKind kind, double lower, double upper,
										 int length, Datum categories);
extern void dpem_dataset_drop(DpemDataset *dataset);

#endif							/* DPEM_REGISTRY_DATASET_H */
