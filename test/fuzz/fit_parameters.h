/*
 * fit_parameters.h - parameters of passes such as fits have, of every kernel.
 */
#ifndef FIT_PARAMETERS_H
#define FIT_PARAMETERS_H

#include "fuzz.h"				/* first: the server's headers rename printf */

#include "postgres.h"

#include "core/bayes/class_cells.h"
#include "core/bayes/class_pairs.h"
#include "core/evaluation/evaluate_kernel.h"
#include "core/gam/gam_kernel.h"
#include "core/kernels/cells.h"
#include "core/kernels/kernel.h"
#include "core/kernels/logit_kernel.h"
#include "core/kernels/margins.h"
#include "core/robust/block_cells.h"
#include "core/statistics/summary.h"
#include "core/synth/tables.h"

static const double *
numbers(FuzzInput *in, size_t n)
{
	double	   *x = palloc(n * sizeof(double));

	for (size_t i = 0; i < n; i++)
		x[i] = fuzz_number(in, 10);
	return x;
}

/* one cut along each feature, of some of which every cell is cut again */
static const double *
make_grid(FuzzInput *in, DpemMomentLayout *layout)
{
	DpemCellGrid grid = {.axes = Min(layout->d, DPEM_CELLS_MAX_AXES),.d = layout->d};
	double	   *parts = palloc(4096 * sizeof(double));
	double	   *theta;

	if (grid.axes < grid.d || fuzz_one_in(in, 2))
		grid.projection = numbers(in, (size_t) grid.axes * grid.d);
	for (int i = 0; i < grid.axes; i++)
		grid.axis[i] = (DpemCellAxis) {-1, 1, 1 + fuzz_below(in, 5)};
	for (int i = 0; i < dpem_cells_coarse(&grid); i++)
		parts[i] = 1 + fuzz_below(in, 3);
	if (fuzz_one_in(in, 2))
		grid.parts = parts;
	layout->k = dpem_cells_number(&grid);
	theta = palloc(dpem_cells_theta_length(&grid) * sizeof(double));
	dpem_cells_write(&grid, theta);
	return theta;
}

/* returns what the row's bits are */
static void
any_score(DpemRowScorer *scorer, const double *x, double *score)
{
	for (int i = 0; i < (scorer->task.bins > 0 ? 1 : scorer->task.values); i++)
		score[i] = x[0] < 0 ? NAN : 1e3 * x[0] - i;
}

/* as the server's does, of bytes that it does not look at */
static DpemRowScorer *
make_any_scorer(const double *theta, int d)
{
	DpemRowScorer *scorer = palloc0(sizeof(DpemRowScorer));

	scorer->task = dpem_evaluate_task(theta);
	scorer->score = any_score;
	dpem_evaluate_read(theta, palloc0(scorer->task.n + 1));
	return scorer;
}

static const double *
make_task(FuzzInput *in, const DpemKernel *kernel, DpemMomentLayout *layout)
{
	DpemEvaluateTask task = {fuzz_one_in(in, 2) ? 1 + fuzz_below(in, 50) : 0, 0, fuzz_below(in, 30)};
	double	   *theta;

	task.values = task.bins > 0 ? 0 : 1 + fuzz_below(in, Min(layout->d, DPEM_EVALUATE_MOST_VALUES));
	layout->second = task.bins > 0 ? DPEM_COUNTS_ALONE : DPEM_SECOND_NONE;
	layout->k = task.bins == 0 ? 1 : (kernel == &dpem_kernel_pairs_evaluate ? task.bins : kernel->labelled ? 2 : 1) * task.bins;
	theta = palloc(dpem_evaluate_theta_length(&task) * sizeof(double));
	dpem_evaluate_write(&task, (const unsigned char *) "bytes of a model that nobody knows", theta);
	return theta;
}

