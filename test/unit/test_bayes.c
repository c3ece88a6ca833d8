/*
 * test_bayes.c - naive Bayes: what a row leaves in counts by class and cell stays in
 * the unit ball whatever the row is (docs/proofs.md, 21), and what the released counts
 * are made into.
 */
#include "core/accounting/sensitivity.h"
#include "core/bayes/bayes_estimate.h"
#include "core/bayes/bayes_rules.h"
#include "core/bayes/class_cells.h"
#include "core/kernels/kernel.h"
#include "core/numeric/positive_mean.h"
#include "kernel_fixture.h"

#define HOLDS(condition)	CHECK(condition, "%s", #condition)
#define NEAR(actual, expected, tolerance) \
	CHECK(fabs((actual) - (expected)) <= (tolerance), "%s is %.17g, not %.17g", #actual, actual, (double) (expected))

/* two numbers, of which one may be unknown, a label of three categories, what tells, and three classes */
#define WIDTH	9
static const double edges[] = {-0.6, -0.2, 0.2, 0.6, -0.9, -0.8, -0.5, 0, 0.5, 0.89};
static const DpemCellColumn columns[] = {{0, 5, DPEM_CELLS_ALWAYS, edges}, {1, 7, 5, edges + 4}, {2, 3, DPEM_CELLS_OF_LABEL, NULL}};
static DpemClassCells cells = {1.5, 3, 6, false, 3, columns};
static double theta[24];

#define FIRST_EDGE	(5 + 3 * 3)	/* in theta */

static DpemMomentLayout
layout_of(void)
{
	return (DpemMomentLayout) {dpem_class_cells_components(&cells, WIDTH), WIDTH, DPEM_SECOND_NONE};
}

/* ---- the kernel ---------------------------------------------------------------- */

/* any features that the map may make: values beyond their domains, no category or several, classes likewise */
static void
draw_row(Rng *rng, double *x, double unit)
{
	for (int j = 0; j < WIDTH; j++)
		x[j * DPEM_BLOCK_STRIDE] = rint(unit * (rng_below(rng, 3) == 0 ? rng_below(rng, 3) - 1 : rng_uniform(rng, -1, 1)));
}

static double
marks_of(Work *w, const DpemMomentLayout *layout, double *sums)
{
	double		square = 0;
	size_t		length = dpem_moments_length(layout);

	w->block.rows = 1;
	dpem_kernel_class_cells.accumulate(layout, theta, &w->block, FINE, P, sums, w->scratch);
	for (size_t i = 0; i < length; i++)
	{
		CHECK(sums[i] >= 0 && sums[i] == rint(sums[i]), "a mark of %g", sums[i]);
		sums[i] = ldexp(sums[i], -P - Q);
		square += sums[i] * sums[i];
	}
	return square;
}

static void
search_counterexample(void)
{
	DpemMomentLayout layout = layout_of();
	size_t		length = dpem_moments_length(&layout);
	double	   *one = numbers(length);
	double	   *two = numbers(length);
	Work		w = work_make(WIDTH, 1);
	Rng			rng = {7};
	double		alone = 0;
	double		apart = 0;

	w.block.keep[0] = 1;
	for (int i = 0; i < 20000; i++)
	{
		double		square = 0;

		draw_row(&rng, w.block.x, ldexp(0.9, FINE));
		alone = fmax(alone, marks_of(&w, &layout, one));
		draw_row(&rng, w.block.x, ldexp(0.9, FINE));
		alone = fmax(alone, marks_of(&w, &layout, two));
		for (size_t j = 0; j < length; j++)
			square += (one[j] - two[j]) * (one[j] - two[j]);
		apart = fmax(apart, square);
	}
	CHECK(alone <= dpem_document_sensitivity2(false) && alone > 1 - 1e-6, "a row's squared norm is %.17g", alone);
	/* as one, two rows share the mark of the class, or one of them has none at all */
	CHECK(apart <= dpem_document_sensitivity2(true) && apart > (cells.as_one ? 1.5 : 2) - 1e-6, "two rows %s are %.17g apart", cells.as_one ? "as one" : "by class", apart);
	w.block.keep[0] = 0;
	NEAR(marks_of(&w, &layout, one), 0, 0);
	free(one);
	free(two);
	work_free(&w);
}

static double
count_at(const DpemMomentLayout *layout, const double *sums, int class, int place)
{
	return sums[dpem_class_cells_at(layout, (size_t) class * (1 + dpem_class_cells_number(&cells)) + place)] / dpem_class_cells_mark(&cells);
}

/* x = -1, the second number 0.9 or unknown, category 2, class 1 (from 0), or none */
static void
check_places(void)
{
	DpemMomentLayout layout = layout_of();
	double	   *sums = numbers(dpem_moments_length(&layout));
	Work		w = work_make(WIDTH, 1);
	double		one = ldexp(1 / cells.radius, FINE);

	w.block.keep[0] = 1;
	for (int known = 0; known <= 1; known++)
		for (int class = 0; class <= 1; class++)
		{
			double		row[WIDTH] = {-1, 0.9, 0, 0, 1, known, 0, class, 0};

			for (int j = 0; j < WIDTH; j++)
				w.block.x[j * DPEM_BLOCK_STRIDE] = rint(row[j] * one);
			NEAR(marks_of(&w, &layout, sums) * 4, class * (3.0 + known), 1e-6);
			NEAR(count_at(&layout, sums, 1, 0), class, 1e-6);
			NEAR(count_at(&layout, sums, 1, 1), class, 1e-6);
			NEAR(count_at(&layout, sums, 1, 1 + 5 + 6), class * known, 1e-6);
			NEAR(count_at(&layout, sums, 1, 1 + 5 + 7 + 2), class, 1e-6);
		}
	free(sums);
	work_free(&w);
}

/* a number on an edge, as whole numbers often are, is in the part above it, and one beyond the domain in that at its end */
static void
check_parts(void)
{
	DpemMomentLayout layout = layout_of();
	double	   *sums = numbers(dpem_moments_length(&layout));
	Work		w = work_make(WIDTH, 1);
	double		one = ldexp(1 / cells.radius, FINE);
	double		unit = cells.radius * 0x1p-25;	/* two units of a feature */

	w.block.keep[0] = 1;
	for (int i = -1; i <= 4; i++)
		for (int side = -1; side <= 1; side++)
		{
			double		at = i < 0 ? -1.2 : i == 4 ? 1.2 : edges[i] + side * unit;
			double		row[WIDTH] = {at, 0, 0, 0, 0, 0, 1, 0, 0};
			int			part = i < 0 ? 0 : i == 4 ? 4 : i + (side >= 0);

			for (int j = 0; j < WIDTH; j++)
				w.block.x[j * DPEM_BLOCK_STRIDE] = rint(row[j] * one);
			marks_of(&w, &layout, sums);
			NEAR(count_at(&layout, sums, 0, 1 + part), 1, 1e-6);
		}
	free(sums);
	work_free(&w);
}

static void
check_parameters(void)
{
	DpemMomentLayout layout = layout_of();
	size_t		length = dpem_class_cells_theta_length(&cells);
	static const double wrong[][2] = {{0, 0}, {0, INFINITY}, {1, 0}, {1, -1}, {1, 2.5}, {1, 4}, {2, -1}, {2, 8}, {3, -1}, {3, 0.5}, {3, 2}, {3, NAN}, {4, 0}, {4, 1e9}, {5, 9}, {6, 0}, {6, 2.5}, {7, 9}, {7, -2}, {12, 8}, {FIRST_EDGE, -1.1}, {FIRST_EDGE, 0}, {FIRST_EDGE + 3, 1.5}, {FIRST_EDGE + 9, NAN}, {FIRST_EDGE + 5, -0.95}};

	HOLDS(dpem_class_cells_check(&layout, theta, length) == length);
	HOLDS(dpem_class_cells_check(&layout, theta, length - 1) == 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
	{
		int			at = (int) wrong[i][0];
		double		kept = theta[at];

		theta[at] = wrong[i][1];
		CHECK(dpem_class_cells_check(&layout, theta, length) == 0, "number %d may be %g", at, wrong[i][1]);
		theta[at] = kept;
	}
	layout.k++;
	HOLDS(dpem_class_cells_check(&layout, theta, length) == 0);
	layout.k--;
	theta[3] = !cells.as_one;	/* as many places as one class has are not those of all */
	HOLDS(dpem_class_cells_check(&layout, theta, length) == 0);
	theta[3] = cells.as_one;
	layout.second = DPEM_SECOND_FULL;
	HOLDS(dpem_class_cells_check(&layout, theta, length) == 0);
}

/* rows of a class count whatever it is, and those of none do not */
static void
check_as_one(void)
{
	DpemMomentLayout layout = layout_of();
	double	   *sums = numbers(dpem_moments_length(&layout));	/* more than are as one */
	Work		w = work_make(WIDTH, 1);
	double		row[WIDTH] = {-1, 0.9, 0, 0, 1, 1, 0, 0, 0};

	cells.as_one = true;
	dpem_class_cells_write(&cells, theta);
	layout = layout_of();
	HOLDS(dpem_class_cells_places(&cells) == 16 && dpem_class_cells_check(&layout, theta, 24) == 24);
	w.block.keep[0] = 1;
	for (int class = -1; class < 3; class++)
	{
		for (int j = 0; j < WIDTH; j++)
			w.block.x[j * DPEM_BLOCK_STRIDE] = rint((j < 6 ? row[j] : j == 6 + class) * ldexp(1 / cells.radius, FINE));
		NEAR(marks_of(&w, &layout, sums), class >= 0, 1e-6);
		NEAR(count_at(&layout, sums, 0, 0), class >= 0, 1e-6);
		NEAR(count_at(&layout, sums, 0, 1 + 5 + 6), class >= 0, 1e-6);
	}
	search_counterexample();
	check_parameters();
	cells.as_one = false;
	dpem_class_cells_write(&cells, theta);
	free(sums);
	work_free(&w);
}

/* ---- the estimate -------------------------------------------------------------- */

#define CLASSES	3
#define PARTS	16
#define KINDS	4
#define CELLS	(PARTS + KINDS)

typedef struct Problem
{
	double		count[CLASSES * (1 + CELLS)];
	double		weight[CLASSES];
	double		weight_noise[CLASSES];
	double		probability[CLASSES * CELLS];
	double		noise[CLASSES];
	DpemBayesCounts counts;
	DpemBayes	bayes;
} Problem;

static const int length[] = {PARTS, KINDS};
static const bool ordered[] = {true, false};
static const bool complete[] = {true, false};

static double
truth(int class, int cell)
{
	double		x = (cell + 0.5) / PARTS;

	if (cell < PARTS)
		return (class == 0 ? 2 - 2 * x : class == 1 ? 2 * x : 1) / PARTS;
	return cell - PARTS == class ? 0.7 : 0.1;
}

static void
make_problem(Problem *p, double rows, double sd, Rng *rng)
{
	p->counts = (DpemBayesCounts) {CLASSES, 2, CELLS, length, ordered, complete, sd, p->count};
	p->bayes = (DpemBayes) {p->weight, p->weight_noise, p->probability, p->noise};
	for (int c = 0; c < CLASSES; c++)
		for (int i = 0; i <= CELLS; i++)
		{
			double		all = rows * (c + 1) / 6;

			p->count[c * (1 + CELLS) + i] = (i == 0 ? all : all * truth(c, i - 1)) + sd * rng_normal(rng);
		}
}

static void
estimate(Problem *p)
{
	size_t		n = dpem_bayes_estimate_work(&p->counts);
	double	   *memory = numbers(n);

	dpem_bayes_estimate(&p->counts, &p->bayes, (DpemWorkspace) {memory, memory + n});
	free(memory);
}

static void
check_laws(const Problem *p)
{
	double		weight = 0;

	for (int c = 0; c < CLASSES; c++)
	{
		double		number = 0;
		double		label = 0;

		weight += p->weight[c];
		for (int i = 0; i < CELLS; i++)
		{
			HOLDS(p->probability[c * CELLS + i] > 0);
			*(i < PARTS ? &number : &label) += p->probability[c * CELLS + i];
		}
		NEAR(number, 1, 1e-12);
		NEAR(label, 1, 1e-12);
	}
	NEAR(weight, 1, 1e-12);
}

static void
check_exact(void)
{
	Rng			rng = {1};
	Problem		p;

	make_problem(&p, 6e4, 0, &rng);
	estimate(&p);
	check_laws(&p);
	for (int c = 0; c < CLASSES; c++)
	{
		NEAR(p.weight[c], (c + 1) / 6.0, 1e-12);
		for (int i = 0; i < CELLS; i++)
			NEAR(p.probability[c * CELLS + i], (1e4 * (c + 1) * truth(c, i) + 1) / (1e4 * (c + 1) + (i < PARTS ? PARTS : KINDS)), 1e-12);
	}
	memset(p.count, 0, sizeof(p.count));
	estimate(&p);
	check_laws(&p);
	NEAR(p.weight[0], 1.0 / CLASSES, 1e-12);
}

/* by how much the logarithms of classes' probabilities of a cell differ from the truth, at most and in the mean */
static double
worst_error(const Problem *p, double *mean)
{
	double		worst = 0;

	*mean = 0;
	for (int i = 0; i < CELLS; i++)
	{
		double		error = fabs(log(p->probability[CELLS + i] / p->probability[i]) - log(truth(1, i) / truth(0, i)));

		worst = fmax(worst, error);
		*mean += error / CELLS;
	}
	return worst;
}

/* noise that is little beside the rows leaves what they say; noise that is much leaves nothing, and no nonsense */
static void
check_noise(void)
{
	Rng			rng = {3};
	double		little = 0;
	double		mean = 0;
	double		much = 0;

	for (int run = 0; run < 50; run++)
	{
		Problem		p;
		double		m;

		make_problem(&p, 6e4, 20, &rng);
		estimate(&p);
		check_laws(&p);
		little = fmax(little, worst_error(&p, &m));
		mean += m / 50;
		HOLDS(p.noise[0] > 0 && p.weight_noise[0] > 0 && p.weight_noise[0] < p.noise[0]);
		make_problem(&p, 600, 3000, &rng);
		estimate(&p);
		check_laws(&p);
		for (int i = 0; i < CELLS; i++)
			much += fabs(log(p.probability[CELLS + i] / p.probability[i])) / 50 / CELLS;
	}
	CHECK(little < 1.2 && mean < 0.08, "little noise: errors up to %g, mean %g", little, mean);
	CHECK(much < 0.25, "noise alone says %g", much);
}

static void
check_positive(void)
{
	NEAR(dpem_positive_mean(3, 0), 3, 0);
	NEAR(dpem_positive_mean(-3, 0), 0, 0);
	NEAR(dpem_positive_mean(0, 2), 2 * sqrt(2 / M_PI), 1e-12);
	NEAR(dpem_positive_mean(1e3, 1), 1e3, 1e-12);
	for (double z = -60; z < 40; z += 0.5)
		HOLDS(dpem_positive_mean(z, 1) > 0 && dpem_positive_mean(z + 0.5, 1) > dpem_positive_mean(z, 1));
}

static void
check_posterior(void)
{
	const double weight[] = {0.25, 0.75};
	const double probability[] = {0.5, 0.5, 0.9, 0.1, 0.2, 0.8, 0.5, 0.5};
	const int	both[] = {0, 2};
	const int	none[] = {-1, -1};
	double		p[2];

	HOLDS(dpem_bayes_posterior(2, 2, 4, weight, probability, 1, both, p) == 0);
	NEAR(p[0], 0.25 * 0.45 / (0.25 * 0.45 + 0.75 * 0.1), 1e-12);
	HOLDS(dpem_bayes_posterior(2, 2, 4, weight, probability, 0.5, both, p) == 1);
	HOLDS(dpem_bayes_posterior(2, 2, 4, weight, probability, 1, none, p) == 1);
	NEAR(p[1], 0.75, 1e-12);
}

int
main(void)
{
	dpem_class_cells_write(&cells, theta);
	search_counterexample();
	check_places();
	check_parts();
	check_parameters();
	check_as_one();
	check_exact();
	check_noise();
	check_positive();
	check_posterior();
	return unit_report();
}
