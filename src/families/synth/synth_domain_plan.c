/*
 * synth_domain_plan.c - columns, cells and tables of a fit, from public facts alone.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "catalog/pg_type.h"
#include "utils/memutils.h"

#include "core/synth/synth_rules.h"
#include "families/synth/synth.h"
#include "fit/fit_arguments.h"
#include "registry/source_relations.h"
#include "server/version_shims.h"

#define LEAST_PART	4			/* units in the last place of a bound, so that edges between parts differ, in box coordinates, too */

/* ---- columns ---- */

/* a bin for each whole number, or for as many of them as leave no more bins than asked for */
static bool
set_whole_bins(const DpemColumn *bound, int bins, DpemSynthColumn *column)
{
	double		first = ceil(bound->lower);
	double		values = floor(bound->upper) - first + 1;

	if (!dpem_type_is_whole(bound->type) ||
		bound->scale != DPEM_SCALE_LINEAR || !(values >= 1 && values < 1e9))
		return false;
	column->whole = ceil(values / bins);
	column->bins = (int) ceil(values / column->whole);
	column->lower = first - 0.5;
	column->upper = column->lower + column->whole * column->bins;
	column->last = floor(bound->upper);
	return true;
}

void
dpem_synth_set_number(const DpemColumn *bound, int bins, DpemSynthColumn *column)
{
	column->length = 1;
	if (!set_whole_bins(bound, bins, column))
	{
		column->bins = bins;
		column->lower = dpem_scale_apply(bound->scale, bound->lower);
		column->upper = dpem_scale_apply(bound->scale, bound->upper);
	}
	column->cells = column->bins + (bound->filled ? 1 : 0);
}

int
dpem_synth_parts(const DpemColumn *bound)
{
	double		lower = dpem_scale_apply(bound->scale, bound->lower);
	double		upper = dpem_scale_apply(bound->scale, bound->upper);
	double		least = LEAST_PART * DBL_EPSILON * fmax(fabs(lower), fabs(upper));

	return (int) fmin(dpem_synth_place_rules.parts, (upper - lower) / least);
}

/*
 * A number whose bins the fit places, unless each of its values has one, or edges could hardly be anywhere else: parts of whole numbers
 * may be half as many as are asked for.
 */
static bool
set_placed_number(const DpemColumn *bound, int bins, DpemSynthColumn *column)
{
	dpem_synth_set_number(bound, bins, column);
	if (column->whole == 1 || dpem_synth_parts(bound) < 2 * bins)
		return false;
	column->bins = bins;
	column->cells = bins + (bound->filled ? 1 : 0);
	return true;
}

double
dpem_synth_in_box(const DpemColumn *bound, double y)
{
	return dpem_scale_in_box(bound->scale, bound->lower, bound->upper, y);
}

DpemTableColumn
dpem_synth_table_column(const DpemColumn *bound, const DpemSynthColumn *column, int known)
{
	DpemTableColumn of = {.first = column->first,.length = column->length,.cells = column->cells,.known = known};

	if (dpem_synth_is_number(column))
	{
		of.lower = dpem_synth_in_box(bound, column->lower);
		of.upper = dpem_synth_in_box(bound, column->upper);
	}
	return of;
}

static void
check_size(const DpemColumn *bound, const DpemSynthColumn *column)
{
	if (column->cells > DPEM_SYNTH_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("column \"%s\" has %d categories, and a table at most %d", bound->name, column->cells - 1, DPEM_SYNTH_SIZE - 1),
				 errhint("Leave it out of columns, or ask the dataset's owner for fewer categories.")));
}

static void
check_columns(const DpemSynthPlan *plan)
{
	if (plan->columns == 0)
		dpem_refuse_argument("no column of the fit has more than one value", "Name a number, or a label of at least two categories.");
	if (plan->columns > DPEM_SYNTH_COLUMNS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("marginals are for at most %d columns, not %d", DPEM_SYNTH_COLUMNS, plan->columns),
				 errhint("Name fewer columns.")));
}

static void
set_domain(DpemSynthPlan *plan)
{
	int		   *size = palloc(plan->columns * sizeof(int));
	bool	   *ordered = palloc(plan->columns * sizeof(bool));

	for (int c = 0; c < plan->columns; c++)
	{
		size[c] = plan->column[c].cells;
		ordered[c] = dpem_synth_is_number(&plan->column[c]);
	}
	plan->domain = (DpemSynthDomain) {plan->columns, size, ordered, NULL};
	plan->column_weight = palloc(plan->columns * sizeof(double));
	dpem_synth_column_weights(&plan->domain, plan->column_weight);
}

