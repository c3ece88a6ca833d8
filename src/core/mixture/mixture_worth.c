/*
 * mixture_worth.c - are components more than their noise?  See mixture_worth.h.
 */
#include <math.h>
#include <string.h>

#include "core/mixture/mixture_rules.h"
#include "core/mixture/mixture_worth.h"
#include "core/numeric/public_random.h"

#define MOST_DRAWS	2000
#define LEAST_DRAWS	200
#define OPERATIONS	2e7			/* draws times components times coordinates, about */

typedef struct Worth
{
	int			draws;
	double	   *x;				/* draws * d, NaN where not known */
	double	   *found;			/* draws: log-density under the mixture */
	DpemMixtureMoments moments; /* with noise once more */
	DpemMixture trial;
} Worth;

static int
draws_of(int k, int d)
{
	return (int) fmin(fmax(OPERATIONS / ((double) k * d), LEAST_DRAWS), MOST_DRAWS);
}

static Worth
take_worth(const DpemMixtureRows *rows, int k, DpemWorkspace *work)
{
	size_t		d = (size_t) rows->d;
	size_t		n = (size_t) dpem_mixture_coordinates(rows);
	Worth		w = {.draws = draws_of(k, rows->d)};

	w.x = dpem_workspace_take(work, w.draws * d);
	w.found = dpem_workspace_take(work, w.draws);
	w.moments = (DpemMixtureMoments) {
		.k = k,.n = (int) n,.count = dpem_workspace_take(work, k),.sum = dpem_workspace_take(work, k * n),
		.square = dpem_workspace_take(work, k * n)
	};
	w.trial = (DpemMixture) {
		.k = k,.d = rows->d,.weight = dpem_workspace_take(work, k),.mean = dpem_workspace_take(work, k * d),
		.variance = dpem_workspace_take(work, k * d),.mean_noise = dpem_workspace_take(work, k * d),
		.weight_noise = dpem_workspace_take(work, k)
	};
	return w;
}

size_t
dpem_mixture_worth_work(const DpemMixtureRows *rows, int k)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) take_worth(rows, k, &dry);
	return dpem_workspace_taken(&dry);
}

/* ---- rows drawn from the mixture ---- */

static double
draw_number(const DpemMixtureRows *rows, int j, double mean, double variance, DpemPublicRandom *random)
{
	if (rows->law[j] == DPEM_LAW_POISSON)
		return (dpem_public_poisson(random, rows->middle[j] + rows->unit[j] * mean) - rows->middle[j]) / rows->unit[j];
	return mean + sqrt(variance) * dpem_public_normal(random);
}

void
dpem_mixture_draw(const DpemMixtureRows *rows, const DpemMixture *m, const double *known, DpemPublicRandom *random, double *x)
{
	size_t		c = (size_t) dpem_public_place(random, m->weight, m->k);
	const double *mean = m->mean + c * m->d;
	int			n;

	for (int j = 0; j < rows->d; j += n)
	{
		bool		unknown = dpem_public_uniform(random) >= known[j];

		n = 1;
		if (j < rows->numbers)
			x[j] = draw_number(rows, j, mean[j], m->variance[c * m->d + j], random);
		for (; j >= rows->numbers && j + n < rows->d && rows->label[j + n] == j; n++)
			;
		if (j >= rows->numbers)
		{
			memset(x + j, 0, n * sizeof(double));
			x[j + dpem_public_place(random, mean + j, n)] = 1;
		}
		for (int i = j; unknown && i < j + n; i++)
			x[i] = NAN;
	}
}

/* ---- their density ---- */

static double
log_law(const DpemMixtureRows *rows, int j, double x, double mean, double variance)
{
	double		rate;

	if (rows->law[j] == DPEM_LAW_NORMAL)
		return -((x - mean) * (x - mean) / variance + log(variance)) / 2;
	if (rows->law[j] == DPEM_LAW_CATEGORY)
		return x > 0 ? log(mean) : 0;
	rate = rows->middle[j] + rows->unit[j] * mean;
	return (rows->middle[j] + rows->unit[j] * x) * log(rate) - rate;
}

