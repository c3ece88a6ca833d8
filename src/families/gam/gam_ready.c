/*
 * gam_ready.c - see gam_ready.h.
 */
#include "postgres.h"

#include <math.h>

#include "core/gam/gam_bins.h"
#include "core/numeric/bisect.h"
#include "export/model_bins.h"
#include "families/gam/gam_ready.h"
#include "server/fit_memory.h"

/*
 * Rows of the intercept, then of each column's cells, then of pairs', the same in every score: what a document from
 * elsewhere may not have.
 */
static void
check_rows(const DpemReadyGam *ready)
{
	const DpemModel *model = ready->model;
	const double *place = dpem_model_numbers(model, DPEM_GAM_PLACE);
	const double *bin = dpem_model_numbers(model, DPEM_GAM_BIN);
	const double *other = dpem_model_numbers(model, DPEM_GAM_OTHER_PLACE);
	const double *other_bin = dpem_model_numbers(model, DPEM_GAM_OTHER_BIN);

	if (ready->scores < 1 || model->k % ready->scores != 0)
		dpem_model_corrupt();
	for (int row = 0; row < model->k; row++)
	{
		int			of = row % ready->rows;
		int			least = other[of] > 0 ? DPEM_GAM_OTHERS : 0;

		if (place[row] != place[of] || bin[row] != bin[of] || other[row] != other[of] || other_bin[row] != other_bin[of] ||
			!dpem_is_whole(bin[row], least, ready->rows) || !dpem_is_whole(other_bin[row], least, ready->rows) ||
			!dpem_is_whole(place[row], of > 0 ? 1 : 0, of > 0 ? model->d : 0) || !dpem_is_whole(other[row], 0, of > 0 ? model->d : 0) ||
			(of > 1 && other[of] == 0 && other[of - 1] > 0))
			dpem_model_corrupt();
	}
}

/* up to the first row of a pair, which is returned */
static int
find_columns(DpemReadyGam *ready)
{
	const double *place = dpem_model_numbers(ready->model, DPEM_GAM_PLACE);
	const double *bin = dpem_model_numbers(ready->model, DPEM_GAM_BIN);
	const double *other = dpem_model_numbers(ready->model, DPEM_GAM_OTHER_PLACE);
	int			row;

	ready->column = palloc0(ready->rows * sizeof(DpemReadyColumn));
	for (row = 1; row < ready->rows && other[row] == 0; row++)
	{
		DpemReadyColumn *column = &ready->column[ready->columns];

		if (row == 1 || place[row] != place[row - 1])
		{
			column = &ready->column[ready->columns++];
			column->coordinate = (int) place[row] - 1;
			column->row = row;
			column->label = ready->model->category_of[column->coordinate] != NULL;
		}
		else
			column = &ready->column[ready->columns - 1];
		column->bins += bin[row] > 0;
		column->unknown |= bin[row] == 0;
	}
	for (int c = 0; c < ready->columns; c++)
	{
		DpemReadyColumn *column = &ready->column[c];

		if (column->bins < 1 || (column->label && column->coordinate + column->bins > ready->model->d))
			dpem_model_corrupt();
		if (!column->label)
			column->edge = dpem_model_bin_edges(ready->model, column->coordinate, column->bins, dpem_model_numbers(ready->model, DPEM_GAM_UPPER) + column->row);
	}
	return row;
}

static int
column_at(const DpemReadyGam *ready, double place)
{
	for (int c = 0; c < ready->columns; c++)
		if (ready->column[c].coordinate == (int) place - 1)
			return c;
	dpem_model_corrupt();
}

/* the grid of rows from `row` to before `end`: bins of the second column in the first line, of the first in every line's first row */
static void
read_grid(const DpemReadyGam *ready, int row, int end, DpemReadyPair *pair)
{
	const double *bin = dpem_model_numbers(ready->model, DPEM_GAM_BIN);
	const double *other = dpem_model_numbers(ready->model, DPEM_GAM_OTHER_BIN);

	while (row + pair->parts[1] < end && bin[row + pair->parts[1]] == bin[row])
		pair->parts[1]++;
	pair->parts[0] = (end - row) / pair->parts[1];
	pair->row = row;
	for (int side = 0; side < 2; side++)
		pair->bin[side] = palloc(pair->parts[side] * sizeof(int));
	for (int i = 0; i < pair->parts[0]; i++)
		pair->bin[0][i] = (int) bin[row + i * pair->parts[1]];
	for (int j = 0; j < pair->parts[1]; j++)
		pair->bin[1][j] = (int) other[row + j];
	if (pair->parts[0] * pair->parts[1] != end - row)
		dpem_model_corrupt();
	for (int at = row; at < end; at++)
		if (bin[at] != pair->bin[0][(at - row) / pair->parts[1]] || other[at] != pair->bin[1][(at - row) % pair->parts[1]])
			dpem_model_corrupt();
}

