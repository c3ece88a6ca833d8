/*
 * gam_use.c - evaluating additive models.
 *
 * Class 1 of two is the first category of the target; of several, classes are in the order of the categories.
 */
#include "postgres.h"

#include <math.h>

#include "core/numeric/bisect.h"
#include "export/predictor.h"
#include "families/gam/gam.h"
#include "server/fit_memory.h"

#define SLACK	1e-12			/* of rounding errors in a coordinate, as when rows were counted */

/* a column's rows of cells, within those of a score */
typedef struct ReadyColumn
{
	int			coordinate;
	int			row;			/* of its first cell */
	int			bins;
	bool		unknown;		/* a cell more, for rows without a value */
	bool		label;
} ReadyColumn;

typedef struct ReadyGam
{
	const DpemModel *model;
	int			scores;
	int			rows;			/* of each score */
	int			columns;
	ReadyColumn *column;
	bool		number;			/* the target is one */
	DpemColumnScale scale;		/* of a number */
	double	   *probability;	/* classes */
	const double *contribution;
	const double *error;
	char	  **class;
	char	   *negative;
	char	   *target;
} ReadyGam;

/* rows of the intercept, then of each column's cells, the same in every score: what a document from elsewhere may not have */
static void
check_rows(const ReadyGam *ready)
{
	const DpemModel *model = ready->model;
	const double *place = dpem_model_numbers(model, DPEM_GAM_PLACE);
	const double *bin = dpem_model_numbers(model, DPEM_GAM_BIN);

	if (ready->scores < 1 || model->k % ready->scores != 0)
		elog(ERROR, "dpem: corrupt model parameters");
	for (int row = 0; row < model->k; row++)
	{
		int			of = row % ready->rows;

		if (place[row] != place[of] || bin[row] != bin[of] || !dpem_is_whole(bin[row], 0, ready->rows) ||
			!dpem_is_whole(place[row], of > 0 ? 1 : 0, of > 0 ? model->d : 0))
			elog(ERROR, "dpem: corrupt model parameters");
	}
}

static void
find_columns(ReadyGam *ready)
{
	const double *place = dpem_model_numbers(ready->model, DPEM_GAM_PLACE);
	const double *bin = dpem_model_numbers(ready->model, DPEM_GAM_BIN);

	ready->column = palloc0(ready->rows * sizeof(ReadyColumn));
	for (int row = 1; row < ready->rows; row++)
	{
		ReadyColumn *column = &ready->column[ready->columns];

		if (row == 1 || place[row] != place[row - 1])
		{
			column = &ready->column[ready->columns++];
			column->coordinate = (int) place[row] - 1;
			column->row = row;
			column->label = ready->model->category_of[column->coordinate] != NULL;
		}
		else
			column = &ready->column[ready->columns - 1];
		column->bins += bin[row] > 0;
		column->unknown |= bin[row] == 0;
	}
	for (int c = 0; c < ready->columns; c++)
	{
		const ReadyColumn *column = &ready->column[c];

		if (column->bins < 1 || (column->label && column->coordinate + column->bins > ready->model->d))
			elog(ERROR, "dpem: corrupt model parameters");
	}
}

void *
dpem_gam_load(DpemModel *model)
{
	ReadyGam   *ready = palloc0(sizeof(ReadyGam));
	const double *place = dpem_model_numbers(model, DPEM_GAM_PLACE);

	ready->model = model;
	for (int row = 0; row < model->k; row++)
		ready->scores += place[row] == 0;
	ready->rows = model->k / Max(ready->scores, 1);
	check_rows(ready);
	ready->contribution = dpem_model_numbers(model, DPEM_GAM_CONTRIBUTION);
	ready->error = dpem_model_numbers(model, DPEM_GAM_ERROR);
	ready->class = unconstify(void *, model->value[DPEM_GAM_CLASS]);
	ready->negative = ((char *const *) model->value[DPEM_GAM_NEGATIVE])[0];
	ready->target = ((char *const *) model->value[DPEM_GAM_TARGET])[0];
	ready->number = !isnan(*dpem_model_numbers(model, DPEM_GAM_RESIDUAL));
	ready->scale = dpem_scale_from_name(((char *const *) model->value[DPEM_GAM_SCALE])[0]);
	ready->probability = dpem_fit_allocate(Max(ready->scores, 2));
	find_columns(ready);
	return ready;
}

/* the row of the cell that x is in, within a score; -1: there is none, and x says nothing */
static int
cell_of(const ReadyGam *ready, const ReadyColumn *column, const double *x)
{
	int			j = column->coordinate;
	double		lower = ready->model->lower[j];
	double		upper = ready->model->upper[j];

	for (int i = 0; column->label && i < column->bins; i++)
		if (x[j + i] > 0)
			return column->row + i;
	if (!column->label && !isnan(x[j]))
		return column->row + dpem_gam_bin((x[j] - lower) / (upper - lower) * 2 - 1, SLACK, column->bins);
	return column->unknown ? column->row + column->bins : -1;
}

/* score number s; variance: of its intercept and contributions, as if these were independent */
static double
score_of(const ReadyGam *ready, int s, const double *x, double *variance)
{
	const double *contribution = ready->contribution + (size_t) s * ready->rows;
	const double *error = ready->error + (size_t) s * ready->rows;
	double		score = contribution[0];

	*variance = error[0] * error[0];
	for (int c = 0; c < ready->columns; c++)
	{
		int			row = cell_of(ready, &ready->column[c], x);

		score += row < 0 ? 0 : contribution[row];
		*variance += row < 0 ? 0 : error[row] * error[row];
	}
	return score;
}

