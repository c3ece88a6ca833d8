/*
 * test_information.c - mutual information from counts with noise: values without noise, coverage, ranks.
 *
 * Deviates are seeded, the same in every run.
 */
#include <math.h>
#include <stdlib.h>

#include "kernel_fixture.h"
#include "core/bayes/information.h"
#include "unit.h"

#define CLASSES 2
#define COLUMNS 3
#define CELLS 24				/* 8 of each column */
#define ROWS 30000.0
#define ROUNDS 2000

/* of a cell of a column given the class: columns that say much, little, and nothing */
static double
share(int class, int column, int cell)
{
	static const double strength[COLUMNS] = {0.8, 0.2, 0};
	double		tilt = strength[column] * (cell - 3.5) / 3.5;

	return (1 + (class == 0 ? tilt : -tilt)) / 8;
}

static void
fill_counts(double *count)
{
	for (int c = 0; c < CLASSES; c++)
	{
		double		rows = ROWS * (c == 0 ? 0.3 : 0.7);

		count[c * (1 + CELLS)] = rows;
		for (int i = 0; i < CELLS; i++)
			count[c * (1 + CELLS) + 1 + i] = rows * share(c, i / 8, i % 8);
	}
}

static double
exact_information(int column)
{
	double		sum = 0;

	for (int i = 0; i < 8; i++)
		for (int c = 0; c < CLASSES; c++)
		{
			double		class = c == 0 ? 0.3 : 0.7;
			double		cell = 0.3 * share(0, column, i) + 0.7 * share(1, column, i);

			sum += class * share(c, column, i) * log(share(c, column, i) / cell);
		}
	return sum;
}

static void
check_noise(Rng *rng, double sd)
{
	static const int length[COLUMNS] = {8, 8, 8};
	static const bool yes[COLUMNS] = {true, true, true};
	double		count[CLASSES * (1 + CELLS)];
	double		noisy[CLASSES * (1 + CELLS)];
	DpemBayesCounts counts = {CLASSES, COLUMNS, CELLS, length, yes, yes, sd, noisy};
	double	   *memory = malloc(dpem_information_work(&counts) * sizeof(double));
	double		mean[COLUMNS] = {0};
	int			covered[COLUMNS] = {0};
	int			ranked = 0;

	fill_counts(count);
	for (int round = 0; round < ROUNDS; round++)
	{
		DpemInformation out[COLUMNS];
		bool		within = true;

		for (int i = 0; i < CLASSES * (1 + CELLS); i++)
			noisy[i] = count[i] + sd * rng_normal(rng);
		dpem_information(&counts, out, (DpemWorkspace) {memory, memory + dpem_information_work(&counts)});
		for (int j = 0; j < COLUMNS; j++)
		{
			mean[j] += out[j].value / ROUNDS;
			covered[j] += out[j].lower <= exact_information(j) && exact_information(j) <= out[j].upper;
			within = within && out[j].rank_best <= j + 1 && j + 1 <= out[j].rank_worst;
		}
		ranked += within;
	}
	for (int j = 0; j < 2; j++)
		CHECK(fabs(mean[j] - exact_information(j)) < 0.02 * exact_information(j) + 1e-9 + sd * sd * 2e-9, "column %d: %g, not %g", j, mean[j], exact_information(j));
	/* what is above 0 only by noise: much less than what noise adds, 7 sd^2 / (2 rows) (1 / 0.3 + 1 / 0.7) 8 of a cell */
	CHECK(mean[2] < 0.5 * 7 * sd * sd * 8 * (1 / 0.3 + 1 / 0.7) / (2 * ROWS * ROWS) + 1e-12, "nothing: %g", mean[2]);
	for (int j = 0; j < COLUMNS; j++)
		CHECK(sd == 0 || covered[j] > ROUNDS * 0.92, "sd %g, column %d: %d of %d intervals", sd, j, covered[j], ROUNDS);
	CHECK(ranked > ROUNDS * 0.94, "sd %g: %d of %d rankings", sd, ranked, ROUNDS);
	free(memory);
}

int
main(void)
{
	Rng			rng = {2020};

	check_noise(&rng, 0);
	check_noise(&rng, 5);
	check_noise(&rng, 40);
	check_noise(&rng, 150);
	return unit_report();
}
