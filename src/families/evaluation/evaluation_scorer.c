/*
 * evaluation_scorer.c - from a plan to the bytes of a scorer, and from these to what scores rows.
 *
 * A row comes as features of the unit ball: in the domains and on the scales that the dataset has.  The model may
 * have others: what the dataset's scale gives is brought to the model's.
 */
#include "postgres.h"

#include <math.h>

#include "libpq/pqformat.h"

#include "families/evaluation/evaluation.h"
#include "families/evaluation/model_bytes.h"
#include "server/fit_memory.h"

#define UNUSED	(-1)			/* a coordinate of the dataset that the model does not have */
#define TARGET	(-2)
#define ROUNDING	1e-6		/* of a unit of features, for the arithmetic on the way back */

/* a coordinate of the rows */
typedef struct Coordinate
{
	double		middle;			/* of the dataset's domain, on its scale */
	double		half;
	DpemColumnScale scale;
	int32		place;			/* in the model; UNUSED, TARGET */
	bool		category;		/* 1 or 0 */
	int32		known;			/* of a number: coordinate that is above 0 where it is known; 0: it always is */
	double		single[5];		/* on its scale: 0 and the ends of the domain, where atoms are, and of the bin of a column's only value; NaN for none */
} Coordinate;

typedef struct ModelScorer
{
	DpemRowScorer scorer;
	DpemEvaluationKind kind;
	int			d;
	double		radius;
	Coordinate *coordinate;		/* d */
	double		low;
	double		high;
	double		target_middle;	/* of where it is, in its own unit */
	double		target_half;
	const DpemFamily *family;
	DpemModel  *model;
	void	   *ready;
	double	   *x;				/* of the model */
} ModelScorer;

/* ---- writing ---- */

/* by the column, too: label "a" with a category "b=c" has a coordinate of the same name as label "a=b" with "c" */
static int32
place_of(const DpemModel *model, const char *column, const char *name)
{
	for (int j = 0; j < model->d; j++)
	{
		if (strcmp(model->column[j], name) == 0 && strcmp(dpem_model_column(model, j), column) == 0)
			return j;
	}
	return UNUSED;
}

int32 *
dpem_evaluation_places(const DpemEvaluationPlan *plan)
{
	const DpemBinding *bound = plan->fit.binding;
	const DpemColumn **column = dpem_binding_columns(bound);
	char	  **name = dpem_binding_coordinates(bound);
	int32	   *place = palloc(Max(plan->fit.d, 1) * sizeof(int32));

	for (int j = 0; j < plan->fit.d; j++)
	{
		bool		own = column[j]->kind != DPEM_COLUMN_CONSTANT && column[j]->kind != DPEM_COLUMN_OBSERVED;

		place[j] = column[j] == bound->target ? TARGET : own ? place_of(plan->request->model, column[j]->name, name[j]) : UNUSED;
	}
	return place;
}

int
dpem_evaluation_unplaced(const DpemModel *model, const int32 *place, int d)
{
	bool	   *placed = palloc0(Max(model->d, 1) * sizeof(bool));
	int			j = 0;

	for (int i = 0; i < d; i++)
		if (place[i] >= 0)
			placed[place[i]] = true;
	while (j < model->d && placed[j])
		j++;
	return j < model->d ? j : -1;
}

static void
write_coordinates(StringInfo bytes, const DpemEvaluationPlan *plan)
{
	const DpemBinding *bound = plan->fit.binding;
	const DpemColumn **column = dpem_binding_columns(bound);
	int32	   *place = dpem_evaluation_places(plan);
	int			numbers = dpem_binding_source_dimension(bound);

	for (int j = 0; j < plan->fit.d; j++)
	{
		double		lower = dpem_scale_apply(column[j]->scale, column[j]->lower);
		double		upper = dpem_scale_apply(column[j]->scale, column[j]->upper);

		pq_sendfloat8(bytes, lower / 2 + upper / 2);
		pq_sendfloat8(bytes, upper / 2 - lower / 2);
		pq_sendbyte(bytes, (uint8) column[j]->scale);
		pq_sendint32(bytes, place[j]);
		pq_sendbyte(bytes, column[j]->kind == DPEM_COLUMN_LABEL);
		pq_sendint32(bytes, numbers + j < plan->fit.d && column[numbers + j]->kind == DPEM_COLUMN_OBSERVED ? numbers + j : 0);
	}
}

double *
dpem_evaluation_theta(const DpemEvaluationPlan *plan, int stage, const double target[2])
{
	const DpemEvaluationRequest *r = plan->request;
	bool		cells = stage == DPEM_EVALUATE_CELLS;
	DpemEvaluateTask task = {cells ? r->bins : 0, cells ? 0 : plan->request->values, 0};
	StringInfoData bytes;
	double	   *theta;

	initStringInfo(&bytes);
	pq_sendbyte(&bytes, (uint8) r->kind);
	pq_sendint32(&bytes, plan->fit.d);
	pq_sendfloat8(&bytes, plan->fit.clip_norm);
	pq_sendfloat8(&bytes, r->low);
	pq_sendfloat8(&bytes, r->high);
	pq_sendfloat8(&bytes, target[0] / 2 + target[1] / 2);
	pq_sendfloat8(&bytes, target[1] / 2 - target[0] / 2);
	write_coordinates(&bytes, plan);
	dpem_model_write(&bytes, r->family, r->model);
	task.n = bytes.len;
	theta = dpem_fit_allocate(dpem_evaluate_theta_length(&task));
	dpem_evaluate_write(&task, (unsigned char *) bytes.data, theta);
	return theta;
}

