/*
 * mixture_use.c - evaluating mixtures of numbers and categories.
 *
 * What was not observed, NaN, is left out: within a component everything is independent.
 */
#include "postgres.h"

#include <math.h>

#include "core/columns/column_atom.h"
#include "core/density/gmm_background.h"
#include "core/numeric/log_sum.h"
#include "families/mixture/mixture.h"
#include "server/entropy.h"
#include "server/fit_memory.h"

typedef struct ReadyMixture
{
	const DpemModel *model;
	const double *weight;
	const double *mean;
	const double *variance;
	const double *law;
	DpemGmmBackground background;	/* of the normal numbers */
	const double *share;		/* k * d: of atoms (core/columns/column_atom.h) */
	const DpemAtomLaw *atom;	/* d */
	const double *rest_mean;	/* k * d: of rows that are not at atoms */
	const double *rest_variance;
	double	   *far;			/* d: ln of its density at a row's numbers */
	double	   *score;			/* k: log of weight and density, or the posterior */
} ReadyMixture;

/* about all components together, as that of Gaussian mixtures (core/density/gmm_background.h) */
static void
set_background(ReadyMixture *ready)
{
	const DpemModel *m = ready->model;
	size_t		d = (size_t) m->d;
	double	   *mean = dpem_fit_allocate(d);
	double	   *variance = dpem_fit_allocate(d);

	for (size_t i = 0; i < m->k * d; i++)
		mean[i % d] += ready->weight[i / d] * ready->mean[i];
	for (size_t i = 0; i < m->k * d; i++)
		variance[i % d] += ready->weight[i / d] * (ready->variance[i] + pow(ready->mean[i] - mean[i % d], 2));
	ready->background = (DpemGmmBackground) {.mean = mean,.narrow = dpem_fit_allocate(d),.wide = dpem_fit_allocate(d)};
	dpem_gmm_background_about(m->d, mean, variance, m->lower, m->upper, &ready->background);
	pfree(variance);
}

static void
set_atoms(ReadyMixture *ready)
{
	const DpemModel *m = ready->model;
	const double *scale = dpem_model_numbers(m, DPEM_MIXTURE_REST_SCALE);
	size_t		d = (size_t) m->d;
	DpemAtomLaw *atom = palloc(d * sizeof(DpemAtomLaw));
	double	   *mean = dpem_fit_allocate(m->k * d);
	double	   *variance = dpem_fit_allocate(m->k * d);

	ready->share = dpem_model_numbers(m, DPEM_MIXTURE_ATOM);
	dpem_atom_laws(m->d, dpem_model_numbers(m, DPEM_MIXTURE_ATOM_LOWER), dpem_model_numbers(m, DPEM_MIXTURE_ATOM_UPPER), m->lower, m->upper,
				   atom);
	for (size_t i = 0; i < m->k * d; i++)
	{
		mean[i] = ready->mean[i];
		variance[i] = ready->variance[i];
		if (ready->share[i] <= 0)
			continue;
		dpem_atom_rest(&atom[i % d], ready->share[i], &mean[i], &variance[i]);
		variance[i] *= scale[i % d] * scale[i % d];
		mean[i] = fmin(fmax(mean[i], m->lower[i % d]), m->upper[i % d]);
	}
	ready->atom = atom;
	ready->rest_mean = mean;
	ready->rest_variance = variance;
}

void *
dpem_mixture_load(DpemModel *model)
{
	ReadyMixture *ready = palloc(sizeof(ReadyMixture));

	*ready = (ReadyMixture) {
		.model = model,.weight = dpem_model_numbers(model, DPEM_MIXTURE_WEIGHT),
			.mean = dpem_model_numbers(model, DPEM_MIXTURE_MEAN),.variance = dpem_model_numbers(model, DPEM_MIXTURE_VARIANCE),
			.law = dpem_model_numbers(model, DPEM_MIXTURE_LAW),.far = dpem_fit_allocate(model->d),
			.score = dpem_fit_allocate(model->k)
	};
	set_background(ready);
	set_atoms(ready);
	return ready;
}

static double
log_normal(double x, double mean, double variance)
{
	return -((x - mean) * (x - mean) / variance + log(2 * M_PI * variance)) / 2;
}

/*
 * ln of the density of a number, or of the probability of a count or category; j: the coordinate, c: the component.
 * A number or count anywhere in its domain may be one of a few that the component says nothing about.  Components are told
 * by all of a number's rows, whether they are at an atom or not.
 */
