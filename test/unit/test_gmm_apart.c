/*
 * test_gmm_apart.c - the density of a mixture some of whose columns stand apart: beside its definition, integrated, and without atoms.
 */
#include <stdlib.h>

#include "core/gmm/gmm_apart.h"
#include "unit.h"

enum
{
	K = 2, D = 2, STEPS = 400
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

/* shares of components, and laws of the rest whose correlations stay */
static void
test_shares(void)
{
	const DpemColumnAtom atom[D] = {{.share = 0.5,.alone = true,.lower = 0,.upper = 0.01}, {.share = 0}};
	double		m[K * D] = {1, 2, 6, 7};
	double		v[K * D * D] = {2, 0.9, 0.9, 1, 1, -0.3, -0.3, 2};
	double		share[K * D];
	DpemGmm		gmm = {K, D, DPEM_SECOND_FULL, weight, m, v};
	DpemAtomLaw law[D] = {dpem_atom_law(0, 0.01, 0, 10), dpem_atom_law(0, 0, 0, 10)};
	DpemWorkspace work = workspace(dpem_gmm_atom_shares_work(K, D));

	CHECK(dpem_gmm_atom_shares(&gmm, atom, lower, upper, share, work) == DPEM_OK, "shares");
	CHECK(fabs(weight[0] * share[0] + weight[1] * share[2] - 0.5) < 1e-6, "of all rows a half: %g, %g", share[0], share[2]);
	CHECK(share[0] > 10 * share[2] && share[1] == 0 && share[3] == 0, "near the atom %g, far %g", share[0], share[2]);
	dpem_gmm_without_atoms(share, law, lower, upper, &gmm);
	CHECK(m[0] > 1.5 && m[1] == 2 && v[3] == 1, "the rest is further out: %g", m[0]);
	CHECK(fabs(v[1] / sqrt(v[0] * v[3]) - 0.9 / sqrt(2)) < 1e-9 && v[1] == v[2], "correlations stay");
	free(work.next);
}

int
main(void)
{
	test_definition();
	test_plain();
	test_integral();
	test_shares();
	return unit_report();
}
