/*
 * test_choice.c - the exponential mechanism: its law, its privacy, its cost.
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

/* ---- range and scale ---- */

static void
test_scale(void)
{
	const DpemUint128 one = TWO(18);

	CHECK(dpem_choice_range(one, true, 3) == 6 * one && dpem_choice_range(one, false, 3) == 3 * one, "range");
	for (double epsilon = 1e-6; epsilon < 1000; epsilon *= 1.7)
	{
		DpemUint128 range = dpem_choice_range(one, true, 1);
		DpemUint128 scale = dpem_choice_scale(1 / epsilon, range);
		long double spent = (long double) range / (long double) scale;

		CHECK(spent <= epsilon, "epsilon %g: %Lg spent", epsilon, spent);
		CHECK(spent >= epsilon * (1 - 1e-11 - epsilon / (long double) range), "epsilon %g: %Lg used", epsilon, spent);
	}
	CHECK(dpem_choice_scale(0, one) == 0 && dpem_choice_scale(NAN, one) == 0 &&
		  dpem_choice_scale(INFINITY, one) == 0 && dpem_choice_scale(-1, one) == 0 &&
		  dpem_choice_scale(0x1p110, one) == 0, "domain");
}

static double
uniform(SeededSource *seeded)
{
	return (double) (seeded_word(seeded) >> 11) * 0x1p-53;
}

/* greatest minus least change of n scores when one row's marks change */
static void
search_range(int n, bool replace_one, double *worst)
{
	SeededSource seeded;

	seeded_init(&seeded, n + replace_one);
	for (int i = 0; i < 20000; i++)
	{
		double		most = -INFINITY;
		double		least = INFINITY;

		for (int j = 0; j < n; j++)
		{
			double		old = floor(uniform(&seeded) * 3) / 2;
			double		now = replace_one ? floor(uniform(&seeded) * 3) / 2 : 0;

			most = fmax(most, now - old);
			least = fmin(least, now - old);
		}
		*worst = fmax(*worst, most - least);
	}
}

/* the same for quadratic forms of rows in the unit ball; the rows climb towards the directions */
static double
search_directions(const int32_t *v, int n, int d, bool replace_one)
{
	SeededSource seeded;
	double		worst = 0;

	seeded_init(&seeded, d);
	for (int i = 0; i < 200000; i++)
	{
		double		x[2][4];
		double		most = -INFINITY;
		double		least = INFINITY;

		for (int row = 0; row < 2; row++)
		{
			const int32_t *near = v + (size_t) (uniform(&seeded) * n) * d;
			double		norm2 = 0;

			for (int j = 0; j < d; j++)
			{
				x[row][j] = near[j] / 1000.0 + (i % 10 ? 0.1 : 2) * (uniform(&seeded) - 0.5);
				norm2 += x[row][j] * x[row][j];
			}
			for (int j = 0; j < d; j++)
				x[row][j] = (row == 1 && !replace_one) || norm2 == 0 ? 0 : x[row][j] / sqrt(norm2);
		}
		for (int k = 0; k < n; k++)
		{
			double		dot[2] = {0, 0};
			double		change;

			for (int row = 0; row < 2; row++)
				for (int j = 0; j < d; j++)
					dot[row] += x[row][j] * v[k * d + j];
			change = dot[0] * dot[0] - dot[1] * dot[1];
			most = fmax(most, change);
			least = fmin(least, change);
		}
		worst = fmax(worst, most - least);
	}
	return worst;
}

static void
test_sensitivity(void)
{
	static const int32_t v[] = {1000, 0, 0, 0, 1000, 0, 0, 0, 999, 577, 577, 577, -577, 577, 577};

	for (int replace_one = 0; replace_one < 2; replace_one++)
	{
		double		bound = (double) dpem_choice_range(1, replace_one, 1);
		double		worst = 0;
		double		norm2 = (double) dpem_directions_norm2(v, 5, 3);

		for (int n = 1; n <= 5; n++)
			search_range(n, replace_one, &worst);
		CHECK(worst <= bound && worst >= bound, "marks: %g of %g", worst, bound);
		worst = search_directions(v, 5, 3, replace_one) / norm2;
		CHECK(worst <= bound && worst >= 0.97 * bound, "directions: %g of %g", worst, bound);
	}
}

static void
test_directions(void)
{
	static const int32_t v[] = {3, -4, 0, 0, 1, 2};
	static const int32_t wide[] = {DPEM_DIRECTION_MAX + 1, 0};
	static const int32_t least[] = {INT32_MIN, INT32_MIN};
	static const int32_t longest[] = {DPEM_DIRECTION_MAX, 1};
	/* S = [[1, 2, -5], [2, 7, 0], [-5, 0, 2^100]] */
	const DpemInt128 second[] = {1, 2, 7, -5, 0, TWO(100)};

	CHECK(dpem_directions_norm2(v, 2, 3) == 25, "norm");
	CHECK(dpem_directions_norm2(v + 2, 1, 2) == -1, "zero");
	CHECK(dpem_directions_norm2(wide, 1, 2) == -1 && dpem_directions_norm2(least, 1, 2) == -1 &&
		  dpem_directions_norm2(longest, 1, 2) == -1 && dpem_directions_norm2(longest, 1, 1) == TWO(32), "limits");
	CHECK(dpem_quadratic_form(second, v, 3) == 9 * 1 + 16 * 7 - 2 * 12 * 2, "v'Sv");
	CHECK(dpem_quadratic_form(second, v + 3, 3) == 7 + 4 * TWO(100), "v'Sv");
}

