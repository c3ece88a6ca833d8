/*
 * model_fields.h - the numbers of a model, as data: which tables hold them,
 * and what one row of each has.
 *
 * A family says its fields once; from that models are stored, loaded, returned
 * as rows of a fit, and dropped.
 */
#ifndef DPEM_FIT_MODEL_FIELDS_H
#define DPEM_FIT_MODEL_FIELDS_H

#include "postgres.h"

#include "fmgr.h"

/* what one row of a table has of a field, in a model of k components and d coordinates */
typedef enum DpemFieldShape
{
	DPEM_FIELD_NUMBER,			/* float8 */
	DPEM_FIELD_TEXT,			/* text */
	DPEM_FIELD_VECTOR,			/* float8[] of d */
	DPEM_FIELD_MATRIX,			/* of d x d, stored as one dimension */
	DPEM_FIELD_LONGER_VECTOR,	/* of d + 1: a coefficient more */
	DPEM_FIELD_LONGER_MATRIX	/* of (d + 1) x (d + 1) */
} DpemFieldShape;

typedef struct DpemModelField
{
	const char *column;			/* of the table; NULL ends the list */
	DpemFieldShape shape;
	const char *result;			/* column of the fit's rows that shows it; NULL: none does */
	bool		loaded;			/* by who uses the model */
	bool		nullable;		/* NaN is stored as NULL; it is always returned so */
	bool		shared;			/* all rows have the same */
} DpemModelField;

typedef enum DpemTableRows
{
	DPEM_ROW_OF_MODEL,			/* one, without a number */
	DPEM_ROW_OF_COMPONENT,		/* k, numbered from 1 */
	DPEM_ROW_OF_UNIT			/* k + 1, numbered from 0 */
} DpemTableRows;

#define DPEM_TABLE_FIELDS 8
#define DPEM_MODEL_TABLES 2
#define DPEM_MODEL_VALUES (DPEM_TABLE_FIELDS * DPEM_MODEL_TABLES)

typedef struct DpemModelTable
{
	const char *name;			/* in schema dpem; its column `model` is the model's id; NULL ends the list */
	const char *number;			/* column of a row's number; NULL: the model has one row */
	DpemTableRows rows;
	DpemModelField field[DPEM_TABLE_FIELDS];
} DpemModelTable;

/*
 * A model in memory.  value: the fields of all tables one after the other, each
 * the numbers of all rows (double), or texts (char *); NULL for what is not
 * loaded.
 */
typedef struct DpemModel
{
	int			k;
	int			d;
	int			iterations;		/* of a fit: passes, or steps, that were made */
	const void *value[DPEM_MODEL_VALUES];
	const void *more;			/* of a fit: what its rows show and the model does not keep; a family's own */
	const char *mechanism;		/* of a loaded model */
	const double *lower;		/* the domains of its coordinates, d */
	const double *upper;
	char	  **column;			/* and their names, d */
} DpemModel;

/* rows of the model's tables; called as the extension's owner */
extern void dpem_fields_insert(const DpemModelTable *tables, int64 id, const DpemModel *model);
extern void dpem_fields_delete(const DpemModelTable *tables, int64 id);

/* fills in the values of the fields that are loaded, in `where`; an internal error unless all rows are there */
extern void dpem_fields_load(const DpemModelTable *tables, int64 id, DpemModel *model, MemoryContext where);

/* numbers of a field of a loaded model, or of one that was fitted */
extern double *dpem_model_numbers(const DpemModel *model, int value);

/* ---- rows of a fit ---- */

/* the result of a set-returning function under way, row by row, with columns by name */
typedef struct DpemFitRows
{
	FunctionCallInfo call;
	const char *model;			/* its name; NULL: it is not stored */
	const char *key;			/* the category whose rows it is of, or NULL */
	Datum	   *value;
	bool	   *null;
} DpemFitRows;

extern DpemFitRows dpem_fit_rows_begin(FunctionCallInfo fcinfo);

/* a row in which all is NULL but the columns `model` and `key`, if there are such */
extern void dpem_fit_row(DpemFitRows *rows);
extern void dpem_fit_put(DpemFitRows *rows, const char *column, Datum value);
extern void dpem_fit_put_number(DpemFitRows *rows, const char *column, double value);	/* NaN: NULL */
extern void dpem_fit_row_end(DpemFitRows *rows);

/* a row for each component, from the first table that has them: its number under its own name, and the fields with a result */
extern void dpem_fields_emit(const DpemModelTable *tables, const DpemModel *model, DpemFitRows *rows);

/* a float8[] of n numbers, or rows x columns */
extern Datum dpem_float8_array(const double *values, int n);
extern Datum dpem_float8_matrix(const double *values, int rows, int columns);

/* a float8[] of n numbers of the last query's result; an internal error if it is not that */
extern void dpem_model_copy_floats(uint64 row, int column, double *out, int n);

#endif							/* DPEM_FIT_MODEL_FIELDS_H */
