/*
 * test_evaluate.c - rows scored by a model: whatever the scorer returns, a row adds one to one cell, or one and a
 * point of the unit ball, and no two rows move the sums further than declared (docs/proofs.md, 10); and what the
 * released counts are made into: exact without noise, in intervals that cover with it.
 */
#include <math.h>

#include "core/accounting/sensitivity.h"
#include "core/evaluation/evaluate_kernel.h"
#include "core/evaluation/evaluate_metrics.h"
#include "core/kernels/kernel.h"
#include "core/pass/features.h"
#include "kernel_fixture.h"

#define MOST_D 6

/* ---- the kernel ---- */

/* returns what the row's first feature picks from a list of anything */
static void
odd_score(DpemRowScorer *scorer, const double *x, double *score)
{
	static const double odd[] = {0, 1, -1, 0.5, NAN, INFINITY, -INFINITY, 1e300, -1e300, 0x1p-1074, 0.999999999, 1.0000001};
	uint64_t	bits;

	memcpy(&bits, x, sizeof(bits));
	for (int i = 0; i < (scorer->task.bins ? 1 : scorer->task.values); i++, bits = bits * 6364136223846793005u + 1)
		score[i] = (bits >> 40) % 3 ? odd[(bits >> 33) % 12] : 2 * ((bits >> 11) * 0x1p-53) - 1;
}

static DpemRowScorer made;

static DpemRowScorer *
make(const double *theta, int d)
{
	(void) d;
	made = (DpemRowScorer) {.task = dpem_evaluate_task(theta),.score = odd_score};
	return &made;
}

/* one row's contribution, count and features of the unit ball, at a place of the layout's record; these have Q bits, whatever x has */
static void
contribution(const DpemKernel *kernel, const DpemMomentLayout *layout, const double *theta, int bits, const double *x, double keep,
			 double *out)
{
	Work		w = work_make(layout->d, 1);
	double	   *scratch = numbers(kernel->scratch_length(layout));
	int32_t		component;
	size_t		record = dpem_moments_record(layout);

	work_fill(&w, x, NULL, 1);
	w.block.keep[0] = keep;
	memset(out, 0, dpem_moments_length(layout) * sizeof(double));
	kernel->locate(layout, kernel->prepare(layout, theta), &w.block, bits, &component, scratch);
	CHECK(component >= -1 && component < layout->k && (component < 0) == (keep == 0), "component %d", component);
	if (component >= 0)
	{
		out[component * record] = 1;
		for (int j = 0; j < layout->d && record > 1; j++)
		{
			double		feature = w.block.x[(size_t) j * DPEM_BLOCK_STRIDE];

			CHECK(feature == rint(feature), "an integer, not %g", feature);
			out[component * record + 1 + j] = ldexp(feature, -Q);
		}
	}
	free(scratch);
	work_free(&w);
}

static double
moved2(const double *a, const double *b, size_t n)
{
	double		sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (a[i] - (b ? b[i] : 0)) * (a[i] - (b ? b[i] : 0));
	return sum;
}

/* rows with a constant last feature of either sign, as labels make them */
static void
random_row(Rng *rng, int d, int bits, double *x)
{
	for (int j = 0; j < d; j++)
		x[j] = rint(rng_uniform(rng, -1, 1) * ldexp(1, bits) / sqrt(d));
	x[d - 1] = rng_below(rng, 2) ? 100 : -100;
}

static void
check_kernel(Rng *rng, const DpemKernel *kernel, int d, int bins, int values, int bits)
{
	DpemEvaluateTask task = {bins, values, 13};
	int			classes = kernel->labelled ? 2 : 1;
	DpemMomentLayout layout = {bins > 0 ? classes * bins : 1, d, bins > 0 ? DPEM_COUNTS_ALONE : DPEM_SECOND_NONE};
	double		theta[16];
	double	   *a = numbers(dpem_moments_length(&layout));
	double	   *b = numbers(dpem_moments_length(&layout));
	double		worst[2] = {0, 0};

	dpem_evaluate_write(&task, (const unsigned char *) "\377model\0bytes\1", theta);
	CHECK(dpem_kernel_theta_length(kernel, &layout, theta, 16) == dpem_evaluate_theta_length(&task), "a task");
	for (int i = 0; i < 4000; i++)
	{
		double		x[2][MOST_D];

		random_row(rng, d, bits, x[0]);
		random_row(rng, d, bits, x[1]);
		contribution(kernel, &layout, theta, bits, x[0], 1, a);
		contribution(kernel, &layout, theta, bits, x[1], i % 7 != 0, b);
		worst[0] = fmax(worst[0], moved2(a, NULL, dpem_moments_length(&layout)));
		worst[1] = fmax(worst[1], moved2(a, b, dpem_moments_length(&layout)));
	}
	CHECK(worst[0] <= dpem_joint_sensitivity2(layout.k, 1, bins ? 0 : 1, 0, false), "add_remove: %g", worst[0]);
	CHECK(worst[1] <= fmax(dpem_joint_sensitivity2(layout.k, 1, bins ? 0 : 1, 0, true), 1 + (bins == 0)), "replace_one: %g", worst[1]);
	CHECK(worst[0] == 1 + (bins == 0 && values == 1) || values > 1, "attained: %g", worst[0]);
	free(a);
	free(b);
}

