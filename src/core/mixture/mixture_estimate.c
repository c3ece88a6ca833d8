/*
 * mixture_estimate.c - see mixture_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "core/mixture/mixture_estimate.h"

#define LEAST_VARIANCE	1e-4	/* of all rows' */
#define LEAST_RATE		1e-3	/* of all rows' */
#define LEAST_SHARE		1e-6	/* of a category */
#define DIRICHLET		1.0		/* counts added to each component */

int
dpem_mixture_coordinates(const DpemMixtureRows *rows)
{
	return rows->d + (rows->missing ? rows->numbers : 0);
}

/* ---- moments ---- */

static double
squared_coordinate(const DpemNoisyMoments *m, const double *record, int j)
{
	size_t		at = m->layout.second == DPEM_SECOND_FULL ? (size_t) j * (j + 1) / 2 + (size_t) j : (size_t) j;

	return record[1 + m->layout.d + at];
}

static double
mixed(double old, double new, double share)
{
	return share == 1 ? new : (1 - share) * old + share * new;
}

static double
mixed_noise(double old, double new, double share)
{
	return share == 1 ? new : hypot((1 - share) * old, share * new);
}

void
dpem_mixture_average(const DpemMixtureRows *rows, const DpemNoisyMoments *released, double share,
					 DpemMixtureMoments *moments)
{
	size_t		record = dpem_moments_record(&released->layout);
	double		r = rows->radius;

	for (int k = 0; k < moments->k; k++)
	{
		const double *from = released->value + k * record;

		moments->count[k] = mixed(moments->count[k], from[0], share);
		for (int j = 0; j < moments->n; j++)
		{
			size_t		at = (size_t) k * moments->n + j;

			moments->sum[at] = mixed(moments->sum[at], r * from[1 + j], share);
			moments->square[at] = mixed(moments->square[at], r * r * squared_coordinate(released, from, j), share);
		}
	}
	moments->count_sd = mixed_noise(moments->count_sd, released->count_sd, share);
	moments->sum_sd = mixed_noise(moments->sum_sd, r * released->sum_sd, share);
	moments->square_sd = mixed_noise(moments->square_sd, r * r * released->second_sd, share);
}

/* the mean of two estimates by their precision */
static double
pooled(double a, double b, double sd_a, double sd_b)
{
	double		ratio = sd_b / sd_a;

	return sd_a == 0 ? (sd_b == 0 ? (a + b) / 2 : a) : a + (b - a) / (1 + ratio * ratio);
}

static double
pooled_noise(double sd_a, double sd_b)
{
	return sd_a == 0 ? 0 : sd_b / hypot(1, sd_b / sd_a);
}

void
dpem_mixture_pool(const DpemMixtureRows *rows, const DpemNoisyMoments *released, DpemMixtureMoments *total)
{
	size_t		record = dpem_moments_record(&released->layout);
	double		root = sqrt(released->layout.k);
	double		unit = rows->radius;
	double		sd[3] = {root * released->count_sd, root * unit * released->sum_sd, root * unit * unit * released->second_sd};
	int			n = total->n;

	for (int i = 0; i <= 2 * n; i++)
	{
		int			kind = i == 0 ? 0 : i <= n ? 1 : 2;
		double	   *to = kind == 0 ? total->count : kind == 1 ? total->sum + i - 1 : total->square + i - 1 - n;
		double		sum = 0;

		for (int k = 0; k < released->layout.k; k++)
			sum += released->value[(size_t) k * record + i];
		*to = pooled(*to, sum * (kind == 0 ? 1 : kind == 1 ? unit : unit * unit),
					 kind == 0 ? total->count_sd : kind == 1 ? total->sum_sd : total->square_sd, sd[kind]);
	}
	total->count_sd = pooled_noise(total->count_sd, sd[0]);
	total->sum_sd = pooled_noise(total->sum_sd, sd[1]);
	total->square_sd = pooled_noise(total->square_sd, sd[2]);
}

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

/* rows of the component in which number j is known, of which `share` of all rows are expected */
static double
known_count(const DpemMixtureRows *rows, const DpemMixtureMoments *m, int k, int j, double share)
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
} Place;

/* the rate that is expected of no rows at all, in units of the rows */
static double
least_rate(const DpemMixtureRows *rows, const DpemMixture *total, int j)
{
	double		rate = rows->middle[j] + rows->unit[j] * total->mean[j];

	return (fmax(LEAST_RATE * rate, 1e-9) - rows->middle[j]) / rows->unit[j];
}

static void
maximize_number(const DpemMixtureRows *rows, const DpemMixtureMoments *m, const Place *p, int j,
				const DpemMixture *total, DpemMixture *mixture)
{
	double		spread = total->variance[j];
	double		raw = m->sum[p->at] / p->count;
	double		sd = m->sum_sd / p->count;
	double		trust = seen(spread, sd * sd);
	double		variance = m->square[p->at] / p->count - raw * raw;
	double		square_sd = hypot(m->square_sd / p->count, 2 * raw * sd);

	mixture->mean[p->out] = total->mean[j] + (raw - total->mean[j]) * trust;
	mixture->mean_noise[p->out] = sd * trust;
	mixture->variance[p->out] = 0;
	if (rows->law[j] == DPEM_LAW_POISSON)
		mixture->mean[p->out] = fmax(mixture->mean[p->out], least_rate(rows, total, j));
	else
		mixture->variance[p->out] = fmax(spread + (variance - spread) * seen(spread * spread, square_sd * square_sd),
										 LEAST_VARIANCE * spread + 0.5 * fmin(square_sd, spread));
}

