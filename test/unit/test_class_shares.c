/*
 * test_class_shares.c - shares of several classes from residuals alone (core/columns/class_shares.h).
 */
#include <math.h>

#include "core/columns/class_shares.h"
#include "kernel_fixture.h"
#include "unit.h"

#define CLASSES	4
#define PASSES	7

static const double rows_of[CLASSES] = {600, 250, 150, 0};

/* sums of residuals where all rows are certain to be of that class */
static void
release(Rng *rng, double sd, int certain, double *residual)
{
	for (int t = 0; t < CLASSES; t++)
		residual[t] = rows_of[t] - (t == certain ? 1000 : 0) + sd * rng_normal(rng);
}

/* root mean square of what shares of 400 fits are off by, in the noise that is said of them */
static double
error_of(Rng *rng, double known, double known_sd, double sd, double *worst)
{
	double		square = 0;

	*worst = 0;
	for (int i = 0; i < 400; i++)
	{
		double		count[CLASSES] = {0};
		double		precision[CLASSES] = {0};
		double		residual[CLASSES];
		double		sum = 0;
		DpemClassShares shares = {CLASSES, known, known_sd, count, precision};

		for (int pass = 0; pass < PASSES; pass++)
		{
			release(rng, sd, pass % CLASSES, residual);
			dpem_class_shares_take(residual, sd, pass % CLASSES, &shares);
		}
		dpem_class_shares_find(&shares, count, precision);
		for (int t = 0; t < CLASSES; t++)
		{
			CHECK(count[t] > 0, "class %d has no share", t);
			sum += count[t];
			square += pow((count[t] - rows_of[t] / 1000) / precision[t], 2) / CLASSES / 400;
			*worst = fmax(*worst, fabs(count[t] - rows_of[t] / 1000));
		}
		CHECK(fabs(sum - 1) < 1e-12, "shares add up to %g", sum);
	}
	return sqrt(square);
}

int
main(void)
{
	Rng			rng = {53};
	double		worst;
	double		error = error_of(&rng, 1000, 0, 30, &worst);

	/* 1,600 deviates, a quarter of them cut at 0: chance of more than 1.2 is below 1e-9 */
	CHECK(error < 1.2 && worst < 0.08, "public rows: %g of the noise, at most %g", error, worst);
	/* of rows that may be others, those passes in which a class is not certain tell its number */
	error = error_of(&rng, 2000, 1000, 30, &worst);
	CHECK(error < 1.3 && worst < 0.1, "other rows: %g of the noise, at most %g", error, worst);
	/* noise of any size leaves shares */
	for (int i = 0; i < 6; i++)
		error_of(&rng, 1, 1, pow(100, i), &worst);
	return unit_report();
}
