/*
 * bench_coverage.c - 95 % intervals of linear regressions beside what they say, on designs nobody tuned to: rows are
 * standardised, clipped by the rules and released with the noise that a call has; intervals are about the least squares of
 * the rows, unclipped.  Of each design and epsilon: the share of releases whose intervals cover, over all coefficients, of
 * the least and of the most covered one; and the median half-length in units of 1.96 true standard deviations, to first order,
 * of the coefficient for which it is least and most.
 *
 * Usage: bench_coverage [releases [FILE]]   FILE: rows of numbers between commas, the target last
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/kernel_fixture.h"
#include "core/accounting/accountant.h"
#include "core/accounting/sensitivity.h"
#include "core/linreg/linreg_estimate.h"
#include "core/linreg/linreg_rules.h"
#include "core/numeric/linalg.h"
#include "core/numeric/vector.h"

#define MOST	16				/* coordinates */
#define DELTA	1e-6
#define MARGINS	0.1				/* least part of the budget for margins */
#define UNCLIPPED	1e9			/* radius that no row is beyond */

typedef struct Rows
{
	int			n;
	int			d;				/* predictors and target */
	double	   *x;				/* n * d */
} Rows;

typedef struct Design
{
	const char *name;
	int			n;
	int			d;
	void		(*row) (Rng *rng, double *x);
} Design;

/* ---- designs ---- */

static double
mixed(const double *x, int p)
{
	static const double weight[] = {1, 0.7, -0.5, 0.4, 0.4, -0.8, 0.3, 0, 0.2, -0.1};
	double		sum = 0;

	for (int j = 0; j < p; j++)
		sum += weight[j] * x[j];
	return sum;
}

static void
plain(Rng *rng, double *x)
{
	for (int j = 0; j < 5; j++)
		x[j] = rng_normal(rng);
	x[5] = mixed(x, 5) + 0.6 * rng_normal(rng);
}

/* numbers that are correlated, skewed or whole, two of them nearly collinear */
static void
ten(Rng *rng, double *x)
{
	double		common[2] = {rng_normal(rng), rng_normal(rng)};

	for (int j = 0; j < 10; j++)
		x[j] = 0.75 * rng_normal(rng) + cos(j + 1) / 2 * common[0] + sin(j + 1) / 2 * common[1];
	x[1] = exp(x[1] / 2);
	x[2] = rint(x[2]);
	x[3] = 0.9 * x[4] + 0.3 * x[3];
	x[10] = mixed(x, 10) + 0.8 * rng_normal(rng);
}

/* lengths, and the weight, of bodies of one shape */
static void
sizes(Rng *rng, double *x)
{
	double		size = exp(0.35 * rng_normal(rng));

	x[0] = size;
	x[1] = size * (1 + 0.02 * rng_normal(rng));
	x[2] = 0.6 * size * (1 + 0.03 * rng_normal(rng));
	x[3] = pow(size, 3) * (1 + 0.05 * rng_normal(rng));
	x[4] = rng_normal(rng);
	x[5] = 2 * log(x[0]) + 0.1 * x[4] + 0.3 * rng_normal(rng);
}

/* a pair of predictors whose difference is all that matters */
static void
difference(Rng *rng, double *x)
{
	x[0] = rng_normal(rng);
	x[1] = x[0] + 0.2 * rng_normal(rng);
	x[2] = rng_normal(rng);
	x[3] = 5 * (x[1] - x[0]) + x[2] + 0.5 * rng_normal(rng);
}

static double
student(Rng *rng, int degrees)
{
	double		sum = 0;

	for (int i = 0; i < degrees; i++)
		sum += pow(rng_normal(rng), 2);
	return rng_normal(rng) / sqrt(sum / degrees);
}

static void
heavy(Rng *rng, double *x)
{
	for (int j = 0; j < 5; j++)
		x[j] = student(rng, 4);
	x[5] = mixed(x, 5) + 0.6 * student(rng, 4);
}

static void
nothing(Rng *rng, double *x)
{
	for (int j = 0; j < 6; j++)
		x[j] = rng_normal(rng);
}

static const Design designs[] = {
	{"plain", 2000, 6, plain}, {"plain", 40000, 6, plain}, {"ten", 2000, 11, ten}, {"ten", 10000, 11, ten}, {"ten", 40000, 11, ten},
	{"sizes", 10000, 6, sizes}, {"sizes", 40000, 6, sizes}, {"difference", 10000, 4, difference}, {"difference", 40000, 4, difference},
	{"heavy", 2000, 6, heavy}, {"heavy", 40000, 6, heavy}, {"nothing", 10000, 6, nothing}
};

