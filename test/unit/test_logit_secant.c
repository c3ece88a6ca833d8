/*
 * test_logit_secant.c - gradients' steps where scores have heavy tails and a class is rare: what two gradients say of the
 * curvature between them keeps steps from going too far.
 *
 * Noise is of a fixed seed: it always comes out the same.
 */
#include "core/logit/logit_secant.h"
#include "core/numeric/linalg.h"
#include "kernel_fixture.h"

#define D		5
#define ROWS	6000

typedef struct Rows
{
	double		z[ROWS * D];	/* times the label; the constant last */
	double		second[D * D];
} Rows;

/* a tail that rows of the rare class have more often, and a longer one; or a normal column */
static double
draw(Rng *rng, bool heavy, bool rare)
{
	if (!heavy)
		return rng_normal(rng) + rare;
	return rng_uniform(rng, 0, 1) < (rare ? 0.65 : 0.15) ? -log(1 - rng_uniform(rng, 0, 1)) * (rare ? 5 : 2) : -0.9;
}

/* standardised, with a constant of three deviations, and clipped at their root mean square norm, as fits have them */
static void
fill_rows(Rng *rng, bool heavy, Rows *rows)
{
	memset(rows->second, 0, sizeof(rows->second));
	for (int row = 0; row < ROWS; row++)
	{
		bool		rare = row % 40 == 0;
		double	   *z = rows->z + row * D;
		double		square = 9;

		for (int j = 0; j < D - 1; j++)
		{
			z[j] = heavy ? (draw(rng, heavy, rare) + 0.4) / 1.7 : draw(rng, heavy, rare);
			square += z[j] * z[j];
		}
		z[D - 1] = 3;
		for (int j = 0; j < D; j++)
			z[j] *= (rare ? 1 : -1) / sqrt(fmax(square, D - 1 + 9));
		for (int i = 0; i < D * D; i++)
			rows->second[i] += z[i / D] * z[i % D];
	}
}

/* -log likelihood, and its gradient sum sigma(-m'z) z */
static double
loss_at(const Rows *rows, const double *mean, double *gradient)
{
	double		loss = 0;

	memset(gradient, 0, D * sizeof(double));
	for (int row = 0; row < ROWS; row++)
	{
		const double *z = rows->z + row * D;
		double		score = 0;

		for (int j = 0; j < D; j++)
			score += mean[j] * z[j];
		loss += score > 0 ? log1p(exp(-score)) : log1p(exp(score)) - score;
		for (int j = 0; j < D; j++)
			gradient[j] += z[j] / (1 + exp(score));
	}
	return loss;
}

/* the loss after that many gradients, each of noise sd */
static double
descend(Rng *rng, const Rows *rows, int gradients, double sd, bool with_secant)
{
	DpemLogitSecant secant;
	double		kept[3 * D + D * D] = {0};
	double		value[1 + D] = {0};
	double		linear[D], curvature[D * D], model[D * D], mean[D] = {0}, covariance[D * D], turn[D * D];
	DpemLogitStatistics s = {.d = D,.linear = linear,.curvature = curvature,.model = model,.curvature_share = 1,.linear_sd = sd / 2,.rows = ROWS,.second = (double *) rows->second,.constant = true,.secant = with_secant ? &secant : NULL};
	DpemLogit	fit = {.d = D,.mean = mean,.covariance = covariance,.turn = turn};
	DpemNoisyMoments m = {.layout = {1, D, DPEM_SECOND_NONE},.value = value,.sum_sd = fmax(sd, 1e-9)};
	size_t		n = dpem_logit_estimate_work(D) + dpem_logit_take_work(D);
	DpemWorkspace work = {numbers(n), NULL};

	work.end = work.next + n;
	CHECK(dpem_logit_secant_length(D) == sizeof(kept) / sizeof(double), "numbers of a secant");
	dpem_logit_secant_begin(D, kept, &secant);
	loss_at(rows, mean, linear);
	for (int i = 0; i < D * D; i++)
		curvature[i] = model[i] = rows->second[i] / 4;
	CHECK(dpem_logit_estimate(&s, 1e6, &fit, work) == DPEM_OK, "from the first release");
	for (int pass = 0; pass < gradients; pass++)
	{
		loss_at(rows, mean, value + 1);
		for (int j = 0; j < D; j++)
			value[1 + j] += sd * rng_normal(rng);
		dpem_logit_take_gradient(&m, 1, &fit, pass, &s, work);
		CHECK(dpem_logit_estimate_step(&s, 1e6, &fit, work) == DPEM_OK, "a step");
	}
	CHECK(!with_secant || (secant.tail >= 0 && isfinite(secant.tail)), "a tail of %g", secant.tail);
	free(work.next);
	return loss_at(rows, mean, value);
}

/* without noise steps end at the minimum, early; without the secant they are far from it */
static void
check_tails(Rng *rng, Rows *rows)
{
	double		least;

	fill_rows(rng, true, rows);
	least = descend(rng, rows, 200, 0, true);
	for (int gradients = 4; gradients <= 30; gradients++)
	{
		double		loss = descend(rng, rows, gradients, 0, true);

		CHECK(loss < 1.05 * least && loss > (1 - 1e-6) * least, "%d gradients: %g, least %g", gradients, loss, least);
	}
	CHECK(descend(rng, rows, 5, 0, false) > 1.15 * least, "the model's own steps: %g, least %g", descend(rng, rows, 5, 0, false), least);
}

/* nothing changes where the model is right, and noise does not make tails */
static void
check_normal(Rng *rng, Rows *rows)
{
	double		with = 0;
	double		without = 0;

	fill_rows(rng, false, rows);
	CHECK_CLOSE(descend(rng, rows, 6, 0, true), descend(rng, rows, 6, 0, false), 1e-9, "normal rows");
	for (int round = 0; round < 200; round++)
	{
		with += descend(rng, rows, 5, 4, true) / 200;
		without += descend(rng, rows, 5, 4, false) / 200;
	}
	CHECK(with < 1.01 * without, "with noise: %g, without the secant %g", with, without);
}

int
main(void)
{
	static Rows rows;
	Rng			rng = {1963};

	check_tails(&rng, &rows);
	check_normal(&rng, &rows);
	return unit_report();
}
