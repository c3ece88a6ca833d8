/*
 * test_class_pairs.c - counts of rows by what a naive Bayes classifier says of two classes: a row is in one place at most whatever it and the
 * parameters are (docs/proofs.md, 10 and 21), places are those of their definition, and the power that follows from them.
 */
#include "core/bayes/bayes_estimate.h"
#include "core/bayes/bayes_power.h"
#include "core/bayes/class_pairs.h"
#include "core/kernels/kernel.h"
#include "kernel_fixture.h"

#define HOLDS(condition)	CHECK(condition, "%s", #condition)

/* a number, a label of three categories, and three classes; the number is known where the third coordinate is on */
#define WIDTH	8
#define CLASSES	3
#define CELLS	7
#define ROWS	96

static const double edges[] = {-0.5, 0, 0.5};
static const DpemCellColumn columns[] = {{0, 4, 1, edges}, {2, 3, DPEM_CELLS_OF_LABEL, NULL}};
static const double weight[CLASSES] = {0.6, 0.1, 0.3};
static const double probability[CLASSES * CELLS] = {
	0.4, 0.3, 0.2, 0.1, 0.7, 0.2, 0.1, 0.1, 0.2, 0.3, 0.4, 0.1, 0.8, 0.1, 0.25, 0.25, 0.25, 0.25, 0.3, 0.3, 0.4
};
static const DpemClassPairs pairs = {{1.5, CLASSES, 5, false, 2, columns}, weight, probability};
static double theta[64];

static DpemMomentLayout
layout_of(void)
{
	return (DpemMomentLayout) {dpem_class_pairs_places(CLASSES), WIDTH, DPEM_COUNTS_ALONE};
}

/* ---- the kernel -------------------------------------------------------------------- */

/* any features that the map may make: beyond domains, of no category or several, of no class or several */
static void
draw_rows(Rng *rng, Work *w)
{
	w->block.rows = ROWS;
	for (int row = 0; row < ROWS; row++)
	{
		w->block.keep[row] = rng_below(rng, 8) > 0;
		for (int j = 0; j < WIDTH; j++)
			w->block.x[j * DPEM_BLOCK_STRIDE + row] = rint(ldexp(w->block.keep[row] * (rng_below(rng, 3) == 0 ? rng_below(rng, 3) - 1 : rng_uniform(rng, -1, 1)), FINE));
	}
}

static int32_t
alone(const DpemMomentLayout *layout, const Work *all, Work *one, int row)
{
	double	   *scratch = numbers(dpem_kernel_class_pairs.scratch_length(layout));
	int32_t		component;

	one->block.rows = 1;
	one->block.keep[0] = all->block.keep[row];
	for (int j = 0; j < WIDTH; j++)
		one->block.x[j * DPEM_BLOCK_STRIDE] = all->block.x[j * DPEM_BLOCK_STRIDE + row];
	dpem_kernel_class_pairs.locate(layout, theta, &one->block, FINE, &component, scratch);
	free(scratch);
	return component;
}

/* a place is the row's own, with whatever rows it is read: so one row changes one count by 1 and, where it is replaced, another */
static void
search_counterexample(void)
{
	DpemMomentLayout layout = layout_of();
	double	   *scratch = numbers(dpem_kernel_class_pairs.scratch_length(&layout));
	Work		w = work_make(WIDTH, 1);
	Work		one = work_make(WIDTH, 1);
	Rng			rng = {11};
	int32_t		component[ROWS];
	int			seen = 0;

	for (int i = 0; i < 200; i++)
	{
		draw_rows(&rng, &w);
		dpem_kernel_class_pairs.locate(&layout, theta, &w.block, FINE, component, scratch);
		for (int row = 0; row < ROWS; row++)
		{
			CHECK(component[row] >= -1 && component[row] < layout.k, "place %d of %d", component[row], layout.k);
			HOLDS(w.block.keep[row] > 0 || component[row] == -1);
			HOLDS(component[row] == alone(&layout, &w, &one, row));
			seen += component[row] >= 0;
		}
	}
	HOLDS(seen > 200 * ROWS / 4);
	free(scratch);
	work_free(&w);
	work_free(&one);
}

