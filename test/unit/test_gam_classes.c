/*
 * test_gam_classes.c - several classes: the curvature of each in a cell is little more than that of the rows in it, however far
 * apart classes are.  Rows are all combinations of cells, once each, and scores the same in every run.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/gam/gam_estimate.h"
#include "unit.h"

enum {COLUMNS = 5, BINS = 6, CELLS = COLUMNS * BINS, ROWS = 7776, CLASSES = 4};

static int	offset[COLUMNS + 1];
static double second[CELLS * CELLS];
static double count[CELLS];
static double mean[CLASSES][CELLS];
static double here[CLASSES][CELLS * CELLS];
static double path[CLASSES][DPEM_GAM_PATH * CELLS];
static double expected[CLASSES][CELLS];
static double share[CLASSES][CELLS];

static int
cell_of(int row, int column)
{
	for (int c = 0; c < column; c++)
		row /= BINS;
	return column * BINS + row % BINS;
}

/* adds to each cell's sums of p (1 - p) and p */
static void
add_row(int row)
{
	double		p[CLASSES];
	double		total = 0;

	for (int t = 0; t < CLASSES; t++)
	{
		double		score = 0;

		for (int c = 0; c < COLUMNS; c++)
			score += mean[t][cell_of(row, c)];
		total += p[t] = exp(score);
	}
	for (int c = 0; c < COLUMNS; c++)
		for (int t = 0; t < CLASSES; t++)
		{
			expected[t][cell_of(row, c)] += p[t] / total * (1 - p[t] / total);
			share[t][cell_of(row, c)] += p[t] / total;
		}
}

/* two classes at either end of every column, two that are rare within; columns of bins are independent */
static void
make_rows(double steep)
{
	for (int t = 0; t < CLASSES; t++)
		for (int i = 0; i < CELLS; i++)
		{
			double		place = (i % BINS - (BINS - 1) / 2.0) / BINS;

			mean[t][i] = steep * (t < 2 ? (t > 0 ? place : -place) : 0.3 * (t > 2 ? place * place : -place * place) - 0.2);
			expected[t][i] = share[t][i] = 0;
		}
	for (int i = 0; i < CELLS; i++)
	{
		count[i] = ROWS / BINS;
		for (int j = 0; j < CELLS; j++)
			second[CELLS * i + j] = i == j ? ROWS / BINS : i / BINS == j / BINS ? 0 : ROWS / BINS / BINS;
	}
	for (int row = 0; row < ROWS; row++)
		add_row(row);
}

static void
check_curvature(double steep)
{
	DpemGamColumn column[COLUMNS];
	DpemGamRows rows = {
		.shape = {.radius = 1,.columns = COLUMNS,.column = column,.targets = CLASSES,.classes = CLASSES,.reach = 2},
		.n = CELLS,.offset = offset,.rows = ROWS,.count = count,.second = second,.single_sd = 0.1
	};
	DpemGamScore score[CLASSES];
	double		work[3 * CELLS];
	double		least = INFINITY;
	double		most = 0;

	for (int c = 0; c < COLUMNS; c++)
	{
		column[c] = (DpemGamColumn) {.bins = BINS,.known = -1};
		offset[c + 1] = BINS * (c + 1);
	}
	make_rows(steep);
	for (int t = 0; t < CLASSES; t++)
	{
		score[t] = (DpemGamScore) {.mean = mean[t],.here = here[t],.weight = 1};
		dpem_gam_begin_path(CELLS, path[t], &score[t]);
		for (int i = 0; i < CELLS; i++)
			score[t].counted[i] = share[t][i] / count[i];
	}
	dpem_gam_curvature(&rows, NULL, score, work);
	for (int t = 0; t < CLASSES; t++)
	{
		double		own = 0;
		double		all = 0;

		for (int i = 0; i < CELLS; i++)
		{
			own += here[t][i * (CELLS + 1)];
			all += expected[t][i];
		}
		/* a class that hardly any row might be in has the least weight there is */
		if (all < ROWS * COLUMNS / 200.0)
			continue;
		least = fmin(least, own / all);
		most = fmax(most, own / all);
	}
	CHECK(least > 1 && most < 3, "scores %g times as steep: curvature %g to %g times that of rows", steep, least, most);
}

int
main(void)
{
	check_curvature(1);
	check_curvature(4);
	check_curvature(12);
	return unit_report();
}