static void
check_parameters(void)
{
	static const double odd[] = {-1, 0.5, NAN, 0x1p48, 1e300};
	DpemEvaluateTask task = {8, 0, 13};
	DpemMomentLayout layout = {8, 3, DPEM_COUNTS_ALONE};
	DpemMomentLayout other = {9, 3, DPEM_COUNTS_ALONE};
	unsigned char bytes[13];
	double		theta[16];

	dpem_evaluate_write(&task, (const unsigned char *) "\377model\0bytes\1", theta);
	dpem_evaluate_read(theta, bytes);
	CHECK(memcmp(bytes, "\377model\0bytes\1", 13) == 0, "bytes come back");
	CHECK(dpem_kernel_evaluate.theta_check(&layout, theta, 5) == 0, "cut off");
	CHECK(dpem_kernel_evaluate.theta_check(&other, theta, 16) == 0, "another number of bins");
	CHECK(dpem_kernel_class_evaluate.theta_check(&layout, theta, 16) == 0, "bins of two classes");
	for (int at = 0; at < 6; at++)
		for (int i = 0; i < 5; i++)
		{
			double		kept = theta[at];

			theta[at] = odd[i];
			CHECK(dpem_kernel_evaluate.theta_check(&layout, theta, 16) == 0, "number %d is %g", at, odd[i]);
			theta[at] = kept;
		}
	for (int values = 1; values <= DPEM_EVALUATE_MOST_VALUES; values++)
		CHECK(values * dpem_evaluate_unit(values) * dpem_evaluate_unit(values) <= 1 && dpem_evaluate_unit(values) > 0.999 / sqrt(values), "%d values", values);
}

/* ---- metrics ---- */

#define BINS 12

/* by pairs of rows */
static double
slow_auc(const double *count)
{
	double		right = 0;
	double		pairs = 0;

	for (int b = 0; b < BINS; b++)
		for (int c = 0; c < BINS; c++)
		{
			right += count[BINS + b] * count[c] * (b > c ? 1 : b == c ? 0.5 : 0);
			pairs += count[BINS + b] * count[c];
		}
	return right / pairs;
}

static void
make_counts(double *count)
{
	for (int b = 0; b < BINS; b++)
	{
		count[b] = rint(400 * exp(-(b - 4) * (b - 4) / 8.0));
		count[BINS + b] = rint(150 * exp(-(b - 8) * (b - 8) / 6.0));
	}
}

static void
check_exact(void)
{
	double		count[2 * BINS];
	DpemEvaluateCells cells = {BINS, count, 0};
	DpemStatisticValue v[DPEM_CLASS_METRICS];
	DpemStatisticValue auc;
	double		u[4 * BINS];
	double		above = 0;
	double		hit = 0;
	double		n1 = 0;

	make_counts(count);
	dpem_evaluate_auc(&cells, &auc);
	CHECK_CLOSE(auc.value, slow_auc(count), 5e-3, "auc");
	CHECK(auc.lower == auc.value && auc.upper == auc.value, "no noise, no interval");
	dpem_evaluate_classes(&cells, 7, 6, u, u + 2 * BINS, v);
	for (int b = 0; b < BINS; b++)
	{
		n1 += count[BINS + b];
		hit += b >= 6 ? count[BINS + b] : 0;
		above += b >= 6 ? count[b] + count[BINS + b] : 0;
	}
	CHECK_CLOSE(v[DPEM_METRIC_PRECISION].value, hit / above, 1e-12, "precision");
	CHECK_CLOSE(v[DPEM_METRIC_RECALL].value, hit / n1, 1e-12, "recall");
	CHECK_CLOSE(v[DPEM_METRIC_F1].value, 2 * hit / (above + n1), 1e-12, "f1");
	CHECK_CLOSE(v[DPEM_METRIC_POSITIVES].value, n1, 1e-12, "positives");
}

