/*
 * test_bounds.c - bins of a domain of any width, and what their released counts say.
 *
 * Deviates are seeded, the same in every run.  Of 10,000 releases six standard deviations are 1.3 %: beyond that
 * would be no chance.
 */
#include <math.h>
#include <stdlib.h>

#include "core/statistics/bounds.h"
#include "seeded_source.h"
#include "unit.h"

#define BINS 60

static double edge[DPEM_BOUNDS_MOST + 1];

static void
check_domain(double lower, double upper)
{
	int			n = dpem_bounds_edges(lower, upper, edge);
	double		least = ldexp(fmin(fmax(fabs(lower), fabs(upper)), 1), -DPEM_BOUNDS_OCTAVES);
	int			wide = 0;

	CHECK(n >= 1 && n <= DPEM_BOUNDS_MOST && edge[0] == lower && edge[n] == upper, "%g to %g: %d bins", lower, upper, n);
	for (int i = 0; i < n; i++)
	{
		CHECK(edge[i] < edge[i + 1], "%g to %g: %g before %g", lower, upper, edge[i], edge[i + 1]);
		/* a bin apart from 0 ends at most at twice its beginning */
		if (edge[i] >= least ? edge[i + 1] > 2 * edge[i] : edge[i + 1] <= -least && edge[i] < 2 * edge[i + 1])
			wide++;
	}
	CHECK(wide == 0, "%g to %g: %d bins are wider than an octave", lower, upper, wide);
}

static void
test_edges(void)
{
	static const double ends[] = {-1e300, -1e30, -1000.5, -64, -1, -1e-7, 0, 1e-9, 0.3, 1, 17, 1024, 1e12, 1e300};
	int			n = sizeof(ends) / sizeof(ends[0]);

	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++)
			check_domain(ends[i], ends[j]);
	CHECK(dpem_bounds_edges(10, 100, edge) == 4 && edge[1] == 16 && edge[3] == 64, "powers of two within");
	CHECK(dpem_bounds_edges(-3, 3, edge) > 40 && edge[1] == -2, "both sides");
}

static double
draw(DpemSampler *sampler, DpemNoiseKind noise, double sd)
{
	DpemInt128	drawn = 0;
	double		scale = noise == DPEM_NOISE_LAPLACE ? sd / sqrt(2) : sd;

	CHECK(dpem_noise_draw(sampler, noise, dpem_noise_integer_scale(noise, scale, 18), &drawn) == DPEM_OK, "drawn");
	return ldexp((double) drawn, -18);
}

/* rows in some bins, few or none in the others */
static void
check_releases(DpemSampler *sampler, DpemNoiseKind noise, double sd, double tail)
{
	int			alarms = 0;
	int			held = 0;

	for (int i = 0; i < 10000; i++)
	{
		double		count[BINS];
		double		rows[BINS] = {0};
		double		inside = 0;
		double		all = 0;
		DpemBounds	b;

		for (int j = 0; j < BINS; j++)
			count[j] = draw(sampler, noise, sd);
		dpem_bounds_estimate(count, BINS, noise, sd, &b);
		alarms += b.first >= 0;
		rows[20] = rows[30] = 100 * sd;
		rows[31] = tail * sd;
		for (int j = 0; j < BINS; j++)
			count[j] += rows[j];
		dpem_bounds_estimate(count, BINS, noise, sd, &b);
		for (int j = 0; j < BINS; j++)
		{
			all += rows[j];
			inside += j >= b.first && j <= b.last ? rows[j] : 0;
		}
		held += b.first <= 20 && b.last >= 30 && b.outside_lower <= 1 - inside / all && 1 - inside / all <= b.outside_upper;
	}
	CHECK(alarms <= 10000 * 0.063, "noise %d: %d alarms", noise, alarms);
	CHECK(held >= 10000 * 0.937, "noise %d, tail %g: the share in %d intervals", noise, tail, held);
}

static void
test_exact(void)
{
	static const double count[] = {0, 0, 30, 0, 60, 10, 0};
	DpemBounds	b;

	dpem_bounds_estimate(count, 7, DPEM_NOISE_GAUSSIAN, 0, &b);
	CHECK(b.first == 2 && b.last == 5 && b.outside == 0 && b.outside_upper < 1e-9, "without noise: all that have rows");
	dpem_bounds_estimate(count, 7, DPEM_NOISE_GAUSSIAN, 8, &b);
	CHECK(b.first == 2 && b.last == 4, "with noise: those that are seen");
	CHECK_CLOSE(b.outside, 0.1, 1e-12, "and the others' share");
	CHECK(b.outside_lower == 0 && b.outside_upper > 0.1 && b.outside_upper < 0.6, "its interval");
	dpem_bounds_estimate(count, 7, DPEM_NOISE_LAPLACE, 500, &b);
	CHECK(b.first < 0 && b.outside_lower == 0 && b.outside_upper == 1, "none");
}

int
main(void)
{
	SeededSource seeded;
	DpemSampler sampler;

	seeded_init(&seeded, 20);
	dpem_sampler_init(&sampler, &seeded.source);
	test_edges();
	test_exact();
	check_releases(&sampler, DPEM_NOISE_GAUSSIAN, 3, 0);
	check_releases(&sampler, DPEM_NOISE_GAUSSIAN, 50, 2);
	check_releases(&sampler, DPEM_NOISE_LAPLACE, 3, 0);
	check_releases(&sampler, DPEM_NOISE_LAPLACE, 7, 2);
	return unit_report();
}
