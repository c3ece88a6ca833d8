/*
 * binding_rows.c - which rows count, and to which group each belongs: filters,
 * categories and bins, bound to registered columns.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "registry/binding.h"
#include "registry/calendar.h"
#include "registry/source_relations.h"
#include "server/as_owner.h"

#define FILTER_HINT "A filter is column = <> < <= > >= literal, [NOT] BETWEEN, [NOT] IN (...), IS [NOT] NULL on registered columns, or a column of booleans, with AND, OR, NOT and parentheses."

/* ---- filters ---- */

static void
refuse_filter(const char *text, int position, const char *expected)
{
	const char *rest = text + position;
	int			shown = pg_mbcliplen(rest, strlen(rest), 20);

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("filter must have %s at character %d, not %s", expected, pg_mbstrlen_with_len(text, position) + 1,
					shown > 0 ? psprintf("\"%s\"", pnstrdup(rest, shown)) : "its end"),
			 errhint(FILTER_HINT)));
}

/* a date or time is compared as the number that it is read as */
static void
read_calendar(DpemRowFilter *filter, const DpemColumn *column, DpemFilterLiteral *literal)
{
	if (!literal->is_text || !dpem_calendar_read(column->calendar, literal->text, &literal->number))
		refuse_filter(filter->text, literal->position,
					  psprintf("a %s such as '%s', as column \"%s\" is one,", dpem_calendar_name(column->calendar),
							   dpem_calendar_write(column->calendar, column->lower), column->name));
	literal->is_text = false;
}

static void
check_literals(DpemRowFilter *filter, const DpemFilterNode *node)
{
	const DpemColumn *column = &filter->column[node->column];
	bool		text = column->kind == DPEM_COLUMN_LABEL;

	for (int i = 0; i < node->literals; i++)
	{
		DpemFilterLiteral *literal = &filter->parsed.literal[node->literal + i];

		if (!text && column->kind != DPEM_COLUMN_NUMBER)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("filter must not compare column \"%s\", which is neither a number nor a label", column->name),
					 errhint(FILTER_HINT)));
		if (node->alone && column->type != BOOLOID)
			refuse_filter(filter->text, literal->position, psprintf("a comparison, as column \"%s\" is no boolean,", column->name));
		if (OidIsValid(column->calendar))
			read_calendar(filter, column, literal);
		else if (literal->is_text != text)
			refuse_filter(filter->text, literal->position,
						  psprintf("a %s, as column \"%s\" is a %s,", text ? "'string'" : "number", column->name,
								   text ? "label" : "number"));
	}
}

static void
refuse_word(const DpemDataset *ds, const DpemColumn *column, const char *word, char **category, int n)
{
	List	   *words = NIL;

	for (int i = 0; i < n; i++)
		words = lappend(words, category[i]);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("filter compares column \"%s\" with \"%s\", which is none of its categories", column->name, word),
			 errhint("%sThe view dpem.column_categories lists them.", dpem_dataset_did_you_mean(ds, word, words))));
}

/* a filter that no row can match would be paid for all the same */
static void
check_words(const DpemDataset *ds, const DpemRowFilter *filter, const DpemFilterNode *node)
{
	const DpemColumn *column = &filter->column[node->column];
	bool		equality = node->kind == DPEM_FILTER_IN ||
		(node->kind == DPEM_FILTER_COMPARE && (strcmp(node->op, "=") == 0 || strcmp(node->op, "<>") == 0));
	char	  **category;
	int			n;

	/* categories are not for strangers to guess: a charge refuses those */
	if (column->kind != DPEM_COLUMN_LABEL || !equality || !dpem_dataset_is_visible(ds))
		return;
	category = dpem_binding_load_categories(ds, column->name, &n);
	for (int i = 0; i < node->literals; i++)
	{
		const char *word = filter->parsed.literal[node->literal + i].text;
		int			at = 0;

		while (at < n && strcmp(category[at], word) != 0)
			at++;
		if (at == n)
			refuse_word(ds, column, word, category, n);
	}
}

DpemRowFilter *
dpem_binding_parse_filter(const char *text)
{
	DpemRowFilter *filter = palloc0(sizeof(DpemRowFilter));
	DpemFilterError error;

	filter->text = pstrdup(text);
	if (dpem_filter_parse(filter->text, &filter->parsed, &error) != DPEM_OK)
		refuse_filter(text, error.position, error.expected);
	return filter;
}

void
dpem_binding_check_filter(DpemRowFilter *filter)
{
	for (int i = 0; i < filter->parsed.nodes; i++)
	{
		if (filter->parsed.node[i].literals > 0)
			check_literals(filter, &filter->parsed.node[i]);
	}
}

