/*
 * bounds.c - see bounds.h.
 */
#include <math.h>

#include "core/numeric/bisect.h"
#include "core/statistics/bounds.h"
#include "core/statistics/statistic.h"

#define FALSE_ALARM	0.05		/* of all bins together */
#define BISECTIONS	60

/* ---- bins ---- */

/* the first exponent of bins: of the smallest size that is told from 0 */
static int
first_exponent(double most)
{
	int			exponent;

	(void) frexp(fmin(most, 1), &exponent);
	return exponent - 1 - DPEM_BOUNDS_OCTAVES;
}

static int
add_edge(double *edge, int n, double x, double lower, double upper)
{
	if (x > lower && x < upper)
		edge[n++] = x;
	return n;
}

int
dpem_bounds_edges(double lower, double upper, double *edge)
{
	double		most = fmax(fabs(lower), fabs(upper));
	int			first = first_exponent(most);
	int			last = ilogb(most);
	int			n = 0;

	edge[n++] = lower;
	for (int i = last; i >= first; i--)
		n = add_edge(edge, n, -ldexp(1, i), lower, upper);
	n = add_edge(edge, n, 0, lower, upper);
	for (int i = first; i <= last; i++)
		n = add_edge(edge, n, ldexp(1, i), lower, upper);
	edge[n] = upper;
	return n;
}

/* ---- what counts say ---- */

/* P(Z > x) of noise of standard deviation 1 */
static double
tail_of(DpemNoiseKind noise, double x)
{
	return noise == DPEM_NOISE_LAPLACE ? exp(-sqrt(2) * x) / 2 : erfc(x / sqrt(2)) / 2;
}

double
dpem_bounds_threshold(DpemNoiseKind noise, double sd, int bins)
{
	double		low = 0;
	double		high = 40;

	for (int i = 0; i < BISECTIONS; i++)
	{
		double		middle = (low + high) / 2;

		if (bins * tail_of(noise, middle) > FALSE_ALARM)
			low = middle;
		else
			high = middle;
	}
	return sd * high;
}

/* numbers of rows in and out, their noise in deviations of one count, and how many of these an interval reaches */
typedef struct Parts
{
	double		inside;
	double		outside;
	double		inside_bins;
	double		outside_bins;
	double		reach;
} Parts;

/*
 * May the share be p?  (1 - p) outside - p inside is 0 without noise (Fieller 1954).  A sum of Laplace deviates is
 * no further out than one of them of the same variance, at 95 %.
 */
static bool
fits(const void *parts, double p)
{
	const Parts *s = parts;
	double		noise2 = (1 - p) * (1 - p) * s->outside_bins + p * p * s->inside_bins;

	return fabs((1 - p) * s->outside - p * s->inside) <= s->reach * sqrt(noise2);
}

static void
estimate_share(const Parts *s, DpemBounds *out)
{
	double		rows = s->inside + s->outside;

	out->outside = rows > 0 ? fmin(fmax(s->outside / rows, 0), 1) : 0;
	out->outside_lower = dpem_reach(fits, s, out->outside, 0);
	out->outside_upper = dpem_reach(fits, s, out->outside, 1);
}

void
dpem_bounds_estimate(const double *count, int n, DpemNoiseKind noise, double sd, DpemBounds *out)
{
	double		threshold = dpem_bounds_threshold(noise, sd, n);
	Parts		s = {.reach = sd * (noise == DPEM_NOISE_LAPLACE ? -log(0.05) / sqrt(2) : DPEM_NORMAL_975)};

	*out = (DpemBounds) {.first = -1,.last = -1,.outside_upper = 1};
	for (int i = 0; i < n; i++)
	{
		if (!(count[i] > threshold))
			continue;
		out->first = out->first < 0 ? i : out->first;
		out->last = i;
	}
	if (out->first < 0)
		return;
	for (int i = 0; i < n; i++)
	{
		bool		inside = i >= out->first && i <= out->last;

		*(inside ? &s.inside : &s.outside) += count[i];
		*(inside ? &s.inside_bins : &s.outside_bins) += 1;
	}
	estimate_share(&s, out);
}