static void
find_pairs(DpemReadyGam *ready, int row)
{
	const double *place = dpem_model_numbers(ready->model, DPEM_GAM_PLACE);
	const double *other = dpem_model_numbers(ready->model, DPEM_GAM_OTHER_PLACE);
	int			end;

	ready->pair = palloc0((ready->rows - row + 1) * sizeof(DpemReadyPair));
	for (; row < ready->rows; row = end)
	{
		DpemReadyPair *pair = &ready->pair[ready->pairs++];

		for (end = row; end < ready->rows && place[end] == place[row] && other[end] == other[row];)
			end++;
		pair->column[0] = column_at(ready, place[row]);
		pair->column[1] = column_at(ready, other[row]);
		read_grid(ready, row, end, pair);
	}
}

void *
dpem_gam_load(DpemModel *model)
{
	DpemReadyGam *ready = palloc0(sizeof(DpemReadyGam));
	const double *place = dpem_model_numbers(model, DPEM_GAM_PLACE);

	ready->model = model;
	for (int row = 0; row < model->k; row++)
		ready->scores += place[row] == 0;
	ready->rows = model->k / Max(ready->scores, 1);
	check_rows(ready);
	ready->contribution = dpem_model_numbers(model, DPEM_GAM_CONTRIBUTION);
	ready->error = dpem_model_numbers(model, DPEM_GAM_ERROR);
	ready->class = unconstify(void *, model->value[DPEM_GAM_CLASS]);
	ready->negative = ((char *const *) model->value[DPEM_GAM_NEGATIVE])[0];
	ready->target = ((char *const *) model->value[DPEM_GAM_TARGET])[0];
	ready->number = !isnan(*dpem_model_numbers(model, DPEM_GAM_RESIDUAL));
	ready->domain = (DpemScaledDomain) {
		dpem_scale_from_name(((char *const *) model->value[DPEM_GAM_SCALE])[0]), *dpem_model_numbers(model, DPEM_GAM_TARGET_LOWER), *dpem_model_numbers(model, DPEM_GAM_TARGET_UPPER)
	};
	ready->probability = dpem_fit_allocate(Max(ready->scores, 2));
	find_pairs(ready, find_columns(ready));
	return ready;
}

/* ---- where a point is ---- */

/* the bin or category, from 1; 0: no value */
static int
bin_of(const DpemReadyGam *ready, const DpemReadyColumn *column, const double *x)
{
	int			j = column->coordinate;

	for (int i = 0; column->label && i < column->bins; i++)
		if (x[j + i] > 0)
			return i + 1;
	if (!column->label && !isnan(x[j]))
		return 1 + dpem_gam_edges_below(column->edge, column->bins - 1, x[j]);
	return 0;
}

int
dpem_gam_column_row(const DpemReadyGam *ready, const DpemReadyColumn *column, const double *x)
{
	int			bin = bin_of(ready, column, x);

	if (bin > 0)
		return column->row + bin - 1;
	return column->unknown ? column->row + column->bins : -1;
}

int
dpem_gam_part_of(const DpemReadyGam *ready, const DpemReadyPair *pair, int side, int bin)
{
	const DpemReadyColumn *column = &ready->column[pair->column[side]];
	int			best = -1;

	for (int i = 0; i < pair->parts[side]; i++)
	{
		int			first = pair->bin[side][i];

		if (first == bin)
			return i;
		if (bin > 0 && (column->label ? first == DPEM_GAM_OTHERS : first > 0 && first < bin && (best < 0 || first > pair->bin[side][best])))
			best = i;
	}
	return best;
}

int
dpem_gam_pair_row(const DpemReadyGam *ready, const DpemReadyPair *pair, const double *x)
{
	int			part[2];

	for (int side = 0; side < 2; side++)
		part[side] = dpem_gam_part_of(ready, pair, side, bin_of(ready, &ready->column[pair->column[side]], x));
	return part[0] < 0 || part[1] < 0 ? -1 : pair->row + part[0] * pair->parts[1] + part[1];
}