/* up to what depends on the row alone */
static double
log_density(const DpemMixtureRows *rows, const DpemMixture *m, const double *x)
{
	double		most = -INFINITY;
	double		sum = 0;

	for (int c = 0; c < m->k; c++)
	{
		double		term = log(m->weight[c]);

		for (int j = 0; j < rows->d; j++)
			if (!isnan(x[j]))
				term += log_law(rows, j, x[j], m->mean[(size_t) c * m->d + j], m->variance[(size_t) c * m->d + j]);
		/* sum of exp(term - most) so far */
		sum = term > most ? 1 + sum * exp(most - term) : sum + exp(term - most);
		most = fmax(most, term);
	}
	return most + log(sum);
}

/* mean over the draws of how much better the mixture is than the other */
static double
gain_over(const DpemMixtureRows *rows, const Worth *w, const DpemMixture *other)
{
	double		sum = 0;

	for (int i = 0; i < w->draws; i++)
		sum += w->found[i] - log_density(rows, other, w->x + (size_t) i * rows->d);
	return sum / w->draws;
}

/* ---- the same noise once more ---- */

/* scale: NULL for 1 */
static void
add_noise(const double *from, size_t n, double sd, const double *scale, int power, DpemPublicRandom *random, double *to)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[i] + sd * (scale != NULL ? pow(scale[i], power) : 1) * dpem_public_normal(random);
}

static void
disturb(const DpemMixtureMoments *m, DpemPublicRandom *random, DpemMixtureMoments *to)
{
	size_t		n = (size_t) m->k * m->n;

	add_noise(m->count, m->k, m->count_sd, NULL, 0, random, to->count);
	add_noise(m->sum, n, m->sum_sd, m->scale, 1, random, to->sum);
	add_noise(m->square, n, m->square_sd, m->scale, 2, random, to->square);
	to->center = m->center;
	to->scale = m->scale;
	to->count_sd = m->count_sd;
	to->sum_sd = m->sum_sd;
	to->square_sd = m->square_sd;
}

/* draws from the mixture, and its density there */
static void
draw_rows(const DpemMixtureRows *rows, const DpemMixture *mixture, const double *known, DpemPublicRandom *random, Worth *w)
{
	for (int i = 0; i < w->draws; i++)
	{
		double	   *x = w->x + (size_t) i * rows->d;

		dpem_mixture_draw(rows, mixture, known, random, x);
		w->found[i] = log_density(rows, mixture, x);
	}
}

static DpemPublicRandom
seed_of(const DpemMixture *mixture)
{
	return dpem_public_seed(mixture->mean, (size_t) mixture->k * mixture->d);
}

double
dpem_mixture_gain(const DpemMixtureRows *rows, const DpemMixture *total, const DpemMixture *mixture, DpemWorkspace work)
{
	Worth		w = take_worth(rows, mixture->k, &work);
	DpemPublicRandom random = seed_of(mixture);

	draw_rows(rows, mixture, total->known, &random, &w);
	return gain_over(rows, &w, total);
}

double
dpem_mixture_worth(const DpemMixtureRows *rows, const DpemMixtureMoments *moments, const DpemMixture *total,
				   DpemMixturePrior prior, const DpemMixture *mixture, DpemWorkspace work)
{
	Worth		w = take_worth(rows, mixture->k, &work);
	DpemPublicRandom random = seed_of(mixture);
	double		lost = 0;

	draw_rows(rows, mixture, total->known, &random, &w);
	for (int i = 0; i < DPEM_MIXTURE_DISTURBED; i++)
	{
		disturb(moments, &random, &w.moments);
		dpem_mixture_maximize(rows, &w.moments, total, prior, &w.trial);
		lost += gain_over(rows, &w, &w.trial) / DPEM_MIXTURE_DISTURBED;
	}
	return gain_over(rows, &w, total) / fmax(lost, 1e-300);
}
