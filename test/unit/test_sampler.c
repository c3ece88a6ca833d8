/*
 * test_sampler.c - the samplers against their laws, and against bad sources.
 *
 * Seeds are fixed, so a run is deterministic: a check that passes once passes
 * always until the code changes.  For a fresh seed each statistical check
 * would raise a false alarm with probability ALPHA = 1e-9; there are fewer
 * than 500, so all together below 5e-7 (checked at the end).
 */
#include <math.h>
#include <stdlib.h>

#include "chance.h"
#include "seeded_source.h"
#include "unit.h"

#ifndef DRAWS
#define DRAWS 1000000
#endif

#define ALPHA 1e-9
#define REACH 400				/* largest |x| with a bin of its own */
#define SPAN (2 * REACH + 1)
#define BINS 64					/* equally likely ones, for large laws */

typedef enum Kind
{
	NORMAL, GAUSSIAN, LAPLACE
} Kind;

/* sigma = num 2^shift (NORMAL), sigma^2 = num/den (GAUSSIAN), t = num/den (LAPLACE) */
typedef struct Law
{
	Kind		kind;
	uint64_t	num;
	uint64_t	den;
	int			shift;
} Law;

static int	statistical_checks;

static void
check_p(const char *what, const Law *law, long double p)
{
	statistical_checks++;
	CHECK(p > ALPHA, "%s of law %d (%llu/%llu, 2^%d): p = %Lg", what, law->kind,
		  (unsigned long long) law->num, (unsigned long long) law->den, law->shift, p);
}

/* ---- laws ---- */

/* P(x), up to the constant that normalises a discrete Gaussian */
static long double
weight(const Law *law, long double x)
{
	long double scale = (long double) law->num / law->den;

	x = fabsl(x);
	switch (law->kind)
	{
		case NORMAL:
			return normal_tail((x - 0.5L) / law->num) - normal_tail((x + 0.5L) / law->num);
		case GAUSSIAN:
			return expl(-x * x / (2 * scale));
		default:
			return tanhl(1 / (2 * scale)) * expl(-x / scale);
	}
}

static void
fill_pmf(const Law *law, long double *pmf)
{
	long double sum = 0;

	for (int i = 0; i < SPAN; i++)
		sum += pmf[i] = weight(law, i - REACH);
	for (int i = 0; i < SPAN; i++)
		pmf[i] /= sum;
}

static DpemStatus
draw(const Law *law, DpemSampler *sampler, DpemInt128 *out)
{
	int64_t		value = 0;
	DpemStatus	status;

	if (law->kind == NORMAL)
		return dpem_sample_rounded_normal(sampler, (DpemUint128) law->num << law->shift, out);
	if (law->kind == GAUSSIAN)
		status = dpem_sample_discrete_gaussian(sampler, law->num, law->den, &value);
	else
		status = dpem_sample_discrete_laplace(sampler, law->num, law->den, &value);
	*out = value;
	return status;
}

/* ---- small laws: every probability, four moments, sign ---- */

static void
check_moments(const Law *law, const long double *pmf, const long *seen)
{
	long double expected[9] = {0};
	long double sum[5] = {0};

	for (int i = 0; i < SPAN; i++)
	{
		for (int j = 1; j <= 8; j++)
			expected[j] += pmf[i] * powl(i - REACH, j);
		for (int j = 1; j <= 4; j++)
			sum[j] += seen[i] * powl(i - REACH, j);
	}
	for (int j = 1; j <= 4; j++)
	{
		long double variance = expected[2 * j] - expected[j] * expected[j];
		int			even = j + j % 2;

		/* a sum that rests on few events is not normal; the bins cover those */
		if (DRAWS * expected[even] * expected[even] > 1000 * expected[2 * even])
			check_p("moment", law, two_sided_normal((sum[j] / DRAWS - expected[j]) /
													sqrtl(variance / DRAWS)));
	}
}

static void
test_small_law(const Law *law)
{
	static long double pmf[SPAN];
	long		seen[SPAN] = {0};
	long		positive = 0;
	long		zero;
	long		bad = 0;
	DpemSampler sampler;
	SeededSource seeded;

	seeded_init(&seeded, 1000 * law->kind + 31 * law->num + law->den);
	dpem_sampler_init(&sampler, &seeded.source);
	fill_pmf(law, pmf);
	for (int i = 0; i < DRAWS; i++)
	{
		DpemInt128	x;

		bad += draw(law, &sampler, &x) != DPEM_OK;
		x = x < -REACH ? -REACH : x > REACH ? REACH : x;
		seen[(int) x + REACH]++;
		positive += x > 0;
	}
	CHECK(bad == 0, "%ld draws failed", bad);
	zero = seen[REACH];
	check_p("probabilities", law, chi_square(seen, pmf, SPAN, DRAWS));
	check_p("zero", law, two_sided_binomial(zero, DRAWS, pmf[REACH]));
	if (zero < DRAWS)
		check_p("sign", law, two_sided_binomial(positive, DRAWS - zero, 0.5L));
	check_moments(law, pmf, seen);
}

