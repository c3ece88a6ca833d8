/*
 * dataset.h - registered private sources and the public domains of their columns.
 */
#ifndef DPEM_REGISTRY_DATASET_H
#define DPEM_REGISTRY_DATASET_H

#include "nodes/pg_list.h"

#include "core/numeric/column_scale.h"
#include "core/statistics/filter.h"
#include "registry/unit_path.h"
#include "server/version_shims.h"

/* of a number's domain: squares of bounds and of widths, times those of a fit's own scale, are numbers */
#define DPEM_MOST_BOUND		1e100
#define DPEM_LEAST_WIDTH	1e-100

typedef enum DpemColumnKind
{
	DPEM_COLUMN_NUMBER,
	DPEM_COLUMN_ARRAY,
	DPEM_COLUMN_LABEL,
	DPEM_COLUMN_TEXT,
	DPEM_COLUMN_KEY,			/* a label whose values are not public */
	DPEM_COLUMN_CONSTANT,		/* of a fit, not of the source: 1 in every row */
	DPEM_COLUMN_OBSERVED		/* of a fit: is the number of that name known?  1 or 0 */
} DpemColumnKind;

typedef struct DpemColumn
{
	char	   *name;
	DpemColumnKind kind;
	double		lower;			/* number, array; in the column's own units */
	double		upper;
	DpemColumnScale scale;			/* of the coordinate that models see */
	Oid			calendar;		/* number: the type of dates or times that it counts (calendar.h); InvalidOid: a plain number */
	int			length;			/* coordinates: 1, an array's registered length, a bound document's
								 * terms or the categories of a label bound as columns; 0 otherwise */
	Oid			type;			/* base type of the source's column; set by dpem_bind */
	bool		filled;			/* of a bound number: what is not known is read as the middle of the domain */
	bool		unknown;		/* of a bound number that may be NULL: this is read as NaN */
	char	  **words;			/* of a bound document column its vocabulary, of a label bound as columns
								 * its categories, `length` of them; else NULL */
} DpemColumn;

typedef struct DpemDataset
{
	int64		id;
	char	   *name;
	int64		account;		/* the ledger */
	Oid			source;
	char	   *source_name;	/* qualified, as registered */
	bool		shared;			/* whoever loaded it has a share, or is a member of a role that has */
	Oid			owner;			/* of the source when it was registered, or dropped; InvalidOid: dropped since */
	char	   *unit;			/* column that names the person, or the key at the end of the path, or NULL */
	DpemUnitPath *path;			/* of foreign keys to the person; NULL: unit is a column of the source */
	List	   *persons;		/* of DpemPersonColumn (person_column.h), of a dataset with a path */
	int			max_rows_per_unit;
	bool		counts_rows;	/* its rows are units, with how many rows each has as the only column, DPEM_ROWS_COLUMN */
	bool		replace_one;
	char	   *accountant;
	double		epsilon;
	double		delta;
	int			minimum;		/* persons that a number which is shown stands for at least; 0: none (fit/fit.h) */
	int64		holdout_key;	/* secret: which units a holdout has */
	double		keys_share;		/* part of delta that is for the failures of keys (core/accounting/budget_rule.h) */
} DpemDataset;

#define DPEM_MINIMUM_MOST	1000000000

/* a name that no registered column has while it is one */
#define DPEM_ROWS_COLUMN	"rows of a unit"

/* The dataset of that name; 42704 if there is none. */
extern DpemDataset *dpem_dataset_load(const char *name);

/*
 * Raises 42501 unless the caller owns the source or is a superuser; once the
 * source is gone, unless the caller owned it when it was dropped.
 */
extern void dpem_dataset_require_owner(const DpemDataset *dataset);

/* locks the source until the end of the transaction; raises DP004 if it, or its unit, is not what was registered */
extern void dpem_dataset_require_source(const DpemDataset *dataset);

/* where a column is: in the source, in a table on the path (table.column), of a path the unit itself, or one of dp_register_person_column */
typedef struct DpemColumnPlace
{
	int			step;			/* of the path, whose table it is; -1: the source */
	Oid			relation;
	const char *attribute;
	const struct DpemPersonColumn *person;	/* NULL: it is a column of the relation; else that has no meaning */
} DpemColumnPlace;

/* false if there is no such column; person columns have their names before columns of the source, and these before all others */
extern bool dpem_dataset_place(const DpemDataset *dataset, const char *name, DpemColumnPlace *place);

/* dpem_source_column_type of the place */
extern Oid	dpem_dataset_column_type(const DpemDataset *dataset, const char *name);

/* what it is made of, as text that is another one for anything else; "" for a column of the source */
extern char *dpem_dataset_origin(const DpemDataset *dataset, const char *name);

/* raises DP004 where a table has come to the source in this transaction, which the worker that charges does not see */
extern void dpem_dataset_require_committed(const DpemDataset *dataset);

/* all relations that a scan names, each once and the source first: a list of oids */
extern List *dpem_dataset_relations(const DpemDataset *dataset);

/* every registered column, in order of registration; types are not set */
extern List *dpem_dataset_registered(const DpemDataset *dataset);

/* does dpem.datasets list it for the caller, or may the caller read rows?  What its columns are is not for others */
extern bool dpem_dataset_is_visible(const DpemDataset *dataset);

/* raises 42501, as where there is no share, for others: whether there is something to mend, and in which tables, is not for them */
extern void dpem_dataset_require_visible(const DpemDataset *dataset);

/* dpem_did_you_mean (arguments.h) for callers whom the dataset is visible to, else "" */
extern const char *dpem_dataset_did_you_mean(const DpemDataset *dataset, const char *given, List *known);

/* the one of that name among them; raises 42703 with the nearest */
pg_noreturn extern void dpem_dataset_refuse_column(const DpemDataset *dataset, List *registered, const char *name);
extern DpemColumn *dpem_dataset_find_registered(const DpemDataset *dataset, List *registered, const char *name);

/*
 * Planner's estimate of the number of rows of a source for which it cannot
 * depend on the rows' values, which is a table as a whole: pg_class.reltuples of
 * it and its children.  0 for other sources, and if it was never analysed.
 */
extern double dpem_dataset_public_rows(const DpemDataset *dataset);

/* owner of the source: the role the scan runs as */
extern Oid	dpem_dataset_source_owner(const DpemDataset *dataset);

extern void dpem_dataset_register(const char *name, Oid source, double epsilon, double delta,
								  const char *unit, const DpemUnitPath *path, int max_rows_per_unit,
								  const char *adjacency, const char *accountant, double keys_share);
extern void dpem_dataset_register_column(DpemDataset *dataset, const char *column,
										 DpemColumnKind kind, double lower, double upper,
										 int length, DpemColumnScale scale, Oid calendar, Datum categories);

/* 42703 if the column is not registered; models that were made of it stay */
extern void dpem_dataset_unregister_column(DpemDataset *dataset, const char *column);

/*
 * Makes `altered` of `dataset`: another name, source, budget, number of rows per unit, or a unit
 * where there was none; then charges count for as many rows as earlier_rows, which no unit had
 * more of.  Role budgets, columns, charges and models stay.  Raises 55000 if more is spent than
 * the new budget, if it does not go with others of the ledger, or if the new source has
 * another ledger.
 */
extern void dpem_dataset_alter(DpemDataset *dataset, const DpemDataset *altered, int earlier_rows);
extern void dpem_dataset_drop(DpemDataset *dataset);

#endif							/* DPEM_REGISTRY_DATASET_H */
