/*
 * gam_shape.c - cells and marks of gam_kernel.h.
 */
#include <math.h>

#include "core/gam/gam_shape.h"

#define SLACK	1e-12			/* without quantisation: of rounding errors in a coordinate */

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

/* ---- as gradients see them ---- */

int
dpem_gam_seen_terms(const DpemGamShape *shape)
{
	int			n = shape->pairs;

	for (int c = 0; c < shape->columns; c++)
		n += shape->joined == NULL || shape->column[c].joined > 0;
	return n;
}

int
dpem_gam_seen_term_cells(const DpemGamShape *shape, int term)
{
	return shape->joined != NULL && term < shape->columns ? shape->column[term].joined : dpem_gam_term_cells(shape, term);
}

int
dpem_gam_seen_cells(const DpemGamShape *shape)
{
	int			n = 0;

	for (int term = 0; term < dpem_gam_terms(shape); term++)
		n += dpem_gam_seen_term_cells(shape, term);
	return n;
}

/* ---- bins ---- */

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
dpem_gam_target_length(const DpemGamShape *shape)
{
	return dpem_margin_bins(&shape->margins);
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
	return dpem_gam_scores(shape) * dpem_gam_seen_cells(shape);
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
	return sqrt(1.0 / dpem_gam_seen_terms(shape));
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
