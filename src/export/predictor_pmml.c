/*
 * predictor_pmml.c - a predictor as a document of the Predictive Model Markup Language, version 4.4 (Data Mining Group):
 * scores that are linear as RegressionModel, distances to centers as ClusteringModel, independent columns as NaiveBayesModel.
 *
 * Columns on a logarithmic scale are derived fields.  A label without a category that the model knows adds nothing.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "export/predictor.h"

#define NUMBER(x)	"<Constant dataType=\"double\">" x "</Constant>"

/* what XML has no way to write becomes the replacement character */
static char *
escape(const char *text)
{
	StringInfoData out;

	initStringInfo(&out);
	for (; *text; text++)
	{
		unsigned char c = (unsigned char) *text;

		if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\t' || c == '\n' || c == '\r')
			appendStringInfo(&out, "&#%d;", c);
		else if (c < 32 || c == 127)
			appendStringInfoString(&out, "&#65533;");
		else
			appendStringInfoChar(&out, (char) c);
	}
	return out.data;
}

static bool
on_scale(const DpemModel *model, int j)
{
	return model->scale != NULL && model->scale[j] != DPEM_SCALE_LINEAR;
}

/* a column of the source; each element of an array is a field of its own */
static char *
field_name(const DpemModel *model, int j)
{
	return escape(model->category_of[j] ? dpem_model_column(model, j) : model->column[j]);
}

/* as the model sees it */
static char *
coordinate_name(const DpemModel *model, int j)
{
	return on_scale(model, j) ? psprintf("%s(%s)", dpem_scale_name(model->scale[j]), field_name(model, j)) : field_name(model, j);
}

/* coordinates that are one field: the categories of a label */
static int
field_length(const DpemModel *model, int j)
{
	return model->category_of[j] ? dpem_model_column_length(model, j) : 1;
}

/* ---- fields ---- */

static void
put_values(StringInfo out, const char *const *value, int n)
{
	for (int i = 0; i < n; i++)
		appendStringInfo(out, "<Value value=\"%s\"/>", escape(value[i]));
	appendStringInfoString(out, "</DataField>\n");
}

static void
put_target_field(StringInfo out, const DpemPredictor *p)
{
	if (p->target == NULL)
		return;
	appendStringInfo(out, "    <DataField name=\"%s\" optype=\"%s\" dataType=\"%s\">", escape(p->target), p->number ? "continuous" : "categorical",
					 p->number ? "double" : "string");
	put_values(out, p->category, p->number ? 0 : p->n);
}

static void
put_dictionary(StringInfo out, const DpemPredictor *p)
{
	const DpemModel *m = p->model;
	int			fields = p->target != NULL;

	for (int j = 0; j < m->d; j += field_length(m, j))
		fields++;
	appendStringInfo(out, "  <DataDictionary numberOfFields=\"%d\">\n", fields);
	for (int j = 0; j < m->d; j += field_length(m, j))
	{
		bool		label = m->category_of[j] != NULL;

		appendStringInfo(out, "    <DataField name=\"%s\" optype=\"%s\" dataType=\"%s\">", field_name(m, j),
						 label ? "categorical" : "continuous", label ? "string" : "double");
		put_values(out, (const char *const *) m->category_of + j, label ? field_length(m, j) : 0);
	}
	put_target_field(out, p);
	appendStringInfoString(out, "  </DataDictionary>\n");
}

/* a category that the model does not know adds nothing: to a sum of coefficients it is 0, to a product of probabilities unknown */
static void
put_schema(StringInfo out, const DpemPredictor *p)
{
	const DpemModel *m = p->model;
	const char *invalid = psprintf(" invalidValueTreatment=\"%s\"", p->probability ? "asMissing" : "asIs");

	appendStringInfoString(out, "    <MiningSchema>\n");
	for (int j = 0; j < m->d; j += field_length(m, j))
	{
		appendStringInfo(out, "      <MiningField name=\"%s\"%s", field_name(m, j), m->category_of[j] ? invalid : "");
		if (!isnan(m->imputed[j]))
			appendStringInfo(out, " missingValueReplacement=\"%s\"", dpem_predictor_number(m->imputed[j]));
		if (!isnan(m->clamp_lower[j]))
			appendStringInfo(out, " outliers=\"asExtremeValues\" lowValue=\"%s\" highValue=\"%s\"", dpem_predictor_number(m->clamp_lower[j]),
							 dpem_predictor_number(m->clamp_upper[j]));
		appendStringInfoString(out, "/>\n");
	}
	if (p->target)
		appendStringInfo(out, "      <MiningField name=\"%s\" usageType=\"target\"/>\n", escape(p->target));
	appendStringInfoString(out, "    </MiningSchema>\n");
}

