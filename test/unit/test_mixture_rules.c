/*
 * test_mixture_rules.c - what a mixture does where rows are far out, few, in narrow clusters, or drowned in noise.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/density/gmm_background.h"
#include "core/mixture/gmm_cells.h"
#include "core/gmm/gmm_covariance.h"
#include "core/gmm/gmm_density.h"
#include "core/gmm/gmm_frame.h"
#include "core/mixture/gmm_grid.h"
#include "core/mixture/gmm_total.h"
#include "core/gmm/gmm_whiten.h"
#include "core/numeric/chi_square.h"
#include "core/numeric/linalg.h"
#include "core/numeric/public_random.h"
#include "em_fixture.h"
#include "unit.h"

static DpemPublicRandom rng = {20117};

/* ---- chi-square ---- */

/* values of R 4.2: pchisq and qchisq */
static void
test_chi_square(void)
{
	CHECK(fabs(dpem_chi_square_below(1, 1) - 0.682689492137086) < 1e-13, "d = 1: one deviation");
	CHECK(fabs(dpem_chi_square_below(2, 3) - (1 - exp(-1.5))) < 1e-13, "d = 2 is exponential");
	CHECK(fabs(dpem_chi_square_below(60, 80) - 0.956771317848) < 1e-9, "d = 60: %.12f", dpem_chi_square_below(60, 80));
	CHECK(fabs(dpem_chi_square_quantile(2, 0.92) + 2 * log(0.08)) < 1e-10, "the 92 %% quantile at d = 2");
	for (int d = 1; d <= 60; d += 7)
		for (double p = 0.05; p < 1; p += 0.3)
			CHECK(fabs(dpem_chi_square_below(d, dpem_chi_square_quantile(d, p)) - p) < 1e-10, "d %d p %g", d, p);
}

/* E[min(|z|, r)^2] of a million normals; the mean's error is below 0.002, six of its deviations are 0.006 */
static void
test_clipped_normal(int d, double r)
{
	double		sum = 0;
	int			n = 1000000 / d;
	double		left;

	for (int i = 0; i < n; i++)
	{
		double		norm2 = 0;

		for (int j = 0; j < d; j++)
		{
			double		z = dpem_public_normal(&rng);

			norm2 += z * z;
		}
		sum += fmin(norm2, r * r) / d / n;
	}
	left = dpem_chi_clipped_share(d, 1, r);
	CHECK(fabs(sum - left) < 0.01, "d %d: clipped at %g there is %g left, of draws %g", d, r, left, sum);
	CHECK(fabs(dpem_chi_unclipped(d, left, r, 3) - 1) < 1e-9, "d %d: and what it was is found again", d);
}

/* ---- clip ---- */

static void
test_clip_quantile(void)
{
	DpemGmmPrediction p = {.k = 30,.d = 2,.rows = 1e5,.shape = DPEM_SECOND_FULL,.sum_sd = 20,.second_sd = 12};

	CHECK(dpem_gmm_relative_noise(&p, 1.3) < 1 && dpem_gmm_relative_noise(&p, 1.3) > 0.01, "the noise is middling");
	CHECK(dpem_gmm_whitened_radius(&p, 0) >= sqrt(-2 * log(0.08)) - 1e-9,
		  "92 %% of a normal's rows are left as they are: %g", dpem_gmm_whitened_radius(&p, 0));
	p.rows = 1000;
	CHECK(dpem_gmm_whitened_radius(&p, 0) < 1.3 * sqrt(2) + 1e-9, "unless noise is all there is");
}

/* a prediction whose relative noise is that */
static DpemGmmPrediction
of_noise(int k, double noise)
{
	DpemGmmPrediction p = {.k = k,.d = 4,.rows = 1e4,.shape = DPEM_SECOND_FULL,.second_sd = 1};

	p.second_sd = noise / dpem_gmm_relative_noise(&p, 1.3);
	return p;
}

