/*
 * fit_model.c - see fit_model.h.
 */
#include "postgres.h"

#include <limits.h>
#include <math.h>

#include "catalog/pg_type.h"

#include "core/numeric/bisect.h"
#include "core/columns/column_range.h"
#include "fit/fit_margins.h"
#include "fit/fit_model.h"
#include "fit/model_name.h"
#include "fit/progress.h"
#include "server/as_owner.h"
#include "server/attempt.h"
#include "server/fit_memory.h"

void
dpem_fit_require_possible(const DpemFitRequest *request)
{
	if (isfinite(request->epsilon) && !request->nominal)
		dpem_charge_require_possible(request->function, !request->answers);
}

const char *
dpem_fit_category(const DpemFitPlan *plan, int group)
{
	const DpemGrouping *grouping = plan->binding->grouping;

	return grouping && grouping->category && grouping->within == NULL ? grouping->category[group] : NULL;
}

static DpemModelNames
names_of(const DpemFitPlan *plan, const char *stem)
{
	const DpemGrouping *grouping = plan->binding->grouping;

	return grouping && grouping->category ? (DpemModelNames) {stem, grouping->category, grouping->n, false}
	: (DpemModelNames) {stem, NULL, 0, false};
}

/* the categories are the owner's, and of any length */
static void
require_short_names(const DpemFitPlan *plan)
{
	for (int g = 0; g < plan->groups; g++)
	{
		const char *category = dpem_fit_category(plan, g);

		if (category && strlen(category) > DPEM_MODEL_NAME_MOST - DPEM_MODEL_STEM_MOST)
			ereport(ERROR,
					(errcode(ERRCODE_NAME_TOO_LONG),
					 errmsg("the model of a category would have a name of more than %d bytes", DPEM_MODEL_NAME_MOST),
					 errhint("Leave out by, or ask the dataset's owner for shorter categories.")));
	}
}

void
dpem_fit_claim_name(DpemFitPlan *plan)
{
	DpemModelNames names;

	if (!plan->noisy)
		return;
	require_short_names(plan);
	if (plan->request->model == NULL)
		return;
	names = names_of(plan, plan->request->model);
	names.replace = plan->request->replace;
	dpem_model_claim(&names);
	plan->model = plan->request->model;
}

typedef struct Naming
{
	DpemModelNames names;
	char	   *stem;
} Naming;

static void
claim_free(void *argument)
{
	Naming	   *naming = argument;

	naming->stem = dpem_model_claim_free(&naming->names, 1);
}

void
dpem_fit_name_models(DpemFitPlan *plan, const char *family, int64 charge)
{
	Naming		naming;
	ErrorData  *error;

	if (!plan->noisy || plan->model != NULL)
		return;
	naming.names = names_of(plan, dpem_model_stem(plan->dataset->name, family, charge));
	error = dpem_attempt(claim_free, &naming, true);
	if (error != NULL)
		dpem_model_warn_lost(error);
	else
		plan->model = naming.stem;
}

void
dpem_fit_record(const DpemFitPlan *plan, int group, DpemModelRecord *record)
{
	const DpemFitRequest *r = plan->request;

	/* its rows may be read slowly, through a cursor */
	dpem_progress_end();
	record->stem = plan->model;
	record->replace = plan->request->replace;
	record->function = r->function;
	record->arguments = r->arguments;
	record->public_rows = plan->public_rows;
	record->binding = plan->binding;
	record->category = dpem_fit_category(plan, group);
	record->composition = dpem_composition_name(plan->composition);
	record->iterations = plan->iterations;
	record->epsilon = r->epsilon;
	record->delta = r->delta;
}

double
dpem_fit_own_number(const DpemColumn *column, double value)
{
	return fmin(fmax(dpem_scale_invert(column->scale, value), column->lower), column->upper);
}

