/*
 * mixture_choice.c - see mixture_choice.h.
 *
 * A drawn row has a number for each number and the place of its category for each label.
 */
#include <math.h>
#include <string.h>

#include "core/mixture/mixture_choice.h"
#include "core/numeric/public_random.h"

/* test/bench/choosing_topics.sh; as in gmm_choice.c */
#define STEPS		15
#define MOST_ROWS	20000
#define LEAST_ROWS	1000
#define OPERATIONS	1e9			/* of all candidates' steps together, about */
#define LEAST_ROWS_OF	3.0		/* drawn rows of a component below which it keeps its parameters */
#define LEAST_VARIANCE	1e-4	/* of all rows' */
#define LEAST_SHARE		1e-5	/* of a category */

typedef struct Choice
{
	const DpemMixtureRows *rows;
	int			n;				/* rows drawn */
	int			width;			/* of a row: numbers and labels */
	double	   *x;				/* n * width */
	double	   *term;			/* of each component, in a row */
	DpemMixture sums;			/* weight, and of numbers sum and square, of categories their rows */
	DpemMixture trial;
	void		(*pause) (void);
	DpemWorkspace work;			/* of a merger */
} Choice;

/* of k components: weights, means and variances, rates, shares that add up to one */
static double
parameters(const DpemMixtureRows *rows, int k)
{
	double		own = rows->d - rows->numbers - dpem_mixture_labels(rows);

	for (int j = 0; j < rows->numbers; j++)
		own += rows->law[j] == DPEM_LAW_NORMAL ? 2 : 1;
	return k * (1 + own) - 1;
}

/* of a number or category within a component */
static double
variance_of(const DpemMixtureRows *rows, const DpemMixture *m, int k, int j)
{
	double		mean = m->mean[(size_t) k * m->d + j];

	switch (rows->law[j])
	{
		case DPEM_LAW_NORMAL:
			return m->variance[(size_t) k * m->d + j];
		case DPEM_LAW_POISSON:
			return fmax(rows->middle[j] + rows->unit[j] * mean, 0) / (rows->unit[j] * rows->unit[j]);
		default:
			return mean * (1 - mean);
	}
}

/* sampling errors of n rows: of a sum v n, of a sum of squares 2 v^2 n */
double
dpem_mixture_effective_rows(const DpemMixtureRows *rows, const DpemMixtureMoments *moments, const DpemMixture *m, int k)
{
	double		all = 0;
	double		noise = 0;
	double		sampling = 0;

	for (int c = 0; c < moments->k; c++)
		all += moments->count[c];
	for (int j = 0; j < m->d; j++)
	{
		double		v = 0;

		for (int c = 0; c < m->k; c++)
			v += m->weight[c] * variance_of(rows, m, c, j);
		noise += moments->sum_sd * moments->sum_sd;
		sampling += v * fmax(all, 1) / k;
		if (rows->law[j] != DPEM_LAW_NORMAL)
			continue;
		noise += moments->square_sd * moments->square_sd;
		sampling += 2 * v * v * fmax(all, 1) / k;
	}
	return dpem_effective_rows(all, noise / fmax(sampling, 1e-300));
}

/* ---- memory ---- */

static int
rows_to_draw(const DpemMixtureRows *rows, const DpemSizes *c)
{
	double		terms = 0;

	for (int i = 0; i < c->n; i++)
		terms += c->k[i];
	return (int) fmax(fmin(OPERATIONS / (STEPS * terms * (rows->numbers + dpem_mixture_labels(rows)) * 10), MOST_ROWS), LEAST_ROWS);
}

static Choice
take_choice(const DpemMixtureRows *rows, const DpemSizes *c, int k, DpemWorkspace *work)
{
	Choice		s = {.rows = rows,.n = rows_to_draw(rows, c),.width = rows->numbers + dpem_mixture_labels(rows)};

	s.x = dpem_workspace_take(work, (size_t) s.n * s.width);
	s.term = dpem_workspace_take(work, k);
	s.sums = dpem_mixture_take(k, rows->d, work);
	s.trial = dpem_mixture_take(k, rows->d, work);
	s.work = *work;
	(void) dpem_workspace_take(work, dpem_mixture_merge_work(k));
	return s;
}

size_t
dpem_mixture_choice_work(const DpemMixtureRows *rows, const DpemSizes *candidates, int components)
{
	DpemWorkspace dry = {0};

	(void) take_choice(rows, candidates, components, &dry);
	(void) dpem_mixture_take(components, rows->d, &dry);
	return dpem_workspace_taken(&dry);
}

/* ---- rows drawn from the mixture ---- */

static double
rate_of(const DpemMixtureRows *rows, int j, double mean)
{
	return fmax(rows->middle[j] + rows->unit[j] * mean, 1e-9);
}

static void
draw_row(const Choice *s, const DpemMixture *m, DpemPublicRandom *random, double *x)
{
	const DpemMixtureRows *rows = s->rows;
	int			k = dpem_public_place(random, m->weight, m->k);
	const double *mean = m->mean + (size_t) k * m->d;
	int			n;

	for (int j = 0; j < rows->numbers; j++)
		x[j] = rows->law[j] == DPEM_LAW_NORMAL ? mean[j] + sqrt(m->variance[(size_t) k * m->d + j]) * dpem_public_normal(random)
			: (dpem_public_poisson(random, rate_of(rows, j, mean[j])) - rows->middle[j]) / rows->unit[j];
	for (int j = rows->numbers, i = j; j < rows->d; j += n)
	{
		for (n = 1; j + n < rows->d && rows->label[j + n] == j;)
			n++;
		x[i++] = j + dpem_public_place(random, mean + j, n);
	}
}

