/*
 * test_classes.c - gradients of linear classifiers and Fourier features: what a row adds is the product
 * of two vectors of the unit ball, exactly, depends on that row alone, and no two rows move
 * the sum further than declared (docs/proofs.md, 23).
 */
#include "core/accounting/sensitivity.h"
#include "core/kernels/logit_kernel.h"
#include "core/kernels/kernel.h"
#include "core/pass/fourier.h"
#include "kernel_fixture.h"

#define ROWS 200
#define MOST 30

static double
label_of(Rng *rng, int problems)
{
	return problems == 1 ? rng_below(rng, 2) * 2 - 1 : 1 + rng_below(rng, problems);
}

static double *
coefficients(Rng *rng, int problems, int d, DpemMarginLoss loss, double size)
{
	double	   *theta = uniforms(rng, DPEM_CLASS_HEAD + (size_t) problems * d, -size, size);

	dpem_class_write(&loss, 1, rng_below(rng, 2) * 0.6, theta);
	return theta;
}

static double
slopes_norm2(const Work *w, int row)
{
	double		norm2 = 0;

	for (int k = 0; k < w->k; k++)
		norm2 += w->r[(size_t) k * DPEM_BLOCK_STRIDE + row] * w->r[(size_t) k * DPEM_BLOCK_STRIDE + row];
	return norm2;
}

/* integers of norm 2^p at most, of their row alone, whatever the coefficients */
static void
check_gradients(Rng *rng, int problems, int d, DpemMarginLoss loss, double size)
{
	Work		w = work_make(d, problems);
	Work		alone = work_make(d, problems);
	double	   *theta = coefficients(rng, problems, d, loss, size);
	double		label[DPEM_BLOCK_STRIDE];
	double		one[DPEM_BLOCK_STRIDE] = {0};
	int			bad = 0;

	fill_features(rng, &w, ROWS, Q);
	for (int row = 0; row < ROWS; row++)
		label[row] = label_of(rng, problems);
	w.block.keep[7] = 0;
	label[7] = NAN;
	label[9] = problems + 1.5;
	w.block.label = label;
	alone.block.label = one;
	dpem_class_gradient_respond(problems, theta, &w.block, Q, P, w.r);
	for (int row = 0; row < ROWS; row++)
	{
		alone.block.rows = 1;
		copy_row(&w, row, &alone, 0);
		alone.block.keep[0] = row != 7;
		one[0] = label[row];
		dpem_class_gradient_respond(problems, theta, &alone.block, Q, P, alone.r);
		bad += !(slopes_norm2(&w, row) <= ldexp(1, 2 * P)) || ((row == 7 || row == 9) && slopes_norm2(&w, row) != 0);
		for (int k = 0; k < problems; k++)
			bad += w.r[(size_t) k * DPEM_BLOCK_STRIDE + row] != rint(w.r[(size_t) k * DPEM_BLOCK_STRIDE + row]) ||
				alone.r[(size_t) k * DPEM_BLOCK_STRIDE] != w.r[(size_t) k * DPEM_BLOCK_STRIDE + row];
	}
	CHECK(bad == 0, "%d problems, d %d, loss %d, size %g: %d rows beyond the ball, or not their own", problems, d, loss.kind,
		  size, bad);
	free(theta);
	work_free(&w);
	work_free(&alone);
}

/* of one problem the kernel is the loss's slope, times the sign, for rows as long as their constant tells; of class sums the row's class */
static void
check_values(Rng *rng, DpemMarginLoss loss, double whole)
{
	Work		w = work_make(1, 1);
	double		theta[] = {0, 0, 0, 0, 2.5};
	double		label[DPEM_BLOCK_STRIDE];
	double		worst = 0;

	dpem_class_write(&loss, 1, whole, theta);
	fill_features(rng, &w, ROWS, Q);
	for (int row = 0; row < ROWS; row++)
		label[row] = label_of(rng, 1);
	w.block.label = label;
	dpem_class_gradient_respond(1, theta, &w.block, Q, P, w.r);
	for (int row = 0; row < ROWS; row++)
	{
		double		x = ldexp(w.block.x[row], -Q);
		double		z = label[row] * 2.5 * x * fmax(1, fmin(whole / fabs(x), DPEM_MOST_STRETCH));
		double		slope = loss.kind == DPEM_LOSS_NONE ? 1
			: (dpem_loss_value(&loss, z - 1e-6) - dpem_loss_value(&loss, z + 1e-6)) / 2e-6;

		worst = fmax(worst, fabs(ldexp(w.r[row], -P) - label[row] * slope));
	}
	CHECK(worst < 1e-5, "loss %d: slopes off by %g", loss.kind, worst);
	work_free(&w);
}

