/*
 * test_logit_curvature.c - the model of the rows that follows the curvature of
 * logistic regression between passes.
 */
#include "core/logit/logit_curvature.h"
#include "core/numeric/linalg.h"
#include "core/numeric/polya_gamma.h"
#include "kernel_fixture.h"

#define MOST_D 12

/* of rows that are normal, with a constant coordinate or without, the model is right: 400,000 of them, 1 % */
static void
check_model(Rng *rng, bool constant)
{
	enum { D = 3, N = 400000 };
	double		mean[D] = {1.5, -2, 0.7};
	double		covariance[D * D] = {0.02, 0.01, 0, 0.01, 0.03, 0, 0, 0, 0.01};
	double		second[D * D] = {0};
	double		true_curvature[D * D] = {0};
	double		model[D * D];
	double		memory[3 * D];
	DpemWorkspace work = {memory, memory + 3 * D};
	DpemLogitMoments rows = {D, N, second, constant, NULL, NULL};
	double		worst = 0;

	for (int row = 0; row < N; row++)
	{
		double		u = rng_normal(rng);
		double		x[D] = {0.6 * u + (constant ? 0.8 : 0), 0.3 * u + rng_normal(rng), constant ? 0.5 : rng_normal(rng)};
		double		score = 0;
		double		extra = 0;

		for (int i = 0; i < D; i++)
		{
			score += mean[i] * x[i];
			for (int j = 0; j < D; j++)
				extra += x[i] * covariance[i * D + j] * x[j];
		}
		for (int i = 0; i < D * D; i++)
		{
			second[i] += x[i / D] * x[i % D];
			true_curvature[i] += dpem_polya_gamma_share(score * score + extra) / 4 * x[i / D] * x[i % D];
		}
	}
	dpem_logit_model_curvature(&rows, mean, covariance, model, work);
	for (int i = 0; i < D * D; i++)
		worst = fmax(worst, fabs(model[i] - true_curvature[i]));
	CHECK(worst < 0.01 * true_curvature[4], "constant %d: the model is off by %g of %g", constant, worst, true_curvature[4]);
}

/* at coefficients of zero every row counts a quarter, whatever the rows are like */
static void
check_zero(Rng *rng, int d, bool constant)
{
	double		second[MOST_D * MOST_D];
	double		zero[MOST_D * MOST_D] = {0};
	double		curvature[MOST_D * MOST_D];
	double		memory[3 * MOST_D];
	DpemWorkspace work = {memory, memory + 3 * MOST_D};
	DpemLogitMoments rows = {d, 100, second, constant, NULL, NULL};

	for (int i = 0; i < d * d; i++)
		zero[i] = rng_normal(rng);
	dpem_linalg_multiply_nt(d, zero, zero, second);
	memset(zero, 0, sizeof(zero));
	dpem_logit_model_curvature(&rows, zero, zero, curvature, work);
	for (int i = 0; i < d * d; i++)
		CHECK(fabs(curvature[i] - second[i] / 4) < 1e-9 * (1 + fabs(second[i])), "d %d: a quarter at zero", d);
}

/*
 * Margins of a hinge in two heaps, as those of a rare class and of a frequent one are: a step that is divided by
 * the curvature goes at most twice too far in any direction, as a longer one could raise the loss.
 */
static void
check_heaps(Rng *rng, double smoothing, double least, double most)
{
	enum { D = 4, N = 500 };
	const DpemMarginLoss loss = {DPEM_LOSS_HINGE, smoothing};
	const double coefficient[D] = {0.8, 0, 0, 2};
	double		second[D * D] = {0};
	double		mean[D] = {0};
	double		true_curvature[D * D] = {0};
	double		model[D * D];
	double		memory[3 * D];
	DpemWorkspace work = {memory, memory + 3 * D};
	DpemLogitMoments rows = {D, N, second, true, mean, &loss};

	for (int row = 0; row < N; row++)
	{
		double		margin = row % 3 == 0 ? least : most;
		double		y = row % 5 == 0 ? 1 : -1;
		double		x[D] = {(y * margin - 1) / 0.8, rng_normal(rng), rng_normal(rng), 0.5};

		for (int i = 0; i < D; i++)
			mean[i] += y * x[i] / N;
		for (int i = 0; i < D * D; i++)
		{
			second[i] += x[i / D] * x[i % D];
			true_curvature[i] += dpem_loss_curvature(&loss, margin) * x[i / D] * x[i % D];
		}
	}
	dpem_logit_model_curvature(&rows, coefficient, NULL, model, work);
	for (int trial = 0; trial < 1000; trial++)
	{
		double		direction[D];
		double		ratio[2] = {0, 0};

		for (int i = 0; i < D; i++)
			direction[i] = trial == 0 ? coefficient[i] : rng_normal(rng);
		for (int i = 0; i < D * D; i++)
		{
			ratio[0] += direction[i / D] * true_curvature[i] * direction[i % D];
			ratio[1] += direction[i / D] * model[i] * direction[i % D];
		}
		CHECK(ratio[0] <= 2 * ratio[1] * (1 + 1e-12), "h %g, margins %g and %g: a step %g times too long", smoothing, least, most,
			  ratio[0] / ratio[1]);
	}
}

