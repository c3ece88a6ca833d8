/*
 * gam_choice.c - pairs of columns: as they are asked for, and which are possible.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "core/gam/gam_pairs.h"
#include "core/gam/gam_rules.h"
#include "core/gam/gam_shape.h"
#include "families/gam/gam.h"
#include "fit/fit_arguments.h"
#include "server/fit_memory.h"
#include "server/version_shims.h"

/* ---- as they are asked for ---- */

static const char *const hint = "Write the number of pairs that are to be chosen, for instance 5, or name them: '{age:sex,age:income}'.";

pg_noreturn static void
refuse(const char *asked)
{
	dpem_refuse_argument(psprintf("pairs must be a number or names of pairs, not \"%s\"", asked), hint);
}

/* the name up to the next comma outside of double quotes, which are left out, or to the end; *at: after it */
static char *
next_name(const char **at, const char *end, const char *asked)
{
	StringInfoData name;
	bool		quoted = false;

	initStringInfo(&name);
	for (; *at < end && (quoted || **at != ','); (*at)++)
	{
		if (**at == '"')
			quoted = !quoted;
		else
			appendStringInfoChar(&name, **at);
	}
	if (quoted || name.len == 0)
		refuse(asked);
	return name.data;
}

/* one after the other with commas between them; there may be braces around all */
static List *
names_of(const char *asked)
{
	const char *at = asked + strspn(asked, " ");
	const char *end = asked + strlen(asked);
	List	   *list = NIL;

	while (end > at && end[-1] == ' ')
		end--;
	if ((*at == '{') != (end > at && end[-1] == '}'))
		refuse(asked);
	if (*at == '{')
		at++, end--;
	do
	{
		list = lappend(list, next_name(&at, end, asked));
	}
	while (at++ < end);
	return list;
}

/* text that is a number, as an untyped literal or parameter may be, or names, which *names then has; returns how many */
static int64
read_text(const char *asked, List **names)
{
	char	   *end;
	long		number = strtol(asked, &end, 10);

	if (end != asked && end[strspn(end, " ")] == '\0')
		return number;
	*names = names_of(asked);
	return list_length(*names);
}

/* the same of the argument, in whatever type it is given */
static int64
read_number(const DpemArguments *arguments, List **names)
{
	Oid			type;
	Datum		asked = dpem_named_datum(arguments, "pairs", &type);

	switch (OidIsValid(type) ? getBaseType(type) : InvalidOid)
	{
		case INT2OID:
			return DatumGetInt16(asked);
		case INT4OID:
			return DatumGetInt32(asked);
		case INT8OID:
			return DatumGetInt64(asked);
		case TEXTOID:
		case VARCHAROID:
			return read_text(dpem_named_text(arguments, "pairs"), names);
		case TEXTARRAYOID:
			*names = dpem_named_text_list(arguments, "pairs");
			return list_length(*names);
		default:
			dpem_refuse_argument(psprintf("pairs must be a number or names of pairs, not of type %s", format_type_be(type)), hint);
	}
}

void
dpem_gam_read_pairs(const DpemArguments *arguments, DpemGamRequest *request)
{
	int64		number;

	if (!dpem_is_given(arguments, "pairs"))
		return;
	number = read_number(arguments, &request->pair);
	if (number < 0 || number > DPEM_GAM_MAX_COLUMNS)
		dpem_fit_bad_argument("pairs", psprintf(INT64_FORMAT, number), psprintf("between 0 and %d", DPEM_GAM_MAX_COLUMNS));
	request->pairs = (int) number;
}

/* ---- which are possible ---- */

/* the column of that name, without what surrounds it; -1: there is none */
static int
find_column(const DpemGamPlan *plan, const char *name, int length)
{
	while (length > 0 && name[0] == ' ')
		name++, length--;
	while (length > 0 && name[length - 1] == ' ')
		length--;
	for (int c = 0; c < plan->shape.columns; c++)
		if ((int) strlen(plan->column[c]->name) == length && strncmp(plan->column[c]->name, name, length) == 0)
			return c;
	return -1;
}

/* two columns with a colon between them, which names may have, too */
static DpemGamPair
pair_of(const DpemGamPlan *plan, const char *name)
{
	for (const char *colon = strchr(name, ':'); colon != NULL; colon = strchr(colon + 1, ':'))
	{
		int			one = find_column(plan, name, colon - name);
		int			other = find_column(plan, colon + 1, strlen(colon + 1));

		if (one >= 0 && other >= 0 && one != other)
			return (DpemGamPair) {Min(one, other), Max(one, other)};
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("\"%s\" is no pair of this model's columns", name),
			 plan->shape.columns > 1 ? errhint("Name two of its columns, for instance '%s:%s'.", plan->column[0]->name, plan->column[1]->name)
			 : errhint("Its only column is %s.", plan->column[0]->name)));
}