/* capitals of a name that is not in double quotes are lost, as in SQL */
static DpemColumn *
filter_column(const DpemDataset *ds, List *registered, const char *name)
{
	const char *meant = NULL;
	ListCell   *cell;

	foreach(cell, registered)
	{
		const char *known = ((DpemColumn *) lfirst(cell))->name;

		if (strcmp(known, name) == 0)
			return lfirst(cell);
		if (pg_strcasecmp(known, name) == 0)
			meant = known;
	}
	if (meant == NULL || !dpem_dataset_is_visible(ds))
		dpem_dataset_refuse_column(ds, registered, name);
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_COLUMN), errmsg("column \"%s\" is not registered in dataset \"%s\"", name, ds->name),
			 errhint("In a filter, write \"%s\" with the double quotes: capitals without them are read as small letters.", meant)));
}

void
dpem_binding_set_filter(DpemBinding *bound, const char *text)
{
	const DpemDataset *ds = bound->dataset;
	DpemRowFilter *filter = dpem_binding_parse_filter(text);
	List	   *registered = dpem_dataset_registered(ds);

	for (int i = 0; i < filter->parsed.columns; i++)
	{
		filter->column[i] = *filter_column(ds, registered, filter->parsed.column[i].name);
		dpem_binding_check_column(ds, &filter->column[i]);
	}
	for (int i = 0; i < filter->parsed.nodes; i++)
	{
		if (filter->parsed.node[i].literals == 0)
			continue;
		check_literals(filter, &filter->parsed.node[i]);
		check_words(ds, filter, &filter->parsed.node[i]);
	}
	bound->filter = filter;
}

/* ---- holdout ---- */

void
dpem_binding_set_holdout(DpemBinding *bound, const DpemBindingRequest *request)
{
	const DpemDataset *ds = bound->dataset;

	if (ds->unit == NULL && dpem_source_is_distributed(ds->source))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("holdout of dataset \"%s\" needs a unit", ds->name),
				 errdetail("Its source is distributed by Citus, which sends the columns that a fit names and no whole rows."),
				 errhint("Its owner can register it with the column that tells persons apart as unit.")));
	bound->holdout = request->holdout;
	bound->held_out = request->held_out;
}

/* ---- groups ---- */

bool
dpem_binding_has_key(const DpemBinding *bound)
{
	return bound->grouping != NULL && bound->grouping->column.kind == DPEM_COLUMN_KEY;
}

bool
dpem_binding_seeks_keys(const DpemBinding *bound)
{
	return bound->grouping != NULL && bound->grouping->n == 0;
}

void
dpem_binding_know_keys(DpemBinding *bound, char **key, int n)
{
	bound->grouping->category = key;
	bound->grouping->n = n;
}

static void
require_groups(const char *name, int n)
{
	if (n < 1 || n > DPEM_GROUPS_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be between 1 and %d, not %d", name, DPEM_GROUPS_MAX, n)));
}

static void
require_categories(const DpemDataset *ds, const DpemColumn *column)
{
	const char *name = column->name;

	if (column->kind == DPEM_COLUMN_KEY)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the values of column \"%s\" of dataset \"%s\" are not public, as categories must be", name, ds->name),
				 errhint("Private keys are for statistics; models are by categories, which the owner registers with dp_register_column(dataset, column_name, categories).")));
	if (column->kind != DPEM_COLUMN_LABEL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" of dataset \"%s\" has no registered categories", name, ds->name),
				 errhint("Groups are the categories of a column registered with dp_register_column(dataset, column_name, categories).")));
}

static void
check_edges(int n, const double *edges)
{
	for (int i = 0; i < n; i++)
	{
		if (!(edges[i] < edges[i + 1]))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("edges must be in ascending order, not %g before %g", edges[i], edges[i + 1])));
	}
}

static void
require_number(const DpemDataset *ds, const DpemColumn *column, bool or_label)
{
	if (column->kind == DPEM_COLUMN_NUMBER)
		return;
	if (or_label)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" of dataset \"%s\" is neither a number nor a label", column->name, ds->name),
				 errhint("Name a column that was registered with a lower and an upper bound, or with categories.")));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("column \"%s\" of dataset \"%s\" is not a number", column->name, ds->name),
			 errhint("Name a column that was registered with a lower and an upper bound.")));
}