/* the less components can be told apart, the more counts what the clip takes from the total that they may end as */
static void
test_clip_of_tails(void)
{
	DpemGmmPrediction little = of_noise(4, 0.1);
	DpemGmmPrediction much = of_noise(4, 0.45);
	DpemGmmPrediction one = of_noise(1, 0.45);
	double		before = 0;

	CHECK(fabs(dpem_gmm_whitened_radius(&one, 0.28) - dpem_gmm_whitened_radius(&much, 0.14)) < 1e-9, "one has no parts to tell apart");
	CHECK(fabs(dpem_gmm_whitened_radius(&little, 0.28) - 1.3 * sqrt(4 * 2 * 0.28 / 0.1)) < 1e-9, "noise and twice what is lost");
	CHECK(fabs(dpem_gmm_whitened_radius(&much, 0.28) - 1.3 * sqrt(4 * 4 * 0.28 / 0.45)) < 1e-9, "four times: %g",
		  dpem_gmm_whitened_radius(&much, 0.28));
	for (double noise = 3; noise > 0.01; noise *= 0.95)
	{
		DpemGmmPrediction p = of_noise(4, noise);
		double		radius = dpem_gmm_whitened_radius(&p, 0.28);

		CHECK(radius >= before, "less noise never clips more: %g at %g", radius, noise);
		before = radius;
	}
}

/* where one component's noise is more than a quarter of it, the stages before passes are worth more */
static void
test_one_component(void)
{
	DpemGmmPrediction little = of_noise(1, 0.2);
	DpemGmmPrediction some = of_noise(1, 0.3);
	DpemGmmPrediction several = of_noise(4, 0.3);
	DpemGmmPrediction hardly = of_noise(4, 0.8);

	CHECK(dpem_gmm_method(&little, true, 0.5) == DPEM_GMM_PASSES, "passes where noise is little");
	CHECK(dpem_gmm_method(&some, true, 0.5) == DPEM_GMM_TOTAL, "the total where it is not");
	CHECK(dpem_gmm_method(&several, false, 0.5) == DPEM_GMM_PASSES, "several can still be told apart then");
	CHECK(dpem_gmm_method(&hardly, false, 0.5) == DPEM_GMM_TOTAL, "but not with so much");
	CHECK(dpem_gmm_method(&hardly, false, 0.05) == DPEM_GMM_PASSES, "unless the rows can be asked");
	hardly.d = 3;
	hardly.second_sd *= 0.8 / dpem_gmm_relative_noise(&hardly, 1.3);
	CHECK(dpem_gmm_method(&hardly, true, 0.5) == DPEM_GMM_CELLS, "cells show more");
}

/* a prior that is told in the ball weighs the same in whitened units, however far the ball reaches */
static void
test_open_scale(void)
{
	DpemGmmPrediction p = {.k = 3,.d = 4,.rows = 1e5,.shape = DPEM_SECOND_FULL};
	double		radius = dpem_gmm_whitened_radius(&p, 0);

	CHECK(radius > 3 * sqrt(4), "without noise hardly a row is clipped");
	CHECK(fabs(dpem_gmm_open_scale(0.1, 4, radius) * radius * radius - 0.1 * 1.3 * 1.3 * 4) < 1e-12, "as at the tightest clip");
	CHECK(dpem_gmm_open_scale(0.1, 4, 1) == 0.1, "never more than the scale itself");
}

static void
test_unclip(void)
{
	DpemGmm		gmm = em_create(2, 2, DPEM_SECOND_FULL);
	double		left = dpem_chi_clipped_share(2, 0.25, 1) * 0.25;
	double		factor;

	for (int k = 0; k < 2; k++)
	{
		gmm.weight[k] = 0.5;
		gmm.covariance[k * 4] = gmm.covariance[k * 4 + 3] = left;
	}
	factor = dpem_gmm_unclip(&gmm);
	CHECK(fabs(factor * left - 0.25) < 1e-9, "a clipped normal has its variance back: %g", factor * left);
	CHECK(fabs(gmm.covariance[7] - 0.25) < 1e-9, "in every component");
	em_free(&gmm);
}

/* of all rows: what components differ by and what rows do within them */
static void
test_spread(void)
{
	DpemGmm		gmm = em_create(2, 2, DPEM_SECOND_FULL);

	gmm.weight[0] = 0.25;
	gmm.weight[1] = 0.75;
	gmm.mean[0] = 4;
	for (int k = 0; k < 2; k++)
		gmm.covariance[k * 4] = gmm.covariance[k * 4 + 3] = 1;
	/* 1 within and 16 * 0.25 * 0.75 between in the first axis, 1 in the second */
	CHECK(fabs(dpem_gmm_spread(&gmm) - 2.5) < 1e-12, "mean variance of the axes: %g", dpem_gmm_spread(&gmm));
	em_free(&gmm);
}

