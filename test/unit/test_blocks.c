/*
 * test_blocks.c - sample-and-aggregate: what one row does to the sum of the
 * blocks' outputs (docs/proofs.md), of k-means and of least squares.
 */
#include "core/accounting/sensitivity.h"
#include "core/kernels/block_means.h"
#include "core/kernels/kernel.h"
#include "core/pass/features.h"
#include "kmeans_fixture.h"
#include "unit.h"

#define Q DPEM_FEATURE_BITS
#define P DPEM_RESPONSIBILITY_BITS
#define MOST (5 * 6)

static DpemPublicRandom rng = {12};

static double
uniform(double lower, double upper)
{
	return lower + (upper - lower) * dpem_public_uniform(&rng);
}

static void
test_steps(void)
{
	const double x[] = {1, 1, 3, 1, -8, 0, -6, 0};
	double		center[] = {5, 5, -5, 0};
	DpemWorkspace work = kmeans_workspace(dpem_block_means_work(2, 2));

	dpem_block_means(4, x, 2, 2, 10, center, work);
	CHECK(center[0] == 2 && center[1] == 1 && center[2] == -7 && center[3] == 0, "two clusters");
	dpem_block_means(0, x, 2, 2, 10, center, work);
	CHECK(center[0] == 2 && center[3] == 0, "an empty block leaves the start");
	free(work.next);
}

static void
test_count(void)
{
	CHECK(dpem_block_count(1e5) == 100, "%d", dpem_block_count(1e5));
	CHECK(dpem_block_count(0) == 1 && dpem_block_count(-5) == 1, "no rows");
	CHECK(dpem_block_count(1e300) == DPEM_BLOCKS_MAX, "the most");
}

/* towards zero; whatever is not in the ball is left out */
static void
test_rounding(void)
{
	const double unit = 1 << Q;
	const double center[] = {0.9, -1.9, unit, 0, unit, 1, -unit - 0.5, 0, NAN, 3, INFINITY, 1, 1e300, -1e300};
	DpemInt128	total[7 * 3] = {0};
	const int64_t expected[14] = {0, -1, 1 << Q};

	dpem_block_output_exact(7, 2, center, Q, P, total);
	for (int i = 0; i < 14; i++)
		CHECK(total[i / 2 * 3 + 1 + i % 2] == (DpemInt128) expected[i] * (1 << P), "number %d", i);
	for (int i = 0; i < 7; i++)
		CHECK(total[i * 3] == 0, "counts are nobody's business");
}

static double
norm(const DpemInt128 *a, const DpemInt128 *b, int n, bool l1)
{
	double		total = 0;

	for (int i = 0; i < n; i++)
	{
		double		off = ldexp((double) (a[i] - b[i]), -P - Q);

		total += l1 ? fabs(off) : off * off;
	}
	return l1 ? total : sqrt(total);
}

/* points near, on and beyond the sphere, along an axis or the diagonal */
static void
adversarial(int k, int d, int kind, double *center)
{
	for (int i = 0; i < k; i++, center += d)
	{
		double		square = 0;

		for (int j = 0; j < d; j++)
		{
			center[j] = kind == 0 ? j == 0 : kind == 1 ? 1 : uniform(-1, 1);
			square += center[j] * center[j];
		}
		for (int j = 0; j < d; j++)
			center[j] *= (1 << Q) / sqrt(square) * (kind < 2 ? 1 : uniform(0.9, 1.001));
	}
}

/* two outputs of a block, searched for a pair further apart than the bound */
static void
test_sensitivity(int k, int d)
{
	double		worst[2] = {0};

	for (int trial = 0; trial < 3000; trial++)
	{
		DpemInt128	one[5 * 7] = {0};
		DpemInt128	two[5 * 7] = {0};
		double		a[MOST];
		double		b[MOST];

		adversarial(k, d, trial % 4, a);
		adversarial(k, d, trial % 3, b);
		for (int i = 0; i < k * d && trial % 5 > 0; i++)
			b[i] = -a[i];
		dpem_block_output_exact(k, d, a, Q, P, one);
		dpem_block_output_exact(k, d, b, Q, P, two);
		for (int l1 = 0; l1 < 2; l1++)
			worst[l1] = fmax(worst[l1], norm(one, two, k * (1 + d), l1));
	}
	for (int l1 = 0; l1 < 2; l1++)
	{
		double		bound = dpem_block_sensitivity(k, d, l1);

		CHECK(worst[l1] <= bound, "k %d d %d L%d: %.12g, bound %.12g", k, d, 2 - l1, worst[l1], bound);
		CHECK(worst[l1] >= 0.99 * bound, "k %d d %d L%d: the search reached %g of %g", k, d, 2 - l1,
			  worst[l1], bound);
	}
}

