/*
 * synth_use.c - evaluating models of marginals: classes of a label, probabilities, rows.
 */
#include "postgres.h"

#include <math.h>

#include "lib/stringinfo.h"

#include "core/synth/synth_use.h"
#include "families/synth/synth.h"
#include "server/entropy.h"
#include "server/fit_memory.h"

/* ---- values and categories ---- */

static int
label_code(const DpemSynthColumn *column, const double *x)
{
	for (int i = 0; i < column->length; i++)
	{
		if (x[column->first + i] > 0.5)
			return i;
	}
	return column->length;
}

static int
number_code(const DpemSynthColumn *column, double x)
{
	if (isnan(x))
		return column->cells > column->bins ? column->bins : -1;
	return dpem_synth_bin(column, x);
}

void
dpem_synth_codes(const DpemReadySynth *ready, const double *x, int *row)
{
	for (int c = 0; c < ready->columns; c++)
	{
		const DpemSynthColumn *column = &ready->column[c];

		row[c] = column->length > 1 ? label_code(column, x) : number_code(column, x[column->first]);
	}
}

/* ---- groups in words ---- */

#define DIGITS_OF_WIDTH	4	/* a ten thousandth of a bin: synth_filter.c takes what is so close for the edge */
#define LEAST_DIGITS	6
#define MOST_DIGITS		17			/* all of a double's: neighbouring edges may be next to each other */

static double
edge_of(const DpemReadySynth *ready, const DpemSynthColumn *column, int bin)
{
	double		y = dpem_synth_edge(column, bin);

	return ready->model->scale ? dpem_scale_invert(ready->model->scale[column->first], y) : y;
}

/* in as many digits as tell an edge from its neighbours, well */
static void
append_edge(const DpemReadySynth *ready, const DpemSynthColumn *column, int i, StringInfo text)
{
	double		edge = edge_of(ready, column, i);
	double		width = fmin(i > 0 ? edge - edge_of(ready, column, i - 1) : INFINITY, i < column->bins ? edge_of(ready, column, i + 1) - edge : INFINITY);
	double		digits = DIGITS_OF_WIDTH + ceil(log10(fabs(edge) / width));

	appendStringInfo(text, "%.*g", (int) fmin(fmax(digits, LEAST_DIGITS), MOST_DIGITS), edge);
}

static void
append_interval(const DpemReadySynth *ready, const DpemSynthColumn *column, int first, int last, StringInfo text)
{
	double		from = dpem_synth_first_whole(column, first);
	double		to = dpem_synth_last_whole(column, last);

	if (column->whole > 0)
	{
		appendStringInfo(text, from == to ? "%.0f" : "%.0f..%.0f", from, to);
		return;
	}
	appendStringInfoChar(text, '[');
	append_edge(ready, column, first, text);
	appendStringInfoChar(text, ',');
	append_edge(ready, column, last + 1, text);
	appendStringInfoChar(text, last == column->bins - 1 ? ']' : ')');
}

/* bins of a group follow each other; what is unknown is the last category */
static void
append_numbers(const DpemReadySynth *ready, const DpemSynthColumn *column, const int *group, int of, StringInfo text)
{
	int			first = -1;
	int			last = -1;

	for (int i = 0; i < column->bins; i++)
	{
		first = group[i] == of && first < 0 ? i : first;
		last = group[i] == of ? i : last;
	}
	if (first >= 0)
		append_interval(ready, column, first, last, text);
	if (column->cells > column->bins && group[column->bins] == of)
		appendStringInfoString(text, first >= 0 ? " or unknown" : "unknown");
}

static void
append_categories(const DpemReadySynth *ready, const DpemSynthColumn *column, const int *group, int of, StringInfo text)
{
	for (int i = 0; i < column->cells; i++)
	{
		if (group[i] == of)
			appendStringInfo(text, "%s%s", text->len > 0 ? " or " : "",
							 i < column->length ? ready->model->category_of[column->first + i] : "unknown");
	}
}

char *
dpem_synth_key(const DpemReadySynth *ready, int c, int level, int of)
{
	const DpemSynthColumn *column = &ready->column[c];
	const int  *group = ready->levels.group[level] + ready->levels.offset[c];
	StringInfoData text;

	initStringInfo(&text);
	if (column->length > 1)
		append_categories(ready, column, group, of, &text);
	else
		append_numbers(ready, column, group, of, &text);
	return text.data;
}

/* ---- the label ---- */

static const DpemSynthColumn *
label_of(const DpemReadySynth *ready)
{
	if (ready->label < 0)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("this set of marginals was fitted without a label"),
				 errhint("dp_synth_fit(..., label => 'column') makes a model that predicts that column.")));
	return &ready->column[ready->label];
}

/*
 * Of a row that the model does not know, the label's own distribution, and zeros if that is none: rows that an
 * evaluation scores are private, so none of them may raise an error.
 */
