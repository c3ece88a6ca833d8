/*
 * sampler_fixture.h - laws, and samplers against them.
 *
 * Seeds are fixed, so a run is deterministic: a check that passes once passes
 * always until the code changes.  For a fresh seed each statistical check
 * would raise a false alarm with probability ALPHA = 1e-9; three programs make
 * such checks, each fewer than MOST_CHECKS (sampler_report looks), so all
 * together below 5e-7.
 */
#ifndef DPEM_TEST_SAMPLER_FIXTURE_H
#define DPEM_TEST_SAMPLER_FIXTURE_H

#include <math.h>

#include "chance.h"
#include "core/noise/noise.h"
#include "seeded_source.h"
#include "unit.h"

#ifndef DRAWS
#define DRAWS 1000000
#endif

#define ALPHA 1e-9
#define MOST_CHECKS 160
#define REACH 400				/* largest |x| with a bin of its own */
#define SPAN (2 * REACH + 1)
#define BINS 64					/* equally likely ones, for large laws */

typedef enum Kind
{
	NORMAL, LAPLACE
} Kind;

/* sigma = num 2^shift (NORMAL), t = num/den (LAPLACE) */
typedef struct Law
{
	Kind		kind;
	uint64_t	num;
	uint64_t	den;
	int			shift;
} Law;

typedef struct KnownProbability
{
	Law			law;
	int			x;
	long double p;
} KnownProbability;

static int	statistical_checks;

static inline void
check_p(const char *what, const Law *law, long double p)
{
	statistical_checks++;
	CHECK(p > ALPHA, "%s of law %d (%llu/%llu, 2^%d): p = %Lg", what, law->kind,
		  (unsigned long long) law->num, (unsigned long long) law->den, law->shift, p);
}

/* instead of unit_report, after statistical checks */
static inline int
sampler_report(void)
{
	CHECK(statistical_checks < MOST_CHECKS, "%d statistical checks", statistical_checks);
	return unit_report();
}

/* P(x) */
static inline long double
weight(const Law *law, long double x)
{
	long double scale = (long double) law->num / law->den;

	x = fabsl(x);
	switch (law->kind)
	{
		case NORMAL:
			return normal_tail((x - 0.5L) / law->num) - normal_tail((x + 0.5L) / law->num);
		default:
			return tanhl(1 / (2 * scale)) * expl(-x / scale);
	}
}

static inline void
fill_pmf(const Law *law, long double *pmf)
{
	long double sum = 0;

	for (int i = 0; i < SPAN; i++)
		sum += pmf[i] = weight(law, i - REACH);
	for (int i = 0; i < SPAN; i++)
		pmf[i] /= sum;
}

/* fill_pmf against values computed elsewhere to 25 digits */
static inline void
check_known(const KnownProbability *known, size_t n)
{
	static long double pmf[SPAN];

	for (size_t i = 0; i < n; i++)
	{
		fill_pmf(&known[i].law, pmf);
		CHECK(fabsl(pmf[REACH + known[i].x] / known[i].p - 1) < 1e-12L,
			  "constant %zu: %.20Lg", i, pmf[REACH + known[i].x]);
	}
}

/* dpem_noise_likeliest is above the probability of the law's most probable integer, and near it */
static inline void
check_likeliest(Kind kind)
{
	static const int scales[] = {1, 2, 3, 10, 1000, 100000};

	for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++)
	{
		Law			law = {kind, scales[i], 1, 0};
		double		bound = dpem_noise_likeliest(kind == NORMAL ? DPEM_NOISE_GAUSSIAN : DPEM_NOISE_LAPLACE, scales[i]);
		long double p = weight(&law, 0);

		CHECK(p >= weight(&law, 1), "0 is the most probable of law %d, scale %d", kind, scales[i]);
		CHECK(bound >= p && bound < p * (1 + 0.1L / scales[i] / scales[i]) * (1 + 1e-9L), "likeliest of law %d, scale %d: %.17g for %.17Lg",
			  kind, scales[i], bound, p);
	}
}

static inline DpemStatus
draw(const Law *law, DpemSampler *sampler, DpemInt128 *out)
{
	int64_t		value = 0;
	DpemStatus	status;

	if (law->kind == NORMAL)
		return dpem_sample_rounded_normal(sampler, (DpemUint128) law->num << law->shift, out);
	status = dpem_sample_discrete_laplace(sampler, law->num, law->den, &value);
	*out = value;
	return status;
}

static inline void
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

/* of small scale: every probability, four moments, sign */
static inline void
check_small_law(const Law *law)
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

static inline long double
scale_of(const Law *law)
{
	if (law->kind == NORMAL)
		return ldexpl(law->num, law->shift);
	return (long double) law->num / law->den;
}

static inline long double
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

static inline void
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

/* of large scale: x / scale has the continuous law to 1e-6 */
static inline void
check_large_law(const Law *law)
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

/* of scale 1000: beyond 4 and 5 sigma, with ten times the draws; half a step belongs to the last integer in */
static inline void
check_tails(const Law *law)
{
	const long	draws = 10L * DRAWS;
	long		beyond[2] = {0, 0};
	DpemSampler sampler;
	SeededSource seeded;

	seeded_init(&seeded, 123 + law->kind);
	dpem_sampler_init(&sampler, &seeded.source);
	for (long i = 0; i < draws; i++)
	{
		DpemInt128	x;

		(void) draw(law, &sampler, &x);
		beyond[0] += x > 4000 || x < -4000;
		beyond[1] += x > 5000 || x < -5000;
	}
	CHECK(sampler.status == DPEM_OK, "draws failed");
	for (int i = 0; i < 2; i++)
		check_p("far tail", law, two_sided_binomial(beyond[i], draws, 2 * normal_tail(4 + i + 0.0005L)));
}

#endif							/* DPEM_TEST_SAMPLER_FIXTURE_H */
