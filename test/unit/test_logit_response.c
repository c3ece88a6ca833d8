/*
 * test_logit_response.c - logistic regression in much noise (core/logit/logit_response.h): what is left where noise hides slopes,
 * and how exactly classes' parts of the rows are kept.
 */
#include <stdlib.h>
#include <string.h>

#include "core/logit/logit_response.h"
#include "kernel_fixture.h"

#define D		5
#define ROWS	1000.0
#define VALUE	0.6				/* of the constant */
#define SEEN	0.57			/* of it, on average, where long rows are clipped */
#define SPREAD	0.35			/* of a column in the ball */
#define FIRST	100.0			/* noise in sums of the first release; of second moments sqrt(2) times less */
#define SAID_FITS	2000	/* ratios of deviations to 2 or 3 % */
#define LATER	200.0			/* in those of a later one */

typedef struct Fit
{
	DpemLogitStatistics s;
	DpemLogitResponse r;
	DpemLogit	fit;
	DpemWorkspace work;
	double		numbers[8 * D + 4 * D * D];
	double		response[3 * D];
} Fit;

static Fit *
make_fit(void)
{
	Fit		   *f = calloc(1, sizeof(Fit));
	double	   *at = f->numbers;
	size_t		work = dpem_logit_response_work(D) + dpem_logit_take_work(D);

	f->s = (DpemLogitStatistics) {.d = D,.linear = at,.origin = at + D,.curvature = at + 4 * D,.second = at + 4 * D + D * D,
		.constant = true,.value = VALUE};
	f->fit = (DpemLogit) {.d = D,.mean = at + 2 * D,.covariance = at + 4 * D + 2 * D * D,.turn = at + 4 * D + 3 * D * D,.share = 1};
	dpem_logit_response_begin(D, f->response, &f->r);
	f->work.next = numbers(work);
	f->work.end = f->work.next + work;
	return f;
}

static void
free_fit(Fit *f)
{
	free(f->work.next);
	free(f);
}

/* a release of signed rows at zero coefficients: columns of mean `center`, apart by `apart` in two classes, the second with that share; noise times sd */
static void
release(Rng *rng, double share, double apart, double center, double sd, bool second, double *value, DpemNoisyMoments *m)
{
	double	   *at = value + 1 + D;

	value[0] = ROWS;
	for (int j = 0; j < D; j++)
	{
		double		mean = j < D - 1 ? center * (2 * share - 1) + (j == 0 ? 2 * share * (1 - share) * apart : 0) : SEEN * (2 * share - 1);

		value[1 + j] = ROWS * mean + sd * rng_normal(rng);
	}
	for (int i = 0; i < D && second; i++)
		for (int j = 0; j <= i; j++)
		{
			double		product = i == j ? (i < D - 1 ? SPREAD * SPREAD : SEEN * SEEN) : i == D - 1 ? center * SEEN : center * center;

			*at++ = ROWS * product + sd / sqrt(i == j ? 2 : 4) * rng_normal(rng);
		}
	*m = (DpemNoisyMoments) {.layout = {1, D, second ? DPEM_SECOND_FULL : DPEM_SECOND_NONE},.value = value,.count_sd = sd,.sum_sd = sd,.second_sd = sd / sqrt(2)};
}

/* one fit with even releases: the mean of predicted probabilities, and the first column's slope */
static double
fit_even(Rng *rng, double share, double apart, double center, double noise, double *slope)
{
	Fit		   *f = make_fit();
	double		value[1 + D + D * (D + 1) / 2];
	DpemNoisyMoments m;
	double		variance = 0;
	double		middle;

	release(rng, share, apart, center, noise * FIRST, true, value, &m);
	CHECK(dpem_logit_take_first(&m, ROWS, &f->s, f->work) == DPEM_OK, "first");
	CHECK(dpem_logit_response_first(&m, ROWS, &f->s, &f->r, f->work) == DPEM_OK, "first of response");
	for (int i = 0; i < 4; i++)
	{
		release(rng, share, apart, center, noise * LATER, false, value, &m);
		dpem_logit_response_take(&m, 1, NULL, &f->s, &f->r, f->work);
	}
	CHECK(dpem_logit_response_estimate(&f->s, &f->r, &f->fit, f->work) == DPEM_OK, "posterior");
	for (int j = 0; j < D - 1; j++)
		variance += SPREAD * SPREAD * (f->fit.mean[j] * f->fit.mean[j] + f->fit.covariance[j * D + j]);
	variance += SEEN * SEEN * f->fit.covariance[D * D - 1];
	middle = SEEN * f->fit.mean[D - 1];
	for (int j = 0; j < D - 1; j++)
		middle += center * f->fit.mean[j];
	*slope = f->fit.mean[0] * SPREAD;
	free_fit(f);
	return dpem_logit_probability(middle, variance);
}