/* sum of the outputs of all blocks; row i is in block[i], -1 for a row that is not there */
static void
aggregate(const double *x, const int *block, int n, int blocks, const double *start, int k, int d,
		  DpemInt128 *total)
{
	double	   *member = kmeans_allocate((size_t) n * d);
	double	   *center = kmeans_allocate((size_t) k * d);
	DpemWorkspace work = kmeans_workspace(dpem_block_means_work(k, d));

	memset(total, 0, (size_t) k * (1 + d) * sizeof(DpemInt128));
	for (int b = 0; b < blocks; b++)
	{
		size_t		members = 0;

		for (int i = 0; i < n; i++)
			if (block[i] == b)
				memcpy(member + d * members++, x + i * d, d * sizeof(double));
		memcpy(center, start, (size_t) k * d * sizeof(double));
		dpem_block_means(members, member, k, d, 10, center, work);
		dpem_block_output_exact(k, d, center, Q, P, total);
	}
	free(member);
	free(center);
	free(work.next);
}

/* a row replaced by any other, or removed, while all others stay in their blocks */
static void
test_neighbours(void)
{
	enum
	{
		k = 3, d = 2, n = 120, blocks = 7
	};
	double		x[n * d];
	int			block[n];
	double		start[k * d];
	DpemInt128	before[k * (1 + d)];
	DpemInt128	after[k * (1 + d)];
	bool		held = true;

	for (int trial = 0; trial < 300; trial++)
	{
		int			row = (int) dpem_public_index(&rng, n);

		for (int i = 0; i < n * d; i++)
			x[i] = rint((1 << Q) * uniform(-0.7, 0.7));
		for (int i = 0; i < n; i++)
			block[i] = (int) dpem_public_index(&rng, blocks);
		adversarial(k, d, 3, start);
		aggregate(x, block, n, blocks, start, k, d, before);
		if (trial % 2)
			block[row] = -1;
		else
			adversarial(1, d, trial % 4, x + row * d);
		aggregate(x, block, n, blocks, start, k, d, after);
		held &= norm(before, after, k * (1 + d), false) <= dpem_block_sensitivity(k, d, false) &&
			norm(before, after, k * (1 + d), true) <= dpem_block_sensitivity(k, d, true);
	}
	CHECK(held, "a row moved more than one block's output");
}

/* rows of y = 0.5 x - 0.25 z + 0.125, in integers, and coefficients about (0.5, 0, 0) */
static void
test_regression(void)
{
	enum
	{
		n = 40, d = 3
	};
	const double unit = 1 << Q;
	double		x[n * d];
	double		out[2 * d] = {0.5 * unit, 0, 0};
	double		one = unit / sqrt(d);
	DpemWorkspace work = kmeans_workspace(dpem_block_regression_work(d));

	for (int i = 0; i < n; i++)
	{
		x[i * d] = 4 * rint(1000 * uniform(-1, 1));
		x[i * d + 1] = 4 * rint(1000 * uniform(-1, 1));
		x[i * d + 2] = 0.5 * x[i * d] - 0.25 * x[i * d + 1] + unit / 8;
	}
	dpem_block_regression(n, x, 2, d, unit, 0.5, out, work);
	/* the ridge of a twentieth takes that part of a slope */
	CHECK(out[0] < 0 && fabs(out[0]) < 0.08 * one && fabs(out[1] + 0.475 * one) < 0.025 * one && fabs(out[2] - 0.25 * sqrt(3) * one) < 0.1 * one,
		  "coefficients: %g %g %g", out[0] / one, out[1] / one, out[2] / one);
	CHECK(out[3] < 0.35 * out[4] && out[4] > 0 && out[5] == 0, "deviations: %g %g", out[3], out[4]);
	memset(out, 0, sizeof(out));
	dpem_block_regression(n, x, 1, d, unit, 0.0625, out, work);
	CHECK(fabs(out[0] / one - 1) < 1e-9 && fabs(out[1] / one + 1) < 1e-9 && fabs(out[2] / one - 1) < 1e-9, "winsorised");
	dpem_block_regression(d, x, 1, d, unit, 0.125, out, work);
	CHECK(out[0] == 0 && out[1] == 0 && out[2] == 0, "too few rows");
	free(work.next);
}

