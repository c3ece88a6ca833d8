/*
 * synth_use.c - filtered tables, posteriors, densities and associations: see synth_use.h.
 */
#include <math.h>
#include <string.h>

#include "core/numeric/log_sum.h"
#include "core/synth/synth_belief.h"
#include "core/synth/synth_rules.h"
#include "core/synth/synth_use.h"

#define EXCLUDED (-1e5)			/* logarithm of no weight: far below what exp makes 0, far above what overflows */

/* ---- filters ----------------------------------------------------------------- */

/* logarithms of the allowed share of every group; shares of the allowed categories alone */
static void
filter_shares(const DpemSynthLevels *levels, const bool *allowed, double *evidence, double *share)
{
	for (int j = 0; j < levels->domain.columns; j++)
	{
		const int  *group = levels->group[1] + levels->offset[j];
		double		weight[DPEM_SYNTH_SIZE] = {0};
		int			n = levels->domain.size[j];

		for (int c = 0; c < n; c++)
			if (allowed[levels->offset[j] + c])
				weight[group[c]] += levels->share[levels->offset[j] + c];
		for (int c = 0; c < n; c++)
		{
			int			at = levels->offset[j] + c;

			share[at] = allowed[at] && weight[group[c]] > 0 ? levels->share[at] / weight[group[c]] : 0;
		}
		for (int g = 0; g < levels->size[1][j]; g++)
			*evidence++ = weight[g] > 0 ? log(weight[g]) : EXCLUDED;
	}
}

/* the table with evidence in force; beliefs are those of the filtered rows */
static DpemStatus
filtered_table(DpemSynthModel *model, DpemSynthTable table, const bool *allowed, double *out)
{
	DpemSynthLevels levels = *model->levels;
	const DpemSynthLevels *all = model->levels;
	double		before = model->log_partition;
	size_t		n = (size_t) levels.offset[levels.domain.columns];
	double	   *evidence = dpem_workspace_take(&model->scratch, n);
	DpemStatus	status;

	levels.share = dpem_workspace_take(&model->scratch, n);
	filter_shares(all, allowed, evidence, levels.share);
	model->evidence = evidence;
	dpem_synth_propagate_own(model);
	model->levels = &levels;
	status = dpem_synth_table(model, table, out);
	model->levels = all;
	if (status == DPEM_OK)
	{
		double		part = exp(fmin(model->log_partition - before, 0));
		size_t		cells = (size_t) dpem_synth_table_cells(all, table);

		for (size_t i = 0; i < cells; i++)
			out[i] *= part;
	}
	return status;
}

DpemStatus
dpem_synth_filtered(DpemSynthModel *model, DpemSynthTable table, const bool *allowed, double *out)
{
	DpemWorkspace scratch = model->scratch;
	DpemStatus	status;

	if (allowed == NULL)
		return dpem_synth_table(model, table, out);
	status = filtered_table(model, table, allowed, out);
	model->scratch = scratch;
	model->evidence = NULL;
	dpem_synth_propagate_own(model);
	return status;
}

/* ---- rows -------------------------------------------------------------------- */

DpemStatus
dpem_synth_posterior(const DpemSynthModel *model, int column, const int *row, double *out)
{
	const DpemSynthLevels *levels = model->levels;
	const int  *group = levels->group[1] + levels->offset[column];
	int			groups[DPEM_SYNTH_COLUMNS];
	DpemWorkspace scratch = model->scratch;
	double	   *table;
	double		sum = 0;
	DpemStatus	status;

	for (int j = 0; j < levels->domain.columns; j++)
		groups[j] = j == column || row[j] < 0 ? -1 : levels->group[1][levels->offset[j] + row[j]];
	status = dpem_synth_eliminate(model, dpem_synth_column(column), groups, &scratch, &table);
	if (status != DPEM_OK)
		return status;
	for (int g = 0; g < levels->size[1][column]; g++)
		sum += table[g];
	if (!(sum > 0))
		return DPEM_NO_SOLUTION;
	for (int c = 0; c < levels->domain.size[column]; c++)
		out[c] = table[group[c]] / sum * levels->share[levels->offset[column] + c];
	return DPEM_OK;
}

static double
cell_of(DpemSynthLayout layout, DpemSynthSet set, const double *table, const int *groups)
{
	DpemSynthStride stride = dpem_synth_stride(layout, set);
	size_t		place = 0;

	for (; set != 0; set &= set - 1)
		place += stride.by[__builtin_ctzll(set)] * (size_t) groups[__builtin_ctzll(set)];
	return table[place];
}