/* ---- cost ---- */

/*
 * The trade-off curve of e-bounded range is above that of its worst pair of
 * two outcomes, with log-ratios s and s - e (docs/proofs.md): for that pair p =
 * P(first), q = Q(first) have log-odds e apart, and mu(s) = Phi^-1(p) -
 * Phi^-1(q).  The declared mu must not be below any of them, and its rho not
 * below any Renyi divergence.
 */
static void
check_pair(double epsilon, long double s, double *worst_mu, long double *worst_rho)
{
	long double p = expm1l(s - epsilon) / expm1l(-epsilon);
	long double q = p * expl(-s);
	double		mu = dpem_choice_mu2(epsilon);
	/* P(first) is beaten by the Gaussian curve: Phi(Phi^-1(q) + mu) >= p, by bisection on Phi^-1(q) */
	long double low = -40;
	long double high = 40;

	for (int i = 0; i < 200; i++)
	{
		long double mid = (low + high) / 2;

		if (normal_tail(-mid) < q)
			low = mid;
		else
			high = mid;
	}
	CHECK(normal_tail(-(high + sqrtl(mu))) >= p * (1 - 1e-12L), "epsilon %g, s = %Lg", epsilon, s);
	*worst_mu = fmax(*worst_mu, (double) (p / normal_tail(-(high + sqrtl(mu)))));
	for (long double alpha = 1.01L; alpha < 200; alpha *= 1.3L)
	{
		long double sum = q * expl(alpha * s) + (1 - q) * expl(alpha * (s - epsilon));

		*worst_rho = fmaxl(*worst_rho, logl(sum) / (alpha - 1) / alpha);
	}
}

static void
test_cost(void)
{
	for (double epsilon = 0.01; epsilon < 12; epsilon *= 1.5)
	{
		double		worst_mu = 0;
		long double worst_rho = 0;

		for (int i = 1; i < 200; i++)
			check_pair(epsilon, epsilon * (long double) i / 200, &worst_mu, &worst_rho);
		CHECK(worst_mu > 0.999, "epsilon %g: mu is not attained, %g", epsilon, worst_mu);
		CHECK(worst_rho <= dpem_choice_rho(epsilon) * (1 + 1e-9L), "epsilon %g: rho %Lg of %g", epsilon, worst_rho,
			  dpem_choice_rho(epsilon));
		if (epsilon < 0.1)
			CHECK(worst_rho > 0.99 * dpem_choice_rho(epsilon), "epsilon %g: rho is not attained", epsilon);
	}
	CHECK(isnan(dpem_choice_mu2(0)) && isnan(dpem_choice_rho(-1)) && isnan(dpem_choice_mu2(INFINITY)), "domain");
}

/* what a line of a charge says: two choices of epsilon 1/4 and a Gaussian release at z = 4 */
static void
test_line_cost(void)
{
	const DpemCostLine lines[] = {dpem_cost_line(DPEM_COST_CHOICE, 4, 2), dpem_cost_line(DPEM_COST_GAUSSIAN, 4, 1)};
	double		epsilon;
	double		expected;

	CHECK_CLOSE(dpem_cost_mu2(lines, 2), 2 * dpem_choice_mu2(0.25) + 1.0 / 16, 1e-12, "mu squared");
	CHECK_CLOSE(dpem_cost_rho(lines, 2), 2 * 0.0625 / 8 + 1.0 / 32, 1e-12, "rho");
	CHECK(dpem_cost_epsilon(lines, 1, DPEM_COMPOSE_LINEAR, 1e-6, 0, &epsilon) == DPEM_OK, "linear");
	CHECK_CLOSE(epsilon, 0.5, 1e-12, "linear");
	(void) dpem_cost_epsilon(lines, 2, DPEM_COMPOSE_EXACT, 1e-6, 0, &epsilon);
	(void) dpem_gdp_epsilon(sqrt(dpem_cost_mu2(lines, 2)), 1e-6, &expected);
	CHECK_CLOSE(epsilon, expected, 1e-9, "exact");
	(void) dpem_cost_epsilon(lines, 2, DPEM_COMPOSE_ZCDP, 1e-6, 0, &epsilon);
	(void) dpem_zcdp_epsilon(dpem_cost_rho(lines, 2), 1e-6, false, &expected);
	CHECK_CLOSE(epsilon, expected, 1e-9, "zcdp");
}

int
main(void)
{
	test_laws();
	test_far_ahead();
	test_levels();
	test_oblivious();
	test_failures();
	test_domain();
	test_scale();
	test_sensitivity();
	test_directions();
	test_cost();
	test_line_cost();
	CHECK(statistical_checks < 100, "%d statistical checks", statistical_checks);
	return unit_report();
}
