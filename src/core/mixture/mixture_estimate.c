/*
 * mixture_estimate.c - see mixture_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "core/mixture/mixture_estimate.h"
#include "core/numeric/positive_mean.h"

#define LEAST_VARIANCE	1e-4	/* of all rows' */
#define LEAST_RATE		1e-3	/* of all rows' */
#define LEAST_SHARE		1e-6	/* of a category */
#define DIRICHLET		1.0		/* counts added to each component */

/* ---- one parameter ---- */

/* what is known of the prior's variance: 1 all, 0 nothing, as noise of that variance hides an estimate */
static double
seen(double prior_variance, double noise_variance)
{
	return prior_variance > 0 ? prior_variance / (prior_variance + noise_variance) : 0;
}

/* a count as large as its noise at least */
static double
safe_count(double count, double sd)
{
	return fmax(count, fmax(sd, 1));
}

double
dpem_mixture_known_count(const DpemMixtureRows *rows, const DpemMixtureMoments *m, int k, int j, double share)
{
	double		count = safe_count(m->count[k], m->count_sd);
	double		sd = m->sum_sd / DPEM_MIXTURE_KNOWN / count;
	double		known;

	if (!rows->missing)
		return count;
	known = m->sum[(size_t) k * m->n + rows->d + j] / DPEM_MIXTURE_KNOWN / count;
	known = share + (known - share) * seen(share * (1 - share), sd * sd);
	return fmax(known, 0.01 * share) * count;
}

/* share of all rows that have one of the label's categories */
static double
labelled_share(const DpemMixtureRows *rows, const DpemMixtureMoments *m, int first, double count)
{
	double		sum = 0;

	for (int j = first; j < rows->d && rows->label[j] == first; j++)
		sum += m->sum[j];
	return fmin(fmax(sum / count, 0.01), 1);
}

typedef struct Place
{
	size_t		at;				/* in sums */
	size_t		out;			/* in parameters */
	double		count;
	DpemMixturePrior prior;
} Place;

const DpemMixturePrior dpem_mixture_weak_prior = {1, 1};

/* the rate that is expected of no rows at all, in units of the rows */
static double
least_rate(const DpemMixtureRows *rows, const DpemMixture *total, int j)
{
	double		rate = rows->middle[j] + rows->unit[j] * total->mean[j];

	return (fmax(LEAST_RATE * rate, 1e-9) - rows->middle[j]) / rows->unit[j];
}

/* what a component's moments say of a number */
typedef struct Number
{
	double		mean;
	double		sd;				/* of its noise */
	double		variance;
	double		variance_sd;
} Number;

static Number
number_of(const DpemMixtureMoments *m, const Place *p)
{
	double		scale = m->scale != NULL ? m->scale[p->at] : 1;
	double		center = m->center != NULL ? m->center[p->at] : 0;
	double		off = m->sum[p->at] / p->count;
	double		sd = scale * m->sum_sd / p->count;

	return (Number) {center + off, sd, m->square[p->at] / p->count - off * off, hypot(scale * scale * m->square_sd / p->count, 2 * off * sd)};
}

/* drawn towards that of all rows; *trust: by how much it is not */
static double
drawn_variance(const Number *n, double spread, double prior, double *trust)
{
	*trust = seen(prior * spread * spread, n->variance_sd * n->variance_sd);
	return spread + (n->variance - spread) * *trust;
}

static double
least_variance(const Number *n, double spread)
{
	return LEAST_VARIANCE * spread + 0.5 * fmin(n->variance_sd, spread);
}

static void
maximize_number(const DpemMixtureRows *rows, const DpemMixtureMoments *m, const Place *p, int j,
				const DpemMixture *total, DpemMixture *mixture)
{
	double		spread = total->variance[j];
	Number		n = number_of(m, p);
	double		trust = seen(p->prior.mean * spread, n.sd * n.sd);
	double		variance;

	mixture->mean[p->out] = total->mean[j] + (n.mean - total->mean[j]) * trust;
	mixture->mean_noise[p->out] = n.sd * trust;
	mixture->variance[p->out] = 0;
	if (rows->law[j] == DPEM_LAW_POISSON)
		mixture->mean[p->out] = fmax(mixture->mean[p->out], least_rate(rows, total, j));
	else
	{
		variance = drawn_variance(&n, spread, p->prior.variance, &trust);
		/* of all rows as the mean given that it is not below 0; components may be of a single value */
		if (mixture == total)
			variance = dpem_positive_mean(variance, n.variance_sd * trust);
		mixture->variance[p->out] = fmax(variance, least_variance(&n, spread));
	}
}

