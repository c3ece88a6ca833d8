/*
 * test_online.c - learning online: sums from a tree of noisy nodes, and a search for neighbouring rows whose nodes
 * move further than declared (docs/proofs.md, 28).
 */
#include "core/kernels/kernel.h"
#include "core/kernels/logit_kernel.h"
#include "core/online/online_learner.h"
#include "core/online/online_rules.h"
#include "core/online/residual_kernel.h"
#include "kernel_fixture.h"

#define D		3
#define MOST_UNIT	3			/* rows of a unit */

/* ---- sums ------------------------------------------------------------------------ */

#define SUMS_MEMORY	(DPEM_TREE_MOST_LEVELS * 2 + 8)	/* numbers, of sums of one coordinate */

static DpemTreeSums
create_sums(double *memory)
{
	DpemWorkspace work = {memory, memory + SUMS_MEMORY};

	return dpem_tree_sums_create(1, &work);
}

/* a batch whose ending nodes are zeros but for the one of that level */
static void
take_node(DpemTreeSums *sums, int level, double value)
{
	double		node[DPEM_TREE_MOST_LEVELS] = {0};
	const double *ended[DPEM_TREE_MOST_LEVELS];

	node[level] = value;
	for (int l = 0; l < DPEM_TREE_MOST_LEVELS; l++)
		ended[l] = &node[l];
	dpem_tree_sums_add(sums, ended);
}

/* one batch's leaf is 1, all other nodes and batches without noise: every later sum has it once */
static void
check_leaf(int batches, int which)
{
	double		memory[SUMS_MEMORY];
	DpemTreeSums sums = create_sums(memory);
	double		open[DPEM_TREE_MOST_LEVELS] = {0};
	int			bad = 0;

	for (int batch = 1; batch <= batches; batch++)
	{
		double		value[DPEM_TREE_MOST_LEVELS];
		const double *ended[DPEM_TREE_MOST_LEVELS];
		double		total;

		for (int level = 0; level < DPEM_TREE_MOST_LEVELS; level++)
			open[level] += batch == which ? 1 : 0;
		for (int level = 0; level < dpem_tree_ending(batch); level++)
		{
			value[level] = open[level];
			open[level] = 0;
			ended[level] = &value[level];
		}
		dpem_tree_sums_add(&sums, ended);
		dpem_tree_sums_total(&sums, &total);
		bad += fabs(total - (batch >= which)) > 1e-12;
	}
	CHECK(bad == 0, "batch %d of %d: %d sums are wrong", which, batches, bad);
}

/* the noise of a node moves each sum by its weight: squares of all weights add up to the variance that is said */
static void
check_variance(int batches)
{
	double	   *declared = numbers(batches + 1);
	double	   *square = numbers(batches + 1);
	double		most = 0;

	for (int t = 0; t <= batches; t++)
		square[t] = 0;
	for (int noisy = 1; noisy <= batches; noisy++)
		for (int at = 0; at < dpem_tree_ending(noisy); at++)
		{
			double		memory[SUMS_MEMORY];
			DpemTreeSums sums = create_sums(memory);

			for (int batch = 1; batch <= batches; batch++)
			{
				double		total;

				take_node(&sums, at, batch == noisy);
				declared[batch] = dpem_tree_sums_total(&sums, &total);
				square[batch] += total * total;
			}
		}
	for (int t = 1; t <= batches; t++)
		most = fmax(most, fabs(square[t] / declared[t] - 1));
	CHECK(most < 1e-12, "%d batches: variances are off by parts of %g", batches, most);
}

