/*
 * fit_arguments.c - see fit_arguments.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "core/online/tree_sums.h"
#include "fit/fit_arguments.h"
#include "fit/model_name.h"
#include "ledger/standing.h"
#include "server/argument_list.h"
#include "server/arguments.h"

#define MAX_ITERATIONS 1000

/* what `within` asks for is found by the family; until then any epsilon that is possible stands for it */
static float8
epsilon_argument(const DpemArguments *a)
{
	float8		epsilon;

	if (dpem_is_given(a, "within"))
	{
		if (dpem_is_given(a, "epsilon"))
			dpem_refuse_argument("epsilon must be null with within", "Leave out one of them: within asks for the epsilon.");
		return 1;
	}
	epsilon = dpem_named_float8(a, "epsilon");
	/* infinity asks for no noise, which is for readers of the rows */
	return isinf(epsilon) && epsilon > 0 ? epsilon : dpem_check_epsilon("epsilon", epsilon);
}

/* 0 for NULL */
static int
iterations_argument(const DpemArguments *a)
{
	return dpem_is_given(a, "iterations") ? dpem_named_int_between(a, "iterations", 1, MAX_ITERATIONS) : 0;
}

static char *
composition_argument(const DpemArguments *a)
{
	char	   *name = dpem_optional_named_text(a, "composition", false);

	if (name != NULL)
		(void) dpem_check_composition("composition", cstring_to_text(name));
	return name;
}

/* part alone makes no sense: of what? */
static void
read_holdout(const DpemArguments *a, DpemBindingRequest *bind)
{
	if (dpem_is_given(a, "holdout"))
		bind->holdout = dpem_named_between(a, "holdout", 0.01, 0.9);
	if (!dpem_is_given(a, "part"))
		return;
	bind->held_out = dpem_named_choice(a, "part", "holdout", "rest");
	if (bind->holdout == 0)
		dpem_refuse_argument("part must be null without a holdout", "Say which part of the persons is held out, for instance holdout => 0.2.");
}

/* of calls whose deltas, or parts of them for private keys, add up */
#define ADDED_DELTA		1e-6
#define ADDED_PART		0.01

/* is one of two names, which may be NULL, that of a private key? */
static bool
seeks_keys(const DpemDataset *ds, const char *by, const char *column_name)
{
	ListCell   *lc;

	foreach(lc, by || column_name ? dpem_dataset_registered(ds) : NIL)
	{
		const DpemColumn *column = lfirst(lc);

		if (column->kind == DPEM_COLUMN_KEY && ((by && strcmp(column->name, by) == 0) || (column_name && strcmp(column->name, column_name) == 0)))
			return true;
	}
	return false;
}

static double
added_delta(DpemLimit limit)
{
	return Min(ADDED_DELTA, ADDED_PART * limit.delta);
}

void
dpem_fit_added_delta(const DpemArguments *a, DpemFitRequest *r)
{
	if (!dpem_is_given(a, "delta"))
		r->delta = added_delta(dpem_standing_limit(dpem_dataset_load(r->dataset), GetUserId()));
}

/* that of the caller's share, at which dp_budget_remaining says what is left */
static double
usual_delta(const DpemArguments *a, const DpemFitRequest *r, const DpemDataset *ds)
{
	DpemAccountant accountant = dpem_accountant_from_name(ds->accountant);
	DpemLimit	limit = dpem_standing_limit(ds, GetUserId());
	double		delta = dpem_budget_noise_delta(accountant, limit);

	if (dpem_budget_usual_delta(accountant, delta) == 0 || seeks_keys(ds, r->bind.by, dpem_is_given(a, "column_name") ? dpem_named_text(a, "column_name") : NULL))
		return added_delta(limit);
	return delta;
}