/* a column of the fit from coordinate j on; returns whether the fit is to place its bins */
static bool
set_column(const DpemSynthPlan *plan, const DpemSynthRequest *request, const DpemColumn *bound, int j, DpemSynthColumn *column)
{
	bool		placed = false;

	column->first = j;
	if (bound->kind == DPEM_COLUMN_LABEL)
	{
		column->length = bound->length;
		column->cells = bound->length + 1;
	}
	else if (request->bins > 0)
		dpem_synth_set_number(bound, request->bins, column);
	else
		placed = set_placed_number(bound, plan->bins, column);
	check_size(bound, column);
	return placed;
}

/* labels of a single category, which is what every row has, are no columns: all is known of them */
static void
plan_columns(DpemSynthPlan *plan, const DpemSynthRequest *request)
{
	const DpemColumn **bound = dpem_binding_columns(plan->fit.binding);
	int			d = dpem_binding_source_dimension(plan->fit.binding);
	bool		missing = plan->fit.d > d;
	DpemTableColumn *of = palloc(d * sizeof(DpemTableColumn));
	DpemSynthColumn *column = palloc0(d * sizeof(DpemSynthColumn));
	int			n = 0;

	plan->label = -1;
	plan->looks = (DpemSynthLooks) {.column = palloc(d * sizeof(int))};
	for (int j = 0; j < d; j += bound[j]->length)
	{
		if (bound[j]->kind == DPEM_COLUMN_LABEL && bound[j]->length == 1)
			continue;
		if (set_column(plan, request, bound[j], j, &column[n]))
			plan->looks.column[plan->looks.columns++] = n;
		/* numbers come first, and what tells whether they are known last, in their order */
		of[n] = dpem_synth_table_column(bound[j], &column[n], missing && dpem_synth_is_number(&column[n]) ? d + n : 0);
		if (request->label && strcmp(request->label, bound[j]->name) == 0)
			plan->label = n;
		n++;
	}
	plan->columns = n;
	plan->column = column;
	plan->set.column = of;
	check_columns(plan);
	dpem_synth_plan_looks(plan);
	set_domain(plan);
	if (request->label && plan->label < 0)
		dpem_refuse_argument(psprintf("label names \"%s\", which is none of the columns", request->label),
							 "Name one of the columns of the fit that has at least two categories or bins.");
}

/* ---- tables ---- */

static int
find_column(const DpemSynthPlan *plan, const char *name)
{
	const DpemColumn **bound = dpem_binding_columns(plan->fit.binding);

	for (int c = 0; c < plan->columns; c++)
	{
		if (strcmp(bound[plan->column[c].first]->name, name) == 0)
			return c;
	}
	dpem_refuse_argument(psprintf("workload names \"%s\", which is none of the columns", name),
						 "An element of workload is names of columns of the fit with commas between them, such as 'age,sex'.");
}

static DpemSynthSet
parse_table(const DpemSynthPlan *plan, const char *text)
{
	char	   *copy = pstrdup(text);
	char	   *rest = NULL;
	DpemSynthSet set = 0;

	for (char *name = strtok_r(copy, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest))
	{
		while (*name == ' ')
			name++;
		while (name[0] != '\0' && name[strlen(name) - 1] == ' ')
			name[strlen(name) - 1] = '\0';
		set |= dpem_synth_column(find_column(plan, name));
	}
	if (set == 0 || dpem_synth_order(set) > DPEM_TABLES_ORDER)
		dpem_refuse_argument(psprintf("a table of workload must have 1 to %d columns: \"%s\"", DPEM_TABLES_ORDER, text),
							 "An element of workload is names of columns with commas between them, such as 'age,sex'.");
	return set;
}

static DpemSynthWanted *
given_workload(const DpemSynthPlan *plan, List *workload, int *n)
{
	DpemSynthWanted *wanted = palloc(list_length(workload) * sizeof(DpemSynthWanted));
	ListCell   *cell;

	*n = 0;
	foreach(cell, workload)
		wanted[(*n)++] = (DpemSynthWanted) {parse_table(plan, lfirst(cell)), 1};
	return wanted;
}

