/*
 * test_gmm_apart.c - the density of a mixture some of whose columns stand apart: beside its definition, integrated, and without atoms.
 */
#include <stdlib.h>
#include <string.h>

#include "core/density/gmm_apart.h"
#include "core/density/gmm_atoms.h"
#include "unit.h"

enum
{
	K = 2, D = 2, STEPS = 400, POINTS = 80
};

#define LOG_2PI 1.8378770664093454836

static double mean[K * D] = {3, 2, 6, 7};
static double covariance[K * D * D] = {2, 0.9, 0.9, 1, 1, -0.3, -0.3, 2};
static double weight[K] = {0.7, 0.3};
static const double lower[D] = {0, 0};
static const double upper[D] = {10, 10};

static DpemWorkspace
workspace(size_t n)
{
	double	   *start = calloc(n, sizeof(double));

	return (DpemWorkspace) {start, start + n};
}

static double
normal(double x, double m, double v)
{
	return exp(-((x - m) * (x - m) / v + log(v) + LOG_2PI) / 2);
}

static double
normal2(const double *x, const double *m, const double *c)
{
	double		det = c[0] * c[3] - c[1] * c[2];
	double		u = x[0] - m[0];
	double		w = x[1] - m[1];

	return exp(-(u * u * c[3] - 2 * u * w * c[1] + w * w * c[0]) / det / 2 - log(det) / 2 - LOG_2PI);
}

typedef struct Case
{
	DpemGmm		gmm;
	DpemGmmDensity density;
	DpemAtomLaw atom[D];
	double		share[K * D];
	DpemGmmApart apart;
	DpemWorkspace work;
} Case;

static void
prepare(Case *c, double share, double tail)
{
	double		scratch[D * D];
	static double offset[K];
	static double factor[K * D * (D + 1) / 2];
	static double cholesky[K * D * D];

	*c = (Case) {
		.gmm = {K, D, DPEM_SECOND_FULL, weight, mean, covariance},.density = {K, D, offset, factor, cholesky},
		.atom = {dpem_atom_law(1, 1.5, 0, 10), dpem_atom_law(4, 4.5, 0, 10)},.share = {share, 0, share / 2, 0},
		.work = workspace(dpem_gmm_apart_work(K, D))
	};
	CHECK(dpem_gmm_density_prepare(&c->gmm, &c->density, scratch) == DPEM_OK, "densities");
	c->apart = (DpemGmmApart) {.gmm = &c->gmm,.density = &c->density,.share = c->share,.atom = c->atom,.tail = tail};
	dpem_gmm_apart_prepare(&c->apart, workspace(dpem_gmm_apart_logs(K, D)).next);
}

static double
density(Case *c, double x, double y, double far)
{
	double		point[D] = {x, y};
	double		log_far[D] = {far, far};

	return exp(dpem_gmm_apart_log_density(&c->apart, point, log_far, c->work));
}

/* of two columns, of which the first has an atom */
static void
test_definition(void)
{
	Case		c;
	double		point[D] = {1.3, 2.5};
	double		atom;
	double		at = 0;
	double		off = 0;
	double		far = 0;

	prepare(&c, 0.4, 0.01);
	atom = exp(dpem_atom_log_density(&c.atom[0], 1.3));
	for (int k = 0; k < K; k++)
	{
		at += weight[k] * c.share[k * D] * atom * normal(2.5, mean[k * D + 1], covariance[k * D * D + 3]);
		point[0] = 4;
		off += weight[k] * (1 - c.share[k * D]) * normal2(point, mean + k * D, covariance + k * D * D);
		far += weight[k] * (1 - c.share[k * D]) * normal(4, mean[k * D], covariance[k * D * D]) * 0.01 * 0.1;
	}
	CHECK(fabs(density(&c, 1.3, 2.5, log(0.1)) / at - 1) < 1e-9, "at the atom: %g, not %g", density(&c, 1.3, 2.5, log(0.1)), at);
	CHECK(fabs(density(&c, 4, 2.5, log(0.1)) / off - 1) < 1e-9, "off it: %g, not %g", density(&c, 4, 2.5, log(0.1)), off);
	CHECK(fabs(density(&c, 4, 90, log(0.1)) / far - 1) < 1e-9, "far out: %g, not %g", density(&c, 4, 90, log(0.1)), far);
	free(c.work.next);
}