static Rows
make_rows(const Design *design)
{
	Rng			rng = {7};
	Rows		rows = {design->n, design->d, numbers((size_t) design->n * design->d)};

	for (int i = 0; i < rows.n; i++)
		design->row(&rng, rows.x + (size_t) i * rows.d);
	return rows;
}

static Rows
read_rows(const char *path)
{
	Rows		rows = {0};
	FILE	   *file = fopen(path, "r");
	char		line[4096];
	size_t		room = 0;

	if (file == NULL)
		return rows;
	while (fgets(line, sizeof(line), file))
	{
		int			d = 0;
		char	   *at = line;

		if (room < ((size_t) rows.n + 1) * MOST)
			rows.x = realloc(rows.x, (room = 2 * room + 1000 * MOST) * sizeof(double));
		for (char *end = at; d < MOST && *at != '\0' && *at != '\n'; at = *end == ',' ? end + 1 : end)
			rows.x[(size_t) rows.n * rows.d + d++] = strtod(at, &end);
		rows.d = d;
		rows.n++;
	}
	fclose(file);
	return rows;
}

/* ---- moments ---- */

static void
standardise(Rows *rows)
{
	for (int j = 0; j < rows->d; j++)
	{
		double		sum = 0;
		double		square = 0;

		for (int i = 0; i < rows->n; i++)
			sum += rows->x[(size_t) i * rows->d + j];
		for (int i = 0; i < rows->n; i++)
			square += pow(rows->x[(size_t) i * rows->d + j] -= sum / rows->n, 2);
		for (int i = 0; i < rows->n; i++)
			rows->x[(size_t) i * rows->d + j] /= sqrt(square / rows->n);
	}
}

/* mean and covariance of the rows clipped to a radius and divided by it */
static void
find_moments(const Rows *rows, double radius, double *mean, double *covariance)
{
	int			d = rows->d;

	memset(mean, 0, d * sizeof(double));
	memset(covariance, 0, (size_t) d * d * sizeof(double));
	for (int i = 0; i < rows->n; i++)
	{
		const double *x = rows->x + (size_t) i * d;
		double		factor = 1 / fmax(sqrt(dpem_dot(x, x, d)), radius);

		for (int j = 0; j < d; j++)
		{
			mean[j] += factor * x[j] / rows->n;
			for (int k = 0; k < d; k++)
				covariance[j * d + k] += factor * factor * x[j] * x[k] / rows->n;
		}
	}
	for (int j = 0; j < d; j++)
		for (int k = 0; k < d; k++)
			covariance[j * d + k] -= mean[j] * mean[k];
}

/* of each slope: least squares, and its standard deviation by noise of that size off the diagonal, to first order */
static void
solve(int d, const double *covariance, double s, double *b, double *sd)
{
	int			p = d - 1;
	double		inverse[MOST * MOST];
	double		log_det;
	double		length2 = 0;

	for (int i = 0; i < p; i++)
		memcpy(inverse + i * p, covariance + i * d, p * sizeof(double));
	if (dpem_linalg_inverse(p, inverse, &log_det) != DPEM_OK)
		exit(1);
	for (int i = 0; i < p; i++)
	{
		b[i] = 0;
		for (int j = 0; j < p; j++)
			b[i] += inverse[i * p + j] * covariance[j * d + p];
		length2 += b[i] * b[i];
	}
	for (int i = 0; i < p; i++)
	{
		double		square = 0;
		double		product = 0;

		for (int j = 0; j < p; j++)
		{
			square += pow(inverse[i * p + j], 2);
			product += inverse[i * p + j] * b[j];
		}
		sd[i] = s * sqrt((1 + length2) * square + product * product);
	}
}

/* ---- releases ---- */

typedef struct Counter
{
	int			covered[MOST];
	double	   *length[MOST];	/* of each release */
} Counter;

static void
add_noise(Rng *rng, int d, double mean_sd, double second_sd, double *mean, double *covariance)
{
	for (int i = 0; i < d; i++)
	{
		mean[i] += mean_sd * rng_normal(rng);
		for (int j = 0; j <= i; j++)
		{
			covariance[i * d + j] += second_sd * rng_normal(rng) * (i == j ? 1 : M_SQRT1_2);
			covariance[j * d + i] = covariance[i * d + j];
		}
	}
}

