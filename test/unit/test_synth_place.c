/*
 * test_synth_place.c - where bins of numbers are placed: they are always bins, and where rows are, however wide the domain.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numeric/public_random.h"
#include "core/synth/synth_place.h"
#include "core/synth/synth_rules.h"
#include "unit.h"

#define ROWS	10000
#define BINS	32

/* rows by the parts of a domain that they are in */
typedef struct Rows
{
	int			parts;
	int			n;
	int			at[ROWS];
} Rows;

static void
count_rows(const Rows *rows, const DpemSynthBins *bins, double *count)
{
	memset(count, 0, (size_t) bins->bins * sizeof *count);
	for (int i = 0; i < rows->n; i++)
	{
		int			b = 0;

		while (bins->edge[b + 1] <= rows->at[i])
			b++;
		count[b]++;
	}
}

/* ascending from 0 to the end, as many as asked for */
static bool
are_bins(const DpemSynthBins *bins, int parts, int n)
{
	bool		good = bins->bins == n && bins->edge[0] == 0 && bins->edge[n] == parts;

	for (int i = 0; i < n; i++)
		good = good && bins->edge[i] < bins->edge[i + 1];
	return good;
}

/* looks with such noise in a bin; false: some of them were no bins */
static bool
place(const Rows *rows, double sd, DpemPublicRandom *random, DpemSynthBins *bins)
{
	int			n = (int) fmin(rows->parts, dpem_synth_look_bins(sd / rows->n));
	bool		good = true;

	dpem_synth_equal_bins(rows->parts, n, bins);
	for (int l = 0; l < dpem_synth_place_rules.looks; l++)
	{
		bool		last = l == dpem_synth_place_rules.looks - 1;
		DpemSynthBins from = *bins;
		double		count[DPEM_SYNTH_SIZE];

		count_rows(rows, &from, count);
		for (int b = 0; b < n; b++)
			count[b] += sd * dpem_public_normal(random);
		if (last)
			dpem_synth_place_last(&from, count, sd, BINS, bins);
		else
			dpem_synth_place(&from, count, sd, n, bins);
		good = good && are_bins(bins, rows->parts, last ? BINS : n);
	}
	return good;
}

/* the exponential of the entropy of the rows' bins */
static double
filled(const Rows *rows, const DpemSynthBins *bins)
{
	double		count[DPEM_SYNTH_SIZE];
	double		entropy = 0;

	count_rows(rows, bins, count);
	for (int b = 0; b < bins->bins; b++)
		entropy -= count[b] > 0 ? count[b] / rows->n * log(count[b] / rows->n) : 0;
	return exp(entropy);
}

static void
take_rows(Rows *rows, double (*draw) (DpemPublicRandom *), double from, double width, DpemPublicRandom *random)
{
	rows->n = ROWS;
	for (int i = 0; i < ROWS; i++)
	{
		double		at = from + width * draw(random);

		rows->at[i] = (int) fmin(fmax(at, 0), rows->parts - 1);
	}
}

static double
draw_amount(DpemPublicRandom *random)
{
	return exp(1.5 * dpem_public_normal(random));
}

static double
draw_gain(DpemPublicRandom *random)
{
	return dpem_public_normal(random) < 1 ? 0 : exp(dpem_public_normal(random));
}

