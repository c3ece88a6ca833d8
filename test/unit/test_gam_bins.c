/*
 * test_gam_bins.c - where bins of numbers are: ascending within the domain, narrow about zero where rows may pile up there,
 * equal parts elsewhere and where they are asked for, and of whole numbers none without one.
 */
#include <float.h>

#include "core/gam/gam_bins.h"
#include "core/gam/gam_kernel.h"
#include "kernel_fixture.h"

#define MOST	DPEM_GAM_MAX_BINS

static bool
is_ascending(const double *edge, int n)
{
	for (int i = 0; i < n; i++)
		if (!(edge[i] > (i > 0 ? edge[i - 1] : -1) && edge[i] < 1))
			return false;
	return true;
}

static bool
is_equal(const double *edge, int bins)
{
	for (int i = 1; i < bins; i++)
		if (fabs(edge[i - 1] - (2.0 * i / bins - 1)) > 1e-12)
			return false;
	return true;
}

/* of bins' widths, the least and the largest */
static void
find_widths(const double *edge, int bins, double width[2])
{
	width[0] = INFINITY;
	width[1] = 0;
	for (int i = 0; i < bins; i++)
	{
		double		own = (i + 1 < bins ? edge[i] : 1) - (i > 0 ? edge[i - 1] : -1);

		width[0] = fmin(width[0], own);
		width[1] = fmax(width[1], own);
	}
}

static void
check_equal(void)
{
	static const DpemScaledDomain domain[] = {{DPEM_SCALE_LINEAR, 17, 90}, {DPEM_SCALE_LINEAR, -90, -1}, {DPEM_SCALE_LINEAR, -16, 16}, {DPEM_SCALE_LOG, 1e-3, 1e6}, {DPEM_SCALE_SIGNED_LOG, 0, 1e5}};
	static const DpemScaledDomain wide = {DPEM_SCALE_LINEAR, 0, 1e5};
	double		edge[MOST];

	for (int bins = 1; bins <= MOST; bins += 51)
	{
		for (int i = 0; i < 5; i++)
			CHECK(dpem_gam_spread_bins(&domain[i], false, bins, edge) == bins && is_equal(edge, bins), "domain %d has other than %d equal bins", i, bins);
		CHECK(dpem_gam_equal_bins(&wide, true, bins, edge) == bins && is_equal(edge, bins), "other than %d equal bins", bins);
		CHECK(fabs(dpem_gam_bound(&wide, edge, bins, bins / 2) - 1e5 * (bins / 2) / bins) < 1e-9, "%d bins: a bound of %.17g", bins, dpem_gam_bound(&wide, edge, bins, bins / 2));
	}
}

/* bounds are numbers of three digits where edges are, and as printed and read again */
static void
check_bounds(const DpemScaledDomain *domain, const double *edge, int bins)
{
	double		half = domain->upper / 2 - domain->lower / 2;

	CHECK(dpem_gam_bound(domain, edge, bins, 0) == domain->lower && dpem_gam_bound(domain, edge, bins, bins) == domain->upper, "ends of %g to %g", domain->lower, domain->upper);
	for (int i = 1; i < bins; i++)
	{
		double		bound = dpem_gam_bound(domain, edge, bins, i);
		char		text[40];

		snprintf(text, sizeof text, "%.3g", bound);
		CHECK(atof(text) == bound, "a bound of %.17g", bound);
		CHECK(fabs(bound - (domain->lower + half * (edge[i - 1] + 1))) < 1e-12 * half, "a bound %g off its edge", bound - (domain->lower + half * (edge[i - 1] + 1)));
	}
}

