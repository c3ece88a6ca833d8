/*
 * test_projection.c - projections are integers in the ball, depend on their
 * row alone, and move sum x y' no further than declared (docs/proofs.md, 11).
 */
#include "core/accounting/sensitivity.h"
#include "core/factors/pca.h"
#include "core/kernels/kernel.h"
#include "core/kernels/projection.h"
#include "kernel_fixture.h"

#define MOST_D 40

static void
random_directions(Rng *rng, int k, int d, double *q)
{
	for (int i = 0; i < k * d; i++)
		q[i] = rng_normal(rng);
	dpem_pca_orthonormalize(k, d, q);
}

/* rows of real numbers (n <= 512) as features and projections of a block */
static void
apply(Work *w, int n, const double *x, const double *q)
{
	double		lower[MOST_D];
	double		upper[MOST_D];
	DpemFeatureMap map = {.d = w->d,.bits = Q,.radius = 1,.lower = lower,.upper = upper};
	DpemMomentLayout layout = {w->k, w->d, DPEM_SECOND_NONE};

	w->block.rows = n;
	for (int j = 0; j < w->d; j++)
	{
		lower[j] = -1;
		upper[j] = 1;
		for (int row = 0; row < n; row++)
			w->block.x[j * DPEM_BLOCK_STRIDE + row] = x[row * w->d + j];
	}
	for (int row = 0; row < n; row++)
		w->block.keep[row] = 1;
	dpem_features_apply(&map, &w->block, w->scratch);
	dpem_kernel_projection.respond(&layout, q, &w->block, Q, P, w->r, w->scratch);
}

/* squared norm of the difference of rows a and b's x y', in units of the ball; b < 0: of a alone */
static double
moved2(const Work *w, int a, int b)
{
	double		sum = 0;

	for (int i = 0; i < w->k; i++)
		for (int j = 0; j < w->d; j++)
		{
			const double *x = w->block.x + j * DPEM_BLOCK_STRIDE;
			const double *y = w->r + i * DPEM_BLOCK_STRIDE;
			double		change = x[a] * y[a] - (b >= 0 ? x[b] * y[b] : 0);

			sum += change * change;
		}
	return ldexp(sum, -2 * (P + Q));
}

/* a climber: pairs of rows, each step a block of candidates around the best pair */
static double
search(Rng *rng, int k, int d)
{
	Work		w = work_make(d, k);
	double		q[MOST_D * MOST_D];
	double		x[2 * 64 * MOST_D];
	double		best[2 * MOST_D] = {0};
	double		worst2 = 0;

	random_directions(rng, k, d, q);
	for (int step = 0; step < 300; step++)
	{
		double		size = step < 20 ? 2 : 2 * pow(0.98, step);
		int			found = -1;

		for (int i = 0; i < 2 * 64 * d; i++)
		{
			x[i] = best[i % (2 * d)] + size * rng_normal(rng) / sqrt(d);
			/* half of the starts lie in the directions' span, where projections are long */
			if (step < 20 && i / d % 2 == 0)
				x[i] = q[(i / d) / 2 % k * d + i % d];
		}
		apply(&w, 128, x, q);
		for (int pair = 0; pair < 64; pair++)
		{
			double		now = moved2(&w, 2 * pair, 2 * pair + 1);

			CHECK(moved2(&w, 2 * pair, -1) <= dpem_projection_sensitivity2(false),
				  "k %d d %d: one row alone moves the sum by %.12f", k, d, sqrt(moved2(&w, 2 * pair, -1)));
			if (now > worst2)
			{
				worst2 = now;
				found = pair;
			}
		}
		if (found >= 0)
			memcpy(best, x + (size_t) 2 * found * d, 2 * d * sizeof(double));
	}
	work_free(&w);
	return worst2;
}

/* orthogonal rows on the sphere and in the span: the bound is attained */
static double
attained(Rng *rng, int k, int d)
{
	Work		w = work_make(d, k);
	double		q[MOST_D * MOST_D];
	double		worst2;

	random_directions(rng, k, d, q);
	apply(&w, 2, q, q);
	worst2 = moved2(&w, 0, 1);
	work_free(&w);
	return worst2;
}

static void
check_sensitivity(Rng *rng, int k, int d)
{
	double		limit2 = dpem_projection_sensitivity2(true);
	double		worst2 = search(rng, k, d);

	CHECK(worst2 <= limit2, "k %d d %d: moved %.12f, bound %.12f", k, d, sqrt(worst2), sqrt(limit2));
	if (k < 2)
		return;
	worst2 = attained(rng, k, d);
	CHECK(worst2 <= limit2 && worst2 >= limit2 * 0.99, "k %d d %d: orthogonal rows move it by %.9f", k, d, sqrt(worst2));
}

/* integers, |y| <= 1, close to Q x, the same wherever the row stands */
static void
check_values(Rng *rng, int k, int d)
{
	Work		w = work_make(d, k);
	Work		alone = work_make(d, k);
	double		q[MOST_D * MOST_D];
	double		x[64 * MOST_D];
	double		worst = 0;

	random_directions(rng, k, d, q);
	for (int i = 0; i < 64 * d; i++)
		x[i] = rng_normal(rng);
	x[3 * d] = NAN;
	apply(&w, 64, x, q);
	for (int row = 0; row < 64; row++)
	{
		double		square = 0;
		bool		same = true;

		apply(&alone, 1, x + row * d, q);
		for (int i = 0; i < k; i++)
		{
			double		y = w.r[i * DPEM_BLOCK_STRIDE + row];
			double		exact = 0;

			for (int j = 0; j < d; j++)
				exact += q[i * d + j] * w.block.x[j * DPEM_BLOCK_STRIDE + row];
			worst = fmax(worst, fabs(ldexp(y, -P) - ldexp(exact, -Q) * dpem_projection_scale(k, P)));
			square += y * y;
			same &= y == rint(y) && y == alone.r[i * DPEM_BLOCK_STRIDE];
		}
		CHECK(square <= 0x1p36 && same, "k %d d %d row %d: projections of norm %g", k, d, row, sqrt(square));
		CHECK((row == 3) == (square == 0), "k %d d %d: row %d is null or not", k, d, row);
	}
	CHECK(worst <= 0x1p-19 * (1 + 1e-6), "k %d d %d: projections are off by %g", k, d, worst);
	work_free(&w);
	work_free(&alone);
}

/* theta that is not orthonormal is refused */
static void
check_theta(Rng *rng)
{
	DpemMomentLayout layout = {3, 7, DPEM_SECOND_NONE};
	double		q[3 * 7];

	random_directions(rng, 3, 7, q);
	CHECK(dpem_kernel_projection.theta_valid(&layout, q), "orthonormal directions");
	q[5] += 1e-8;
	CHECK(!dpem_kernel_projection.theta_valid(&layout, q), "directions 1e-8 off");
	q[5] = NAN;
	CHECK(!dpem_kernel_projection.theta_valid(&layout, q), "a direction that is not a number");
}

int
main(void)
{
	static const int sizes[][2] = {{1, 1}, {1, 2}, {2, 2}, {1, 5}, {3, 5}, {5, 5}, {2, 40}, {40, 40}};
	Rng			rng = {20170420};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
	{
		check_sensitivity(&rng, sizes[i][0], sizes[i][1]);
		check_values(&rng, sizes[i][0], sizes[i][1]);
	}
	check_theta(&rng);
	return unit_report();
}