/* a column for each coordinate but the last, which is constant */
static const double *
make_summary(FuzzInput *in, DpemMomentLayout *layout)
{
	DpemSummary *summary = palloc0(sizeof(DpemSummary));
	double	   *theta;

	*summary = (DpemSummary) {.radius = fuzz_positive(in, 0.5, 10),.constant = layout->d - 1,.rows = 1,.levels = fuzz_below(in, 3),
							  .columns = layout->d - 1};
	for (int j = 0; j < summary->columns; j++)
		summary->column[j] = (DpemSummaryColumn) {
			j, fuzz_below(in, 2), fuzz_below(in, layout->d + 1) - 1, fuzz_below(in, 3), fuzz_below(in, 3), fuzz_below(in, 3),
			summary->levels > 0 ? fuzz_below(in, 3) : 0
		};
	(void) dpem_summary_normalise(summary);
	layout->second = DPEM_SECOND_NONE;
	layout->k = dpem_summary_components(summary);
	theta = palloc(dpem_summary_theta_length(summary) * sizeof(double));
	dpem_summary_write(summary, theta);
	return theta;
}

/* numbers or labels of one category, and some coordinates of the classes */
static DpemClassCells
make_cells_of_classes(FuzzInput *in, const DpemMomentLayout *layout, int classes)
{
	DpemCellColumn *column = palloc(layout->d * sizeof(DpemCellColumn));
	DpemClassCells cells = {fuzz_positive(in, 0.5, 10), classes, fuzz_below(in, layout->d - classes + 1), fuzz_one_in(in, 2), layout->d, column};

	for (int j = 0; j < layout->d; j++)
	{
		double	   *edge = palloc(40 * sizeof(double));

		column[j] = fuzz_one_in(in, 3) ? (DpemCellColumn) {j, 1, DPEM_CELLS_OF_LABEL, NULL}
			: (DpemCellColumn) {j, 1 + fuzz_below(in, 40), fuzz_below(in, layout->d), edge};
		for (int i = 0; i < column[j].cells - 1; i++)
			edge[i] = i > 0 ? edge[i - 1] + (1 - edge[i - 1]) * fuzz_below(in, 4) / 4 : fuzz_below(in, 9) / 4.0 - 1;
	}
	return cells;
}

static const double *
make_class_cells(FuzzInput *in, DpemMomentLayout *layout)
{
	DpemClassCells cells = make_cells_of_classes(in, layout, 1);
	double	   *theta;

	theta = palloc(dpem_class_cells_theta_length(&cells) * sizeof(double));
	layout->second = DPEM_SECOND_NONE;
	layout->k = dpem_class_cells_components(&cells, layout->d);
	dpem_class_cells_write(&cells, theta);
	return theta;
}

/* shares and probabilities of any size, and of one coordinate parameters that are refused, as there are two classes at least */
static const double *
make_class_pairs(FuzzInput *in, DpemMomentLayout *layout)
{
	DpemClassPairs pairs = {make_cells_of_classes(in, layout, Min(2 + fuzz_below(in, 2), layout->d)), NULL, NULL};
	size_t		n = (size_t) pairs.cells.classes * dpem_class_cells_number(&pairs.cells);
	double	   *weight = palloc(pairs.cells.classes * sizeof(double));
	double	   *probability = palloc(n * sizeof(double));
	double	   *theta = palloc(dpem_class_pairs_theta_length(&pairs) * sizeof(double));

	for (int c = 0; c < pairs.cells.classes; c++)
		weight[c] = fuzz_positive(in, 1e-9, 1);
	for (size_t i = 0; i < n; i++)
		probability[i] = fuzz_positive(in, 1e-9, 1);
	pairs.weight = weight;
	pairs.probability = probability;
	layout->second = DPEM_COUNTS_ALONE;
	layout->k = dpem_class_pairs_places(pairs.cells.classes);
	dpem_class_pairs_write(&pairs, theta);
	return theta;
}

/* of columns that may have parts, of which some are out of range */
static void
put_pairs(FuzzInput *in, DpemGamShape *shape)
{
	DpemGamPair *pair = palloc(3 * sizeof(DpemGamPair));
	int			cells = dpem_gam_main_cells(shape);
	double	   *part = palloc((cells + 1) * sizeof(double));

	for (int i = 0; i < cells; i++)
		part[i] = fuzz_below(in, 3) - fuzz_one_in(in, 50);
	shape->pair = pair;
	shape->part = part;
	for (int wanted = shape->columns > 1 ? fuzz_below(in, 4) : 0; shape->pairs < wanted; shape->pairs++)
	{
		int			first = fuzz_below(in, shape->columns - 1);

		pair[shape->pairs] = (DpemGamPair) {first, first + 1};
	}
}

