/*
 * test_signal.c - noise alone is told from rows, and told seldom to be what it is not.
 *
 * Random numbers are seeded: the outcome is the same on every run.
 */
#include "core/statistics/signal.h"
#include "kernel_fixture.h"

enum
{
	RUNS = 2000
};

static double
noise_of(Rng *rng, DpemNoiseKind kind)
{
	double		u = rng_uniform(rng, -0.5, 0.5);

	return kind == DPEM_NOISE_LAPLACE ? -copysign(M_SQRT1_2 * log(1 - 2 * fabs(u)), u) : rng_normal(rng);
}

/* a release of noise, and of `rows` in every component */
static void
fill(Rng *rng, DpemNoiseKind kind, double rows, DpemNoisyMoments *m)
{
	size_t		record = dpem_moments_record(&m->layout);

	for (int k = 0; k < m->layout.k; k++)
		for (size_t j = 0; j < record; j++)
		{
			double		sd = j == 0 ? m->count_sd : j <= (size_t) m->layout.d ? m->sum_sd : m->second_sd;

			m->value[k * record + j] = (j == 0 ? rows : 0) + sd * noise_of(rng, kind);
		}
}

static void
test_releases(Rng *rng, DpemNoiseKind kind, int k, int d, DpemSecondMoment second)
{
	DpemMomentLayout layout = {k, d, second};
	DpemNoisyMoments m = {
		layout,7, second == DPEM_COUNTS_ALONE ? 0 : 11, second == DPEM_SECOND_FULL ? 13 : 0, numbers(dpem_moments_length(&layout))
	};
	int			seen = 0;
	int			missed = 0;

	for (int run = 0; run < RUNS; run++)
	{
		DpemSignal	nothing = {0};
		DpemSignal	rows = {0};

		fill(rng, kind, 0, &m);
		dpem_signal_add(&nothing, 0, kind, true, &m);
		seen += nothing.seen ? 1 : 0;
		fill(rng, kind, (kind == DPEM_NOISE_LAPLACE ? 29 : 12) * m.count_sd / sqrt(k), &m);
		dpem_signal_add(&rows, 0, kind, true, &m);
		missed += rows.seen ? 0 : 1;
	}
	CHECK(seen == 0, "kind %d, %d x %d: rows are seen in %d of %d releases of nothing", kind, k, d, seen, RUNS);
	CHECK(missed == 0, "kind %d, %d x %d: no rows are seen in %d of %d releases of many", kind, k, d, missed, RUNS);
	free(m.value);
}

/* no counts, and no single value that stands out: all together they do */
static void
test_sums(Rng *rng)
{
	DpemMomentLayout layout = {1, 2000, DPEM_SECOND_NONE};
	DpemNoisyMoments m = {layout, 0, 1, 0, numbers(dpem_moments_length(&layout))};
	DpemSignal	signal = {0};

	fill(rng, DPEM_NOISE_GAUSSIAN, 0, &m);
	dpem_signal_add(&signal, 0, DPEM_NOISE_GAUSSIAN, false, &m);
	CHECK(!signal.seen && dpem_signal_drowned(&signal) == 0, "noise in 2,000 sums");
	for (int j = 1; j <= 2000; j++)
		m.value[j] += 0.6;
	dpem_signal_add(&signal, 0, DPEM_NOISE_GAUSSIAN, false, &m);
	CHECK(signal.seen, "2,000 sums that are 0.6 deviations off");
	free(m.value);
}

/* 4,500 rows in 200 components whose counts have noise of 109: each is a fifth of its noise */
static void
test_drowned(Rng *rng)
{
	DpemMomentLayout layout = {200, 2, DPEM_SECOND_NONE};
	DpemNoisyMoments m = {layout, 109, 50, 0, numbers(dpem_moments_length(&layout))};
	DpemSignal	few = {0};
	DpemSignal	many = {0};
	DpemSignal	repeated = {0};

	fill(rng, DPEM_NOISE_GAUSSIAN, 4500.0 / 200, &m);
	dpem_signal_add(&few, 1, DPEM_NOISE_GAUSSIAN, true, &m);
	CHECK_CLOSE(dpem_signal_drowned(&few), 109, 1e-12, "the noise in a weight");
	fill(rng, DPEM_NOISE_GAUSSIAN, 200, &m);
	dpem_signal_add(&many, 1, DPEM_NOISE_GAUSSIAN, true, &m);
	CHECK(many.seen && dpem_signal_drowned(&many) == 0, "200 rows in each");
	for (int pass = 0; pass < 100; pass++)
	{
		fill(rng, DPEM_NOISE_GAUSSIAN, 4500.0 / 200, &m);
		dpem_signal_add(&repeated, 1, DPEM_NOISE_GAUSSIAN, true, &m);
	}
	CHECK(dpem_signal_drowned(&repeated) == 0, "a hundred releases of the same have a tenth of the noise");
	m.layout.k = 1;
	dpem_signal_add(&repeated, 2, DPEM_NOISE_GAUSSIAN, true, &m);
	CHECK(dpem_signal_drowned(&repeated) == 0, "the last line counts");
	free(m.value);
}

/* by inverse variance: 100 +- 3 and 110 +- 4, then counts of four components that are 90 in all, +- 2 sqrt(4) */
static void
test_counted(void)
{
	double		value[] = {30, 0, 20, 0, 25, 0, 15, 0};
	DpemNoisyMoments m = {.layout = {4, 1, DPEM_SECOND_NONE},.count_sd = 2,.sum_sd = 1,.value = value};
	DpemSignal	signal = {0};
	double		sd;

	CHECK(isnan(dpem_signal_counted(&signal, &sd)) && isnan(sd), "no release says how many rows counted");
	dpem_signal_add_rows(&signal, 100, 3);
	dpem_signal_add_rows(&signal, 110, 4);
	dpem_signal_add_rows(&signal, 1000, 0);
	CHECK_CLOSE(dpem_signal_counted(&signal, &sd), 103.6, 1e-12, "rows by two releases");
	CHECK_CLOSE(sd, 2.4, 1e-12, "their noise");
	dpem_signal_add_counts(&signal, &m);
	CHECK_CLOSE(dpem_signal_counted(&signal, &sd), (103.6 / 5.76 + 90.0 / 16) / (1 / 5.76 + 1.0 / 16), 1e-12, "rows by three");
	dpem_signal_add_rows(&signal, -1e6, 1);
	CHECK(dpem_signal_counted(&signal, &sd) == 0, "not below none");
}

int
main(void)
{
	Rng			rng = {1998};

	for (int kind = 0; kind < 2; kind++)
	{
		DpemNoiseKind noise = kind ? DPEM_NOISE_LAPLACE : DPEM_NOISE_GAUSSIAN;

		test_releases(&rng, noise, 1, 3, DPEM_SECOND_NONE);
		test_releases(&rng, noise, 20, 3, DPEM_SECOND_NONE);
		test_releases(&rng, noise, 400, 2, DPEM_COUNTS_ALONE);
	}
	test_releases(&rng, DPEM_NOISE_GAUSSIAN, 1, 10, DPEM_SECOND_FULL);
	test_sums(&rng);
	test_drowned(&rng);
	test_counted();
	return unit_report();
}
