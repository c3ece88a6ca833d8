/*
 * statistic.c - see statistic.h.
 *
 * Ratios have intervals by inversion of a test (Fieller 1954): m is in the
 * interval of an average if s - m n, whose noise has a known law, is not
 * further from 0 than noise is in 95 of 100 cases.  At the true average s - m n
 * without noise is exactly 0, so that the test's level is exact whatever the
 * number of rows, for Gaussian and for Laplace noise.
 *
 * For a variance or covariance c, with sample denominators n (n - 1),
 *     W(c) = p n - s1 s2 + [same column] sd_s^2 - c (n^2 - sd_n^2 - n)
 * has expectation 0 at the true c over the noise (the corrections take away
 * what squares of noise add).  Its variance is, with plug-in moments and the
 * noise that their own squares add taken away again,
 *     n^2 sd_p^2 + (p - c (2n - 1))^2 sd_n^2 + (s1^2 + s2^2) sd_s^2
 *       - sd_p^2 sd_n^2 - 2 c^2 sd_n^4 - sd_s^4            (two columns)
 *     n^2 sd_p^2 + (p - c (2n - 1))^2 sd_n^2 + 4 s^2 sd_s^2
 *       - sd_p^2 sd_n^2 - 2 c^2 sd_n^4 - 2 sd_s^4          (one column)
 * and c is in the interval if |W(c)| is at most 1.96 of its root.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/numeric/bisect.h"
#include "core/statistics/statistic.h"

#define MISS		0.05

static double
squared(double x)
{
	return x * x;
}

/* ---- noise ---- */

/* P(|X + Y| > x) for Laplace deviates of scales t >= u > 0, by partial fractions of the characteristic function */
static double
laplace_tail(double x, double t, double u)
{
	if (t - u < 1e-5 * t)
		return (1 + x / (t + u)) * exp(-2 * x / (t + u));
	return (t * t * exp(-x / t) - u * u * exp(-x / u)) / ((t - u) * (t + u));
}