static void
test_small_laws(void)
{
	static const Law laws[] = {
		{NORMAL, 1, 1, 0}, {NORMAL, 2, 1, 0}, {NORMAL, 3, 1, 0}, {NORMAL, 10, 1, 0},
		{GAUSSIAN, 1, 100, 0}, {GAUSSIAN, 1, 4, 0}, {GAUSSIAN, 1, 1, 0}, {GAUSSIAN, 2, 1, 0},
		{GAUSSIAN, 7, 3, 0}, {GAUSSIAN, 10, 1, 0}, {GAUSSIAN, 1000, 1, 0},
		{GAUSSIAN, (UINT64_C(1) << 62) - 1, UINT64_C(1) << 62, 0},
		{LAPLACE, 1, 2, 0}, {LAPLACE, 1, 1, 0}, {LAPLACE, 7, 3, 0}, {LAPLACE, 10, 1, 0},
		{LAPLACE, UINT64_MAX, UINT64_MAX / 5 - 7, 0}
	};

	for (size_t i = 0; i < sizeof(laws) / sizeof(*laws); i++)
		test_small_law(&laws[i]);
}

/* The laws above, against values computed elsewhere to 25 digits. */
static void
test_pmf_constants(void)
{
	static const struct
	{
		Law			law;
		int			x;
		long double p;
	}			known[] = {
		{{GAUSSIAN, 1, 4, 0}, 0, 0.7865707070419478997045906L},
		{{GAUSSIAN, 1, 4, 0}, 1, 0.1064507694231447242359381L},
		{{GAUSSIAN, 2, 1, 0}, 1, 0.2196956447338611953786347L},
		{{GAUSSIAN, 10, 1, 0}, 5, 0.03614447853363625398799512L},
		{{GAUSSIAN, 1000, 1, 0}, 2, 0.01259045649939334244090380L},
		{{LAPLACE, 1, 2, 0}, 0, 0.7615941559557648881194583L},
		{{LAPLACE, 1, 1, 0}, 1, 0.1700034015685479199021577L},
		{{LAPLACE, 10, 1, 0}, 7, 0.02480859480538397151262350L},
		{{NORMAL, 1, 1, 0}, 0, 0.3829249225480262072754092L},
		{{NORMAL, 1, 1, 0}, 3, 0.005977036246740610130628179L},
		{{NORMAL, 3, 1, 0}, 1, 0.1252786286631094500202628L}
	};
	static long double pmf[SPAN];

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
	{
		fill_pmf(&known[i].law, pmf);
		CHECK(fabsl(pmf[REACH + known[i].x] / known[i].p - 1) < 1e-12L,
			  "constant %zu: %.20Lg", i, pmf[REACH + known[i].x]);
	}
}

/* ---- large laws: u = x / scale has the continuous law to 1e-6 ---- */

static long double
scale_of(const Law *law)
{
	if (law->kind == NORMAL)
		return ldexpl(law->num, law->shift);
	if (law->kind == GAUSSIAN)
		return sqrtl((long double) law->num / law->den);
	return (long double) law->num / law->den;
}

static long double
upper_tail(const Law *law, long double u)
{
	if (law->kind != LAPLACE)
		return normal_tail(u);
	return u > 0 ? expl(-u) / 2 : 1 - expl(u) / 2;
}

typedef struct Summary
{
	long		bad;
	long		bin[BINS];
	long		low[256];
	long		beyond;			/* |u| > 4 */
	long		positive;
	long double sum[5];
	long double lagged;			/* sum of u_i u_(i+1) */
} Summary;

static void
summarise(const Law *law, Summary *s)
{
	long double previous = 0;
	DpemSampler sampler;
	SeededSource seeded;

	seeded_init(&seeded, 77 + 1000 * law->kind + law->num + law->shift);
	dpem_sampler_init(&sampler, &seeded.source);
	for (int i = 0; i < DRAWS; i++)
	{
		DpemInt128	x;
		long double u;
		int			bin;

		s->bad += draw(law, &sampler, &x) != DPEM_OK;
		u = x / scale_of(law);
		bin = (int) (BINS * (1 - upper_tail(law, u)));
		s->bin[bin < BINS ? bin : BINS - 1]++;
		s->low[(unsigned char) x]++;
		s->beyond += fabsl(u) > 4;
		s->positive += x > 0;
		s->lagged += u * previous;
		previous = u;
		for (int j = 1; j <= 4; j++, u *= previous)
			s->sum[j] += u;
	}
}

