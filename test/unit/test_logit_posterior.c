/*
 * test_logit_posterior.c - coefficients of logistic regression from released
 * statistics: the posterior, and steps along released gradients.
 */
#include "core/logit/logit_curvature.h"
#include "core/logit/logit_estimate.h"
#include "core/numeric/linalg.h"
#include "kernel_fixture.h"

#define MOST_D 12

/* ---- the posterior ------------------------------------------------------------------ */

typedef struct Problem
{
	DpemLogitStatistics s;
	DpemLogit	fit;
	DpemWorkspace work;
	double		memory[8 * MOST_D * MOST_D];
} Problem;

static Problem *
make_problem(Rng *rng, int d, double rows)
{
	Problem    *p = calloc(1, sizeof(Problem));
	size_t		work = dpem_logit_estimate_work(d);
	double	   *at = p->memory;
	double		root[MOST_D * MOST_D];

	p->s = (DpemLogitStatistics) {.d = d,.linear = at,.curvature = at + d,.curvature_share = 1,.rows = rows,
								  .second = at + d + d * d};
	p->fit = (DpemLogit) {.d = d,.mean = at + d + 2 * d * d,.covariance = at + 2 * d + 2 * d * d,
						  .turn = at + 2 * d + 3 * d * d};
	p->s.model = at + 2 * d + 4 * d * d;
	p->work.next = numbers(work);
	p->work.end = p->work.next + work;
	for (int i = 0; i < d * d; i++)
		root[i] = rng_normal(rng) / d;
	dpem_linalg_multiply_nt(d, root, root, p->s.second);
	for (int i = 0; i < d * d; i++)
	{
		p->s.second[i] *= rows;
		p->s.curvature[i] = p->s.model[i] = p->s.second[i] / 4;
	}
	for (int j = 0; j < d; j++)
		p->s.linear[j] = 0.1 * rows * rng_normal(rng) / d;
	return p;
}

static void
free_problem(Problem *p)
{
	free(p->work.next);
	free(p);
}

/* V = (precision I + G)^-1, mean = V t */
static void
solve_plainly(const Problem *p, double precision, const double *curvature, DpemLogit *out)
{
	int			d = p->s.d;
	double		log_det;

	memcpy(out->covariance, curvature, d * d * sizeof(double));
	for (int j = 0; j < d; j++)
		out->covariance[j * d + j] += precision;
	CHECK(dpem_linalg_inverse(d, out->covariance, &log_det) == DPEM_OK, "an inverse");
	dpem_linalg_product(d, 1, d, out->covariance, p->s.linear, out->mean);
}

static void
model_at(const Problem *p, const DpemLogit *at, double *out)
{
	DpemLogitMoments rows = {p->s.d, p->s.rows, p->s.second, p->s.constant, NULL, NULL};
	DpemWorkspace work = p->work;

	dpem_logit_model_curvature(&rows, at->mean, at->covariance, out, work);
}

/* the mean of c^2 over the rows */
static double
spread_at(const Problem *p, const DpemLogit *at)
{
	double		sum = 0;
	int			d = p->s.d;

	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
			sum += p->s.second[i * d + j] * (at->mean[i] * at->mean[j] + at->covariance[i * d + j]);
	return sum / p->s.rows;
}

/* a curvature that was taken at its own posterior is not changed any more, whatever the model says there */
static void
check_fixed_point(Rng *rng, int d, double prior_variance)
{
	Problem    *p = make_problem(rng, d, 5000);
	double		mean[MOST_D];
	double		covariance[MOST_D * MOST_D];
	DpemLogit	at = {.d = d,.mean = mean,.covariance = covariance};
	double		total = 0;

	/* a curvature unlike the second moment, and the precision that its own posterior teaches */
	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
			p->s.curvature[i * d + j] *= 0.5 + 0.4 * (i == j) * (i % 2);
	at.precision = prior_variance > 0 ? 1 / prior_variance : 1;
	for (int i = 0; i < 3000; i++)
	{
		solve_plainly(p, at.precision, p->s.curvature, &at);
		total = 0;
		for (int j = 0; j < d; j++)
			total += mean[j] * mean[j] + covariance[j * d + j];
		if (!(prior_variance > 0))
			at.precision = (1 + d / 2.0) / (1 + total / 2);
	}
	model_at(p, &at, p->s.model);
	/* the first solution is for G's length, which the share of that posterior leaves as it is */
	p->s.curvature_share = dpem_logit_share(fmin(spread_at(p, &at), total));
	CHECK(dpem_logit_estimate(&p->s, prior_variance, &p->fit, p->work) == DPEM_OK, "an estimate");
	for (int i = 0; i < d; i++)
		CHECK_CLOSE(p->fit.mean[i], mean[i], 1e-7, "d %d: the mean is V t", d);
	for (int i = 0; i < d * d; i++)
		CHECK(fabs(p->fit.covariance[i] - covariance[i]) < 1e-7 * covariance[0], "d %d: the inverse of the precision", d);
	CHECK_CLOSE(p->fit.precision, at.precision, 1e-8, "d %d: the prior's precision", d);
	free_problem(p);
}