/* ---- sensitivity ------------------------------------------------------------- */

static void
fill_vector(Rng *rng, int n, const double *near, double size, double *x)
{
	double		norm2 = 0;

	for (int i = 0; i < n; i++)
	{
		x[i] = (near ? near[i] : 0) + size * rng_normal(rng);
		norm2 += x[i] * x[i];
	}
	for (int i = 0; i < n && norm2 > 1; i++)
		x[i] /= sqrt(norm2);
}

/* |a x' - b y'|^2 for vectors of the unit balls: the first n numbers a, b, the next d x, y */
static double
moved2(const double *first, const double *second, int n, int d)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < d; j++)
			sum += pow(first[i] * first[n + j] - second[i] * second[n + j], 2);
	return sum;
}

static void
check_sensitivity(Rng *rng, int n, int d)
{
	double		limit2 = dpem_gradient_sensitivity2(1, 0, true);
	double		found = 0;

	for (int start = 0; start < 20; start++)
	{
		double		best[2][MOST];
		double		most = -1;

		for (int step = 0; step < 2000; step++)
		{
			double		next[2][MOST];

			for (int side = 0; side < 2; side++)
			{
				fill_vector(rng, n, step ? best[side] : NULL, pow(0.997, step), next[side]);
				fill_vector(rng, d, step ? best[side] + n : NULL, pow(0.997, step), next[side] + n);
			}
			if (moved2(next[0], next[1], n, d) <= most)
				continue;
			most = moved2(next[0], next[1], n, d);
			memcpy(best, next, sizeof(best));
		}
		found = fmax(found, most);
	}
	CHECK(found <= limit2 && found >= 0.98 * limit2, "%d x %d: moved %g of %g", n, d, sqrt(found), sqrt(limit2));
}

/* ---- Fourier features -------------------------------------------------------- */

static void
fill_raw(Rng *rng, int d, double *x, double *keep)
{
	for (int row = 0; row < DPEM_BLOCK_STRIDE; row++)
	{
		keep[row] = 1;
		for (int j = 0; j < d; j++)
			x[(size_t) j * DPEM_BLOCK_STRIDE + row] = rng_uniform(rng, -3, 3);
	}
}