static void
test_large_law(const Law *law)
{
	static const long double normal_moment[9] = {1, 0, 1, 0, 3, 0, 15, 0, 105};
	static const long double laplace_moment[9] = {1, 0, 2, 0, 24, 0, 720, 0, 40320};
	const long double *moment = law->kind == LAPLACE ? laplace_moment : normal_moment;
	long double equal[256];
	Summary		s = {0};

	summarise(law, &s);
	CHECK(s.bad == 0, "%ld draws failed", s.bad);
	for (int i = 0; i < BINS; i++)
		equal[i] = 1.0L / BINS;
	check_p("64 bins", law, chi_square(s.bin, equal, BINS, DRAWS));
	for (int i = 0; i < 256; i++)
		equal[i] = 1 / 256.0L;
	check_p("low byte", law, chi_square(s.low, equal, 256, DRAWS));
	check_p("tail", law, two_sided_binomial(s.beyond, DRAWS, 2 * upper_tail(law, 4)));
	check_p("sign", law, two_sided_binomial(s.positive, DRAWS, 0.5L));
	check_p("correlation", law, two_sided_normal(s.lagged / moment[2] / sqrtl(DRAWS)));
	for (int j = 1; j <= 4; j++)
	{
		long double variance = moment[2 * j] - moment[j] * moment[j];

		check_p("moment", law, two_sided_normal((s.sum[j] / DRAWS - moment[j]) /
												sqrtl(variance / DRAWS)));
	}
}

static void
test_large_laws(void)
{
	static const Law laws[] = {
		{NORMAL, 1000000, 1, 0}, {NORMAL, 1, 1, 60}, {NORMAL, 3, 1, 62}, {NORMAL, 1, 1, 100},
		{NORMAL, 1, 1, 110},
		{GAUSSIAN, UINT64_C(1000000000000), 1, 0}, {GAUSSIAN, UINT64_C(1) << 62, 1, 0},
		{GAUSSIAN, (UINT64_C(1) << 62) - 1, UINT64_C(1000003), 0},
		{LAPLACE, 1000000, 1, 0}, {LAPLACE, UINT64_C(1) << 52, 1, 0},
		{LAPLACE, UINT64_MAX, 4099, 0}
	};

	for (size_t i = 0; i < sizeof(laws) / sizeof(*laws); i++)
		test_large_law(&laws[i]);
}

/* Beyond 4 and 5 sigma, with ten times the draws; half a step belongs to the last integer in. */
static void
test_tails(void)
{
	static const Law laws[] = {{NORMAL, 1000, 1, 0}, {GAUSSIAN, 1000000, 1, 0}};

	for (int i = 0; i < 2; i++)
	{
		const long	draws = 10L * DRAWS;
		long		beyond[2] = {0, 0};
		DpemSampler sampler;
		SeededSource seeded;

		seeded_init(&seeded, 123 + i);
		dpem_sampler_init(&sampler, &seeded.source);
		for (long j = 0; j < draws; j++)
		{
			DpemInt128	x;

			(void) draw(&laws[i], &sampler, &x);
			beyond[0] += x > 4000 || x < -4000;
			beyond[1] += x > 5000 || x < -5000;
		}
		CHECK(sampler.status == DPEM_OK, "draws failed");
		for (int j = 0; j < 2; j++)
			check_p("far tail", &laws[i],
					two_sided_binomial(beyond[j], draws, 2 * normal_tail(4 + j + 0.0005L)));
	}
}

/* ---- uniform and Bernoulli ---- */

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

/* ---- scripted words: the branches that chance never reaches ---- */

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

/*
 * The acceptance exponent of the discrete Gaussian, to 64 bits.  The script
 * proposes y = u + t v (u by its word, v times true, once false), lets
 * `whole` factors exp(-1) pass, and then compares `word` with the fraction of
 * the exponent: one more than its leading digit accepts y, one less starts
 * the next proposal, for which there are no words.
 */
static void
check_exponent(uint64_t num, uint64_t den, uint64_t proposal, int v, int whole,
			   uint64_t word, DpemStatus status, int64_t expected)
{
	uint64_t	words[3 * 1000];
	size_t		n = 0;
	int64_t		y = 1;
	DpemSampler sampler;
	ScriptedSource scripted;

	words[n++] = proposal;
	words[n++] = UINT64_MAX;
	for (int i = 0; i < v + 1 + whole; i++)
	{
		words[n++] = 9;
		words[n++] = i == v ? 9 + 1 : 5;
		words[n++] = i == v ? 0 : 7;	/* the word of single bits, after a false */
	}
	words[n++] = word;
	words[n++] = UINT64_MAX;
	scripted_init(&scripted, words, n - (status == DPEM_OK), false);
	dpem_sampler_init(&sampler, &scripted.source);
	sampler.words = 1;
	CHECK(dpem_sample_discrete_gaussian(&sampler, num, den, &y) == status && y == expected,
		  "%llu/%llu, v = %d", (unsigned long long) num, (unsigned long long) den, v);
	CHECK(scripted.next == scripted.n, "%zu of %zu words used", scripted.next, scripted.n);
}

