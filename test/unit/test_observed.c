/*
 * test_observed.c - rows of which only some coordinates are known: the expected
 * statistics by another formula, and a search for two rows that move the stacked
 * moments further than complete rows can (docs/proofs.md, 4).
 */
#include <float.h>

#include "observed_fixture.h"
#include "stack_fixture.h"

/* ---- values ------------------------------------------------------------------ */

static double
entry(const double *triangle, int i, int j)
{
	return i >= j ? triangle[i * (i + 1) / 2 + j] : triangle[j * (j + 1) / 2 + i];
}

/* inverse of an n x n matrix, by Gauss and Jordan, and its determinant */
static double
invert(int n, double *a, double *inverse)
{
	double		determinant = 1;

	for (int i = 0; i < n * n; i++)
		inverse[i] = i % (n + 1) == 0;
	for (int p = 0; p < n; p++)
	{
		double		pivot = a[p * n + p];

		determinant *= pivot;
		for (int j = 0; j < n; j++)
		{
			a[p * n + j] /= pivot;
			inverse[p * n + j] /= pivot;
		}
		for (int i = 0; i < n; i++)
		{
			double		factor = a[i * n + p];

			for (int j = 0; j < n && i != p; j++)
			{
				a[i * n + j] -= factor * a[p * n + j];
				inverse[i * n + j] -= factor * inverse[p * n + j];
			}
		}
	}
	return determinant;
}

/* the submatrix of those coordinates that are (not) known */
static int
pick(const double *full, const bool *known, bool which, double *out)
{
	int			n = 0;
	int			at = 0;

	for (int i = 0; i < D; i++)
		n += known[i] == which;
	for (int i = 0; i < D; i++)
		for (int j = 0; j < D; j++)
			if (known[i] == which && known[j] == which)
				out[at++] = full[i * D + j];
	return n;
}

/*
 * From the precision matrix P = S^-1: the unknown have covariance P_uu^-1 and mean
 * m_u - P_uu^-1 P_uo (x_o - m_o).  Returns the density of the known.
 */
static double
expected(const double *triangle, const double *mean, const double *x, const bool *known, double *image, double *covariance)
{
	double		s[D * D];
	double		copy[D * D];
	double		precision[D * D];
	double		part[D * D];
	double		inverse[D * D];
	double		determinant;
	double		square = 0;
	int			n;
	int			u = 0;

	for (int i = 0; i < D * D; i++)
		copy[i] = s[i] = entry(triangle, i / D, i % D);
	(void) invert(D, copy, precision);
	n = pick(precision, known, false, part);
	(void) invert(n, part, inverse);
	memset(covariance, 0, D * D * sizeof(double));
	for (int i = 0; i < D; i++)
	{
		int			v = 0;

		image[i] = known[i] ? x[i] : mean[i];
		if (known[i])
			continue;
		for (int j = 0; j < D; j++)
		{
			if (known[j])
				continue;
			covariance[i * D + j] = inverse[u * n + v];
			for (int l = 0; l < D; l++)
				image[i] -= known[l] ? inverse[u * n + v] * precision[j * D + l] * (x[l] - mean[l]) : 0;
			v++;
		}
		u++;
	}
	n = pick(s, known, true, part);
	determinant = invert(n, part, inverse);
	u = 0;
	for (int i = 0; i < D; i++)
	{
		int			v = 0;

		for (int j = 0; known[i] && j < D; j++)
			if (known[j])
				square += (x[i] - mean[i]) * inverse[u * n + v++] * (x[j] - mean[j]);
		u += known[i];
	}
	return exp(-square / 2) / sqrt(determinant);
}

/* W a W' / radius^2, and W (x - center) / radius */
static void
map_moments(const Case *c, double *x, double *a)
{
	double		y[D] = {0};
	double		b[D * D] = {0};
	const double *w = c->whitening;

	for (int i = 0; i < D; i++)
		for (int j = 0; j < D; j++)
		{
			y[i] += w[i * D + j] * (x[j] - c->center[j]) / c->map.radius;
			for (int s = 0; s < D; s++)
				for (int t = 0; t < D; t++)
					b[i * D + j] += w[i * D + s] * a[s * D + t] * w[j * D + t] / (c->map.radius * c->map.radius);
		}
	memcpy(x, y, sizeof(y));
	memcpy(a, b, sizeof(b));
}

