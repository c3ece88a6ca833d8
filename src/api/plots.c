/*
 * plots.c - pictures of released models as SVG: free of charge, for whoever may read them.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "storage/shmem.h"
#include "utils/builtins.h"

#include "api/plot_batches.h"
#include "api/plot_lists.h"
#include "fit/family.h"
#include "fit/plot.h"
#include "server/argument_list.h"
#include "server/as_owner.h"

PG_FUNCTION_INFO_V1(dp_plot);

static void
append(void *to, const char *text, size_t n)
{
	appendBinaryStringInfo((StringInfo) to, text, (int) n);
}

void
dpem_plot_start(DpemPlot *plot)
{
	initStringInfo(&plot->text);
	plot->svg = (DpemSvg){append, &plot->text};
}

text *
dpem_plot_finish(const DpemPlot *plot)
{
	return cstring_to_text(pg_any_to_server(plot->text.data, plot->text.len, PG_UTF8));
}

const char *
dpem_plot_utf8(const char *name)
{
	return pg_server_to_any(name, strlen(name), PG_UTF8);
}

static double
number_of(uint64 row, int column)
{
	bool		isnull;
	Datum		value = dpem_spi_datum(row, column, &isnull);

	return isnull ? NAN : DatumGetFloat8(value);
}

/* the fields of the last query's rows, in the given memory context */
static DpemPlotRows
take_rows(uint64 n, bool named, int fields, MemoryContext where)
{
	MemoryContext old = MemoryContextSwitchTo(where);
	DpemPlotRows rows = {.n = (int) n};

	rows.number = palloc(mul_size(n, fields * sizeof(double)));
	if (named)
		rows.name = palloc(mul_size(n, sizeof(char *)));
	for (uint64 i = 0; i < n; i++)
	{
		/* a model that came as a document may leave out what others have */
		const char *name = named ? dpem_spi_text(i, 1, where) : NULL;

		if (named)
			rows.name[i] = dpem_plot_utf8(name ? name : "");
		for (int j = 0; j < fields; j++)
			rows.number[i * fields + j] = number_of(i, j + (named ? 2 : 1));
	}
	MemoryContextSwitchTo(old);
	return rows;
}

DpemPlotRows
dpem_plot_rows(const char *sql, int nargs, const char *const *args, bool named, int fields)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {TEXTOID, TEXTOID, TEXTOID};
	Datum		values[lengthof(types)];
	DpemIdentity saved;
	DpemPlotRows rows;
	uint64		n;

	Assert(nargs <= lengthof(types));
	for (int i = 0; i < nargs; i++)
		values[i] = CStringGetTextDatum(args[i]);
	dpem_caller_enter(&saved);
	n = dpem_spi_query(sql, nargs, types, values, NULL, true, SPI_OK_SELECT);
	rows = take_rows(n, named, fields, caller);
	dpem_owner_leave(&saved);
	return rows;
}

const char *
dpem_plot_subtitle(const char *title, const char *model)
{
	DpemPlotRows row = dpem_plot_rows("SELECT dataset, epsilon, delta FROM dpem.models WHERE model = $1",
									  1, &model, true, 2);
	char	   *result;

	if (row.n != 1)
		elog(ERROR, "dpem: a model that is not in dpem.models");
	result = psprintf("%s fitted to %s with epsilon %g and delta %g", title, row.name[0],
					  row.number[0], row.number[1]);
	result[0] = pg_toupper((unsigned char) result[0]);
	return result;
}

/* takes the model's `position`-th coordinate, from 0, from the rows of the last query for the picture's `axis`-th */
static void
take_column(DpemPlot *plot, int axis, uint64 position, MemoryContext where)
{
	plot->column[axis] = dpem_spi_text(position, 1, where);
	plot->scale[axis] = dpem_scale_from_name(dpem_spi_text(position, 4, where));
	plot->lower[axis] = dpem_scale_apply(plot->scale[axis], dpem_spi_float8(position, 2));
	plot->upper[axis] = dpem_scale_apply(plot->scale[axis], dpem_spi_float8(position, 3));
}

/* the position of the column of that name */
static uint64
find_column(const DpemPlot *plot, const char *argument, const char *name)
{
	for (uint64 i = 0; i < plot->d; i++)
	{
		if (strcmp(dpem_spi_text(i, 1, CurrentMemoryContext), name) == 0)
			return i;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s must be a column of model \"%s\", not \"%s\"", argument, plot->model, name),
			 errhint("Its columns are in dpem.model_columns.")));
}