/* somewhere between the columns' bins, or equal parts */
static void
put_edges(FuzzInput *in, DpemGamShape *shape)
{
	double	   *edge = palloc(5 * 6 * sizeof(double));
	int			n = 0;

	if (fuzz_one_in(in, 2))
		return;
	for (int c = 0; c < shape->columns; c++)
		for (int i = 1; shape->column[c].length == 0 && i < shape->column[c].bins; i++, n++)
			edge[n] = i > 1 ? edge[n - 1] + (1 - edge[n - 1]) * fuzz_below(in, 4) / 4 : fuzz_below(in, 9) / 4.0 - 1;
	shape->edge = edge;
}

/* cells that gradients see as one, of columns of which some are not seen; NULL or not */
static void
put_joined(FuzzInput *in, DpemGamColumn *column, DpemGamShape *shape)
{
	double	   *joined = palloc(5 * 8 * sizeof(double));
	int			n = 0;

	if (fuzz_one_in(in, 2))
		return;
	for (int c = 0; c < shape->columns; c++)
	{
		column[c].joined = fuzz_below(in, dpem_gam_column_cells(&column[c]) + 1);
		for (int i = dpem_gam_column_cells(&column[c]); i > 0; i--)
			joined[n++] = column[c].joined > 0 ? fuzz_below(in, column[c].joined) : 0;
	}
	shape->joined = joined;
}

/* columns of cells before a target of the last coordinates; of one coordinate there is none, and the pass is refused */
static const double *
make_cells(FuzzInput *in, const DpemKernel *kernel, DpemMomentLayout *layout)
{
	DpemGamColumn *column = palloc(5 * sizeof(DpemGamColumn));
	DpemGamShape shape = {
		.radius = fuzz_positive(in, 0.5, 10),.column = column,.targets = layout->d > 2 && kernel != &dpem_kernel_gam_target ? 1 + fuzz_below(in, layout->d - 2) : 1,
		.bins_middle = fuzz_below(in, 3) / 2.0 - 0.5,.bins_half = fuzz_below(in, 3) / 2.0,.margins = {1, 1, 2 << fuzz_below(in, 3), 1 + fuzz_below(in, 3), 0},
		.pair_share = fuzz_below(in, 10) / 10.0,.middle = fuzz_below(in, 3) / 2.0 - 0.5,.reach = fuzz_positive(in, 1e-3, 2)
	};
	double	   *theta;

	shape.classes = shape.targets > 1 ? shape.targets : 2 + fuzz_below(in, 5);
	for (int j = 0; j < layout->d - shape.targets; j++)
		column[shape.columns++] = fuzz_one_in(in, 3) ? (DpemGamColumn) {j, 1, 1, -1, fuzz_below(in, 3), 0}
			: (DpemGamColumn) {j, 0, 1 + fuzz_below(in, 6), fuzz_one_in(in, 2) ? -1 : 0, fuzz_below(in, 3), 0};
	put_pairs(in, &shape);
	put_edges(in, &shape);
	if (kernel == &dpem_kernel_gam_gradient)
		put_joined(in, column, &shape);
	layout->second = DPEM_COUNTS_ALONE;
	layout->k = kernel == &dpem_kernel_gam_target ? dpem_gam_target_length(&shape)
		: kernel == &dpem_kernel_gam_moments ? dpem_gam_moments_length(&shape) : dpem_gam_gradient_length(&shape);
	layout->k = Max(layout->k, 1);
	theta = palloc(Max(dpem_gam_theta_length(&shape), 16) * sizeof(double));
	dpem_gam_write(&shape, numbers(in, (size_t) dpem_gam_gradient_length(&shape) + 1), theta);
	return theta;
}