/* columns that say nothing: probabilities are the share, as far as sums of the constant tell it, and no nearer to one half */
static void
test_shares(Rng *rng)
{
	static const double shares[] = {0.05, 0.2, 0.5, 0.9};

	for (int i = 0; i < 4; i++)
	{
		double		sum = 0;
		double		worst = 0;
		double		slope;

		for (int k = 0; k < 400; k++)
		{
			double		off = fit_even(rng, shares[i], 0, 0, 0.5, &slope) - shares[i];

			sum += off * off;
			worst = fmax(worst, fabs(slope));
		}
		/* noise of sums: 50 at first and 50 in the mean of the others, halved: 18 of 600 */
		CHECK(sqrt(sum / 400) < 0.045, "share %g: probabilities are off by %g", shares[i], sqrt(sum / 400));
		CHECK(worst < 1, "share %g: a slope of %g", shares[i], worst);
	}
}

/* what little noise lets be seen is seen: log-odds of a unit of the column are apart / SPREAD */
static void
test_slopes(Rng *rng)
{
	double		slope;
	double		share = fit_even(rng, 0.3, 0.8 * SPREAD, 0, 0.001, &slope);

	CHECK(fabs(share - 0.3) < 0.02, "share without noise: %g", share);
	CHECK(slope > 0.6 && slope < 1.1, "slope without noise: %g", slope);
	fit_even(rng, 0.3, 0.8 * SPREAD, 0, 2, &slope);
	CHECK(fabs(slope) < 0.5, "slope in much noise: %g", slope);
}

/* moments of a coefficient over fits, and the mean square of the noise that it is said to have */
typedef struct Said
{
	double		sum;
	double		square;
	double		said;
} Said;

/*
 * Noise of fits that differ in it alone is what is said of it, beside a column that says much: second moments have hardly any where nothing of their
 * difference from a diagonal is left.
 */
static void
test_said(Rng *rng)
{
	Said		of[D] = {{0}};

	for (int k = 0; k < SAID_FITS; k++)
	{
		Fit		   *f = make_fit();
		double		value[1 + D + D * (D + 1) / 2];
		DpemNoisyMoments m;

		release(rng, 0.5, 2 * SPREAD, 0, 0.4 * FIRST, true, value, &m);
		CHECK(dpem_logit_response_first(&m, ROWS, &f->s, &f->r, f->work) == DPEM_OK, "first of response");
		CHECK(dpem_logit_response_estimate(&f->s, &f->r, &f->fit, f->work) == DPEM_OK, "posterior");
		for (int j = 0; j < D; j++)
		{
			of[j].sum += f->fit.mean[j] / SAID_FITS;
			of[j].square += f->fit.mean[j] * f->fit.mean[j] / SAID_FITS;
			for (int i = 0; i < D; i++)
				of[j].said += f->fit.turn[j * D + i] * f->fit.turn[j * D + i] / SAID_FITS;
		}
		free_fit(f);
	}
	for (int j = 1; j < D - 1; j++)
	{
		double		ratio = sqrt(of[j].said / (of[j].square - of[j].sum * of[j].sum));

		CHECK(ratio > 0.8 && ratio < 1.5, "noise of column %d is said to be %g times what it is", j, ratio);
	}
}

/* sum (y - sigma(m'x)) x of rows whose columns, normal about `center`, say nothing of y */
static void
find_gradient(const double *mean, double share, double center, double *gradient)
{
	double		middle = SEEN * mean[D - 1];
	double		variance = 0;
	double		probability = 0;
	double		slope = 0;
	double		weight = 0;

	for (int j = 0; j < D - 1; j++)
	{
		middle += center * mean[j];
		variance += SPREAD * SPREAD * mean[j] * mean[j];
	}
	for (double z = -6; z <= 6; z += 0.1)
	{
		double		p = 1 / (1 + exp(-middle - sqrt(variance) * z));

		weight += exp(-z * z / 2);
		probability += exp(-z * z / 2) * p;
		slope += exp(-z * z / 2) * p * (1 - p);
	}
	for (int j = 0; j < D; j++)
		gradient[j] = ROWS * ((share - probability / weight) * (j < D - 1 ? center : SEEN) - (j < D - 1 ? slope / weight * SPREAD * SPREAD * mean[j] : 0));
}

