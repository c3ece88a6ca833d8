/*
 * test_sampler_normal.c - rounded normal deviates: their law, the rounding, and
 * the branches that chance never reaches.
 */
#include "sampler_fixture.h"

static void
test_laws(void)
{
	static const KnownProbability known[] = {
		{{NORMAL, 1, 1, 0}, 0, 0.3829249225480262072754092L},
		{{NORMAL, 1, 1, 0}, 3, 0.005977036246740610130628179L},
		{{NORMAL, 3, 1, 0}, 1, 0.1252786286631094500202628L}
	};
	static const Law small[] = {
		{NORMAL, 1, 1, 0}, {NORMAL, 2, 1, 0}, {NORMAL, 3, 1, 0}, {NORMAL, 10, 1, 0}
	};
	static const Law large[] = {
		{NORMAL, 1000000, 1, 0}, {NORMAL, 1, 1, 60}, {NORMAL, 3, 1, 62}, {NORMAL, 1, 1, 100},
		{NORMAL, 1, 1, 110}
	};

	check_known(known, sizeof(known) / sizeof(*known));
	check_likeliest(NORMAL);
	for (size_t i = 0; i < sizeof(small) / sizeof(*small); i++)
		check_small_law(&small[i]);
	for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++)
		check_large_law(&large[i]);
	check_tails(&(Law) {NORMAL, 1000, 1, 0});
}

/* ---- rounding: one X at two values of sigma ---- */

/*
 * Equal streams give equal X whatever sigma is.  With R = round(2^110 X) and
 * r = round(c 2^s X), |2^(110-s) r - c R| <= 2^(109-s) + c/2.
 */
static void
check_same_normal(int c, int s)
{
	const int	draws = DRAWS / 50;
	int			bad = 0;
	DpemSampler fine_sampler;
	DpemSampler sampler;
	SeededSource fine_seeded;
	SeededSource seeded;

	seeded_init(&fine_seeded, 4);
	seeded_init(&seeded, 4);
	dpem_sampler_init(&fine_sampler, &fine_seeded.source);
	dpem_sampler_init(&sampler, &seeded.source);
	for (int i = 0; i < draws; i++)
	{
		DpemInt128	fine = 0;
		DpemInt128	x = 0;
		DpemInt128	error;

		if (dpem_sample_rounded_normal(&fine_sampler, DPEM_SIGMA_MAX, &fine) != DPEM_OK ||
			dpem_sample_rounded_normal(&sampler, (DpemUint128) c << s, &x) != DPEM_OK)
			bad++;
		error = x * ((DpemInt128) 1 << (110 - s)) - fine * c;
		error = error < 0 ? -error : error;
		bad += 2 * error > ((DpemInt128) 1 << (110 - s)) + c;
		if (bad == 0 && sampler.next != fine_sampler.next)
			break;				/* one of them needed a third digit of x */
	}
	CHECK(bad == 0, "%d of %d roundings wrong at sigma = %d 2^%d", bad, draws, c, s);
}

static void
test_rounding(void)
{
	static const int factor[] = {1, 3, 5, 1000, 8191};
	static const int shift[] = {0, 1, 10, 40, 51, 64, 80, 97};

	for (int i = 0; i < 5; i++)
		for (int j = 0; j < 8; j++)
			check_same_normal(factor[i], shift[j]);
}

/* ---- scripted words ---- */

/*
 * Words in the order used for k = 0: single bits (the lowest zero: u_1 < 1/2),
 * u_1, a z above it (so the run is 1 and k stays 0), the first digit of x, a
 * z above it (x is accepted), the digits of x that follow; the sign is the
 * second bit.
 */
static DpemInt128
scripted_normal(DpemUint128 sigma, uint64_t x0, uint64_t x1, uint64_t x2, uint64_t x3)
{
	const uint64_t words[] = {0, 2, UINT64_MAX, x0, UINT64_MAX, x1, x2, x3};
	DpemInt128	x = -1;
	DpemSampler sampler;
	ScriptedSource scripted;

	scripted_init(&scripted, words, 8, false);
	dpem_sampler_init(&sampler, &scripted.source);
	sampler.words = 1;
	CHECK(dpem_sample_rounded_normal(&sampler, sigma, &x) == DPEM_OK, "script too short");
	return x;
}

