/*
 * model_export.c - released models in other languages: free of charge, for whoever may read them.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "api/model_ready.h"
#include "export/predictor.h"
#include "server/argument_list.h"

PG_FUNCTION_INFO_V1(dp_model_sql);
PG_FUNCTION_INFO_V1(dp_model_pmml);

static DpemPredictor
predictor_of(FunctionCallInfo fcinfo, const char *function)
{
	DpemReadyModel *ready = dpem_ready_model(fcinfo);
	const DpemModelUse *use = &ready->family->use;
	DpemPredictor p = {.model = ready->shape,.missing = use->missing};

	dpem_require_use(ready, use->predictor != NULL, function);
	p.target = use->target ? use->target(ready->model) : NULL;
	use->predictor(ready->model, &p);
	return p;
}

/*
 * dp_model_sql(model text, output text): an expression over the columns' own names that is dp_predict_value (output
 * value), dp_predict_label (label), dp_predict (class) or dp_posterior (posterior) of the row, NULL where these are.
 * Raises 42704 for models that the caller may not read, 42809 for families without, 22023 for other outputs.
 */
Datum
dp_model_sql(PG_FUNCTION_ARGS)
{
	DpemPredictor p = predictor_of(fcinfo, "dp_model_sql");

	PG_RETURN_TEXT_P(cstring_to_text(dpem_predictor_sql(&p, dpem_optional_text(fcinfo, 1))));
}

/*
 * dp_model_pmml(model text): a PMML 4.4 document, RegressionModel, ClusteringModel or NaiveBayesModel; of a logistic
 * regression of two classes at the mean of the coefficients.  Raises 42704 and 42809.
 */
Datum
dp_model_pmml(PG_FUNCTION_ARGS)
{
	DpemPredictor p = predictor_of(fcinfo, "dp_model_pmml");
	DpemReadyModel *ready = dpem_ready_model(fcinfo);
	char	   *document = dpem_predictor_pmml(&p, ready->name);

	dpem_require_use(ready, document != NULL, "dp_model_pmml");
	PG_RETURN_TEXT_P(cstring_to_text(document));
}
