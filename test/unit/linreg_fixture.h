/*
 * linreg_fixture.h - a linear regression's moments, and its solution without noise.
 */
#ifndef DPEM_TEST_LINREG_FIXTURE_H
#define DPEM_TEST_LINREG_FIXTURE_H

#include "core/linreg/linreg_estimate.h"
#include "core/linreg/linreg_rules.h"
#include "core/numeric/linalg.h"
#include "kernel_fixture.h"

#define HOLDS(condition)	CHECK(condition, "%s", #condition)
#define NEAR(actual, expected, tolerance) \
	CHECK(fabs((actual) - (expected)) <= (tolerance) * fmax(1, fabs(expected)), "%s is %.17g, not %.17g", #actual, actual, expected)

#define MOST_P	12
#define MOST	(MOST_P + 1)

typedef struct Problem
{
	DpemLinregMoments m;
	DpemLinreg	fit;
	DpemWorkspace work;
	double	   *memory;
	double		root[MOST * MOST];	/* second moments are root root' */
	double		unit[MOST];
	int			label[MOST];
	bool		shared[MOST];
} Problem;

static inline Problem *
make_problem(int p)
{
	Problem    *a = calloc(1, sizeof(Problem));
	size_t		n = (size_t) p + 1;
	size_t		work = dpem_linreg_estimate_work(p) + dpem_linreg_transform_work(p);
	double	   *at = a->memory = numbers(5 * n * n + 3 * n);

	a->m = (DpemLinregMoments) {.p = p,.rows = 1e4,.covariance = at,.mean = at + 4 * n * n,.label = a->label,.unit = a->unit};
	a->fit = (DpemLinreg) {.p = p,.shared = a->shared,.error = at + n * n,.noise = at + 2 * n * n,.sampling = at + 3 * n * n,
						   .coefficient = at + 4 * n * n + n,.middle = at + 4 * n * n + 2 * n,.spread = at + 4 * n * n + 3 * n};
	a->work.next = numbers(work);
	a->work.end = a->work.next + work;
	for (int j = 0; j < MOST; j++)
	{
		a->unit[j] = 1;
		a->label[j] = -1;
	}
	return a;
}

static inline void
free_problem(Problem *a)
{
	free(a->memory);
	free(a->work.next);
	free(a);
}

/* coefficients by elimination */
static inline void
solve_plainly(const Problem *a, double *b)
{
	int			p = a->m.p;
	int			n = p + 1;
	double		s[MOST_P * MOST_P];
	double		pivots[MOST_P];

	b[p] = a->m.mean[p];
	for (int i = 0; i < p; i++)
	{
		b[i] = a->m.covariance[i * n + p];
		for (int j = 0; j < p; j++)
			s[i * p + j] = a->m.covariance[i * n + j];
	}
	HOLDS(dpem_linalg_solve(p, s, b, pivots) == DPEM_OK);
	for (int i = 0; i < p; i++)
		b[p] -= b[i] * a->m.mean[i];
}

#endif							/* DPEM_TEST_LINREG_FIXTURE_H */