/*
 * Noise makes the posterior wider, never narrower, and in the end it is the
 * prior; a curvature that noise made indefinite is one direction that nothing
 * is known of.
 */
static void
check_noise(Rng *rng, int d)
{
	Problem    *p = make_problem(rng, d, 5000);
	double		norm = 0;
	double		first_norm = 0;
	double		last_trace = 0;

	for (double noise = 0; noise <= 1e6; noise = noise > 0 ? noise * 10 : 1)
	{
		double		trace = 0;

		norm = 0;
		p->s.linear_sd = noise;
		p->s.curvature_sd = noise / 4;
		CHECK(dpem_logit_estimate(&p->s, 100, &p->fit, p->work) == DPEM_OK, "an estimate");
		for (int i = 0; i < d; i++)
		{
			norm += p->fit.mean[i] * p->fit.mean[i];
			trace += p->fit.covariance[i * d + i];
		}
		CHECK(trace >= last_trace * (1 - 1e-6) && trace <= 100 * d * (1 + 1e-9), "d %d noise %g: trace %g after %g", d,
			  noise, trace, last_trace);
		first_norm = noise > 0 ? first_norm : norm;
		last_trace = trace;
	}
	CHECK(norm < 0.1 * first_norm && last_trace > 99 * d, "d %d: |mean|^2 %g after %g, trace %g", d, norm, first_norm,
		  last_trace);
	p->s.curvature[0] = -1e6;
	CHECK(dpem_logit_estimate(&p->s, 100, &p->fit, p->work) == DPEM_OK && isfinite(p->fit.mean[0]) &&
		  p->fit.covariance[0] > 50, "d %d: an indefinite curvature", d);
	free_problem(p);
}

/* the Cholesky factor handed to the passes gives x'E[beta beta']x */
static void
check_prepare(Rng *rng, int d)
{
	Problem    *p = make_problem(rng, d, 300);
	double		theta[MOST_D * MOST_D];
	double		lower[MOST_D * MOST_D] = {0};
	double		worst = 0;
	double		size = 0;
	int			at = 0;

	CHECK(dpem_logit_estimate(&p->s, 0, &p->fit, p->work) == DPEM_OK, "an estimate");
	CHECK(dpem_logit_prepare(&p->fit, theta, p->work) == DPEM_OK, "a factor");
	for (int j = 0; j < d; j++)
		for (int i = j; i < d; i++)
			lower[i * d + j] = theta[at++];
	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
		{
			double		expected = p->fit.covariance[i * d + j] + p->fit.mean[i] * p->fit.mean[j];
			double		got = 0;

			for (int l = 0; l < d; l++)
				got += lower[i * d + l] * lower[j * d + l];
			worst = fmax(worst, fabs(got - expected));
			size = fmax(size, fabs(expected));
		}
	CHECK(worst <= 1e-10 * size, "d %d: L L' is off by %g of %g", d, worst, size);
	free_problem(p);
}

static void
check_share(void)
{
	CHECK_CLOSE(dpem_logit_share(0), 1, 1e-12, "no spread");
	CHECK(dpem_logit_share(1) < 1 && dpem_logit_share(100) < dpem_logit_share(1) && dpem_logit_share(1e6) > 0,
		  "the share falls");
	/* E[1 - c^2/12 + c^4/120] for c ~ N(0, 0.01) */
	CHECK_CLOSE(dpem_logit_share(0.01), 1 - 0.01 / 12 + 3 * 0.0001 / 120, 1e-7, "a small spread");
	CHECK_CLOSE(dpem_logit_probability(0, 3), 0.5, 1e-12, "a score of zero");
	CHECK_CLOSE(dpem_logit_probability(2, 0), 1 / (1 + exp(-2)), 1e-12, "a sure score");
	CHECK(dpem_logit_probability(2, 5) < dpem_logit_probability(2, 1), "an unsure one");
}

