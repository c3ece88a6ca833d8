/*
 * column_reader.c - reading a row's columns into a block.
 *
 * Every column of every row is read, whether the row counts or not
 * (row_value.h).  Plain float8 columns are the fast path.  Packed arrays are read where they
 * stand: the ordinary array macro would copy every short value to align it.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/uuid.h"

#include "core/pass/block.h"
#include "scan/column_reader.h"
#include "scan/row_value.h"
#include "server/version_shims.h"

typedef enum ColumnForm
{
	FORM_FLOAT8, FORM_FLOAT4, FORM_INT2, FORM_INT4, FORM_INT8, FORM_NUMERIC,
	FORM_FLOAT8_ARRAY, FORM_FLOAT4_ARRAY, FORM_ONE_HOT, FORM_QUOTA, FORM_GROUP, FORM_LABEL, FORM_DRAW
} ColumnForm;

typedef struct ReadColumn
{
	int			arg;
	ColumnForm	form;
	int			length;
} ReadColumn;

struct DpemColumnReader
{
	int			n;
	bool		all_float8;
	int			leading;		/* columns of float8 before all others, if there are others */
	int			groups;
	int			group_arg;
	int			draw_arg;		/* 0: none */
	int			classes;
	int			unknown;		/* leading coordinates: DpemColumnHeads */
	int			known;
	int			told;
	ReadColumn	column[FLEXIBLE_ARRAY_MEMBER];
};

static ColumnForm
form_of(Oid type)
{
	switch (type)
	{
		case FLOAT8OID:
			return FORM_FLOAT8;
		case FLOAT4OID:
			return FORM_FLOAT4;
		case INT2OID:
			return FORM_INT2;
		case INT4OID:
			return FORM_INT4;
		case INT8OID:
			return FORM_INT8;
		case NUMERICOID:
			return FORM_NUMERIC;
		case FLOAT8ARRAYOID:
			return FORM_FLOAT8_ARRAY;
		case FLOAT4ARRAYOID:
			return FORM_FLOAT4_ARRAY;
		case BOOLOID:
			return FORM_QUOTA;
		case UUIDOID:
			return FORM_DRAW;
		default:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("dpem_internal.moments cannot read type %s", format_type_be(type))));
	}
}

/* can be of several coordinates? */
static bool
is_wide(ColumnForm form)
{
	return form == FORM_FLOAT8_ARRAY || form == FORM_FLOAT4_ARRAY || form == FORM_ONE_HOT;
}

/* none of which comes after what tells which are known */
static int
count_leading(const DpemColumnReader *reader)
{
	int			i = 0;

	while (!reader->all_float8 && i < reader->n && i < reader->told && reader->column[i].form == FORM_FLOAT8)
		i++;
	return i;
}

DpemColumnReader *
dpem_column_reader_create(FunctionCallInfo fcinfo, int first, int nargs, const double *lengths, DpemColumnHeads heads)
{
	int			n = PG_NARGS() - first;
	DpemColumnReader *reader = palloc0(offsetof(DpemColumnReader, column) + Max(n, 1) * sizeof(ReadColumn));
	int			used = 0;

	reader->n = n;
	reader->all_float8 = true;
	reader->groups = heads.groups;
	reader->classes = heads.classes;
	reader->unknown = Max(heads.unknown, heads.known);
	reader->known = heads.known;
	reader->told = heads.known > 0 ? heads.told : PG_INT32_MAX;
	for (int i = 0; i < n; i++)
	{
		ReadColumn *column = &reader->column[i];

		column->arg = first + i;
		column->form = form_of(getBaseType(get_fn_expr_argtype(fcinfo->flinfo, first + i)));
		if (column->form != FORM_FLOAT8)
			reader->all_float8 = false;
		if (column->form == FORM_DRAW)
			reader->draw_arg = column->arg;
		if (column->form == FORM_QUOTA || column->form == FORM_DRAW)
			continue;
		if (heads.groups > 0 && column->form == FORM_INT4)
		{
			column->form = FORM_GROUP;
			reader->group_arg = column->arg;
			heads.groups = 0;
			continue;
		}
		if (heads.groups == 0 && heads.classes > 0 && column->form == FORM_INT4)
		{
			column->form = FORM_LABEL;
			heads.classes = 0;
			continue;
		}
		if (heads.groups > 0 || heads.classes > 0)
			break;
		column->length = used < nargs ? (int) lengths[used] : 0;
		used++;
		if (column->length > 1 && column->form == FORM_INT4)
			column->form = FORM_ONE_HOT;
		if (column->length < 1 || (column->length > 1 && !is_wide(column->form)))
		{
			used = -1;
			break;
		}
	}
	if (used != nargs || heads.groups > 0 || heads.classes > 0 || n < 1 ||
		(reader->column[n - 1].form < FORM_QUOTA && reader->column[n - 1].length < 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("columns given to dpem_internal.moments do not match its pass")));
	reader->leading = count_leading(reader);
	return reader;
}