static DpemSynthWanted *
default_workload(const DpemSynthPlan *plan, int label, int *n)
{
	DpemSynthWanted *wanted = palloc(Max(dpem_synth_workload_size(plan->columns, label), 1) * sizeof(DpemSynthWanted));

	*n = dpem_synth_workload(plan->columns, label, wanted);
	return wanted;
}

/* sets of two columns and more, of which the wanted ones consist */
static bool
set_candidates(DpemSynthPlan *plan, const DpemSynthWanted *wanted, int n)
{
	plan->candidate = palloc(DPEM_TABLES_MAX * sizeof(DpemSynthSet));
	plan->candidates = dpem_synth_closure(wanted, n, DPEM_TABLES_MAX - plan->columns, plan->candidate);
	plan->weight = palloc(Max(plan->candidates, 1) * sizeof(int64));
	plan->most_weight = 1;
	for (int i = 0; i < plan->candidates; i++)
	{
		plan->weight[i] = dpem_synth_weight(wanted, n, plan->candidate[i]);
		plan->most_weight = Max(plan->most_weight, plan->weight[i]);
	}
	return plan->candidates >= 0;
}

static void
set_table(DpemSynthSet set, DpemTable *table)
{
	table->order = 0;
	for (int c = 0; c < DPEM_SYNTH_COLUMNS; c++)
	{
		if (set & dpem_synth_column(c))
			table->column[table->order++] = c;
	}
}

/* whether tables of all candidates fit into a pass, of all groups together */
static bool
arrange(DpemSynthPlan *plan)
{
	int			n = plan->columns + plan->candidates;

	plan->table = palloc0(n * sizeof(DpemTable));
	for (int t = 0; t < n; t++)
		set_table(t < plan->columns ? dpem_synth_column(t) : plan->candidate[t - plan->columns], &plan->table[t]);
	plan->cells = dpem_tables_arrange(plan->set.column, plan->columns, plan->table, n);
	plan->set = (DpemTableSet) {plan->fit.clip_norm, plan->columns, n, plan->set.column, plan->table};
	return plan->cells > 0 && (int64) plan->cells * plan->fit.groups <= DPEM_TABLES_MAX_CELLS;
}

static double
cells_wanted(const DpemSynthPlan *plan)
{
	double		cells = 0;

	for (int t = 0; t < plan->set.tables; t++)
		cells += dpem_synth_cells(plan->domain.size, t < plan->columns ? dpem_synth_column(t) : plan->candidate[t - plan->columns]);
	return cells;
}

pg_noreturn static void
refuse_tables(const DpemSynthPlan *plan)
{
	const DpemColumn **bound = dpem_binding_columns(plan->fit.binding);
	int			largest = 0;

	for (int c = 1; c < plan->columns; c++)
		largest = plan->column[c].cells > plan->column[largest].cells ? c : largest;
	if (plan->candidates < 0)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a fit counts at most %d tables", DPEM_TABLES_MAX),
				 errhint("Name fewer columns, or the tables that are wanted in workload.")));
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("the tables have %.0f cells%s, and a fit counts at most %d", cells_wanted(plan) * plan->fit.groups,
					plan->fit.groups > 1 ? psprintf(" in %d groups", plan->fit.groups) : "", DPEM_TABLES_MAX_CELLS),
			 errhint("Ask for fewer bins, leave out a column (\"%s\" has most cells, %d), or name the tables that are wanted in workload.",
					 bound[plan->column[largest].first]->name, plan->column[largest].cells)));
}

/* true if there is room for all */
static bool
plan_tables(DpemSynthPlan *plan, const DpemSynthRequest *request)
{
	DpemSynthWanted *wanted;
	int			n;

	if (request->workload != NIL)
	{
		wanted = given_workload(plan, request->workload, &n);
		return set_candidates(plan, wanted, n) && arrange(plan);
	}
	wanted = default_workload(plan, plan->label, &n);
	if (set_candidates(plan, wanted, n) && arrange(plan))
		return true;
	/* triples are a wish, pairs what the model is made of */
	wanted = default_workload(plan, -1, &n);
	return set_candidates(plan, wanted, n) && arrange(plan);
}

void
dpem_synth_plan_domain(DpemSynthPlan *plan, const DpemSynthRequest *request)
{
	for (plan->bins = dpem_synth_place_rules.bins;; plan->bins--)
	{
		plan_columns(plan, request);
		if (plan_tables(plan, request))
			return;
		if (request->bins > 0 || plan->bins == dpem_synth_place_rules.least_bins || plan->candidates < 0)
			refuse_tables(plan);
	}
}