/* the posterior mean given that a share is not below 0, as a normal estimate may be */
static void
maximize_category(const DpemMixtureMoments *m, const Place *p, int j, const DpemMixture *total, DpemMixture *mixture)
{
	double		share = total->mean[j];
	double		sd = m->sum_sd / p->count;
	double		trust = seen(p->prior.mean * share * (1 - share), sd * sd);
	double		mean = share + (m->sum[p->at] / p->count - share) * trust;

	mixture->mean[p->out] = fmax(dpem_positive_mean(mean, sd * sqrt(trust)), fmax(0.01 * share, LEAST_SHARE));
	mixture->mean_noise[p->out] = sd * trust;
	mixture->variance[p->out] = 0;
}

/* a label's probabilities add up to 1 */
static void
normalise_labels(const DpemMixtureRows *rows, double *mean)
{
	for (int first = rows->numbers; first < rows->d;)
	{
		int			end = first;
		double		sum = 0;

		for (; end < rows->d && rows->label[end] == first; end++)
			sum += mean[end];
		for (int j = first; j < end; j++)
			mean[j] /= sum;
		first = end;
	}
}

/* ---- all of them ---- */

static Place
place_of(const DpemMixtureRows *rows, const DpemMixtureMoments *m, int k, int j, const DpemMixture *total,
		 DpemMixturePrior prior)
{
	double		count = j < rows->numbers ? dpem_mixture_known_count(rows, m, k, j, total->known[j])
		: safe_count(m->count[k], m->count_sd) * total->known[j];

	return (Place) {(size_t) k * m->n + j, (size_t) k * rows->d + j, count, prior};
}

double
dpem_mixture_number_variance(const DpemMixtureRows *rows, const DpemMixtureMoments *m, int k, int j, const DpemMixture *total)
{
	Place		p = place_of(rows, m, k, j, total, dpem_mixture_weak_prior);
	Number		n = number_of(m, &p);
	double		trust;

	return fmax(drawn_variance(&n, total->variance[j], p.prior.variance, &trust), least_variance(&n, total->variance[j]));
}

static void
maximize_component(const DpemMixtureRows *rows, const DpemMixtureMoments *m, int k, const DpemMixture *total,
				   DpemMixturePrior prior, DpemMixture *mixture)
{
	for (int j = 0; j < rows->d; j++)
	{
		Place		p = place_of(rows, m, k, j, total, prior);

		if (j >= rows->numbers)
			maximize_category(m, &p, j, total, mixture);
		else
			maximize_number(rows, m, &p, j, total, mixture);
	}
	normalise_labels(rows, mixture->mean + (size_t) k * rows->d);
}

void
dpem_mixture_maximize(const DpemMixtureRows *rows, const DpemMixtureMoments *moments,
					  const DpemMixture *total, DpemMixturePrior prior, DpemMixture *mixture)
{
	double		sum = 0;

	for (int k = 0; k < mixture->k; k++)
		sum += fmax(moments->count[k], 0) + DIRICHLET;
	for (int k = 0; k < mixture->k; k++)
	{
		mixture->weight[k] = (fmax(moments->count[k], 0) + DIRICHLET) / sum;
		mixture->weight_noise[k] = moments->count_sd / sum;
		maximize_component(rows, moments, k, total, prior, mixture);
	}
}

typedef struct Between
{
	double		sum;			/* of squared differences beyond their noise, weighted */
	double		weight;
} Between;

/* a squared difference and its noise's variance, both in units of the prior's */
static void
add_difference(Between *b, double square, double noise)
{
	double		weight = 1 / ((1 + noise) * (1 + noise));

	b->sum += weight * (square - noise);
	b->weight += weight;
}

