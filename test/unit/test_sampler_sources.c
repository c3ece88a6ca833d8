/*
 * test_sampler_sources.c - every sampler on sources that fail, stick or deliver
 * in small pieces, after wiping, and with arguments outside its domain.
 */
#include "sampler_fixture.h"

#define SAMPLERS 5

/* sampler number `which`, its output widened */
static DpemStatus
draw_any(int which, DpemSampler *sampler, DpemInt128 *out)
{
	static const Law laws[] = {
		{NORMAL, 1, 1, 0}, {NORMAL, 1, 1, 110}, {LAPLACE, 7, 3, 0}
	};
	uint64_t	x = 99;
	bool		yes = true;
	DpemStatus	status;

	*out = 99;
	if (which < 3)
		return draw(&laws[which], sampler, out);
	if (which == 3)
	{
		status = dpem_sample_uniform(sampler, 1000, &x);
		*out = x;
		return status;
	}
	status = dpem_sample_bernoulli_exp(sampler, 1, 3, &yes);
	*out = yes;
	return status;
}

static bool
all_zero(const uint64_t *words, size_t n)
{
	uint64_t	any = 0;

	for (size_t i = 0; i < n; i++)
		any |= words[i];
	return any == 0;
}

/* One-word refills, of which the first `calls` succeed: what goes wrong */
static int
count_failure_faults(int which, long calls)
{
	int			bad = 0;
	DpemInt128	x;
	DpemInt128	good;
	DpemStatus	status;
	DpemSampler sampler;
	DpemSampler good_sampler;
	SeededSource seeded;
	SeededSource good_seeded;

	seeded_init(&seeded, 42);
	seeded_init(&good_seeded, 42);
	seeded.calls = calls;
	dpem_sampler_init(&sampler, &seeded.source);
	dpem_sampler_init(&good_sampler, &good_seeded.source);
	sampler.words = 1;
	while ((status = draw_any(which, &sampler, &x)) == DPEM_OK)
	{
		(void) draw_any(which, &good_sampler, &good);
		bad += x != good;
	}
	bad += status != DPEM_ENTROPY_FAILED || x != 0;
	bad += seeded.calls != 0 || sampler.pool[0] != 0;
	seeded.calls = -1;			/* the source recovers, the sampler does not */
	for (int i = 0; i < SAMPLERS; i++)
	{
		bad += draw_any(i, &sampler, &x) != DPEM_ENTROPY_FAILED || x != 0;
		bad += sampler.status != DPEM_ENTROPY_FAILED;
	}
	return bad;
}

static void
test_failures(void)
{
	for (int which = 0; which < SAMPLERS; which++)
	{
		for (long calls = 0; calls < 400; calls++)
		{
			int			bad = count_failure_faults(which, calls);

			CHECK(bad == 0, "sampler %d, failure after %ld: %d faults", which, calls, bad);
		}
	}
}

/* The same bytes in pieces of any size are the same draws. */
static void
test_pool_sizes(void)
{
	static const size_t words[] = {1, 2, 3, 7, 511, DPEM_POOL_BYTES / 8};
	DpemInt128	first[3000];
	int			bad = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
	{
		DpemSampler sampler;
		SeededSource seeded;

		seeded_init(&seeded, 8);
		dpem_sampler_init(&sampler, &seeded.source);
		sampler.words = sampler.next = words[i];
		for (int j = 0; j < 3000; j++)
		{
			DpemInt128	x;

			bad += draw_any(j % SAMPLERS, &sampler, &x) != DPEM_OK;
			if (i == 0)
				first[j] = x;
			bad += x != first[j];
		}
	}
	CHECK(bad == 0, "%d draws depend on the size of the pool", bad);
}

/* A source that repeats itself must not hang a sampler. */
static void
test_stuck_sources(void)
{
	static const uint64_t patterns[][2] = {
		{0, 0}, {UINT64_MAX, UINT64_MAX}, {1, 1}, {UINT64_C(1) << 63, UINT64_C(1) << 63},
		{0, UINT64_MAX}, {UINT64_MAX, 0}, {1, UINT64_MAX - 1}, {2, 1}
	};

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
	{
		for (int which = 0; which < SAMPLERS; which++)
		{
			DpemSampler sampler;
			ScriptedSource scripted;
			bool		fine = true;

			scripted_init(&scripted, patterns[i], 2, true);
			dpem_sampler_init(&sampler, &scripted.source);
			for (int j = 0; j < 100; j++)
			{
				DpemInt128	x;

				fine &= draw_any(which, &sampler, &x) == DPEM_OK || x == 0;
			}
			CHECK(fine, "sampler %d, pattern %zu", which, i);
		}
	}
}

