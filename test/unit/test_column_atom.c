/*
 * test_column_atom.c - values that many rows have: found in released margins, their laws, and what is left of a component without them.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/columns/column_atom.h"
#include "margins_release.h"

#define COLUMNS	4
#define D		5

static const DpemColumnValues values[] = {DPEM_VALUES_DENSITY, DPEM_VALUES_DENSITY, DPEM_VALUES_DENSITY, DPEM_VALUES_CATEGORY};
static const double lower[] = {0, -10, 0, 0};
static const double upper[] = {100, 10, 1, 1};

/* seven in ten at the lower end and a tail; normal; all but one in fifty at a value; and a category */
static double
unlike(Rng *rng, int j)
{
	switch (j)
	{
		case 0:
			return rng_below(rng, 10) < 7 ? -1 : fmin(-1 + 0.1 * exp(0.7 * rng_normal(rng)), 1);
		case 1:
			return fmin(fmax(0.3 * rng_normal(rng), -1), 1);
		case 2:
			return rng_below(rng, 50) > 0 ? 0.25 : 1;
		default:
			return rng_below(rng, 4) == 0;
	}
}

static void
test_found(Rng *rng)
{
	Fixture		f = make_fixture(D, COLUMNS);
	DpemWorkspace work = workspace(dpem_column_atoms_work(&f.grid));
	DpemNoisyMoments m;
	DpemColumnAtom atom[COLUMNS];

	for (int round = 0; round < 20; round++)
	{
		DpemMargins margins;

		release(rng, &f, 3000, unlike, 3000 * dpem_margin_mark(&f.grid, 0) / 150, &m);
		margins = dpem_margins_take(&f.grid, &m, 3000);
		margins.values = values;
		dpem_column_atoms(&margins, lower, upper, atom, work);
		CHECK(fabs(atom[0].share - 0.7) < 0.1 && atom[0].alone, "share %g, alone %d", atom[0].share, atom[0].alone);
		CHECK(atom[0].lower == 0 && atom[0].upper > 0 && atom[0].upper < 15, "in [%g, %g]", atom[0].lower, atom[0].upper);
		CHECK(atom[2].share == 0, "a single value is no atom: %g", atom[2].share);
		CHECK(atom[3].share == 0, "a category is no atom: %g", atom[3].share);
		free(m.value);
	}
	free(work.next);
	free_fixture(&f);
}

/* an eighth of the rows anywhere, which noise hides in each bin, and a fiftieth */
static double
scattered(Rng *rng, int j)
{
	return rng_below(rng, j < 2 ? 8 : 50) > 0 ? (j % 2 ? 0.25 : -1) : rng_uniform(rng, -1, 1);
}

/* rows that a value clearly does not have make it an atom; one that has all but a few is all that there is */
static void
test_scattered(Rng *rng)
{
	static const DpemColumnValues densities[] = {DPEM_VALUES_DENSITY, DPEM_VALUES_DENSITY, DPEM_VALUES_DENSITY, DPEM_VALUES_DENSITY};
	Fixture		f = make_fixture(COLUMNS, COLUMNS);
	DpemWorkspace work = workspace(dpem_column_atoms_work(&f.grid));
	int			atoms = 0;
	int			values = 0;

	for (int round = 0; round < 20; round++)
	{
		DpemNoisyMoments m;
		DpemMargins margins;
		DpemColumnAtom atom[COLUMNS];

		release(rng, &f, 3000, scattered, 3000 * dpem_margin_mark(&f.grid, 0) / 100, &m);
		margins = dpem_margins_take(&f.grid, &m, 3000);
		margins.values = densities;
		dpem_column_atoms(&margins, lower, upper, atom, work);
		for (int j = 0; j < COLUMNS; j++)
		{
			atoms += j < 2 && fabs(atom[j].share - 0.875) < 0.1;
			values += j >= 2 && atom[j].share == 0;
		}
		free(m.value);
	}
	CHECK(atoms >= 30, "%d of 40 values with an eighth of the rows elsewhere are atoms", atoms);
	CHECK(values >= 36, "%d of 40 values of all but a fiftieth are single ones", values);
	free(work.next);
	free_fixture(&f);
}

static double
normal(Rng *rng, int j)
{
	(void) j;
	return fmin(fmax(0.02 * rng_normal(rng), -1), 1);
}

/* atoms in many releases of the same rows, with noise of that share of the rows in a bin of the last level */
typedef struct Found
{
	int			here;			/* where `at` is, in box coordinates */
	int			elsewhere;
} Found;

static void
count_atoms(const DpemColumnAtom *atom, double at, Found *found)
{
	for (int j = 0; j < COLUMNS; j++)
	{
		double		x = (lower[j] + upper[j]) / 2 + at * (upper[j] - lower[j]) / 2;
		bool		here = atom[j].lower <= x && atom[j].upper >= x;

		found->here += atom[j].share > 0 && here;
		found->elsewhere += atom[j].share > 0 && !here;
	}
}

