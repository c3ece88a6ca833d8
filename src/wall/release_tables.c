/*
 * release_tables.c - the wall's doors for tables; see release_tables.h.
 *
 * Counts and scores are exact integers, and what a row can do to them does not
 * depend on the tables, the model or the maps that a caller gives: it is in one cell
 * of each table of its own group.
 */
#include "postgres.h"

#include <math.h>

#include "core/accounting/choice.h"
#include "core/accounting/sensitivity.h"
#include "core/noise/noise.h"
#include "core/synth/synth_plan.h"
#include "scan/raw_moments.h"
#include "wall/choice_draw.h"
#include "wall/draw.h"
#include "wall/release_inside.h"
#include "wall/release_tables.h"

#define COUNT_BITS	DPEM_RESPONSIBILITY_BITS

static double
sensitivity_of(const DpemTablesSpec *spec, double square)
{
	return spec->rows_per_unit * (1 + 1e-15) * sqrt(dpem_tables_sensitivity2(square, spec->replace_one));
}

double
dpem_release_tables_sensitivity(const DpemTablesSpec *spec, double views)
{
	return sensitivity_of(spec, views);
}

static DpemUint128
noise_scale(double sd)
{
	return dpem_noise_drawable_scale(DPEM_NOISE_GAUSSIAN, sd, COUNT_BITS, DPEM_ANY_SCALE);
}

void
dpem_release_tables_check(const DpemTablesSpec *spec, double views, double noise_multiplier)
{
	(void) noise_scale(noise_multiplier * sensitivity_of(spec, views));
}

/* ---- counts ---- */

static void
check_moments(const DpemRawMoments *raw, const DpemTablesSpec *spec)
{
	if (!raw->exact || !dpem_raw_moments_are(raw, DPEM_ROW_OF_TABLES) || raw->tables == NULL ||
		!dpem_raw_moments_of(raw, spec->replace_one, spec->rows_per_unit) || raw->rows.groups != spec->groups)
		elog(ERROR, "dpem: these tables cannot be released");
}

/* the table of a view, whose map leads nowhere else */
static DpemTable
table_of(const DpemRawMoments *raw, const DpemTableView *view)
{
	DpemTable	table;

	if (view->table < 0 || view->table >= dpem_tables_number(raw->tables) || !(view->weight > 0) || !isfinite(view->weight))
		elog(ERROR, "dpem: a table that was not counted");
	table = dpem_tables_read(raw->tables, view->table);
	if (view->cells < 1 || (view->into == NULL && view->cells != table.cells))
		elog(ERROR, "dpem: a table of other cells");
	for (int i = 0; view->into != NULL && i < table.cells; i++)
	{
		if (view->into[i] < 0 || view->into[i] >= view->cells)
			elog(ERROR, "dpem: a table of other cells");
	}
	return table;
}

/* the cells of a group's view, view->cells numbers */
static void
count_view(const DpemRawMoments *raw, int groups, int group, const DpemTableView *view, DpemInt128 *count)
{
	DpemTable	table = table_of(raw, view);
	const DpemInt128 *total = raw->total + (size_t) group * (raw->length / groups) + table.first;

	memset(count, 0, view->cells * sizeof(DpemInt128));
	for (int i = 0; i < table.cells; i++)
		count[view->into ? view->into[i] : i] += total[i];
}

/* ---- noisy cells ---- */

/* all of a release, views one after the other */
typedef struct TablesStack
{
	size_t		length;
	DpemInt128 *count;
	DpemInt128 *noise;
	DpemUint128 *scale;
} TablesStack;

static TablesStack
create_stack(const DpemTableView *view, int n)
{
	TablesStack stack = {0};

	for (int v = 0; v < n; v++)
		stack.length += view[v].cells;
	stack.count = palloc0(stack.length * sizeof(DpemInt128));
	stack.noise = palloc0(stack.length * sizeof(DpemInt128));
	stack.scale = palloc(stack.length * sizeof(DpemUint128));
	return stack;
}

/* all noise of a release is drawn before any is added */
static void
draw_noise(TablesStack *stack)
{
	DpemSampler *sampler = dpem_draw_begin();
	DpemStatus	status = DPEM_OK;

	for (size_t i = 0; i < stack->length && status == DPEM_OK; i++)
		status = dpem_noise_draw(sampler, DPEM_NOISE_GAUSSIAN, stack->scale[i], &stack->noise[i]);
	dpem_draw_end(sampler, status, DPEM_NOISE_OUTSIDE);
}

/* value = count + noise, then nothing is left of either */
static DpemNoisyMoments
add_noise(TablesStack *stack, const DpemRawMoments *raw, const DpemDeclared *declared)
{
	DpemNoisyMoments all = {.layout = {(int) stack->length, 1, DPEM_COUNTS_ALONE}};

	all.value = palloc(stack->length * sizeof(double));
	if (raw->rows.rehearsed)
		dpem_tape_compare_cells(stack->count, stack->scale, stack->length, DPEM_NOISE_GAUSSIAN, declared);
	for (size_t i = 0; i < stack->length; i++)
		all.value[i] = (double) ldexpl((long double) (stack->count[i] + stack->noise[i]), -COUNT_BITS);
	if (raw->rows.rehearsed)
		dpem_tape_exchange(&all);
	explicit_bzero(stack->count, stack->length * sizeof(DpemInt128));
	explicit_bzero(stack->noise, stack->length * sizeof(DpemInt128));
	return all;
}

static double
weight_square(const DpemTableView *view, int n)
{
	double		square = 0;

	for (int v = 0; v < n; v++)
		square += view[v].weight * view[v].weight;
	return square;
}

