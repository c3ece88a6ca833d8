/*
 * test_refine.c - components in frames of their own: the kernel's sums by another formula, and a search for two rows
 * that move the stacked moments further than the declared sensitivity (docs/proofs.md, 4).
 */
#include <float.h>

#include "core/numeric/linalg.h"
#include "refine_fixture.h"
#include "stack_fixture.h"

/* ---- values ------------------------------------------------------------------ */

/* z = L^-1 (x - m), L L' = S; returns the density but for a constant */
static double
standardise(const Case *c, int k, const double *x, double *z)
{
	double		l[D * D];
	double		density = c->gmm.weight[k];

	(void) dpem_linalg_cholesky(D, c->gmm.covariance + k * D * D, l);
	for (int i = 0; i < D; i++)
	{
		z[i] = x[i] - c->gmm.mean[k * D + i];
		for (int j = 0; j < i; j++)
			z[i] -= l[i * D + j] * z[j];
		z[i] /= l[i * D + i];
		density *= exp(-z[i] * z[i] / 2) / l[i * D + i];
	}
	return density;
}

/* the second moments of z as the layout has them */
static int
second_of(DpemSecondMoment second, const double *z, double *out)
{
	int			n = 0;

	if (second == DPEM_SECOND_NORM)
		out[n++] = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
	for (int i = 0; i < D && second != DPEM_SECOND_NORM; i++)
		for (int j = second == DPEM_SECOND_FULL ? 0 : i; j <= i; j++)
			out[n++] = z[i] * z[j];
	return n;
}

static void
check_values(Rng *rng, int k, DpemSecondMoment second)
{
	Case	   *c = case_make(k, second);
	double		off = 0;
	int			clipped = 0;

	for (int test = 0; test < 300; test++)
	{
		double		x[D];
		double		z[MOST_K][D];
		double		density[MOST_K];
		double		total = 0;

		fill_case(rng, c, rng_uniform(rng, 0.02, 1), 2);
		for (int j = 0; j < D; j++)
			x[j] = rng_uniform(rng, -0.55, 0.55);
		for (int i = 0; i < k; i++)
			total += density[i] = standardise(c, i, x, z[i]);
		contribute(c, 0, x);
		for (int i = 0; i < k; i++)
		{
			const double *s = c->sums + i * dpem_moments_record(&c->layout);
			double		r = density[i] / total;
			double		norm = sqrt(z[i][0] * z[i][0] + z[i][1] * z[i][1] + z[i][2] * z[i][2]);
			double		h[D * (D + 1) / 2];
			int			n;

			clipped += norm > c->radius;
			for (int j = 0; j < D; j++)
				z[i][j] /= fmax(norm, c->radius);
			n = second_of(second, z[i], h);
			off = fmax(off, fabs(s[0] - r));
			for (int j = 0; j < D; j++)
				off = fmax(off, fabs(s[1 + j] - r * z[i][j]));
			for (int j = 0; j < n; j++)
				off = fmax(off, fabs(s[1 + D + j] - r * h[j]));
		}
	}
	CHECK(off < 1e-9, "K = %d, second %d: off by %g", k, second, off);
	CHECK(clipped > 30 && clipped < 300 * k, "K = %d, second %d: %d rows are clipped", k, second, clipped);
	case_free(c);
}

/* ---- sensitivity -------------------------------------------------------------- */

/* integers of the unit ball: near a mean, along an axis of the ball, or anywhere */
static void
random_row(Rng *rng, const Case *c, double *x)
{
	int			kind = rng_below(rng, 4);
	int			k = rng_below(rng, c->layout.k);
	double		norm = 0;

	for (int j = 0; j < D; j++)
	{
		x[j] = kind == 0 ? c->gmm.mean[k * D + j] + rng_uniform(rng, -1, 1) * pow(10, rng_uniform(rng, -4, 0))
			: kind == 1 ? (j == k) * (rng_below(rng, 2) ? 1 : -1) : rng_uniform(rng, -1, 1);
		norm += x[j] * x[j];
	}
	for (int j = 0; j < D; j++)
		x[j] = trunc(ldexp(x[j] / fmax(sqrt(norm), 1), Q));
}

