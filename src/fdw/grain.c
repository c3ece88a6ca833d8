/*
 * grain.c - where an expression of a column of integers, dates or times may change.
 *
 * What extract, to_char and the like say of a time depends on the clock's day, hour or minute alone.
 * A clock is the column and an offset from UTC, which a time zone changes at known instants (IANA's
 * table, as the server has it): between two of these, the clock's days, hours and minutes are the column's,
 * shifted.  So the places where anything can change are known without computing the expression.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "fdw/grain.h"

static const char *const days[] = {"day", "dow", "isodow", "doy", "week", "month", "quarter", "year", "isoyear", "decade", "century", "millennium"};
static const char *const hours[] = {"hour"};
static const char *const minutes[] = {"minute"};

/* what to_char writes of a time of day */
static const char *const hour_pictures[] = {"HH", "AM", "PM", "A.M.", "P.M."};
static const char *const fine_pictures[] = {"SS", "MS", "US", "FF"};

/* ---- units ---- */

static bool
is_among(const char *word, const char *const *known, int n)
{
	for (int i = 0; i < n; i++)
	{
		if (pg_strcasecmp(word, known[i]) == 0)
			return true;
	}
	return false;
}

/* 0: none */
static int64
unit_of_field(const char *field)
{
	return is_among(field, days, lengthof(days)) ? USECS_PER_DAY : is_among(field, hours, lengthof(hours)) ? USECS_PER_HOUR
		: is_among(field, minutes, lengthof(minutes)) ? USECS_PER_MINUTE : 0;
}

static bool
contains(const char *picture, const char *const *words, int n)
{
	for (int i = 0; i < n; i++)
	{
		if (strstr(picture, words[i]) != NULL)
			return true;
	}
	return false;
}

/* letters in quotes count, too: that makes the unit smaller than it could be */
static int64
unit_of_picture(const char *text)
{
	char	   *picture = pstrdup(text);

	for (char *c = picture; *c != '\0'; c++)
		*c = pg_ascii_toupper((unsigned char) *c);
	if (contains(picture, fine_pictures, lengthof(fine_pictures)))
		return 0;
	if (strstr(picture, "MI") != NULL)
		return USECS_PER_MINUTE;
	return contains(picture, hour_pictures, lengthof(hour_pictures)) ? USECS_PER_HOUR : USECS_PER_DAY;
}

/* ---- clocks ---- */

static Node *
bare(Node *node)
{
	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

/* the clock goes by this zone; one whose offset changes is the last of them */
static bool
enter_zone(DpemClock *clock, pg_tz *zone)
{
	long		offset;

	if (zone == NULL || clock->zone != NULL)
		return false;
	if (pg_get_timezone_offset(zone, &offset))
		clock->shift += offset * USECS_PER_SEC;
	else
		clock->zone = zone;
	return true;
}

/* from a zone's clock back to the instant: known where its offset never changes */
static bool
leave_zone(DpemClock *clock, pg_tz *zone)
{
	long		offset;

	if (zone == NULL || clock->zone != NULL || !pg_get_timezone_offset(zone, &offset))
		return false;
	clock->shift -= offset * USECS_PER_SEC;
	return true;
}

/* abbreviations that are no zones by themselves are not looked up */
static pg_tz *
zone_named(Node *node)
{
	char	   *name = dpem_constant_text(node);

	return name == NULL || strlen(name) > TZ_STRLEN_MAX ? NULL : pg_tzset(name);
}

/* the clock that a node of type timestamp shows, or the instant that one of type timestamptz is */
static bool
read_clock(const DpemPrivateTable *table, Node *node, DpemClock *clock, bool *named)
{
	const FuncExpr *call;

	node = bare(node);
	if (IsA(node, Var))
		return dpem_private_column(table, node) != NULL;
	if (!IsA(node, FuncExpr))
		return false;
	call = (const FuncExpr *) node;
	switch (call->funcid)
	{
		case F_TIMEZONE_TEXT_TIMESTAMPTZ:
			*named = true;
			return read_clock(table, lsecond(call->args), clock, named) && enter_zone(clock, zone_named(linitial(call->args)));
		case F_TIMEZONE_TEXT_TIMESTAMP:
			*named = true;
			return read_clock(table, lsecond(call->args), clock, named) && leave_zone(clock, zone_named(linitial(call->args)));
		case F_TIMESTAMP_TIMESTAMPTZ:
			return read_clock(table, linitial(call->args), clock, named) && enter_zone(clock, session_timezone);
		case F_TIMESTAMPTZ_TIMESTAMP:
			return read_clock(table, linitial(call->args), clock, named) && leave_zone(clock, session_timezone);
		default:
			return false;
	}
}

/* ---- what reads a clock ---- */

typedef struct Reader
{
	RegProcedure function;
	int			time;			/* argument */
	int			unit;			/* argument that names it: -1: a day */
	bool		picture;
} Reader;

static const Reader readers[] = {
	{F_EXTRACT_TEXT_TIMESTAMP, 1, 0, false}, {F_EXTRACT_TEXT_TIMESTAMPTZ, 1, 0, false},
	{F_DATE_PART_TEXT_TIMESTAMP, 1, 0, false}, {F_DATE_PART_TEXT_TIMESTAMPTZ, 1, 0, false},
	{F_DATE_TRUNC_TEXT_TIMESTAMP, 1, 0, false}, {F_DATE_TRUNC_TEXT_TIMESTAMPTZ, 1, 0, false},
	{F_TO_CHAR_TIMESTAMP_TEXT, 0, 1, true}, {F_TO_CHAR_TIMESTAMPTZ_TEXT, 0, 1, true},
	{F_DATE_TIMESTAMP, 0, -1, false}, {F_DATE_TIMESTAMPTZ, 0, -1, false}
};

static int64
unit_of_call(const Reader *reader, List *arguments)
{
	char	   *word = reader->unit < 0 ? NULL : dpem_constant_text(list_nth(arguments, reader->unit));

	if (reader->unit < 0)
		return USECS_PER_DAY;
	if (word == NULL)
		return 0;
	return reader->picture ? unit_of_picture(word) : unit_of_field(word);
}

/* 1: a clock is read; 0: it is no call that reads one; -1: more finely than is possible */
static int
read_call(const DpemPrivateTable *table, const FuncExpr *call, DpemGrain *grain)
{
	DpemClock	clock = {0};

	for (int i = 0; i < lengthof(readers); i++)
	{
		Node	   *time;

		if (readers[i].function != call->funcid)
			continue;
		time = list_nth(call->args, readers[i].time);
		if (!contain_var_clause(time))
			return 0;
		clock.unit = unit_of_call(&readers[i], call->args);
		if (clock.unit == 0 || !read_clock(table, time, &clock, &grain->named))
			return 0;
		if (exprType(time) == TIMESTAMPTZOID && !enter_zone(&clock, session_timezone))
			return -1;
		if (grain->clocks == DPEM_CLOCKS_MAX)
			return -1;
		grain->clock[grain->clocks++] = clock;
		return 1;
	}
	return 0;
}

typedef struct Search
{
	const DpemPrivateTable *table;
	DpemGrain  *grain;
} Search;

/* true: the column is read in another way than by a clock */
static bool
reads_otherwise(Node *node, void *context)
{
	Search	   *search = context;

	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return true;
	if (IsA(node, FuncExpr))
	{
		int			read = read_call(search->table, (FuncExpr *) node, search->grain);

		if (read != 0)
			return read < 0;
	}
	return expression_tree_walker(node, reads_otherwise, context);
}

/* ---- the whole ---- */

/* of the server's own functions all that are not volatile, also those that follow settings, are computed here; no others */
static bool
is_unknown_function(Oid function, void *context)
{
	return function >= FirstNormalObjectId || func_volatile(function) == PROVOLATILE_VOLATILE;
}

static bool
is_unknown(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param) || IsA(node, SubLink) || IsA(node, SubPlan) || IsA(node, Aggref) || IsA(node, GroupingFunc) || IsA(node, NextValueExpr))
		return true;
	/* whose constraints are functions of anybody's */
	if (IsA(node, CoerceToDomain))
		return true;
	if (check_functions_in_node(node, is_unknown_function, NULL))
		return true;
	return expression_tree_walker(node, is_unknown, context);
}