static void
test_scripted_gaussian(void)
{
	static const struct
	{
		uint64_t	num;
		uint64_t	den;
		uint64_t	proposal;
		int			v;
		int64_t		y;
		int			whole;		/* of (y - num/(den t))^2 den / (2 num) */
		uint64_t	digit;		/* of its fraction, in base 2^64 */
	}			known[] = {
		{DPEM_SIGMA2_TERM_MAX, 1,
		UINT64_C(0x6072FFFF3F1A), 20, INT64_C(42949685325), 180, UINT64_C(0x80072B94123AAF3B)},
		{DPEM_SIGMA2_TERM_MAX - 1, 3,
		UINT64_C(0x6ED9EBBA3D788D30), 9, INT64_C(11695523286), 35, UINT64_C(0x8ECF5EB1B6402B00)},
		{DPEM_SIGMA2_TERM_MAX, DPEM_SIGMA2_TERM_MAX,
		UINT64_C(0xC000000000000000), 15, INT64_C(31), 465, UINT64_C(0x2000000000000000)},
		{7, DPEM_SIGMA2_TERM_MAX,
		UINT64_C(0x8000000000000000), 0, INT64_C(0), 0, UINT64_C(0xE)},
		{1000003, 7,
		UINT64_C(0x4410410410410410), 6, INT64_C(2368), 13, UINT64_C(0xDC7D00718235A0DC)},
		{DPEM_SIGMA2_TERM_MAX - 5, DPEM_SIGMA2_TERM_MAX - 9,
		UINT64_C(0x4000000000000000), 20, INT64_C(40), 780, UINT64_C(0x1FFFFFFFFFFFCE01)},
		{DPEM_SIGMA2_TERM_MAX, 1,
		UINT64_C(0x8000000000000000), 41, INT64_C(89120571433), 820, UINT64_C(0x20000D4A00000D25)}
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
	{
		check_exponent(known[i].num, known[i].den, known[i].proposal, known[i].v,
					   known[i].whole, known[i].digit + 1, DPEM_OK, known[i].y);
		if (known[i].digit > 0)
			check_exponent(known[i].num, known[i].den, known[i].proposal, known[i].v,
						   known[i].whole, known[i].digit - 1, DPEM_ENTROPY_FAILED, 0);
	}
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

/* ---- sources that fail, stick or deliver in small pieces ---- */

#define SAMPLERS 6

/* sampler number `which`, its output widened */
static DpemStatus
draw_any(int which, DpemSampler *sampler, DpemInt128 *out)
{
	static const Law laws[] = {
		{NORMAL, 1, 1, 0}, {NORMAL, 1, 1, 110}, {GAUSSIAN, 7, 3, 0}, {LAPLACE, 7, 3, 0}
	};
	uint64_t	x = 99;
	bool		yes = true;
	DpemStatus	status;

	*out = 99;
	if (which < 4)
		return draw(&laws[which], sampler, out);
	if (which == 4)
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
	const uint64_t big = DPEM_SIGMA2_TERM_MAX;
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
	CHECK(dpem_sample_discrete_gaussian(&sampler, 0, 1, &x) == DPEM_BAD_ARGUMENT && x == 0, "0/1");
	CHECK(dpem_sample_discrete_gaussian(&sampler, 1, 0, &x) == DPEM_BAD_ARGUMENT, "1/0");
	CHECK(dpem_sample_discrete_gaussian(&sampler, big + 1, 1, &x) == DPEM_BAD_ARGUMENT, "2^62 + 1");
	CHECK(dpem_sample_discrete_gaussian(&sampler, 1, big + 1, &x) == DPEM_BAD_ARGUMENT, "den");
	CHECK(dpem_sample_discrete_gaussian(&sampler, big, big, &x) == DPEM_OK, "both at the limit");
	CHECK(dpem_sample_discrete_gaussian(&sampler, 1, big, &x) == DPEM_OK && x == 0, "2^-62");
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
	test_pmf_constants();
	test_uniform();
	test_bernoulli_exp();
	test_small_laws();
	test_large_laws();
	test_tails();
	test_rounding();
	test_scripted_normal();
	test_missing_sign();
	test_scripted_fraction();
	test_scripted_gaussian();
	test_scripted_comparison();
	test_failures();
	test_pool_sizes();
	test_stuck_sources();
	test_endless_loops();
	test_wipe();
	test_domain();
	CHECK(statistical_checks < 500, "%d statistical checks", statistical_checks);
	return unit_report();
}