static void
check_rules(void)
{
	double		deviation[3] = {0.5, 0.01, 1};
	double		scale[4];
	double		radius;
	double		before = dpem_logit_shares.margins;

	CHECK(dpem_logit_iterations(0.01) >= 2 && dpem_logit_iterations(1e-4) > dpem_logit_iterations(0.001) && dpem_logit_iterations(0) > 100, "passes");
	for (double noise = 0; noise < 1; noise += 0.01)
	{
		DpemLogitShares share = dpem_logit_shares_with(dpem_logit_shares, noise);

		CHECK_CLOSE(share.margins + share.first + share.gradients, 1, 1e-12, "shares");
		CHECK(share.margins >= before && share.margins < 0.5, "margins: %g", share.margins);
		before = share.margins;
	}
	CHECK(before > 2 * dpem_logit_shares.margins, "margins where noise is large: %g", before);
	dpem_logit_frame(4, true, 5, deviation, scale, &radius);
	for (int j = 0; j < 3; j++)
		CHECK_CLOSE(scale[j] * deviation[j], 1, 1e-12, "a deviation");
	CHECK_CLOSE(radius * radius, 5 + scale[3] * scale[3], 1e-12, "the mean squared norm of standardised rows");
	dpem_logit_frame(3, false, 3, deviation, scale, &radius);
	CHECK_CLOSE(radius * radius, 3, 1e-12, "without a constant");
}

/* ---- gradients ------------------------------------------------------------------------ */

#define GRADIENT_ROWS	4000
#define GRADIENT_D		3

/* signed rows z of a logistic model, a constant last */
static void
make_signed(Rng *rng, double *z)
{
	static const double beta[GRADIENT_D] = {3, -2, 1};

	for (int row = 0; row < GRADIENT_ROWS; row++)
	{
		double	   *x = z + row * GRADIENT_D;
		double		score = 0;
		double		sign;

		x[0] = 0.3 * rng_normal(rng);
		x[1] = rng_below(rng, 4) == 0 ? 0.8 : 0;
		x[2] = 0.5;
		for (int j = 0; j < GRADIENT_D; j++)
			score += beta[j] * x[j];
		sign = rng_uniform(rng, 0, 1) < 1 / (1 + exp(-score)) ? 1 : -1;
		for (int j = 0; j < GRADIENT_D; j++)
			x[j] *= sign;
	}
}

/* sum sigma(-m'z) z */
static double
gradient_at(const double *z, const double *mean, double *gradient)
{
	double		size = 0;

	memset(gradient, 0, GRADIENT_D * sizeof(double));
	for (int row = 0; row < GRADIENT_ROWS; row++)
	{
		const double *x = z + row * GRADIENT_D;
		double		r = 1 / (1 + exp(mean[0] * x[0] + mean[1] * x[1] + mean[2] * x[2]));

		for (int j = 0; j < GRADIENT_D; j++)
			gradient[j] += r * x[j];
	}
	for (int j = 0; j < GRADIENT_D; j++)
		size = fmax(size, fabs(gradient[j]));
	return size;
}

