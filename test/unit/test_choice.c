/*
 * test_choice.c - the exponential mechanism: its law, drawn exactly.
 *
 * Seeds are fixed.  For a fresh seed each statistical check would raise a
 * false alarm with probability ALPHA = 1e-9; there are fewer than 100.
 */
#include <math.h>
#include <stdlib.h>

#include "chance.h"
#include "core/accounting/accountant.h"
#include "core/accounting/choice.h"
#include "core/accounting/fit_cost.h"
#include "seeded_source.h"
#include "unit.h"

#define ALPHA 1e-9
#define MOST 16
#define WORK 8000000			/* exponential deviates per law */

typedef struct Choice
{
	size_t		n;
	DpemInt128	score[MOST];
	uint64_t	num;
	DpemUint128 den;
} Choice;

static int	statistical_checks;

#define TWO(n) ((DpemInt128) 1 << (n))

/* P(i), the differences exact before they become floating-point numbers */
static void
fill_law(const Choice *c, long double *p)
{
	DpemInt128	best = c->score[0];
	long double sum = 0;

	for (size_t i = 1; i < c->n; i++)
		best = c->score[i] > best ? c->score[i] : best;
	for (size_t i = 0; i < c->n; i++)
		sum += p[i] = expl(-(long double) c->num * (long double) ((DpemUint128) best - (DpemUint128) c->score[i]) /
						   (long double) c->den);
	for (size_t i = 0; i < c->n; i++)
		p[i] /= sum;
}

static void
check_law(const Choice *c, const char *name)
{
	long double p[MOST];
	long		seen[MOST] = {0};
	long		bad = 0;
	long		draws = WORK / ((long) c->n * DPEM_CHOICE_ROUNDS);
	DpemChoiceLevel level[MOST];
	DpemSampler sampler;
	SeededSource seeded;

	seeded_init(&seeded, c->n + 17 * c->num);
	dpem_sampler_init(&sampler, &seeded.source);
	fill_law(c, p);
	for (long i = 0; i < draws; i++)
	{
		size_t		chosen = MOST;

		bad += dpem_sample_exponential_choice(&sampler, c->score, c->n, c->num, c->den, level,
											  &chosen) != DPEM_OK;
		if (chosen < c->n)
			seen[chosen]++;
	}
	statistical_checks++;
	CHECK(bad == 0, "%s: %ld draws failed", name, bad);
	CHECK(chi_square(seen, p, (int) c->n, draws) > ALPHA, "%s: p = %Lg", name,
		  chi_square(seen, p, (int) c->n, draws));
	for (size_t i = 0; i < c->n; i++)
	{
		statistical_checks++;
		CHECK(two_sided_binomial(seen[i], draws, p[i]) > ALPHA, "%s: candidate %zu, %ld of %ld, p = %Lg",
			  name, i, seen[i], draws, p[i]);
	}
}

/* the same law by dpem_sample_fine_choice, of a denominator alone */
static void
check_fine_law(const Choice *c, const char *name)
{
	long double p[MOST];
	long		seen[MOST] = {0};
	long		bad = 0;
	const long	draws = 30000;
	DpemFineRoom room[MOST];
	DpemSampler sampler;
	SeededSource seeded;

	seeded_init(&seeded, 5 * c->n + 1);
	dpem_sampler_init(&sampler, &seeded.source);
	fill_law(c, p);
	for (long i = 0; i < draws; i++)
	{
		size_t		chosen = MOST;

		bad += dpem_sample_fine_choice(&sampler, c->score, c->n, c->den, room, &chosen) != DPEM_OK;
		if (chosen < c->n)
			seen[chosen]++;
	}
	statistical_checks++;
	CHECK(bad == 0, "%s: %ld draws failed", name, bad);
	CHECK(chi_square(seen, p, (int) c->n, draws) > ALPHA, "%s: p = %Lg", name, chi_square(seen, p, (int) c->n, draws));
}

/* the i-th weight is the least integer above 2^96 exp(-i), and no candidate has less than exp(-40) */
static void
check_weights(void)
{
	enum
	{
		N = DPEM_FINE_MOST + 3
	};
	DpemInt128	score[N];
	DpemFineRoom room[N];
	DpemSampler sampler;
	SeededSource seeded;
	size_t		chosen;

	seeded_init(&seeded, 4);
	dpem_sampler_init(&sampler, &seeded.source);
	for (int i = 0; i < N; i++)
		score[i] = -i;
	CHECK(dpem_sample_fine_choice(&sampler, score, N, 1, room, &chosen) == DPEM_OK, "all of them");
	for (int i = 0; i < N; i++)
	{
		long double weight = (long double) (room[i].upto - (i > 0 ? room[i - 1].upto : 0));
		long double exact = ldexpl(expl(-(i < DPEM_FINE_MOST ? i : DPEM_FINE_MOST)), 96);

		CHECK(fabsl(weight - exact) <= 1 + exact * 1e-17L, "%d: %Lg, not %Lg", i, weight, exact);
	}
}

