/*
 * gam_shape.c - cells, marks and parameters of gam_kernel.h.
 */
#include <math.h>

#include "core/gam/gam_shape.h"
#include "core/numeric/bisect.h"

enum
{
	T_RADIUS, T_COLUMNS, T_PAIRS, T_TARGETS, T_CLASSES, T_PAIR_SHARE, T_MIDDLE, T_REACH, T_EDGES, T_NUMBERS
};

#define SLACK	1e-12			/* without quantisation: of rounding errors in a coordinate */

#define COLUMN_NUMBERS	5
#define PAIR_NUMBERS	2

/* ---- cells ---- */

int
dpem_gam_column_cells(const DpemGamColumn *column)
{
	return column->bins + (column->length > 0 || column->known >= 0 ? 1 : 0);
}

int
dpem_gam_terms(const DpemGamShape *shape)
{
	return shape->columns + shape->pairs;
}

int
dpem_gam_term_cells(const DpemGamShape *shape, int term)
{
	const DpemGamPair *pair;

	if (term < shape->columns)
		return dpem_gam_column_cells(&shape->column[term]);
	pair = &shape->pair[term - shape->columns];
	return shape->column[pair->first].parts * shape->column[pair->second].parts;
}

static int
cells_of(const DpemGamShape *shape, int terms)
{
	int			n = 0;

	for (int c = 0; c < terms; c++)
		n += dpem_gam_term_cells(shape, c);
	return n;
}

int
dpem_gam_main_cells(const DpemGamShape *shape)
{
	return cells_of(shape, shape->columns);
}

int
dpem_gam_cells(const DpemGamShape *shape)
{
	return cells_of(shape, dpem_gam_terms(shape));
}

static int
edges_before(const DpemGamShape *shape, int columns)
{
	int			n = 0;

	for (int c = 0; c < columns; c++)
		n += shape->column[c].length == 0 ? shape->column[c].bins - 1 : 0;
	return n;
}

int
dpem_gam_edges(const DpemGamShape *shape)
{
	return edges_before(shape, shape->columns);
}

const double *
dpem_gam_column_edges(const DpemGamShape *shape, int column)
{
	return shape->edge != NULL ? shape->edge + edges_before(shape, column) : NULL;
}

int
dpem_gam_walk(const DpemGamShape *shape, int term)
{
	return term < shape->columns && shape->column[term].length == 0 ? shape->column[term].bins : 0;
}

int
dpem_gam_scores(const DpemGamShape *shape)
{
	return shape->targets > 2 ? shape->targets : 1;
}

int
dpem_gam_moments_length(const DpemGamShape *shape)
{
	int			n = dpem_gam_cells(shape);

	return shape->classes * n + n * (n - 1) / 2;
}

int
dpem_gam_gradient_length(const DpemGamShape *shape)
{
	return dpem_gam_scores(shape) * dpem_gam_cells(shape);
}

size_t
dpem_gam_pair(const DpemGamShape *shape, int i, int j)
{
	return (size_t) shape->classes * dpem_gam_cells(shape) + (size_t) i * (i - 1) / 2 + j;
}

/* ---- marks: their squares over a row's cells and pairs add up to 1 ---- */

static double
pairs_of(const DpemGamShape *shape)
{
	return (double) dpem_gam_terms(shape) * (dpem_gam_terms(shape) - 1) / 2;
}

double
dpem_gam_single_mark(const DpemGamShape *shape)
{
	return sqrt((dpem_gam_terms(shape) > 1 ? 1 - shape->pair_share : 1) / dpem_gam_terms(shape));
}

double
dpem_gam_pair_mark(const DpemGamShape *shape)
{
	return dpem_gam_terms(shape) > 1 ? sqrt(shape->pair_share / pairs_of(shape)) : 0;
}

double
dpem_gam_gradient_mark(const DpemGamShape *shape)
{
	return sqrt(1.0 / dpem_gam_terms(shape));
}

double
dpem_gam_units(double mark, int bits)
{
	return bits > 0 ? floor(ldexp(mark * (1 - 0x1p-40), bits)) : mark;
}

double
dpem_gam_slack(const DpemGamShape *shape, int feature_bits)
{
	return feature_bits > 0 ? ldexp(shape->radius, -feature_bits) / 2 : SLACK;
}

/* ---- parameters of a pass ---- */

