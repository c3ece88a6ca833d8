/*
 * gam_use.c - evaluating additive models.
 *
 * Class 1 of two is the first category of the target; of several, classes are in the order of the categories.
 */
#include "postgres.h"

#include <math.h>

#include "export/predictor.h"
#include "families/gam/gam_ready.h"

/* score number s; variance: of its intercept and contributions, as if these were independent */
static double
score_of(const DpemReadyGam *ready, int s, const double *x, double *variance)
{
	const double *contribution = ready->contribution + (size_t) s * ready->rows;
	const double *error = ready->error + (size_t) s * ready->rows;
	double		score = contribution[0];

	*variance = error[0] * error[0];
	for (int c = 0; c < ready->columns; c++)
	{
		int			row = dpem_gam_column_row(ready, &ready->column[c], x);

		score += row < 0 ? 0 : contribution[row];
		*variance += row < 0 ? 0 : error[row] * error[row];
	}
	for (int q = 0; q < ready->pairs; q++)
	{
		int			row = dpem_gam_pair_row(ready, &ready->pair[q], x);

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

/* in the target's own unit, within its domain: on a logarithmic scale its median */
double
dpem_gam_value(void *model, const double *x)
{
	const DpemReadyGam *ready = model;
	double		variance;

	require(ready->number, "label", "dp_predict_label or dp_posterior");
	return dpem_scale_predict(&ready->domain, score_of(ready, 0, x, &variance));
}

const DpemScaledDomain *
dpem_gam_domain(void *model)
{
	return &((const DpemReadyGam *) model)->domain;
}

void
dpem_gam_interval(void *model, const double *x, double reach, double *bounds)
{
	const DpemReadyGam *ready = model;
	double		variance;
	double		score;
	double		width;

	require(ready->number, "label", "dp_posterior");
	score = dpem_scale_apply(ready->domain.scale, dpem_scale_predict(&ready->domain, score_of(ready, 0, x, &variance)));
	width = reach * sqrt(variance + *dpem_model_numbers(ready->model, DPEM_GAM_RESIDUAL));
	bounds[0] = dpem_scale_invert(ready->domain.scale, score - width);
	bounds[1] = dpem_scale_invert(ready->domain.scale, score + width);
}

/* ---- classes ---- */

static void
several_classes(DpemReadyGam *ready, const double *x)
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
	DpemReadyGam   *ready = model;
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
	const DpemReadyGam *ready = model;

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
	return ((const DpemReadyGam *) model)->number;
}

const char *
dpem_gam_target(void *model)
{
	return ((const DpemReadyGam *) model)->target;
}

/* ---- in other languages ---- */

/* a column's value among those of its bins or categories, `other` of rows without one */
static void
put_cells(const DpemReadyColumn *column, const double *value, double other, StringInfo out)
{
	if (column->label)
		dpem_predictor_categories(out, column->coordinate, column->bins, value, other);
	else
		dpem_predictor_parts(out, column->coordinate, column->bins, column->edge, value, other);
}

/* what a column's cells add to score number s */
static void
put_column(const DpemReadyColumn *column, const double *contribution, StringInfo out)
{
	const double *own = contribution + column->row;

	put_cells(column, own, column->unknown ? own[column->bins] : 0, out);
}

/* which part of a pair a point is in, times `across`; where in none, less than any other sum of two of these */
static void
put_part(const DpemReadyGam *ready, const DpemReadyPair *pair, int side, int across, StringInfo out)
{
	const DpemReadyColumn *column = &ready->column[pair->column[side]];
	double		none = -pair->parts[0] * pair->parts[1];
	double	   *part = palloc((column->bins + 1) * sizeof(double));

	for (int bin = 0; bin <= column->bins; bin++)
	{
		int			at = dpem_gam_part_of(ready, pair, side, bin);

		part[bin] = at < 0 ? none : at * across;
	}
	put_cells(column, part + 1, part[0], out);
}

static void
put_pair(const DpemReadyGam *ready, const DpemReadyPair *pair, const double *contribution, StringInfo out)
{
	appendStringInfoString(out, "CASE (");
	put_part(ready, pair, 0, pair->parts[1], out);
	appendStringInfoString(out, ") + (");
	put_part(ready, pair, 1, 1, out);
	appendStringInfoChar(out, ')');
	for (int i = 0; i < pair->parts[0] * pair->parts[1]; i++)
		appendStringInfo(out, " WHEN %d THEN %s", i, dpem_predictor_number(contribution[pair->row + i]));
	appendStringInfoString(out, " ELSE 0 END");
}

static char *
score_text(const DpemReadyGam *ready, int s)
{
	const double *contribution = ready->contribution + (size_t) s * ready->rows;
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfo(&out, "CAST(%s AS double precision)", dpem_predictor_number(contribution[0]));
	for (int c = 0; c < ready->columns; c++)
	{
		appendStringInfoString(&out, " + ");
		put_column(&ready->column[c], contribution, &out);
	}
	for (int q = 0; q < ready->pairs; q++)
	{
		appendStringInfoString(&out, " + ");
		put_pair(ready, &ready->pair[q], contribution, &out);
	}
	return out.data;
}

/* of two classes the first has score 0 */
void
dpem_gam_predictor(void *model, DpemPredictor *p)
{
	DpemReadyGam   *ready = model;
	int			classes = Max(ready->scores, 2);
	const char **category = palloc(classes * sizeof(char *));

	dpem_predictor_scores(p, ready->number ? 1 : classes);
	p->number = ready->number;
	p->domain = ready->domain;
	for (int i = 0; i < p->n; i++)
	{
		int			s = i - (p->n - ready->scores);

		p->score[i] = s < 0 ? "CAST(0 AS double precision)" : score_text(ready, s);
		category[i] = p->number ? NULL : dpem_gam_category(model, i + 1);
	}
	p->category = category;
	p->weights = DPEM_CLASS_WEIGHTS_SOFTMAX;
}