/* a weighted sum of all sums so far: squares of what each node's noise does to it add up to the variance that is said */
static void
check_spread(Rng *rng, int batches)
{
	double	   *weight = numbers(batches + 1);
	double	   *square = numbers(batches + 1);
	double	   *declared = numbers(batches + 1);
	double		most = 0;

	for (int t = 0; t <= batches; t++)
	{
		weight[t] = rng_uniform(rng, -1, 2);
		square[t] = 0;
	}
	for (int noisy = 1; noisy <= batches; noisy++)
		for (int at = 0; at < dpem_tree_ending(noisy); at++)
		{
			double		memory[SUMS_MEMORY];
			DpemTreeSums sums = create_sums(memory);
			double		sum = 0;

			for (int batch = 1; batch <= batches; batch++)
			{
				double		total;

				take_node(&sums, at, batch == noisy);
				dpem_tree_sums_total(&sums, &total);
				dpem_tree_sums_weigh(&sums, &weight[batch]);
				sum += weight[batch] * total;
				square[batch] += sum * sum;
				declared[batch] = sums.spread[0];
			}
		}
	for (int t = 1; t <= batches; t++)
		most = fmax(most, fabs(square[t] - declared[t]) / fmax(declared[t], 1e-3));
	CHECK(most < 1e-9, "%d batches: variances of weighted sums are off by parts of %g", batches, most);
}

static void
check_levels(void)
{
	for (int batches = 1; batches <= DPEM_TREE_MOST_BATCHES; batches++)
	{
		int			deepest = 0;

		for (int batch = 1; batch <= batches; batch++)
			deepest = dpem_tree_ending(batch) > deepest ? dpem_tree_ending(batch) : deepest;
		CHECK(dpem_tree_levels(batches) == deepest, "%d batches: %d levels, not %d", batches, dpem_tree_levels(batches), deepest);
	}
	CHECK(dpem_tree_levels(DPEM_TREE_MOST_BATCHES) == DPEM_TREE_MOST_LEVELS, "the most batches have the most levels");
}

/* ---- neighbours ------------------------------------------------------------------ */

/* what a row adds, batch by batch, at these parameters: integers */
typedef struct Row
{
	int			batch;			/* -1: the null row */
	double		x[D];
	double		label;
} Row;

static Row
draw_row(Rng *rng, int batches)
{
	Row			row = {.batch = rng_below(rng, batches + 1) - 1,.label = rng_below(rng, 2) * 2 - 1};
	double		norm2 = 0;

	for (int j = 0; j < D; j++)
	{
		row.x[j] = rng_below(rng, 3) ? rng_normal(rng) : 0;
		norm2 += row.x[j] * row.x[j];
	}
	for (int j = 0; j < D; j++)
		row.x[j] = trunc(norm2 > 0 ? row.x[j] / sqrt(norm2) * (ldexp(1, Q) - 2) : 0);
	return row;
}

static void
add_row(Work *w, const Row *row, const double *theta, double sign, double *sum)
{
	double		label[DPEM_BLOCK_STRIDE] = {row->label};

	for (int j = 0; j < D; j++)
		w->block.x[(size_t) j * DPEM_BLOCK_STRIDE] = row->x[j];
	w->block.rows = 1;
	w->block.keep[0] = 1;
	w->block.label = label;
	dpem_class_gradient_respond(1, theta, &w->block, Q, P, w->r);
	for (int j = 0; j < D; j++)
		sum[j] += sign * ldexp(w->r[0] * row->x[j], -P - Q);
}

/* squares of the differences of all nodes, in units of the declared sensitivity; parameters are any */
static double
moved(Rng *rng, Work *w, int batches, int n, const Row *rows, const double *sign, double declared)
{
	double		open[DPEM_TREE_MOST_LEVELS][D] = {{0}};
	double		theta[DPEM_CLASS_HEAD + D];
	double		square = 0;
	DpemMarginLoss loss = {rng_below(rng, 2) ? DPEM_LOSS_LOGISTIC : DPEM_LOSS_HINGE, 0.5};

	dpem_class_write(&loss, 1, 0, theta);
	for (int batch = 0; batch < batches; batch++)
	{
		double		size = pow(10, rng_uniform(rng, -2, 3));

		for (int j = 0; j < D; j++)
			theta[DPEM_CLASS_HEAD + j] = rng_uniform(rng, -size, size);
		for (int i = 0; i < n; i++)
			for (int level = 0; level < DPEM_TREE_MOST_LEVELS && rows[i].batch == batch; level++)
				add_row(w, &rows[i], theta, sign[i], open[level]);
		for (int level = 0; level < dpem_tree_ending(batch + 1); level++)
			for (int j = 0; j < D; j++)
			{
				square += open[level][j] * open[level][j];
				open[level][j] = 0;
			}
	}
	return square / (declared * declared);
}