size_t
dpem_gam_theta_length(const DpemGamShape *shape)
{
	return T_NUMBERS + (size_t) COLUMN_NUMBERS * shape->columns + (shape->edge != NULL ? (size_t) dpem_gam_edges(shape) : 0) + (size_t) PAIR_NUMBERS * shape->pairs +
		(shape->pairs > 0 ? (size_t) dpem_gam_main_cells(shape) : 0) + (size_t) dpem_gam_gradient_length(shape);
}

static double *
write_pairs(const DpemGamShape *shape, double *at)
{
	int			cells = shape->pairs > 0 ? dpem_gam_main_cells(shape) : 0;

	for (int q = 0; q < shape->pairs; q++)
	{
		*at++ = shape->pair[q].first;
		*at++ = shape->pair[q].second;
	}
	for (int i = 0; i < cells; i++)
		*at++ = shape->part[i];
	return at;
}

void
dpem_gam_write(const DpemGamShape *shape, const double *coefficient, double *theta)
{
	double	   *at = theta + T_NUMBERS;
	int			length = dpem_gam_gradient_length(shape);

	theta[T_RADIUS] = shape->radius;
	theta[T_COLUMNS] = shape->columns;
	theta[T_PAIRS] = shape->pairs;
	theta[T_TARGETS] = shape->targets;
	theta[T_CLASSES] = shape->classes;
	theta[T_PAIR_SHARE] = shape->pair_share;
	theta[T_MIDDLE] = shape->middle;
	theta[T_REACH] = shape->reach;
	theta[T_EDGES] = shape->edge != NULL;
	for (int c = 0; c < shape->columns; c++)
	{
		*at++ = shape->column[c].first;
		*at++ = shape->column[c].length;
		*at++ = shape->column[c].bins;
		*at++ = shape->column[c].known;
		*at++ = shape->column[c].parts;
	}
	at = write_pairs(shape, at);
	for (int i = 0; shape->edge != NULL && i < dpem_gam_edges(shape); i++)
		*at++ = shape->edge[i];
	for (int i = 0; i < length; i++)
		*at++ = coefficient ? coefficient[i] : 0;
}

const double *
dpem_gam_read(const double *theta, DpemGamShape *shape, DpemGamColumn *column, DpemGamPair *pair)
{
	const double *at = theta + T_NUMBERS;

	*shape = (DpemGamShape) {
		.radius = theta[T_RADIUS],.columns = (int) theta[T_COLUMNS],.column = column,.pairs = (int) theta[T_PAIRS],.pair = pair,.targets = (int) theta[T_TARGETS],
		.classes = (int) theta[T_CLASSES],.pair_share = theta[T_PAIR_SHARE],.middle = theta[T_MIDDLE],.reach = theta[T_REACH]
	};
	for (int c = 0; c < shape->columns; c++, at += COLUMN_NUMBERS)
		column[c] = (DpemGamColumn) {(int) at[0], (int) at[1], (int) at[2], (int) at[3], (int) at[4]};
	for (int q = 0; q < shape->pairs; q++, at += PAIR_NUMBERS)
		pair[q] = (DpemGamPair) {(int) at[0], (int) at[1]};
	shape->part = at;
	at += shape->pairs > 0 ? dpem_gam_main_cells(shape) : 0;
	shape->edge = theta[T_EDGES] != 0 ? at : NULL;
	return shape->edge != NULL ? at + dpem_gam_edges(shape) : at;
}

/* each column within the coordinates before the target's, `end` of them */
static bool
is_column(const double *at, int end)
{
	bool		label = at[1] > 0;

	return dpem_is_whole(at[0], 0, end - 1) && dpem_is_whole(at[1], 0, end - at[0]) &&
		dpem_is_whole(at[2], 1, label ? DPEM_GAM_MAX_CELLS : DPEM_GAM_MAX_BINS) &&
		(!label || at[2] == at[1]) && dpem_is_whole(at[3], -1, label ? -1 : end - 1) && dpem_is_whole(at[4], 0, DPEM_GAM_MAX_PARTS);
}

/* two columns that have parts */
static bool
is_pair(const double *theta, const double *at)
{
	const double *column = theta + T_NUMBERS;

	return dpem_is_whole(at[0], 0, theta[T_COLUMNS] - 2) && dpem_is_whole(at[1], at[0] + 1, theta[T_COLUMNS] - 1) &&
		column[COLUMN_NUMBERS * (int) at[0] + 4] > 0 && column[COLUMN_NUMBERS * (int) at[1] + 4] > 0;
}

