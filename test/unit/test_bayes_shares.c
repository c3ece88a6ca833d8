/*
 * test_bayes_shares.c - classes' shares of the rows, by their own counts and by those of columns (core/bayes/bayes_estimate.h).
 */
#include <math.h>
#include <stdlib.h>

#include "core/bayes/bayes_estimate.h"
#include "kernel_fixture.h"

#define CLASSES	2
#define LABELS	12				/* of two categories each, whose rows may have neither */
#define CELLS	(2 * LABELS)
#define ROWS	1000.0
#define SHARE	0.2				/* of the second class */
#define DRAWS	400

static const int length[LABELS] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
static const bool no[LABELS];

/* the second class's estimated share; known: the part of the rows of each class that has a category */
static double
share_of(Rng *rng, double sd, const double *known)
{
	double		count[CLASSES * (1 + CELLS)];
	double		weight[CLASSES];
	double		weight_noise[CLASSES];
	double		noise[CLASSES];
	double		probability[CLASSES * CELLS];
	DpemBayesCounts counts = {CLASSES, LABELS, CELLS, length, no, no, sd, count};
	DpemBayes	bayes = {weight, weight_noise, probability, noise};
	size_t		n = dpem_bayes_estimate_work(&counts);
	double	   *memory = numbers(n);

	for (int c = 0; c < CLASSES; c++)
		for (int i = 0; i <= CELLS; i++)
		{
			double		rows = ROWS * (c == 1 ? SHARE : 1 - SHARE);

			count[c * (1 + CELLS) + i] = (i == 0 ? rows : rows * known[c] / 2) + sd * rng_normal(rng);
		}
	dpem_bayes_estimate(&counts, &bayes, (DpemWorkspace) {memory, memory + n});
	free(memory);
	return weight[1];
}

static double
error_of(Rng *rng, double sd, const double *known)
{
	double		square = 0;

	for (int i = 0; i < DRAWS; i++)
		square += pow(share_of(rng, sd, known) - SHARE, 2) / DRAWS;
	return sqrt(square);
}

int
main(void)
{
	static const double all[] = {1, 1};
	static const double other[] = {0.9, 0.3};
	Rng			rng = {11};
	double		much = error_of(&rng, 100, all);
	double		little = error_of(&rng, 3, other);

	/* the class's own count alone: 0.066 */
	CHECK(much < 0.045, "columns that all rows have say more of the share: off by %g", much);
	/* the same: 0.0025; the sums of columns that few rows of the class have would make 0.1 of 0.2 */
	CHECK(little < 0.01, "those that are unlike say little: off by %g", little);
	return unit_report();
}
