/*
 * test_atom_rest.c - rows that are not at an atom are as wide as margins show them, where noise lets these be seen.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/density/atom_rest.h"
#include "margins_release.h"

#define COLUMNS	2
#define D		2
#define ROWS	3000
#define ATOM	73.0
#define SHARE	0.4
#define MEAN	40.0			/* of the others, */
#define DEVIATION 10.0			/* in a domain from 0 to 100 */

/* four in ten at a value, the others normal, in box coordinates; and a column that is all normal */
static double
row(Rng *rng, int j)
{
	if (j == 0 && rng_below(rng, 10) < 4)
		return ATOM / 50 - 1;
	return (MEAN + DEVIATION * rng_normal(rng)) / 50 - 1;
}

/* two components that are alike, whose moments together with the atom's have rests of that deviation */
static double
scale_of(const DpemMargins *margins, double deviation, DpemWorkspace work)
{
	double		width = 100.0 / dpem_margin_level_bins(&margins->grid, margins->grid.levels - 1);
	DpemAtomLaw law = dpem_atom_law(floor(ATOM / width) * width, (floor(ATOM / width) + 1) * width, 0, 100);
	double		away = (law.lower + law.upper) / 2 - MEAN;
	double		mean = MEAN + SHARE * away;
	double		variance = (1 - SHARE) * deviation * deviation + SHARE * (1 - SHARE) * away * away;
	const double weights[] = {0.3, 0.7};
	const double means[] = {mean, mean};
	const double variances[] = {variance, variance};
	const double shares[] = {SHARE, SHARE};
	DpemAtomNumber number = {2, weights, means, variances, shares, &law, 0, 100};

	return dpem_atom_rest_scale(margins, 0, &number, work);
}

/* noise: standard deviation in a first-level bin, in rows */
static void
check_noise(Rng *rng, double noise, bool seen)
{
	Fixture		f = make_fixture(D, COLUMNS);
	DpemWorkspace work = workspace(dpem_atom_rest_work(&f.grid, 2));
	DpemNoisyMoments m;
	double		narrow;
	double		right;
	double		wide;

	for (int round = 0; round < 20; round++)
	{
		DpemMargins margins;

		release(rng, &f, ROWS, row, noise * dpem_margin_mark(&f.grid, 0), &m);
		margins = dpem_margins_take(&f.grid, &m, ROWS);
		/* the least variance that is left of moments is a twentieth */
		narrow = scale_of(&margins, DEVIATION / 2, work);
		right = scale_of(&margins, DEVIATION, work);
		wide = scale_of(&margins, 3 * DEVIATION, work);
		CHECK(right == 1, "with noise of %g rows rests that are as wide as they are seen are left: %g", noise, right);
		CHECK(seen ? narrow > 1.6 && narrow < 2.5 : narrow == 1, "with noise of %g rows half as wide: %g", noise, narrow);
		CHECK(seen ? wide > 0.3 && wide < 0.5 : wide == 1, "with noise of %g rows three times as wide: %g", noise, wide);
		free(m.value);
	}
	free(work.next);
	free_fixture(&f);
}

int
main(void)
{
	Rng			rng = {17};

	check_noise(&rng, 1, true);
	check_noise(&rng, 10, true);
	check_noise(&rng, 200, false);
	return unit_report();
}