static void
maximize_category(const DpemMixtureMoments *m, const Place *p, int j, const DpemMixture *total, DpemMixture *mixture)
{
	double		share = total->mean[j];
	double		sd = m->sum_sd / p->count;
	double		trust = seen(share * (1 - share), sd * sd);

	mixture->mean[p->out] = fmax(share + (m->sum[p->at] / p->count - share) * trust, fmax(0.01 * share, LEAST_SHARE));
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

static void
maximize_component(const DpemMixtureRows *rows, const DpemMixtureMoments *m, int k, const DpemMixture *total,
				   DpemMixture *mixture)
{
	for (int j = 0; j < rows->d; j++)
	{
		Place		p = {(size_t) k * m->n + j, (size_t) k * rows->d + j, 0};

		p.count = j < rows->numbers ? known_count(rows, m, k, j, total->known[j])
			: safe_count(m->count[k], m->count_sd) * total->known[j];
		if (j >= rows->numbers)
			maximize_category(m, &p, j, total, mixture);
		else
			maximize_number(rows, m, &p, j, total, mixture);
	}
	normalise_labels(rows, mixture->mean + (size_t) k * rows->d);
}

void
dpem_mixture_maximize(const DpemMixtureRows *rows, const DpemMixtureMoments *moments,
					  const DpemMixture *total, DpemMixture *mixture)
{
	double		sum = 0;

	for (int k = 0; k < mixture->k; k++)
		sum += fmax(moments->count[k], 0) + DIRICHLET;
	for (int k = 0; k < mixture->k; k++)
	{
		mixture->weight[k] = (fmax(moments->count[k], 0) + DIRICHLET) / sum;
		mixture->weight_noise[k] = moments->count_sd / sum;
		maximize_component(rows, moments, k, total, mixture);
	}
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

void
dpem_mixture_total(const DpemMixtureRows *rows, const DpemMixtureMoments *moments, DpemMixture *total)
{
	double		count = safe_count(moments->count[0], moments->count_sd);

	prior_of_total(rows, total);
	for (int j = 0; j < rows->d; j++)
		total->known[j] = j >= rows->numbers ? labelled_share(rows, moments, rows->label[j], count)
			: fmin(known_count(rows, moments, 0, j, 0.9) / count, 1);
	maximize_component(rows, moments, 0, total, total);
	total->weight[0] = 1;
	total->weight_noise[0] = 0;
	for (int j = 0; j < rows->numbers; j++)
	{
		double		rate = rows->middle[j] + rows->unit[j] * total->mean[j];

		if (rows->law[j] == DPEM_LAW_POISSON)
			total->variance[j] = fmax(rate / (rows->unit[j] * rows->unit[j]), 1e-6);
	}
}

/* ---- the E-step's parameters ---- */

typedef struct Theta
{
	double	   *offset;
	double	   *mean;
	double	   *factor;
} Theta;

/* adds slope times the coordinate to the logit: with the same factor in all components, their squares cancel */
static void
add_linear(const DpemMixtureRows *rows, Theta t, int j, double slope)
{
	t.factor[j] = 1;
	t.mean[j] = slope * rows->radius;
	*t.offset += t.mean[j] * t.mean[j] / 2;
}

/* a term that only rows count in which number j is known */
static void
add_known(const DpemMixtureRows *rows, Theta t, int j, double known, double unknown)
{
	if (rows->missing)
	{
		add_linear(rows, t, rows->d + j, (known - unknown) / DPEM_MIXTURE_KNOWN);
		*t.offset += unknown;
	}
	else
		*t.offset += known;
}

static void
add_number(const DpemMixtureRows *rows, Theta t, int j, double mean, double variance)
{
	if (rows->law[j] == DPEM_LAW_POISSON)
	{
		double		rate = fmax(rows->middle[j] + rows->unit[j] * mean, 1e-300);

		add_linear(rows, t, j, rows->unit[j] * log(rate));
		add_known(rows, t, j, rows->middle[j] * log(rate) - rate, 0);
		return;
	}
	t.factor[j] = rows->radius / sqrt(variance);
	t.mean[j] = mean / rows->radius;
	/* an unknown number is 0, whose distance from the mean is taken back */
	add_known(rows, t, j, -log(variance) / 2, mean * mean / variance / 2);
}

void
dpem_mixture_prepare(const DpemMixtureRows *rows, const DpemMixture *mixture, double *theta)
{
	int			n = dpem_mixture_coordinates(rows);
	size_t		k = (size_t) mixture->k;

	for (size_t c = 0; c < k; c++)
	{
		Theta		t = {theta + c, theta + k + c * n, theta + k + k * n + c * n};
		const double *mean = mixture->mean + c * rows->d;

		*t.offset = log(mixture->weight[c]);
		for (int j = 0; j < rows->numbers; j++)
			add_number(rows, t, j, mean[j], mixture->variance[c * rows->d + j]);
		for (int j = rows->numbers; j < rows->d; j++)
			add_linear(rows, t, j, log(mean[j]));
	}
}