/* without atoms and tails it is the mixture's own */
static void
test_plain(void)
{
	Case		c;

	prepare(&c, 0, 0);
	for (double x = -2; x < 12; x += 1.7)
		for (double y = -2; y < 12; y += 1.3)
		{
			double		point[D] = {x, y};
			double		terms[K];
			double		scratch[D];
			double		own = dpem_gmm_log_terms(&c.gmm, &c.density, point, terms, scratch);

			CHECK(fabs(log(density(&c, x, y, 0)) - own) < 1e-9, "(%g, %g): %g, not %g", x, y, log(density(&c, x, y, 0)), own);
		}
	free(c.work.next);
}

/* all of it is no more than 1, and no less than what tails and the normals' part in an atom's bin leave */
static void
test_integral(void)
{
	Case		c;
	double		sum = 0;
	double		from = -4;
	double		to = 16;
	double		step = (to - from) / STEPS;

	prepare(&c, 0.6, 0.01);
	for (int i = 0; i < STEPS; i++)
		for (int j = 0; j < STEPS; j++)
			sum += density(&c, from + (i + 0.5) * step, from + (j + 0.5) * step, log(1 / (to - from))) * step * step;
	/* tails have the weights of columns on top, as callers take theirs from the rest */
	CHECK(sum < 1.03 && sum > 0.9, "the density integrates to %g", sum);
	free(c.work.next);
}

/* shares of components, and laws of the rest, whose correlations are no more than they were */
static void
test_shares(void)
{
	const DpemColumnAtom atom[D] = {{.share = 0.5,.alone = true,.lower = 0,.upper = 0.01}, {.share = 0}};
	double		m[K * D] = {1, 2, 6, 7};
	double		v[K * D * D] = {2, 0.9, 0.9, 1, 1, -0.3, -0.3, 2};
	const double one[D] = {1, 1};
	double		share[K * D];
	DpemGmm		gmm = {K, D, DPEM_SECOND_FULL, weight, m, v};
	DpemAtomLaw law[D] = {dpem_atom_law(0, 0.01, 0, 10), dpem_atom_law(0, 0, 0, 10)};
	DpemWorkspace work = workspace(dpem_gmm_atom_shares_work(K, D));

	CHECK(dpem_gmm_atom_shares(&gmm, atom, lower, upper, share, work) == DPEM_OK, "shares");
	CHECK(fabs(weight[0] * share[0] + weight[1] * share[2] - 0.5) < 1e-6, "of all rows a half: %g, %g", share[0], share[2]);
	CHECK(share[0] > 10 * share[2] && share[1] == 0 && share[3] == 0, "near the atom %g, far %g", share[0], share[2]);
	CHECK(dpem_gmm_without_atoms(share, law, one, lower, upper, &gmm, NULL, work) == DPEM_OK, "laws of the rest");
	CHECK(m[0] > 1.5 && m[1] == 2 && v[3] == 1, "the rest is further out: %g", m[0]);
	CHECK(v[1] / sqrt(v[0] * v[3]) < 0.9 / sqrt(2) + 1e-9 && v[1] > 0 && v[1] == v[2], "covariances %g, %g", v[1], v[2]);
	free(work.next);
}

/* with a factor the rest is as much wider or narrower, and correlated no more than it was */
static void
test_scaled(void)
{
	const double factors[2][D] = {{1, 1}, {0.6, 3}};
	const double share[D] = {0.4, 0};
	double		one = 1;
	double		m[2][D];
	double		v[2][D * D];
	DpemAtomLaw law[D] = {dpem_atom_law(0, 0.01, 0, 10), dpem_atom_law(0, 0, 0, 10)};
	DpemWorkspace work = workspace(dpem_gmm_atom_shares_work(1, D));

	for (int s = 0; s < 2; s++)
	{
		const double mean[D] = {3, 2};
		const double covariance[D * D] = {4, 1, 1, 2};
		DpemGmm		gmm = {1, D, DPEM_SECOND_FULL, &one, memcpy(m[s], mean, sizeof mean), memcpy(v[s], covariance, sizeof covariance)};

		CHECK(dpem_gmm_without_atoms(share, law, factors[s], lower, upper, &gmm, NULL, work) == DPEM_OK, "laws of the rest");
		CHECK(v[s][1] / sqrt(v[s][0] * v[s][3]) < 1 / sqrt(8) + 1e-9, "correlation %g", v[s][1] / sqrt(v[s][0] * v[s][3]));
	}
	CHECK_CLOSE(v[1][0], 0.36 * v[0][0], 1e-12, "variance of the rest");
	CHECK(m[1][0] == m[0][0] && v[1][3] == 2, "mean %g, and the variance of a column without an atom %g", m[1][0], v[1][3]);
	free(work.next);
}

/* log-density of x given y */
static double
log_given(const double *m, const double *v, double x, double y)
{
	double		slope = v[1] / v[3];

	return log(normal(x, m[0] + slope * (y - m[1]), v[0] - slope * v[1]));
}