static void
test_probes(void)
{
	DpemGmmPrediction p = {.k = 4,.d = 10,.rows = 5000,.shape = DPEM_SECOND_FULL,.sum_sd = 40,.second_sd = 40};

	CHECK(dpem_gmm_hopeless(&p, 0.1) && dpem_gmm_probes(&p, 0.05, 0.1), "components only cells can show");
	CHECK(!dpem_gmm_probes(&p, 0.07, 0.1), "not where noise hides them in cells");
	CHECK(!dpem_gmm_probes(&p, 0.05, 1.1) && !dpem_gmm_probes(&p, 0.05, 0), "nor where rows cannot be asked");
	p.second_sd = 80;
	CHECK(!dpem_gmm_probes(&p, 0.05, 0.1), "nor where passes have nothing but noise: %g", dpem_gmm_relative_noise(&p, 1.3));
	p.second_sd = 40;
	p.d = 3;
	CHECK(!dpem_gmm_probes(&p, 0.05, 0.1), "and in three dimensions there is nothing but cells");
}

/* ---- background ---- */

/* a narrow mixture in a wide domain: no point of it is without density, and none loses more than 1 % of it */
static void
test_background(void)
{
	static const double lower[] = {0, -1};
	static const double upper[] = {1e6, 1};
	DpemGmm		gmm = em_create(1, 2, DPEM_SECOND_FULL);
	DpemGmmDensity density = {.offset = zeros(1),.factor = zeros(3),.cholesky = zeros(4)};
	DpemGmmBackground b = {.mean = zeros(2),.narrow = zeros(2),.wide = zeros(2)};
	double		scratch[4];
	double		terms[1];
	double		least = INFINITY;
	double		loss = 0;
	double		alone = 0;

	gmm.weight[0] = 1;
	gmm.mean[0] = 10;
	gmm.covariance[0] = 9;
	gmm.covariance[3] = 1e-6;
	CHECK(dpem_gmm_density_prepare(&gmm, &density, scratch) == DPEM_OK, "the mixture has a density");
	dpem_gmm_background_init(&gmm, lower, upper, &b);
	for (int i = 0; i < 200000; i++)
	{
		double		x[] = {i < 100000 ? i * 1e-3 : 1e6 * dpem_public_uniform(&rng), 2 * dpem_public_uniform(&rng) - 1};
		double		mixture = dpem_gmm_log_terms(&gmm, &density, x, terms, scratch);
		double		both = dpem_gmm_background_add(mixture, dpem_gmm_background_axis(&b, 0, x[0]) + dpem_gmm_background_axis(&b, 1, x[1]));

		least = fmin(least, both);
		loss = fmax(loss, mixture - both);
		alone = fmin(alone, mixture);
	}
	CHECK(alone < -1e9, "the mixture alone has none far out");
	CHECK(least >= dpem_gmm_background_least(&b), "least %g, stated %g", least, dpem_gmm_background_least(&b));
	CHECK(dpem_gmm_background_least(&b) > -30, "and what is stated is much: %g", dpem_gmm_background_least(&b));
	CHECK(loss <= -log(0.99) + 1e-12, "no row loses more than 0.01 nats: %g", loss);
	em_free(&gmm);
}

/* the background is a density: a sum over a fine grid is 1 less what lies outside the grid */
static void
test_background_integral(void)
{
	DpemGmm		gmm = em_create(1, 1, DPEM_SECOND_FULL);
	double		lower = -5;
	double		upper = 45;
	DpemGmmBackground b = {.mean = zeros(1),.narrow = zeros(1),.wide = zeros(1)};
	double		sum = 0;

	gmm.weight[0] = gmm.covariance[0] = 1;
	dpem_gmm_background_init(&gmm, &lower, &upper, &b);
	for (double x = -400; x < 400; x += 0.01)
		sum += 0.01 * exp(dpem_gmm_background_axis(&b, 0, x));
	CHECK(fabs(sum - 1) < 1e-6, "its integral is %g", sum);
	em_free(&gmm);
}

/* ---- frames ---- */

/* a million rows' worth of exact moments of independent axes, and noise */
static void
frame_moments(const DpemGmmFrame *frame, const double *mean, const double *sd, double noise, DpemNoisyMoments *m)
{
	double		rows = 1e6;
	int			d = frame->d;
	bool		norm = m->layout.second == DPEM_SECOND_NORM;

	m->count_sd = m->sum_sd = m->second_sd = noise;
	m->value[0] = rows + noise * dpem_public_normal(&rng);
	m->value[1 + d] = 0;
	for (int j = 0; j < d; j++)
	{
		double		unit = frame->scale[j] * frame->radius;
		double		y = (mean[j] - frame->center[j]) / unit;
		double		square = y * y + sd[j] * sd[j] / unit / unit;

		m->value[1 + j] = rows * y + noise * dpem_public_normal(&rng);
		if (norm)
			m->value[1 + d] += rows * square;
		else
			m->value[1 + d + j] = rows * square + noise * dpem_public_normal(&rng);
	}
	m->value[1 + d] += norm ? noise * dpem_public_normal(&rng) : 0;
}

