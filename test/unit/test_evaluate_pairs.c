/*
 * test_evaluate_pairs.c - classifiers of more than two classes: a row adds one to the cell of its class and the
 * predicted one, whatever the scorer returns, and what released counts are made into covers what they are without noise.
 */
#include <math.h>

#include "core/evaluation/evaluate_kernel.h"
#include "core/evaluation/evaluate_metrics.h"
#include "core/kernels/kernel.h"
#include "kernel_fixture.h"

#define CLASSES 4

/* ---- the kernel ---- */

static double score_of_all;

static void
same_score(DpemRowScorer *scorer, const double *x, double *score)
{
	(void) x;
	score[0] = score_of_all;
	CHECK(scorer->class >= 0 && scorer->class < CLASSES, "class %d", scorer->class);
}

static DpemRowScorer made;

static DpemRowScorer *
make(const double *theta, int d)
{
	(void) d;
	made = (DpemRowScorer) {.task = dpem_evaluate_task(theta),.score = same_score};
	return &made;
}

/* labels from 0 to CLASSES + 1, of which the first and the last are none, and one that is no number */
static void
check_cells(double score, int predicted)
{
	DpemEvaluateTask task = {CLASSES, 0, 1};
	DpemMomentLayout layout = {CLASSES * CLASSES, 2, DPEM_COUNTS_ALONE};
	double		label[DPEM_BLOCK_STRIDE] = {0, 1, 2, 3, 4, 5, NAN};
	double		x[14] = {0};
	double		theta[8];
	double	   *scratch = numbers(dpem_kernel_pairs_evaluate.scratch_length(&layout));
	int32_t		component[DPEM_BLOCK_STRIDE];
	Work		w = work_make(2, CLASSES + 3);

	dpem_evaluate_write(&task, (const unsigned char *) "m", theta);
	CHECK(dpem_kernel_pairs_evaluate.theta_check(&layout, theta, 8) == dpem_evaluate_theta_length(&task), "a task");
	score_of_all = score;
	work_fill(&w, x, NULL, CLASSES + 3);
	w.block.label = label;
	dpem_kernel_pairs_evaluate.locate(&layout, dpem_kernel_pairs_evaluate.prepare(&layout, theta), &w.block, Q, component, scratch);
	for (int row = 0; row < CLASSES + 3; row++)
		CHECK(component[row] == (label[row] >= 1 && label[row] <= CLASSES ? (row - 1) * CLASSES + predicted : -1),
			  "label %g in component %d", label[row], component[row]);
	free(scratch);
	work_free(&w);
}

static void
check_refused(void)
{
	DpemEvaluateTask task = {CLASSES, 0, 1};
	DpemMomentLayout layout = {CLASSES * CLASSES, 2, DPEM_COUNTS_ALONE};
	double		theta[8];

	dpem_evaluate_write(&task, (const unsigned char *) "m", theta);
	layout.k = CLASSES;
	CHECK(dpem_kernel_pairs_evaluate.theta_check(&layout, theta, 8) == 0, "a class");
	layout.k = 2 * CLASSES;
	CHECK(dpem_kernel_pairs_evaluate.theta_check(&layout, theta, 8) == 0, "two classes");
}

/* ---- metrics ---- */

/* classes of very different sizes, one mostly taken for another */
static const double truth[CLASSES * CLASSES] = {
	9000, 400, 300, 50,
	700, 2500, 100, 20,
	150, 1200, 900, 30,
	60, 10, 40, 700
};

static void
check_exact(void)
{
	DpemEvaluateCells cells = {CLASSES, truth, 0};
	DpemStatisticValue v[DPEM_PAIR_METRICS];
	double		u[2 * CLASSES * CLASSES];
	double		mean[DPEM_PAIR_METRICS] = {0};
	double		all = 0;

	for (int c = 0; c < CLASSES; c++)
	{
		double		actual = 0;
		double		predicted = 0;

		for (int i = 0; i < CLASSES; i++)
		{
			actual += truth[c * CLASSES + i];
			predicted += truth[i * CLASSES + c];
		}
		all += actual;
		mean[DPEM_PAIRS_ACCURACY] += truth[c * CLASSES + c];
		mean[DPEM_PAIRS_RECALL] += truth[c * CLASSES + c] / actual / CLASSES;
		mean[DPEM_PAIRS_PRECISION] += truth[c * CLASSES + c] / predicted / CLASSES;
		mean[DPEM_PAIRS_F1] += 2 * truth[c * CLASSES + c] / (actual + predicted) / CLASSES;
	}
	mean[DPEM_PAIRS_ACCURACY] /= all;
	dpem_evaluate_pairs(&cells, u, u + CLASSES * CLASSES, v);
	for (int m = 0; m < DPEM_PAIR_METRICS; m++)
	{
		CHECK_CLOSE(v[m].value, mean[m], 1e-12, dpem_pair_metric_names[m]);
		CHECK(v[m].lower == v[m].value && v[m].upper == v[m].value && v[m].sd == 0, "no noise, no interval");
	}
}

#define ROUNDS 4000