#define ROUNDS 4000

/* a number of 4000 intervals of 95 % that is outside happens once in 10 million times */
static void
check_share(int covered, const char *what)
{
	CHECK(covered > ROUNDS * 0.95 - 75 && covered < ROUNDS * 0.95 + 75, "%s: %d of %d intervals cover", what, covered, ROUNDS);
}

static void
check_coverage(Rng *rng, double sd)
{
	double		truth[2 * BINS];
	double		noisy[2 * BINS];
	double		u[4 * BINS];
	DpemStatisticValue exact[DPEM_CLASS_METRICS];
	DpemStatisticValue v[DPEM_CLASS_METRICS];
	int			covered[DPEM_CLASS_METRICS] = {0};

	make_counts(truth);
	dpem_evaluate_classes(&(DpemEvaluateCells) {BINS, truth, 0}, 7, 6, u, u + 2 * BINS, exact);
	for (int round = 0; round < ROUNDS; round++)
	{
		for (int i = 0; i < 2 * BINS; i++)
			noisy[i] = truth[i] + sd * rng_normal(rng);
		dpem_evaluate_classes(&(DpemEvaluateCells) {BINS, noisy, sd}, 7, 6, u, u + 2 * BINS, v);
		for (int m = 0; m < DPEM_CLASS_METRICS; m++)
			covered[m] += v[m].lower <= exact[m].value && exact[m].value <= v[m].upper;
	}
	for (int m = 0; m < DPEM_CLASS_METRICS; m++)
		check_share(covered[m], dpem_class_metric_names[m]);
}

static void
check_residuals(Rng *rng)
{
	double		truth[BINS * 4];
	double		noisy[BINS * 4];
	DpemEvaluateCells exact = {BINS * 4, truth, 0};
	DpemStatisticValue q;
	DpemStatisticValue v;
	int			covered = 0;

	for (int b = 0; b < BINS * 4; b++)
		truth[b] = rint(5000 * exp(-pow(dpem_evaluate_middle(BINS * 4, b, 4), 2) / 2));
	dpem_evaluate_residual_quantile(&exact, 4, 0.9, &q);
	CHECK(fabs(q.value - 1.645) < 0.02, "the 0.9 quantile of a standard normal is %g", q.value);
	for (int round = 0; round < ROUNDS; round++)
	{
		for (int b = 0; b < BINS * 4; b++)
			noisy[b] = truth[b] + 60 * rng_normal(rng);
		dpem_evaluate_residual_quantile(&(DpemEvaluateCells) {BINS * 4, noisy, 60}, 4, 0.9, &v);
		covered += v.lower <= q.value && q.value <= v.upper;
	}
	/* ends on a grid cover a little more */
	CHECK(covered > ROUNDS * 0.95 - 75 && covered < ROUNDS * 0.985, "quantile: %d of %d intervals cover", covered, ROUNDS);
}

/*
 * Nine of ten residuals next to 0, the tenth far out and none between, where the 0.9 quantile may be anywhere: the first place at which
 * noise certainly has enough rows is before it in 12 of 100 releases, the last one in 2.5.
 */
static void
check_residuals_apart(Rng *rng)
{
	double		truth[BINS * 4] = {0};
	double		noisy[BINS * 4];
	DpemStatisticValue exact;
	DpemStatisticValue v;
	int			covered = 0;

	truth[BINS * 2 - 1] = truth[BINS * 2] = 445;
	truth[1] = truth[BINS * 4 - 2] = 55;
	dpem_evaluate_residual_quantile(&(DpemEvaluateCells) {BINS * 4, truth, 0}, 1, 0.9, &exact);
	CHECK(exact.value > 0.9 && exact.lower == exact.value && exact.upper == exact.value, "quantile %g of residuals apart", exact.value);
	for (int round = 0; round < ROUNDS; round++)
	{
		for (int b = 0; b < BINS * 4; b++)
			noisy[b] = truth[b] + 60 * rng_normal(rng);
		dpem_evaluate_residual_quantile(&(DpemEvaluateCells) {BINS * 4, noisy, 60}, 1, 0.9, &v);
		CHECK(v.lower <= v.value && v.value <= v.upper, "%g in %g to %g", v.value, v.lower, v.upper);
		covered += v.lower <= exact.value && exact.value <= v.upper;
	}
	CHECK(covered > ROUNDS * 0.95 - 75, "quantile of residuals apart: %d of %d intervals cover", covered, ROUNDS);
}