/* a gradient about the share does not have the mean of the rows in it, as sums at zero have, and then it is believed */
static void
test_centers(Rng *rng)
{
	double		even = 0;
	double		about = 0;

	for (int k = 0; k < 50; k++)
	{
		Fit		   *f = make_fit();
		double		value[1 + D + D * (D + 1) / 2];
		double		point[D];
		DpemNoisyMoments m;

		release(rng, 0.05, 0, 0.15, 1, true, value, &m);
		m.second_sd = FIRST / sqrt(2);
		for (int j = 0; j < D; j++)
			value[1 + j] = (j < D - 1 ? 0.15 : SEEN) * ROWS * (2 * 0.05 - 1);
		CHECK(dpem_logit_response_first(&m, ROWS, &f->s, &f->r, f->work) == DPEM_OK, "first");
		CHECK(dpem_logit_response_estimate(&f->s, &f->r, &f->fit, f->work) == DPEM_OK, "posterior");
		even += fabs(f->fit.mean[0]) / 50;
		dpem_logit_response_point(&f->s, &f->fit, point);
		find_gradient(point, 0.05, 0.15, value + 1);
		m = (DpemNoisyMoments) {.layout = {1, D, DPEM_SECOND_NONE},.value = value,.sum_sd = 3};
		dpem_logit_response_take(&m, 1, point, &f->s, &f->r, f->work);
		CHECK(dpem_logit_response_estimate(&f->s, &f->r, &f->fit, f->work) == DPEM_OK, "posterior");
		about += fabs(f->fit.mean[0]) / 50;
		free_fit(f);
	}
	CHECK(about < even / 2, "slopes of nothing: %g by even sums, %g with a gradient", even, about);
}

/*
 * Where neither slopes nor the number of rows can be told, probabilities are not far beyond the share: a prior whose middle runs away from the mean would be
 * learnt to be the wider for it.  The root mean square of 400 fits' log-odds, whose own deviation is 0.02, was 3.55 (5.3 at most), of a share of 0.05 (2.94).
 */
static void
test_unknown_rows(Rng *rng)
{
	double		square = 0;
	double		worst = 0;

	for (int k = 0; k < 400; k++)
	{
		Fit		   *f = make_fit();
		double		value[1 + D + D * (D + 1) / 2];
		DpemNoisyMoments m;
		double		variance;
		double		middle;
		double		p;

		release(rng, 0.05, 0, 0, FIRST / 2, true, value, &m);
		m.count_sd = 3 * FIRST;
		value[0] = ROWS + m.count_sd * rng_normal(rng);
		CHECK(dpem_logit_response_first(&m, 0, &f->s, &f->r, f->work) == DPEM_OK, "first of response");
		for (int i = 0; i < 4; i++)
		{
			release(rng, 0.05, 0, 0, 0.6 * FIRST, false, value, &m);
			dpem_logit_response_take(&m, 1, NULL, &f->s, &f->r, f->work);
		}
		CHECK(dpem_logit_response_estimate(&f->s, &f->r, &f->fit, f->work) == DPEM_OK, "posterior");
		middle = SEEN * f->fit.mean[D - 1];
		variance = SEEN * SEEN * f->fit.covariance[D * D - 1];
		for (int j = 0; j < D - 1; j++)
			variance += SPREAD * SPREAD * (f->fit.mean[j] * f->fit.mean[j] + f->fit.covariance[j * D + j]);
		p = dpem_logit_probability(middle, variance);
		square += pow(log(p / (1 - p)), 2) / 400;
		worst = fmax(worst, fabs(log(p / (1 - p))));
		free_fit(f);
	}
	CHECK(sqrt(square) < 2.8 && worst < 4.2, "log-odds of %g, at most %g", sqrt(square), worst);
}

/* noise of any size leaves numbers, and hardly any rows do */
static void
test_nothing(Rng *rng)
{
	for (int k = 0; k < 200; k++)
	{
		Fit		   *f = make_fit();
		double		value[1 + D + D * (D + 1) / 2];
		DpemNoisyMoments m;

		release(rng, 0.5, 0, 0, pow(10, k % 8), true, value, &m);
		value[0] = -1;
		CHECK(dpem_logit_take_first(&m, 0, &f->s, f->work) == DPEM_OK && dpem_logit_response_first(&m, 0, &f->s, &f->r, f->work) == DPEM_OK, "first");
		for (int j = 0; j < D; j++)
			CHECK(f->s.second[j * D + j] >= 0 && f->s.second[j * D + j] <= f->s.rows * (1 + 1e-9), "a square of %g", f->s.second[j * D + j]);
		CHECK(f->s.second[D * D - 1] > 0, "no constant");
		CHECK(dpem_logit_response_estimate(&f->s, &f->r, &f->fit, f->work) == DPEM_OK, "posterior");
		for (int j = 0; j < D; j++)
			CHECK(isfinite(f->fit.mean[j]) && isfinite(f->fit.covariance[j * D + j]), "a coefficient of %g", f->fit.mean[j]);
		free_fit(f);
	}
}

int
main(void)
{
	Rng			rng = {51};

	test_shares(&rng);
	test_slopes(&rng);
	test_said(&rng);
	test_centers(&rng);
	test_nothing(&rng);
	test_unknown_rows(&rng);
	CHECK(dpem_logit_is_hidden(0.05) && !dpem_logit_is_hidden(0.002), "hidden");
	CHECK(dpem_logit_even_passes(0.05, 4) == 4 && dpem_logit_even_passes(0.01, 4) == 2, "passes");
	return unit_report();
}
