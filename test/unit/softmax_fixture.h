/*
 * softmax_fixture.h - a table of three classes, and fits of its statistics.
 *
 * Rows are made up with a fixed seed: they are always the same.
 */
#ifndef DPEM_SOFTMAX_FIXTURE_H
#define DPEM_SOFTMAX_FIXTURE_H

#include "core/logit/class_softmax.h"
#include "kernel_fixture.h"

enum
{
	N_ROWS = 6000, D = 4, K = 3, RECORD = 1 + D, SECOND = RECORD + D * (D + 1) / 2
};

typedef struct Table
{
	double		x[N_ROWS][D];		/* the last is the constant */
	int			class[N_ROWS];
} Table;

typedef struct Fit
{
	DpemClassFit fit;
	DpemWorkspace work;
} Fit;

static inline double *
zeros(size_t n)
{
	double	   *x = calloc(n, sizeof(double));

	if (x == NULL)
		abort();
	return x;
}

/* normal rows about three means, within classes `apart` times as near; of the last class `far` times as far, all of them clipped to the unit ball */
static inline void
make_table(Rng *rng, double apart, double far, Table *t)
{
	static const double mean[K][D - 1] = {{0.2, 0, 0}, {-0.1, 0.2, 0}, {-0.1, -0.2, 0.1}};

	for (int i = 0; i < N_ROWS; i++)
	{
		int			class = i % 8 < 4 ? 0 : i % 8 < 7 ? 1 : 2;
		double		times = class == 2 ? far : 1;
		double		square = 0.25;

		t->class[i] = class;
		for (int j = 0; j < D - 1; j++)
		{
			t->x[i][j] = times * (mean[class][j] + 0.1 * (1 + j) / apart * rng_normal(rng));
			square += t->x[i][j] * t->x[i][j];
		}
		t->x[i][D - 1] = 0.5;
		for (int j = 0; j < D && square > 1; j++)
			t->x[i][j] /= sqrt(square);
	}
}

static inline void
create_fit(Fit *f, double prior_variance)
{
	size_t		work = dpem_class_work(D);
	double	   *start = zeros(work);

	f->work = (DpemWorkspace) {start, start + work};
	f->fit = (DpemClassFit) {
		.d = D,.problems = K,.loss = {DPEM_LOSS_MULTINOMIAL, 1},.prior_variance = prior_variance,.together = true,.shared = true,.sum = zeros(D),
			.second = zeros(D * D),.axes = {D, zeros(D * D), zeros(D)},.problem = calloc(K, sizeof(DpemClassProblem))
	};
	for (int k = 0; k < K; k++)
	{
		DpemClassProblem *p = &f->fit.problem[k];

		p->s = (DpemLogitStatistics) {.d = D,.linear = zeros(D),.constant = true};
		p->fit.mean = zeros(D);
		p->axis = zeros(D);
		p->gain = zeros(D);
		p->g = zeros(D);
	}
}

/* second moments of all rows, and sums by class */
static inline void
sum_rows(const Table *t, double second[SECOND], double sums[K * RECORD])
{
	memset(second, 0, SECOND * sizeof(double));
	memset(sums, 0, K * RECORD * sizeof(double));
	second[0] = N_ROWS;
	for (int i = 0; i < N_ROWS; i++)
	{
		double	   *at = second + RECORD;

		for (int j = 0; j < D; j++)
		{
			second[1 + j] += t->x[i][j];
			sums[t->class[i] * RECORD + 1 + j] += t->x[i][j];
			for (int l = 0; l <= j; l++)
				*at++ += t->x[i][j] * t->x[i][l];
		}
	}
}

static inline void
take_first(const Table *t, double sum_sd, Fit *f)
{
	double		second[SECOND];
	double		sums[K * RECORD];
	DpemNoisyMoments m = {.layout = {1, D, DPEM_SECOND_FULL},.value = second};
	DpemNoisyMoments by_class = {.layout = {K, D, DPEM_SECOND_NONE},.value = sums,.sum_sd = sum_sd};

	sum_rows(t, second, sums);
	CHECK(dpem_class_take_second(&m, 0, &f->fit, f->work) == DPEM_OK && dpem_class_take_sums(&by_class, 1, &f->fit, f->work) == DPEM_OK, "statistics");
}

static inline double
score(const double *b, const double *x)
{
	double		sum = 0;

	for (int j = 0; j < D; j++)
		sum += b[j] * x[j];
	return sum;
}

/* gradient of all problems at b (K x D), as it is released; returns the log loss of a row */
static inline double
gradient_at(const Table *t, double (*b)[D], double *value)
{
	double		loss = 0;

	memset(value, 0, K * RECORD * sizeof(double));
	for (int i = 0; i < N_ROWS; i++)
	{
		double		p[K];
		double		sum = 0;

		for (int k = 0; k < K; k++)
			sum += p[k] = exp(score(b[k], t->x[i]));
		loss -= log(p[t->class[i]] / sum) / N_ROWS;
		for (int k = 0; k < K; k++)
			for (int j = 0; j < D; j++)
				value[k * RECORD + 1 + j] += ((k == t->class[i]) - p[k] / sum) * t->x[i][j];
	}
	return loss;
}

#endif							/* DPEM_SOFTMAX_FIXTURE_H */