static void
check_spread(void)
{
	static const struct
	{
		DpemScaledDomain domain;
		double		least;			/* ratio of the widest bin to the narrowest */
		double		most;
		double		zero;			/* the narrowest is there, or next to it */
	}			kind[] = {
		{{DPEM_SCALE_LINEAR, 0, 1e5}, 10, 50, -1},
		{{DPEM_SCALE_LINEAR, 1, 1e5}, 10, 50, -1},
		{{DPEM_SCALE_LINEAR, -3e-5, 0}, 10, 50, 1},
		{{DPEM_SCALE_LINEAR, -1e4, 1e4}, 10, 50, 0},
		{{DPEM_SCALE_LINEAR, -50, 50}, 1.5, 10, 0},
	};
	double		edge[MOST];
	double		width[2];

	for (int i = 0; i < 5; i++)
	{
		int			bins = dpem_gam_spread_bins(&kind[i].domain, false, 33, edge);
		int			at = dpem_gam_edges_below(edge, 32, kind[i].zero);
		double		low = at > 0 ? edge[at - 1] : -1;

		find_widths(edge, bins, width);
		CHECK(bins == 33 && is_ascending(edge, 32), "domain %d: %d bins, or edges out of order", i, bins);
		CHECK(width[1] > kind[i].least * width[0] && width[1] < kind[i].most * width[0], "domain %d: bins of %g to %g", i, width[0], width[1]);
		CHECK((at < 32 ? edge[at] : 1) - low < 1.01 * width[0], "domain %d: the bin at zero is not the narrowest", i);
		check_bounds(&kind[i].domain, edge, bins);
	}
}

static void
check_whole(void)
{
	static const double upper[] = {1, 9, 31, 32, 40, 66, 91, 100, 123, 197, 255, 5000, 1e9};
	double		edge[MOST];

	for (int i = 0; i < 13; i++)
		for (int lower = -30; lower <= 1; lower++)
		{
			DpemScaledDomain domain = {DPEM_SCALE_LINEAR, lower, upper[i]};
			int			bins = dpem_gam_spread_bins(&domain, true, 33, edge);
			int			bad = 0;
			int			most = (int) fmax(2, fmin(upper[i] - lower + 1, 33));

			for (int b = 0; b < bins; b++)
			{
				double		low = lower + (upper[i] - lower) * ((b > 0 ? edge[b - 1] : -1) + 1) / 2;
				double		high = b + 1 < bins ? lower + (upper[i] - lower) * (edge[b] + 1) / 2 : upper[i] + 1;

				bad += b > 0 && upper[i] - lower >= 33 && fabs(low - rint(low)) > 1e-9 * upper[i];
				bad += ceil(low - 1e-9 * upper[i]) >= high - 1e-9 * upper[i];
			}
			CHECK(bins <= most && bins > most / 2 && is_ascending(edge, bins - 1), "%d bins for whole numbers from %d to %g", bins, lower, upper[i]);
			CHECK(bad == 0 || upper[i] <= lower, "%d of the bins for whole numbers from %d to %g have none", bad, lower, upper[i]);
		}
}

/* whole numbers of a table of d columns, rounded as features are, are in the bins whose bounds they are between */
static void
check_rounded(void)
{
	static const int dimensions[] = {1, 5, 10, 20, 50};
	double		edge[MOST];
	int			bad = 0;

	for (int lower = -40; lower <= 2; lower += 3)
		for (int upper = 35; upper < 2000; upper += upper / 9)
		{
			DpemScaledDomain domain = {DPEM_SCALE_LINEAR, lower, upper};
			double		half = (upper - lower) / 2.0;
			int			bins = dpem_gam_spread_bins(&domain, true, 32, edge);

			for (int i = 0; i < 5; i++)
				for (int v = lower; v <= upper; v++)
				{
					double		unit = ldexp(sqrt(dimensions[i]), -FINE);
					int			below = 0;

					for (int b = 1; b < bins; b++)
						below += dpem_gam_bound(&domain, edge, bins, b) <= v;
					if (unit * half < 0.9)
						bad += dpem_gam_edges_below(edge, bins - 1, unit * rint(((v - lower) / half - 1) / unit) + unit / 2) != below;
				}
		}
	CHECK(bad == 0, "%d whole numbers are counted in other bins than they are in", bad);
}

