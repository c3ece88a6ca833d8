/*
 * test_column_clamp.c - ends of clamps from released margins.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/statistics/column_clamp.h"
#include "margins_release.h"

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
} Kind;

static double
narrow(Rng *rng, int j)
{
	(void) j;
	return 0.00006 + 0.00002 * rng_normal(rng);
}

static double
constant(Rng *rng, int j)
{
	(void) rng;
	(void) j;
	return -0.97;
}

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

static double
uniform(Rng *rng, int j)
{
	(void) j;
	return rng_uniform(rng, -1, 1);
}

static const Kind kinds[] = {
	{"narrow, next to an end of bins", 2000, narrow, 0, 0.0001, 0.01, 1},
	{"narrow, much noise", 2000, narrow, 0, 0.0001, 0.5, 100},
	{"constant", 2000, constant, -0.9701, -0.9699, 0.01, 3},
	{"two heaps", 2000, two_heaps, -0.999, -0.909, 0.4, 5},
	{"exponential", 2000, exponential, -1, -0.97, 0.3, 2},
	{"uniform", 2000, uniform, -0.95, 0.95, 2, 5}
};

/* the noise of a fresh release on the exact margins */
static void
add_noise(Rng *rng, const DpemNoisyMoments *exact, size_t length, DpemNoisyMoments *m)
{
	for (size_t i = 0; i < length; i++)
		m->value[i] = exact->value[i] + (i % 2 > 0 ? m->sum_sd * rng_normal(rng) : 0);
}

/*
 * By clamp_rules.h noise alone makes one clamp in 600 far too wide, or somewhat more where a bin's edge cuts off
 * a few rows: more than 14 of 1,000 have a probability below 1e-8 by Poisson's law at 2.
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
		margins = dpem_margins_take(&f.grid, &m, kind->rows);
		dpem_column_clamp(&margins, 0, &low, &high, work);
		CHECK(low >= -1 && low < high && high <= 1, "%s: from %g to %g", kind->name, low, high);
		wide += high - low > kind->widest;
		missed += low > kind->low || high < kind->high;
	}
	CHECK(wide <= 14, "%s: %d of %d clamps are too wide", kind->name, wide, ROUNDS);
	CHECK(missed <= 14, "%s: %d of %d clamps miss rows", kind->name, missed, ROUNDS);
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
