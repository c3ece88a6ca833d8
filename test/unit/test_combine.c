/*
 * test_combine.c - averages of releases by the inverse variance of their noise.
 *
 * Against sums written out, at the ends of what doubles hold, and, with a fixed seed that always gives
 * the same, against the spread of averages of normal noise.
 */
#include "core/statistics/combine.h"
#include "kernel_fixture.h"

static void
check_written_out(void)
{
	static const double value[] = {10, 14, 9};
	static const double deviation[] = {1, 2, 0.5};
	DpemAverage a = {0};

	CHECK(isnan(dpem_average_deviation(&a)), "of nothing");
	for (int i = 0; i < 3; i++)
		dpem_average_add(&a, value[i], deviation[i]);
	CHECK_CLOSE(a.mean, (10 + 14 / 4.0 + 9 * 4) / 5.25, 1e-12, "an average");
	CHECK_CLOSE(dpem_average_deviation(&a), 1 / sqrt(5.25), 1e-12, "an average");
}

/* units of which a square is 0 or infinite */
static void
check_far_out(void)
{
	for (int sign = -1; sign <= 1; sign += 2)
	{
		double		unit = ldexp(1, sign * 900);
		DpemAverage a = {0};

		dpem_average_add(&a, 3 * unit, unit);
		CHECK_CLOSE(dpem_average_deviation(&a), unit, 1e-12, "an average");
		dpem_average_add(&a, 5 * unit, unit);
		CHECK_CLOSE(a.mean, 4 * unit, 1e-12, "an average");
		CHECK_CLOSE(dpem_average_deviation(&a), unit / sqrt(2), 1e-12, "an average");
	}
}

/* the deviation of 20,000 averages, whose own is known to 0.5 %: 3 % is six of these */
static void
check_spread(Rng *rng)
{
	double		squares = 0;
	double		said = 0;

	for (int run = 0; run < 20000; run++)
	{
		DpemAverage a = {0};

		for (int i = 1; i <= 4; i++)
			dpem_average_add(&a, 7 + i * rng_normal(rng), i);
		squares += (a.mean - 7) * (a.mean - 7);
		said = dpem_average_deviation(&a);
	}
	CHECK_CLOSE(sqrt(squares / 20000), said, 0.03, "the spread of averages");
	/* weights that are all the same would have 1.37, of the least noisy alone 1 */
	CHECK(said < 0.85, "%g", said);
}

static void
check_agreement(void)
{
	CHECK(dpem_average_agrees(0, 3, 24.9, 4) && dpem_average_agrees(24.9, 4, 0, 3), "within five deviations of the difference");
	CHECK(!dpem_average_agrees(0, 3, 25.1, 4) && !dpem_average_agrees(25.1, 4, 0, 3), "beyond them");
}

int
main(void)
{
	Rng			rng = {20};

	check_written_out();
	check_far_out();
	check_agreement();
	check_spread(&rng);
	return unit_report();
}