static void
test_fine(void)
{
	static const Choice ladder = {10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 1, 3};
	static const Choice whole = {4, {0, 1, 2, 3}, 1, 1};
	static const Choice equal = {5, {7, 7, 7, 7, 7}, 1, 100};
	static const Choice one = {1, {-9}, 1, 1};
	const Choice far = {5, {0, TWO(70), 2 * TWO(70), 3 * TWO(70), 3 * TWO(70) + 12345}, 1, 7 * TWO(69)};
	const Choice widest = {3, {-TWO(126) - (TWO(126) - 1), TWO(126) + (TWO(126) - 1), 0}, 1, (DpemUint128) TWO(126) * 2};
	DpemFineRoom room[1];
	DpemSampler sampler;
	SeededSource seeded;
	size_t		chosen = 5;

	check_fine_law(&ladder, "ladder");
	check_fine_law(&whole, "whole numbers");
	check_fine_law(&equal, "all equal");
	check_fine_law(&one, "one candidate");
	check_fine_law(&far, "2^70 apart");
	check_fine_law(&widest, "widest");
	check_weights();
	seeded_init(&seeded, 2);
	dpem_sampler_init(&sampler, &seeded.source);
	CHECK(dpem_sample_fine_choice(&sampler, one.score, 0, 1, room, &chosen) == DPEM_BAD_ARGUMENT && chosen == 0, "none");
	CHECK(dpem_sample_fine_choice(&sampler, one.score, DPEM_FINE_MAX + 1, 1, room, &chosen) == DPEM_BAD_ARGUMENT, "too many");
	CHECK(dpem_sample_fine_choice(&sampler, one.score, 1, 0, room, &chosen) == DPEM_BAD_ARGUMENT, "1/0");
	CHECK(dpem_sample_fine_choice(&sampler, one.score, 1, DPEM_CHOICE_DEN_MAX + 1, room, &chosen) == DPEM_BAD_ARGUMENT, "denominator");
}

static void
test_laws(void)
{
	static const Choice equal = {8, {5, 5, 5, 5, 5, 5, 5, 5}, 3, 7};
	static const Choice ladder = {10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 1, 3};
	static const Choice zero_gamma = {3, {-4, 0, 1000}, 0, 1};
	static const Choice one = {1, {-9}, 1, 1};
	const Choice negative = {4, {-TWO(90), -TWO(90) + 1, -TWO(90) - 1, -TWO(90) + 2}, UINT64_MAX,
	UINT64_MAX - 1};
	/* scores 2^70 apart, in units of about 2^70 */
	const Choice far = {5, {0, TWO(70), 2 * TWO(70), 3 * TWO(70), 3 * TWO(70) + 12345}, 5, 7 * TWO(69)};
	/* the widest difference there can be, and the largest denominator */
	const Choice widest = {3, {-TWO(126) - (TWO(126) - 1), TWO(126) + (TWO(126) - 1), 0}, 1,
	(DpemUint128) TWO(126) * 2};
	/* integer parts alone: a fraction of zero */
	const Choice whole = {4, {0, 1, 2, 3}, 1, 1};

	check_law(&equal, "all equal");
	check_law(&ladder, "ladder");
	check_law(&zero_gamma, "gamma zero");
	check_law(&one, "one candidate");
	check_law(&negative, "negative");
	check_law(&far, "2^70 apart");
	check_law(&widest, "widest");
	check_law(&whole, "whole numbers");
}

/* one candidate is ahead by more than any chance: it always wins, also where whole parts are cut off */
static void
test_far_ahead(void)
{
	const Choice c = {3, {0, TWO(126), -TWO(126)}, UINT64_MAX, 1};
	DpemChoiceLevel level[3];
	DpemSampler sampler;
	SeededSource seeded;
	int			wrong = 0;

	seeded_init(&seeded, 3);
	dpem_sampler_init(&sampler, &seeded.source);
	for (int i = 0; i < 1000; i++)
	{
		size_t		chosen;

		wrong += dpem_sample_exponential_choice(&sampler, c.score, c.n, c.num, c.den, level, &chosen) != DPEM_OK ||
			chosen != 1;
	}
	CHECK(wrong == 0, "%d of 1000", wrong);
	CHECK(level[0].whole == UINT64_MAX && level[1].whole == 0 && level[1].part == 0, "levels");
}

