/*
 * bayes_use.c - evaluating naive Bayes classifiers.
 *
 * What was not observed, NaN, or a label without a category, is left out.
 */
#include "postgres.h"

#include <math.h>

#include "core/bayes/bayes_power.h"
#include "core/gam/gam_bins.h"
#include "export/model_bins.h"
#include "export/predictor.h"
#include "families/bayes/bayes.h"
#include "server/fit_memory.h"

typedef struct ReadyColumn
{
	int			first;			/* coordinate */
	int			length;			/* coordinates: 1, or categories */
	int			cell;			/* its first, among all */
	int			cells;
	bool		label;
	double	   *edge;			/* of a number: between cells, from which on a point is in the next */
} ReadyColumn;

typedef struct ReadyBayes
{
	const DpemModel *model;
	const double *weight;
	const double *probability;
	double		power;
	char	  **category;
	char	  **label;
	int			columns;
	ReadyColumn *column;
	int		   *cell;			/* columns */
	double	   *posterior;
} ReadyBayes;

/* cells stand in the order of the coordinates, several for a number, one for a category */
static void
find_columns(const DpemModel *model, ReadyBayes *ready)
{
	const double *coordinate = dpem_model_numbers(model, DPEM_BAYES_COORDINATE);
	int			cell = 0;

	for (int j = 0; j < model->d; j += ready->column[ready->columns++].length)
	{
		ReadyColumn *column = &ready->column[ready->columns];

		*column = (ReadyColumn) {.first = j,.cell = cell,.label = model->category_of[j] != NULL};
		column->length = column->label ? dpem_model_column_length(model, j) : 1;
		while (cell < model->cells && coordinate[cell] <= j + column->length)
			cell++;
		column->cells = cell - column->cell;
		if (column->label ? column->cells != column->length : column->cells < 1)
			dpem_model_corrupt();
		if (!column->label)
			column->edge = dpem_model_bin_edges(model, j, column->cells, dpem_model_numbers(model, DPEM_BAYES_UPPER) + column->cell);
	}
}

void *
dpem_bayes_load(DpemModel *model)
{
	ReadyBayes *ready = palloc0(sizeof(ReadyBayes));

	ready->model = model;
	ready->weight = dpem_model_numbers(model, DPEM_BAYES_WEIGHT);
	ready->probability = dpem_model_numbers(model, DPEM_BAYES_PROBABILITY);
	ready->power = *dpem_model_numbers(model, DPEM_BAYES_POWER);
	if (!(ready->power > 0 && ready->power <= DPEM_BAYES_MOST_POWER))
		dpem_model_corrupt();
	ready->category = unconstify(void *, model->value[DPEM_BAYES_CATEGORY]);
	ready->label = unconstify(void *, model->value[DPEM_BAYES_LABEL]);
	ready->column = palloc(model->d * sizeof(ReadyColumn));
	ready->cell = palloc(model->d * sizeof(int));
	ready->posterior = dpem_fit_allocate(model->k);
	find_columns(model, ready);
	return ready;
}

/* among all; -1: not known */
static int
find_cell(const ReadyColumn *column, const double *x)
{
	int			j = column->first;

	if (!column->label)
		return isnan(x[j]) ? -1 : column->cell + dpem_gam_edges_below(column->edge, column->cells - 1, x[j]);
	for (int i = 0; i < column->length; i++)
	{
		if (x[j + i] > 0.5)
			return column->cell + i;
	}
	return -1;
}

/* the most probable class, from 0 */
static int
classify(ReadyBayes *ready, const double *x)
{
	const DpemModel *m = ready->model;

	for (int j = 0; j < ready->columns; j++)
		ready->cell[j] = find_cell(&ready->column[j], x);
	return dpem_bayes_posterior(m->k, ready->columns, m->cells, ready->weight, ready->probability, ready->power, ready->cell, ready->posterior);
}

const double *
dpem_bayes_probabilities(void *model, const double *x, int *n)
{
	ReadyBayes *ready = model;

	classify(ready, x);
	*n = ready->model->k;
	return ready->posterior;
}

int
dpem_bayes_predict(void *model, const double *x)
{
	return classify(model, x) + 1;
}

const char *
dpem_bayes_label(void *model, const double *x)
{
	ReadyBayes *ready = model;

	return ready->category[classify(ready, x)];
}

const char *
dpem_bayes_target(void *model)
{
	return ((ReadyBayes *) model)->label[0];
}

const char *
dpem_bayes_category(void *model, int class)
{
	return ((ReadyBayes *) model)->category[class - 1];
}

/* ---- in other languages ---- */

static void
put_column(const ReadyColumn *column, const double *border, const double *probability, double power, StringInfo out)
{
	double	   *value = palloc(column->cells * sizeof(double));

	for (int i = 0; i < column->cells; i++)
		value[i] = power * log(probability[column->cell + i]);
	if (border == NULL)
		dpem_predictor_categories(out, column->first, column->cells, value, 0);
	else
		dpem_predictor_parts(out, column->first, column->cells, border, value, 0);
}

static const DpemPredictorCells *
predictor_cells(const ReadyBayes *ready)
{
	DpemPredictorCells *cells = palloc(ready->columns * sizeof(DpemPredictorCells));

	for (int j = 0; j < ready->columns; j++)
	{
		const ReadyColumn *column = &ready->column[j];

		cells[j] = (DpemPredictorCells) {column->first, column->cell, column->cells, column->edge};
	}
	return cells;
}

/* of each class ln of its share of the rows, and of the columns' probabilities to their power */
void
dpem_bayes_predictor(void *model, DpemPredictor *p)
{
	const ReadyBayes *ready = model;
	int			classes = ready->model->k;

	dpem_predictor_scores(p, classes);
	p->columns = ready->columns;
	p->column = predictor_cells(ready);
	p->cells = ready->model->cells;
	p->weight = ready->weight;
	p->probability = ready->probability;
	p->power = ready->power;
	for (int c = 0; c < classes; c++)
	{
		StringInfoData out;

		initStringInfo(&out);
		appendStringInfo(&out, "CAST(%s AS double precision)", dpem_predictor_number(log(ready->weight[c])));
		for (int j = 0; j < ready->columns; j++)
		{
			appendStringInfoString(&out, " + ");
			put_column(&ready->column[j], p->column[j].border, ready->probability + (size_t) c * ready->model->cells, ready->power, &out);
		}
		p->score[c] = out.data;
	}
	p->category = (const char *const *) ready->category;
	p->weights = DPEM_CLASS_WEIGHTS_SOFTMAX;
}