/* rows of one unit before and after, alike, opposite or anyhow; true: they replace each other */
static bool
draw_unit(Rng *rng, int batches, int m, Row *rows, double *sign)
{
	bool		replace = rng_below(rng, 2);
	bool		together = rng_below(rng, 2);

	for (int i = 0; i < 2 * m; i++)
	{
		rows[i] = draw_row(rng, batches);
		sign[i] = i < m ? 1 : -1;
		if (together && i > 0)
		{
			rows[i] = rows[0];
			for (int j = 0; j < D && i >= m; j++)
				rows[i].x[j] = -rows[0].x[j];
		}
		if (!replace && i >= m)
			rows[i].batch = -1;
	}
	return replace;
}

/* a unit's rows in any batches: never more than the levels, and nearly these are found */
static void
check_neighbours(Rng *rng, int batches)
{
	Work		w = work_make(D, 1);
	double		levels = dpem_tree_levels(batches);
	double		most[2] = {0, 0};

	for (int trial = 0; trial < 20000; trial++)
	{
		Row			rows[2 * MOST_UNIT];
		double		sign[2 * MOST_UNIT];
		int			m = 1 + rng_below(rng, MOST_UNIT);
		bool		replace = draw_unit(rng, batches, m, rows, sign);

		most[replace] = fmax(most[replace], moved(rng, &w, batches, 2 * m, rows, sign, m * (replace ? 2 : 1)));
	}
	CHECK(most[0] <= levels && most[1] <= levels, "%d batches: moved %g and %g, %g paid for", batches, most[0], most[1], levels);
	CHECK(most[0] > 0.9 * levels && most[1] > 0.9 * levels, "%d batches: the search finds %g and %g of %g", batches, most[0], most[1], levels);
	work_free(&w);
}

/* ---- clipped residuals ------------------------------------------------------------ */

/* integers of size 2^p at most, of their row alone, whatever the coefficients; the residual's own part where it is not clipped */
static void
check_residuals(Rng *rng, double size)
{
	Work		w = work_make(D, 1);
	Work		alone = work_make(D, 1);
	double		theta[DPEM_RESIDUAL_HEAD + D];
	int			bad = 0;
	int			inside = 0;

	fill_features(rng, &w, 100, Q);
	theta[0] = rng_uniform(rng, 0.01, 1);
	for (int j = 0; j < D; j++)
		theta[DPEM_RESIDUAL_HEAD + j] = rng_uniform(rng, -size, size);
	w.block.keep[7] = 0;
	dpem_residual_respond(theta, &w.block, Q, P, w.r);
	for (int row = 0; row < 100; row++)
	{
		double		part = 0;

		for (int j = 0; j < D; j++)
		{
			alone.block.x[(size_t) j * DPEM_BLOCK_STRIDE] = w.block.x[(size_t) j * DPEM_BLOCK_STRIDE + row];
			part -= theta[DPEM_RESIDUAL_HEAD + j] * ldexp(w.block.x[(size_t) j * DPEM_BLOCK_STRIDE + row], -Q) / theta[0];
		}
		alone.block.rows = 1;
		alone.block.keep[0] = row != 7;
		dpem_residual_respond(theta, &alone.block, Q, P, alone.r);
		part = row == 7 ? 0 : fmin(fmax(part, -1), 1);
		inside += fabs(part) < 1;
		bad += w.r[row] != alone.r[0] || fabs(w.r[row]) > ldexp(1, P) || w.r[row] != rint(w.r[row]) || !(fabs(ldexp(w.r[row], -P) - part) < 1e-5);
	}
	CHECK(bad == 0, "size %g: %d slopes are wrong", size, bad);
	CHECK(size > 1 || inside > 1, "size %g: %d residuals are not clipped", size, inside);
	theta[DPEM_RESIDUAL_HEAD] = NAN;
	dpem_residual_respond(theta, &w.block, Q, P, w.r);
	CHECK(w.r[0] == 0 && w.r[50] == 0, "no number gives none");
	work_free(&w);
	work_free(&alone);
}

