/*
 * gam_data.h - tables of bench_gam.c: rows as codes, and what predictions of them are worth.
 */
#ifndef DPEM_GAM_DATA_H
#define DPEM_GAM_DATA_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/gam/gam_bins.h"
#include "core/gam/gam_kernel.h"
#include "core/pass/features.h"

#define LINE			8192
#define MOST_COLUMNS	200

/* the rows of a fit, or those that were held out */
typedef struct Part
{
	int			rows;
	int16_t    *code;			/* blocks of rows, as the kernels read them */
	int16_t    *cell;			/* of each row, columns */
	double	   *target;			/* a class, or a number in [-1, 1] */
} Part;

typedef struct Data
{
	DpemGamColumn column[MOST_COLUMNS];
	DpemScaledDomain domain[MOST_COLUMNS];	/* of a number whose values are given; of what is given by codes 0 wide */
	double		edge[MOST_COLUMNS][DPEM_GAM_MAX_BINS];
	DpemGamShape shape;
	int			offset[MOST_COLUMNS + 1];
	Part		part[2];		/* train, test */
} Data;

static inline void *
room(size_t n, size_t size)
{
	void	   *memory = calloc(n + 1, size);

	if (memory == NULL)
		exit(1);
	return memory;
}

/* ---- a table ----------------------------------------------------------------- */

/* name=categories of a label, name#bins of a number's codes or name#bins:lower:upper of its values, with :equal for equal parts */
static void
read_column(Data *data, const char *name)
{
	const char *size = strpbrk(name, "=#");
	int			c = data->shape.columns;
	DpemScaledDomain *domain = &data->domain[c];
	int			n = size != NULL ? atoi(size + 1) : 0;

	if (size == NULL)
		return;
	if (sscanf(size, "#%d:%lf:%lf", &n, &domain->lower, &domain->upper) == 3)
		n = (strstr(size, ":equal") ? dpem_gam_equal_bins : dpem_gam_spread_bins) (domain, false, n, data->edge[c]);
	data->column[c] = (DpemGamColumn) {.length = *size == '=' ? n : 0,.bins = n,.known = -1};
	data->shape.columns++;
}

/* part, then columns, and last y=classes, or y */
static void
read_header(Data *data, char *line)
{
	DpemGamShape *shape = &data->shape;
	const char *last = NULL;

	*shape = (DpemGamShape) {.radius = 1,.column = data->column,.targets = 1,.classes = DPEM_GAM_TARGET_BINS,.reach = 2};
	strtok(line, ",\n");
	for (const char *name = strtok(NULL, ",\n"); name != NULL; last = name, name = strtok(NULL, ",\n"))
		if (last != NULL)
			read_column(data, last);
	if (last != NULL && strchr(last, '=') != NULL)
		shape->targets = shape->classes = atoi(strchr(last, '=') + 1);
	for (int c = 0; c < shape->columns; c++)
		data->offset[c + 1] = data->offset[c] + dpem_gam_column_cells(&data->column[c]);
}

/* the code of a value, or the bin of a number's, rounded as features are */
static int
place_of(const Data *data, size_t c, const char *value)
{
	double		half = (data->domain[c].upper - data->domain[c].lower) / 2;
	double		unit = ldexp(sqrt(data->shape.columns), -DPEM_FINE_BITS);

	if (half == 0)
		return atoi(value);
	return dpem_gam_edges_below(data->edge[c], data->column[c].bins - 1, unit * rint(((atof(value) - data->domain[c].lower) / half - 1) / unit) + unit / 2);
}

/* a code below zero is a label's value that is none */
static void
read_row(const Data *data, Part *part)
{
	size_t		columns = (size_t) data->shape.columns;
	int16_t    *cell;

	if (part->rows % DPEM_BLOCK_ROWS == 0)
	{
		part->cell = realloc(part->cell, columns * (size_t) (part->rows + DPEM_BLOCK_ROWS) * sizeof *part->cell);
		part->target = realloc(part->target, (size_t) (part->rows + DPEM_BLOCK_ROWS) * sizeof *part->target);
	}
	cell = part->cell + columns * (size_t) part->rows;
	for (size_t c = 0; c < columns; c++)
	{
		const char *code = strtok(NULL, ",\n");
		int			place = code != NULL ? place_of(data, c, code) : -1;

		cell[c] = (int16_t) (data->offset[c] + (place < 0 ? data->column[c].bins : place));
	}
	part->target[part->rows++] = atof(strtok(NULL, ",\n"));
}

/* as gam_cells.c makes them */
static void
make_codes(const Data *data, Part *part)
{
	size_t		width = (size_t) dpem_gam_shape_codes(&data->shape) * DPEM_BLOCK_ROWS;
	int			columns = data->shape.columns;

	part->code = room(width * ((size_t) part->rows / DPEM_BLOCK_ROWS + 1), sizeof *part->code);
	for (int first = 0; first < part->rows; first += DPEM_BLOCK_ROWS)
	{
		int			rows = part->rows - first < DPEM_BLOCK_ROWS ? part->rows - first : DPEM_BLOCK_ROWS;
		int16_t    *code = part->code + width * (size_t) (first / DPEM_BLOCK_ROWS);
		int16_t    *target = code + width - (data->shape.targets == 1 ? 5 : 1) * DPEM_BLOCK_ROWS;
		int16_t		cell[DPEM_BLOCK_ROWS];

		for (int c = 0; c < columns; c++)
		{
			for (int r = 0; r < rows; r++)
				cell[r] = (int16_t) (part->cell[(size_t) (first + r) * columns + c] - data->offset[c]);
			dpem_gam_put_column(dpem_gam_fits_bytes(&data->shape), c, rows, cell, code);
		}
		for (int r = 0; r < rows; r++)
		{
			target[r] = (int16_t) (data->shape.targets > 1 ? part->target[first + r] : 0);
			if (data->shape.targets == 1)
				((double *) (target + DPEM_BLOCK_ROWS))[r] = part->target[first + r];
		}
	}
}

