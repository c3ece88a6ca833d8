/*
 * sensitivity_fixture.h - hill climbing for the pair of rows that moves the
 * stacked moments most.
 */
#ifndef SENSITIVITY_FIXTURE_H
#define SENSITIVITY_FIXTURE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/accounting/sensitivity.h"
#include "core/pass/moments.h"

#define MAX_K 4
#define MAX_D 4
#define MAX_STACK (MAX_K * (1 + MAX_D + MAX_D * MAX_D))

/* a row and its responsibilities; all zero: the null row */
typedef struct Contribution
{
	double		r[MAX_K];
	double		x[MAX_D];
} Contribution;

static uint64_t fixture_state = 88172645463325252u;

static double
fixture_uniform(void)
{
	fixture_state ^= fixture_state << 13;
	fixture_state ^= fixture_state >> 7;
	fixture_state ^= fixture_state << 17;
	return (double) (fixture_state >> 11) * 0x1p-53;
}

/* back onto the simplex (by clamping and scaling) and into the ball */
static void
make_valid(Contribution *c, int k, int d)
{
	double		sum = 0;
	double		norm2 = 0;

	for (int i = 0; i < k; i++)
		sum += c->r[i] = fmax(c->r[i], 0);
	for (int i = 0; i < k; i++)
		c->r[i] = sum > 0 ? c->r[i] / sum : i == 0;
	for (int j = 0; j < d; j++)
		norm2 += c->x[j] * c->x[j];
	for (int j = 0; j < d && norm2 > 1; j++)
		c->x[j] /= sqrt(norm2) * (1 + 1e-15);
}

static void
stack(const Contribution *c, int k, int d, DpemSecondMoment shape, const double *w, double *out)
{
	double		norm2 = 0;

	for (int j = 0; j < d; j++)
		norm2 += c->x[j] * c->x[j];
	for (int i = 0; i < k; i++)
	{
		*out++ = w[0] * c->r[i];
		for (int j = 0; j < d; j++)
			*out++ = w[1] * c->r[i] * c->x[j];
		if (shape == DPEM_SECOND_NORM)
			*out++ = w[2] * c->r[i] * norm2;
		for (int j = 0; shape != DPEM_SECOND_NORM && j < d; j++)
			for (int l = shape == DPEM_SECOND_FULL ? 0 : j; l <= j; l++)
				*out++ = w[2] * c->r[i] * c->x[j] * c->x[l] * (l == j ? 1 : sqrt(2.0));
	}
}

/* the norm that rows are to move the stack in: 2, or 1 where Laplace noise is meant */
static int	fixture_norm = 2;

static double
moved(const Contribution *a, const Contribution *b, int k, int d, DpemSecondMoment shape, const double *w)
{
	double		one[MAX_STACK] = {0};
	double		two[MAX_STACK] = {0};
	double		sum = 0;

	stack(a, k, d, shape, w, one);
	stack(b, k, d, shape, w, two);
	for (int i = 0; i < MAX_STACK; i++)
		sum += fixture_norm == 1 ? fabs(one[i] - two[i]) : (one[i] - two[i]) * (one[i] - two[i]);
	return fixture_norm == 1 ? sum : sqrt(sum);
}

static void
perturb(Contribution *c, int k, int d, double step)
{
	for (int i = 0; i < k; i++)
		c->r[i] += step * (2 * fixture_uniform() - 1);
	for (int j = 0; j < d; j++)
		c->x[j] += step * (2 * fixture_uniform() - 1);
	make_valid(c, k, d);
}

static double
climb(int k, int d, DpemSecondMoment shape, const double *w, bool replace_one)
{
	Contribution a = {0};
	Contribution b = {0};
	double		best;
	double		step = 1;

	perturb(&a, k, d, 2);
	if (replace_one)
		perturb(&b, k, d, 2);
	best = moved(&a, &b, k, d, shape, w);
	for (int i = 0; i < 600; i++, step = fmax(step * 0.985, 1e-3))
	{
		Contribution na = a;
		Contribution nb = b;
		double		now;

		perturb(&na, k, d, step);
		if (replace_one)
			perturb(&nb, k, d, step);
		now = moved(&na, &nb, k, d, shape, w);
		if (now > best)
		{
			best = now;
			a = na;
			b = nb;
		}
	}
	return best;
}

static double
search_sensitivity(int k, int d, DpemSecondMoment shape, const double *w, bool replace_one)
{
	double		worst = 0;

	for (int start = 0; start < 60; start++)
	{
		worst = fmax(worst, climb(k, d, shape, w, replace_one));
		if (replace_one)		/* one of the two is the null row */
			worst = fmax(worst, climb(k, d, shape, w, false));
	}
	return worst;
}

#endif							/* SENSITIVITY_FIXTURE_H */
