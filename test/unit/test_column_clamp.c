/*
 * test_column_clamp.c - ends of clamps from released margins.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/columns/column_clamp.h"
#include "clamp_values.h"

#define ROUNDS	1000

typedef struct Kind
{
	const char *name;
	int			rows;
	double		(*value) (Rng *rng, int j);
	double		low;			/* what a clamp takes in */
	double		high;
	double		widest;			/* and how long it is at most, but in a few calls of a thousand */
	double		sd;				/* of the noise in a sum of marks */
	int			unknown;		/* more rows of the table that have no value */
	DpemColumnValues values;
} Kind;

static double
two_heaps(Rng *rng, int j)
{
	(void) j;
	return (rng_below(rng, 10) < 7 ? -0.998 : -0.91) + 0.0005 * rng_normal(rng);
}

static double
exponential(Rng *rng, int j)
{
	(void) j;
	return fmin(-1 - 0.006 * log(1 - rng_uniform(rng, 0, 1)), 1);
}

/* nearly all in the first bin of the second level, some in the next, as few as its noise */
static double
edge(Rng *rng, int j)
{
	(void) j;
	return rng_below(rng, 1000) < 988 ? rng_uniform(rng, -1, -0.9925) : rng_uniform(rng, -0.992, -0.985);
}

static double
rare_ones(Rng *rng, int j)
{
	(void) j;
	return rng_below(rng, 1000) < 9 ? 1 : -1;
}

static const Kind kinds[] = {
	{"narrow, next to an end of bins", 2000, narrow, 0, 0.0001, 0.01, 1, 0, DPEM_VALUES_ANY},
	{"narrow, much noise", 2000, narrow, 0, 0.0001, 0.5, 100, 0, DPEM_VALUES_ANY},
	{"constant", 2000, constant, -0.9701, -0.9699, 0.01, 3, 0, DPEM_VALUES_ANY},
	{"two heaps", 2000, two_heaps, -0.999, -0.909, 0.4, 5, 0, DPEM_VALUES_ANY},
	{"exponential", 2000, exponential, -1, -0.97, 0.3, 2, 0, DPEM_VALUES_ANY},
	{"uniform", 2000, uniform, -0.95, 0.95, 2, 5, 0, DPEM_VALUES_ANY},
	{"rows without a value", 2000, constant, -0.9701, -0.9699, 0.05, 30, 200, DPEM_VALUES_ANY},
	{"beyond an edge of bins", 8000, edge, -1, -0.99, 0.1, 21, 0, DPEM_VALUES_ANY},
	{"rare ones", 5000, rare_ones, -1, 1, 2, 10, 0, DPEM_VALUES_ONES}
};

/* the noise of a fresh release on the exact margins */
static void
add_noise(Rng *rng, const DpemNoisyMoments *exact, size_t length, DpemNoisyMoments *m)
{
	for (size_t i = 0; i < length; i++)
		m->value[i] = exact->value[i] + (i % 2 > 0 ? m->sum_sd * rng_normal(rng) : 0);
}

/*
 * Noise alone makes one clamp in 400 far too wide (test/bench/bench_clamp.c), or somewhat less: more than 16 of 1,000 have a
 * probability below 1e-8 by Poisson's law at 2.5.
 */
static void
check_kind(Rng *rng, const Kind *kind)
{
	Fixture		f = make_fixture(1, 1);
	DpemWorkspace work = workspace(dpem_margin_bins(&f.grid));
	DpemNoisyMoments exact;
	DpemNoisyMoments m = {.layout = f.layout,.value = numbers(f.length),.sum_sd = kind->sd};
	int			wide = 0;
	int			missed = 0;

	release(rng, &f, kind->rows, kind->value, 0, &exact);
	for (int round = 0; round < ROUNDS; round++)
	{
		DpemMargins margins;
		double		low;
		double		high;

		add_noise(rng, &exact, f.length, &m);
		margins = dpem_margins_take(&f.grid, &m, kind->rows + kind->unknown);
		margins.values = &kind->values;
		dpem_column_clamp(&margins, 0, &low, &high, work);
		CHECK(low >= -1 && low < high && high <= 1, "%s: from %g to %g", kind->name, low, high);
		wide += high - low > kind->widest;
		missed += low > kind->low || high < kind->high;
	}
	CHECK(wide <= 16, "%s: %d of %d clamps are too wide", kind->name, wide, ROUNDS);
	CHECK(missed <= 16, "%s: %d of %d clamps miss rows", kind->name, missed, ROUNDS);
	free(m.value);
	free(exact.value);
	free(work.next);
	free_fixture(&f);
}

/* nothing is seen: the whole box */
static void
check_nothing(Rng *rng)
{
	Fixture		f = make_fixture(1, 1);
	DpemWorkspace work = workspace(dpem_margin_bins(&f.grid));
	DpemNoisyMoments m;
	DpemMargins margins;
	double		low;
	double		high;

	release(rng, &f, 100, constant, 1e6, &m);
	margins = dpem_margins_take(&f.grid, &m, 100);
	dpem_column_clamp(&margins, 0, &low, &high, work);
	CHECK(low == -1 && high == 1, "of noise alone from %g to %g", low, high);
	free(m.value);
	free(work.next);
	free_fixture(&f);
}

int
main(void)
{
	Rng			rng = {2010};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		check_kind(&rng, &kinds[i]);
	check_nothing(&rng);
	return unit_report();
}