/* of rows well within the ball and the box, where nothing is clipped */
static void
check_values(Rng *rng, int k)
{
	Case	   *c = case_make(k, DPEM_SECOND_FULL, 0);
	size_t		record = dpem_moments_record(&c->layout);

	for (int test = 0; test < 200; test++)
	{
		double		row[D];
		double		x[D];
		bool		known[D];
		double		image[MOST_K][D];
		double		covariance[MOST_K][D * D];
		double		density[MOST_K];
		double		total = 0;
		double		off = 0;

		fill_case(rng, c, 0.01);
		c->map.radius = 20;
		for (int j = 0; j < 2 * D; j++)
			c->range[j] *= 0.2;
		for (int j = 0; j < D; j++)
		{
			x[j] = rng_uniform(rng, -0.2, 0.2);
			known[j] = j == test % D || (j == (test + 1) % D && test % 2 == 0);
			row[j] = known[j] ? (c->lower[j] + c->upper[j]) / 2 + x[j] * (c->upper[j] - c->lower[j]) / 2 : NAN;
			if (c->map.range)
				x[j] = fmin(fmax(x[j], c->range[j]), c->range[D + j]);
		}
		for (int i = 0; i < k; i++)
		{
			density[i] = exp(c->box[i]) * expected(c->box + k + k * D + i * TRIANGLE, c->box + k + i * D, x, known,
												   image[i], covariance[i]);
			total += density[i];
			map_moments(c, image[i], covariance[i]);
		}
		contribute(c, row);
		for (int i = 0; i < k; i++)
		{
			double		r = density[i] / total;
			const double *s = c->sums + i * record;

			off = fmax(off, fabs(s[0] - r));
			for (int a = 0; a < D; a++)
			{
				off = fmax(off, fabs(s[1 + a] - r * image[i][a]));
				for (int b = 0; b <= a; b++)
					off = fmax(off, fabs(s[1 + D + a * (a + 1) / 2 + b] -
										 r * (image[i][a] * image[i][b] + covariance[i][a * D + b])));
			}
		}
		CHECK(off < 1e-9, "K = %d, test %d: off by %g", k, test, off);
	}
	case_free(c);
}

/* ---- sensitivity ---------------------------------------------------------------- */

static void
random_row(Rng *rng, const Case *c, double *row)
{
	for (int j = 0; j < D; j++)
	{
		double		at = rng_below(rng, 3) == 0 ? rng_below(rng, 2) : rng_uniform(rng, 0, 1);

		row[j] = rng_below(rng, 2) ? NAN : c->lower[j] + at * (c->upper[j] - c->lower[j]);
		if (rng_below(rng, 20) == 0)
			row[j] = rng_below(rng, 2) ? 1e300 : -1e300;
	}
}

static void
search(Rng *rng, int k, DpemSecondMoment second)
{
	static const double scales[] = {1e-12, 1e-3, 0.1, 1, 1e6, 1e200};
	Case	   *c = case_make(k, second, Q);
	size_t		length = dpem_moments_length(&c->layout);
	double	   *other = numbers(length);
	double		worst = 0;
	int			wrong = 0;

	for (int test = 0; test < 30000; test++)
	{
		double		a[D];
		double		b[D];

		if (test % 20 == 0)
			fill_case(rng, c, scales[rng_below(rng, 6)]);
		random_row(rng, c, a);
		random_row(rng, c, b);
		contribute(c, a);
		wrong += wrong_records(&c->layout, c->sums);
		memcpy(other, c->sums, length * sizeof(double));
		contribute(c, b);
		worst = fmax(worst, part_of_bound(&c->layout, stack_weights[test % 4], c->sums, other));
	}
	check_found(&c->layout, wrong, worst);
	free(other);
	case_free(c);
}

/* nobody can give the kernel parameters that it does not bear; unknown rows add nothing */
static void
check_limits(Rng *rng)
{
	Case	   *c = case_make(2, DPEM_SECOND_FULL, Q);
	DpemMomentLayout wide = {1, DPEM_OBSERVED_MAX_D + 1, DPEM_SECOND_FULL};
	DpemMomentLayout none = {1, D, DPEM_SECOND_NONE};
	double		added = 0;

	fill_case(rng, c, 0.1);
	CHECK(dpem_kernel_gmm_observed.theta_valid(&c->layout, c->theta), "its parameters are none");
	CHECK(!dpem_kernel_gmm_observed.theta_valid(&wide, c->theta), "too many coordinates are accepted");
	CHECK(!dpem_kernel_gmm_observed.theta_valid(&none, c->theta), "no second moments are accepted");
	contribute(c, (double[D]) {NAN, INFINITY, -INFINITY});
	for (size_t i = 0; i < dpem_moments_length(&c->layout); i++)
		added += fabs(c->sums[i]);
	CHECK(added == 0, "a row of which nothing is known adds %g", added);
	for (size_t i = 0; i < dpem_observed_theta_length(&c->layout); i++)
		c->theta[i] = i % 3 == 0 ? -DBL_MAX : i % 3 == 1 ? DBL_MAX : 0;
	contribute(c, (double[D]) {c->lower[0], NAN, c->upper[2]});
	CHECK(wrong_records(&c->layout, c->sums) == 0, "parameters of anybody's");
	case_free(c);
}

int
main(void)
{
	static const DpemSecondMoment shapes[] = {DPEM_SECOND_FULL, DPEM_SECOND_DIAGONAL, DPEM_SECOND_NORM};
	Rng			rng = {2026};

	for (int k = 1; k <= MOST_K; k++)
	{
		check_values(&rng, k);
		for (int s = 0; s < 3; s++)
			search(&rng, k, shapes[s]);
	}
	check_limits(&rng);
	return unit_report();
}
