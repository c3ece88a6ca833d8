/*
 * model_fields.h - the fields of a model: which tables hold them, and what a
 * row of each table contains.
 *
 * A family declares its fields once; the same declaration serves to store, load
 * and drop models and to return them as rows of a fit.
 */
#ifndef DPEM_FIT_MODEL_FIELDS_H
#define DPEM_FIT_MODEL_FIELDS_H

#include "postgres.h"

#include "fmgr.h"

#include "core/numeric/model_sizes.h"
#include "core/numeric/column_scale.h"
#include "server/version_shims.h"

/* a field's shape in one row of a table, for a model of k components and d coordinates */
typedef enum DpemFieldShape
{
	DPEM_FIELD_NUMBER,			/* float8 */
	DPEM_FIELD_TEXT,			/* text */
	DPEM_FIELD_VECTOR,			/* float8[] of d */
	DPEM_FIELD_MATRIX,			/* float8[] of d x d, stored as a one-dimensional array */
	DPEM_FIELD_LONGER_VECTOR,	/* float8[] of d + 1, with the intercept */
	DPEM_FIELD_LONGER_MATRIX,	/* the same of (d + 1) x (d + 1) */
	DPEM_FIELD_CELLS,			/* float8[] of model->cells */
	DPEM_FIELD_FEATURES,		/* float8[] of as many as the model has features */
	DPEM_FIELD_FEATURES_MATRIX, /* the same of features x features */
	DPEM_FIELD_ARRAY			/* float8[] of a length of its own in each row */
} DpemFieldShape;

/* a row's value of shape DPEM_FIELD_ARRAY */
typedef struct DpemFieldArray
{
	int			n;
	double	   *number;
} DpemFieldArray;

typedef struct DpemModelField
{
	const char *column;			/* of the table; NULL ends the list */
	DpemFieldShape shape;
	const char *result;			/* its column in the fit's rows; NULL: none */
	bool		loaded;			/* when the model is used */
	bool		nullable;		/* NaN is stored as NULL; in results it always becomes NULL */
	bool		shared;			/* all rows have the same value */
} DpemModelField;

typedef enum DpemTableRows
{
	DPEM_ROW_OF_MODEL,			/* one, without a number */
	DPEM_ROW_OF_COMPONENT,		/* k, numbered from 1 */
	DPEM_ROW_OF_UNIT			/* k + 1, numbered from 0 */
} DpemTableRows;

#define DPEM_TABLE_FIELDS 13
#define DPEM_MODEL_TABLES 3
#define DPEM_MODEL_VALUES (DPEM_TABLE_FIELDS * DPEM_MODEL_TABLES)

typedef struct DpemModelTable
{
	const char *name;			/* in schema dpem; column `model`: the model's id; NULL ends the list */
	const char *number;			/* column with the row's number; NULL: the model has one row */
	DpemTableRows rows;
	DpemModelField field[DPEM_TABLE_FIELDS];
} DpemModelTable;

/*
 * A model in memory.  value: the fields of all tables in order, each holding the
 * numbers of all rows (double *), a text (char *) or arrays (DpemFieldArray *); NULL if not loaded.
 */
typedef struct DpemModel
{
	int			k;
	int			d;
	int			cells;			/* numbers in fields of that shape */
	int			features;		/* numbers in a DPEM_FIELD_FEATURES */
	int			iterations;		/* of a fit: passes, or steps, made */
	double		rows;			/* of a fit: how many rows counted, as released; NaN: no release said so */
	double		rows_noise;		/* standard deviation of the noise in it */
	const double *imputed;		/* d: what stands for a number that is unknown, in its own unit, or NaN; of a fit also NULL: all NaN */
	const double *clamp_lower;	/* d: what lesser numbers are taken for, in its own unit, or NaN; of a fit also NULL: all NaN */
	const double *clamp_upper;	/* d: the same for greater ones, NaN where clamp_lower is */
	const void *value[DPEM_MODEL_VALUES];
	const DpemSizes *candidates;	/* of a fit that chose k among them; else NULL */
	const void *more;			/* of a fit: the family's results that are returned, not stored */
	const char *mechanism;		/* of a loaded model */
	const double *lower;		/* domains of its coordinates, d each, on their scales */
	const double *upper;
	const DpemColumnScale *scale;	/* of a loaded model, d; NULL: all linear */
	const double *own_lower;	/* of a loaded model: the domains in the columns' own units */
	const double *own_upper;
	const Oid  *calendar;		/* of a loaded model, d: the type of dates or times that a coordinate counts (registry/calendar.h), InvalidOid: a plain number; NULL: not known */
	char	  **column;			/* names of its coordinates, d */
	char	  **column_of;		/* d: the registered column that a coordinate is one of several of; NULL: it is the column */
	char	  **category_of;	/* d: the category that a coordinate stands for; NULL: a number */
} DpemModel;