static void
release(Rng *rng, const DpemLinregMoments *truth, const double *b, int at, Counter *counter, DpemWorkspace work)
{
	int			d = truth->p + 1;
	double		mean[MOST];
	double		covariance[MOST * MOST];
	double		matrices[4][MOST * MOST];
	double		vectors[2][MOST];
	bool		shared[MOST];
	DpemLinregMoments m = *truth;
	DpemLinreg	fit = {.p = truth->p,.shared = shared,.error = matrices[0],.noise = matrices[1],.sampling = matrices[2],
		.spread = matrices[3],.coefficient = vectors[0],.middle = vectors[1]};

	memcpy(mean, truth->mean, sizeof(mean));
	memcpy(covariance, truth->covariance, sizeof(covariance));
	add_noise(rng, d, m.mean_sd, m.second_sd, mean, covariance);
	m.mean = mean;
	m.covariance = covariance;
	if (dpem_linreg_estimate(&m, &fit, work) != DPEM_OK)
		exit(1);
	for (int j = 0; j < truth->p; j++)
	{
		counter->length[j][at] = 1.96 * sqrt(fit.spread[j * d + j]);
		counter->covered[j] += fabs(fit.middle[j] - b[j]) < counter->length[j][at];
	}
}

static void
report(int p, int releases, const double *sd, Counter *counter)
{
	int			covered = 0;
	double		share[2] = {1, 0};
	double		length[2] = {INFINITY, 0};

	for (int j = 0; j < p; j++)
	{
		double		own = (double) counter->covered[j] / releases;
		double		median;

		qsort(counter->length[j], releases, sizeof(double), dpem_ascending);
		median = counter->length[j][releases / 2] / (1.96 * sd[j]);
		covered += counter->covered[j];
		share[0] = fmin(share[0], own);
		share[1] = fmax(share[1], own);
		length[0] = fmin(length[0], median);
		length[1] = fmax(length[1], median);
	}
	printf("  %5.1f (%5.1f %5.1f) x %4.2f-%4.2f", 100.0 * covered / releases / p, 100 * share[0], 100 * share[1], length[0], length[1]);
}

static void
measure_epsilon(const Rows *rows, const double *b, double epsilon, int releases)
{
	Rng			rng = {(uint64_t) (1e4 * epsilon)};
	int			p = rows->d - 1;
	double		mean[MOST];
	double		covariance[MOST * MOST];
	double		sd[MOST];
	double		own[MOST];
	double		mu;
	double		radius;
	double		noise;			/* in a svec entry of the covariance, in the ball */
	size_t		length = dpem_linreg_estimate_work(p);
	double	   *memory = numbers(length);
	Counter		counter = {0};
	DpemLinregMoments m = {.p = p,.rows = rows->n,.mean = mean,.covariance = covariance};

	if (dpem_gdp_mu(epsilon, DELTA, &mu) != DPEM_OK)
		exit(1);
	noise = sqrt(dpem_joint_sensitivity2(1, 0, 1, 1, true)) / (mu * sqrt(1 - MARGINS)) / rows->n;
	radius = dpem_linreg_radius(rows->d, rows->n, rows->d * noise);
	find_moments(rows, radius, mean, covariance);
	m.mean_sd = m.second_sd = noise;
	solve(rows->d, covariance, noise / sqrt(2), own, sd);
	for (int j = 0; j < p; j++)
		counter.length[j] = numbers(releases);
	for (int i = 0; i < releases; i++)
		release(&rng, &m, b, i, &counter, (DpemWorkspace) {memory, memory + length});
	report(p, releases, sd, &counter);
	for (int j = 0; j < p; j++)
		free(counter.length[j]);
	free(memory);
}

static void
measure(const char *name, Rows *rows, int releases)
{
	static const double epsilons[] = {0.1, 0.5, 1, 4};
	double		mean[MOST];
	double		covariance[MOST * MOST];
	double		sd[MOST];
	double		b[MOST];

	standardise(rows);
	find_moments(rows, UNCLIPPED, mean, covariance);
	solve(rows->d, covariance, 0, b, sd);
	printf("%-12s %6d", name, rows->n);
	for (int i = 0; i < 4; i++)
		measure_epsilon(rows, b, epsilons[i], releases);
	printf("\n");
	free(rows->x);
}

int
main(int argc, char **argv)
{
	int			releases = argc > 1 ? atoi(argv[1]) : 1000;

	printf("%-12s %6s", "design", "rows");
	printf("  eps 0.1: cover %% (least most) x lengths;  0.5;  1;  4\n");
	for (size_t i = 0; i < sizeof(designs) / sizeof(designs[0]) && argc < 3; i++)
	{
		Rows		rows = make_rows(&designs[i]);

		measure(designs[i].name, &rows, releases);
	}
	if (argc > 2)
	{
		Rows		rows = read_rows(argv[2]);

		measure("file", &rows, releases);
	}
	return 0;
}
