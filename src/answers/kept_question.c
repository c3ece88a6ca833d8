/*
 * kept_question.c - a question in one way of writing it, and the public facts that its answer was
 * made by.
 *
 * The facts are part of what is compared, so that an answer is never given for other bounds,
 * categories, units or views than its own, even if the owner changed them while it was made.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "common/shortest_dec.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "answers/kept.h"
#include "registry/calendar.h"
#include "server/as_owner.h"

static const char *
number(double x)
{
	char	   *digits = palloc(DOUBLE_SHORTEST_DECIMAL_LEN);

	double_to_shortest_decimal_buf(x, digits);
	return digits;
}

/* ---- facts ---- */

char *
dpem_kept_source(const DpemDataset *ds)
{
	MemoryContext caller = CurrentMemoryContext;
	char		kind = get_rel_relkind(ds->source);
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(ds->source)};
	DpemIdentity saved;
	char	   *text;

	if (kind != RELKIND_VIEW && kind != RELKIND_MATVIEW)
		return pstrdup("");
	dpem_owner_enter(&saved);
	(void) dpem_spi_query("SELECT pg_catalog.hashtextextended(pg_catalog.pg_get_viewdef($1), 0)::text", 1, types, values, NULL, false, SPI_OK_SELECT);
	text = dpem_spi_text(0, 1, caller);
	dpem_owner_leave(&saved);
	return text;
}

static void
append_words(StringInfo out, char *const *word, int n)
{
	for (int i = 0; word != NULL && i < n; i++)
		appendStringInfo(out, " %s", quote_literal_cstr(word[i]));
}

static void
append_column(StringInfo out, const DpemDataset *ds, const DpemColumn *c)
{
	appendStringInfo(out, "; %s %d %s %s %s %d", quote_identifier(c->name), (int) c->kind, number(c->lower), number(c->upper),
					 dpem_scale_name(c->scale), c->length);
	if (OidIsValid(c->calendar))
		appendStringInfo(out, " %s", dpem_calendar_name(c->calendar));
	appendStringInfoString(out, dpem_dataset_origin(ds, c->name));
	append_words(out, c->words, c->length);
}

static void
append_grouping(StringInfo out, const DpemDataset *ds, const DpemGrouping *g)
{
	bool		secret = g->column.kind == DPEM_COLUMN_KEY;

	append_column(out, ds, &g->column);
	appendStringInfoString(out, secret ? " key" : " groups");
	for (int i = 0; g->edge != NULL && i <= g->bins; i++)
		appendStringInfo(out, " %s", number(g->edge[i]));
	for (int i = 0; g->cycle != NULL && i < g->bins; i++)
		appendStringInfo(out, " %d", g->cycle[i]);
	if (!secret)
		append_words(out, g->category, g->n);
}

char *
dpem_kept_facts(const DpemBinding *b)
{
	const DpemDataset *ds = b->dataset;
	StringInfoData out;
	ListCell   *cell;

	initStringInfo(&out);
	appendStringInfo(&out, "%u %s %s %s %d", ds->source, dpem_kept_source(ds), ds->replace_one ? "replace_one" : "add_remove",
					 ds->unit ? quote_identifier(ds->unit) : "", ds->max_rows_per_unit);
	appendStringInfo(&out, " %s", ds->path ? ds->path->text : "");
	foreach(cell, b->columns)
		append_column(&out, ds, lfirst(cell));
	if (b->distinct != NULL)
	{
		append_column(&out, ds, b->distinct);
		append_words(&out, b->category, b->categories);
	}
	for (int i = 0; b->filter != NULL && i < b->filter->parsed.columns; i++)
		append_column(&out, ds, &b->filter->column[i]);
	for (const DpemGrouping *g = b->grouping; g != NULL; g = g->within)
		append_grouping(&out, ds, g);
	return out.data;
}

/* ---- questions ---- */

char *
dpem_kept_group(const DpemGrouping *g)
{
	const char *name = quote_identifier(g->column.name);

	return g->edge == NULL ? pstrdup(name) : psprintf("%s in %d bins from %s to %s", name, g->bins, number(g->edge[0]), number(g->edge[g->bins]));
}

const char *
dpem_kept_key(const DpemBinding *b, int group)
{
	const DpemGrouping *g = b->grouping;

	if (g == NULL)
		return NULL;
	return g->edge == NULL ? g->category[group] : psprintf("%s to %s", number(g->edge[group]), number(g->edge[group + 1]));
}

DpemKeptQuestion *
dpem_kept_question(const DpemBinding *b, const char *what, const char *how)
{
	DpemKeptQuestion *q = palloc0(sizeof(DpemKeptQuestion));
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfoString(&text, what);
	for (const DpemGrouping *g = b->grouping; g != NULL; g = g->within)
		appendStringInfo(&text, " by %s", dpem_kept_group(g));
	if (b->filter != NULL)
		appendStringInfo(&text, " where %s", dpem_filter_text(b->filter));
	if (b->holdout > 0)
		appendStringInfo(&text, " of the %s of %s", b->held_out ? "holdout" : "rest", number(b->holdout));
	appendStringInfo(&text, " with %s", how);
	q->dataset = b->dataset;
	q->text = text.data;
	q->facts = dpem_kept_facts(b);
	return q;
}