static void
draw_rows(Choice *s, const DpemMixture *m)
{
	DpemPublicRandom random = dpem_public_seed(m->mean, (size_t) m->k * m->d);

	for (int i = 0; i < s->n; i++)
		draw_row(s, m, &random, s->x + (size_t) i * s->width);
}

/* ---- EM on them ---- */

/* logarithm of weight and density, up to what all components share */
static double
log_term(const Choice *s, const DpemMixture *m, int k, const double *x)
{
	const DpemMixtureRows *rows = s->rows;
	const double *mean = m->mean + (size_t) k * m->d;
	const double *variance = m->variance + (size_t) k * m->d;
	double		sum = log(m->weight[k]);

	for (int j = 0; j < rows->numbers; j++)
	{
		if (rows->law[j] == DPEM_LAW_NORMAL)
			sum -= (x[j] - mean[j]) * (x[j] - mean[j]) / variance[j] / 2 + log(variance[j]) / 2;
		else
			sum += (rows->middle[j] + rows->unit[j] * x[j]) * log(rate_of(rows, j, mean[j])) - rate_of(rows, j, mean[j]);
	}
	for (int i = rows->numbers; i < s->width; i++)
		sum += log(mean[(int) x[i]]);
	return sum;
}

/* a row's part of every component, times its numbers and categories */
static void
add_row(Choice *s, int k, const double *x, double log_density)
{
	const DpemMixtureRows *rows = s->rows;
	int			d = rows->d;

	for (int c = 0; c < k; c++)
	{
		double		part = exp(s->term[c] - log_density);

		if (part < 1e-9)
			continue;
		s->sums.weight[c] += part;
		for (int j = 0; j < rows->numbers; j++)
		{
			s->sums.mean[(size_t) c * d + j] += part * x[j];
			s->sums.variance[(size_t) c * d + j] += part * x[j] * x[j];
		}
		for (int i = rows->numbers; i < s->width; i++)
			s->sums.mean[(size_t) c * d + (int) x[i]] += part;
	}
}

/* mean log-likelihood of the drawn rows, and the sums of an EM step */
static double
expect(Choice *s, const DpemMixture *m)
{
	size_t		n = (size_t) m->k * m->d * sizeof(double);
	double		total = 0;

	if (s->pause != NULL)
		s->pause();
	memset(s->sums.weight, 0, m->k * sizeof(double));
	memset(s->sums.mean, 0, n);
	memset(s->sums.variance, 0, n);
	for (int i = 0; i < s->n; i++)
	{
		const double *x = s->x + (size_t) i * s->width;
		double		most = -INFINITY;
		double		sum = 0;

		for (int k = 0; k < m->k; k++)
			most = fmax(most, s->term[k] = log_term(s, m, k, x));
		for (int k = 0; k < m->k; k++)
			sum += exp(s->term[k] - most);
		total += most + log(sum);
		add_row(s, m->k, x, most + log(sum));
	}
	return total / s->n;
}

/* shares of a label's categories, from j on, away from 0 */
static void
set_shares(const DpemMixtureRows *rows, const double *sum, double n, double *mean)
{
	int			j = rows->numbers;

	while (j < rows->d)
	{
		int			first = j;
		double		all = 0;

		for (; j < rows->d && rows->label[j] == first; j++)
			all += mean[j] = fmax(sum[j] / n, LEAST_SHARE);
		for (int i = first; i < j; i++)
			mean[i] /= all;
	}
}

static void
maximize(Choice *s, DpemMixture *m)
{
	const DpemMixtureRows *rows = s->rows;

	for (int k = 0; k < m->k; k++)
	{
		size_t		at = (size_t) k * m->d;
		double		n = s->sums.weight[k];

		m->weight[k] = fmax(n / s->n, 1e-6);
		if (n < LEAST_ROWS_OF)
			continue;
		for (int j = 0; j < rows->numbers; j++)
		{
			double		mean = m->mean[at + j] = s->sums.mean[at + j] / n;

			if (rows->law[j] == DPEM_LAW_NORMAL)
				m->variance[at + j] = fmax(s->sums.variance[at + j] / n - mean * mean, LEAST_VARIANCE);
		}
		set_shares(rows, s->sums.mean + at, n, m->mean + at);
	}
}

/* log-likelihood of new rows, by Akaike's correction of that of the rows that were fitted to */
static double
fit_candidate(Choice *s, DpemMixture *m)
{
	for (int i = 0; i < STEPS; i++)
	{
		(void) expect(s, m);
		maximize(s, m);
	}
	return expect(s, m) - parameters(s->rows, m->k) / s->n;
}

/* ---- the choice ---- */

void
dpem_mixture_choose(const DpemMixtureRows *rows, const DpemMixtureMoments *moments, DpemSizes *c, DpemMixture *m,
					void (*pause) (void), DpemWorkspace work)
{
	Choice		s = take_choice(rows, c, m->k, &work);
	DpemMixture best = dpem_mixture_take(m->k, m->d, &work);
	double		worth = dpem_mixture_effective_rows(rows, moments, m, c->k[c->n - 1]);
	double		most = -INFINITY;

	s.pause = pause;
	dpem_mixture_merge(rows, c->k[c->n - 1], m, s.work);
	draw_rows(&s, m);
	for (int i = c->n - 1; i >= 0; i--)
	{
		dpem_mixture_merge(rows, c->k[i], m, s.work);
		dpem_mixture_copy(m, &s.trial);
		dpem_sizes_score(c, i, fit_candidate(&s, &s.trial), parameters(rows, c->k[i]), worth);
		if (!(c->score[i] < most))
			dpem_mixture_copy(&s.trial, &best);
		most = fmax(most, c->score[i]);
	}
	(void) dpem_sizes_choose(c);
	dpem_mixture_copy(&best, m);
}