/* the same, or where that name is NULL the position `otherwise` */
static uint64
column_or(const DpemPlot *plot, const char *argument, const char *name, uint64 otherwise)
{
	return name != NULL ? find_column(plot, argument, name) : otherwise;
}

/* x and y as they were given; no x: the first one or two columns; x alone: this one */
static void
load_columns(DpemPlot *plot, const char *x, const char *y)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {TEXTOID};
	Datum		values[] = {CStringGetTextDatum(plot->model)};
	DpemIdentity saved;
	uint64		first;

	dpem_caller_enter(&saved);
	plot->d = (int) dpem_spi_query("SELECT column_name, lower, upper, scale FROM dpem.model_columns WHERE model = $1 ORDER BY position",
								   1, types, values, NULL, true, SPI_OK_SELECT);
	plot->columns = (x == NULL ? plot->d > 1 : y != NULL) ? 2 : 1;
	first = column_or(plot, "x", x, 0);
	take_column(plot, 0, first, caller);
	take_column(plot, 1, column_or(plot, "y", y, x == NULL ? plot->columns - 1 : first), caller);
	dpem_owner_leave(&saved);
}

static void
choose_columns(DpemPlot *plot, const char *x, const char *y)
{
	if (x == NULL && y != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("x must be given where y is"),
				 errhint("dp_plot(model, column) draws one column, dp_plot(model, x, y) two.")));
	load_columns(plot, x, y);
	if (plot->columns == 2 && strcmp(plot->column[0], plot->column[1]) == 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("y must be another column than x, not \"%s\"", y),
						errhint("dp_plot(model, column) draws one column.")));
	for (int i = 0; i < 2; i++)
		plot->axis[i] = dpem_plot_utf8(plot->column[i]);
}

/* of a family that has no picture in a plane of columns: the one that it has, or of what it learnt online; refuses other columns, and families without any */
static Datum
draw_list(FunctionCallInfo fcinfo, const DpemFamily *family, const char *model)
{
	static const PGFunction draw[DPEM_PICTURES] = {
		[DPEM_PICTURE_LOADINGS] = dp_plot_loadings,[DPEM_PICTURE_COEFFICIENTS] = dp_plot_coefficients,
		[DPEM_PICTURE_TOPICS] = dp_plot_topics
	};
	text	   *batches = PG_ARGISNULL(2) ? dpem_plot_batches(family, model, dpem_optional_text(fcinfo, 1)) : NULL;
	int			kind = 0;

	if (batches != NULL)
		PG_RETURN_TEXT_P(batches);
	while (kind < DPEM_PICTURES && family->picture[kind].sql == NULL)
		kind++;
	if (kind == DPEM_PICTURES)
		ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
						errmsg("model \"%s\" is %s, which has no dp_plot", model, family->title),
						errhint("Its numbers are in views of schema dpem.")));
	if (!PG_ARGISNULL(1) || !PG_ARGISNULL(2))
		ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
						errmsg("model \"%s\" is %s, which has no picture in a plane of columns", model, family->title),
						errhint("dp_plot(%s) draws it.", quote_literal_cstr(model))));
	return draw[kind] (fcinfo);
}

/*
 * dp_plot(model text, x text, y text): SVG; x and y NULL: the first two columns, or of a family without a plane its own
 * picture; y NULL: x alone; of an additive model the shape of x, or of a pair; of one that learnt online x batch by batch
 */
Datum
dp_plot(PG_FUNCTION_ARGS)
{
	DpemPlot	plot = {.model = dpem_text_argument(fcinfo, 0, "model")};
	const DpemFamily *family = dpem_model_family(plot.model);

	if (family->use.plot == NULL && family->use.draw == NULL)
		return draw_list(fcinfo, family, plot.model);
	if (family->use.plot != NULL)
		choose_columns(&plot, dpem_optional_text(fcinfo, 1), dpem_optional_text(fcinfo, 2));
	plot.caption.name = dpem_plot_utf8(plot.model);
	plot.caption.subtitle = dpem_plot_subtitle(family->title, plot.model);
	dpem_plot_start(&plot);
	if (family->use.draw != NULL)
		family->use.draw(&plot, dpem_optional_text(fcinfo, 1), dpem_optional_text(fcinfo, 2));
	else
		family->use.plot(&plot);
	PG_RETURN_TEXT_P(dpem_plot_finish(&plot));
}