/* axes a thousand times as wide as each other: after three looks every scale is near its own axis' deviation */
static void
test_frame(void)
{
	static const double mean[] = {-0.3, 0.9, -0.99};
	static const double sd[] = {0.3, 0.003, 0.0003};
	double		value[16];
	double		work[3];
	double		array[4][3];
	DpemGmmFrame frame = {.d = 3,.center = array[0],.scale = array[1],.spread2 = array[2],.spread2_sd = array[3]};

	dpem_gmm_frame_begin(&frame, sqrt(3));
	for (int i = 0; i < 3; i++)
	{
		DpemNoisyMoments m = {.layout = {1, 3, i == 0 ? DPEM_SECOND_NORM : DPEM_SECOND_DIAGONAL},.value = value};

		frame_moments(&frame, mean, sd, 3, &m);
		dpem_gmm_frame_zoom(&m, 1e6, &frame, work);
	}
	for (int j = 0; j < 3; j++)
	{
		CHECK(frame.scale[j] >= sd[j] * 0.5 && frame.scale[j] < sd[j] * 10, "axis %d: scale %g", j, frame.scale[j]);
		CHECK(fabs(frame.center[j] - mean[j]) < 3 * frame.scale[j], "axis %d: center %g", j, frame.center[j]);
	}
}

/* noise beyond everything leaves the middle of the domain and a frame that has all of it */
static void
test_frame_of_noise(void)
{
	static const double mean[] = {0, 0};
	static const double sd[] = {0.3, 0.3};
	double		value[16];
	double		work[2];
	double		array[4][2];
	DpemGmmFrame frame = {.d = 2,.center = array[0],.scale = array[1],.spread2 = array[2],.spread2_sd = array[3]};
	DpemNoisyMoments m = {.layout = {1, 2, DPEM_SECOND_NORM},.value = value};

	for (int run = 0; run < 20; run++)
	{
		dpem_gmm_frame_begin(&frame, sqrt(2));
		frame_moments(&frame, mean, sd, 1e8, &m);
		dpem_gmm_frame_zoom(&m, 1e6, &frame, work);
		CHECK(hypot(frame.center[0], frame.center[1]) < 0.05, "the center stays in the middle: %g", frame.center[0]);
		CHECK(frame.scale[0] > 0.5 && frame.scale[0] <= 1, "and the scale is the domain's: %g", frame.scale[0]);
	}
}

/* ---- regularised covariances ---- */

/* twenty alike axes in noise of their own size: the floor is that of the noise left, not of what was shrunk away */
static void
test_floor_of_what_is_left(void)
{
	enum
	{
		D = 20
	};
	double		w[D * D];
	double		value[D];
	double	   *work = zeros(dpem_linalg_eigen_work(D));
	double		most = 0;

	for (int i = 0; i < D; i++)
		for (int j = 0; j <= i; j++)
			w[i * D + j] = w[j * D + i] = (i == j ? 1 : 0) + dpem_public_normal(&rng) * (i == j ? 1 : M_SQRT1_2);
	CHECK(dpem_gmm_regularise(DPEM_SECOND_FULL, D, 1, 0, w, value, work) == DPEM_OK, "regularised");
	for (int j = 0; j < D; j++)
		most = fmax(most, value[j]);
	CHECK(most < 3, "variances of 1 in noise of 1 become %g, not sqrt(d) = 4.5", most);
	for (int i = 0; i < D * D; i++)
		w[i] = i % (D + 1) == 0 ? 1e3 : 0;
	CHECK(dpem_gmm_regularise(DPEM_SECOND_FULL, D, 1e6, 0.5, w, value, work) == DPEM_OK && value[0] < 1,
		  "noise far beyond the expected variance leaves that: %g", value[0]);
	free(work);
}

int
main(void)
{
	test_chi_square();
	test_clipped_normal(1, 1);
	test_clipped_normal(2, 1.8);
	test_clipped_normal(10, 3.9);
	test_clip_quantile();
	test_clip_of_tails();
	test_one_component();
	test_open_scale();
	test_unclip();
	test_spread();
	test_probes();
	test_background();
	test_background_integral();
	test_frame();
	test_frame_of_noise();
	test_floor_of_what_is_left();
	return unit_report();
}