/* ---- the learner ----------------------------------------------------------------- */

/* the same gradient in every batch */
static void
check_average(DpemOnlineLearner *learner, const double *const *leaf)
{
	const double node[2] = {2 * leaf[0][0], 2 * leaf[0][1]};
	const double *ended[2] = {leaf[0], node};
	double		sum = learner->at[0];
	double		noise = learner->noise[0];

	for (int batch = 2; batch <= 3; batch++)
	{
		dpem_online_take(learner, ended, 0.5);
		sum += learner->at[0];
		noise += learner->noise[0];
		CHECK(fabs(learner->mean[0] - sum / batch) < 1e-15, "average %g", learner->mean[0]);
		CHECK(learner->mean_noise[0] < noise / batch && learner->mean_noise[0] > 0.5 * noise / batch, "noise %g of an average, %g of its parts", learner->mean_noise[0], noise / batch);
	}
}

/* the first step is as long as the reach says, whatever the gradient's size; the average is that of all steps, and its noise no more than theirs in the mean */
static void
check_learner(void)
{
	double		memory[128];
	DpemWorkspace work = {memory, memory + sizeof(memory) / sizeof(memory[0])};
	DpemOnlineLearner learner = dpem_online_create(2, 1, 3, &work);
	double		leaf[2] = {4, 0};
	const double *ended[1] = {leaf};

	CHECK(dpem_online_work(2) <= sizeof(memory) / sizeof(memory[0]), "room for the learner");
	CHECK(learner.at[0] == 0 && learner.at[1] == 0 && learner.noise[0] == 0, "it begins at zero");
	dpem_online_take(&learner, ended, 0.5);
	CHECK(fabs(learner.at[0] - learner.reach / sqrt(1 + dpem_online_spare)) < 1e-15 && learner.at[1] == 0, "at %g, %g after a batch", learner.at[0], learner.at[1]);
	CHECK(fabs(learner.noise[0] * 8 - learner.at[0]) < 1e-15, "noise %g", learner.noise[0]);
	CHECK(learner.mean[0] == learner.at[0] && fabs(learner.mean_noise[0] - learner.noise[0]) < 1e-15, "the average of one step is that step");
	check_average(&learner, ended);
}

/* parameters after the first eighth of the batches are in no average */
static void
check_left_out(void)
{
	double		memory[128];
	DpemWorkspace work = {memory, memory + sizeof(memory) / sizeof(memory[0])};
	DpemOnlineLearner learner = dpem_online_create(1, 1, 16, &work);
	const double leaf[5] = {1, 2, 4, 8, 16};
	const double *ended[5] = {&leaf[0], &leaf[1], &leaf[2], &leaf[3], &leaf[4]};
	double		sum = 0;

	for (int batch = 1; batch <= 16; batch++)
	{
		dpem_online_take(&learner, ended, 1);
		sum += batch > dpem_online_left_out(16) ? learner.at[0] : 0;
	}
	CHECK(dpem_online_left_out(16) == 2 && dpem_online_left_out(7) == 0, "left out: %d", dpem_online_left_out(16));
	CHECK(fabs(learner.mean[0] - sum / 14) < 1e-15, "average %g", learner.mean[0]);
}

int
main(void)
{
	Rng			rng = {20261123};

	for (int which = 1; which <= 37; which++)
		check_leaf(37, which);
	for (int batches = 1; batches <= 40; batches++)
	{
		check_variance(batches);
		check_spread(&rng, batches);
	}
	check_levels();
	check_neighbours(&rng, 1);
	check_neighbours(&rng, 6);
	check_neighbours(&rng, 7);
	check_neighbours(&rng, 16);
	for (double size = 0.01; size < 1e9; size *= 10)
		check_residuals(&rng, size);
	CHECK(dpem_kernel_from_code(60) == &dpem_kernel_residual, "code");
	check_learner();
	check_left_out();
	return unit_report();
}