/* whatever domains may be registered, bins are in order and none is refused */
static void
check_odd_domains(void)
{
	static const double bound[] = {-DBL_MAX, -1e300, -12, -10.5, -1e16, -1, -DBL_MIN, -4.9e-324, 0, 4.9e-324, DBL_MIN, 1e-9, 1, 1e16, DBL_MAX};
	double		edge[MOST];

	for (int i = 0; i < 15; i++)
		for (int j = i + 1; j < 15; j++)
			for (int whole = 0; whole < 2; whole++)
			{
				DpemScaledDomain domain = {DPEM_SCALE_LINEAR, bound[i], bound[j]};
				int			bins = dpem_gam_spread_bins(&domain, whole, 32, edge);

				CHECK(bins >= 1 && bins <= 32 && is_ascending(edge, bins - 1), "%g to %g: %d bins, or edges out of order", bound[i], bound[j], bins);
			}
}

/* default edges stay, of however many coordinates; of others those that features tell apart, at either end; equal bins are as they were */
static void
check_near(void)
{
	static const DpemScaledDomain ends[] = {{DPEM_SCALE_LINEAR, 0, 100000}, {DPEM_SCALE_LINEAR, -100000, 0}, {DPEM_SCALE_LINEAR, 0, 1e12}};
	double		edge[MOST];

	for (int i = 0; i < 6; i++)
		for (int d = 1; d <= 4096; d *= 2)
		{
			int			bins = dpem_gam_spread_bins(&ends[i / 2], i % 2, 128, edge);

			CHECK(dpem_gam_drop_near(bins, d, sqrt(d), edge) == bins, "%d coordinates: not all of %d bins", d, bins);
		}
	for (int d = 1; d <= 4096; d *= 2)
	{
		double		unit = ldexp(sqrt(d), -26);
		double		near[] = {-1 + 3 * unit, -1 + 5 * unit, -1 + 8 * unit, 0, 3 * unit, 5 * unit, 1 - 3 * unit};

		CHECK(dpem_gam_drop_near(8, d, sqrt(d), near) == 4, "%d coordinates: bins that features do not tell apart", d);
		CHECK(near[0] == -1 + 5 * unit && near[1] == 0 && near[2] == 5 * unit, "%d coordinates: other edges", d);
	}
	CHECK(dpem_gam_drop_near(dpem_gam_equal_bins(&ends[0], false, 32, edge), 1 << 16, 256, edge) == 32 && is_equal(edge, 32), "equal bins were joined");
	CHECK(dpem_gam_drop_near(1, 900, 2, edge) == 1, "no edge is none");
}

static void
check_edges_below(Rng *rng)
{
	double		edge[MOST];
	int			bad = 0;

	for (int n = 0; n < MOST; n++)
	{
		for (int i = 0; i < n; i++)
			edge[i] = rng_below(rng, 3) > 0 || i == 0 ? (i > 0 ? edge[i - 1] : 0) + rng_uniform(rng, 0, 1) : edge[i - 1];
		for (int round = 0; round < 20; round++)
		{
			double		x = n > 0 && round % 2 ? edge[rng_below(rng, n)] : rng_uniform(rng, -1, n + 1);
			int			below = 0;

			for (int i = 0; i < n; i++)
				below += edge[i] <= x;
			bad += dpem_gam_edges_below(edge, n, x) != below;
		}
		bad += dpem_gam_edges_below(edge, n, NAN) != 0 || dpem_gam_edges_below(edge, n, INFINITY) != n || dpem_gam_edges_below(edge, n, -INFINITY) != 0;
	}
	CHECK(bad == 0, "%d points are counted between other edges", bad);
}

int
main(void)
{
	Rng			rng = {27};

	check_equal();
	check_spread();
	check_whole();
	check_rounded();
	check_odd_domains();
	check_near();
	check_edges_below(&rng);
	return unit_report();
}