/* rows fill a good part of the bins, whose rows equal ones have in one or two */
static void
test_wide(void)
{
	DpemPublicRandom random = {11};
	static Rows rows = {.parts = 1 << 24};
	static DpemSynthBins bins;
	double		least[3] = {BINS, BINS, BINS};
	int			bad = 0;

	for (int width = 20; width <= 20000; width *= 10)
		for (int round = 0; round < 30; round++)
		{
			double		sd = rows.parts / 8.0 / width;
			double		sd_noise = round % 3 == 0 ? 1 : round % 3 == 1 ? 50 : 200;
			double		middle = rows.parts * (0.1 + 0.8 * dpem_public_uniform(&random));

			take_rows(&rows, dpem_public_normal, middle, sd, &random);
			bad += !place(&rows, sd_noise, &random, &bins);
			least[0] = fmin(least[0], filled(&rows, &bins));
			take_rows(&rows, draw_amount, 0, sd, &random);
			bad += !place(&rows, sd_noise, &random, &bins);
			least[1] = fmin(least[1], filled(&rows, &bins));
			take_rows(&rows, draw_gain, 0, 5 * sd, &random);
			bad += !place(&rows, sd_noise, &random, &bins);
			least[2] = fmin(least[2], filled(&rows, &bins));
		}
	CHECK(bad == 0, "%d times some are no bins", bad);
	CHECK(least[0] > 6 && least[1] > 6, "rows of a bell fill %g of %d bins, amounts %g", least[0], BINS, least[1]);
	CHECK(least[2] > 1.55, "rows beside one value fill %g bins", least[2]);
}

/* where rows fill their domain bins are equal, whatever noise hides */
static void
test_ordinary(void)
{
	DpemPublicRandom random = {17};
	static Rows rows = {.parts = 1 << 24};
	DpemSynthBins bins;
	DpemSynthBins equal;
	int			other = 0;

	dpem_synth_equal_bins(rows.parts, BINS, &equal);
	for (int round = 0; round < 60; round++)
	{
		double		noise[] = {1, 50, 200, 500};

		if (round % 2 == 0)
			take_rows(&rows, dpem_public_normal, rows.parts / 2.0, rows.parts / 8.0, &random);
		else
			take_rows(&rows, dpem_public_uniform, 0, rows.parts, &random);
		(void) place(&rows, noise[round % 4], &random, &bins);
		other += memcmp(bins.edge, equal.edge, (BINS + 1) * sizeof(int)) != 0;
	}
	CHECK(other == 0, "%d times bins of an ordinary domain are not equal", other);
}

/* in intervals of few rows next to none are in bins that are far away, and flagged as such */
static void
test_empty(void)
{
	DpemPublicRandom random = {23};
	static Rows rows = {.parts = 1 << 24};
	DpemSynthBins bins;
	int			far = 0;

	for (int round = 0; round < 60; round++)
	{
		double		sd = rows.parts / 800.0;

		take_rows(&rows, dpem_public_normal, rows.parts / 3.0, sd, &random);
		(void) place(&rows, 100, &random, &bins);
		for (int b = 0; b < BINS; b++)
			far += !bins.empty[b] && fabs(bins.edge[b] - rows.parts / 3.0) > 30 * sd && fabs(bins.edge[b + 1] - rows.parts / 3.0) > 30 * sd;
	}
	CHECK(far <= 2, "%d bins far from all rows are taken for such that have some", far);
}

/* of any counts, in any number of parts, and whatever is empty */
static void
test_bins(void)
{
	DpemPublicRandom random = {5};
	int			bad = 0;

	for (int round = 0; round < 20000; round++)
	{
		static const int domain[] = {40, 81, 300, 5000, 1 << 24};
		int			parts = domain[dpem_public_index(&random, 5)];
		DpemSynthBins bins;
		double		sd = pow(10, -3 + 6 * dpem_public_uniform(&random));
		double		power = 12 * dpem_public_uniform(&random);

		dpem_synth_equal_bins(parts, 16 + (int) dpem_public_index(&random, 20), &bins);
		for (int look = 0; look < 3; look++)
		{
			DpemSynthBins from = bins;
			double		count[DPEM_SYNTH_SIZE];
			int			n = look < 2 ? from.bins : 32;

			for (int b = 0; b < from.bins; b++)
				count[b] = 1000 * pow(dpem_public_uniform(&random), power) + sd * dpem_public_normal(&random);
			(look < 2 ? dpem_synth_place : dpem_synth_place_last) (&from, count, sd, n, &bins);
			bad += !are_bins(&bins, parts, n);
		}
	}
	CHECK(bad == 0, "%d times some are no bins", bad);
}

int
main(void)
{
	test_bins();
	test_ordinary();
	test_empty();
	test_wide();
	return unit_report();
}
