/*
 * chance.h - how probable a test statistic is: tails of the laws that the
 * statistical tests compare with.
 */
#ifndef CHANCE_H
#define CHANCE_H

#include <float.h>
#include <math.h>

/* P(Gamma(a) > x): series below a + 1, Lentz's continued fraction above */
static inline long double
gamma_upper(long double a, long double x)
{
	long double front = expl(a * logl(x) - x - lgammal(a));
	long double sum = 1 / a;
	long double term = sum;
	long double b = x + 1 - a;
	long double c = 1e300L;
	long double d = 1 / b;

	if (x <= 0)
		return 1;
	if (x < a + 1)
	{
		for (int i = 1; term > sum * LDBL_EPSILON; i++)
			sum += term *= x / (a + i);
		return 1 - sum * front;
	}
	sum = d;
	for (int i = 1; i < 100000; i++)
	{
		long double an = -i * (i - a);

		b += 2;
		d = 1 / (an * d + b);
		c = b + an / c;
		sum *= c * d;
		if (fabsl(c * d - 1) < 1e-17L)
			break;
	}
	return sum * front;
}

static inline long double
two_sided_normal(long double z)
{
	return erfcl(fabsl(z) / sqrtl(2));
}

static inline long double
two_sided_poisson(long double count, long double mean)
{
	long double at_least = count > 0 ? 1 - gamma_upper(count, mean) : 1;
	long double at_most = gamma_upper(count + 1, mean);

	return 2 * fminl(at_least, at_most);
}

/* count ~ Binomial(n, p): by its rarer side; Poisson tails are the heavier ones */
static inline long double
two_sided_binomial(long double count, long double n, long double p)
{
	if (p > 0.5)
		return two_sided_binomial(n - count, n, 1 - p);
	if (p < 0.01)
		return two_sided_poisson(count, n * p);
	return two_sided_normal((count - n * p) / sqrtl(n * p * (1 - p)));
}

/* neighbouring bins are joined until 10 observations are expected */
static inline long double
chi_square(const long *observed, const long double *probability, int bins, long double n)
{
	long double chi2 = 0;
	long double expected = 0;
	long double seen = 0;
	int			used = 0;

	for (int i = 0; i < bins; i++)
	{
		expected += n * probability[i];
		seen += observed[i];
		if (expected >= 10 || i == bins - 1)
		{
			chi2 += expected > 0 ? (seen - expected) * (seen - expected) / expected : 0;
			used += expected > 0;
			expected = seen = 0;
		}
	}
	return used > 1 ? gamma_upper((used - 1) / 2.0L, chi2 / 2) : 1;
}

static inline long double
normal_tail(long double z)
{
	return erfcl(z / sqrtl(2)) / 2;
}

#endif							/* CHANCE_H */