/* insert and delete the rows of a model; called as the extension's owner */
extern void dpem_fields_insert(const DpemModelTable *tables, int64 id, const DpemModel *model);
extern void dpem_fields_delete(const DpemModelTable *tables, int64 id);

/* inserts what the model's k was chosen among, if there was a choice; called as the extension's owner */
extern void dpem_model_insert_candidates(int64 id, const DpemModel *model);

/* loads the fields marked `loaded`, allocated in `where`; an internal error if rows are missing */
extern void dpem_fields_load(const DpemModelTable *tables, int64 id, DpemModel *model, MemoryContext where);

/*
 * Puts a loaded model, whose domains are in the columns' own units, on scales of these
 * d names, in memory of `where`; NULL for names: all are linear.
 */
extern void dpem_model_set_scales(DpemModel *model, char **names, MemoryContext where);

/*
 * A point of d numbers from the columns' own units to the coordinates of a loaded
 * model, and back, where scaled columns are brought into their domains; the natural logarithm of the coordinates' volume per unit of
 * the columns' own volume at a point in own units, of the numbers that are not NaN.
 */
extern void dpem_model_to_coordinates(const DpemModel *model, double *x);

/*
 * A row like others, in the model's coordinates: of each number what the model has for unknown ones, or the middle of what it is
 * clamped to, or of its domain; of no category.
 */
extern double *dpem_model_usual(const DpemModel *model);
extern void dpem_model_from_coordinates(const DpemModel *model, double *x);
extern double dpem_model_log_volume(const DpemModel *model, const double *x);

/*
 * What the model takes a point's numbers for, in own units: unknown ones, which are NaN, for what stands for them, and
 * those beyond its clamps for these.  Is all known then?
 */
extern bool dpem_model_complete(const DpemModel *model, double *x);

/* the same for a density, which rows beyond a clamp have as well: it would be none if they all had that of the clamp */
extern bool dpem_model_impute(const DpemModel *model, double *x);

/* the type of dates or times that coordinate j counts; InvalidOid of plain numbers, and where that is not known */
extern Oid	dpem_model_calendar(const DpemModel *model, int j);

/* does anything stand for an unknown number? */
extern bool dpem_model_imputes(const DpemModel *model);

/* the registered column that coordinate j comes from */
extern const char *dpem_model_column(const DpemModel *model, int j);

/* coordinates of the same registered column as j, from j on; j is the first */
extern int	dpem_model_column_length(const DpemModel *model, int j);

/* rows of a field in memory, of a model with k components, and numbers (or texts) in each */
extern int	dpem_field_rows(const DpemModelTable *table, const DpemModelField *field, int k);
extern Size dpem_field_length(const DpemModelField *field, const DpemModel *model);

/* the numbers of a field of a loaded or fitted model */
extern double *dpem_model_numbers(const DpemModel *model, int value);

/* stored parameters that no fit has made: raises XX000 */
pg_noreturn extern void dpem_model_corrupt(void);

/* ---- rows of a fit ---- */

/* result of a set-returning function, written row by row, columns addressed by name */
typedef struct DpemFitRows
{
	FunctionCallInfo call;
	const char *model;			/* its name; NULL: not stored */
	const char *key;			/* the category of its rows, or NULL */
	double		counted;		/* rows that counted for the model, as released, and the noise in their number; 0: no release said so */
	double		counted_noise;
	Datum	   *value;
	bool	   *null;
} DpemFitRows;

extern DpemFitRows dpem_fit_rows_begin(FunctionCallInfo fcinfo);

/* starts a row: all columns NULL but `model`, `key` and the rows that counted, where they exist */
extern void dpem_fit_row(DpemFitRows *rows);
extern void dpem_fit_put(DpemFitRows *rows, const char *column, Datum value);
extern void dpem_fit_put_number(DpemFitRows *rows, const char *column, double value);	/* NaN: NULL */
extern void dpem_fit_row_end(DpemFitRows *rows);

/* fields of one table */
extern int	dpem_fields_count(const DpemModelTable *table);

/* a row per component of the first table of components: its number, and the fields with a result */
extern void dpem_fields_emit(const DpemModelTable *tables, const DpemModel *model, DpemFitRows *rows);

/* a float8[] of n numbers, or rows x columns */
extern Datum dpem_float8_array(const double *values, int n);
extern Datum dpem_float8_matrix(const double *values, int rows, int columns);

/* copies a float8[] of n numbers from the last query's result; an internal error if it is none */
extern void dpem_model_copy_floats(uint64 row, int column, double *out, Size n);

#endif							/* DPEM_FIT_MODEL_FIELDS_H */