/*
 * Rows of which y is x and a little, at the atom of x as elsewhere: what y tells of x in rows that are not at the atom is no less
 * by the law that these are given than by that of all rows, on average.  Returns the gain.
 */
static double
gain_of_rest(double sd, double share, double at, double *kept)
{
	double		m[D] = {3, 3};
	double		v[D * D] = {1, 1, 1, 1 + sd * sd};
	const double all_mean[D] = {3, 3};
	const double all[D * D] = {1, 1, 1, 1 + sd * sd};
	double		one = 1;
	double		factor[D];
	const double shares[D] = {share, 0};
	const double as_is[D] = {1, 1};
	DpemGmm		gmm = {1, D, DPEM_SECOND_FULL, &one, m, v};
	DpemAtomLaw law[D] = {dpem_atom_law(at, at + 0.01, 0, 10), dpem_atom_law(0, 0, 0, 10)};
	DpemWorkspace work = workspace(dpem_gmm_atom_shares_work(1, D));
	double		mean_of_rest = 3;
	double		variance_of_rest = 1;
	double		gain = 0;

	dpem_atom_rest(&law[0], share, &mean_of_rest, &variance_of_rest);
	CHECK(dpem_gmm_without_atoms(shares, law, as_is, lower, upper, &gmm, factor, work) == DPEM_OK, "laws of the rest");
	CHECK(fabs(v[1] - factor[0] * factor[1] * all[1]) < 1e-12 && v[0] * v[3] > v[1] * v[1], "covariance %g, factor %g", v[1], factor[0]);
	for (int i = 0; i < POINTS; i++)
		for (int j = 0; j < POINTS; j++)
		{
			double		u = (i + 0.5) / POINTS * 12 - 6;
			double		w = (j + 0.5) / POINTS * 12 - 6;
			double		x = mean_of_rest + sqrt(variance_of_rest) * u;
			double		y = x + sd * w;

			gain += normal(u, 0, 1) * normal(w, 0, 1) * (log_given(m, v, x, y) - log_given(all_mean, all, x, y)) * 144 / POINTS / POINTS;
		}
	*kept = factor[0] / sqrt(v[0]);
	free(work.next);
	return gain;
}

static void
test_told(void)
{
	double		kept;

	for (double sd = 0.05; sd < 20; sd *= 1.5)
		for (double share = 0.1; share < 0.9; share += 0.17)
			for (double at = 0.8; at < 3; at += 0.4)
			{
				bool		possible = share / (1 - share) * (at - 3) * (at - 3) < 0.95;
				double		gain = possible ? gain_of_rest(sd, share, at, &kept) : 0;

				CHECK(gain > -1e-6, "y off by %g, share %g at %g: %g", sd, share, at, gain);
			}
	/* told as well as this a column has no other law; hardly told it has the rest's */
	CHECK(fabs(gain_of_rest(0.05, 0.3, 2, &kept)) < 1e-12 && kept == 1, "y is x: %g", kept);
	CHECK(gain_of_rest(10, 0.5, 2.2, &kept) > 0.1, "y says little");
	/* values that are nearly one in the rest are no longer told by y */
	CHECK(gain_of_rest(0.7, 0.5, 2.02, &kept) > 0.3 && kept < 0.5, "nearly one value: %g", kept);
}

static double
law_of_both(const void *law, int k, const double *apart, const double *x)
{
	const double *c = covariance + k * D * D;
	const double *m = mean + k * D;

	CHECK(law == mean, "the law given");
	if (apart[0] == 0 && apart[1] == 0)
		return log(normal2(x, m, c));
	return apart[0] == 0 ? log(normal(x[0], m[0], c[0])) : apart[1] == 0 ? log(normal(x[1], m[1], c[3])) : 0;
}

/* another way to the normal laws gives the same */
static void
test_columns_law(void)
{
	Case		c;

	prepare(&c, 0.4, 0.01);
	for (double x = -2; x < 12; x += 0.31)
		for (double y = -2; y < 12; y += 1.3)
		{
			double		expected = density(&c, x, y, log(0.1));
			DpemGmmApart own = c.apart;
			double		other;

			c.apart.columns_law = law_of_both;
			c.apart.law = mean;
			c.apart.density = NULL;
			other = density(&c, x, y, log(0.1));
			c.apart = own;
			CHECK(fabs(other / expected - 1) < 1e-9, "(%g, %g): %g, not %g", x, y, other, expected);
		}
	free(c.work.next);
}

int
main(void)
{
	test_definition();
	test_plain();
	test_integral();
	test_shares();
	test_told();
	test_scaled();
	test_columns_law();
	return unit_report();
}