/* gradients without noise take the coefficients to where the gradient is none, and step by step nearer */
static void
check_steps(Rng *rng)
{
	static double z[GRADIENT_ROWS * GRADIENT_D];
	Problem    *p = make_problem(rng, GRADIENT_D, GRADIENT_ROWS);
	double		value[1 + GRADIENT_D] = {0};
	DpemNoisyMoments m = {.layout = {1, GRADIENT_D, DPEM_SECOND_NONE},.value = value,.sum_sd = 1e-9};
	double		first;
	double		last;

	make_signed(rng, z);
	memset(p->s.second, 0, GRADIENT_D * GRADIENT_D * sizeof(double));
	for (int i = 0; i < GRADIENT_ROWS * GRADIENT_D * GRADIENT_D; i++)
		p->s.second[i % 9] += z[i / 9 * GRADIENT_D + i % 9 / 3] * z[i / 9 * GRADIENT_D + i % 3];
	p->s.constant = true;
	memset(p->fit.mean, 0, GRADIENT_D * sizeof(double));
	first = gradient_at(z, p->fit.mean, value + 1);
	for (int pass = 0; pass < 30; pass++)
	{
		gradient_at(z, p->fit.mean, value + 1);
		dpem_logit_take_gradient(&m, 1, &p->fit, pass, &p->s, p->work);
		CHECK(dpem_logit_estimate_step(&p->s, 1e6, &p->fit, p->work) == DPEM_OK, "a step");
		CHECK(pass != 4 || gradient_at(z, p->fit.mean, value + 1) < 0.02 * first, "five gradients come near: %g of %g",
			  gradient_at(z, p->fit.mean, value + 1), first);
	}
	last = gradient_at(z, p->fit.mean, value + 1);
	CHECK(last < 2e-3 * first, "the gradient is %g at last, of %g", last, first);
	/* a gradient that no rows could have goes no further than a step may */
	for (int j = 0; j < GRADIENT_D; j++)
		value[1 + j] = 1e9;
	{
		double		before[GRADIENT_D];
		double		product[GRADIENT_D];
		double		square = 0;

		memcpy(before, p->fit.mean, sizeof(before));
		dpem_logit_take_gradient(&m, 1, &p->fit, 0, &p->s, p->work);
		CHECK(dpem_logit_estimate_step(&p->s, 1e6, &p->fit, p->work) == DPEM_OK, "a step");
		for (int j = 0; j < GRADIENT_D; j++)
			before[j] = p->fit.mean[j] - before[j];
		dpem_linalg_product(GRADIENT_D, 1, GRADIENT_D, p->s.second, before, product);
		for (int j = 0; j < GRADIENT_D; j++)
			square += product[j] * before[j];
		CHECK(square <= 9.0001 * GRADIENT_ROWS, "scores move by %g", sqrt(square / GRADIENT_ROWS));
	}
	free_problem(p);
}

/* noise is not to draw the intercept to even odds, nor is it all that is told of it */
static void
check_origin(double share, double sd, double off, double *noise)
{
	double		origin[2];
	double		constant = 0.5, rows = 2000;
	Problem    *p = make_problem(&(Rng) {40}, 2, rows);

	p->s.constant = true;
	p->s.origin = origin;
	p->s.value = constant;
	p->s.linear_sd = p->s.second_sd = p->s.curvature_sd = sd;
	p->s.linear[0] = 0;
	p->s.linear[1] = (share - 0.5) * rows * constant;
	for (int i = 0; i < 4; i++)
	{
		p->s.second[i] = i == 0 ? 0.2 * rows : i == 3 ? rows * constant * constant : 0;
		p->s.curvature[i] = p->s.model[i] = p->s.second[i] / 4;
	}
	dpem_logit_find_origin(&p->s);
	CHECK(dpem_logit_estimate(&p->s, 0, &p->fit, p->work) == DPEM_OK, "a posterior");
	CHECK(fabs(1 / (1 + exp(-p->fit.mean[1] * constant)) - share) < off, "a share of %g: intercept %g", share, p->fit.mean[1] * constant);
	*noise = p->fit.turn[2] * p->fit.turn[2] + p->fit.turn[3] * p->fit.turn[3];
	CHECK(*noise > pow(sd / rows / constant / constant, 2), "noise of the intercept is %g", sqrt(*noise));
	free_problem(p);
}

/* a posterior that noise left without variance in a direction, to within rounding */
static void
check_prepare_singular(void)
{
	double		mean[2] = {0, 0};
	double		covariance[4] = {0.4, 0.2, 0.2, 0.1 - 1e-17};
	double		theta[3];
	double		memory[8];
	DpemWorkspace work = {memory, memory + 8};
	DpemLogit	fit = {.d = 2,.mean = mean,.covariance = covariance};

	CHECK(dpem_logit_prepare(&fit, theta, work) == DPEM_OK, "a singular posterior");
	CHECK_CLOSE(theta[0], sqrt(0.4), 1e-6, "its first column");
	CHECK(theta[2] >= 0 && theta[2] < 1e-3, "and next to nothing beside it: %g", theta[2]);
}

int
main(void)
{
	double		noise[2];
	Rng			rng = {20161109};

	for (int d = 1; d <= MOST_D; d += d < 4 ? 1 : 4)
	{
		check_fixed_point(&rng, d, 0);
		check_fixed_point(&rng, d, 10);
		check_noise(&rng, d);
		check_prepare(&rng, d);
	}
	check_prepare_singular();
	check_share();
	check_rules();
	check_steps(&rng);
	check_origin(0.995, 20, 0.02, &noise[0]);
	check_origin(0.1, 20, 0.02, &noise[0]);
	check_origin(0.1, 100, 0.05, &noise[1]);
	CHECK(noise[1] > noise[0], "more noise is said to be more: %g, %g", noise[1], noise[0]);
	return unit_report();
}