static bool
read_data(const char *file, Data *data)
{
	static char line[LINE];
	FILE	   *in = fopen(file, "r");

	if (in == NULL || fgets(line, LINE, in) == NULL)
		return false;
	read_header(data, line);
	while (fgets(line, LINE, in) != NULL)
		read_row(data, &data->part[atoi(strtok(line, ",\n"))]);
	for (int p = 0; p < 2; p++)
		make_codes(data, &data->part[p]);
	return fclose(in) == 0;
}

/* ---- predictions --------------------------------------------------------------- */

typedef struct Scored
{
	double		score;
	int			class;
} Scored;

static int
ascending(const void *a, const void *b)
{
	double		x = ((const Scored *) a)->score;
	double		y = ((const Scored *) b)->score;

	return (x > y) - (x < y);
}

/* how often a row of `class` has a greater score than another, ties count half */
static double
area_under_curve(int n, Scored *row)
{
	double		ranks = 0;
	double		ones = 0;

	qsort(row, (size_t) n, sizeof *row, ascending);
	for (int i = 0, end = 0; i < n; i = end)
	{
		while (end < n && row[end].score == row[i].score)
			end++;
		for (int j = i; j < end; j++)
		{
			ranks += row[j].class * (i + end + 1) / 2.0;
			ones += row[j].class;
		}
	}
	return (ranks - ones * (ones + 1) / 2) / (ones * (n - ones));
}

/* measure: AUC, accuracy of several classes, R squared of a number; loss: mean of -log of the true class's probability */
typedef struct Worth
{
	double		measure;
	double		loss;
} Worth;

/* score: rows, of a number predictions */
static Worth
worth_of_number(const Part *part, const double *score)
{
	double		mean = 0;
	double		rest = 0;
	double		all = 0;

	for (int r = 0; r < part->rows; r++)
		mean += part->target[r] / part->rows;
	for (int r = 0; r < part->rows; r++)
	{
		rest += pow(part->target[r] - fmin(fmax(score[r], -1), 1), 2);
		all += pow(part->target[r] - mean, 2);
	}
	return (Worth) {1 - rest / all, 0};
}

static Worth
worth_of_two(const Part *part, const double *score)
{
	Scored	   *row = room((size_t) part->rows, sizeof *row);
	Worth		worth = {0};

	for (int r = 0; r < part->rows; r++)
	{
		double		wrong = part->target[r] > 0 ? -score[r] : score[r];

		row[r] = (Scored) {score[r], part->target[r] > 0};
		worth.loss += (fmax(wrong, 0) + log1p(exp(-fabs(wrong)))) / part->rows;
	}
	worth.measure = area_under_curve(part->rows, row);
	free(row);
	return worth;
}

/* score: of each row, classes */
static Worth
worth_of_several(const Part *part, int classes, const double *score)
{
	Worth		worth = {0};

	for (int r = 0; r < part->rows; r++, score += classes)
	{
		int			own = (int) part->target[r];
		int			best = 0;
		double		total = 0;

		for (int t = 1; t < classes; t++)
			best = score[t] > score[best] ? t : best;
		for (int t = 0; t < classes; t++)
			total += exp(score[t] - score[best]);
		worth.measure += (best == own) / (double) part->rows;
		worth.loss += (log(total) - score[own] + score[best]) / part->rows;
	}
	return worth;
}

/* what the classes' shares, or the mean, of the rows of the fit are worth by themselves, without noise */
static Worth
worth_of_shares(const Data *data)
{
	const Part *train = &data->part[0];
	int			scores = data->shape.targets;
	double	   *share = room((size_t) scores, sizeof *share);
	double	   *score = room((size_t) data->part[1].rows * scores, sizeof *score);
	Worth		worth;

	for (int r = 0; r < train->rows; r++)
		share[scores > 1 ? (int) train->target[r] : 0] += (scores > 1 ? 1 : train->target[r]) / train->rows;
	for (int r = 0; r < data->part[1].rows; r++)
		for (int t = 0; t < scores; t++)
			score[(size_t) r * (scores == 2 ? 1 : scores) + (scores == 2 ? 0 : t)] = scores == 1 ? share[0] : scores == 2 ? log(share[1] / share[0]) : log(share[t]);
	worth = scores == 1 ? worth_of_number(&data->part[1], score) : scores == 2 ? worth_of_two(&data->part[1], score) : worth_of_several(&data->part[1], scores, score);
	free(share);
	free(score);
	return worth;
}

/* as the line of a fit at epsilon 0; of more numbers the last is 0 */
static void
print_shares(const Data *data)
{
	Worth		alone = worth_of_shares(data);

	printf("0 1 %.4f %.4f 0\n", alone.measure, alone.loss);
}

#endif							/* DPEM_GAM_DATA_H */
