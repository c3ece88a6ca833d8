/*
 * test_gam_search.c - several classes without noise: the search ends where the gradient is the prior's, whatever the prior, and learns
 * variances that its own posterior explains.  Rows are all combinations of cells, with shares of classes that are the same in every run.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/gam/gam_posterior.h"
#include "core/gam_search/gam_search.h"
#include "core/numeric/linalg.h"
#include "unit.h"

enum {COLUMNS = 4, BINS = 6, CELLS = COLUMNS * BINS, ROWS = 1296, CLASSES = 5, MOST = 200};

static int	offset[COLUMNS + 1];
static double second[CELLS * CELLS];
static double count[CELLS];
static double truth[CLASSES * CELLS];
static double mean[CLASSES][CELLS];
static double linear[CLASSES][CELLS];
static double step[CLASSES][COLUMNS];
static double here[CLASSES][CELLS * CELLS];
static double curvature[CLASSES][CELLS * CELLS];
static double path[CLASSES][DPEM_GAM_PATH * CELLS];
static DpemGamColumn column[COLUMNS];

static int
cell_of(int row, int c)
{
	for (int e = 0; e < c; e++)
		row /= BINS;
	return c * BINS + row % BINS;
}

static void
probabilities(const double *coefficient, int row, double *p)
{
	double		total = 0;

	for (int t = 0; t < CLASSES; t++)
	{
		p[t] = 0;
		for (int c = 0; c < COLUMNS; c++)
			p[t] += coefficient[t * CELLS + cell_of(row, c)];
		total += p[t] = exp(p[t]);
	}
	for (int t = 0; t < CLASSES; t++)
		p[t] /= total;
}

/* shares of the truth less those of the coefficients, summed up over the rows of each cell */
static void
find_gradient(const double *coefficient, double *gradient)
{
	memset(gradient, 0, CLASSES * CELLS * sizeof(double));
	for (int row = 0; row < ROWS; row++)
	{
		double		own[CLASSES];
		double		p[CLASSES];

		probabilities(truth, row, own);
		probabilities(coefficient, row, p);
		for (int t = 0; t < CLASSES; t++)
			for (int c = 0; c < COLUMNS; c++)
				gradient[t * CELLS + cell_of(row, c)] += own[t] - p[t];
	}
}

static void
no_pause(void)
{
}

/* largest entry of K g - b, in that of b */
static double
distance(const DpemGamRows *rows, const DpemGamScore *score, const double *gradient)
{
	double		block[BINS * BINS];
	double		log_det;
	double		total = 0;
	double		most = 0;
	double		size = 0;

	for (int i = 0; i < CELLS; i++)
		total += gradient[i];
	for (int c = 0; c < COLUMNS; c++)
	{
		dpem_gam_precision(rows, c, score->step[c], block);
		CHECK(dpem_linalg_inverse(BINS, block, &log_det) == DPEM_OK, "the prior has an inverse");
		for (int i = 0; i < BINS; i++)
		{
			double		sum = dpem_gam_constant(rows) * total - score->mean[c * BINS + i];

			for (int j = 0; j < BINS; j++)
				sum += block[i * BINS + j] * gradient[c * BINS + j];
			most = fmax(most, fabs(sum));
			size = fmax(size, fabs(score->mean[c * BINS + i]));
		}
	}
	return most / size;
}

static int
search_for(const DpemGamRows *rows, DpemGamScore *score, bool learn)
{
	size_t		length = dpem_gam_search_work(rows, CLASSES);
	double	   *room = calloc(length, sizeof(double));
	DpemNoisyMoments m = {.layout = {CLASSES * CELLS, COLUMNS, DPEM_COUNTS_ALONE},.value = calloc(CLASSES * CELLS, sizeof(double))};
	double		coefficient[CLASSES * CELLS];
	double		unit = dpem_gam_residual_unit(rows) / dpem_gam_gradient_mark(&rows->shape);
	DpemGamSearch search;
	int			pass = 0;

	CHECK(dpem_gam_search_begin(&search, rows, score, CLASSES, learn, no_pause, (DpemWorkspace) {room, room + length}) == DPEM_OK, "a search begins");
	while (pass < MOST && !search.minimum.found)
	{
		dpem_gam_search_at(&search, coefficient);
		find_gradient(coefficient, m.value);
		for (int i = 0; i < CLASSES * CELLS; i++)
			m.value[i] /= unit;
		CHECK(dpem_gam_search_take(&search, &m, coefficient) == DPEM_OK, "pass %d", pass);
		pass++;
	}
	free(m.value);
	free(room);
	return pass;
}

static void
check_search(double steep, double variance, bool learn)
{
	DpemGamRows rows = {
		.shape = {.radius = 1,.columns = COLUMNS,.column = column,.targets = CLASSES,.classes = CLASSES,.reach = 2},
		.n = CELLS,.offset = offset,.exact = true,.rows = ROWS,.count = count,.second = second,.variance = 1,.dispersion = 1,.middle_off = INFINITY
	};
	DpemGamScore score[CLASSES];
	double		gradient[CLASSES * CELLS];
	int			passes;

	for (int t = 0; t < CLASSES; t++)
	{
		score[t] = (DpemGamScore) {.mean = mean[t],.linear = linear[t],.here = here[t],.curvature = curvature[t],.step = step[t]};
		dpem_gam_begin_path(CELLS, path[t], &score[t]);
		for (int i = 0; i < CELLS; i++)
		{
			truth[t * CELLS + i] = steep * sin(1.3 * t * (i % BINS) + i / BINS);
			mean[t][i] = 0;
			score[t].counted[i] = 1.0 / CLASSES;
		}
		for (int c = 0; c < COLUMNS; c++)
			step[t][c] = variance * (t + 1);
	}
	passes = search_for(&rows, score, learn);
	find_gradient(mean[0], gradient);
	CHECK(passes < MOST, "steepness %g, variance %g: %d passes", steep, variance, passes);
	for (int t = 0; t < CLASSES; t++)
	{
		double		off = distance(&rows, &score[t], gradient + t * CELLS);

		CHECK(off < 1e-6, "steepness %g, variance %g, class %d: off by %g", steep, variance, t, off);
	}
}

int
main(void)
{
	for (int c = 0; c < COLUMNS; c++)
	{
		column[c] = (DpemGamColumn) {.bins = BINS,.known = -1};
		offset[c + 1] = BINS * (c + 1);
	}
	for (int i = 0; i < CELLS; i++)
	{
		count[i] = ROWS / BINS;
		for (int j = 0; j < CELLS; j++)
			second[CELLS * i + j] = i == j ? ROWS / BINS : i / BINS == j / BINS ? 0 : ROWS / BINS / BINS;
	}
	check_search(0.2, 0.05, false);
	check_search(1, 1, false);
	check_search(3, 20, false);
	check_search(0.2, 0.05, true);
	check_search(3, 0.05, true);
	return unit_report();
}