/* every clone: unit vectors, exactly, as one point has them, and coordinates that stay what they were */
static void
check_fourier(Rng *rng, DpemClone clone, int d, int waves, int pairs, int bits)
{
	int			n = 2 * pairs + d - waves;
	double		lower[MOST];
	double		upper[MOST];
	double	   *frequency = numbers((size_t) pairs * waves);
	double	   *x = numbers((size_t) (n + d) * DPEM_BLOCK_STRIDE);
	double	   *raw = numbers((size_t) d * DPEM_BLOCK_STRIDE);
	double	   *point = numbers(2 * pairs);
	double		keep[DPEM_BLOCK_STRIDE];
	DpemBlock	block = {.rows = ROWS,.d = d,.x = x,.keep = keep};
	DpemFeatureMap map = {
		.d = d,.bits = bits,.radius = sqrt(1 + 9.0 * (d - waves)),.lower = lower,.upper = upper,.pairs = pairs,.waves = waves,
			.frequency = frequency
	};
	double	   *scratch;
	double		worst = 0;
	int			bad = 0;

	for (int j = 0; j < d; j++)
	{
		lower[j] = -1;
		upper[j] = 1;
	}
	dpem_fourier_frequencies(7, pairs, waves, 0.4, frequency);
	scratch = numbers(dpem_features_scratch(&map));
	fill_raw(rng, d, x, keep);
	memcpy(raw, x, (size_t) d * DPEM_BLOCK_STRIDE * sizeof(double));
	dpem_features_apply_clone(clone, &map, &block, scratch);
	CHECK(block.d == n && dpem_features_dimension(&map) == n, "%d numbers", block.d);
	for (int row = 0; row < ROWS; row++)
	{
		double		y[MOST];
		double		norm2 = 0;

		for (int j = 0; j < d; j++)
			y[j] = fmin(fmax(raw[(size_t) j * DPEM_BLOCK_STRIDE + row], -1), 1);
		dpem_fourier_point(pairs, waves, frequency, y, point);
		for (int j = 0; j < n; j++)
		{
			double		value = x[(size_t) j * DPEM_BLOCK_STRIDE + row];
			double		expected = (j < 2 * pairs ? point[j] : y[waves + j - 2 * pairs]) / map.radius;

			norm2 += value * value;
			worst = fmax(worst, fabs(ldexp(value, -bits) - expected));
			bad += bits > 0 && value != rint(value);
		}
		bad += bits > 0 ? !(norm2 <= ldexp(1, 2 * bits)) : !(norm2 <= 1 + 1e-12);
	}
	CHECK(bad == 0, "clone %d, d %d of %d, %d pairs: %d features beyond the ball", clone, waves, d, pairs, bad);
	CHECK(worst < (bits > 0 ? 3e-3 : 1e-12), "clone %d, d %d of %d, %d pairs: off by %g", clone, waves, d, pairs, worst);
	free(frequency);
	free(x);
	free(raw);
	free(point);
	free(scratch);
}

/* inner products approach the Gaussian kernel: deviations of 1 / sqrt(2 pairs) at most, eight of them by a chance of 1e-14 */
static void
check_kernel_value(void)
{
	enum
	{
		PAIRS = 2000, D = 3
	};
	static double frequency[PAIRS * D];
	static double a[2 * PAIRS];
	static double b[2 * PAIRS];
	const double x[D] = {0.1, -0.4, 0.8};
	const double y[D] = {-0.5, 0.2, 0.3};
	double		square = 0;
	double		product = 0;

	dpem_fourier_frequencies(1, PAIRS, D, 0.7, frequency);
	dpem_fourier_point(PAIRS, D, frequency, x, a);
	dpem_fourier_point(PAIRS, D, frequency, y, b);
	for (int j = 0; j < D; j++)
		square += (x[j] - y[j]) * (x[j] - y[j]);
	for (int i = 0; i < 2 * PAIRS; i++)
		product += a[i] * b[i];
	CHECK(fabs(product - exp(-square / (2 * 0.7 * 0.7))) < 8 / sqrt(2.0 * PAIRS), "kernel %g, not %g", product,
		  exp(-square / (2 * 0.7 * 0.7)));
}