/* ---- reading ---- */

static void
malformed(void)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION), errmsg("malformed scorer given to dpem_internal.moments")));
}

static void
read_coordinates(StringInfo bytes, ModelScorer *scorer)
{
	scorer->coordinate = palloc(scorer->d * sizeof(Coordinate));
	for (int j = 0; j < scorer->d; j++)
	{
		Coordinate *c = &scorer->coordinate[j];
		int			scale;

		c->middle = pq_getmsgfloat8(bytes);
		c->half = pq_getmsgfloat8(bytes);
		scale = pq_getmsgbyte(bytes);
		c->scale = (DpemColumnScale) scale;
		c->place = (int32) pq_getmsgint(bytes, 4);
		c->category = pq_getmsgbyte(bytes) != 0;
		c->known = (int32) pq_getmsgint(bytes, 4);
		if (scale < 0 || scale >= DPEM_SCALES || c->place < TARGET || c->known < 0 || c->known >= scorer->d)
			malformed();
	}
}

/* does the family have what the kind needs, for these cells or values? */
static bool
is_usable(const ModelScorer *s)
{
	const DpemModelUse *use = &s->family->use;
	int			values = s->scorer.task.values;

	switch (s->kind)
	{
		case DPEM_EVALUATE_CLASSES:
			return use->posterior != NULL && (use->is_number == NULL || !use->is_number(s->ready)) && (values == 0 || values == DPEM_EVALUATE_CLASSES_VALUES);
		case DPEM_EVALUATE_MARGINS:
			return use->transform != NULL && values == 0;
		case DPEM_EVALUATE_REGRESSION:
			return use->value != NULL && (use->is_number == NULL || use->is_number(s->ready)) && (values == 0 || values == DPEM_EVALUATE_REGRESSION_VALUES);
		case DPEM_EVALUATE_DENSITY:
			return use->log_density != NULL && values == 1;
		default:
			return use->squared_distance != NULL && values == 1;
	}
}

/* what no row fills would be left as the row before it has left it */
static void
check_places(const ModelScorer *scorer)
{
	int32	   *place = palloc(Max(scorer->d, 1) * sizeof(int32));

	for (int j = 0; j < scorer->d; j++)
	{
		place[j] = scorer->coordinate[j].place;
		if (place[j] >= scorer->model->d)
			malformed();
	}
	if (dpem_evaluation_unplaced(scorer->model, place, scorer->d) >= 0)
		malformed();
}

static void score_row(DpemRowScorer *scorer, const double *x, double *score);

static void
find_single_values(ModelScorer *s)
{
	for (int j = 0; j < s->d; j++)
	{
		Coordinate *c = &s->coordinate[j];
		bool		used = c->place >= 0;

		c->single[0] = c->scale == DPEM_SCALE_LOG ? NAN : 0;
		c->single[1] = c->middle - c->half;
		c->single[2] = c->middle + c->half;
		c->single[3] = used ? dpem_scale_apply(c->scale, s->model->clamp_lower[c->place]) : NAN;
		c->single[4] = used ? dpem_scale_apply(c->scale, s->model->clamp_upper[c->place]) : NAN;
	}
}

static DpemRowScorer *
make_scorer(const double *theta, int d)
{
	ModelScorer *s = palloc0(sizeof(ModelScorer));
	StringInfoData bytes;
	int			kind;

	s->scorer = (DpemRowScorer) {.task = dpem_evaluate_task(theta),.score = score_row};
	initStringInfo(&bytes);
	enlargeStringInfo(&bytes, (int) s->scorer.task.n);
	dpem_evaluate_read(theta, (unsigned char *) bytes.data);
	bytes.len = (int) s->scorer.task.n;
	kind = pq_getmsgbyte(&bytes);
	s->kind = (DpemEvaluationKind) kind;
	s->d = (int) pq_getmsgint(&bytes, 4);
	if (kind > DPEM_EVALUATE_MARGINS || s->d != d)
		malformed();
	s->radius = pq_getmsgfloat8(&bytes);
	s->low = pq_getmsgfloat8(&bytes);
	s->high = pq_getmsgfloat8(&bytes);
	s->target_middle = pq_getmsgfloat8(&bytes);
	s->target_half = pq_getmsgfloat8(&bytes);
	read_coordinates(&bytes, s);
	s->model = dpem_model_read(&bytes, &s->family);
	check_places(s);
	find_single_values(s);
	s->x = dpem_fit_allocate(s->model->d);
	s->ready = s->family->use.load(s->model);
	if (!is_usable(s))
		malformed();
	return &s->scorer;
}

void
dpem_evaluation_init(void)
{
	dpem_make_row_scorer = make_scorer;
}

