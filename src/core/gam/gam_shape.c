/*
 * gam_shape.c - cells, marks and parameters of gam_kernel.h.
 */
#include <math.h>

#include "core/gam/gam_shape.h"
#include "core/numeric/bisect.h"

enum
{
	T_RADIUS, T_COLUMNS, T_TARGETS, T_CLASSES, T_PAIR_SHARE, T_MIDDLE, T_REACH, T_NUMBERS
};

#define COLUMN_NUMBERS	4

/* ---- cells ---- */

int
dpem_gam_column_cells(const DpemGamColumn *column)
{
	return column->bins + (column->length > 0 || column->known >= 0 ? 1 : 0);
}

int
dpem_gam_cells(const DpemGamShape *shape)
{
	int			n = 0;

	for (int c = 0; c < shape->columns; c++)
		n += dpem_gam_column_cells(&shape->column[c]);
	return n;
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

int
dpem_gam_bin(double coordinate, double slack, int bins)
{
	double		at = (coordinate + slack + 1) / 2 * bins;

	return at >= bins ? bins - 1 : at > 0 ? (int) at : 0;
}

/* ---- marks: their squares over a row's cells and pairs add up to 1 ---- */

static double
pairs_of(const DpemGamShape *shape)
{
	return (double) shape->columns * (shape->columns - 1) / 2;
}

double
dpem_gam_single_mark(const DpemGamShape *shape)
{
	return sqrt((shape->columns > 1 ? 1 - shape->pair_share : 1) / shape->columns);
}

double
dpem_gam_pair_mark(const DpemGamShape *shape)
{
	return shape->columns > 1 ? sqrt(shape->pair_share / pairs_of(shape)) : 0;
}

double
dpem_gam_gradient_mark(const DpemGamShape *shape)
{
	return sqrt(1.0 / shape->columns);
}

double
dpem_gam_units(double mark, int bits)
{
	return bits > 0 ? floor(ldexp(mark * (1 - 0x1p-40), bits)) : mark;
}

/* ---- parameters of a pass ---- */

size_t
dpem_gam_theta_length(const DpemGamShape *shape)
{
	return T_NUMBERS + (size_t) COLUMN_NUMBERS * shape->columns + (size_t) dpem_gam_gradient_length(shape);
}

void
dpem_gam_write(const DpemGamShape *shape, const double *coefficient, double *theta)
{
	double	   *at = theta + T_NUMBERS;
	int			length = dpem_gam_gradient_length(shape);

	theta[T_RADIUS] = shape->radius;
	theta[T_COLUMNS] = shape->columns;
	theta[T_TARGETS] = shape->targets;
	theta[T_CLASSES] = shape->classes;
	theta[T_PAIR_SHARE] = shape->pair_share;
	theta[T_MIDDLE] = shape->middle;
	theta[T_REACH] = shape->reach;
	for (int c = 0; c < shape->columns; c++)
	{
		*at++ = shape->column[c].first;
		*at++ = shape->column[c].length;
		*at++ = shape->column[c].bins;
		*at++ = shape->column[c].known;
	}
	for (int i = 0; i < length; i++)
		*at++ = coefficient ? coefficient[i] : 0;
}

const double *
dpem_gam_read(const double *theta, DpemGamShape *shape, DpemGamColumn *column)
{
	const double *at = theta + T_NUMBERS;

	*shape = (DpemGamShape) {
		.radius = theta[T_RADIUS],.columns = (int) theta[T_COLUMNS],.column = column,.targets = (int) theta[T_TARGETS],
		.classes = (int) theta[T_CLASSES],.pair_share = theta[T_PAIR_SHARE],.middle = theta[T_MIDDLE],.reach = theta[T_REACH]
	};
	for (int c = 0; c < shape->columns; c++, at += COLUMN_NUMBERS)
		column[c] = (DpemGamColumn) {(int) at[0], (int) at[1], (int) at[2], (int) at[3]};
	return at;
}

/* each column within the coordinates before the target's, `end` of them */
static bool
is_column(const double *at, int end)
{
	bool		label = at[1] > 0;

	return dpem_is_whole(at[0], 0, end - 1) && dpem_is_whole(at[1], 0, end - at[0]) &&
		dpem_is_whole(at[2], 1, label ? DPEM_GAM_MAX_CELLS : DPEM_GAM_MAX_BINS) &&
		(!label || at[2] == at[1]) && dpem_is_whole(at[3], -1, label ? -1 : end - 1);
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
		theta[T_COLUMNS] > layout->d - theta[T_TARGETS] ||
		!(theta[T_PAIR_SHARE] >= 0 && theta[T_PAIR_SHARE] < 1) || !(fabs(theta[T_MIDDLE]) <= 1) || !(theta[T_REACH] > 0) ||
		available - T_NUMBERS < COLUMN_NUMBERS * theta[T_COLUMNS])
		return false;
	for (int c = 0; c < (int) theta[T_COLUMNS]; c++)
		if (!is_column(theta + T_NUMBERS + COLUMN_NUMBERS * c, layout->d - (int) theta[T_TARGETS]))
			return false;
	return true;
}

static size_t
check(const DpemMomentLayout *layout, const double *theta, size_t available, int (*length) (const DpemGamShape *shape))
{
	DpemGamColumn column[DPEM_GAM_MAX_COLUMNS];
	DpemGamShape shape;

	if (!is_shape(layout, theta, available))
		return 0;
	dpem_gam_read(theta, &shape, column);
	if (dpem_gam_cells(&shape) > DPEM_GAM_MAX_CELLS || length(&shape) != layout->k || dpem_gam_theta_length(&shape) > available)
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