/* of each view what is released of it */
static DpemNoisyMoments *
split_views(const DpemNoisyMoments *all, const DpemTableView *view, int n, double noise)
{
	DpemNoisyMoments *each = palloc(n * sizeof(DpemNoisyMoments));
	double	   *value = all->value;

	for (int v = 0; v < n; v++)
	{
		each[v] = (DpemNoisyMoments) {.layout = {view[v].cells, 1, DPEM_COUNTS_ALONE},.count_sd = noise / view[v].weight,.value = value};
		value += view[v].cells;
	}
	return each;
}

/* groups may weigh their views differently: a row is in one of them, so the greatest squares pay for all */
DpemNoisyMoments *
dpem_release_tables(DpemCharge *charge, int line, const DpemRawMoments *raw, const DpemTablesSpec *spec,
					const DpemTableView *view, int n)
{
	double		z = dpem_charge_take(charge, line, DPEM_MECHANISM_GAUSSIAN, &raw->rows);
	DpemDeclared declared = {.statistic = dpem_charge_statistic(charge, line),.noise_multiplier = z};
	int			views = n * spec->groups;
	TablesStack stack;
	DpemNoisyMoments all;
	size_t		at = 0;

	check_moments(raw, spec);
	for (int g = 0; g < spec->groups; g++)
		declared.sensitivity = Max(declared.sensitivity, sensitivity_of(spec, weight_square(view + g * n, n)));
	if (n < 1 || !(z > 0) || !(declared.sensitivity > 0))
		elog(ERROR, "dpem: these tables cannot be released");
	stack = create_stack(view, views);
	for (int v = 0; v < views; v++)
	{
		DpemUint128 scale = noise_scale(z * declared.sensitivity / view[v].weight);

		count_view(raw, spec->groups, v / n, &view[v], stack.count + at);
		for (int i = 0; i < view[v].cells; i++)
			stack.scale[at++] = scale;
	}
	draw_noise(&stack);
	all = add_noise(&stack, raw, &declared);
	return split_views(&all, view, views, z * declared.sensitivity);
}

/* ---- choices ---- */

/* a unit's rows move the greatest less the least score by so much: up in one, down in another, of each of two groups */
static DpemUint128
choice_range(const DpemTablesSpec *spec, int64 weight)
{
	return 2 * dpem_choice_range(dpem_synth_score_step(weight), spec->replace_one, spec->rows_per_unit);
}

double
dpem_release_table_choice_range(const DpemTablesSpec *spec, int64 weight)
{
	return ldexp((double) choice_range(spec, weight), -DPEM_SYNTH_SCORE_BITS);
}

static DpemUint128
choice_scale(const DpemTablesSpec *spec, int64 weight, double noise_multiplier)
{
	return dpem_choice_drawable_scale(noise_multiplier, choice_range(spec, weight));
}

void
dpem_release_table_choice_check(const DpemTablesSpec *spec, int64 weight, double noise_multiplier)
{
	(void) choice_scale(spec, weight, noise_multiplier);
}

static DpemInt128
score_of(const DpemRawMoments *raw, const DpemTablesSpec *spec, int group, int64 weight, const DpemTableCandidate *candidate)
{
	int			cells = candidate->view.cells;
	DpemInt128 *count = palloc(cells * sizeof(DpemInt128));
	int64_t    *rows = palloc(cells * sizeof(int64_t));
	DpemInt128	score;

	if (candidate->weight < 1 || candidate->weight > weight)
		elog(ERROR, "dpem: a candidate of another weight");
	count_view(raw, spec->groups, group, &candidate->view, count);
	for (int i = 0; i < cells; i++)
		rows[i] = (int64_t) (count[i] >> COUNT_BITS);
	score = dpem_synth_score(cells, rows, candidate->expected, candidate->sd, candidate->weight);
	explicit_bzero(count, cells * sizeof(DpemInt128));
	explicit_bzero(rows, cells * sizeof(int64_t));
	pfree(count);
	pfree(rows);
	return score;
}

static int
choose(const DpemRawMoments *raw, const DpemTablesSpec *spec, int group, int64 weight, DpemUint128 scale,
	   const DpemTableCandidate *candidate, int n, const DpemDeclared *declared)
{
	DpemInt128 *score;
	size_t		chosen;

	if (n < 1)
		return -1;
	score = palloc(n * sizeof(DpemInt128));
	for (int i = 0; i < n; i++)
		score[i] = score_of(raw, spec, group, weight, &candidate[i]);
	chosen = dpem_choice_draw(score, n, scale, raw->rows.rehearsed ? declared : NULL);
	explicit_bzero(score, n * sizeof(DpemInt128));
	pfree(score);
	return (int) chosen;
}

void
dpem_release_table_choice(DpemCharge *charge, int line, const DpemRawMoments *raw, const DpemTablesSpec *spec,
						  int64 weight, DpemTableCandidate *const *candidate, const int *n, int *chosen)
{
	DpemDeclared declared = dpem_release_take(charge, line, DPEM_MECHANISM_EXPONENTIAL, &raw->rows,
											  dpem_release_table_choice_range(spec, weight));
	DpemUint128 scale = choice_scale(spec, weight, declared.noise_multiplier);

	check_moments(raw, spec);
	for (int g = 0; g < spec->groups; g++)
		chosen[g] = choose(raw, spec, g, weight, scale, candidate[g], n[g], &declared);
}

void
dpem_release_tables_end(DpemRawMoments *raw)
{
	dpem_raw_moments_wipe(raw);
}
