/*
 * test_sampler.c - what every sampler is made of: numbers below n, events of
 * probability exp(-x), and uniform deviates of as many digits as a comparison
 * needs.
 */
#include "sampler_fixture.h"

static void
test_uniform(void)
{
	static const uint64_t sizes[] = {
		1, 2, 3, 6, 10, 48, 1000003, UINT64_C(3) << 62, (UINT64_C(1) << 63) + 1, UINT64_MAX
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
	{
		uint64_t	n = sizes[i];
		int			bins = n < 48 ? (int) n : 48;
		Law			law = {NORMAL, n, 1, 0};
		long		seen[48] = {0};
		long		bad = 0;
		long double equal[48];
		DpemSampler sampler;
		SeededSource seeded;

		seeded_init(&seeded, n);
		dpem_sampler_init(&sampler, &seeded.source);
		for (int j = 0; j < bins; j++)
			equal[j] = 1.0L / bins;
		for (int j = 0; j < DRAWS; j++)
		{
			uint64_t	x;

			bad += dpem_sample_uniform(&sampler, n, &x) != DPEM_OK || x >= n;
			seen[(int) ((DpemUint128) x * bins / n)]++;
		}
		CHECK(bad == 0, "%ld draws failed or not below n", bad);
		check_p("uniform", &law, chi_square(seen, equal, bins, DRAWS));
	}
}

static void
test_bernoulli_exp(void)
{
	static const uint64_t ratio[][2] = {
		{0, 1}, {1, 1}, {1, 2}, {1, 1000000}, {3, 1}, {7, 2}, {20, 1}, {2, 3},
		{UINT64_MAX - 1, UINT64_MAX}, {UINT64_MAX, UINT64_C(1) << 63}, {UINT64_MAX, 1}
	};

	for (size_t i = 0; i < sizeof(ratio) / sizeof(*ratio); i++)
	{
		Law			law = {NORMAL, ratio[i][0], ratio[i][1], 0};
		long		count = 0;
		long		bad = 0;
		DpemSampler sampler;
		SeededSource seeded;

		seeded_init(&seeded, 5 + i);
		dpem_sampler_init(&sampler, &seeded.source);
		for (int j = 0; j < DRAWS; j++)
		{
			bool		yes;

			bad += dpem_sample_bernoulli_exp(&sampler, law.num, law.den, &yes) != DPEM_OK;
			count += yes;
		}
		CHECK(bad == 0, "%ld draws failed", bad);
		check_p("Bernoulli", &law,
				two_sided_binomial(count, DRAWS, expl(-(long double) law.num / law.den)));
	}
}

/* ---- scripted words: the branches that chance never reaches ---- */

static void
test_scripted_fraction(void)
{
	const uint64_t third = UINT64_C(0x5555555555555555);
	const uint64_t below[] = {third, third, third - 1, UINT64_MAX};
	const uint64_t above[] = {third, third, third + 1, UINT64_MAX};
	const uint64_t rejected[] = {0, 7};
	uint64_t	x;
	bool		yes = true;
	DpemSampler sampler;
	ScriptedSource scripted;

	scripted_init(&scripted, below, 4, false);
	dpem_sampler_init(&sampler, &scripted.source);
	sampler.words = 1;
	CHECK(dpem_sample_bernoulli_exp(&sampler, 1, 3, &yes) == DPEM_OK && !yes, "run of length one");
	CHECK(scripted.next == 4, "%zu words used", scripted.next);
	scripted_init(&scripted, above, 4, false);
	CHECK(dpem_sample_bernoulli_exp(&sampler, 1, 3, &yes) == DPEM_OK && yes, "empty run");
	CHECK(scripted.next == 3, "%zu words used", scripted.next);
	/* 2^64 mod 3 = 1: the word 0 is the one rejected */
	scripted_init(&scripted, rejected, 2, false);
	CHECK(dpem_sample_uniform(&sampler, 3, &x) == DPEM_OK && x == 0, "uniform below 3");
	CHECK(scripted.next == 2, "%zu words used", scripted.next);
}

static void
test_scripted_comparison(void)
{
	const uint64_t words[] = {7, 5, 9, 7, 4, 4, 6, 3};
	const DpemUint128 one = 1;
	DpemUrand	y = {1, {7}};
	DpemUrand	z;
	DpemSampler sampler;
	ScriptedSource scripted;

	scripted_init(&scripted, words, 8, false);
	dpem_sampler_init(&sampler, &scripted.source);
	sampler.words = 1;
	CHECK(dpem_urand_draw_less(&sampler, &z, &y) && z.n == 2 && y.n == 2, "0.75 < 0.79");
	y.n = 1;
	CHECK(!dpem_urand_draw_less(&sampler, &z, &y) && z.n == 3 && y.n == 3, "0.746 > 0.743");
	/* the digit w = 12 of num / den leaves D = 2^129, then D = 2^127 = den */
	z = (DpemUrand) {1, {12}};
	CHECK(dpem_urand_less_fraction(&sampler, &z, 0, (one << 63) * 16, one << 127), "2^129");
	CHECK(dpem_urand_less_fraction(&sampler, &z, 0, (one << 63) * 13, one << 127), "2^127");
	CHECK(scripted.next == 8 && sampler.status == DPEM_OK, "%zu words used", scripted.next);
}

int
main(void)
{
	test_uniform();
	test_bernoulli_exp();
	test_scripted_fraction();
	test_scripted_comparison();
	return sampler_report();
}
