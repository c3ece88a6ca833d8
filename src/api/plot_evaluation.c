/*
 * plot_evaluation.c - pictures of what dp_evaluate has found.
 */
#include "postgres.h"

#include "fmgr.h"

#include "core/svg/svg_evaluation.h"
#include "fit/family.h"
#include "fit/plot.h"
#include "server/argument_list.h"
#include "server/as_owner.h"

PG_FUNCTION_INFO_V1(dp_plot_evaluation);
PG_FUNCTION_INFO_V1(dpem_require_curve);

static const char *const rates_sql =
	"SELECT true_positive_rate, false_positive_rate, predicted, observed, rows, noise_stddev FROM %s.dp_evaluate_curve($1)"
	" ORDER BY threshold";

static const char *const curve_sql =
	"SELECT bin::float8 FROM dpem.evaluation_cells WHERE model = $1 AND kind IN ('classes', 'margins') LIMIT 1";

static const char *const bins_sql =
	"SELECT lower, upper, value, noise_stddev FROM dpem.evaluation_cells WHERE model = $1 AND kind = 'residuals'"
	" AND charge = (SELECT max(charge) FROM dpem.evaluation_cells WHERE model = $1 AND kind = 'residuals') ORDER BY bin";

static const char *const heading_sql =
	"SELECT format('Evaluated on %s with epsilon %s and delta %s', dataset, epsilon, delta) FROM dpem.evaluations"
	" WHERE model = $1 ORDER BY charge DESC LIMIT 1";

StaticAssertDecl(sizeof(DpemSvgRate) == 6 * sizeof(double), "a rate is its fields");
StaticAssertDecl(sizeof(DpemSvgBin) == 4 * sizeof(double), "a bin is its fields");

static DpemCaption
caption_of(const char *model)
{
	DpemPlotRows heading;

	(void) dpem_model_family(model);
	heading = dpem_plot_rows(heading_sql, 1, &model, true, 0);
	if (heading.n == 0)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("model \"%s\" has not been evaluated", model),
						errhint("dp_evaluate evaluates it on a dataset.")));
	return (DpemCaption) {dpem_plot_utf8(model), heading.name[0]};
}

static bool
has_curve(const char *model)
{
	return dpem_plot_rows(curve_sql, 1, &model, false, 1).n > 0;
}

/* dpem_internal.require_curve(model text): true; raises 42704 for a model that has not been evaluated, 42809 for one whose evaluation has no curve */
Datum
dpem_require_curve(PG_FUNCTION_ARGS)
{
	const char *model = dpem_text_argument(fcinfo, 0, "model");

	if (has_curve(model))
		PG_RETURN_BOOL(true);
	(void) caption_of(model);
	ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
					errmsg("the evaluation of model \"%s\" has no curve", model),
					errhint("Those of classifiers of two classes have one; what others say is in dpem.evaluations.")));
}

/* dp_plot_evaluation(model text): SVG, ROC curve and calibration of a classifier, or the residuals of a regression */
Datum
dp_plot_evaluation(PG_FUNCTION_ARGS)
{
	const char *model = dpem_text_argument(fcinfo, 0, "model");
	DpemCaption caption = caption_of(model);
	DpemPlotRows rates = {0};
	DpemPlotRows bins = dpem_plot_rows(bins_sql, 1, &model, false, 4);
	DpemPlot	plot;

	if (has_curve(model))
		rates = dpem_plot_rows(psprintf(rates_sql, dpem_extension_schema(fcinfo)), 1, &model, false, 6);
	if (rates.n == 0 && bins.n == 0)
		ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
						errmsg("the evaluation of model \"%s\" has no picture", model),
						errhint("Those of classifiers and regressions have one.")));
	dpem_plot_start(&plot);
	if (rates.n > 0)
		dpem_svg_rates(&plot.svg, &caption, (const DpemSvgRate *) rates.number, rates.n);
	else
		dpem_svg_bins(&plot.svg, &caption, "residual", (const DpemSvgBin *) bins.number, bins.n);
	PG_RETURN_TEXT_P(dpem_plot_finish(&plot));
}
