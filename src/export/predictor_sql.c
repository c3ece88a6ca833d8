/*
 * predictor_sql.c - a predictor as one SQL expression.
 *
 * A query without FROM reads the columns of the query around it and makes coordinates of them; around it stands one that
 * makes scores, and one that makes the answer.  OFFSET 0 keeps each from being copied to every place that names its results.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "utils/builtins.h"

#include "export/predictor.h"
#include "registry/calendar.h"
#include "server/arguments.h"

#define MOST_COLUMNS	1600	/* of a row */
#define MOST_EXPONENT	"700"	/* exp of it and of minus it is a number */

/* ---- coordinates ---- */

/* the registered column, or an element of it; index: of the coordinate in its column, from 1 */
static char *
own_value(const DpemModel *model, int j, int index)
{
	const char *column = quote_identifier(dpem_model_column(model, j));

	return model->column_of[j] != NULL ? psprintf("(%s)[%d]", column, index) : pstrdup(column);
}

static void
put_known(StringInfo out, const DpemModel *model, int j, const char *value)
{
	switch (model->scale ? model->scale[j] : DPEM_SCALE_LINEAR)
	{
		case DPEM_SCALE_LOG:
			appendStringInfo(out, "CASE WHEN %s > 0 THEN ln(%s) WHEN %s BETWEEN -%s AND 0 THEN %s END", value, value, value,
							 dpem_predictor_number(DBL_MAX), dpem_predictor_number(log(model->own_lower[j])));
			break;
		case DPEM_SCALE_SIGNED_LOG:
			appendStringInfo(out, "sign(%s) * ln(1 + abs(%s))", value, value);
			break;
		default:
			appendStringInfoString(out, value);
	}
}

static char *
clamped(const DpemModel *model, int j, char *value)
{
	return isnan(model->clamp_lower[j]) ? value
		: psprintf("least(greatest(%s, %s), %s)", value, dpem_predictor_number(model->clamp_lower[j]), dpem_predictor_number(model->clamp_upper[j]));
}

static void
put_number(StringInfo out, const DpemModel *model, int j, int index)
{
	const char *own = own_value(model, j, index);
	Oid			calendar = dpem_model_calendar(model, j);
	char	   *value = OidIsValid(calendar) ? dpem_calendar_expression(calendar, own) : psprintf("CAST(%s AS double precision)", own);

	if (isnan(model->imputed[j]) && isnan(model->clamp_lower[j]))
	{
		put_known(out, model, j, value);
		return;
	}
	/* least and greatest would take a bound for NULL and NaN */
	appendStringInfo(out, "CASE WHEN abs(%s) <= %s THEN ", value, dpem_predictor_number(DBL_MAX));
	put_known(out, model, j, clamped(model, j, value));
	if (!isnan(model->imputed[j]))
		appendStringInfo(out, " ELSE %s", dpem_predictor_number(model->scale ? dpem_scale_apply(model->scale[j], model->imputed[j]) : model->imputed[j]));
	appendStringInfoString(out, " END");
}

static void
put_coordinates(StringInfo out, const DpemModel *model)
{
	int			n;

	appendStringInfoString(out, "(SELECT ");
	for (int j = 0; j < model->d; j += n)
	{
		n = dpem_model_column_length(model, j);
		for (int i = 0; i < n; i++)
		{
			appendStringInfoString(out, j + i > 0 ? ", " : "");
			if (model->category_of[j + i])
				appendStringInfo(out, "CASE WHEN CAST(%s AS text) = %s THEN 1 ELSE 0 END",
								 quote_identifier(dpem_model_column(model, j)), quote_literal_cstr(model->category_of[j + i]));
			else
				put_number(out, model, j + i, i + 1);
		}
	}
	appendStringInfoString(out, " OFFSET 0) AS x (");
	for (int j = 0; j < model->d; j++)
		appendStringInfo(out, "%sx%d", j > 0 ? ", " : "", j + 1);
	appendStringInfoChar(out, ')');
}

/* no score of a point of which a number is NULL, NaN or infinite, and nothing stands for it */
static void
put_condition(StringInfo out, const DpemPredictor *p)
{
	const char *word = " WHERE";

	for (int j = 0; j < p->model->d && !p->missing; j++)
		if (p->model->category_of[j] == NULL && isnan(p->model->imputed[j]))
		{
			appendStringInfo(out, "%s abs(x%d) <= %s", word, j + 1, dpem_predictor_number(DBL_MAX));
			word = " AND";
		}
}

/* ---- scores and answers ---- */

static void
put_scores(StringInfo out, const DpemPredictor *p)
{
	appendStringInfoString(out, "(SELECT ");
	for (int k = 0; k < p->n; k++)
		appendStringInfo(out, "%s%s", k > 0 ? ", " : "", p->score[k]);
	appendStringInfoString(out, " FROM ");
	put_coordinates(out, p->model);
	put_condition(out, p);
	appendStringInfoString(out, " OFFSET 0) AS s (");
	for (int k = 0; k < p->n; k++)
		appendStringInfo(out, "%ss%d", k > 0 ? ", " : "", k + 1);
	appendStringInfoChar(out, ')');
}