/* Sources made to keep one particular loop going for ever. */
static void
test_endless_loops(void)
{
	static const uint64_t ties[] = {UINT64_C(0x5555555555555555)};
	static const uint64_t always_true[] = {5, 7, 9};	/* 9 > 5, 7: a run of one */
	uint64_t	minus_zero[257];
	bool		yes;
	int64_t		x;
	DpemSampler sampler;
	ScriptedSource scripted;

	scripted_init(&scripted, ties, 1, true);
	dpem_sampler_init(&sampler, &scripted.source);
	CHECK(dpem_sample_bernoulli_exp(&sampler, 1, 3, &yes) == DPEM_ENTROPY_FAILED && !yes, "tie");
	scripted_init(&scripted, always_true, 3, true);
	scripted.next = 2;
	dpem_sampler_init(&sampler, &scripted.source);
	CHECK(dpem_sample_bernoulli_exp(&sampler, 2000, 1, &yes) == DPEM_ENTROPY_FAILED && !yes,
		  "true");
	scripted.next = 0;
	dpem_sampler_init(&sampler, &scripted.source);
	CHECK(dpem_sample_discrete_laplace(&sampler, 1, 1, &x) == DPEM_ENTROPY_FAILED && x == 0,
		  "true");
	/* per try two words, and two of an empty run; every 64 tries the bits */
	for (int i = 0; i < 257; i++)
		minus_zero[i] = i % 2 == (i < 4) ? 9 : 5;
	minus_zero[4] = UINT64_MAX;
	scripted_init(&scripted, minus_zero, 257, true);
	dpem_sampler_init(&sampler, &scripted.source);
	CHECK(dpem_sample_discrete_laplace(&sampler, 1, 1, &x) == DPEM_ENTROPY_FAILED && x == 0, "-0");
}

static void
test_wipe(void)
{
	DpemInt128	x;
	DpemSampler sampler;
	SeededSource seeded;

	seeded_init(&seeded, 3);
	dpem_sampler_init(&sampler, &seeded.source);
	CHECK(draw_any(0, &sampler, &x) == DPEM_OK, "first draw");
	CHECK(!all_zero(sampler.pool, DPEM_POOL_BYTES / 8), "an empty pool");
	dpem_sampler_wipe(&sampler);
	CHECK(all_zero(sampler.pool, DPEM_POOL_BYTES / 8) && sampler.bits == 0, "pool not erased");
	for (int i = 0; i < SAMPLERS; i++)
		CHECK(draw_any(i, &sampler, &x) == DPEM_ENTROPY_FAILED && x == 0, "draws after wiping");
	dpem_sampler_init(&sampler, &seeded.source);
	CHECK(draw_any(0, &sampler, &x) == DPEM_OK, "initialised again");
	dpem_sampler_wipe(&sampler);
	dpem_sampler_init(&sampler, NULL);
	CHECK(draw_any(0, &sampler, &x) == DPEM_ENTROPY_FAILED && x == 0, "no source");
}

static void
test_domain(void)
{
	DpemInt128	wide = 5;
	int64_t		x = 5;
	uint64_t	u = 5;
	bool		yes = true;
	DpemSampler sampler;
	SeededSource seeded;

	seeded_init(&seeded, 2);
	dpem_sampler_init(&sampler, &seeded.source);
	CHECK(dpem_sample_rounded_normal(&sampler, 0, &wide) == DPEM_BAD_ARGUMENT && wide == 0, "0");
	CHECK(dpem_sample_rounded_normal(&sampler, DPEM_SIGMA_MAX + 1, &wide) == DPEM_BAD_ARGUMENT,
		  "2^110 + 1");
	x = 5;
	CHECK(dpem_sample_discrete_laplace(&sampler, 0, 1, &x) == DPEM_BAD_ARGUMENT && x == 0, "0/1");
	CHECK(dpem_sample_discrete_laplace(&sampler, 1, 0, &x) == DPEM_BAD_ARGUMENT, "1/0");
	u = DPEM_LAPLACE_SCALE_MAX + 1;
	CHECK(dpem_sample_discrete_laplace(&sampler, u, 1, &x) == DPEM_BAD_ARGUMENT, "2^52 + 1");
	CHECK(dpem_sample_discrete_laplace(&sampler, 1, UINT64_MAX, &x) == DPEM_OK && x == 0, "2^-64");
	CHECK(dpem_sample_discrete_laplace(&sampler, UINT64_MAX, UINT64_MAX, &x) == DPEM_OK, "1");
	CHECK(dpem_sample_uniform(&sampler, 0, &u) == DPEM_BAD_ARGUMENT && u == 0, "0");
	CHECK(dpem_sample_bernoulli_exp(&sampler, 1, 0, &yes) == DPEM_BAD_ARGUMENT && !yes, "1/0");
	CHECK(dpem_sample_bernoulli_exp(&sampler, 0, UINT64_MAX, &yes) == DPEM_OK && yes, "0");
	CHECK(sampler.status == DPEM_OK, "a bad argument is not sticky");
}

int
main(void)
{
	test_failures();
	test_pool_sizes();
	test_stuck_sources();
	test_endless_loops();
	test_wipe();
	test_domain();
	return unit_report();
}