/* of several problems together: what the log of the row's class's probability rises by, and no probability where a score is no number */
static void
check_multinomial(Rng *rng, int classes)
{
	static const DpemMarginLoss loss = {DPEM_LOSS_MULTINOMIAL, 1};
	Work		w = work_make(4, classes);
	double	   *theta = coefficients(rng, classes, 4, loss, 3);
	double		label[DPEM_BLOCK_STRIDE];
	double		worst = 0;

	dpem_class_write(&loss, M_SQRT2, 0, theta);
	fill_features(rng, &w, ROWS, Q);
	for (int row = 0; row < ROWS; row++)
		label[row] = label_of(rng, classes);
	w.block.label = label;
	dpem_class_gradient_respond(classes, theta, &w.block, Q, 0, w.r);
	for (int row = 0; row < ROWS; row++)
	{
		double		score[MOST];
		double		sum = 0;

		for (int k = 0; k < classes; k++)
		{
			score[k] = 0;
			for (int j = 0; j < 4; j++)
				score[k] += theta[DPEM_CLASS_HEAD + k * 4 + j] * ldexp(w.block.x[(size_t) j * DPEM_BLOCK_STRIDE + row], -Q);
			sum += exp(score[k]);
		}
		for (int k = 0; k < classes; k++)
			worst = fmax(worst, fabs(w.r[(size_t) k * DPEM_BLOCK_STRIDE + row] * M_SQRT2 - (label[row] == k + 1) + exp(score[k]) / sum));
	}
	CHECK(worst < 1e-12, "%d classes: slopes off by %g", classes, worst);
	theta[DPEM_CLASS_HEAD + 1] = NAN;
	dpem_class_gradient_respond(classes, theta, &w.block, Q, P, w.r);
	for (int row = 0; row < ROWS; row++)
		worst = fmax(worst, slopes_norm2(&w, row));
	CHECK(worst < 1e-12, "a score that is no number: %g", worst);
	free(theta);
	work_free(&w);
}

static void
check_valid(void)
{
	static const DpemMarginLoss loss = {DPEM_LOSS_MULTINOMIAL, 1};
	const DpemMomentLayout layouts[] = {{1, 2, DPEM_SECOND_NONE}, {2, 2, DPEM_SECOND_NONE}, {3, 2, DPEM_SECOND_NONE}};
	double		theta[DPEM_CLASS_HEAD + 6] = {0};

	dpem_class_write(&loss, 1, 0, theta);
	CHECK(!dpem_class_gradient_valid(&layouts[0], theta) && !dpem_class_gradient_valid(&layouts[1], theta) && dpem_class_gradient_valid(&layouts[2], theta),
		  "a multinomial loss is of three classes or more");
	CHECK(!dpem_class_curvature_valid(&layouts[0], theta), "it has no curvature of one problem");
	dpem_class_write(&loss, 1, 0.5, theta);
	CHECK(dpem_class_gradient_valid(&layouts[2], theta), "rows may be longer than they are");
	dpem_class_write(&loss, 1, -0.5, theta);
	CHECK(!dpem_class_gradient_valid(&layouts[2], theta), "but not by less than nothing");
}

int
main(void)
{
	static const DpemMarginLoss losses[] = {{DPEM_LOSS_NONE, 1}, {DPEM_LOSS_LOGISTIC, 1}, {DPEM_LOSS_HINGE, 0.5}, {DPEM_LOSS_HINGE, 20}};
	Rng			rng = {19981224};

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
	{
		check_values(&rng, losses[i], 0);
		check_values(&rng, losses[i], 0.7);
		for (int problems = 1; problems <= 26; problems += problems == 1 ? 2 : 23)
			for (int size = 0; size <= 300; size += 100)
				check_gradients(&rng, problems, 5, losses[i], pow(10, size));
	}
	for (int size = 0; size <= 300; size += 100)
	{
		check_gradients(&rng, 3, 5, (DpemMarginLoss) {DPEM_LOSS_MULTINOMIAL, 1}, pow(10, size));
		check_gradients(&rng, 26, 5, (DpemMarginLoss) {DPEM_LOSS_MULTINOMIAL, 1}, pow(10, size));
	}
	check_multinomial(&rng, 3);
	check_multinomial(&rng, 26);
	check_valid();
	check_sensitivity(&rng, 1, 2);
	check_sensitivity(&rng, 3, 3);
	for (int clone = 0; clone < DPEM_CLONES; clone++)
		for (int waves = 1; dpem_clone_runs((DpemClone) clone) && waves <= 4; waves++)
		{
			check_fourier(&rng, (DpemClone) clone, 4, waves, 3 * waves, 0);
			check_fourier(&rng, (DpemClone) clone, 4, waves, 40, Q);
		}
	check_kernel_value();
	CHECK(dpem_kernel_from_code(17) == &dpem_kernel_class_gradient && dpem_kernel_from_code(18) == &dpem_kernel_class_curvature, "codes");
	return unit_report();
}
