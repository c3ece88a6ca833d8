/*
 * unit_path.c - the text of a path; see unit_path.h.
 */
#include "postgres.h"

#include <ctype.h>

#include "catalog/namespace.h"
#include "lib/stringinfo.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"
#include "utils/varlena.h"

#include "registry/unit_path.h"

#define MOST_STEPS 8

/* at an unquoted `end`, or at the text's own end */
static const char *
find_end(const char *text, const char *end)
{
	bool		quoted = false;

	for (; *text != '\0'; text++)
	{
		if (*text == '"')
			quoted = !quoted;
		if (!quoted && strncmp(text, end, strlen(end)) == 0)
			return text;
	}
	return text;
}

/* the names of `a.b.c`, quoted or not; NIL if it is no such thing */
static List *
names_in(const char *text, const char *end)
{
	char	   *copy = pnstrdup(text, end - text);
	List	   *names = NIL;

	while (isspace((unsigned char) *copy))
		copy++;
	for (char *last = copy + strlen(copy); last > copy && isspace((unsigned char) last[-1]);)
		*--last = '\0';
	return *copy != '\0' && SplitIdentifierString(copy, '.', &names) ? names : NIL;
}

static DpemUnitStep *
make_step(char *column, List *target)
{
	DpemUnitStep *step = palloc0(sizeof(DpemUnitStep));

	step->column = column;
	step->table = psprintf("%s.%s", quote_identifier(linitial(target)), quote_identifier(lsecond(target)));
	step->schema = linitial(target);
	step->name = lsecond(target);
	step->key = lthird(target);
	return step;
}

/* `column -> schema.table.key` */
static DpemUnitStep *
parse_step(const char *text, const char *end)
{
	const char *arrow = find_end(text, "->");
	List	   *column;
	List	   *target;

	if (arrow >= end)
		return NULL;
	column = names_in(text, arrow);
	target = names_in(arrow + strlen("->"), end);
	return list_length(column) == 1 && list_length(target) == 3 ? make_step(linitial(column), target) : NULL;
}

static List *
parse_steps(const char *text)
{
	List	   *steps = NIL;

	for (;; text++)
	{
		const char *end = find_end(text, ",");
		DpemUnitStep *step = parse_step(text, end);

		if (step == NULL || list_length(steps) == MOST_STEPS)
			return NIL;
		steps = lappend(steps, step);
		text = end;
		if (*end == '\0')
			return steps;
	}
}

static char *
write_steps(List *steps)
{
	StringInfoData out;
	ListCell   *cell;

	initStringInfo(&out);
	foreach(cell, steps)
	{
		const DpemUnitStep *step = lfirst(cell);

		appendStringInfoString(&out, foreach_current_index(cell) > 0 ? ", " : "");
		if (step->column != NULL)
			appendStringInfo(&out, "%s -> ", quote_identifier(step->column));
		appendStringInfo(&out, "%s.%s", step->table, quote_identifier(step->key));
	}
	return out.data;
}

static DpemUnitPath *
read_path(const char *text)
{
	DpemUnitPath *path = palloc0(sizeof(DpemUnitPath));
	List	   *itself = names_in(text, text + strlen(text));
	const DpemUnitStep *last;
	const bool	quote_all = quote_all_identifiers;

	/* the ledger knows persons by this text: it may not depend on the session */
	quote_all_identifiers = false;
	path->steps = *find_end(text, "->") != '\0' ? parse_steps(text)
		: list_length(itself) == 3 ? list_make1(make_step(NULL, itself)) : NIL;
	if (path->steps != NIL)
	{
		last = llast(path->steps);
		path->text = write_steps(path->steps);
		path->person = psprintf("%s.%s", last->table, quote_identifier(last->key));
	}
	quote_all_identifiers = quote_all;
	return path->steps != NIL ? path : NULL;
}

DpemUnitPath *
dpem_unit_path_parse(const char *text)
{
	DpemUnitPath *path = read_path(text);
	ListCell   *cell;

	foreach(cell, path ? path->steps : NIL)
	{
		DpemUnitStep *step = lfirst(cell);

		step->relation = RangeVarGetRelid(makeRangeVar(step->schema, step->name, -1), NoLock, true);
	}
	return path;
}

/* whoever asks need not have a right to the schemas */
DpemUnitPath *
dpem_unit_path_restore(const char *text, const char *relations)
{
	DpemUnitPath *path = read_path(text);
	char	   *rest = unconstify(char *, relations);
	ListCell   *cell;

	if (path == NULL)
		elog(ERROR, "dpem: the catalog has a path that is none");
	foreach(cell, path->steps)
		((DpemUnitStep *) lfirst(cell))->relation = (Oid) strtoul(rest, &rest, 10);
	return path;
}

char *
dpem_unit_path_relations(const DpemUnitPath *path)
{
	StringInfoData out;
	ListCell   *cell;

	initStringInfo(&out);
	foreach(cell, path->steps)
		appendStringInfo(&out, "%s%u", out.len > 0 ? " " : "", ((DpemUnitStep *) lfirst(cell))->relation);
	return out.data;
}

Oid
dpem_unit_path_last(const DpemUnitPath *path, Oid source, const char **column, int *step)
{
	const DpemUnitStep *last = llast(path->steps);
	int			n = list_length(path->steps);

	*column = last->column ? last->column : last->key;
	*step = n - 2;
	return n == 1 ? source : ((DpemUnitStep *) list_nth(path->steps, n - 2))->relation;
}