/* each cell of a column with parts is in one of them; available: numbers from the shape's parts on */
static bool
are_parts(const DpemGamShape *shape, size_t available)
{
	const double *part = shape->part;

	if (available < (size_t) dpem_gam_main_cells(shape))
		return false;
	for (int c = 0; c < shape->columns; c++)
		for (int i = dpem_gam_column_cells(&shape->column[c]); i > 0; i--, part++)
			if (shape->column[c].parts > 0 && !dpem_is_whole(*part, 0, shape->column[c].parts - 1))
				return false;
	return true;
}

/* ascending within the domain; available: numbers from the shape's edges on */
static bool
are_edges(const DpemGamShape *shape, size_t available)
{
	const double *edge = shape->edge;

	if (available < (size_t) dpem_gam_edges(shape))
		return false;
	for (int c = 0; c < shape->columns; c++)
	{
		double		last = -1;

		for (int i = 1; shape->column[c].length == 0 && i < shape->column[c].bins; i++, last = *edge++)
			if (!(*edge >= last && *edge <= 1))
				return false;
	}
	return true;
}

static bool
is_target(const DpemMomentLayout *layout, const double *theta)
{
	return dpem_is_whole(theta[T_TARGETS], 1, DPEM_GAM_MAX_CLASSES) && theta[T_TARGETS] < layout->d &&
		(theta[T_TARGETS] > 1 ? theta[T_CLASSES] == theta[T_TARGETS] : dpem_is_whole(theta[T_CLASSES], 2, DPEM_GAM_TARGET_BINS));
}

static bool
is_shape(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	if (available < T_NUMBERS || layout->second != DPEM_COUNTS_ALONE || !(theta[T_RADIUS] > 0) || !isfinite(theta[T_RADIUS]) ||
		!is_target(layout, theta) || !dpem_is_whole(theta[T_COLUMNS], 1, DPEM_GAM_MAX_COLUMNS) ||
		theta[T_COLUMNS] > layout->d - theta[T_TARGETS] || !dpem_is_whole(theta[T_PAIRS], 0, DPEM_GAM_MAX_COLUMNS) ||
		!(theta[T_PAIR_SHARE] >= 0 && theta[T_PAIR_SHARE] < 1) || !(fabs(theta[T_MIDDLE]) <= 1) || !(theta[T_REACH] > 0) ||
		!dpem_is_whole(theta[T_EDGES], 0, 1) || available - T_NUMBERS < COLUMN_NUMBERS * theta[T_COLUMNS] + PAIR_NUMBERS * theta[T_PAIRS])
		return false;
	for (int c = 0; c < (int) theta[T_COLUMNS]; c++)
		if (!is_column(theta + T_NUMBERS + COLUMN_NUMBERS * c, layout->d - (int) theta[T_TARGETS]))
			return false;
	for (int q = 0; q < (int) theta[T_PAIRS]; q++)
		if (!is_pair(theta, theta + T_NUMBERS + COLUMN_NUMBERS * (int) theta[T_COLUMNS] + PAIR_NUMBERS * q))
			return false;
	return true;
}

static size_t
check(const DpemMomentLayout *layout, const double *theta, size_t available, int (*length) (const DpemGamShape *shape))
{
	DpemGamColumn column[DPEM_GAM_MAX_COLUMNS];
	DpemGamPair pair[DPEM_GAM_MAX_COLUMNS];
	DpemGamShape shape;

	if (!is_shape(layout, theta, available))
		return 0;
	dpem_gam_read(theta, &shape, column, pair);
	if (dpem_gam_main_cells(&shape) > DPEM_GAM_MAX_CELLS || dpem_gam_cells(&shape) > DPEM_GAM_MAX_ALL_CELLS ||
		(shape.pairs > 0 && !are_parts(&shape, available - (size_t) (shape.part - theta))) ||
		(shape.edge != NULL && !are_edges(&shape, available - (size_t) (shape.edge - theta))) || length(&shape) != layout->k || dpem_gam_theta_length(&shape) > available)
		return 0;
	return dpem_gam_theta_length(&shape);
}

size_t
dpem_gam_check_moments(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	return check(layout, theta, available, dpem_gam_moments_length);
}

size_t
dpem_gam_check_gradient(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	return check(layout, theta, available, dpem_gam_gradient_length);
}