static double
found(const Between *b)
{
	return b->weight > 0 ? fmin(fmax(b->sum / b->weight, 0), 1) : 0;
}

DpemMixturePrior
dpem_mixture_found_prior(const DpemMixtureRows *rows, const DpemMixtureMoments *m, const DpemMixture *total)
{
	Between		mean = {0};
	Between		variance = {0};

	for (int k = 0; k < m->k; k++)
		for (int j = 0; j < rows->d; j++)
		{
			Place		p = place_of(rows, m, k, j, total, dpem_mixture_weak_prior);
			double		spread = j < rows->numbers ? total->variance[j] : total->mean[j] * (1 - total->mean[j]);
			Number		n = number_of(m, &p);

			if (spread > 0)
				add_difference(&mean, pow(n.mean - total->mean[j], 2) / spread, n.sd * n.sd / spread);
			if (rows->law[j] == DPEM_LAW_NORMAL)
				add_difference(&variance, pow(n.variance / spread - 1, 2), pow(n.variance_sd / spread, 2));
		}
	return (DpemMixturePrior) {found(&mean), found(&variance)};
}

/* about a normal of the scale that margins found, and equal shares of a label's categories */
static void
prior_of_total(const DpemMixtureRows *rows, DpemMixture *prior)
{
	for (int j = 0; j < rows->d; j++)
	{
		int			categories = 0;

		for (int i = rows->numbers; i < rows->d; i++)
			categories += j >= rows->numbers && rows->label[i] == rows->label[j];
		prior->mean[j] = j < rows->numbers ? 0 : 1.0 / categories;
		prior->variance[j] = j < rows->numbers ? 1 : 0;
	}
}

/* variance of a label's shares about equal ones beyond their noise: many categories have little of it each */
static double
variance_of_shares(const DpemMixtureMoments *m, int first, int end, double count)
{
	double		equal = 1.0 / (end - first);
	double		sd = m->sum_sd / count;
	double		sum = 0;

	for (int j = first; j < end; j++)
		sum += pow(m->sum[j] / count - equal, 2) - sd * sd;
	return fmax(sum * equal, 0);
}

/* shares of a label's categories in all rows: James and Stein's (1961), and not below 0 */
static void
total_label(const DpemMixtureMoments *m, int first, int end, double count, double *mean)
{
	double		equal = 1.0 / (end - first);
	double		sd = m->sum_sd / count;
	double		trust = sd > 0 ? seen(variance_of_shares(m, first, end, count), sd * sd) : 1;

	for (int j = first; j < end; j++)
		mean[j] = fmax(dpem_positive_mean(equal + (m->sum[j] / count - equal) * trust, sd * sqrt(trust)), LEAST_SHARE);
}

static void
total_labels(const DpemMixtureRows *rows, const DpemMixtureMoments *m, double count, DpemMixture *total)
{
	for (int first = rows->numbers, end; first < rows->d; first = end)
	{
		for (end = first; end < rows->d && rows->label[end] == first; end++)
			;
		total_label(m, first, end, count * total->known[first], total->mean);
	}
	normalise_labels(rows, total->mean);
}

void
dpem_mixture_total(const DpemMixtureRows *rows, const DpemMixtureMoments *moments, DpemMixture *total)
{
	double		count = safe_count(moments->count[0], moments->count_sd);

	prior_of_total(rows, total);
	for (int j = 0; j < rows->d; j++)
		total->known[j] = j >= rows->numbers ? labelled_share(rows, moments, rows->label[j], count)
			: fmin(dpem_mixture_known_count(rows, moments, 0, j, 0.9) / count, 1);
	maximize_component(rows, moments, 0, total, dpem_mixture_weak_prior, total);
	total_labels(rows, moments, count, total);
	total->weight[0] = 1;
	total->weight_noise[0] = 0;
	for (int j = 0; j < rows->numbers; j++)
	{
		double		rate = rows->middle[j] + rows->unit[j] * total->mean[j];

		if (rows->law[j] == DPEM_LAW_POISSON)
			total->variance[j] = fmax(rate / (rows->unit[j] * rows->unit[j]), 1e-6);
	}
}