/* a list of the scores, or of other numbers of the classes */
static char *
list_of(char letter, int n, const char *between)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int k = 0; k < n; k++)
		appendStringInfo(&list, "%s%c%d", k > 0 ? between : "", letter, k + 1);
	return list.data;
}

static void
put_value(StringInfo out, const DpemPredictor *p)
{
	appendStringInfoString(out, "(SELECT least(greatest(");
	if (p->domain.scale == DPEM_SCALE_LOG)
		appendStringInfoString(out, "exp(least(greatest(s1, -" MOST_EXPONENT "), 709))");
	else if (p->domain.scale == DPEM_SCALE_SIGNED_LOG)
		appendStringInfoString(out, "sign(s1) * (exp(least(abs(s1), 709)) - 1)");
	else
		appendStringInfoString(out, "s1");
	appendStringInfo(out, ", %s), %s) FROM ", dpem_predictor_number(p->domain.lower), dpem_predictor_number(p->domain.upper));
	put_scores(out, p);
	appendStringInfoChar(out, ')');
}

static void
put_class(StringInfo out, const DpemPredictor *p, bool label)
{
	appendStringInfo(out, "(SELECT CASE greatest(%s)", list_of('s', p->n, ", "));
	for (int k = 0; k < p->n; k++)
		appendStringInfo(out, " WHEN s%d THEN %s", k + 1, label ? quote_literal_cstr(p->category[k]) : psprintf("%d", k + 1));
	appendStringInfoString(out, " END FROM ");
	put_scores(out, p);
	appendStringInfoChar(out, ')');
}

static void
put_posterior(StringInfo out, const DpemPredictor *p)
{
	appendStringInfoString(out, "(SELECT ARRAY[");
	for (int k = 0; k < p->n; k++)
		appendStringInfo(out, "%sw%d / w", k > 0 ? ", " : "", k + 1);
	appendStringInfo(out, "] FROM (SELECT *, %s FROM (SELECT ", list_of('w', p->n, " + "));
	for (int k = 1; k <= p->n; k++)
		appendStringInfo(out, p->weights == DPEM_CLASS_WEIGHTS_SIGMOID
						 ? "%s1 / (1 + exp(least(greatest(-s%d, -" MOST_EXPONENT "), " MOST_EXPONENT ")))" : "%sexp(greatest(s%d - m, -" MOST_EXPONENT "))",
						 k > 1 ? ", " : "", k);
	appendStringInfo(out, " FROM (SELECT *, greatest(%s) AS m FROM ", list_of('s', p->n, ", "));
	put_scores(out, p);
	appendStringInfo(out, " OFFSET 0) AS s OFFSET 0) AS w (%s) OFFSET 0) AS w (%s, w))", list_of('w', p->n, ", "), list_of('w', p->n, ", "));
}

static const char *
outputs_of(const DpemPredictor *p)
{
	if (p->number)
		return "value";
	if (p->category == NULL)
		return p->weights == DPEM_CLASS_WEIGHTS_NONE ? "class" : "class, posterior";
	return p->weights == DPEM_CLASS_WEIGHTS_NONE ? "label, class" : "label, class, posterior";
}

static bool
has_output(const DpemPredictor *p, const char *output)
{
	if (strcmp(output, "value") == 0 || p->number)
		return p->number && strcmp(output, "value") == 0;
	if (strcmp(output, "label") == 0)
		return p->category != NULL;
	return strcmp(output, "class") == 0 || (strcmp(output, "posterior") == 0 && p->weights != DPEM_CLASS_WEIGHTS_NONE);
}

char *
dpem_predictor_sql(const DpemPredictor *p, const char *output)
{
	StringInfoData out;

	if (p->n > MOST_COLUMNS / 2 || p->model->d > MOST_COLUMNS)
		ereport(ERROR,
				(errcode(ERRCODE_TOO_MANY_COLUMNS),
				 errmsg("a predictor of %d coordinates and %d scores has no SQL", p->model->d, p->n),
				 errdetail("There are at most %d coordinates and %d scores.", MOST_COLUMNS, MOST_COLUMNS / 2)));
	if (output == NULL)
		output = p->number ? "value" : p->category ? "label" : "class";
	if (!has_output(p, output))
		dpem_refuse_name("output", output, outputs_of(p));
	initStringInfo(&out);
	if (p->number)
		put_value(&out, p);
	else if (strcmp(output, "posterior") == 0)
		put_posterior(&out, p);
	else
		put_class(&out, p, strcmp(output, "label") == 0);
	return out.data;
}