/* ln x, of finite x up to 0 that of the domain's lower bound, of -infinity nothing; sign(x) ln(1 + |x|) */
static void
put_scale(StringInfo out, const DpemModel *m, int j)
{
	char	   *field = psprintf("<FieldRef field=\"%s\"/>", field_name(m, j));

	appendStringInfo(out, "      <DerivedField name=\"%s\" optype=\"continuous\" dataType=\"double\"><Apply function=\"if\">", coordinate_name(m, j));
	if (m->scale[j] == DPEM_SCALE_LOG)
		appendStringInfo(out, "<Apply function=\"greaterThan\">%s" NUMBER("0") "</Apply><Apply function=\"ln\">%s</Apply>"
						 "<Apply function=\"if\"><Apply function=\"greaterOrEqual\">%s" NUMBER("-%s") "</Apply>" NUMBER("%s") "</Apply>",
						 field, field, field, dpem_predictor_number(DBL_MAX), dpem_predictor_number(log(m->own_lower[j])));
	else
		appendStringInfo(out, "<Apply function=\"lessThan\">%s" NUMBER("0") "</Apply>"
						 "<Apply function=\"*\">" NUMBER("-1") "<Apply function=\"ln\"><Apply function=\"-\">" NUMBER("1") "%s</Apply></Apply></Apply>"
						 "<Apply function=\"ln\"><Apply function=\"+\">" NUMBER("1") "%s</Apply></Apply>", field, field, field);
	appendStringInfoString(out, "</Apply></DerivedField>\n");
}

static void
put_scales(StringInfo out, const DpemModel *m)
{
	bool		any = false;

	for (int j = 0; j < m->d; j++)
		if (on_scale(m, j))
		{
			appendStringInfoString(out, any ? "" : "    <LocalTransformations>\n");
			put_scale(out, m, j);
			any = true;
		}
	appendStringInfoString(out, any ? "    </LocalTransformations>\n" : "");
}

/* ---- models ---- */

static void
put_table(StringInfo out, const DpemModel *m, const double *coefficient, const char *category)
{
	appendStringInfo(out, "    <RegressionTable intercept=\"%s\"", dpem_predictor_number(coefficient[m->d]));
	if (category)
		appendStringInfo(out, " targetCategory=\"%s\"", escape(category));
	appendStringInfoString(out, ">\n");
	for (int j = 0; j < m->d; j++)
		if (m->category_of[j] == NULL)
			appendStringInfo(out, "      <NumericPredictor name=\"%s\" coefficient=\"%s\"/>\n", coordinate_name(m, j), dpem_predictor_number(coefficient[j]));
	for (int j = 0; j < m->d; j++)
		if (m->category_of[j] != NULL)
			appendStringInfo(out, "      <CategoricalPredictor name=\"%s\" value=\"%s\" coefficient=\"%s\"/>\n", field_name(m, j),
							 escape(m->category_of[j]), dpem_predictor_number(coefficient[j]));
	appendStringInfoString(out, "    </RegressionTable>\n");
}

static const char *
normalization(const DpemPredictor *p)
{
	if (p->number)
		return p->domain.scale == DPEM_SCALE_LOG ? "exp" : "none";
	return p->weights == DPEM_CLASS_WEIGHTS_SOFTMAX ? "softmax" : p->weights == DPEM_CLASS_WEIGHTS_SIGMOID ? "logit" : "none";
}