static inline bool
read_scalar(ColumnForm form, Datum value, double *x)
{
	switch (form)
	{
		case FORM_FLOAT8:
			*x = DatumGetFloat8(value);
			break;
		case FORM_FLOAT4:
			*x = DatumGetFloat4(value);
			break;
		case FORM_INT2:
			*x = DatumGetInt16(value);
			break;
		case FORM_INT4:
			*x = DatumGetInt32(value);
			break;
		case FORM_INT8:
			*x = (double) DatumGetInt64(value);
			break;
		case FORM_NUMERIC:
			/* out of range gives an infinity, not an error */
			*x = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));
			break;
		default:
			return false;
	}
	return true;
}

/*
 * Header words of a one-dimensional array as they stand after the varlena
 * header: ndim, dataoffset, elemtype, dim, lower bound; then the elements.
 */
#define PACKED_WORDS	5

PG_FUNCTION_INFO_V1(dpem_numeric_to_float8);

/* dpem_internal.numeric_to_float8(numeric): infinite beyond the range of float8, zero below it; never raises */
Datum
dpem_numeric_to_float8(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(DirectFunctionCall1(numeric_float8_no_overflow, PG_GETARG_DATUM(0)));
}

static bool
read_array(const ReadColumn *column, Datum value, double *x)
{
	Size		width = column->form == FORM_FLOAT8_ARRAY ? sizeof(float8) : sizeof(float4);
	int32		words[PACKED_WORDS];
	struct varlena *array;
	const char *data;
	bool		good;

	/* an array of another size could be one that does not fit into memory */
	if (toast_raw_datum_size(value) != VARHDRSZ + sizeof(words) + width * column->length)
	{
		dpem_row_value_pass_over(value);
		return false;
	}
	array = PG_DETOAST_DATUM_PACKED(value);
	data = VARDATA_ANY(array);
	/* a null bitmap, more dimensions or another length change the size or these words */
	memcpy(words, data, sizeof(words));
	good = words[0] == 1 && words[1] == 0 && words[3] == column->length;
	for (int j = 0; good && j < column->length; j++)
	{
		const char *element = data + sizeof(words) + j * width;

		if (column->form == FORM_FLOAT8_ARRAY)
			memcpy(&x[j * DPEM_BLOCK_STRIDE], element, sizeof(double));
		else
		{
			float4		single;

			memcpy(&single, element, sizeof(single));
			x[j * DPEM_BLOCK_STRIDE] = single;
		}
	}
	if ((Pointer) array != DatumGetPointer(value))
		pfree(array);
	return good;
}

static bool
read_label(int classes, Datum value, double *label)
{
	int32		class = DatumGetInt32(value);

	*label = class;
	return classes == 2 ? class == 1 || class == -1 : class >= 1 && class <= classes;
}