static void
put_imputed(const DpemFitPlan *plan, const DpemFeatureMap *map, DpemModel *model)
{
	const DpemColumn **column = dpem_binding_columns(plan->binding);
	double	   *imputed = dpem_fit_allocate(plan->d);

	for (int j = 0; j < plan->d; j++)
		imputed[j] = j < map->imputed && column[j]->kind != DPEM_COLUMN_LABEL
			? dpem_fit_own_number(column[j], fmin(fmax(dpem_fit_middle(map, j), map->lower[j]), map->upper[j])) : NAN;
	model->imputed = imputed;
}

/* an end of the range, NaN for none */
static double
range_end(const DpemFeatureMap *map, const DpemColumn *column, int j, double box)
{
	double		half = map->upper[j] / 2 - map->lower[j] / 2;

	if (fabs(box) >= DPEM_RANGE_NONE)
		return NAN;
	return dpem_fit_own_number(column, map->upper[j] / 2 + map->lower[j] / 2 + half * fmin(fmax(box, -1), 1));
}

static void
put_clamps(const DpemFitPlan *plan, const DpemFeatureMap *map, DpemModel *model)
{
	const DpemColumn **column = dpem_binding_columns(plan->binding);
	double	   *lower = dpem_fit_allocate(plan->d);
	double	   *upper = dpem_fit_allocate(plan->d);

	for (int j = 0; j < plan->d; j++)
	{
		lower[j] = range_end(map, column[j], j, map->range[j]);
		upper[j] = range_end(map, column[j], j, map->range[plan->d + j]);
	}
	model->clamp_lower = lower;
	model->clamp_upper = upper;
}

void
dpem_fit_put_points(const DpemFitRun *run, int group, DpemModel *model)
{
	DpemFeatureMap map = dpem_fit_map(run, group);

	if (map.imputed > 0)
		put_imputed(run->plan, &map, model);
	if (map.range != NULL)
		put_clamps(run->plan, &map, model);
}

bool
dpem_model_impute(const DpemModel *model, double *x)
{
	bool		known = true;

	for (int j = 0; j < model->d; j++)
	{
		x[j] = isnan(x[j]) ? model->imputed[j] : x[j];
		known = known && !isnan(x[j]);
	}
	return known;
}

bool
dpem_model_complete(const DpemModel *model, double *x)
{
	bool		known = dpem_model_impute(model, x);

	for (int j = 0; j < model->d; j++)
	{
		x[j] = x[j] < model->clamp_lower[j] ? model->clamp_lower[j] : x[j];
		x[j] = x[j] > model->clamp_upper[j] ? model->clamp_upper[j] : x[j];
	}
	return known;
}

double *
dpem_model_usual(const DpemModel *model)
{
	double	   *x = palloc(Max(model->d, 1) * sizeof(double));

	for (int j = 0; j < model->d; j++)
	{
		double		lower = isnan(model->clamp_lower[j]) ? model->lower[j] : model->clamp_lower[j];
		double		upper = isnan(model->clamp_upper[j]) ? model->upper[j] : model->clamp_upper[j];

		x[j] = model->category_of[j] ? 0 : isnan(model->imputed[j]) ? lower / 2 + upper / 2 : NAN;
	}
	(void) dpem_model_complete(model, x);
	dpem_model_to_coordinates(model, x);
	return x;
}

Oid
dpem_model_calendar(const DpemModel *model, int j)
{
	return model->calendar ? model->calendar[j] : InvalidOid;
}

bool
dpem_model_imputes(const DpemModel *model)
{
	for (int j = 0; j < model->d; j++)
		if (!isnan(model->imputed[j]))
			return true;
	return false;
}

const char *
dpem_model_column(const DpemModel *model, int j)
{
	return model->column_of[j] ? model->column_of[j] : model->column[j];
}

int
dpem_model_column_length(const DpemModel *model, int j)
{
	int			end = j + 1;

	while (model->column_of[j] && end < model->d && model->column_of[end] && strcmp(model->column_of[end], model->column_of[j]) == 0)
		end++;
	return end - j;
}