/* the same with parameters that are no logarithms of anything */
static void
search_parameters(void)
{
	double		kept[64];
	Rng			rng = {12};
	size_t		first = dpem_class_cells_theta_length(&pairs.cells);
	size_t		length = dpem_class_pairs_theta_length(&pairs);

	memcpy(kept, theta, sizeof(theta));
	for (int i = 0; i < 5; i++)
	{
		for (size_t j = first; j < length; j++)
			theta[j] = rng_uniform(&rng, -1, 1) * (i == 0 ? 1e308 : i == 1 ? 1e-308 : 10);
		search_counterexample();
	}
	memcpy(theta, kept, sizeof(theta));
}

static void
check_parameters(void)
{
	DpemMomentLayout layout = layout_of();
	size_t		length = dpem_class_pairs_theta_length(&pairs);
	size_t		first = dpem_class_cells_theta_length(&pairs.cells);

	HOLDS(dpem_kernel_class_pairs.theta_check(&layout, theta, length) == length);
	HOLDS(dpem_kernel_class_pairs.theta_check(&layout, theta, length - 1) == 0);
	for (size_t i = 0; i < length; i++)
	{
		double		kept = theta[i];

		theta[i] = i < first ? -3 : -INFINITY;
		CHECK(dpem_kernel_class_pairs.theta_check(&layout, theta, length) == 0, "number %zu may be %g", i, theta[i]);
		theta[i] = NAN;
		CHECK(dpem_kernel_class_pairs.theta_check(&layout, theta, length) == 0, "number %zu may be none", i);
		theta[i] = kept;
	}
	layout.k--;
	HOLDS(dpem_kernel_class_pairs.theta_check(&layout, theta, length) == 0);
	layout.k++;
	layout.second = DPEM_SECOND_NONE;
	HOLDS(dpem_kernel_class_pairs.theta_check(&layout, theta, length) == 0);
}

/* x in the part that it is in, category or -1, class: the place by hand */
static void
check_row(double x, int part, int category, int class)
{
	DpemMomentLayout layout = layout_of();
	Work		w = work_make(WIDTH, 1);
	Work		one = work_make(WIDTH, 1);
	double		row[WIDTH] = {x, 1, category == 0, category == 1, category == 2, class == 0, class == 1, class == 2};
	double		evidence[CLASSES];
	double		log_weight[CLASSES];

	for (int c = 0; c < CLASSES; c++)
	{
		log_weight[c] = log(weight[c]);
		evidence[c] = log(probability[c * CELLS + part]) + (category < 0 ? 0 : log(probability[c * CELLS + 4 + category]));
	}
	w.block.keep[0] = 1;
	for (int j = 0; j < WIDTH; j++)
		w.block.x[j * DPEM_BLOCK_STRIDE] = rint(ldexp(row[j] / pairs.cells.radius, FINE));
	HOLDS(alone(&layout, &w, &one, 0) == (class < 0 ? -1 : dpem_class_pairs_place(CLASSES, log_weight, evidence, 1, class)));
	work_free(&w);
	work_free(&one);
}