/* levels against 128-bit division where that is wide enough */
static void
test_levels(void)
{
	DpemChoiceLevel level[2];
	DpemSampler sampler;
	SeededSource seeded;
	int			bad = 0;

	seeded_init(&seeded, 4);
	dpem_sampler_init(&sampler, &seeded.source);
	for (int i = 0; i < 300; i++)
	{
		uint64_t	num = seeded_word(&seeded) >> (i % 64);
		uint64_t	den = (seeded_word(&seeded) >> (i * 7 % 64)) | 1;
		uint64_t	difference = seeded_word(&seeded) >> (i * 5 % 64);
		DpemInt128	score[2] = {-77, (DpemInt128) difference - 77};
		DpemUint128 product = (DpemUint128) num * difference;
		DpemUint128 whole = product / den;
		size_t		chosen;

		(void) dpem_sample_exponential_choice(&sampler, score, 2, num, den, level, &chosen);
		bad += level[0].whole != (whole > UINT64_MAX ? UINT64_MAX : (uint64_t) whole);
		bad += level[0].part != product % den;
	}
	CHECK(bad == 0, "%d wrong", bad);
}

/* What is drawn from the source is the same whatever the scores. */
static void
test_oblivious(void)
{
	static const DpemInt128 scores[][4] = {{0, 0, 0, 0}, {0, 1, 2, 3}, {1000000, 0, 0, 0}, {0, 0, 0, 5}};
	uint64_t	state[4];
	size_t		next[4];
	DpemChoiceLevel level[4];

	for (int i = 0; i < 4; i++)
	{
		DpemSampler sampler;
		SeededSource seeded;
		size_t		chosen;

		seeded_init(&seeded, 12);
		dpem_sampler_init(&sampler, &seeded.source);
		for (int j = 0; j < 50; j++)
			(void) dpem_sample_exponential_choice(&sampler, scores[i], 4, 1, 2, level, &chosen);
		state[i] = seeded.state;
		next[i] = sampler.next;
		CHECK(state[i] == state[0] && next[i] == next[0], "scores %d use other words", i);
	}
}

static void
test_failures(void)
{
	static const DpemInt128 score[3] = {0, 1, 2};
	static const uint64_t zeros[1] = {0};
	DpemChoiceLevel level[3];
	DpemSampler sampler;
	SeededSource seeded;
	ScriptedSource stuck;
	size_t		chosen;

	for (long calls = 0; calls < 200; calls++)
	{
		DpemStatus	status;

		seeded_init(&seeded, 6);
		seeded.calls = calls;
		dpem_sampler_init(&sampler, &seeded.source);
		sampler.words = sampler.next = 1;
		chosen = 9;
		status = dpem_sample_exponential_choice(&sampler, score, 3, 1, 2, level, &chosen);
		CHECK(status == DPEM_ENTROPY_FAILED && chosen == 0, "failure after %ld words", calls);
		CHECK(dpem_sample_exponential_choice(&sampler, score, 3, 1, 2, level, &chosen) == DPEM_ENTROPY_FAILED,
			  "sticky");
	}
	scripted_init(&stuck, zeros, 1, true);
	dpem_sampler_init(&sampler, &stuck.source);
	CHECK(dpem_sample_exponential_choice(&sampler, score, 3, 1, 2, level, &chosen) == DPEM_ENTROPY_FAILED &&
		  chosen == 0, "a stuck source");
}

static void
test_domain(void)
{
	static const DpemInt128 score[1] = {0};
	DpemChoiceLevel level[1];
	DpemSampler sampler;
	SeededSource seeded;
	size_t		chosen = 5;

	seeded_init(&seeded, 2);
	dpem_sampler_init(&sampler, &seeded.source);
	CHECK(dpem_sample_exponential_choice(&sampler, score, 0, 1, 1, level, &chosen) == DPEM_BAD_ARGUMENT &&
		  chosen == 0, "none");
	CHECK(dpem_sample_exponential_choice(&sampler, score, DPEM_CHOICE_MAX + 1, 1, 1, level, &chosen) ==
		  DPEM_BAD_ARGUMENT, "too many");
	CHECK(dpem_sample_exponential_choice(&sampler, score, 1, 1, 0, level, &chosen) == DPEM_BAD_ARGUMENT, "1/0");
	CHECK(dpem_sample_exponential_choice(&sampler, score, 1, 1, DPEM_CHOICE_DEN_MAX + 1, level, &chosen) ==
		  DPEM_BAD_ARGUMENT, "denominator");
	CHECK(sampler.status == DPEM_OK, "a bad argument is not sticky");
}

int
main(void)
{
	test_laws();
	test_fine();
	test_far_ahead();
	test_levels();
	test_oblivious();
	test_failures();
	test_domain();
	CHECK(statistical_checks < 100, "%d statistical checks", statistical_checks);
	return unit_report();
}
