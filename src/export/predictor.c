/*
 * predictor.c - parts of predictors in SQL; see predictor.h.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "utils/float.h"

#include "export/predictor.h"

#define BEYOND	1e300			/* the size of an infinite score */

void
dpem_predictor_scores(DpemPredictor *p, int n)
{
	p->n = n;
	p->score = palloc0(n * sizeof(char *));
}

char *
dpem_predictor_number(double value)
{
	return float8out_internal(isinf(value) ? copysign(BEYOND, value) : value);
}

char *
dpem_predictor_linear(const double *coefficient, int d)
{
	StringInfoData sum;

	initStringInfo(&sum);
	appendStringInfo(&sum, "CAST(%s AS double precision)", dpem_predictor_number(coefficient[d]));
	for (int j = 0; j < d; j++)
		appendStringInfo(&sum, "%s%s * x%d", dpem_predictor_plus(j, d), dpem_predictor_number(coefficient[j]), j + 1);
	if (d > DPEM_PREDICTOR_TERMS)
		appendStringInfoChar(&sum, ')');
	return sum.data;
}

const char *
dpem_predictor_plus(int i, int n)
{
	if (n <= DPEM_PREDICTOR_TERMS || i % DPEM_PREDICTOR_TERMS > 0)
		return " + ";
	return i > 0 ? ") + (" : " + (";
}

void
dpem_predictor_parts(StringInfo out, int j, int n, const double *border, const double *value, double other)
{
	char	   *unknown = dpem_predictor_number(other);
	char	   *largest = dpem_predictor_number(DBL_MAX);

	appendStringInfo(out, "CASE WHEN x%d < -%s THEN %s", j + 1, largest, unknown);
	for (int i = 0; i < n - 1; i++)
		appendStringInfo(out, " WHEN x%d < %s THEN %s", j + 1, dpem_predictor_number(border[i]), dpem_predictor_number(value[i]));
	appendStringInfo(out, " WHEN x%d <= %s THEN %s ELSE %s END", j + 1, largest, dpem_predictor_number(value[n - 1]), unknown);
}

void
dpem_predictor_categories(StringInfo out, int j, int n, const double *value, double other)
{
	appendStringInfoString(out, "CASE");
	for (int i = 0; i < n; i++)
		appendStringInfo(out, " WHEN x%d > 0.5 THEN %s", j + i + 1, dpem_predictor_number(value[i]));
	appendStringInfo(out, " ELSE %s END", dpem_predictor_number(other));
}
