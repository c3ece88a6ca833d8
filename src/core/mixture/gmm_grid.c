/*
 * gmm_grid.c - see gmm_grid.h.
 */
#include <math.h>

#include "core/mixture/gmm_grid.h"

double
dpem_gmm_grid_radius(int d)
{
	return DPEM_GMM_CELLS_REACH * sqrt(d);
}

DpemCellGrid
dpem_gmm_grid(int k, int axes, int d, int most, const double *center, const double *whitening, double rows, double sd, double *projection)
{
	DpemCellGrid grid = {.axes = axes,.d = d,.projection = axes < d ? projection : NULL};
	double		radius = dpem_gmm_grid_radius(d);
	double		reach[DPEM_GMM_CELLS_MAX_D];
	double		volume = 1;
	double		most_parts = floor(pow(DPEM_CELLS_MAX, 1.0 / axes) + 1e-9);
	double		width;

	for (int a = 0; a < axes; a++)
	{
		double		edge = 0;

		for (int j = 0; j < d; j++)
			edge += fabs(whitening[a * d + j]) * (1 + fabs(center[j]));
		reach[a] = fmin(edge, DPEM_GMM_CELLS_REACH);
		volume *= 2 * reach[a];
	}
	width = fmax(dpem_gmm_cell_width(k, axes, volume, rows, sd), pow(volume / most, 1.0 / axes));
	for (int a = 0; a < axes; a++)
		grid.axis[a] = (DpemCellAxis) {-reach[a] / radius, reach[a] / radius, (int) fmin(ceil(2 * reach[a] / width), most_parts)};
	for (size_t i = 0; axes < d && i < (size_t) axes * d; i++)
		projection[i] = i % ((size_t) d + 1) == 0 ? 1 : 0;
	return grid;
}

DpemGmmCells
dpem_gmm_grid_cells(const DpemCellGrid *grid, const double *count, double sd, double rows, double *middle)
{
	double		radius = dpem_gmm_grid_radius(grid->d);
	DpemGmmCells cells = {
		.n = dpem_cells_number(grid),.d = grid->axes,.count = count,.middle = middle,.sd = sd,.rows = rows,
		.variance = 1 / (radius * radius)
	};

	dpem_cells_middles(grid, middle);
	for (int a = 0; a < grid->axes; a++)
		cells.width[a] = (grid->axis[a].upper - grid->axis[a].lower) / grid->axis[a].parts;
	return cells;
}

/*
 * A normal density squared has the integral 1 / ((4 pi)^(d/2) sqrt |C|): a
 * component has the noise of so many cells as fit into the inverse of that.
 */
DpemNoisyMoments
dpem_gmm_grid_noise(const DpemGmmCells *cells, const DpemGmm *gmm)
{
	DpemNoisyMoments noise = {.layout = {gmm->k, gmm->d, gmm->shape}};
	int			d = gmm->d;
	double		variance = 0;
	double		cell = 1;
	double		number;

	for (int k = 0; k < gmm->k; k++)
		for (int j = 0; j < d; j++)
			variance += gmm->weight[k] * gmm->covariance[((size_t) k * d + j) * d + j] / d;
	for (int j = 0; j < d; j++)
		cell *= cells->width[j];
	number = fmax(pow(4 * M_PI * variance, d / 2.0) / cell, 1);
	noise.count_sd = cells->sd * sqrt(number);
	noise.sum_sd = noise.count_sd * sqrt(variance);
	noise.second_sd = noise.count_sd * variance;
	return noise;
}
