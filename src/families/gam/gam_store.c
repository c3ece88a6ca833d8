/*
 * gam_store.c - an additive model as rows of cells, in the columns' own units.
 */
#include "postgres.h"

#include <math.h>

#include "families/gam/gam.h"
#include "server/fit_memory.h"

/* where a model's rows are written */
typedef struct CellWriter
{
	const DpemGamPlan *plan;
	const char **class;
	double	   *value[DPEM_GAM_NOISE + 1];
	double		unit;			/* of contributions: of a number half its domain */
	int			row;
} CellWriter;

static CellWriter
create_writer(const DpemGamPlan *plan, int rows)
{
	const DpemColumn *target = plan->fit.binding->target;
	CellWriter	w = {.plan = plan,.class = palloc(rows * sizeof(char *)),.unit = 1};

	for (int value = DPEM_GAM_PLACE; value <= DPEM_GAM_NOISE; value++)
		w.value[value] = dpem_fit_allocate(rows);
	if (target->kind == DPEM_COLUMN_NUMBER)
		w.unit = (dpem_scale_apply(target->scale, target->upper) - dpem_scale_apply(target->scale, target->lower)) / 2;
	return w;
}

static void
write_row(CellWriter *w, const char *class, int place, int bin, double contribution, double error, double noise)
{
	w->class[w->row] = class;
	w->value[DPEM_GAM_PLACE][w->row] = place;
	w->value[DPEM_GAM_BIN][w->row] = bin;
	w->value[DPEM_GAM_LOWER][w->row] = NAN;
	w->value[DPEM_GAM_UPPER][w->row] = NAN;
	w->value[DPEM_GAM_CONTRIBUTION][w->row] = w->unit * contribution;
	w->value[DPEM_GAM_ERROR][w->row] = w->unit * error;
	w->value[DPEM_GAM_NOISE][w->row] = w->plan->fit.noisy ? w->unit * noise : 0;
	w->row++;
}

/* of the last row, a bin from 0 */
static void
write_bounds(CellWriter *w, const DpemColumn *column, int bin, int bins)
{
	w->value[DPEM_GAM_LOWER][w->row - 1] = dpem_scale_between(column->scale, column->lower, column->upper, bin, bins);
	w->value[DPEM_GAM_UPPER][w->row - 1] = dpem_scale_between(column->scale, column->lower, column->upper, bin + 1, bins);
}

static void
write_score(CellWriter *w, const char *class, const DpemGamResult *result)
{
	const DpemGamPlan *plan = w->plan;
	const DpemColumn **columns = dpem_binding_columns(plan->fit.binding);

	write_row(w, class, 0, 0, result->intercept, result->intercept_sd, result->intercept_noise);
	for (int c = 0; c < plan->shape.columns; c++)
	{
		const DpemGamColumn *column = &plan->shape.column[c];
		int			cells = plan->offset[c + 1] - plan->offset[c];

		for (int i = 0; i < cells; i++)
		{
			int			at = plan->offset[c] + i;

			write_row(w, class, column->first + 1, i < column->bins ? i + 1 : 0, result->contribution[at], result->sd[at], result->noise[at]);
			if (column->length == 0 && i < column->bins)
				write_bounds(w, columns[column->first], i, column->bins);
		}
	}
	pfree(columns);
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
	CellWriter	w = create_writer(plan, plan->scores * (plan->n + 1));
	double	   *residual = dpem_fit_allocate(1);

	for (int s = 0; s < plan->scores; s++)
		write_score(&w, !label ? "" : target->words[plan->scores > 1 ? s : 1], &result[s]);
	if (!label)
		for (int row = 0; row < w.row; row += plan->n + 1)
			w.value[DPEM_GAM_CONTRIBUTION][row] += dpem_scale_apply(target->scale, target->lower) + w.unit;
	*residual = label ? NAN : w.unit * w.unit * rows->dispersion;
	model->k = w.row;
	model->d = dpem_binding_source_dimension(plan->fit.binding);
	model->value[DPEM_GAM_TARGET] = text_of(target->name);
	model->value[DPEM_GAM_SCALE] = text_of(dpem_scale_name(target->scale));
	model->value[DPEM_GAM_NEGATIVE] = text_of(label ? target->words[0] : "");
	model->value[DPEM_GAM_RESIDUAL] = residual;
	model->value[DPEM_GAM_CLASS] = w.class;
	for (int value = DPEM_GAM_PLACE; value <= DPEM_GAM_NOISE; value++)
		model->value[value] = w.value[value];
}