/* of two classes with one score the first's is 0 */
static void
put_regression(StringInfo out, const DpemPredictor *p, const char *name)
{
	int			d = p->model->d;
	double	   *zero = palloc0((d + 1) * sizeof(double));

	appendStringInfo(out, "  <RegressionModel modelName=\"%s\" functionName=\"%s\" normalizationMethod=\"%s\">\n", escape(name),
					 p->number ? "regression" : "classification", normalization(p));
	put_schema(out, p);
	if (p->number)
		appendStringInfo(out, "    <Targets><Target field=\"%s\" min=\"%s\" max=\"%s\"/></Targets>\n", escape(p->target),
						 dpem_predictor_number(p->domain.lower), dpem_predictor_number(p->domain.upper));
	put_scales(out, p->model);
	if (p->n > p->linear_rows)
		put_table(out, p->model, zero, p->category[0]);
	for (int row = 0; row < p->linear_rows; row++)
		put_table(out, p->model, p->linear + (size_t) row * (d + 1), p->number ? NULL : p->category[row + p->n - p->linear_rows]);
	appendStringInfoString(out, "  </RegressionModel>\n");
}

static void
put_clusters(StringInfo out, const DpemPredictor *p, const char *name)
{
	const DpemModel *m = p->model;

	appendStringInfo(out, "  <ClusteringModel modelName=\"%s\" functionName=\"clustering\" modelClass=\"centerBased\" numberOfClusters=\"%d\">\n",
					 escape(name), p->n);
	put_schema(out, p);
	put_scales(out, m);
	appendStringInfoString(out, "    <ComparisonMeasure kind=\"distance\"><squaredEuclidean/></ComparisonMeasure>\n");
	for (int j = 0; j < m->d; j++)
		appendStringInfo(out, "    <ClusteringField field=\"%s\" compareFunction=\"absDiff\" fieldWeight=\"%s\"/>\n", coordinate_name(m, j),
						 dpem_predictor_number(1 / (p->half_width[j] * p->half_width[j])));
	for (int k = 0; k < p->n; k++)
	{
		appendStringInfo(out, "    <Cluster id=\"%d\"><Array n=\"%d\" type=\"real\">", k + 1, m->d);
		for (int j = 0; j < m->d; j++)
			appendStringInfo(out, "%s%s", j > 0 ? " " : "", dpem_predictor_number(p->center[(size_t) k * m->d + j]));
		appendStringInfoString(out, "</Array></Cluster>\n");
	}
	appendStringInfoString(out, "  </ClusteringModel>\n");
}

/* the parts of a number as categories "1", "2", ... of a field of their own */
static void
put_bins(StringInfo out, const DpemModel *m, const DpemPredictorCells *column)
{
	char	   *field = coordinate_name(m, column->first);
	char	   *from = dpem_predictor_number(-DBL_MAX);

	appendStringInfo(out, "        <DerivedField name=\"part of %s\" optype=\"categorical\" dataType=\"string\"><Discretize field=\"%s\">\n", field, field);
	for (int i = 0; i < column->cells; i++)
	{
		bool		last = i == column->cells - 1;
		char	   *to = dpem_predictor_number(last ? DBL_MAX : column->border[i]);

		appendStringInfo(out, "          <DiscretizeBin binValue=\"%d\"><Interval closure=\"%s\" leftMargin=\"%s\" rightMargin=\"%s\"/></DiscretizeBin>\n",
						 i + 1, last ? "closedClosed" : "closedOpen", from, to);
		from = to;
	}
	appendStringInfoString(out, "        </Discretize></DerivedField>\n");
}

/* of each class its share of the rows times a part of that */
static void
put_counts(StringInfo out, const DpemPredictor *p, const double *part)
{
	appendStringInfoString(out, "<TargetValueCounts>");
	for (int c = 0; c < p->n; c++)
		appendStringInfo(out, "<TargetValueCount value=\"%s\" count=\"%s\"/>", escape(p->category[c]), dpem_predictor_number(p->weight[c] * part[c]));
	appendStringInfoString(out, "</TargetValueCounts>");
}

/* the largest sum of a column's probabilities to the power in a class */
static double
largest_sum(const DpemPredictor *p, const DpemPredictorCells *column)
{
	double		most = 0;

	for (int c = 0; c < p->n; c++)
	{
		const double *own = p->probability + (size_t) c * p->cells + column->cell;
		double		sum = 0;

		for (int i = 0; i < column->cells; i++)
			sum += pow(own[i], p->power);
		most = fmax(most, sum);
	}
	return most;
}

