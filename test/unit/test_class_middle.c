/*
 * test_class_middle.c - a linear classifier of two classes where noise hides what columns say: what is left is the constant,
 * whatever clipped tails have in common with it (core/logit/class_estimate.h).
 */
#include <math.h>
#include <stdlib.h>

#include "core/logit/class_estimate.h"
#include "unit.h"

#define D		2
#define ROWS	1000.0
#define VALUE	0.5				/* of the constant */
#define TILT	-0.1			/* mean of the column, whose tail is clipped */

/* labels that have nothing to do with the column: their mean is that of all rows, sum y x = mean sum x */
static void
release(double mean, double sd, double *second, double *sums, DpemNoisyMoments m[2])
{
	const double x[] = {ROWS * TILT, ROWS * VALUE};
	const double products[] = {0.02 * ROWS, TILT * VALUE * ROWS, VALUE * VALUE * ROWS};

	second[0] = ROWS;
	for (int j = 0; j < D; j++)
	{
		second[1 + j] = x[j];
		sums[1 + j] = mean * x[j];
	}
	for (int j = 0; j < 3; j++)
		second[1 + D + j] = products[j];
	m[0] = (DpemNoisyMoments) {.layout = {1, D, DPEM_SECOND_FULL},.value = second,.count_sd = sd,.sum_sd = sd,.second_sd = sd};
	m[1] = (DpemNoisyMoments) {.layout = {1, D, DPEM_SECOND_NONE},.value = sums,.sum_sd = sd};
}

/* a fit of one problem, and a release of it */
typedef struct Fit
{
	double		second[6];
	double		sums[4];
	double		origin[D];
	double		numbers[8 * D + 3 * D * D];
	DpemNoisyMoments m[2];
	DpemClassProblem p;
	DpemClassFit fit;
} Fit;

static void
make_fit(double mean, double sd, Fit *f)
{
	*f = (Fit) {.p = {.mean = f->numbers}};
	f->fit = (DpemClassFit) {
		.d = D,.problems = 1,.loss = {DPEM_LOSS_HINGE, 0.5},.sum = f->numbers + D,.second = f->numbers + 8 * D,.problem = &f->p
	};
	f->p.s = (DpemLogitStatistics) {
		.d = D,.linear = f->numbers + 2 * D,.second = f->fit.second,.constant = true,.loss = &f->fit.loss,.mean = f->p.mean
	};
	f->p.fit = (DpemLogit) {
		.d = D,.mean = f->numbers + 3 * D,.share = 1,.covariance = f->numbers + 8 * D + D * D,.turn = f->numbers + 8 * D + 2 * D * D
	};
	release(mean, sd, f->second, f->sums, f->m);
}

static void
take(Fit *f)
{
	size_t		size = dpem_class_work(D);
	DpemWorkspace work = {malloc(size * sizeof(double)), NULL};

	work.end = work.next + size;
	CHECK(dpem_class_take_second(&f->m[0], 0, &f->fit, work) == DPEM_OK && dpem_class_take_sums(&f->m[1], 1, &f->fit, work) == DPEM_OK, "sums");
	free(work.next);
}

/* scores of the column's deviation and of the constant; noise of the constant's */
static void
find(bool expected, double mean, double sd, double score[3])
{
	Fit			f;

	make_fit(mean, sd, &f);
	f.p.s.value = VALUE;
	f.p.s.origin = expected ? f.origin : NULL;
	take(&f);
	score[0] = f.p.fit.mean[0] * sqrt(0.02);
	score[1] = f.p.fit.mean[1] * VALUE;
	score[2] = hypot(f.p.fit.turn[2], f.p.fit.turn[3]) * VALUE;
}

/* where noise hides, columns of one mean are told apart by class about that mean, whatever else the constant has in common with them */
static void
check_hidden(double mean, double apart)
{
	Fit			f;

	make_fit(mean, 60, &f);
	f.m[0].sum_sd = 6;
	f.sums[1] += ROWS * apart * (1 - mean * mean) / 2;
	f.p.s.origin = f.origin;
	f.fit.constant = VALUE;
	f.fit.hidden = true;
	take(&f);
	CHECK(f.p.fit.mean[1] * mean > 0, "the constant has %g of a mean of %g", f.p.fit.mean[1], mean);
	if (apart != 0)
		CHECK(f.p.fit.mean[0] * apart > 0, "a column that is %g apart has %g", apart, f.p.fit.mean[0]);
	else
		CHECK(fabs(f.p.fit.mean[0]) < 0.1, "a column that says nothing has %g", f.p.fit.mean[0]);
}

int
main(void)
{
	double		score[3];

	for (int side = -1; side <= 1; side += 2)
	{
		find(true, 0.96 * side, 30, score);
		CHECK(fabs(score[0]) < 0.01 && score[1] * side > 0.5, "a column that says nothing has %g, the constant %g", score[0], score[1]);
		CHECK(score[2] > 30 / ROWS / VALUE, "noise of the constant: %g", score[2]);
		find(false, 0.96 * side, 30, score);
		CHECK(fabs(score[0]) > 0.05, "about zero it has some of the constant's: %g", score[0]);
	}
	find(true, 0.96, 0, score);
	CHECK(fabs(score[0]) < 0.01, "without noise: %g", score[0]);
	for (int side = -1; side <= 1; side += 2)
		for (int apart = -1; apart <= 1; apart++)
			check_hidden(0.9 * side, 0.2 * apart);
	return unit_report();
}