static void
check_places(void)
{
	static const double log_weight[] = {-1, -1, -2.7};
	static const double evidence[] = {-3, -2.6, -9};

	for (int class = -1; class < CLASSES; class++)
		for (int category = -1; category < 3; category++)
		{
			check_row(-0.9, 0, category, class);
			check_row(-0.5, 1, category, class);
			check_row(0.7, 3, category, class);
		}
	/* the first two of equal shares, the second's evidence more by 0.4: the second bin above 0 */
	HOLDS(dpem_class_pairs_place(3, log_weight, evidence, 1, 1) == (DPEM_PAIRS_SIDE + 1) * 2 + 1);
	HOLDS(dpem_class_pairs_place(3, log_weight, evidence, 1, 0) == (DPEM_PAIRS_SIDE + 1) * 2);
	HOLDS(dpem_class_pairs_place(3, log_weight, evidence, 1, 2) == -1);
	/* of the last two the rarer is the second, by 6.4 less and at odds of 1.7 */
	HOLDS(dpem_class_pairs_place(2, log_weight + 1, evidence + 1, 1, 1) == (DPEM_PAIRS_SIDE - 1 - 5) * 2 + 1);
	HOLDS(dpem_class_pairs_level(3, -1.7) == 1 && dpem_class_pairs_level(3, 100) == DPEM_PAIRS_LEVELS - 1 && dpem_class_pairs_level(2, 100) == 0);
	for (int bin = 1; bin < DPEM_PAIRS_BINS; bin++)
		HOLDS(dpem_class_pairs_evidence(bin) > dpem_class_pairs_evidence(bin - 1));
}

/* a power of 1/2 is half of the evidence, and of 1e-15 hardly any: the shares alone */
static void
check_posterior(void)
{
	static const int cell[] = {3, 5};
	double		posterior[CLASSES];
	double		total = 0;

	for (int c = 0; c < CLASSES; c++)
		total += weight[c] * sqrt(probability[c * CELLS + 3] * probability[c * CELLS + 5]);
	dpem_bayes_posterior(CLASSES, 2, CELLS, weight, probability, 0.5, cell, posterior);
	for (int c = 0; c < CLASSES; c++)
		HOLDS(fabs(posterior[c] - weight[c] * sqrt(probability[c * CELLS + 3] * probability[c * CELLS + 5]) / total) < 1e-12);
	dpem_bayes_posterior(CLASSES, 2, CELLS, weight, probability, 1e-15, cell, posterior);
	for (int c = 0; c < CLASSES; c++)
		HOLDS(fabs(posterior[c] - weight[c]) < 1e-12);
}

/* ---- the power ------------------------------------------------------------------------ */

/* of rows of two classes whose evidence is so many times what it should be */
static double
power_of(double times, double rare, int rows, double sd, int columns_counted, Rng *rng)
{
	const double share[] = {1 - rare, rare};
	const double log_share[] = {log(1 - rare), log(rare)};
	double		count[2 * DPEM_PAIRS_BINS];

	for (int i = 0; i < 2 * DPEM_PAIRS_BINS; i++)
		count[i] = sd * rng_normal(rng);
	for (int i = 0; i < rows; i++)
	{
		int			class = rng_uniform(rng, 0, 1) < rare;
		double		z = rng_normal(rng) + (class - 0.5) * 1.5;

		/* densities of unit variance whose means are 1.5 apart have this ratio */
		const double evidence[] = {0, 1.5 * z * times};

		count[dpem_class_pairs_place(2, log_share, evidence, 1, class)]++;
	}
	return dpem_bayes_power(&(DpemPairCounts) {2, columns_counted, share, count, sd});
}

static void
check_power(void)
{
	static const double times[] = {0.7, 1, 2, 12, 40};
	Rng			rng = {13};

	for (int i = 0; i < 5; i++)
		for (int rare = 0; rare < 2; rare++)
		{
			double		power = power_of(times[i], rare ? 0.05 : 0.5, 40000, 5, 12, &rng);

			CHECK(fabs(log(power * times[i])) < 0.3, "evidence %g times too much has the power %g", times[i], power);
		}
	/* where noise hides the rows, a power between 1 and that of copies */
	for (int i = 0; i < 50; i++)
	{
		double		power = power_of(1, 0.5, 100, 1e4, 12, &rng);

		CHECK(power > 1 / 12.0 && power < 1.3, "noise has the power %g", power);
	}
}

int
main(void)
{
	dpem_class_pairs_write(&pairs, theta);
	search_counterexample();
	search_parameters();
	check_parameters();
	check_places();
	check_posterior();
	check_power();
	return unit_report();
}
