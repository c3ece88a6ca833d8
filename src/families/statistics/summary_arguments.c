/*
 * summary_arguments.c - what dp_describe, dp_statistics and dp_quantiles are asked for.
 */
#include "postgres.h"

#include "families/statistics/statistics.h"
#include "families/statistics/summary_request.h"
#include "fit/fit_arguments.h"
#include "server/arguments.h"
#include "server/version_shims.h"

#define STATISTICS "count, count(column), missing(column), sum(column), avg(column), variance(column), stddev(column), median(column), quantile(column, q), iqr(column), trimmed_mean(column, share), winsorised_mean(column, share) or categories(column)"
#define MOST_WISHES 1000

static void
add_column(DpemSummaryRequest *r, char *name)
{
	ListCell   *cell;

	foreach(cell, r->fit.bind.columns)
	{
		if (strcmp(lfirst(cell), name) == 0)
			return;
	}
	r->fit.bind.columns = lappend(r->fit.bind.columns, name);
}

static void
add_wish(DpemSummaryRequest *r, DpemWish wish)
{
	DpemWish   *copy = palloc(sizeof(DpemWish));

	if (wish.column != NULL)
		add_column(r, wish.column);
	if (list_length(r->wishes) >= MOST_WISHES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("a call releases at most %d statistics", MOST_WISHES),
				 errhint("Name fewer columns or statistics.")));
	*copy = wish;
	r->wishes = lappend(r->wishes, copy);
}

static void
check_level(double level)
{
	if (!(level > 0 && level < 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a quantile must be above 0 and below 1, not %g", level), errhint("0.5 is the median.")));
}

/* ---- statistics as text ---- */

pg_noreturn static void
refuse(const char *text)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("\"%s\" is not a statistic", text),
			 errhint("Statistics are " STATISTICS ".")));
}

/* without spaces around it, nor quotes */
static char *
trimmed(const char *start, const char *end)
{
	while (start < end && *start == ' ')
		start++;
	while (end > start && end[-1] == ' ')
		end--;
	if (end - start >= 2 && *start == '"' && end[-1] == '"')
		return pnstrdup(start + 1, end - start - 2);
	return pnstrdup(start, end - start);
}

/* of the rows at either end of a trimmed or winsorised mean */
static void
check_share(double share)
{
	if (!(share > 0 && share < 0.5))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a trimmed share must be above 0 and below 0.5, not %g", share), errhint("It is that of the rows at either end, such as 0.1.")));
}

/* the q of quantile(column, q), which ends what is before *end */
static double
take_number(const char *text, const char *start, const char **end)
{
	const char *comma = *end;
	double		level;
	char	   *stop;

	while (comma > start && *comma != ',')
		comma--;
	if (*comma != ',')
		refuse(text);
	level = strtod(comma + 1, &stop);
	if (stop == comma + 1 || strspn(stop, " ") != (size_t) (*end - stop))
		refuse(text);
	*end = comma;
	return level;
}

static bool
set_kind(const char *name, DpemWish *wish)
{
	static const struct
	{
		const char *name;
		DpemWishKind kind;
	}			kinds[] = {{"count", DPEM_WISH_KNOWN}, {"missing", DPEM_WISH_MISSING}, {"median", DPEM_WISH_QUANTILE},
						   {"quantile", DPEM_WISH_QUANTILE}, {"iqr", DPEM_WISH_RANGE}, {"trimmed_mean", DPEM_WISH_TRIMMED},
						   {"winsorised_mean", DPEM_WISH_WINSORISED}, {"categories", DPEM_WISH_CATEGORIES}};

	for (int i = 0; i < lengthof(kinds); i++)
	{
		wish->kind = kinds[i].kind;
		if (strcmp(name, kinds[i].name) == 0)
			return true;
	}
	wish->kind = DPEM_WISH_STATISTIC;
	wish->statistic = dpem_statistic_from_name(name);
	return wish->statistic != NULL && wish->statistic->columns == 1;
}

static void
take_level(const char *text, const char *name, const char *start, const char **end, DpemWish *wish)
{
	if (wish->kind == DPEM_WISH_RANGE)
		wish->level = 0.25;
	if (strcmp(name, "quantile") == 0)
	{
		wish->level = take_number(text, start, end);
		check_level(wish->level);
	}
	if (wish->kind == DPEM_WISH_TRIMMED || wish->kind == DPEM_WISH_WINSORISED)
	{
		wish->level = take_number(text, start, end);
		check_share(wish->level);
	}
}

static DpemWish
parse(char *text)
{
	const char *open = strchr(text, '(');
	const char *end = strrchr(text, ')');
	DpemWish	wish = {.kind = DPEM_WISH_ROWS,.name = text,.level = 0.5};
	char	   *name = trimmed(text, open ? open : text + strlen(text));

	if (open == NULL && strcmp(name, "count") == 0)
		return wish;
	if (open == NULL || end == NULL || end < open || strspn(end + 1, " ") != strlen(end + 1) || !set_kind(name, &wish))
		refuse(text);
	take_level(text, name, open + 1, &end, &wish);
	wish.column = trimmed(open + 1, end);
	if (wish.column[0] == '\0')
		refuse(text);
	/* as SQL counts rows; "*" in quotes is a column */
	if (wish.kind == DPEM_WISH_KNOWN && strcmp(wish.column, "*") == 0 && open[1 + strspn(open + 1, " ")] == '*')
		return (DpemWish) {.kind = DPEM_WISH_ROWS,.name = "count",.level = 0.5};
	return wish;
}