static Found
find_often(Rng *rng, double (*value) (Rng *rng, int j), int rows, double noise, int rounds, double at)
{
	Fixture		f = make_fixture(D, COLUMNS);
	DpemWorkspace work = workspace(dpem_column_atoms_work(&f.grid));
	double		sd = noise * rows * dpem_margin_mark(&f.grid, f.grid.levels - 1);
	double	   *exact;
	Found		found = {0};
	DpemNoisyMoments m;

	release(rng, &f, rows, value, 0, &m);
	exact = m.value;
	m.value = numbers(f.length);
	m.sum_sd = sd;
	for (int round = 0; round < rounds; round++)
	{
		DpemColumnAtom atom[COLUMNS];
		DpemMargins margins;

		for (size_t i = 0; i < f.length; i++)
			m.value[i] = exact[i] + (i % (D + 1) > 0 ? sd * rng_normal(rng) : 0);
		margins = dpem_margins_take(&f.grid, &m, rows);
		dpem_column_atoms(&margins, lower, upper, atom, work);
		count_atoms(atom, at, &found);
	}
	free(exact);
	free(m.value);
	free(work.next);
	free_fixture(&f);
	return found;
}

/* where noise hides all bins, those that it makes to have many rows are no atoms */
static void
test_hidden(Rng *rng)
{
	Found		found = find_often(rng, normal, 300, 0.3, 3000, 0);

	CHECK(found.here + found.elsewhere <= 2, "%d atoms of smooth columns in 3000 releases", found.here + found.elsewhere);
}

static double
bell(Rng *rng, int j)
{
	(void) j;
	return 0.05 * rng_normal(rng);
}

#define MANY 38

/* atoms in so many releases of many smooth columns, in which noise has more bins to fill */
static int
count_of_many(Rng *rng, int rows, double noise, int rounds)
{
	Fixture		f = make_fixture(MANY + 1, MANY);
	DpemWorkspace work = workspace(dpem_column_atoms_work(&f.grid));
	double		sd = noise * rows * dpem_margin_mark(&f.grid, f.grid.levels - 1);
	double	   *noisy = numbers(f.length);
	double		ends[2 * MANY];
	int			found = 0;
	DpemNoisyMoments m;

	for (int j = 0; j < 2 * MANY; j++)
		ends[j] = j < MANY ? -1 : 1;
	release(rng, &f, rows, bell, 0, &m);
	for (int round = 0; round < rounds; round++)
	{
		DpemColumnAtom atom[MANY];
		DpemNoisyMoments seen = m;
		DpemMargins margins;

		seen.value = noisy;
		seen.sum_sd = sd;
		for (size_t i = 0; i < f.length; i++)
			noisy[i] = m.value[i] + (i % (MANY + 2) > 0 ? sd * rng_normal(rng) : 0);
		margins = dpem_margins_take(&f.grid, &seen, rows);
		dpem_column_atoms(&margins, ends, ends + MANY, atom, work);
		for (int j = 0; j < MANY; j++)
			found += atom[j].share > 0;
	}
	free(m.value);
	free(noisy);
	free(work.next);
	free_fixture(&f);
	return found;
}

static void
test_many(Rng *rng)
{
	int			found = count_of_many(rng, 300, 0.1, 400);

	CHECK(found <= 3, "%d atoms of %d smooth columns in 400 releases", found, MANY);
}

/* a third at one value, the others anywhere */
static double
third(Rng *rng, int j)
{
	(void) j;
	return rng_below(rng, 3) == 0 ? 0.1234 : rng_uniform(rng, -1, 1);
}

/* where no level by itself shows an atom, the last two may together */
static void
test_together(Rng *rng)
{
	Found		found = find_often(rng, third, 3000, 0.075, 300, 0.1234);

	CHECK(found.here > 0.6 * COLUMNS * 300, "%d of %d found", found.here, COLUMNS * 300);
	CHECK(found.elsewhere < 0.01 * COLUMNS * 300, "%d of %d elsewhere", found.elsewhere, COLUMNS * 300);
}

/* rows are counted by integers: wherever a value is, its rows are within what its bin is said to be */
static void
test_bins(Rng *rng)
{
	Fixture		f = make_fixture(D, COLUMNS);
	int			bins = dpem_margin_level_bins(&f.grid, f.grid.levels - 1);

	for (int round = 0; round < 2000; round++)
	{
		double		x = rng_uniform(rng, -1, 1);
		double		unit = ldexp(f.grid.radius, -DPEM_FINE_BITS);
		double		at = (rint(x / unit) * unit + 1) / 2 * bins;
		double		least;
		double		most;

		dpem_margins_bin(&f.grid, (int) fmin(fmax(at, 0), bins - 1), &least, &most);
		CHECK(x >= least - 1e-12 && x <= most + 1e-12, "%g is counted in [%g, %g]", x, least, most);
	}
	free_fixture(&f);
}