void
dpem_model_insert_candidates(int64 id, const DpemModel *model)
{
	const DpemSizes *c = model->candidates;
	Oid			types[] = {INT8OID, INT4OID, FLOAT8OID, FLOAT8OID, BOOLOID};

	for (int i = 0; c != NULL && i < c->n; i++)
	{
		Datum		values[] = {
			Int64GetDatum(id), Int32GetDatum(c->k[i]), Float8GetDatum(c->log_likelihood[i]), Float8GetDatum(c->score[i]),
			BoolGetDatum(c->k[i] == c->chosen)
		};

		dpem_spi_query("INSERT INTO dpem_internal.model_candidate (model, k, log_likelihood, score, chosen) VALUES ($1, $2, $3, $4, $5)",
					   5, types, values, NULL, false, SPI_OK_INSERT);
	}
}

/* ---- Fourier features ------------------------------------------------------- */

static double *
copy_number(double value)
{
	double	   *copy = palloc(sizeof(double));

	*copy = value;
	return copy;
}

void
dpem_fit_put_fourier(const DpemFitRun *run, int group, const DpemFitFourier *fourier, double width, int first, DpemModel *model)
{
	DpemFeatureMap map = dpem_fit_map(run, group);
	double	   *center = dpem_fit_allocate(Max(model->d, 1));
	double	   *scale = dpem_fit_allocate(Max(model->d, 1));

	for (int j = 0; j < model->d; j++)
	{
		center[j] = map.center ? map.center[j] : 0;
		scale[j] = map.whitening ? map.whitening[(size_t) j * map.d + j] : 1;
	}
	model->value[first + DPEM_FOURIER_DIMENSION] = copy_number(2 * map.pairs);
	model->value[first + DPEM_FOURIER_WIDTH] = copy_number(map.pairs > 0 ? width : 0);
	model->value[first + DPEM_FOURIER_SEED] = copy_number(fourier->seed);
	model->value[first + DPEM_FOURIER_CENTER] = center;
	model->value[first + DPEM_FOURIER_SCALE] = scale;
}

static int
count_pairs(const DpemModel *model, int first, int others)
{
	double		dimension = *dpem_model_numbers(model, first + DPEM_FOURIER_DIMENSION);
	double		seed = *dpem_model_numbers(model, first + DPEM_FOURIER_SEED);
	double		width = *dpem_model_numbers(model, first + DPEM_FOURIER_WIDTH);
	int			features = model->features - others;

	if (dimension > 0 ? dimension != features || features % 2 != 0 || !dpem_is_whole(seed, 0, INT_MAX) || !(width > 0)
		: dimension != 0 || model->features != model->d + 1)
		dpem_model_corrupt();
	return dimension > 0 ? features / 2 : 0;
}

DpemFourierMap
dpem_fit_load_fourier(const DpemModel *model, int first, int others)
{
	DpemFourierMap map = {.pairs = count_pairs(model, first, others),.waves = model->d,.lower = model->lower,.upper = model->upper};
	double	   *frequency;

	if (map.pairs == 0)
		return map;
	frequency = palloc((size_t) map.pairs * map.waves * sizeof(double));
	dpem_fourier_frequencies((uint64) *dpem_model_numbers(model, first + DPEM_FOURIER_SEED), map.pairs, map.waves,
							 *dpem_model_numbers(model, first + DPEM_FOURIER_WIDTH), frequency);
	map.frequency = frequency;
	map.center = model->value[first + DPEM_FOURIER_CENTER];
	map.scale = model->value[first + DPEM_FOURIER_SCALE];
	map.point = palloc(map.waves * sizeof(double));
	return map;
}

void
dpem_fit_warn_of_rows(const DpemFitPlan *plan, int few, int groups)
{
	if (few > 0 && plan->noisy && dpem_fit_tells())
		ereport(WARNING,
				(errmsg("%s: there are no more rows than noise behind %s", plan->request->function,
						groups > 1 ? psprintf("%d of %d values", few, groups) : "the value"),
				 errdetail("The released number of rows says so, not the rows."),
				 errhint("Ask for more epsilon, or for groups, a filter or a column with more rows.")));
}