void
dpem_fit_arguments(const DpemArguments *a, const char *function, DpemFitRequest *r)
{
	const DpemDataset *ds;

	r->function = function;
	r->dataset = dpem_named_text(a, "dataset");
	ds = dpem_dataset_load(r->dataset);
	dpem_dataset_require_visible(ds);
	r->epsilon = epsilon_argument(a);
	if (dpem_is_given(a, "delta"))
		r->delta = dpem_check_delta("delta", dpem_named_float8(a, "delta"));
	r->bind.columns = dpem_named_text_list(a, "columns");
	r->bind.filter = dpem_optional_named_text(a, "filter", true);
	read_holdout(a, &r->bind);
	r->bind.by = dpem_optional_named_text(a, "by", true);
	r->iterations = iterations_argument(a);
	r->composition = composition_argument(a);
	r->minimum = dpem_is_given(a, "minimum") ? dpem_named_int_between(a, "minimum", 1, DPEM_MINIMUM_MOST) : 0;
	r->fresh = dpem_is_given(a, "fresh") ? dpem_named_bool(a, "fresh") : dpem_fresh;
	r->clip_norm = dpem_named_magnitude(a, "clip_norm", DPEM_LEAST_NUMBER, 0);
	if (dpem_is_given(a, "sampling_rate"))
		r->sampling_rate = dpem_check_rate("sampling_rate", dpem_named_float8(a, "sampling_rate"));
	if (!dpem_is_given(a, "delta"))
		r->delta = usual_delta(a, r, ds);
}

/* what a later call gives anew, or takes from the model */
static bool
is_repeated(const char *name)
{
	static const char *const anew[] = {"dataset", "epsilon", "delta", "model", "replace"};

	for (int i = 0; i < lengthof(anew); i++)
	{
		if (strcmp(name, anew[i]) == 0)
			return false;
	}
	return true;
}

static char *
literal_of(Oid type, Datum value)
{
	Oid			output;
	bool		varlena;

	if (type == FLOAT8OID)
		return psprintf("'%.17g'", DatumGetFloat8(value));
	getTypeOutputInfo(type, &output, &varlena);
	return quote_literal_cstr(OidOutputFunctionCall(output, value));
}

/* those that are given, as `, name => literal` each */
static char *
write_arguments(const DpemArguments *a)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < Min(a->n, a->call->nargs); i++)
	{
		if (is_repeated(a->name[i]) && !a->call->args[i].isnull)
			appendStringInfo(&text, ", %s => %s", quote_identifier(a->name[i]), literal_of(a->type[i], a->call->args[i].value));
	}
	return text.data;
}

void
dpem_fit_model_argument(const DpemArguments *a, DpemFitRequest *r)
{
	r->arguments = write_arguments(a);
	r->replace = dpem_is_given(a, "replace") && dpem_named_bool(a, "replace");
	if (!dpem_is_given(a, "model"))
	{
		if (r->replace)
			dpem_refuse_argument("replace must be false without a model", "Name the model that is to be replaced.");
		return;
	}
	if (isinf(r->epsilon))
		dpem_refuse_argument("a model without noise cannot be stored, so model must be null",
							 "Leave out model, or give a finite epsilon.");
	if (r->nominal)
		dpem_refuse_argument("a model with a nominal epsilon cannot be stored, so model must be null",
							 "Leave out model or epsilon_is_nominal.");
	r->model = dpem_named_text(a, "model");
	if (strlen(r->model) > DPEM_MODEL_STEM_MOST)
		dpem_refuse_argument(psprintf("model must have at most %d bytes, not %zu", DPEM_MODEL_STEM_MOST, strlen(r->model)),
							 "Choose a shorter name.");
}

bool
dpem_named_marginal(const DpemArguments *a)
{
	return dpem_is_given(a, "missing") && dpem_named_choice(a, "missing", "marginal", "complete");
}

bool
dpem_named_imputed(const DpemArguments *a, bool centered)
{
	return dpem_is_given(a, "missing") ? dpem_named_choice(a, "missing", "impute", "complete") : centered;
}

double
dpem_named_magnitude(const DpemArguments *a, const char *name, double least, double otherwise)
{
	if (!dpem_is_given(a, name))
		return otherwise;
	return dpem_check_magnitude(name, dpem_check_positive(name, dpem_named_float8(a, name)), least);
}

void
dpem_check_range(const char *name, double value, bool inside, const char *range)
{
	if (!isnan(value) && !inside)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be %s, not %g", name, range, value)));
}

double
dpem_check_magnitude(const char *name, double value, double least)
{
	dpem_check_range(name, value, value >= least && value <= DPEM_MOST_NUMBER,
					 psprintf("between %g and %g", least, DPEM_MOST_NUMBER));
	return value;
}

void
dpem_refuse_argument(const char *what, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s", what),
			 errhint("%s", hint)));
}

/* ---- numbers to choose among ---- */