static void
check_r2(Rng *rng)
{
	DpemEvaluateSums truth = {2000, 0, {-1600, 0, 300, -1000}, 0, {8, 0, 0, 50}, {8, 0, 10, 50}};
	double		sse = 8 * 2000.0 - 8 * 1600.0;
	double		sst = 50 * 2000.0 - 50 * 1000.0 - 10 * 10 * 300.0 * 300.0 / 2000;
	DpemStatisticValue v;
	int			covered = 0;

	dpem_evaluate_r2(&truth, &v);
	CHECK_CLOSE(v.value, 1 - sse / sst, 1e-12, "r2");
	for (int round = 0; round < ROUNDS; round++)
	{
		DpemEvaluateSums noisy = truth;

		noisy.n_sd = 12;
		noisy.s_sd = 25;
		noisy.n += noisy.n_sd * rng_normal(rng);
		for (int i = 0; i < 4; i++)
			noisy.s[i] += noisy.s_sd * rng_normal(rng);
		dpem_evaluate_r2(&noisy, &v);
		covered += v.lower <= 1 - sse / sst && 1 - sse / sst <= v.upper;
	}
	check_share(covered, "r2");
}

/* few rows under much noise: 11 of 100 intervals were short ones about anything, values hundreds below 0 */
static void
check_r2_unknown(Rng *rng, double rows, double sd)
{
	DpemEvaluateSums truth = {rows, 0, {-0.7 * rows, 0, 0.1 * rows, -0.8 * rows}, 0, {0.5, 0, 0, 0.5}, {0.5, 0, 1, 0.5}};
	DpemStatisticValue exact;
	DpemStatisticValue v;
	int			covered = 0;

	dpem_evaluate_r2(&truth, &exact);
	for (int round = 0; round < ROUNDS; round++)
	{
		DpemEvaluateSums noisy = truth;

		noisy.n_sd = 0.6 * sd;
		noisy.s_sd = sd;
		noisy.n += noisy.n_sd * rng_normal(rng);
		for (int i = 0; i < 4; i++)
			noisy.s[i] += sd * rng_normal(rng);
		dpem_evaluate_r2(&noisy, &v);
		covered += v.lower <= exact.value && exact.value <= v.upper;
		CHECK(v.lower <= v.value && v.value <= v.upper, "r2 of %g in %g to %g", v.value, v.lower, v.upper);
		CHECK(v.lower > -INFINITY || v.value >= fmin(v.upper, 0), "r2 of %g from minus infinity to %g", v.value, v.upper);
	}
	CHECK(covered > ROUNDS * 0.95 - 75, "r2 of %g rows: %d of %d intervals cover", rows, covered, ROUNDS);
}

int
main(void)
{
	Rng			rng = {2026};

	CHECK(dpem_kernel_evaluate.theta_check(&(DpemMomentLayout) {2, 1, DPEM_COUNTS_ALONE}, (double[]) {2, 0, 0}, 3) == 0, "nobody knows models");
	dpem_make_row_scorer = make;
	for (int d = 1; d <= MOST_D; d++)
	{
		check_kernel(&rng, &dpem_kernel_evaluate, d, 1 + d * 3, 0, DPEM_FINE_BITS);
		check_kernel(&rng, &dpem_kernel_class_evaluate, d, 1 + d * 3, 0, DPEM_FINE_BITS);
		for (int values = 1; values <= DPEM_EVALUATE_MOST_VALUES && values <= d; values++)
		{
			check_kernel(&rng, &dpem_kernel_evaluate, d, 0, values, Q);
			check_kernel(&rng, &dpem_kernel_evaluate, d, 0, values, DPEM_FINE_BITS);
		}
	}
	check_parameters();
	check_exact();
	check_coverage(&rng, 3);
	check_coverage(&rng, 15);
	check_residuals(&rng);
	check_residuals_apart(&rng);
	check_r2(&rng);
	check_r2_unknown(&rng, 20, 300);
	check_r2_unknown(&rng, 100, 300);
	check_r2_unknown(&rng, 1000, 60);
	return unit_report();
}
