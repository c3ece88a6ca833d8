/*
 * synth_data.h - the table of bench_synth.c, and what simple ways to release it are worth.
 */
#ifndef DPEM_SYNTH_DATA_H
#define DPEM_SYNTH_DATA_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/numeric/public_random.h"
#include "core/synth/synth_plan.h"

#define MOST_ROWS	1000000

typedef struct Data
{
	int			columns;
	int			rows;
	int			size[DPEM_SYNTH_COLUMNS];
	bool		ordered[DPEM_SYNTH_COLUMNS];
	int		   *value;			/* rows x columns */
	int			n;				/* candidate sets */
	DpemSynthSet *set;
	int64_t	  **count;			/* of each set, categories */
} Data;

static void *
room(size_t n, size_t size)
{
	void	   *memory = calloc(n, size);

	if (memory == NULL)
		exit(1);
	return memory;
}

/* ---- the table --------------------------------------------------------------- */

/* name=categories of a label, name#bins of a number, whose bins have an order */
static int
read_header(Data *data, char *line)
{
	int			j = 0;

	for (char *name = strtok(line, ",\n"); name != NULL; name = strtok(NULL, ",\n"), j++)
	{
		char	   *size = strpbrk(name, "=#");

		data->ordered[j] = size != NULL && *size == '#';
		data->size[j] = size != NULL ? atoi(size + 1) : 0;
	}
	return j;
}

static bool
read_data(const char *file, Data *data)
{
	char		line[4096];
	FILE	   *in = fopen(file, "r");

	if (in == NULL || fgets(line, sizeof line, in) == NULL)
		return false;
	data->columns = read_header(data, line);
	data->value = room((size_t) MOST_ROWS * (size_t) data->columns, sizeof(int));
	while (data->rows < MOST_ROWS && fgets(line, sizeof line, in) != NULL)
	{
		int			j = 0;

		for (char *code = strtok(line, ",\n"); code != NULL; code = strtok(NULL, ",\n"), j++)
		{
			int			c = atoi(code);

			data->value[data->rows * data->columns + j] = c;
			data->size[j] = c >= data->size[j] ? c + 1 : data->size[j];
		}
		data->rows++;
	}
	return fclose(in) == 0;
}

static int64_t *
count_set(const Data *data, DpemSynthSet set)
{
	int64_t    *count = room((size_t) dpem_synth_cells(data->size, set), sizeof *count);

	for (int r = 0; r < data->rows; r++)
	{
		size_t		cell = 0;

		for (DpemSynthSet s = set; s != 0; s &= s - 1)
		{
			int			j = __builtin_ctzll(s);

			cell = cell * (size_t) data->size[j] + (size_t) data->value[r * data->columns + j];
		}
		count[cell]++;
	}
	return count;
}

static void
count_all(Data *data)
{
	int			n = dpem_synth_workload_size(data->columns, -1);
	DpemSynthWanted *wanted = room((size_t) n, sizeof *wanted);

	dpem_synth_workload(data->columns, -1, wanted);
	data->set = room((size_t) n, sizeof *data->set);
	data->n = dpem_synth_closure(wanted, n, n, data->set);
	data->count = room((size_t) data->n, sizeof *data->count);
	for (int i = 0; i < data->n; i++)
		data->count[i] = count_set(data, data->set[i]);
	free(wanted);
}

/* ---- baselines: Gaussian noise, the nearest distribution ------------------------- */

static int
descending(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* the nearest numbers that are not negative and add up to 1 (Held, Wolfe, Crowder 1974) */
static void
project(size_t n, double *x)
{
	double	   *sorted = room(n, sizeof *sorted);
	double		sum = 0;
	double		shift = 0;

	memcpy(sorted, x, n * sizeof *x);
	qsort(sorted, n, sizeof *sorted, descending);
	for (size_t i = 0; i < n; i++)
	{
		sum += sorted[i];
		if (sorted[i] * (double) (i + 1) > sum - 1)
			shift = (sum - 1) / (double) (i + 1);
	}
	for (size_t i = 0; i < n; i++)
		x[i] = fmax(x[i] - shift, 0);
	free(sorted);
}

/* shares of a table's cells, with noise of sd in each count */
static double *
noisy_shares(const Data *data, size_t n, const int64_t *count, double sd, DpemPublicRandom *random)
{
	double	   *share = room(n, sizeof *share);

	for (size_t i = 0; i < n; i++)
		share[i] = ((double) count[i] + sd * dpem_public_normal(random)) / data->rows;
	project(n, share);
	return share;
}

static double
distance_of_shares(const Data *data, size_t n, const int64_t *count, const double *share)
{
	double		sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += fabs((double) count[i] / data->rows - share[i]) / 2;
	return sum;
}

/* mean distance of all pairs when they are released at once */
static double
pairs_at_once(const Data *data, double mu, DpemPublicRandom *random)
{
	double		sum = 0;

	for (int i = 0; i < data->n; i++)
	{
		size_t		n = (size_t) dpem_synth_cells(data->size, data->set[i]);
		double	   *share = noisy_shares(data, n, data->count[i], sqrt(data->n) / mu, random);

		sum += distance_of_shares(data, n, data->count[i], share);
		free(share);
	}
	return sum / data->n;
}

/* ... and of one-way tables released alone, columns taken as independent */
static double
one_ways_alone(const Data *data, double mu, DpemPublicRandom *random)
{
	double	   *column[DPEM_SYNTH_COLUMNS];
	double		sum = 0;

	for (int j = 0; j < data->columns; j++)
	{
		int64_t    *count = count_set(data, dpem_synth_column(j));

		column[j] = noisy_shares(data, (size_t) data->size[j], count, sqrt(data->columns) / mu, random);
		free(count);
	}
	for (int i = 0; i < data->n; i++)
	{
		int			a = __builtin_ctzll(data->set[i]);
		int			b = 63 - __builtin_clzll(data->set[i]);
		size_t		n = (size_t) dpem_synth_cells(data->size, data->set[i]);
		double	   *share = room(n, sizeof *share);

		for (size_t c = 0; c < n; c++)
			share[c] = column[a][c / (size_t) data->size[b]] * column[b][c % (size_t) data->size[b]];
		sum += distance_of_shares(data, n, data->count[i], share);
		free(share);
	}
	for (int j = 0; j < data->columns; j++)
		free(column[j]);
	return sum / data->n;
}

#endif							/* DPEM_SYNTH_DATA_H */