/* ---- rows ---- */

/* a coordinate within reach of a value that a density may have much of itself at is there: rounding of features takes rows out of it */
static double
single_value(const Coordinate *c, double at, double reach)
{
	for (size_t i = 0; i < lengthof(c->single); i++)
		if (fabs(at - c->single[i]) <= reach)
			return c->single[i];
	return at;
}

/* how far rounding has moved a feature: by half a unit, and in a corner of the box, where rows are clipped to leave room for it, by one */
static double
rounded_by(const ModelScorer *s, const double *x)
{
	double		square = 0;

	for (int j = 0; j < s->d; j++)
		square += x[j] * x[j];
	return ldexp((sqrt(square) + ldexp(sqrt(s->d), -DPEM_FINE_BITS) < 1 ? 0.5 : 1) + ROUNDING, -DPEM_FINE_BITS);
}

/* fills the model's x, in the columns' own units; returns the target's value; what rounding has taken below the edge of a bin is put back */
static double
take_row(ModelScorer *s, const double *x)
{
	double		target = 0;
	bool		binned = s->family->use.binned;
	bool		dense = s->kind == DPEM_EVALUATE_DENSITY && !s->family->use.discrete;
	double		reach = dense || binned ? s->radius * rounded_by(s, x) : 0;

	for (int j = 0; j < s->d; j++)
	{
		const Coordinate *c = &s->coordinate[j];
		double		value = c->middle + c->half * s->radius * x[j];

		if (dense)
			value = single_value(c, value, c->half * reach);
		else if (binned && c->place >= 0 && !c->category)
			value += c->half * reach;
		value = c->category ? rint(value) : dpem_scale_invert(c->scale, value);
		if (c->known > 0 && !(x[c->known] > 0))
			value = NAN;
		if (c->place >= 0)
			s->x[c->place] = value;
		else if (c->place == TARGET)
			target = value;
	}
	return target;
}

/* place of the class with the most among n bins */
static double
predicted_place(const double *p, int n)
{
	int			most = 0;

	for (int i = 1; i < n; i++)
		most = p[i] > p[most] ? i : most;
	return (most + 0.5) / n;
}

/* value 0: logarithmic loss, 1: sum of squared differences to the classes' indicators (Brier 1950), both in [-1, 1] */
static void
put_losses(const ModelScorer *s, const double *p, int n, double *score)
{
	double		brier = 0;

	for (int i = 0; i < n; i++)
		brier += (p[i] - (i == s->scorer.class)) * (p[i] - (i == s->scorer.class));
	score[0] = s->scorer.class < n ? 2 * fmin(-log(p[s->scorer.class]) / s->high, 1) - 1 : 1;
	score[1] = brier - 1;
}

/* of more than two classes the predicted one, or what its probabilities lose; of two a score */
static void
put_classes(ModelScorer *s, double *score)
{
	bool		margins = s->kind == DPEM_EVALUATE_MARGINS;
	int			n;
	const double *p = (margins ? s->family->use.transform : s->family->use.posterior) (s->ready, s->x, &n);

	if (n == 2)
		score[0] = ((margins ? (p[1] - p[0]) / 2 : log(p[1]) - log(p[0])) / s->high + 1) / 2;
	else if (s->scorer.task.bins > 0)
		score[0] = predicted_place(p, n);
	else
		put_losses(s, p, n, score);
}

/* value 0: squared residual, 1: its absolute value, 2: the target, 3: its square, all in [-1, 1] */
static void
put_residual(const ModelScorer *s, double residual, double target, double *score)
{
	double		r = fmin(fabs(residual) / s->high, 1);
	double		y = fmin(fmax((target - s->target_middle) / s->target_half, -1), 1);

	score[0] = 2 * r * r - 1;
	score[1] = 2 * r - 1;
	score[2] = y;
	score[3] = 2 * y * y - 1;
}

static void
score_row(DpemRowScorer *scorer, const double *x, double *score)
{
	ModelScorer *s = (ModelScorer *) scorer;
	const DpemModelUse *use = &s->family->use;
	double		target = take_row(s, x);
	double		volume = s->kind == DPEM_EVALUATE_DENSITY && !use->discrete ? dpem_model_log_volume(s->model, s->x) : 0;
	double		value;

	(void) (s->kind == DPEM_EVALUATE_DENSITY ? dpem_model_impute(s->model, s->x) : dpem_model_complete(s->model, s->x));
	dpem_model_to_coordinates(s->model, s->x);
	if (dpem_evaluation_has_classes(s->kind))
		put_classes(s, score);
	else if (s->kind == DPEM_EVALUATE_REGRESSION)
	{
		value = target - use->value(s->ready, s->x);
		if (scorer->task.bins > 0)
			score[0] = (value / s->high + 1) / 2;
		else
			put_residual(s, value, target, score);
	}
	else
	{
		value = s->kind == DPEM_EVALUATE_DENSITY ? use->log_density(s->ready, s->x) + volume
			: use->squared_distance(s->ready, s->x);
		score[0] = 2 * (value - s->low) / (s->high - s->low) - 1;
	}
}