static double
log_law(const ReadyMixture *ready, int c, int j, double x, bool atoms)
{
	size_t		at = (size_t) c * ready->model->d + j;
	double		mean = ready->mean[at];
	double		share = ready->share[at];

	switch ((DpemMixtureLaw) ready->law[j])
	{
		case DPEM_LAW_NORMAL:
			if (!atoms || share <= 0)
				return dpem_gmm_background_add(log_normal(x, mean, ready->variance[at]), ready->far[j]);
			return dpem_log_sum(log(share) + dpem_atom_log_density(&ready->atom[j], x),
						   log1p(-share) + dpem_gmm_background_add(log_normal(x, ready->rest_mean[at], ready->rest_variance[at]), ready->far[j]));
		case DPEM_LAW_POISSON:
			return x < 0 ? -INFINITY
				: dpem_gmm_background_add(x * log(mean) - mean - lgamma(x + 1), ready->far[j]);
		default:
			return x * log(mean);
	}
}

/* the background is the same for every component */
static void
find_far(ReadyMixture *ready, const double *x)
{
	const DpemModel *m = ready->model;

	for (int j = 0; j < m->d; j++)
	{
		if (ready->law[j] == DPEM_LAW_NORMAL && !isnan(x[j]))
			ready->far[j] = dpem_gmm_background_axis(&ready->background, j, x[j]);
		else if (ready->law[j] == DPEM_LAW_POISSON)
			ready->far[j] = -log(m->upper[j] - m->lower[j] + 1);
	}
}

/* fills score; returns ln of their sum */
static double
find_scores(ReadyMixture *ready, const double *x, bool atoms)
{
	const DpemModel *m = ready->model;
	double		most = -INFINITY;
	double		sum = 0;

	find_far(ready, x);
	for (int c = 0; c < m->k; c++)
	{
		ready->score[c] = log(ready->weight[c]);
		for (int j = 0; j < m->d; j++)
			if (!isnan(x[j]))
				ready->score[c] += log_law(ready, c, j, x[j], atoms);
		most = fmax(most, ready->score[c]);
	}
	for (int c = 0; c < m->k; c++)
		sum += exp(ready->score[c] - most);
	return isfinite(most) ? most + log(sum) : -INFINITY;
}

double
dpem_mixture_log_density(void *model, const double *x)
{
	return find_scores(model, x, true);
}

/* where no component can have the point, the weights */
const double *
dpem_mixture_posterior(void *model, const double *x, int *n)
{
	ReadyMixture *ready = model;
	double		total = find_scores(ready, x, false);

	if (isfinite(total))
		dpem_log_shares(ready->score, ready->model->k, total);
	else
		memcpy(ready->score, ready->weight, ready->model->k * sizeof(double));
	*n = ready->model->k;
	return ready->score;
}

int
dpem_mixture_predict(void *model, const double *x)
{
	int			n;
	const double *p = dpem_mixture_posterior(model, x, &n);
	int			best = 0;

	for (int c = 1; c < n; c++)
		best = p[c] > p[best] ? c : best;
	return best + 1;
}

/* by counting arrivals, in steps of at most 50, as exp(-rate) must not vanish */
static double
draw_poisson(DpemSampler *sampler, double rate)
{
	double		count = 0;

	if (rate > 1e4)
		return fmax(rint(rate + sqrt(rate) * dpem_entropy_normal(sampler)), 0);
	for (; rate > 0; rate -= 50)
	{
		double		left = exp(-fmin(rate, 50));

		for (double p = dpem_entropy_uniform(sampler); p > left; p *= dpem_entropy_uniform(sampler))
			count++;
	}
	return count;
}

/* numbers stay in their domains; without the background, as Gaussian mixtures */
static double
draw_number(const ReadyMixture *ready, DpemSampler *sampler, int j, size_t at)
{
	double		mean = ready->rest_mean[at];
	double		variance = ready->rest_variance[at];
	double		lower = ready->model->lower[j];
	double		upper = ready->model->upper[j];
	double		x;

	if (dpem_entropy_uniform(sampler) < ready->share[at])
		x = dpem_atom_draw(&ready->atom[j], dpem_entropy_uniform(sampler), dpem_entropy_uniform(sampler));
	else if (ready->law[j] == DPEM_LAW_POISSON)
		x = draw_poisson(sampler, mean);
	else
		x = mean + sqrt(variance) * dpem_entropy_normal(sampler);
	return fmin(fmax(x, lower), upper);
}

void
dpem_mixture_sample(void *model, DpemSampler *sampler, double *x)
{
	const ReadyMixture *ready = model;
	const DpemModel *m = ready->model;
	int			c = dpem_entropy_place(sampler, ready->weight, m->k);
	const double *mean = ready->mean + (size_t) c * m->d;
	int			n;

	for (int j = 0; j < m->d; j += n)
	{
		n = ready->law[j] == DPEM_LAW_CATEGORY ? dpem_model_column_length(m, j) : 1;
		memset(x + j, 0, n * sizeof(double));
		if (ready->law[j] == DPEM_LAW_CATEGORY)
			x[j + dpem_entropy_place(sampler, mean + j, n)] = 1;
		else
			x[j] = draw_number(ready, sampler, j, (size_t) c * m->d + j);
	}
}
