/*
 * gam_store.c - an additive model as rows of cells, in the columns' own units.
 */
#include "postgres.h"

#include <math.h>

#include "core/gam/gam_bins.h"
#include "families/gam/gam.h"
#include "server/fit_memory.h"

/* where a model's rows are written */
typedef struct CellWriter
{
	const DpemGamPlan *plan;
	const DpemGamRows *rows;
	const char **class;
	double	   *value[DPEM_GAM_OTHER_UPPER + 1];
	double		unit;			/* of contributions: of a number half its domain */
	int			row;
} CellWriter;

static CellWriter
create_writer(const DpemGamPlan *plan, const DpemGamRows *of, int rows)
{
	const DpemColumn *target = plan->fit.binding->target;
	CellWriter	w = {.plan = plan,.rows = of,.class = palloc(rows * sizeof(char *)),.unit = 1};

	for (int value = DPEM_GAM_PLACE; value <= DPEM_GAM_OTHER_UPPER; value++)
		w.value[value] = dpem_fit_allocate(rows);
	if (target->kind == DPEM_COLUMN_NUMBER)
		w.unit = (dpem_scale_apply(target->scale, target->upper) - dpem_scale_apply(target->scale, target->lower)) / 2;
	return w;
}

/* what it is of, but for its class: cells of the intercept are of no column, and those of a column of no other */
typedef struct CellSide
{
	int			place;
	int			bin;
	double		lower;
	double		upper;
} CellSide;

static const CellSide no_side = {0, 0, NAN, NAN};

static void
write_row(CellWriter *w, const char *class, const CellSide *one, const CellSide *other, double contribution, double error, double noise)
{
	w->class[w->row] = class;
	w->value[DPEM_GAM_PLACE][w->row] = one->place;
	w->value[DPEM_GAM_BIN][w->row] = one->bin;
	w->value[DPEM_GAM_LOWER][w->row] = one->lower;
	w->value[DPEM_GAM_UPPER][w->row] = one->upper;
	w->value[DPEM_GAM_CONTRIBUTION][w->row] = w->unit * contribution;
	w->value[DPEM_GAM_ERROR][w->row] = w->unit * error;
	w->value[DPEM_GAM_NOISE][w->row] = w->plan->fit.noisy ? w->unit * noise : 0;
	w->value[DPEM_GAM_OTHER_PLACE][w->row] = other->place;
	w->value[DPEM_GAM_OTHER_BIN][w->row] = other->bin;
	w->value[DPEM_GAM_OTHER_LOWER][w->row] = other->lower;
	w->value[DPEM_GAM_OTHER_UPPER][w->row] = other->upper;
	w->row++;
}

/* column c's cells from `first` to before `end`, from 0: bins next to each other, categories, or that of rows without a value */
static CellSide
side_of(const CellWriter *w, int c, int first, int end)
{
	const DpemGamColumn *column = &w->rows->shape.column[c];
	const DpemColumn *own = w->plan->column[c];
	DpemScaledDomain domain = {own->scale, own->lower, own->upper};
	CellSide	side = {column->first + 1, first < column->bins ? first + 1 : 0, NAN, NAN};

	if (column->length == 0 && first < column->bins)
	{
		const double *edge = dpem_gam_column_edges(&w->rows->shape, c);

		side.lower = dpem_gam_bound(&domain, edge, column->bins, first);
		side.upper = dpem_gam_bound(&domain, edge, column->bins, end);
	}
	return side;
}

/* part `part` of column c; false: no cell is in it */
static bool
part_side(const CellWriter *w, int c, int part, CellSide *side)
{
	const DpemGamShape *shape = &w->rows->shape;
	const double *of = shape->part + w->rows->offset[c];
	int			cells = dpem_gam_column_cells(&shape->column[c]);
	int			first = 0;
	int			members = 0;

	while (first < cells && of[first] != part)
		first++;
	for (int i = first; i < cells; i++)
		members += of[i] == part;
	if (members == 0)
		return false;
	*side = side_of(w, c, first, first + members);
	if (shape->column[c].length > 0 && members > 1)
		side->bin = DPEM_GAM_OTHERS;
	return true;
}

/* parts that no cell is in have no rows */
static void
write_pair(CellWriter *w, const char *class, int q, const DpemGamResult *result)
{
	const DpemGamShape *shape = &w->rows->shape;
	const DpemGamPair *pair = &shape->pair[q];
	int			at = w->rows->offset[shape->columns + q];

	for (int i = 0; i < shape->column[pair->first].parts; i++)
		for (int j = 0; j < shape->column[pair->second].parts; j++, at++)
		{
			CellSide	one;
			CellSide	other;

			if (part_side(w, pair->first, i, &one) && part_side(w, pair->second, j, &other))
				write_row(w, class, &one, &other, result->contribution[at], result->sd[at], result->noise[at]);
		}
}

static void
write_score(CellWriter *w, const char *class, const DpemGamResult *result)
{
	const DpemGamRows *rows = w->rows;

	write_row(w, class, &no_side, &no_side, result->intercept, result->intercept_sd, result->intercept_noise);
	for (int c = 0; c < rows->shape.columns; c++)
		for (int at = rows->offset[c]; at < rows->offset[c + 1]; at++)
		{
			CellSide	side = side_of(w, c, at - rows->offset[c], at - rows->offset[c] + 1);

			write_row(w, class, &side, &no_side, result->contribution[at], result->sd[at], result->noise[at]);
		}
	for (int q = 0; q < rows->shape.pairs; q++)
		write_pair(w, class, q, result);
}

static char **
text_of(const char *value)
{
	char	  **text = palloc(sizeof(char *));

	*text = pstrdup(value);
	return text;
}

void
dpem_gam_store(const DpemGamPlan *plan, const DpemGamRows *rows, const DpemGamResult *result, DpemModel *model)
{
	const DpemColumn *target = plan->fit.binding->target;
	bool		label = target->kind == DPEM_COLUMN_LABEL;
	CellWriter	w = create_writer(plan, rows, plan->scores * (rows->n + 1));
	double	   *number = dpem_fit_allocate(3);	/* of the target: variance of its residual, and bounds */

	for (int s = 0; s < plan->scores; s++)
		write_score(&w, !label ? "" : target->words[plan->scores > 1 ? s : 1], &result[s]);
	if (!label)
		for (int row = 0; row < w.row; row += w.row / plan->scores)
			w.value[DPEM_GAM_CONTRIBUTION][row] += dpem_scale_apply(target->scale, target->lower) + w.unit;
	number[0] = label ? NAN : w.unit * w.unit * rows->dispersion;
	number[1] = label ? NAN : target->lower;
	number[2] = label ? NAN : target->upper;
	model->k = w.row;
	model->d = dpem_binding_source_dimension(plan->fit.binding);
	model->value[DPEM_GAM_TARGET] = text_of(target->name);
	model->value[DPEM_GAM_SCALE] = text_of(dpem_scale_name(target->scale));
	model->value[DPEM_GAM_NEGATIVE] = text_of(label ? target->words[0] : "");
	model->value[DPEM_GAM_RESIDUAL] = number;
	model->value[DPEM_GAM_TARGET_LOWER] = number + 1;
	model->value[DPEM_GAM_TARGET_UPPER] = number + 2;
	model->value[DPEM_GAM_CLASS] = w.class;
	for (int value = DPEM_GAM_PLACE; value <= DPEM_GAM_OTHER_UPPER; value++)
		model->value[value] = w.value[value];
}