/* bins that begin again: each of a group, from 0 */
static void
group_by_cycle(DpemGrouping *grouping, const DpemGroupsRequest *request)
{
	require_groups("the number of groups", request->cycle_groups);
	if (request->bins < 1 || request->bins > DPEM_CYCLE_BINS_MAX)
		elog(ERROR, "dpem: %d bins that begin again", request->bins);
	for (int i = 0; i < request->bins; i++)
	{
		if (request->cycle[i] < 0 || request->cycle[i] >= request->cycle_groups)
			elog(ERROR, "dpem: a bin of no group");
	}
	grouping->n = request->cycle_groups;
	grouping->bins = request->bins;
	grouping->cycle = request->cycle;
	grouping->edge = request->edges;
}

static void
group_by_bins(DpemGrouping *grouping, int n, const double *edges)
{
	const DpemColumn *column = &grouping->column;

	if (n < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("bins must not be null")));
	require_groups("bins", n);
	grouping->n = grouping->bins = n;
	grouping->edge = palloc((n + 1) * sizeof(double));
	for (int i = 0; i <= n; i++)
		grouping->edge[i] = edges ? edges[i]
			: dpem_scale_between(column->scale, column->lower, column->upper, i, n);
}

static void
refuse_edges(const double *edges)
{
	if (edges != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("edges must be null for a label"), errhint("A label's bins are its categories.")));
}

static DpemGrouping *
bind_groups(const DpemDataset *ds, const DpemGroupsRequest *request)
{
	DpemGrouping *grouping = palloc0(sizeof(DpemGrouping));
	DpemColumn *column = &grouping->column;
	bool		either = request->groups == DPEM_BY_BINS_OR_CATEGORIES;
	bool		bins;

	*column = *dpem_dataset_find_registered(ds, dpem_dataset_registered(ds), request->by);
	bins = request->groups == DPEM_BY_BINS || (either && column->kind != DPEM_COLUMN_LABEL);
	if (bins)
		require_number(ds, column, either);
	else if (request->groups != DPEM_BY_VALUES || column->kind != DPEM_COLUMN_KEY)
		require_categories(ds, column);
	dpem_binding_check_column(ds, column);
	if (bins && request->cycle != NULL)
		group_by_cycle(grouping, request);
	else if (bins)
		group_by_bins(grouping, request->bins, request->edges);
	else
		refuse_edges(request->edges);
	check_edges(grouping->bins, grouping->edge);
	if (column->kind == DPEM_COLUMN_LABEL)
	{
		grouping->category = dpem_binding_load_categories(ds, column->name, &grouping->n);
		require_groups("the number of categories", grouping->n);
	}
	return grouping;
}

int
dpem_binding_groups(const DpemBinding *bound)
{
	int			n = 1;

	for (const DpemGrouping *g = bound->grouping; g != NULL; g = g->within)
		n *= g->n;
	return n;
}

void
dpem_binding_set_groups(DpemBinding *bound, const DpemBindingRequest *request)
{
	DpemGroupsRequest first = {request->by, request->groups, request->bins, request->edges, request->cycle, request->cycle_groups};
	DpemGrouping *last = bind_groups(bound->dataset, &first);
	ListCell   *cell;

	bound->grouping = last;
	foreach(cell, request->within)
	{
		last->within = bind_groups(bound->dataset, lfirst(cell));
		last = last->within;
		if (last->n == 0 || bound->grouping->n == 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("a key whose values are not public cannot be grouped together with other columns"),
					 errhint("Group by the key alone.")));
		/* each at most DPEM_GROUPS_MAX, so that the product does not overflow */
		require_groups("the number of groups", dpem_binding_groups(bound));
	}
}

/* ---- different values ---- */

bool
dpem_binding_counts_distinct(const DpemBinding *bound)
{
	return bound->persons || bound->distinct != NULL;
}

void
dpem_binding_set_distinct(DpemBinding *bound, const char *name)
{
	const DpemDataset *ds = bound->dataset;
	DpemColumn *column = palloc(sizeof(DpemColumn));

	*column = *dpem_dataset_find_registered(ds, dpem_dataset_registered(ds), name);
	if (column->kind != DPEM_COLUMN_NUMBER && column->kind != DPEM_COLUMN_LABEL && column->kind != DPEM_COLUMN_KEY)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" of dataset \"%s\" is neither a number, a label nor a key", name, ds->name),
				 errhint("Values that are not public are those of a column registered with dp_register_key.")));
	dpem_binding_check_column(ds, column);
	if (column->kind == DPEM_COLUMN_LABEL)
		bound->category = dpem_binding_load_categories(ds, column->name, &bound->categories);
	bound->distinct = column;
}