static const DpemGamPair *
named_pairs(const DpemGamPlan *plan, List *names)
{
	DpemGamPair *pair = palloc(list_length(names) * sizeof(DpemGamPair));

	for (int q = 0; q < list_length(names); q++)
	{
		pair[q] = pair_of(plan, list_nth(names, q));
		for (int e = 0; e < q; e++)
			if (pair[e].first == pair[q].first && pair[e].second == pair[q].second)
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("pair \"%s\" is named twice", (char *) list_nth(names, q)),
						 errhint("Name each pair once, in either order.")));
	}
	return pair;
}

int *
dpem_gam_offsets(const DpemGamShape *shape)
{
	int			terms = dpem_gam_terms(shape);
	int		   *offset = palloc0((terms + 1) * sizeof(int));

	for (int c = 0; c < terms; c++)
		offset[c + 1] = offset[c] + dpem_gam_term_cells(shape, c);
	return offset;
}

DpemGamShape
dpem_gam_with_pairs(const DpemGamShape *mains, const DpemGamPair *pair, int n, int parts, const double *count)
{
	DpemGamShape shape = *mains;
	DpemGamColumn *column = palloc(mains->columns * sizeof(DpemGamColumn));
	double	   *part = dpem_fit_allocate(dpem_gam_main_cells(mains));

	for (int c = 0; c < mains->columns; c++)
	{
		column[c] = mains->column[c];
		column[c].parts = dpem_gam_parts(&column[c], parts);
	}
	shape.column = column;
	shape.pairs = n;
	shape.pair = pair;
	shape.part = part;
	if (count != NULL)
		dpem_gam_divide(&shape, count, part);
	return shape;
}

static const DpemGamPair *
all_pairs(int columns)
{
	DpemGamPair *pair = palloc(columns * (columns - 1) / 2 * sizeof(DpemGamPair));
	int			n = 0;

	for (int c = 0; c < columns; c++)
		for (int e = c + 1; e < columns; e++)
			pair[n++] = (DpemGamPair) {c, e};
	return pair;
}

/* cells of the n largest of the shape's pairs */
static int
most_cells(const DpemGamShape *shape, int n)
{
	double	   *cells = palloc(shape->pairs * sizeof(double));
	int		   *place = palloc(n * sizeof(int));
	int			sum = 0;

	for (int q = 0; q < shape->pairs; q++)
		cells[q] = dpem_gam_term_cells(shape, shape->columns + q);
	dpem_gam_best_pairs(cells, shape->pairs, n, place);
	for (int i = 0; i < n; i++)
		sum += cells[place[i]];
	return sum;
}

static void
plan_choice(DpemGamPlan *plan)
{
	int			columns = plan->shape.columns;
	int			possible = columns * (columns - 1) / 2;

	if (plan->pairs > possible)
		dpem_fit_bad_argument("pairs", psprintf("%d", plan->pairs), psprintf("at most %d for %d columns", possible, columns));
	if (possible > DPEM_GAM_MAX_COLUMNS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("pairs are chosen among at most %d, not the %d of %d columns", DPEM_GAM_MAX_COLUMNS, possible, columns),
				 errhint("Name the pairs, or fewer columns.")));
	plan->choice = dpem_gam_with_pairs(&plan->shape, all_pairs(columns), possible, dpem_gam_rules.choice_parts, NULL);
	if (dpem_gam_cells(&plan->choice) > DPEM_GAM_MAX_ALL_CELLS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("pairs are chosen among at most %d cells, not %d", DPEM_GAM_MAX_ALL_CELLS, dpem_gam_cells(&plan->choice)),
				 errhint("Name the pairs, or fewer columns.")));
}

void
dpem_gam_plan_pairs(DpemGamPlan *plan)
{
	const DpemGamRequest *request = (const DpemGamRequest *) plan->fit.request;
	DpemGamShape shape;

	plan->choice = plan->shape;
	plan->pairs = request->pairs;
	if (plan->pairs == 0)
		return;
	if (request->pair != NIL)
		plan->pair = named_pairs(plan, request->pair);
	else
		plan_choice(plan);
	shape = dpem_gam_with_pairs(&plan->shape, plan->pair ? plan->pair : plan->choice.pair, plan->pair ? plan->pairs : plan->choice.pairs,
								dpem_gam_rules.pair_parts, NULL);
	plan->most = plan->n + most_cells(&shape, plan->pairs);
}