/* a block adds what its rows add, each by itself, and null rows add nothing */
static void
check_block(Rng *rng, int k, DpemSecondMoment second)
{
	Case	   *c = case_make(k, second);
	size_t		length = dpem_moments_length(&c->layout);
	double	   *sum = numbers(length);
	double	   *rows = numbers(D * DPEM_BLOCK_STRIDE);
	int			n = DPEM_BLOCK_ROWS - 3;
	double		off = 0;

	fill_case(rng, c, 0.1, 3);
	memset(sum, 0, length * sizeof(double));
	memset(rows, 0, D * DPEM_BLOCK_STRIDE * sizeof(double));
	for (int row = 0; row < n; row++)
	{
		double		x[D];

		random_row(rng, c, x);
		for (int j = 0; j < D; j++)
			rows[j * DPEM_BLOCK_STRIDE + row] = row % 5 == 0 ? 0 : x[j];
		if (row % 5 == 0)
			continue;
		contribute(c, Q, x);
		for (size_t i = 0; i < length; i++)
			sum[i] += c->sums[i];
	}
	memcpy(c->rows.x, rows, D * DPEM_BLOCK_STRIDE * sizeof(double));
	for (int row = 0; row < n; row++)
		c->rows.keep[row] = row % 5 != 0;
	c->rows.rows = n;
	dpem_kernel_gmm_refine.accumulate(&c->layout, c->theta, &c->rows, Q, P, c->sums, c->scratch);
	for (size_t i = 0; i < length; i++)
		off = fmax(off, fabs(c->sums[i] - sum[i]));
	CHECK(off == 0, "K = %d, second %d: a block adds %g more than its rows", k, second, off);
	free(sum);
	free(rows);
	case_free(c);
}

static void
search(Rng *rng, int k, DpemSecondMoment second)
{
	static const double scales[] = {1e-12, 1e-6, 1e-3, 0.1, 1, 1e6};
	static const double radii[] = {1e-6, 0.5, 3, 30};
	Case	   *c = case_make(k, second);
	size_t		length = dpem_moments_length(&c->layout);
	double	   *other = numbers(length);
	double		worst = 0;
	int			wrong = 0;

	for (int test = 0; test < 30000; test++)
	{
		double		a[D];
		double		b[D];

		if (test % 20 == 0)
			fill_case(rng, c, scales[rng_below(rng, 6)], radii[rng_below(rng, 4)]);
		random_row(rng, c, a);
		random_row(rng, c, b);
		for (int j = 0; j < D && test % 3 == 0; j++)
			b[j] = -a[j];
		contribute(c, Q, a);
		wrong += wrong_records(&c->layout, c->sums);
		memcpy(other, c->sums, length * sizeof(double));
		contribute(c, Q, b);
		worst = fmax(worst, part_of_bound(&c->layout, stack_weights[test % 4], c->sums, other));
	}
	check_found(&c->layout, wrong, worst);
	free(other);
	case_free(c);
}

/* nobody can give the kernel parameters that it does not bear */
static void
check_limits(Rng *rng)
{
	static const double radii[] = {0, -1, NAN, INFINITY};
	Case	   *c = case_make(2, DPEM_SECOND_FULL);
	DpemMomentLayout none = {2, D, DPEM_SECOND_NONE};
	size_t		n = dpem_refine_theta_length(&c->layout);

	fill_case(rng, c, 0.1, 3);
	CHECK(dpem_kernel_gmm_refine.theta_valid(&c->layout, c->theta), "its parameters are none");
	CHECK(!dpem_kernel_gmm_refine.theta_valid(&none, c->theta), "no second moments are accepted");
	for (size_t i = 0; i + 1 < n; i++)
		c->theta[i] = i % 3 == 0 ? -DBL_MAX : i % 3 == 1 ? DBL_MAX : NAN;
	contribute(c, Q, (double[D]) {1 << Q, 0, 0});
	CHECK(wrong_records(&c->layout, c->sums) == 0, "parameters of anybody's");
	for (int i = 0; i < 4; i++)
	{
		c->theta[n - 1] = radii[i];
		CHECK(!dpem_kernel_gmm_refine.theta_valid(&c->layout, c->theta), "a radius of %g is accepted", radii[i]);
	}
	case_free(c);
}

int
main(void)
{
	static const DpemSecondMoment shapes[] = {DPEM_SECOND_FULL, DPEM_SECOND_DIAGONAL, DPEM_SECOND_NORM};
	Rng			rng = {2027};

	for (int k = 1; k <= MOST_K; k++)
		for (int s = 0; s < 3; s++)
		{
			check_values(&rng, k, shapes[s]);
			check_block(&rng, k, shapes[s]);
			search(&rng, k, shapes[s]);
		}
	check_limits(&rng);
	return unit_report();
}