/* between a number's bins, ascending within its domain */
static const double *
make_edges(FuzzInput *in, const DpemTableColumn *column)
{
	int			bins = dpem_table_bins(column);
	double	   *edge = palloc(bins * sizeof(double));

	for (int i = 1; i < bins; i++)
		edge[i - 1] = column->lower + (column->upper - column->lower) * (i - 1 + fuzz_positive(in, 0.1, 0.9)) / bins;
	return edge;
}

/* a number of a few bins for each coordinate, and tables of one or two of them */
static const double *
make_tables(FuzzInput *in, DpemMomentLayout *layout)
{
	DpemTableColumn *column = palloc(layout->d * sizeof(DpemTableColumn));
	DpemTable	table[4] = {{0}};
	DpemTableSet set = {fuzz_positive(in, 0.5, 10), layout->d, 1 + fuzz_below(in, lengthof(table)), column, table};
	double	   *theta;

	for (int j = 0; j < layout->d; j++)
		column[j] = (DpemTableColumn) {j, 1, 2 + fuzz_below(in, 4), fuzz_one_in(in, 3) ? fuzz_below(in, layout->d) : 0, -1, fuzz_positive(in, 0.1, 2), NULL};
	for (int j = 0; j < layout->d; j++)
		column[j].edge = fuzz_one_in(in, 2) ? make_edges(in, &column[j]) : NULL;
	for (int t = 0; t < set.tables; t++)
	{
		table[t].order = 1 + (layout->d > 1 && fuzz_one_in(in, 2));
		table[t].column[0] = fuzz_below(in, layout->d - table[t].order + 1);
		table[t].column[1] = table[t].column[0] + 1;
	}
	layout->second = DPEM_COUNTS_ALONE;
	layout->k = dpem_tables_arrange(column, layout->d, table, set.tables);
	theta = palloc(dpem_tables_theta_length(&set) * sizeof(double));
	dpem_tables_write(&set, theta);
	return theta;
}

/* gradients of every problem, of which two classes have one, or the curvature of one of them */
static const double *
make_classes(FuzzInput *in, bool gradient, bool slopes, DpemMomentLayout *layout)
{
	DpemMarginLoss loss = {fuzz_below(in, DPEM_LOSSES), fuzz_positive(in, 1e-3, 2)};
	double	   *theta;

	layout->k = slopes ? 2 : !gradient || layout->k == 2 ? 1 : layout->k;
	if (loss.kind == DPEM_LOSS_MULTINOMIAL && (!gradient || layout->k < 3))
		loss.kind = DPEM_LOSS_LOGISTIC;
	layout->second = gradient || slopes ? DPEM_SECOND_NONE : layout->second;
	theta = unconstify(double *, numbers(in, DPEM_CLASS_HEAD + (size_t) layout->k * layout->d));
	dpem_class_write(&loss, gradient ? fuzz_positive(in, 1, 5) : fuzz_below(in, 4), gradient && fuzz_one_in(in, 2) ? fuzz_positive(in, 1e-3, 2) : 0, theta);
	return theta;
}

/* an analysis of blocks that fits the coordinates, and cells of its outputs */
static const double *
make_block_cells(FuzzInput *in, DpemMomentLayout *layout)
{
	DpemBlockCells task = {.analysis = fuzz_below(in, layout->d == 1 ? DPEM_BLOCK_ANALYSES : 2),.cells = 2 + fuzz_below(in, 8),.points = 1};
	double	   *theta;

	if (task.analysis == DPEM_BLOCK_CENTERS)
		task.points = 1 + fuzz_below(in, 3);
	task.task = (DpemBlockTask) {
		.blocks = 1 + fuzz_below(in, 9),.steps = 1 + fuzz_below(in, 3),.capacity = 1 + fuzz_below(in, 100),
			.reach = task.analysis == DPEM_BLOCK_COEFFICIENTS ? fuzz_positive(in, 1e-3, 10) : 0,.start = numbers(in, (size_t) task.points * layout->d)
	};
	layout->second = DPEM_COUNTS_ALONE;
	layout->k = task.points * layout->d * task.cells;
	theta = palloc(dpem_block_cells_length(&task, layout->d) * sizeof(double));
	dpem_block_cells_write(&task, layout->d, theta);
	return theta;
}