bool
dpem_grain_of(const DpemPrivateTable *table, Node *expression, DpemGrain *grain)
{
	const DpemColumn *column = dpem_only_column(table, expression);
	Oid			type = dpem_published_type(column);
	Search		search = {table, grain};

	grain->clocks = 0;
	grain->named = false;
	if (is_unknown(expression, NULL))
		return false;
	return (type != TIMESTAMPOID && type != TIMESTAMPTZOID) || !reads_otherwise(expression, &search);
}

/* ---- the next change ---- */

static int64
floor_to(int64 value, int64 unit)
{
	int64		rest = value % unit;

	return value - (rest < 0 ? rest + unit : rest);
}

/* seconds since 1970 in a zone's table, microseconds since 2000 in a column */
#define EPOCH (((int64) POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * SECS_PER_DAY)

/* the zone's offset at an instant, and the next instant at which it changes */
static int64
offset_at(pg_tz *zone, int64 instant, int64 *until)
{
	pg_time_t	seconds = (pg_time_t) (floor_to(instant, USECS_PER_SEC) / USECS_PER_SEC + EPOCH);
	pg_time_t	boundary;
	long		before;
	long		after;
	int			before_dst;
	int			after_dst;

	*until = PG_INT64_MAX;
	switch (pg_next_dst_boundary(&seconds, &before, &before_dst, &boundary, &after, &after_dst, zone))
	{
		case 0:
			return before * USECS_PER_SEC;
		case 1:
			*until = (boundary - EPOCH) * USECS_PER_SEC;
			return before * USECS_PER_SEC;
	}
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("time zone \"%s\" has no offset at a time in the column's domain", pg_get_timezone_name(zone))));
	return 0;					/* not reached */
}

static int64
next_of_clock(const DpemClock *clock, int64 point)
{
	int64		instant = point + clock->shift;
	int64		until = PG_INT64_MAX;
	int64		shown = instant + (clock->zone != NULL ? offset_at(clock->zone, instant, &until) : 0);
	int64		rest = clock->unit - (shown - floor_to(shown, clock->unit));

	/* what never changes has no difference from a time before 2000 that an integer could hold */
	return point + (until < PG_INT64_MAX && until - instant < rest ? until - instant : rest);
}

int64
dpem_grain_next(const DpemGrain *grain, int64 point)
{
	int64		next = grain->clocks == 0 ? point + 1 : PG_INT64_MAX;

	for (int i = 0; i < grain->clocks; i++)
		next = Min(next, next_of_clock(&grain->clock[i], point));
	return next;
}