static void
find_posterior(DpemReadySynth *ready)
{
	if (dpem_synth_posterior(&ready->graph, ready->label, ready->row, ready->posterior) == DPEM_OK)
		return;
	for (int c = 0; c < ready->columns; c++)
		ready->row[c] = -1;
	if (dpem_synth_posterior(&ready->graph, ready->label, ready->row, ready->posterior) != DPEM_OK)
		memset(ready->posterior, 0, ready->column[ready->label].cells * sizeof(double));
}

/* over the label's known categories, or bins */
const double *
dpem_synth_label_posterior(void *model, const double *x, int *n)
{
	DpemReadySynth *ready = model;
	const DpemSynthColumn *label = label_of(ready);
	double		sum = 0;

	*n = label->length > 1 ? label->length : label->bins;
	dpem_synth_codes(ready, x, ready->row);
	find_posterior(ready);
	for (int i = 0; i < *n; i++)
		sum += ready->posterior[i];
	for (int i = 0; i < *n; i++)
		ready->posterior[i] = sum > 0 ? ready->posterior[i] / sum : 1.0 / *n;
	return ready->posterior;
}

int
dpem_synth_predict(void *model, const double *x)
{
	int			n;
	const double *p = dpem_synth_label_posterior(model, x, &n);
	int			best = 0;

	for (int i = 1; i < n; i++)
		best = p[i] > p[best] ? i : best;
	return best + 1;
}

const char *
dpem_synth_predict_label(void *model, const double *x)
{
	int			best = dpem_synth_predict(model, x) - 1;
	const DpemReadySynth *ready = model;
	int			group = ready->levels.group[0][ready->levels.offset[ready->label] + best];

	return dpem_synth_key(ready, ready->label, 0, group);
}

/* before the background; a row with a number missing that never is has probability 0 */
double
dpem_synth_row_density(void *model, const double *x)
{
	DpemReadySynth *ready = model;
	double		density;

	dpem_synth_codes(ready, x, ready->row);
	for (int c = 0; c < ready->columns; c++)
	{
		if (ready->row[c] < 0)
			return -INFINITY;
	}
	if (dpem_synth_log_density(&ready->graph, ready->row, &density) != DPEM_OK)
		return -INFINITY;
	return dpem_synth_before_background(&ready->levels, ready->log_share, ready->row, density);
}

/* ---- rows ---- */

#define FEWEST_ROWS 16
#define MOST_ROWS	4096

/* categories of rows drawn ahead */
struct DpemSynthRows
{
	DpemPublicRandom random;
	int			n;
	int			next;
	int		   *row;			/* MOST_ROWS * columns */
};

static struct DpemSynthRows *
begin_rows(DpemReadySynth *ready, DpemSampler *sampler)
{
	MemoryContext old = MemoryContextSwitchTo(GetMemoryChunkContext(ready));
	struct DpemSynthRows *rows = palloc0(sizeof(struct DpemSynthRows));
	uint64_t	seed;

	dpem_entropy_check(dpem_sample_uniform(sampler, UINT64CONST(1) << 62, &seed));
	rows->random = (DpemPublicRandom) {seed};
	rows->row = palloc((size_t) MOST_ROWS * ready->columns * sizeof(int));
	MemoryContextSwitchTo(old);
	return rows;
}

/* first a few, then more at a time */
static const int *
next_row(DpemReadySynth *ready, DpemSampler *sampler)
{
	struct DpemSynthRows *rows;

	if (ready->rows == NULL)
		ready->rows = begin_rows(ready, sampler);
	rows = ready->rows;
	if (rows->next == rows->n)
	{
		rows->n = Min(Max(2 * rows->n, FEWEST_ROWS), MOST_ROWS);
		rows->next = 0;
		dpem_synth_require(dpem_synth_sample(&ready->graph, &rows->random, rows->n, rows->row));
	}
	return rows->row + (size_t) ready->columns * rows->next++;
}

/* anywhere in the bin, and in the domain */
static double
draw_number(const DpemSynthColumn *column, DpemSampler *sampler, int bin)
{
	double		u = dpem_entropy_uniform(sampler);

	if (bin >= column->bins)
		return NAN;
	return dpem_synth_value(column, bin, u);
}

/* labels of a single category are no columns of the model */
static void
draw_constants(const DpemModel *model, double *x)
{
	for (int j = 0; j < model->d; j++)
		x[j] = model->category_of[j] != NULL;
}

/* a row's unknown label has none of its categories, an unknown number is NaN */
void
dpem_synth_draw(void *model, DpemSampler *sampler, double *x)
{
	DpemReadySynth *ready = model;
	const int  *row = next_row(ready, sampler);

	draw_constants(ready->model, x);
	for (int c = 0; c < ready->columns; c++)
	{
		const DpemSynthColumn *column = &ready->column[c];

		if (column->length == 1)
			x[column->first] = draw_number(column, sampler, row[c]);
		for (int i = 0; column->length > 1 && i < column->length; i++)
			x[column->first + i] = i == row[c];
	}
}