DpemStatus
dpem_synth_log_density(const DpemSynthModel *model, const int *row, double *out)
{
	const DpemSynthLevels *levels = model->levels;
	DpemSynthLayout layout = dpem_synth_layout(model);
	int			groups[DPEM_SYNTH_COLUMNS];

	*out = -log(model->total);
	for (int j = 0; j < levels->domain.columns; j++)
	{
		if (row[j] < 0 || row[j] >= levels->domain.size[j])
			return DPEM_BAD_ARGUMENT;
		groups[j] = levels->group[1][levels->offset[j] + row[j]];
		*out += log(levels->share[levels->offset[j] + row[j]]);
	}
	for (int c = 0; c < model->cliques; c++)
	{
		const DpemSynthClique *clique = &model->clique[c];
		double		part = cell_of(layout, clique->set, clique->belief, groups);

		*out += part > 0 ? log(part) : -INFINITY;
		if (clique->parent >= 0 && part > 0)
			*out -= log(cell_of(layout, clique->separator, clique->shared, groups));
	}
	return DPEM_OK;
}

DpemStatus
dpem_synth_background_shares(const DpemSynthModel *model, double *log_share)
{
	const DpemSynthDomain *domain = &model->levels->domain;

	for (int j = 0; j < domain->columns; j++)
	{
		double	   *share = log_share + model->levels->offset[j];
		DpemStatus	status = dpem_synth_table(model, (DpemSynthTable) {dpem_synth_column(j), 0}, share);

		if (status != DPEM_OK)
			return status;
		for (int c = 0; c < domain->size[j]; c++)
			share[c] = log((1 - dpem_synth_background) * fmax(share[c], 0) / model->total + dpem_synth_background / domain->size[j]);
	}
	return DPEM_OK;
}

double
dpem_synth_before_background(const DpemSynthLevels *levels, const double *log_share, const int *row, double density)
{
	double		background = log(dpem_synth_background);

	for (int j = 0; j < levels->domain.columns; j++)
		background += log_share[levels->offset[j] + row[j]];
	return dpem_log_sum(log1p(-dpem_synth_background) + density, background);
}

/* ---- associations ------------------------------------------------------------ */

static double
entropy_term(double p)
{
	return p > 0 ? -p * log(p) : 0;
}

double
dpem_synth_information(int a, int b, const double *table)
{
	double		sum = 0;
	double		information = 0;

	for (int i = 0; i < a * b; i++)
		sum += table[i];
	if (!(sum > 0))
		return 0;
	for (int i = 0; i < a; i++)
	{
		double		row = 0;

		for (int j = 0; j < b; j++)
		{
			row += table[i * b + j];
			information -= entropy_term(table[i * b + j] / sum);
		}
		information += entropy_term(row / sum);
	}
	for (int j = 0; j < b; j++)
	{
		double		column = 0;

		for (int i = 0; i < a; i++)
			column += table[i * b + j];
		information += entropy_term(column / sum);
	}
	return fmax(information, 0);
}

size_t
dpem_synth_association_work(const DpemSynthModel *model)
{
	const DpemSynthLevels *levels = model->levels;
	size_t		largest[2] = {1, 1};

	for (int j = 0; j < levels->domain.columns; j++)
	{
		size_t		n = (size_t) levels->size[1][j];

		if (n > largest[0])
		{
			largest[1] = largest[0];
			largest[0] = n;
		}
		else if (n > largest[1])
			largest[1] = n;
	}
	return largest[0] * largest[1] + DPEM_SYNTH_SIZE;
}

static DpemStatus
entropy_of(const DpemSynthModel *model, int j, double *table, double *entropy)
{
	DpemStatus	status = dpem_synth_table(model, (DpemSynthTable) {dpem_synth_column(j), 0}, table);

	*entropy = 0;
	for (int c = 0; status == DPEM_OK && c < model->levels->domain.size[j]; c++)
		*entropy += entropy_term(table[c] / model->total);
	return status;
}

/* within groups columns are independent, so what pairs of groups say is all */
DpemStatus
dpem_synth_association(const DpemSynthModel *model, double *information, DpemWorkspace work)
{
	int			d = model->levels->domain.columns;
	const int  *size = model->levels->size[1];
	double	   *table = dpem_workspace_take(&work, dpem_synth_association_work(model));

	for (int i = 0; i < d; i++)
	{
		DpemStatus	status = entropy_of(model, i, table, &information[i * d + i]);

		for (int j = i + 1; j < d && status == DPEM_OK; j++)
		{
			DpemSynthTable pair = {dpem_synth_column(i) | dpem_synth_column(j), 1};

			status = dpem_synth_table(model, pair, table);
			if (status == DPEM_OK)
				information[i * d + j] = information[j * d + i] = dpem_synth_information(size[i], size[j], table);
		}
		if (status != DPEM_OK)
			return status;
	}
	return DPEM_OK;
}