/* part[] = a class's probability of a cell to the power, in parts of that */
static void
find_parts(const DpemPredictor *p, int cell, double most, double *part)
{
	for (int c = 0; c < p->n; c++)
		part[c] = pow(p->probability[(size_t) c * p->cells + cell], p->power) / most;
}

/* a value that no row has: "0", or what no category is called */
static char *
no_value(const DpemModel *m, const DpemPredictorCells *column)
{
	char	   *value = pstrdup("0");

	for (int i = 0; i < column->cells && column->border == NULL; i++)
		if (strcmp(m->category_of[column->first + i], value) == 0)
		{
			value = psprintf("%s0", value);
			i = -1;
		}
	return value;
}

static void
put_pair(StringInfo out, const DpemPredictor *p, const char *value, const double *part)
{
	appendStringInfo(out, "        <PairCounts value=\"%s\">", escape(value));
	put_counts(out, p, part);
	appendStringInfoString(out, "</PairCounts>\n");
}

/*
 * Counts of a value are divided by the sum over all values.  Powers of probabilities do not add up to the same in every class: what they lack
 * is counted for a value that no row has.
 */
static void
put_input(StringInfo out, const DpemPredictor *p, const DpemPredictorCells *column)
{
	const DpemModel *m = p->model;
	double	   *part = palloc(2 * p->n * sizeof(double));
	double	   *rest = part + p->n;
	double		most = largest_sum(p, column);

	appendStringInfo(out, "      <BayesInput fieldName=\"%s\">\n", coordinate_name(m, column->first));
	if (column->border)
		put_bins(out, m, column);
	for (int c = 0; c < p->n; c++)
		rest[c] = 1;
	for (int i = 0; i < column->cells; i++)
	{
		find_parts(p, column->cell + i, most, part);
		for (int c = 0; c < p->n; c++)
			rest[c] = fmax(rest[c] - part[c], 0);
		put_pair(out, p, column->border ? psprintf("%d", i + 1) : m->category_of[column->first + i], part);
	}
	put_pair(out, p, no_value(m, column), rest);
	appendStringInfoString(out, "      </BayesInput>\n");
}

/* no count of a value that rows have is 0, so that the threshold, which stands for such, is never used */
static void
put_bayes(StringInfo out, const DpemPredictor *p, const char *name)
{
	double	   *whole = palloc(p->n * sizeof(double));

	for (int c = 0; c < p->n; c++)
		whole[c] = 1;
	appendStringInfo(out, "  <NaiveBayesModel modelName=\"%s\" functionName=\"classification\" threshold=\"0\">\n", escape(name));
	put_schema(out, p);
	put_scales(out, p->model);
	appendStringInfoString(out, "    <BayesInputs>\n");
	for (int i = 0; i < p->columns; i++)
		put_input(out, p, &p->column[i]);
	appendStringInfo(out, "    </BayesInputs>\n    <BayesOutput fieldName=\"%s\">", escape(p->target));
	put_counts(out, p, whole);
	appendStringInfoString(out, "</BayesOutput>\n  </NaiveBayesModel>\n");
}

static bool
has_labels(const DpemModel *m)
{
	for (int j = 0; j < m->d; j++)
		if (m->category_of[j])
			return true;
	return false;
}

char *
dpem_predictor_pmml(const DpemPredictor *p, const char *name)
{
	StringInfoData out;
	bool		regression = p->linear != NULL && !(p->number && p->domain.scale == DPEM_SCALE_SIGNED_LOG);

	if (!regression && p->probability == NULL && (p->center == NULL || has_labels(p->model)))
		return NULL;
	initStringInfo(&out);
	appendStringInfoString(&out, "<?xml version=\"1.0\"?>\n<PMML version=\"4.4\" xmlns=\"http://www.dmg.org/PMML-4_4\">\n"
						   "  <Header description=\"fitted under differential privacy\"><Application name=\"dpem\"/></Header>\n");
	put_dictionary(&out, p);
	if (regression)
		put_regression(&out, p, name);
	else if (p->probability)
		put_bayes(&out, p, name);
	else
		put_clusters(&out, p, name);
	appendStringInfoString(&out, "</PMML>\n");
	return out.data;
}