void
dpem_summary_read_statistics(const DpemArguments *a, DpemSummaryRequest *r)
{
	List	   *texts = dpem_named_text_list(a, "statistics");
	ListCell   *cell;

	if (texts == NIL)
		dpem_refuse_argument("statistics must not be empty", "For example '{count, avg(age)}'.");
	foreach(cell, texts)
		add_wish(r, parse(lfirst(cell)));
}

/* ---- descriptions ---- */

static void
describe_number(DpemSummaryRequest *r, char *name)
{
	static const double levels[] = {0.25, 0.5, 0.75};
	static const char *const names[] = {"quartile_1", "median", "quartile_3"};

	add_wish(r, (DpemWish) {.kind = DPEM_WISH_MISSING,.name = "missing",.column = name});
	add_wish(r, (DpemWish) {DPEM_WISH_STATISTIC, "mean", name, dpem_statistic_from_name("avg"), 0});
	add_wish(r, (DpemWish) {DPEM_WISH_STATISTIC, "stddev", name, dpem_statistic_from_name("stddev"), 0});
	for (int i = 0; i < lengthof(levels); i++)
		add_wish(r, (DpemWish) {DPEM_WISH_QUANTILE, names[i], name, NULL, levels[i]});
}

static bool
is_described(const DpemSummaryRequest *r, const DpemColumn *column, List *wanted)
{
	ListCell   *cell;

	if (wanted == NIL)
		return (column->kind == DPEM_COLUMN_NUMBER || column->kind == DPEM_COLUMN_LABEL) &&
			(r->fit.bind.by == NULL || strcmp(r->fit.bind.by, column->name) != 0);
	foreach(cell, wanted)
	{
		if (strcmp(lfirst(cell), column->name) == 0)
			return true;
	}
	return false;
}

static void
describe_column(DpemSummaryRequest *r, const DpemColumn *column)
{
	if (column->kind == DPEM_COLUMN_NUMBER)
		describe_number(r, column->name);
	else if (column->kind == DPEM_COLUMN_LABEL)
	{
		add_wish(r, (DpemWish) {.kind = DPEM_WISH_MISSING,.name = "missing",.column = column->name});
		add_wish(r, (DpemWish) {.kind = DPEM_WISH_CATEGORIES,.name = "count",.column = column->name});
	}
	else
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" is neither a number nor a label", column->name),
				 errhint("Leave it out of columns.")));
}

void
dpem_summary_read_description(const DpemArguments *a, DpemSummaryRequest *r)
{
	const DpemDataset *dataset = dpem_dataset_load(r->fit.dataset);
	List	   *registered = dpem_dataset_registered(dataset);
	List	   *wanted = r->fit.bind.columns;
	ListCell   *cell;

	foreach(cell, wanted)
		(void) dpem_dataset_find_registered(dataset, registered, lfirst(cell));
	r->apart = true;
	r->clamp = dpem_statistic_is_clamped(a);
	r->fit.bind.columns = NIL;
	add_wish(r, (DpemWish) {.kind = DPEM_WISH_ROWS,.name = "rows"});
	foreach(cell, registered)
	{
		if (is_described(r, lfirst(cell), wanted))
			describe_column(r, lfirst(cell));
	}
}

/* ---- quantiles ---- */

static DpemSummaryWay
way_argument(const DpemArguments *a)
{
	char	   *mechanism = dpem_optional_named_text(a, "mechanism", true);

	if (mechanism == NULL)
		return DPEM_BY_THE_BETTER;
	if (strcmp(mechanism, "gaussian") != 0 && strcmp(mechanism, "exponential") != 0)
		dpem_fit_bad_argument("mechanism", mechanism, "gaussian (counts, with intervals) or exponential (choices)");
	return strcmp(mechanism, "gaussian") == 0 ? DPEM_BY_COUNTS : DPEM_BY_CHOICES;
}

void
dpem_summary_read_quantiles(const DpemArguments *a, DpemSummaryRequest *r)
{
	int			n;
	double	   *levels = dpem_named_float8_array(a, "quantiles", &n);
	char	   *column = dpem_named_text(a, "column_name");

	r->way = way_argument(a);
	if (levels == NULL || n == 0)
		dpem_refuse_argument("quantiles must not be empty", "The quartiles are '{0.25,0.5,0.75}'.");
	for (int i = 0; i < n; i++)
	{
		check_level(levels[i]);
		add_wish(r, (DpemWish) {DPEM_WISH_QUANTILE, psprintf("%g", levels[i]), column, NULL, levels[i]});
	}
}