/* a number of 4000 intervals of 95 % that is outside 93 to 97 % happens once in 100 million times */
static void
check_coverage(Rng *rng, double sd)
{
	DpemStatisticValue exact[DPEM_PAIR_METRICS];
	DpemStatisticValue v[DPEM_PAIR_METRICS];
	double		u[2 * CLASSES * CLASSES];
	double		noisy[CLASSES * CLASSES];
	int			covered[DPEM_PAIR_METRICS] = {0};

	dpem_evaluate_pairs(&(DpemEvaluateCells) {CLASSES, truth, 0}, u, u + CLASSES * CLASSES, exact);
	for (int round = 0; round < ROUNDS; round++)
	{
		for (int i = 0; i < CLASSES * CLASSES; i++)
			noisy[i] = truth[i] + sd * rng_normal(rng);
		dpem_evaluate_pairs(&(DpemEvaluateCells) {CLASSES, noisy, sd}, u, u + CLASSES * CLASSES, v);
		for (int m = 0; m < DPEM_PAIR_METRICS; m++)
			covered[m] += v[m].lower <= exact[m].value && exact[m].value <= v[m].upper;
	}
	for (int m = 0; m < DPEM_PAIR_METRICS; m++)
		CHECK(covered[m] >= 0.93 * ROUNDS && covered[m] <= 0.97 * ROUNDS, "%s, noise of %g: %d of %d intervals cover",
			  dpem_pair_metric_names[m], sd, covered[m], ROUNDS);
}

/* a class that the noise hides may be anything: the interval is at least as wide as its part of the mean */
static void
check_hidden(Rng *rng)
{
	DpemStatisticValue v[DPEM_PAIR_METRICS];
	double		u[2 * CLASSES * CLASSES];
	double		noisy[CLASSES * CLASSES];

	for (int i = 0; i < CLASSES * CLASSES; i++)
		noisy[i] = (i / CLASSES == 3 || i % CLASSES == 3 ? 0 : truth[i]) + 5 * rng_normal(rng);
	dpem_evaluate_pairs(&(DpemEvaluateCells) {CLASSES, noisy, 5}, u, u + CLASSES * CLASSES, v);
	for (int m = DPEM_PAIRS_PRECISION; m < DPEM_PAIR_METRICS; m++)
		CHECK(v[m].upper - v[m].lower >= 1.0 / CLASSES, "%s: from %g to %g", dpem_pair_metric_names[m], v[m].lower, v[m].upper);
}

/* of numbers that are known to be within `width` deviations of each other, the outermost ones are missed in 5 of 100 cases */
static void
check_reach(void)
{
	CHECK_CLOSE(dpem_evaluate_reach(0), 1.959963984540054, 1e-9, "one number");
	CHECK_CLOSE(dpem_evaluate_reach(50), 1.6448536269514722, 1e-9, "numbers far apart");
	for (int i = 0; i < 8; i++)
	{
		double		c = dpem_evaluate_reach(i / 2.0);

		CHECK_CLOSE(erfc(c / M_SQRT2) / 2 + erfc((c + i / 2.0) / M_SQRT2) / 2, 0.05, 1e-9, "missed");
	}
}

/*
 * Where a class is hidden, means of which its part is 0 and 1, the outermost ones, are contained in at least 93 of 100
 * intervals of 95 %: fewer of 4,000 happen once in 100 million times.
 */
static void
check_outermost(Rng *rng, double part)
{
	DpemStatisticValue v[DPEM_PAIR_METRICS];
	double		u[2 * CLASSES * CLASSES];
	double		noisy[CLASSES * CLASSES];
	double		exact = part / CLASSES;
	int			covered = 0;

	for (int c = 0; c < 3; c++)
		exact += truth[c * CLASSES + c] / (truth[c * CLASSES] + truth[c * CLASSES + 1] + truth[c * CLASSES + 2] + truth[c * CLASSES + 3]) / CLASSES;
	for (int round = 0; round < ROUNDS; round++)
	{
		for (int i = 0; i < CLASSES * CLASSES; i++)
			noisy[i] = (i / CLASSES == 3 ? 0 : truth[i]) + 20 * rng_normal(rng);
		noisy[CLASSES * CLASSES - 1] += part;
		noisy[CLASSES * CLASSES - 2] += 1 - part;
		dpem_evaluate_pairs(&(DpemEvaluateCells) {CLASSES, noisy, 20}, u, u + CLASSES * CLASSES, v);
		covered += v[DPEM_PAIRS_RECALL].lower <= exact && exact <= v[DPEM_PAIRS_RECALL].upper;
	}
	CHECK(covered >= 0.93 * ROUNDS, "recall with a part of %g that is hidden: %d of %d intervals cover", part, covered, ROUNDS);
}

int
main(void)
{
	Rng			rng = {2027};

	dpem_make_row_scorer = make;
	for (int p = 0; p < CLASSES; p++)
		check_cells((p + 0.5) / CLASSES, p);
	check_cells(NAN, 0);
	check_cells(7, CLASSES - 1);
	check_cells(-INFINITY, 0);
	check_refused();
	check_exact();
	check_coverage(&rng, 2);
	check_coverage(&rng, 15);
	check_coverage(&rng, 40);
	check_hidden(&rng);
	check_reach();
	check_outermost(&rng, 0);
	check_outermost(&rng, 1);
	return unit_report();
}