static void
test_scripted_normal(void)
{
	const uint64_t sixth = UINT64_C(0x2AAAAAAAAAAAAAAA);	/* of 2^64, then 2/3 2^64 */
	const uint64_t third2 = UINT64_C(0xAAAAAAAAAAAAAAAA);
	const uint64_t half = UINT64_C(1) << 63;
	const DpemUint128 one = 1;

	/* 3 x on either side of 1/2, settled by the fourth digit */
	CHECK(scripted_normal(3, sixth, third2, third2, third2 - 1) == 0, "3 x < 1/2");
	CHECK(scripted_normal(3, sixth, third2, third2, third2 + 1) == 1, "3 x > 1/2");
	CHECK(scripted_normal(3, sixth, third2, third2 - 1, 0) == 0, "3 x < 1/2");
	CHECK(scripted_normal(3, sixth, third2, third2 + 1, 0) == 1, "3 x > 1/2");
	/* x known to begin at 1/2 exactly, or to end there */
	CHECK(scripted_normal(1, half, 0, 0, 0) == 1, "x > 1/2");
	CHECK(scripted_normal(1, half - 1, UINT64_MAX, 0, 0) == 0, "x < 1/2");
	CHECK(scripted_normal(1, UINT64_MAX - 1, 0, 0, 0) == 1, "x < 1");
	/* sigma x = 1/2 + 2^-60 v: nothing to settle, however large sigma */
	CHECK(scripted_normal(one << 68, 0, half >> 4, 0, 0) == 1, "above 1/2");
	CHECK(scripted_normal(one << 68, 0, (half >> 4) - 1, UINT64_MAX, 0) == 0, "below 1/2");
	/* three halves, from both sides: the next boundary after one half */
	CHECK(scripted_normal(3, half - 1, UINT64_MAX, UINT64_MAX, 0) == 1, "3 x < 3/2");
	CHECK(scripted_normal(3, half, 0, 0, 0) == 2, "3 x > 3/2");
	CHECK(scripted_normal(5, UINT64_C(0x4CCCCCCCCCCCCCCC), UINT64_C(0xCCCCCCCCCCCCCCCC),
						  UINT64_C(0xCCCCCCCCCCCCCCCD), 0) == 2, "5 x > 3/2");
	CHECK(scripted_normal(5, UINT64_C(0x4CCCCCCCCCCCCCCC), UINT64_C(0xCCCCCCCCCCCCCCCC),
						  UINT64_C(0xCCCCCCCCCCCCCCCB), 0) == 1, "5 x < 3/2");
	/* third digit against gap / sigma = 2/3, the first two being far from it */
	CHECK(scripted_normal(one * 3 << 108, 0, (1 << 19) / 3, third2 - 1, 0) == 0, "below");
	CHECK(scripted_normal(one * 3 << 108, 0, (1 << 19) / 3, third2 + 1, 0) == 1, "above");
	CHECK(scripted_normal(one * 3 << 108, 0, (1 << 19) / 3, third2, third2 - 1) == 0, "below");
	/* the largest sigma */
	CHECK(scripted_normal(DPEM_SIGMA_MAX, 0, 0, 0, 0) == 0, "x = 0");
	CHECK(scripted_normal(DPEM_SIGMA_MAX, 0, half >> 46, 0, 0) == 1, "2^-111");
	CHECK(scripted_normal(DPEM_SIGMA_MAX, 0, (half >> 46) - 1, UINT64_MAX, 0) == 0, "2^-111");
}

/* Everything but the sign is drawn when the source fails. */
static void
test_missing_sign(void)
{
	const uint64_t words[] = {2, UINT64_MAX, 7, UINT64_MAX, 7};
	DpemInt128	x = -1;
	DpemSampler sampler;
	ScriptedSource scripted;

	scripted_init(&scripted, words, 5, false);
	dpem_sampler_init(&sampler, &scripted.source);
	sampler.words = 1;
	sampler.nbits = 1;			/* a single zero bit left: u_1 < 1/2 */
	CHECK(dpem_sample_rounded_normal(&sampler, DPEM_SIGMA_MAX, &x) == DPEM_ENTROPY_FAILED && x == 0,
		  "no sign");
	CHECK(scripted.next == 5, "%zu words used", scripted.next);
}

int
main(void)
{
	test_laws();
	test_rounding();
	test_scripted_normal();
	test_missing_sign();
	return sampler_report();
}
