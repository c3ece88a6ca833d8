/*
 * binding.h - what one fit reads of a dataset: columns, the label, which rows
 * count, and their groups.
 *
 * A dataset is what its owner registered and never changes; a binding is one
 * call's choice from it, checked against the source as it is now.
 */
#ifndef DPEM_REGISTRY_BINDING_H
#define DPEM_REGISTRY_BINDING_H

#include "registry/dataset.h"

/* a column of classes: a label's categories, or, of two classes, a number that is one of its bounds */
typedef struct DpemLabel
{
	DpemColumn	column;
	int			classes;		/* at least 2 */
	char	  **category;		/* of classes 1, 2, ..., as dp_predict counts them */
} DpemLabel;

/* conditions on registered columns; rows for which they are not true are null rows */
typedef struct DpemRowFilter
{
	const char *text;			/* as the caller wrote it */
	DpemFilter	parsed;
	DpemColumn	column[DPEM_FILTER_MAX_COLUMNS];	/* in the order of parsed.column */
} DpemRowFilter;

/*
 * Groups of rows by public categories; a row in no category is the null row.
 * The categories of a key are the released ones; before a release there are
 * none.
 */
typedef struct DpemGrouping
{
	DpemColumn	column;			/* a label, a key, or (with edges) a number */
	int			n;				/* groups; 0 only of a key */
	char	  **category;		/* n; NULL with edges */
	double	   *edge;			/* bins + 1, ascending: bin i is [edge i, edge i+1), the last one with its end; NULL with categories */
	int			bins;			/* n without a cycle */
	int		   *cycle;			/* bins: the group, from 0, that each is of, where groups begin again; NULL: bin i is group i */
	struct DpemGrouping *within;	/* each of the n is divided by another column, the last one first in counting; NULL: it is not */
} DpemGrouping;

#define DPEM_GROUPS_MAX 4096
#define DPEM_CYCLE_BINS_MAX 100000
#define DPEM_CLASSES_MAX 1000

#define DPEM_KEY_BYTES	1024	/* longer values are not keys */

typedef enum DpemBoundRows
{
	DPEM_BIND_NUMBERS,			/* the named columns, or all numeric ones */
	DPEM_BIND_DOCUMENTS,		/* one column registered as documents: a coordinate for each term */
	DPEM_BIND_ALONE				/* only the constant: rows are counted */
} DpemBoundRows;

typedef enum DpemBoundGroups
{
	DPEM_BY_CATEGORIES,			/* of a label */
	DPEM_BY_VALUES,				/* the same, or the private values of a key */
	DPEM_BY_BINS,				/* of a number */
	DPEM_BY_BINS_OR_CATEGORIES	/* whichever the column has */
} DpemBoundGroups;

/* what groups of rows are wanted */
typedef struct DpemGroupsRequest
{
	char	   *by;				/* column; NULL: one group */
	DpemBoundGroups groups;
	int			bins;			/* of a number; -1: not given */
	double	   *edges;			/* bins + 1 ascending finite numbers; NULL: equal parts of the domain */
	int		   *cycle;			/* with edges: the group, from 0, of each bin; NULL: each is one */
	int			cycle_groups;	/* how many groups it has */
} DpemGroupsRequest;

/* what a call requests, with names as given */
typedef struct DpemBindingRequest
{
	DpemBoundRows rows;
	List	   *columns;		/* names, of numbers; NIL: all numeric ones */
	bool		categories;		/* labels are columns, too: a coordinate per category, 1 in its rows and 0 elsewhere */
	bool		constants;		/* with categories: labels of a single one, too, which are left out otherwise */
	bool		missing;		/* numbers may be unknown: numbers come first, then labels, then a coordinate for each
								 * number that tells whether it is known, unless all are NOT NULL */
	bool		not_finite;		/* with missing: even then, as NaN and infinities are unknown, too */
	bool		marginal;		/* rows of which only some numbers are known count: unknown ones are read as NaN, for
								 * kernels that add incomplete rows */
	bool		imputed;		/* the same, but for the target, and kernels are given centers in their place (features.h) */
	bool		own_units;		/* numbers are read without the columns' scales */
	bool		mixed;			/* a number on a linear scale, unless it is a date or time, stands twice, the second time on signed_log */
	bool		together;		/* all rows of a unit go to one random block (scan/sample_aggregate.c) */
	char	   *document_column;	/* NULL: the only one */
	char	   *label;			/* column of classes; NULL: none */
	bool		classes;		/* the label may have more than two */
	char	   *positive;		/* the category that is class 1; NULL: the second */
	char	   *target;			/* column of numbers that is the last coordinate; NULL: none */
	char	   *class_column;	/* label that is the last column, a coordinate per category; NULL: none */
	bool		target_classes; /* which may be a label instead: a coordinate per category, as of columns */
	bool		constant;		/* one more coordinate, 1 in every row */
	char	   *filter;			/* conditions on rows (core/statistics/filter.h); NULL: none */
	bool		persons;		/* different units are counted, or rows where a row is one */
	char	   *distinct;		/* column whose different values are counted; NULL: none */
	double		holdout;		/* part of the units that is left out, (0, 1); 0: none */
	bool		held_out;		/* these alone are read */
	char	   *order_column;	/* column that is none of the columns, as rows are read in its order; NULL: none */
	char	   *by;				/* column whose groups are wanted; NULL: none */
	DpemBoundGroups groups;		/* kind of groups */
	int			bins;			/* of a number; -1: not given */
	double	   *edges;			/* bins + 1 ascending finite numbers; NULL: equal parts of the domain */
	int		   *cycle;			/* as of DpemGroupsRequest */
	int			cycle_groups;
	List	   *within;			/* of DpemGroupsRequest: what divides these groups further, with DPEM_GROUPS_MAX in all */
} DpemBindingRequest;