/* any rows whatever, collinear and constant ones among them: outputs stay in the ball, so that none is left out */
static void
test_regression_in_ball(int d)
{
	double		x[20 * 6];
	double		worst = 0;
	DpemWorkspace work = kmeans_workspace(dpem_block_regression_work(d));

	for (int trial = 0; trial < 3000; trial++)
	{
		int			n = (int) dpem_public_index(&rng, 20);
		double		out[2 * 6] = {0};

		for (int i = 0; i < n * d; i++)
			x[i] = trial % 3 == 0 && i % d > 0 ? x[i - 1] : trial % 5 == 0 ? 7 : rint((1 << Q) / sqrt(d) * uniform(-1, 1));
		dpem_block_regression(n, x, 2, d, 1 << Q, trial % 2 ? 1e-6 : 2, out, work);
		for (int point = 0; point < 2; point++)
		{
			double		square = 0;

			for (int j = 0; j < d; j++)
				square += out[point * d + j] * out[point * d + j];
			worst = fmax(worst, isfinite(square) ? sqrt(square) / (1 << Q) : INFINITY);
		}
	}
	CHECK(worst <= 1 && worst > 0.99, "outputs of norm up to %.17g", worst);
	free(work.next);
}

static void
test_task(void)
{
	const double start[] = {0.1, 0.2, 0.3, 0.4};
	DpemBlockTask task = {.blocks = 9,.steps = 3,.capacity = 1e6,.reach = 0.5,.start = start};
	DpemBlockTask back;
	DpemMomentLayout layout = {2, 2, DPEM_SECOND_NONE};
	double		theta[DPEM_BLOCK_TASK_HEAD + 4];

	dpem_block_task_write(&task, 4, theta);
	dpem_block_task_read(theta, &back);
	CHECK(back.blocks == 9 && back.steps == 3 && back.capacity == 1e6 && back.reach == 0.5 && back.start[3] == 0.4, "task");
	CHECK(dpem_kernel_theta_length(&dpem_kernel_blocks, &layout, theta, DPEM_BLOCK_TASK_HEAD + 4) == DPEM_BLOCK_TASK_HEAD + 4, "length");
	CHECK(dpem_kernel_blocks.theta_valid(&layout, theta), "valid");
	for (int i = 0; i < 3; i++)
	{
		const double bad[] = {0, -1, 2.5, NAN, 1e19};

		for (size_t b = 0; b < sizeof(bad) / sizeof(bad[0]); b++)
		{
			dpem_block_task_write(&task, 4, theta);
			theta[i] = bad[b];
			CHECK(!dpem_kernel_blocks.theta_valid(&layout, theta), "number %d is %g", i, bad[b]);
		}
	}
	for (size_t b = 0; b < 3; b++)
	{
		const double bad[] = {-1, NAN, INFINITY};

		dpem_block_task_write(&task, 4, theta);
		theta[3] = bad[b];
		CHECK(!dpem_kernel_blocks.theta_valid(&layout, theta), "a reach of %g", bad[b]);
	}
	layout.k = 3;
	dpem_block_task_write(&task, 4, theta);
	CHECK(!dpem_kernel_blocks.theta_valid(&layout, theta), "least squares have two points");
}

int
main(void)
{
	test_steps();
	test_count();
	test_rounding();
	test_sensitivity(1, 1);
	test_sensitivity(2, 3);
	test_sensitivity(5, 6);
	test_neighbours();
	test_regression();
	test_regression_in_ball(2);
	test_regression_in_ball(6);
	test_task();
	return unit_report();
}