/* parameters such as a fit has, and the layout that goes with them */
static const double *
make_theta(FuzzInput *in, const DpemKernel *kernel, DpemMomentLayout *layout)
{
	double	   *theta;
	double		centers = 1 + fuzz_below(in, 3);

	layout->second = kernel->locate ? DPEM_SECOND_NONE : 1 + fuzz_below(in, 3);
	if (kernel == &dpem_kernel_cells)
	{
		layout->second = DPEM_COUNTS_ALONE;
		return make_grid(in, layout);
	}
	if (kernel == &dpem_kernel_block_cells)
		return make_block_cells(in, layout);
	if (kernel == &dpem_kernel_summary)
		return make_summary(in, layout);
	if (kernel == &dpem_kernel_evaluate || kernel == &dpem_kernel_class_evaluate || kernel == &dpem_kernel_pairs_evaluate)
		return make_task(in, kernel, layout);
	if (kernel == &dpem_kernel_gam_target || kernel == &dpem_kernel_gam_moments || kernel == &dpem_kernel_gam_gradient)
		return make_cells(in, kernel, layout);
	if (kernel == &dpem_kernel_tables)
		return make_tables(in, layout);
	if (kernel == &dpem_kernel_scores)
	{
		theta = unconstify(double *, numbers(in, 2 + (size_t) layout->k * (size_t) centers * layout->d));
		theta[0] = centers;
		theta[1] = fuzz_positive(in, 1e-3, 2);
		return theta;
	}
	if (kernel == &dpem_kernel_sbn)
	{
		layout->second = DPEM_SECOND_COMPONENTS;
		theta = unconstify(double *, numbers(in, kernel->theta_length(layout)));
		theta[0] = fuzz_positive(in, 1e-3, 10);
		return theta;
	}
	if (kernel == &dpem_kernel_class_gradient || kernel == &dpem_kernel_class_curvature || kernel == &dpem_kernel_slopes)
		return make_classes(in, kernel == &dpem_kernel_class_gradient, kernel == &dpem_kernel_slopes, layout);
	if (kernel == &dpem_kernel_margins || kernel == &dpem_kernel_class_margins || kernel == &dpem_kernel_margins_observed || kernel == &dpem_kernel_class_margins_observed)
	{
		DpemMarginGrid grid = dpem_margin_grid(layout->d, 1, fuzz_positive(in, 0.5, 10));

		layout->second = DPEM_SECOND_NONE;
		layout->k = dpem_margin_bins(&grid);
		theta = palloc(dpem_margins_theta_length(layout) * sizeof(double));
		dpem_margins_write(&grid, layout, theta);
		for (int j = 0; j < layout->d; j++)
			theta[dpem_margins_theta_length(layout) - layout->d + j] = fuzz_below(in, j > 0 && theta[dpem_margins_theta_length(layout) - layout->d + j - 1] > 0 ? 3 : 2);
		return theta;
	}
	if (kernel == &dpem_kernel_class_cells)
		return make_class_cells(in, layout);
	if (kernel == &dpem_kernel_class_pairs)
		return make_class_pairs(in, layout);
	layout->k = kernel->max_components == 1 ? 1 : layout->k;
	if (kernel == &dpem_kernel_residual)
	{
		layout->second = DPEM_SECOND_NONE;
		theta = unconstify(double *, numbers(in, kernel->theta_length(layout)));
		theta[0] = fuzz_positive(in, 1e-3, 10);
		return theta;
	}
	if (kernel == &dpem_kernel_projection)
	{
		layout->second = DPEM_SECOND_NONE;
		layout->k = Min(layout->k, layout->d);
		theta = palloc0((size_t) layout->k * layout->d * sizeof(double));
		for (int i = 0; i < layout->k; i++)
			theta[i * layout->d + i] = 1;
		return theta;
	}
	theta = unconstify(double *, numbers(in, kernel->theta_length(layout)));
	if (kernel == &dpem_kernel_logit_gradient)
		theta[layout->d] = fabs(theta[layout->d]);
	return theta;
}

#endif							/* FIT_PARAMETERS_H */