typedef struct DpemBinding
{
	const DpemDataset *dataset;
	List	   *columns;		/* of DpemColumn, by position */
	DpemLabel  *label;			/* NULL: none */
	int			unknown;		/* leading coordinates that are read as NaN where a number is NULL; else its row does not count */
	const DpemColumn *target;	/* a number or label, the last of the columns, which is to be explained by the others; NULL: none */
	DpemRowFilter *filter;		/* NULL: every row */
	bool		persons;		/* as requested */
	bool		together;		/* as requested */
	DpemColumn *distinct;		/* a number, label or key whose different values are counted; NULL: none */
	char	  **category;		/* of a label that is `distinct`: what counts, and how many; else NULL */
	int			categories;
	double		holdout;		/* as requested: units by a keyed hash of what identifies them */
	bool		held_out;
	DpemGrouping *grouping;		/* NULL: one group */
} DpemBinding;

/*
 * Locks the source, as any query would, so that what was checked stays true
 * until the end of the transaction.  Raises DP004 if the source, its unit or a
 * column is not what was registered, 42703 for a column that is not registered,
 * 22023 for a column of another kind or an invalid filter; spends nothing.
 */
extern DpemBinding *dpem_bind(const DpemDataset *dataset, const DpemBindingRequest *request);

/* total coordinates of the bound columns */
extern int	dpem_binding_dimension(const DpemBinding *binding);

/*
 * Those of them that points have: all but the target, the constant and what tells which numbers are known, which come
 * last.
 */
extern int	dpem_binding_source_dimension(const DpemBinding *binding);

/* largest squared norm of a row whose columns are scaled to [-1, 1]: of a label's coordinates one at most is not 0 */
extern double dpem_binding_square(const DpemBinding *binding);

/* their names: the column's, with a subscript for each element of an array, or as column=category */
extern char **dpem_binding_coordinates(const DpemBinding *binding);

/* the category that each coordinate stands for, NULL for numbers; in the order of dpem_binding_coordinates */
extern char **dpem_binding_categories(const DpemBinding *binding);

/* the bound column of each coordinate */
extern const DpemColumn **dpem_binding_columns(const DpemBinding *binding);

/* names of the columns that a fit reads, each once */
extern List *dpem_binding_names(const DpemBinding *binding);

/*
 * Of the first n coordinates, as arrays with an element for each: names; bounds; the registered column of those that are
 * one of several (columns) or the category that they stand for, NULL for others, *null 'n' if for all; scales, *null 'n' if
 * all are linear.
 */
extern Datum dpem_binding_labels(const DpemBinding *binding, int n);
extern Datum dpem_binding_bounds(const DpemBinding *binding, int n, bool upper);
extern Datum dpem_binding_origins(const DpemBinding *binding, int n, bool columns, char *null);
extern Datum dpem_binding_scales(const DpemBinding *binding, int n, char *null);

/* the type of dates or times that each counts, NULL of plain numbers */
extern Datum dpem_binding_calendars(const DpemBinding *binding, int n);

/* the bound column of documents, or NULL */
extern const DpemColumn *dpem_binding_documents(const DpemBinding *binding);

/* are rows grouped by a column whose values are not public? */
extern bool dpem_binding_has_key(const DpemBinding *binding);

/* ... and no such value is known yet? */
extern bool dpem_binding_seeks_keys(const DpemBinding *binding);

/* how many groups of rows there are: 1 without a grouping, 0 while keys are sought */
extern int	dpem_binding_groups(const DpemBinding *binding);

/* are different persons or values of each group counted, which is a query of its own? */
extern bool dpem_binding_counts_distinct(const DpemBinding *binding);

/* sets the groups to these values of the key */
extern void dpem_binding_know_keys(DpemBinding *binding, char **key, int n);

/* a number on a linear scale, of no calendar, in a domain that is wide enough for dpem_scale_mixed */
extern bool dpem_binding_is_mixable(const DpemColumn *column);

/* for binding_*.c: each fills its part, and raises as dpem_bind does */
extern void dpem_binding_check_column(const DpemDataset *dataset, DpemColumn *column);
extern char **dpem_binding_load_categories(const DpemDataset *dataset, const char *column, int *n);
extern void dpem_binding_set_numbers(DpemBinding *binding, const DpemBindingRequest *request);
extern void dpem_binding_set_categories(const DpemDataset *dataset, DpemColumn *label);
extern void dpem_binding_set_documents(DpemBinding *binding, const char *column);
extern void dpem_binding_set_label(DpemBinding *binding, const DpemBindingRequest *request);
extern void dpem_binding_leave_out(DpemBinding *binding, const char *role, const char *name, bool named);
extern void dpem_binding_set_target(DpemBinding *binding, const DpemBindingRequest *request);
extern void dpem_binding_set_classes(DpemBinding *binding, const DpemBindingRequest *request);
extern void dpem_binding_append_constant(DpemBinding *binding);
extern void dpem_binding_set_filter(DpemBinding *binding, const char *text);
extern DpemRowFilter *dpem_binding_parse_filter(const char *text);	/* its columns are not bound */
extern void dpem_binding_check_filter(DpemRowFilter *filter);
extern void dpem_binding_set_holdout(DpemBinding *binding, const DpemBindingRequest *request);
extern void dpem_binding_set_distinct(DpemBinding *binding, const char *column);
extern void dpem_binding_set_groups(DpemBinding *binding, const DpemBindingRequest *request);

#endif							/* DPEM_REGISTRY_BINDING_H */