/* rows that are all one point have no spread of scores: its rounding error, of either sign, is not divided by */
static void
check_one_point(Rng *rng, int d, bool constant)
{
	double		point[MOST_D] = {0};
	double		mean[MOST_D] = {0};
	double		second[MOST_D * MOST_D];
	double		curvature[MOST_D * MOST_D];
	double		memory[3 * MOST_D];
	double		score = 0;
	double		weight;
	DpemWorkspace work = {memory, memory + 3 * MOST_D};
	DpemLogitMoments rows = {d, 3000, second, constant, NULL, NULL};

	for (int i = 0; i < d; i++)
	{
		point[i] = rng_normal(rng);
		mean[i] = rng_normal(rng);
		score += point[i] * mean[i];
	}
	for (int i = 0; i < d * d; i++)
		second[i] = 3000 * point[i / d] * point[i % d];
	dpem_logit_model_curvature(&rows, mean, NULL, curvature, work);
	weight = exp(-fabs(score)) / ((1 + exp(-fabs(score))) * (1 + exp(-fabs(score))));
	for (int i = 0; i < d * d && constant; i++)
		CHECK(fabs(curvature[i] - weight * second[i]) < 1e-6 * (1 + fabs(second[i])), "d %d: one point's curvature %g, not %g",
			  d, curvature[i], weight * second[i]);
	for (int i = 0; i < d * d; i++)
		CHECK(isfinite(curvature[i]) && fabs(curvature[i]) <= 0.26 * 3000 * d * 25, "d %d: curvature %g", d, curvature[i]);
}

/* d x d without negative eigenvalues */
static void
fill_moments(Rng *rng, int d, double *out)
{
	double		root[MOST_D * MOST_D];

	for (int i = 0; i < d * d; i++)
		root[i] = rng_normal(rng);
	dpem_linalg_multiply_nt(d, root, root, out);
}

/* lever M lever' = G; directions that noise is all there is of are the model's */
static void
check_lever(Rng *rng, int d)
{
	size_t		size = dpem_logit_lever_work(d) + dpem_logit_clean_work(d);
	DpemWorkspace work = {numbers(size), NULL};
	double		curvature[MOST_D * MOST_D];
	double		model[MOST_D * MOST_D];
	double		lever[MOST_D * MOST_D];
	double		worst = 0;

	work.end = work.next + size;
	fill_moments(rng, d, curvature);
	fill_moments(rng, d, model);
	CHECK(dpem_logit_lever(d, curvature, model, 1e9, lever, work) == DPEM_OK, "a lever");
	for (int i = 0; i < d * d; i++)
		CHECK(fabs(lever[i] - (i % (d + 1) == 0)) < 1e-9, "d %d: no lever where all is noise", d);
	CHECK(dpem_logit_lever(d, curvature, model, 0, lever, work) == DPEM_OK, "a lever");
	dpem_logit_apply_lever(d, lever, model, work);
	for (int i = 0; i < d * d; i++)
		worst = fmax(worst, fabs(model[i] - curvature[i]));
	CHECK(worst < 1e-5 * (1 + d), "d %d: the lever is off by %g", d, worst);
	free(work.next);
}

/* the nearest matrix without negative eigenvalues: those of a diagonal one become zero, any other stays */
static void
check_clean(Rng *rng, int d)
{
	size_t		size = dpem_logit_clean_work(d);
	DpemWorkspace work = {numbers(size), NULL};
	double		a[MOST_D * MOST_D];
	double		before[MOST_D * MOST_D];

	work.end = work.next + size;
	fill_moments(rng, d, a);
	memcpy(before, a, sizeof(a));
	CHECK(dpem_logit_clean(d, a, work) == DPEM_OK, "cleaned");
	for (int i = 0; i < d * d; i++)
		CHECK(fabs(a[i] - before[i]) < 1e-10 * (1 + d), "d %d: nothing to clean", d);
	memset(a, 0, sizeof(a));
	for (int j = 0; j < d; j++)
		a[j * d + j] = j % 2 ? 3 : -5;
	CHECK(dpem_logit_clean(d, a, work) == DPEM_OK, "cleaned");
	for (int i = 0; i < d * d; i++)
		CHECK(fabs(a[i] - (i % (d + 1) == 0 && i / d % 2 ? 3 : 0)) < 1e-10, "d %d: negative directions are gone", d);
	free(work.next);
}

int
main(void)
{
	Rng			rng = {20161110};

	for (int d = 1; d <= MOST_D; d += d < 4 ? 1 : 4)
	{
		check_zero(&rng, d, false);
		check_zero(&rng, d, true);
		check_one_point(&rng, d, false);
		check_one_point(&rng, d, true);
		check_lever(&rng, d);
		check_clean(&rng, d);
	}
	check_heaps(&rng, 0.5, 0.51, 1.49);
	check_heaps(&rng, 0.5, -3, 1.4);
	check_heaps(&rng, 0.1, -3, 1.05);
	check_heaps(&rng, 3, -1, 1);
	check_model(&rng, false);
	check_model(&rng, true);
	return unit_report();
}