static double
laplace_half_width(double sd, double other_sd)
{
	double		t = fmax(sd, other_sd) / sqrt(2.0);
	double		u = fmin(sd, other_sd) / sqrt(2.0);
	double		low = 0;
	double		high = 8 * t;

	if (!(u > 0))
		return -log(MISS) * t;
	for (int i = 0; i < 45; i++)
	{
		double		middle = (low + high) / 2;

		if (laplace_tail(middle, t, u) > MISS)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double
dpem_noise_half_width(DpemNoiseKind noise, double sd, double other_sd)
{
	return noise == DPEM_NOISE_LAPLACE ? laplace_half_width(sd, other_sd) : DPEM_NORMAL_975 * hypot(sd, other_sd);
}

/* ---- intervals ---- */

typedef struct Candidate
{
	const DpemStatisticMoments *m;
	bool		same_column;
	bool		(*fits) (const struct Candidate *candidate, double x);
} Candidate;

/* the end of what fits between a number that fits and one that need not */
static double
find_end(const Candidate *c, double inside, double outside)
{
	if (c->fits(c, outside))
		return outside;
	for (int i = 0; i < 60; i++)
	{
		double		middle = inside + (outside - inside) / 2;

		if (c->fits(c, middle))
			inside = middle;
		else
			outside = middle;
	}
	return inside;
}

/* what fits, about the estimate and within the range that the domain leaves */
static void
find_interval(const Candidate *c, double least, double most, DpemStatisticValue *out)
{
	double		best = fmin(fmax(out->value, least), most);

	out->value = out->lower = out->upper = best;
	if (!c->fits(c, best))
		return;
	out->lower = find_end(c, best, least);
	out->upper = find_end(c, best, most);
}

static void
rescale(DpemStatisticValue *out, double offset, double factor)
{
	out->value = offset + factor * out->value;
	out->lower = offset + factor * out->lower;
	out->upper = offset + factor * out->upper;
	out->sd *= factor;
}

/* ---- the statistics ---- */

static void
count_importance(const DpemStatisticScale *scale, double importance[DPEM_STATISTIC_PARTS])
{
	(void) scale;
	importance[DPEM_PART_COUNT] = 1;
	importance[DPEM_PART_SUM] = importance[DPEM_PART_SECOND] = 0;
}

static void
set_symmetric(DpemStatisticValue *out, double value, double sd, double half_width)
{
	*out = (DpemStatisticValue) {.value = value,.sd = sd,.lower = value - half_width,.upper = value + half_width};
}

static void
count_estimate(const DpemStatisticMoments *m, const DpemStatisticScale *scale, DpemStatisticValue *out)
{
	(void) scale;
	set_symmetric(out, m->n, m->sd[DPEM_PART_COUNT], dpem_noise_half_width(m->noise, m->sd[DPEM_PART_COUNT], 0));
}

static void
sum_importance(const DpemStatisticScale *scale, double importance[DPEM_STATISTIC_PARTS])
{
	importance[DPEM_PART_COUNT] = scale->middle[0] * scale->middle[0];
	importance[DPEM_PART_SUM] = scale->half[0] * scale->half[0];
	importance[DPEM_PART_SECOND] = 0;
}

static void
sum_estimate(const DpemStatisticMoments *m, const DpemStatisticScale *scale, DpemStatisticValue *out)
{
	double		from_count = scale->middle[0] != 0 ? fabs(scale->middle[0]) * m->sd[DPEM_PART_COUNT] : 0;
	double		from_sum = scale->half[0] * m->sd[DPEM_PART_SUM];

	set_symmetric(out, scale->middle[0] * m->n + scale->half[0] * m->s[0], hypot(from_count, from_sum),
				  dpem_noise_half_width(m->noise, from_count, from_sum));
}

/* averages of all of [-1, 1] alike: E m^2 = 1/3 */
static void
avg_importance(const DpemStatisticScale *scale, double importance[DPEM_STATISTIC_PARTS])
{
	double		unit2 = squared(scale->half[0]);

	importance[DPEM_PART_COUNT] = unit2 / 3;
	importance[DPEM_PART_SUM] = unit2;
	importance[DPEM_PART_SECOND] = 0;
}

static bool
avg_fits(const Candidate *c, double x)
{
	const DpemStatisticMoments *m = c->m;

	return fabs(m->s[0] - x * m->n) <= dpem_noise_half_width(m->noise, m->sd[DPEM_PART_SUM], fabs(x) * m->sd[DPEM_PART_COUNT]);
}

/* the whole domain where noise leaves no row for certain */
static void
avg_estimate(const DpemStatisticMoments *m, const DpemStatisticScale *scale, DpemStatisticValue *out)
{
	Candidate	candidate = {m, true, avg_fits};
	double		rows = fmax(m->n, fmax(m->sd[DPEM_PART_COUNT], 1));

	out->value = m->s[0] / rows;
	if (m->n > 0 && m->n >= m->sd[DPEM_PART_COUNT])
		find_interval(&candidate, -1, 1, out);
	else
	{
		out->value = fmin(fmax(out->value, -1), 1);
		out->lower = -1;
		out->upper = 1;
	}
	out->sd = hypot(m->sd[DPEM_PART_SUM], out->value * m->sd[DPEM_PART_COUNT]) / rows;
	rescale(out, scale->middle[0], scale->half[0]);
}

/* rows whose averages are 0.35 from the middle, and whose scatter is 0.22 from the second moment */
static void
scatter_importance(double unit2, double second, double importance[DPEM_STATISTIC_PARTS])
{
	importance[DPEM_PART_COUNT] = 0.05 * unit2;
	importance[DPEM_PART_SUM] = 0.5 * unit2;
	importance[DPEM_PART_SECOND] = second * unit2;
}

static void
variance_importance(const DpemStatisticScale *scale, double importance[DPEM_STATISTIC_PARTS])
{
	scatter_importance(squared(squared(scale->half[0])), 1, importance);
}

/* d sqrt(v) = dv / (2 sqrt(v)), for v = 0.3 */
static void
stddev_importance(const DpemStatisticScale *scale, double importance[DPEM_STATISTIC_PARTS])
{
	scatter_importance(squared(scale->half[0]) / (4 * 0.3), 1, importance);
}

/* in the plane a product is a coordinate of svec over sqrt(2), of features that are columns over sqrt(2) */
static void
covariance_importance(const DpemStatisticScale *scale, double importance[DPEM_STATISTIC_PARTS])
{
	scatter_importance(squared(scale->half[0] * scale->half[1]), 2, importance);
}

/* W(c) is numerator - c denominator */
static double
scatter(const Candidate *c)
{
	const DpemStatisticMoments *m = c->m;

	return m->p * m->n - (c->same_column ? squared(m->s[0]) - squared(m->sd[DPEM_PART_SUM]) : m->s[0] * m->s[1]);
}

static double
pairs(const Candidate *c)
{
	return squared(c->m->n) - squared(c->m->sd[DPEM_PART_COUNT]) - c->m->n;
}

/* at least half of what the plug-in moments say */
static double
scatter_variance(const Candidate *c, double x)
{
	const DpemStatisticMoments *m = c->m;
	double		n2 = squared(m->sd[DPEM_PART_COUNT]);
	double		s2 = squared(m->sd[DPEM_PART_SUM]);
	double		p2 = squared(m->sd[DPEM_PART_SECOND]);
	double		from_sums = c->same_column ? 4 * squared(m->s[0]) : squared(m->s[0]) + squared(m->s[1]);
	double		plug_in = squared(m->n) * p2 + squared(m->p - x * (2 * m->n - 1)) * n2 + from_sums * s2;
	double		added = p2 * n2 + 2 * squared(x * n2) + (c->same_column ? 2 : 1) * squared(s2);

	return fmax(plug_in - added, plug_in / 2);
}

static bool
scatter_fits(const Candidate *c, double x)
{
	return fabs(scatter(c) - x * pairs(c)) <= DPEM_NORMAL_975 * sqrt(scatter_variance(c, x));
}

/* the largest variance of so many rows, half of them at either end; with fewer than two, of two */
static double
most_scatter(const DpemStatisticMoments *m, double rows)
{
	return (rows > 2 ? rows / (rows - 1) : 2) * (m->upper_half ? 0.25 : 1);
}

/* no number that as many rows as were released cannot have; the interval is widened to it */
static void
make_possible(const DpemStatisticMoments *m, double rows, DpemStatisticValue *out)
{
	double		most = most_scatter(m, rows);

	out->value = fmin(fmax(out->value, -most), most);
	out->lower = fmin(out->lower, out->value);
	out->upper = fmax(out->upper, out->value);
}

/* of as few rows as there may be, but for noise that comes one time in 3 million */
static double
most_possible(const Candidate *c)
{
	return most_scatter(c->m, c->m->n - 5 * c->m->sd[DPEM_PART_COUNT]);
}

static void
scatter_estimate(const Candidate *c, DpemStatisticValue *out)
{
	const DpemStatisticMoments *m = c->m;
	double		sd_n = m->sd[DPEM_PART_COUNT];
	double		most = most_possible(c);
	double		least = c->same_column ? 0 : -most;
	double		denominator = pairs(c);

	if (m->n > 1 && denominator > 0)
	{
		out->value = scatter(c) / denominator;
		find_interval(c, least, most, out);
	}
	else
		*out = (DpemStatisticValue) {
		.value = fmin(fmax(scatter(c) / (squared(sd_n) + 1), least), most),.lower = least,.upper = most
	};
	out->sd = sqrt(scatter_variance(c, out->value)) / fmax(denominator, squared(sd_n) + 1);
	make_possible(m, fmax(m->n, sd_n), out);
}

/* no deviation beyond what the value can be off by */
static void
limit_deviation(const Candidate *c, DpemStatisticValue *out)
{
	double		most = most_possible(c);
	double		least = c->same_column ? 0 : -most;

	out->sd = fmin(out->sd, fmax(most - out->value, out->value - least));
}

static void
variance_estimate(const DpemStatisticMoments *m, const DpemStatisticScale *scale, DpemStatisticValue *out)
{
	Candidate	candidate = {m, true, scatter_fits};

	scatter_estimate(&candidate, out);
	limit_deviation(&candidate, out);
	rescale(out, 0, squared(scale->half[0]));
}

/* a monotone function of the variance: the ends of the interval go with it */
static void
stddev_estimate(const DpemStatisticMoments *m, const DpemStatisticScale *scale, DpemStatisticValue *out)
{
	Candidate	candidate = {m, true, scatter_fits};
	double		sd;

	scatter_estimate(&candidate, out);
	rescale(out, 0, squared(scale->half[0]));
	sd = out->sd;
	out->value = sqrt(out->value);
	out->lower = sqrt(out->lower);
	out->upper = sqrt(out->upper);
	out->sd = fmin(sqrt(sd), out->value > 0 ? sd / (2 * out->value) : INFINITY);
}

static void
covariance_estimate(const DpemStatisticMoments *m, const DpemStatisticScale *scale, DpemStatisticValue *out)
{
	Candidate	candidate = {m, false, scatter_fits};

	scatter_estimate(&candidate, out);
	limit_deviation(&candidate, out);
	rescale(out, 0, scale->half[0] * scale->half[1]);
}

static const DpemStatistic statistics[] = {
	{"count", 0, DPEM_SECOND_NONE, false, true, count_importance, count_estimate},
	{"sum", 1, DPEM_SECOND_NONE, false, false, sum_importance, sum_estimate},
	{"avg", 1, DPEM_SECOND_NONE, true, false, avg_importance, avg_estimate},
	{"variance", 1, DPEM_SECOND_NORM, true, false, variance_importance, variance_estimate},
	{"stddev", 1, DPEM_SECOND_NORM, true, false, stddev_importance, stddev_estimate},
	{"covariance", 2, DPEM_SECOND_FULL, true, false, covariance_importance, covariance_estimate}
};

const DpemStatistic *
dpem_statistic_from_name(const char *name)
{
	for (size_t i = 0; i < sizeof(statistics) / sizeof(statistics[0]); i++)
	{
		if (strcmp(statistics[i].name, name) == 0)
			return &statistics[i];
	}
	return NULL;
}

/* a record is n, the sums, and the second moments (0,0) or (0,0) (1,0) (1,1) */
void
dpem_statistic_moments(const DpemNoisyMoments *released, int g, DpemNoiseKind noise, DpemStatisticMoments *out)
{
	int			d = released->layout.d;
	const double *record = released->value + g * dpem_moments_record(&released->layout);
	double		radius = sqrt((double) d);
	bool		second = released->layout.second != DPEM_SECOND_NONE;

	*out = (DpemStatisticMoments) {.noise = noise,.n = record[0]};
	for (int j = 0; j < d && j < DPEM_STATISTIC_COLUMNS; j++)
		out->s[j] = radius * record[1 + j];
	if (second)
		out->p = d * record[d == 1 ? 2 : 1 + d + 1];
	out->sd[DPEM_PART_COUNT] = released->count_sd;
	out->sd[DPEM_PART_SUM] = radius * released->sum_sd;
	out->sd[DPEM_PART_SECOND] = second ? d * released->second_sd / (d == 1 ? 1 : sqrt(2.0)) : 0;
}