static int
compare_ints(const void *a, const void *b)
{
	int32		x = *(const int32 *) a;
	int32		y = *(const int32 *) b;

	return (x > y) - (x < y);
}

int
dpem_named_sizes(const DpemArguments *a, const char *name, DpemFitRequest *r)
{
	DpemSizes *c = &r->candidates;
	Oid			type;
	Datum		value = dpem_named_datum(a, name, &type);
	int			n;
	int32	   *k = dpem_int_values(value, type, name, &n);

	if (n < 1 || n > DPEM_SIZES_MAX)
		dpem_refuse_argument(psprintf("%s must have between 1 and %d elements, not %d", name, DPEM_SIZES_MAX, n),
							 "Name the numbers to choose among, for instance '{2,3,4}'.");
	qsort(k, n, sizeof(int32), compare_ints);
	for (int i = 0; i < n; i++)
		if (i == 0 || k[i] != k[i - 1])
			c->k[c->n++] = k[i];
	if (c->n > 1 && c->k[0] < 1)
		dpem_refuse_argument(psprintf("%s must be at least 1, not %d", name, c->k[0]),
							 "Leave the element out.");
	n = c->k[c->n - 1];
	if (c->n == 1)
		c->n = 0;
	return n;
}

void
dpem_refuse_choice(const DpemFitRequest *r, bool given, const char *name, const char *hint)
{
	if (r->candidates.n > 0 && given)
		dpem_refuse_argument(psprintf("%s cannot be given with several numbers to choose among", name), hint);
}

void
dpem_fit_fourier_arguments(const DpemArguments *arguments, const DpemFitRequest *request, int most, DpemFitFourier *fourier)
{
	const char *features = dpem_named_text(arguments, "features");
	int			dimension = dpem_named_int(arguments, "dimension");
	int			seed = dpem_named_int(arguments, "seed");

	if (strchr(features, '{') != NULL || strchr(features, ',') != NULL)
		dpem_refuse_argument(psprintf("features must be one of linear, fourier, not \"%s\"", features),
							 "Which columns predict is said in the argument columns.");
	if (strcmp(features, "linear") != 0 && strcmp(features, "fourier") != 0)
		dpem_refuse_name("features", features, "linear, fourier");
	if (seed < 0)
		dpem_fit_bad_argument("seed", psprintf("%d", seed), "at least 0");
	if (dimension < 2 || dimension % 2 != 0 || dimension > most)
		dpem_fit_bad_argument("dimension", psprintf("%d", dimension), psprintf("an even number from 2 to %d", most));
	*fourier = (DpemFitFourier) {0, dpem_named_magnitude(arguments, "width", 1e-6, 0), seed};
	if (strcmp(features, "linear") == 0 && fourier->width > 0)
		dpem_refuse_argument("width must be null without features fourier", "It is that of their kernel: give features => 'fourier', too.");
	if (strcmp(features, "linear") == 0)
		return;
	if (request->clip_norm > 0)
		dpem_fit_bad_argument("clip_norm", psprintf("%g", request->clip_norm), "null with features fourier, which have norm 1");
	fourier->pairs = dimension / 2;
}

void
dpem_fit_online_arguments(const DpemArguments *arguments, bool online, int usual, DpemFitRequest *request)
{
	DpemBindingRequest *bind = &request->bind;

	bind->order_column = dpem_optional_named_text(arguments, "order_column", false);
	if (!online && (bind->order_column || dpem_is_given(arguments, "batches")))
		dpem_refuse_argument("order_column and batches must be left out but with algorithm online", "Ask for algorithm => 'online'.");
	if (online && bind->order_column == NULL)
		dpem_refuse_argument("algorithm online needs order_column", "Name a number or date in whose order the rows are learnt from.");
	if (!online)
		return;
	if (strcmp(bind->label ? bind->label : bind->target, bind->order_column) == 0)
		dpem_fit_bad_argument("order_column", bind->order_column, "another column than what is predicted");
	if (bind->by)
		dpem_fit_bad_argument("by", bind->by, "left out with algorithm online");
	if (!isfinite(request->epsilon) || request->nominal)
		return;
	bind->by = bind->order_column;
	bind->groups = DPEM_BY_BINS;
	bind->bins = dpem_is_given(arguments, "batches") ? dpem_named_int_between(arguments, "batches", 2, DPEM_TREE_MOST_BATCHES) : usual;
}