static bool
read_column(const ReadColumn *column, int classes, Datum value, double *x, double *label)
{
	switch (column->form)
	{
		case FORM_QUOTA:
			return DatumGetBool(value);
		case FORM_GROUP:
		case FORM_DRAW:
			return true;
		case FORM_LABEL:
			return read_label(classes, value, label);
		case FORM_FLOAT8_ARRAY:
		case FORM_FLOAT4_ARRAY:
			return read_array(column, value, x);
		default:
			return read_scalar(column->form, value, x);
	}
}

/* every coordinate is written, whichever is on; a value that is no category, or NULL, has none on */
static bool
read_one_hot(const ReadColumn *column, const NullableDatum *arg, double *x)
{
	int32		place = arg->isnull ? 0 : DatumGetInt32(arg->value);

	for (int j = 0; j < column->length; j++)
		x[(size_t) j * DPEM_BLOCK_STRIDE] = j + 1 == place;
	return true;
}

/* a number that is NULL, if it may be */
static inline bool
read_unknown(const ReadColumn *column, int at, int unknown, double *x)
{
	if (at >= unknown || column->form > FORM_NUMERIC)
		return false;
	*x = get_float8_nan();
	return true;
}

/* the first n columns, coordinates of those beyond `told` after what tells which are known */
static bool
read_float8s(const DpemColumnReader *reader, FunctionCallInfo fcinfo, int n, double *x)
{
	const NullableDatum *args = &fcinfo->args[reader->column[0].arg];
	bool		kept = true;

	for (int i = 0; i < n; i++)
	{
		int			j = i < reader->told ? i : i + reader->known;

		kept &= !args[i].isnull || i < reader->unknown;
		x[(size_t) j * DPEM_BLOCK_STRIDE] = args[i].isnull ? get_float8_nan() : DatumGetFloat8(args[i].value);
	}
	return kept;
}

static bool
read_any(DpemColumnReader *reader, FunctionCallInfo fcinfo, double *x, double *label)
{
	bool		kept = read_float8s(reader, fcinfo, reader->leading, x);
	int			at = reader->leading;

	x += (size_t) at * DPEM_BLOCK_STRIDE;
	for (int i = reader->leading; i < reader->n; i++)
	{
		const ReadColumn *column = &reader->column[i];
		NullableDatum *arg = &fcinfo->args[column->arg];

		if (at == reader->told && column->length > 0)
		{
			at += reader->known;
			x += (size_t) reader->known * DPEM_BLOCK_STRIDE;
		}
		/* read first: what comes before says nothing about whether this one is */
		if (column->form == FORM_ONE_HOT)
			kept = read_one_hot(column, arg, x) && kept;
		else if (arg->isnull)
			kept = read_unknown(column, at, reader->unknown, x) && kept;
		else
			kept = read_column(column, reader->classes, arg->value, x, label) && kept;
		at += column->length;
		x += (size_t) column->length * DPEM_BLOCK_STRIDE;
	}
	return kept;
}

int
dpem_column_reader_group(const DpemColumnReader *reader, FunctionCallInfo fcinfo)
{
	const NullableDatum *arg = &fcinfo->args[reader->group_arg];
	int32		group;

	if (reader->groups == 0)
		return 0;
	group = arg->isnull ? 0 : DatumGetInt32(arg->value);
	return group >= 1 && group <= reader->groups ? group - 1 : -1;
}

bool
dpem_column_reader_draws(const DpemColumnReader *reader)
{
	return reader->draw_arg > 0;
}

/* the first 48 bits of a random uuid are all random */
uint64
dpem_column_reader_draw(const DpemColumnReader *reader, FunctionCallInfo fcinfo)
{
	const NullableDatum *arg = &fcinfo->args[reader->draw_arg];
	uint64		number = 0;

	if (reader->draw_arg == 0 || arg->isnull)
		return 0;
	for (int i = 0; i < 6; i++)
		number = number << 8 | DatumGetUUIDP(arg->value)->data[i];
	return number;
}

bool
dpem_column_reader_read(DpemColumnReader *reader, FunctionCallInfo fcinfo, double *x, double *label)
{
	return reader->all_float8 ? read_float8s(reader, fcinfo, reader->n, x) : read_any(reader, fcinfo, x, label);
}