/* densities integrate to 1, draws are in the bin */
static void
check_law(const DpemAtomLaw *law, Rng *rng)
{
	double		width = law->upper - law->lower;
	double		sum = 0;
	int			steps = 100000;

	for (int i = 0; i < steps; i++)
		sum += exp(dpem_atom_log_density(law, law->lower + (i + 0.5) * width / steps)) * width / steps;
	CHECK(fabs(sum - 1) < 1e-3, "the law integrates to %g", sum);
	CHECK(dpem_atom_log_density(law, law->upper + width) == -INFINITY && dpem_atom_log_density(law, law->lower - width) == -INFINITY, "beyond the bin");
	for (int i = 0; i < 100; i++)
	{
		double		x = dpem_atom_draw(law, rng_uniform(rng, 0, 1), rng_uniform(rng, 0, 1));

		CHECK(x >= law->lower && x <= law->upper, "%g is drawn from [%g, %g]", x, law->lower, law->upper);
	}
}

static void
test_laws(Rng *rng)
{
	DpemAtomLaw zero = dpem_atom_law(-1, 3, -100, 100);
	DpemAtomLaw end = dpem_atom_law(97, 100, 5, 100);
	DpemAtomLaw none = dpem_atom_law(20, 22, 5, 100);

	check_law(&zero, rng);
	check_law(&end, rng);
	check_law(&none, rng);
	CHECK(dpem_atom_log_density(&zero, 0) > dpem_atom_log_density(&zero, 2) + 1, "0 is likelier than others");
	CHECK(dpem_atom_log_density(&end, 100) > dpem_atom_log_density(&end, 98) + 1, "so is the domain's end");
	CHECK(dpem_atom_log_density(&none, 20) == dpem_atom_log_density(&none, 21.5), "elsewhere none is");
}

/* the atom and the rest have the component's mean and variance together, and rows go to the components that have them */
static void
test_components(void)
{
	DpemColumnAtom atom = {.share = 0.6,.alone = true,.lower = 0,.upper = 0.1};
	DpemAtomLaw law = dpem_atom_law(0, 0.1, 0, 100);
	const double weight[] = {0.5, 0.5};
	const double mean[] = {1, 20};
	const double variance[] = {4, 25};
	const double tight[] = {1e-6, 1e-6};
	double		share[2];
	double		work[2];
	double		m = 4;
	double		v = 30;

	dpem_atom_shares(&atom, &law, 2, weight, mean, variance, variance, share, work);
	CHECK(fabs(0.5 * (share[0] + share[1]) - 0.6) < 1e-6, "shares %g and %g", share[0], share[1]);
	CHECK(share[0] > 0.99 && share[1] < 0.21, "the nearer component has them: %g and %g", share[0], share[1]);
	dpem_atom_shares(&atom, &law, 2, weight, mean, variance, tight, share, work);
	CHECK(share[0] == 0 && share[1] == 0, "where others say all there is no atom");
	dpem_atom_rest(&law, 0.6, &m, &v);
	CHECK(fabs(0.6 * 0.05 + 0.4 * m - 4) < 1e-9, "mean %g", m);
	CHECK(fabs(0.6 * 0.05 * 0.05 + 0.4 * (v + m * m) - 30 - 16) < 1e-6, "variance %g", v);
}

/*
 * A narrow component at the atom's public value: where the rows of a tail move the mean of all components, its own still says where it
 * is, and the atom is denser than it.  Elsewhere in the bin it is not at the value.
 */
static void
test_whole_components(void)
{
	DpemColumnAtom atom = {.share = 0.8,.alone = true,.lower = 0,.upper = 0.009,.rest = 3.1};
	DpemAtomLaw law = dpem_atom_law(0, 0.009, 0, 275);
	const double weight[] = {0.8, 0.2};
	const double at_value[] = {0.0001, 3.3};
	const double elsewhere[] = {0.004, 3.3};
	const double variance[] = {3e-5, 6};
	double		share[2];
	double		work[2];

	dpem_atom_shares(&atom, &law, 2, weight, at_value, variance, variance, share, work);
	CHECK(share[0] > 0.99, "rows at the value are an atom: %g", share[0]);
	dpem_atom_shares(&atom, &law, 2, weight, elsewhere, variance, variance, share, work);
	CHECK(share[0] == 0, "rows beside it are a normal: %g", share[0]);
}

int
main(void)
{
	Rng			rng = {11};

	test_found(&rng);
	test_together(&rng);
	test_hidden(&rng);
	test_many(&rng);
	test_bins(&rng);
	test_laws(&rng);
	test_scattered(&rng);
	test_components();
	test_whole_components();
	return unit_report();
}