static void
require(bool met, const char *target, const char *use)
{
	if (!met)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("the target of this additive model is a %s", target),
				 errhint("Call %s.", use)));
}

/* ---- numbers ---- */

/* in the target's own unit: on a logarithmic scale its median */
double
dpem_gam_value(void *model, const double *x)
{
	const ReadyGam *ready = model;
	double		variance;

	require(ready->number, "label", "dp_predict_label or dp_posterior");
	return dpem_scale_invert(ready->scale, score_of(ready, 0, x, &variance));
}

void
dpem_gam_interval(void *model, const double *x, double reach, double *bounds)
{
	const ReadyGam *ready = model;
	double		variance;
	double		score;
	double		width;

	require(ready->number, "label", "dp_posterior");
	score = score_of(ready, 0, x, &variance);
	width = reach * sqrt(variance + *dpem_model_numbers(ready->model, DPEM_GAM_RESIDUAL));
	bounds[0] = dpem_scale_invert(ready->scale, score - width);
	bounds[1] = dpem_scale_invert(ready->scale, score + width);
}

/* ---- classes ---- */

static void
several_classes(ReadyGam *ready, const double *x)
{
	double		most = -INFINITY;
	double		total = 0;
	double		variance;

	for (int s = 0; s < ready->scores; s++)
	{
		ready->probability[s] = score_of(ready, s, x, &variance);
		most = fmax(most, ready->probability[s]);
	}
	for (int s = 0; s < ready->scores; s++)
		total += ready->probability[s] = exp(ready->probability[s] - most);
	for (int s = 0; s < ready->scores; s++)
		ready->probability[s] /= total;
}

const double *
dpem_gam_posterior(void *model, const double *x, int *n)
{
	ReadyGam   *ready = model;
	double		variance;

	require(!ready->number, "number", "dp_predict_value");
	*n = Max(ready->scores, 2);
	if (ready->scores > 1)
		several_classes(ready, x);
	else
	{
		ready->probability[1] = 1 / (1 + exp(-score_of(ready, 0, x, &variance)));
		ready->probability[0] = 1 - ready->probability[1];
	}
	return ready->probability;
}

int
dpem_gam_predict(void *model, const double *x)
{
	int			n;
	const double *p = dpem_gam_posterior(model, x, &n);
	int			best = 0;

	for (int c = 1; c < n; c++)
		best = p[c] > p[best] ? c : best;
	return best + 1;
}

const char *
dpem_gam_category(void *model, int class)
{
	const ReadyGam *ready = model;

	if (ready->scores > 1)
		return ready->class[(size_t) (class - 1) * ready->rows];
	return class == 1 ? ready->negative : ready->class[0];
}

const char *
dpem_gam_label(void *model, const double *x)
{
	return dpem_gam_category(model, dpem_gam_predict(model, x));
}

bool
dpem_gam_is_number(void *model)
{
	return ((const ReadyGam *) model)->number;
}

const char *
dpem_gam_target(void *model)
{
	return ((const ReadyGam *) model)->target;
}

/* ---- in other languages ---- */

/* what a column's cells add to score number s */
static void
put_column(const ReadyGam *ready, const ReadyColumn *column, const double *contribution, StringInfo out)
{
	const double *own = contribution + column->row;
	double		lower = ready->model->lower[column->coordinate];
	double		upper = ready->model->upper[column->coordinate];
	double		other = column->unknown ? own[column->bins] : 0;
	double	   *border = palloc(column->bins * sizeof(double));

	for (int i = 0; i < column->bins - 1; i++)
		border[i] = lower + (upper - lower) * ((i + 1.0) / column->bins - SLACK / 2);
	if (column->label)
		dpem_predictor_categories(out, column->coordinate, column->bins, own, other);
	else
		dpem_predictor_parts(out, column->coordinate, column->bins, border, own, other);
}

static char *
score_text(const ReadyGam *ready, int s)
{
	const double *contribution = ready->contribution + (size_t) s * ready->rows;
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfo(&out, "CAST(%s AS double precision)", dpem_predictor_number(contribution[0]));
	for (int c = 0; c < ready->columns; c++)
	{
		appendStringInfoString(&out, " + ");
		put_column(ready, &ready->column[c], contribution, &out);
	}
	return out.data;
}

/* of two classes the first has score 0 */
void
dpem_gam_predictor(void *model, DpemPredictor *p)
{
	ReadyGam   *ready = model;
	int			classes = Max(ready->scores, 2);
	const char **category = palloc(classes * sizeof(char *));

	dpem_predictor_scores(p, ready->number ? 1 : classes);
	p->number = ready->number;
	p->scale = ready->scale;
	for (int i = 0; i < p->n; i++)
	{
		int			s = i - (p->n - ready->scores);

		p->score[i] = s < 0 ? "CAST(0 AS double precision)" : score_text(ready, s);
		category[i] = p->number ? NULL : dpem_gam_category(model, i + 1);
	}
	p->category = category;
	p->weights = DPEM_CLASS_WEIGHTS_SOFTMAX;
}
