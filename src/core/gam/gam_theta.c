/*
 * gam_theta.c - shapes and coefficients of gam_kernel.h as parameters of a pass.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_shape.h"
#include "core/numeric/bisect.h"

enum
{
	T_RADIUS, T_COLUMNS, T_PAIRS, T_TARGETS, T_CLASSES, T_PAIR_SHARE, T_BINS_MIDDLE, T_BINS_HALF, T_PARTS, T_LEVELS, T_MIDDLE, T_REACH, T_EDGES, T_JOINED, T_NUMBERS
};

#define COLUMN_NUMBERS	6
#define PAIR_NUMBERS	2

/* ---- writing and reading ---- */

size_t
dpem_gam_theta_length(const DpemGamShape *shape)
{
	return T_NUMBERS + (size_t) COLUMN_NUMBERS * shape->columns + (shape->edge != NULL ? (size_t) dpem_gam_edges(shape) : 0) + (size_t) PAIR_NUMBERS * shape->pairs +
		((shape->pairs > 0) + (shape->joined != NULL)) * (size_t) dpem_gam_main_cells(shape) + (size_t) dpem_gam_scores(shape) * dpem_gam_cells(shape);
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

/* of one score, for all cells: each has that of the cell it is seen as, and what is not seen has none */
static double *
write_score(const DpemGamShape *shape, const double *coefficient, double *at)
{
	const double *joined = shape->joined;

	for (int term = 0; term < dpem_gam_terms(shape); term++)
	{
		int			seen = dpem_gam_seen_term_cells(shape, term);

		for (int i = 0; i < dpem_gam_term_cells(shape, term); i++)
			*at++ = seen > 0 ? coefficient[joined != NULL && term < shape->columns ? (int) joined[i] : i] : 0;
		coefficient += seen;
		joined += joined != NULL && term < shape->columns ? dpem_gam_term_cells(shape, term) : 0;
	}
	return at;
}

static void
write_coefficients(const DpemGamShape *shape, const double *coefficient, double *at)
{
	for (int s = 0; s < dpem_gam_scores(shape); s++)
	{
		if (coefficient == NULL)
			memset(at, 0, (size_t) dpem_gam_cells(shape) * sizeof(double));
		else
			write_score(shape, coefficient + (size_t) s * dpem_gam_seen_cells(shape), at);
		at += dpem_gam_cells(shape);
	}
}

void
dpem_gam_write(const DpemGamShape *shape, const double *coefficient, double *theta)
{
	double	   *at = theta + T_NUMBERS;

	theta[T_RADIUS] = shape->radius;
	theta[T_COLUMNS] = shape->columns;
	theta[T_PAIRS] = shape->pairs;
	theta[T_TARGETS] = shape->targets;
	theta[T_CLASSES] = shape->classes;
	theta[T_PAIR_SHARE] = shape->pair_share;
	theta[T_BINS_MIDDLE] = shape->bins_middle;
	theta[T_BINS_HALF] = shape->bins_half;
	theta[T_PARTS] = shape->margins.parts;
	theta[T_LEVELS] = shape->margins.levels;
	theta[T_MIDDLE] = shape->middle;
	theta[T_REACH] = shape->reach;
	theta[T_EDGES] = shape->edge != NULL;
	theta[T_JOINED] = shape->joined != NULL;
	for (int c = 0; c < shape->columns; c++)
	{
		*at++ = shape->column[c].first;
		*at++ = shape->column[c].length;
		*at++ = shape->column[c].bins;
		*at++ = shape->column[c].known;
		*at++ = shape->column[c].parts;
		*at++ = shape->column[c].joined;
	}
	at = write_pairs(shape, at);
	for (int i = 0; shape->edge != NULL && i < dpem_gam_edges(shape); i++)
		*at++ = shape->edge[i];
	for (int i = 0; shape->joined != NULL && i < dpem_gam_main_cells(shape); i++)
		*at++ = shape->joined[i];
	write_coefficients(shape, coefficient, at);
}

const double *
dpem_gam_read(const double *theta, DpemGamShape *shape, DpemGamColumn *column, DpemGamPair *pair)
{
	const double *at = theta + T_NUMBERS;

	*shape = (DpemGamShape) {
		.radius = theta[T_RADIUS],.columns = (int) theta[T_COLUMNS],.column = column,.pairs = (int) theta[T_PAIRS],.pair = pair,.targets = (int) theta[T_TARGETS],
		.classes = (int) theta[T_CLASSES],.pair_share = theta[T_PAIR_SHARE],.bins_middle = theta[T_BINS_MIDDLE],.bins_half = theta[T_BINS_HALF],
		.margins = {1, 1, (int) theta[T_PARTS], (int) theta[T_LEVELS], 0},.middle = theta[T_MIDDLE],.reach = theta[T_REACH]
	};
	for (int c = 0; c < shape->columns; c++, at += COLUMN_NUMBERS)
		column[c] = (DpemGamColumn) {(int) at[0], (int) at[1], (int) at[2], (int) at[3], (int) at[4], (int) at[5]};
	for (int q = 0; q < shape->pairs; q++, at += PAIR_NUMBERS)
		pair[q] = (DpemGamPair) {(int) at[0], (int) at[1]};
	shape->part = at;
	at += shape->pairs > 0 ? dpem_gam_main_cells(shape) : 0;
	shape->edge = theta[T_EDGES] != 0 ? at : NULL;
	at += shape->edge != NULL ? dpem_gam_edges(shape) : 0;
	shape->joined = theta[T_JOINED] != 0 ? at : NULL;
	return shape->joined != NULL ? at + dpem_gam_main_cells(shape) : at;
}

/* ---- checks ---- */

/* each column within the coordinates before the target's, `end` of them; joined: cells may be */
static bool
is_column(const double *at, int end, bool joined)
{
	bool		label = at[1] > 0;

	return dpem_is_whole(at[0], 0, end - 1) && dpem_is_whole(at[1], 0, end - at[0]) &&
		dpem_is_whole(at[2], 1, label ? DPEM_GAM_MAX_CELLS : DPEM_GAM_MAX_BINS) &&
		(!label || at[2] == at[1]) && dpem_is_whole(at[3], -1, label ? -1 : end - 1) && dpem_is_whole(at[4], 0, DPEM_GAM_MAX_PARTS) &&
		dpem_is_whole(at[5], 0, joined ? at[2] + 1 : 0);
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

/* each cell of a column that is seen is in one of those that are left, and something is seen; available: numbers from there on */
static bool
are_joined(const DpemGamShape *shape, size_t available)
{
	const double *joined = shape->joined;

	if (available < (size_t) dpem_gam_main_cells(shape) || dpem_gam_seen_terms(shape) == 0)
		return false;
	for (int c = 0; c < shape->columns; c++)
		for (int i = dpem_gam_column_cells(&shape->column[c]); i > 0; i--, joined++)
			if (shape->column[c].joined > 0 && !dpem_is_whole(*joined, 0, shape->column[c].joined - 1))
				return false;
	return true;
}

static bool
is_target(const DpemMomentLayout *layout, const double *theta)
{
	return dpem_is_whole(theta[T_TARGETS], 1, DPEM_GAM_MAX_CLASSES) && theta[T_TARGETS] < layout->d &&
		(theta[T_TARGETS] > 1 ? theta[T_CLASSES] == theta[T_TARGETS] : dpem_is_whole(theta[T_CLASSES], 2, DPEM_GAM_TARGET_BINS));
}

/* of a number */
static bool
are_bins(const double *theta)
{
	return fabs(theta[T_BINS_MIDDLE]) <= 1 && theta[T_BINS_HALF] >= 0 && theta[T_BINS_HALF] <= 1 && dpem_is_whole(theta[T_PARTS], 0, DPEM_MARGINS_MAX_PARTS) &&
		dpem_is_whole(theta[T_LEVELS], 0, DPEM_MARGINS_MAX_LEVELS);
}

static bool
is_shape(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	if (available < T_NUMBERS || layout->second != DPEM_COUNTS_ALONE || !(theta[T_RADIUS] > 0) || !isfinite(theta[T_RADIUS]) ||
		!is_target(layout, theta) || !are_bins(theta) || !dpem_is_whole(theta[T_COLUMNS], 1, DPEM_GAM_MAX_COLUMNS) ||
		theta[T_COLUMNS] > layout->d - theta[T_TARGETS] || !dpem_is_whole(theta[T_PAIRS], 0, DPEM_GAM_MAX_COLUMNS) ||
		!(theta[T_PAIR_SHARE] >= 0 && theta[T_PAIR_SHARE] < 1) || !(fabs(theta[T_MIDDLE]) <= 1) || !(theta[T_REACH] > 0) ||
		!dpem_is_whole(theta[T_EDGES], 0, 1) || !dpem_is_whole(theta[T_JOINED], 0, 1) || available - T_NUMBERS < COLUMN_NUMBERS * theta[T_COLUMNS] + PAIR_NUMBERS * theta[T_PAIRS])
		return false;
	for (int c = 0; c < (int) theta[T_COLUMNS]; c++)
		if (!is_column(theta + T_NUMBERS + COLUMN_NUMBERS * c, layout->d - (int) theta[T_TARGETS], theta[T_JOINED] != 0))
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
		(shape.edge != NULL && !are_edges(&shape, available - (size_t) (shape.edge - theta))) ||
		(shape.joined != NULL && !are_joined(&shape, available - (size_t) (shape.joined - theta))) || length(&shape) != layout->k || dpem_gam_theta_length(&shape) > available)
		return 0;
	return dpem_gam_theta_length(&shape);
}

size_t
dpem_gam_check_target(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	return available > T_JOINED && theta[T_TARGETS] == 1 && dpem_is_margin_parts(theta[T_PARTS]) && theta[T_LEVELS] > 0
		? check(layout, theta, available, dpem_gam_target_length) : 0;
}

size_t
dpem_gam_check_moments(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	return available > T_JOINED && theta[T_JOINED] == 0 ? check(layout, theta, available, dpem_gam_moments_length) : 0;
}

size_t
dpem_gam_check_gradient(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	return check(layout, theta, available, dpem_gam_gradient_length);
}
