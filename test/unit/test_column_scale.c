/*
 * test_column_scale.c - columns that span decades: whatever a row holds, what models see of it is
 * within the mapped domain, and the row is in the ball.
 */
#include "features_fixture.h"

#include <float.h>

#include "core/numeric/column_scale.h"

typedef DpemScaledDomain Domain;

static const Domain domains[] = {
	{DPEM_SCALE_LOG, 1, 1e6},
	{DPEM_SCALE_LOG, 4.9e-324, 1e100},
	{DPEM_SCALE_LOG, 1e-310, 1e-300},
	{DPEM_SCALE_LOG, 1e-100, 1e100},
	{DPEM_SCALE_LOG, 0.9999995, 1.0000005},
	{DPEM_SCALE_LOG, 7e99, 1e100},
	{DPEM_SCALE_SIGNED_LOG, 0, 1e5},
	{DPEM_SCALE_SIGNED_LOG, -1e100, 1e100},
	{DPEM_SCALE_SIGNED_LOG, -1e-6, 1e-6},
	{DPEM_SCALE_SIGNED_LOG, -8000, 102000},
	{DPEM_SCALE_SIGNED_LOG, -1e100, -1e99},
	{DPEM_SCALE_LINEAR, -3, 1e50}
};

#define DOMAINS	((int) (sizeof(domains) / sizeof(domains[0])))

static double
odd_value(Rng *rng, const Domain *d)
{
	static const double around[] = {0, 1, -1, 2, -2, 1e-3, 1e3};

	switch (rng_below(rng, 5))
	{
		case 0:
			return nextafter(d->lower, rng_below(rng, 2) ? INFINITY : -INFINITY);
		case 1:
			return nextafter(d->upper, rng_below(rng, 2) ? INFINITY : -INFINITY);
		case 2:
			return d->lower + around[rng_below(rng, 7)];
		case 3:
			return copysign(exp(rng_uniform(rng, -745, 709)), rng_below(rng, 2) ? 1 : -1);
		default:
			return adversarial_value(rng, d->lower, d->upper);
	}
}

/* one column's feature of each row, as the wall's kernels get it */
static void
one_column(const Domain *domain, double *row, int n, DpemClone clone, Work *w)
{
	double		scale = domain->scale;
	double		lower = dpem_scale_apply(domain->scale, domain->lower);
	double		upper = dpem_scale_apply(domain->scale, domain->upper);
	DpemFeatureMap map = {1, Q, 1, &lower, &upper, NULL, NULL, NULL, 0, 0, 0, NULL, 0, 0};

	work_fill(w, row, NULL, n);
	dpem_block_apply_scales(&scale, &w->block);
	dpem_features_apply_clone(clone, &map, &w->block, w->whitened);
}

/* beyond a bound is the bound, between them is between its features, and not finite is the null row */
static void
test_clamped(void)
{
	Rng			rng = {31};
	Work		w = work_make(1, 1);
	double		row[DPEM_BLOCK_ROWS];

	for (int test = 0; test < 40 * DOMAINS; test++)
	{
		const Domain *d = &domains[test % DOMAINS];

		row[0] = d->lower;
		row[1] = d->upper;
		for (int i = 2; i < DPEM_BLOCK_ROWS; i++)
			row[i] = odd_value(&rng, d);
		FOR_CLONES(clone)
		{
			one_column(d, row, DPEM_BLOCK_ROWS, clone, &w);
			CHECK(w.block.x[0] < w.block.x[1] && fabs(w.block.x[0]) <= 0x1p13 && fabs(w.block.x[1]) <= 0x1p13,
				  "%s [%g, %g]: ends %g, %g", dpem_scale_name(d->scale), d->lower, d->upper, w.block.x[0], w.block.x[1]);
			for (int i = 0; i < DPEM_BLOCK_ROWS; i++)
			{
				double		x = w.block.x[i];

				CHECK((w.block.keep[i] == 1) == isfinite(row[i]), "%g: counts %g", row[i], w.block.keep[i]);
				if (!isfinite(row[i]))
					continue;
				CHECK(x >= w.block.x[0] && x <= w.block.x[1], "%g of [%g, %g] became %g", row[i], d->lower, d->upper, x);
				CHECK(row[i] > d->lower || x == w.block.x[0], "%g below %g became %g", row[i], d->lower, x);
				CHECK(row[i] < d->upper || x == w.block.x[1], "%g above %g became %g", row[i], d->upper, x);
			}
		}
	}
	work_free(&w);
}

/* the search for a row outside of the ball, with columns of every scale side by side */
static void
test_ball(void)
{
	Rng			rng = {32};
	int			outside = 0;

	for (int test = 0; test < 200; test++)
	{
		int			d = 1 + rng_below(&rng, DOMAINS);
		DpemFeatureMap map = map_make(&rng, d, Q, test & 1, test & 2);
		Work		w = work_make(d, 1);
		double	   *rows = numbers((size_t) DPEM_BLOCK_ROWS * d);
		double		scale[DOMAINS];

		for (int j = 0; j < d; j++)
		{
			scale[j] = domains[j].scale;
			((double *) map.lower)[j] = dpem_scale_apply(domains[j].scale, domains[j].lower);
			((double *) map.upper)[j] = dpem_scale_apply(domains[j].scale, domains[j].upper);
		}
		for (int i = 0; i < DPEM_BLOCK_ROWS * d; i++)
			rows[i] = odd_value(&rng, &domains[i % d]);
		work_fill(&w, rows, NULL, DPEM_BLOCK_ROWS);
		dpem_block_apply_scales(scale, &w.block);
		dpem_features_apply(&map, &w.block, w.whitened);
		for (int i = 0; i < DPEM_BLOCK_ROWS; i++)
		{
			double		norm = 0;

			for (int j = 0; j < d; j++)
				norm += w.block.x[j * DPEM_BLOCK_STRIDE + i] * w.block.x[j * DPEM_BLOCK_STRIDE + i];
			outside += !(norm <= 0x1p26);
		}
		free(rows);
		work_free(&w);
		map_free(&map);
	}
	CHECK(outside == 0, "%d rows outside the ball", outside);
}

/* without scales nothing is touched */
static void
test_linear(void)
{
	Rng			rng = {33};
	Work		w = work_make(2, 1);
	double	   *rows = uniforms(&rng, 2 * DPEM_BLOCK_ROWS, -5, 5);
	double		scale[] = {DPEM_SCALE_LINEAR, DPEM_SCALE_LINEAR};
	int			changed = 0;

	work_fill(&w, rows, NULL, DPEM_BLOCK_ROWS);
	dpem_block_apply_scales(NULL, &w.block);
	dpem_block_apply_scales(scale, &w.block);
	for (int i = 0; i < 2 * DPEM_BLOCK_ROWS; i++)
		changed += w.block.x[i % 2 * DPEM_BLOCK_STRIDE + i / 2] != rows[i];
	CHECK(changed == 0, "%d numbers changed", changed);
	free(rows);
	work_free(&w);
}

/* values and coordinates are each other's, in order, and a small change of one is `unit` of the other's */
static void
test_inverse(void)
{
	Rng			rng = {34};

	for (int test = 0; test < 100000; test++)
	{
		const Domain *d = &domains[test % DOMAINS];
		double		x = d->scale == DPEM_SCALE_LOG ? exp(rng_uniform(&rng, -700, 230)) :
			copysign(exp(rng_uniform(&rng, -40, 230)), rng_below(&rng, 2) ? 1 : -1);
		double		y = dpem_scale_apply(d->scale, x);
		double		near = dpem_scale_apply(d->scale, x * (1 + 1e-7));
		double		slope = (near - y) / (x * 1e-7);

		CHECK(fabs(dpem_scale_invert(d->scale, y) - x) <= 1e-12 * fabs(x), "%s: %.17g came back as %.17g",
			  dpem_scale_name(d->scale), x, dpem_scale_invert(d->scale, y));
		CHECK((near > y) == (x > 0), "%s: order at %g", dpem_scale_name(d->scale), x);
		CHECK(fabs(slope * dpem_scale_unit(d->scale, x) - 1) < 1e-5, "%s: slope at %g: %g", dpem_scale_name(d->scale), x, slope);
		CHECK(dpem_scale_point(d->scale, d->lower, x) == y, "a point at %g", x);
	}
	CHECK(isfinite(dpem_scale_invert(DPEM_SCALE_LOG, 1e300)) && isfinite(dpem_scale_invert(DPEM_SCALE_SIGNED_LOG, -1e300)),
		  "coordinates beyond all values");
	CHECK(dpem_scale_point(DPEM_SCALE_LOG, 2, -3) == log(2) && dpem_scale_point(DPEM_SCALE_LOG, 2, 0) == log(2),
		  "points without a logarithm");
	CHECK(isnan(dpem_scale_apply(DPEM_SCALE_LOG, NAN)) && isnan(dpem_scale_apply(DPEM_SCALE_SIGNED_LOG, NAN)), "NaN");
}

/* ends are exact, steps ascend, and on a logarithmic scale are of one ratio */
static void
test_between(void)
{
	for (int i = 0; i < DOMAINS; i++)
	{
		const Domain *d = &domains[i];
		double		before = d->lower;

		CHECK(dpem_scale_between(d->scale, d->lower, d->upper, 0, 100) == d->lower &&
			  dpem_scale_between(d->scale, d->lower, d->upper, 100, 100) == d->upper, "ends of [%g, %g]", d->lower, d->upper);
		for (int j = 1; j <= 100; j++)
		{
			double		edge = dpem_scale_between(d->scale, d->lower, d->upper, j, 100);

			CHECK(edge > before, "edge %d of [%g, %g]", j, d->lower, d->upper);
			before = edge;
		}
	}
	CHECK_CLOSE(dpem_scale_between(DPEM_SCALE_LOG, 1, 1e6, 1, 6), 10, 1e-12, "a decade");
	CHECK_CLOSE(dpem_scale_between(DPEM_SCALE_SIGNED_LOG, -99, 99, 3, 4), 9, 1e-12, "a decade of 1 + x");
	CHECK_CLOSE(dpem_scale_between(DPEM_SCALE_LINEAR, 1, 5, 1, 4), 2, 1e-12, "a quarter");
}

static double
place_in(double share, double lower, double upper, double x)
{
	double		low = dpem_scale_apply(DPEM_SCALE_SIGNED_LOG, lower);
	double		high = dpem_scale_apply(DPEM_SCALE_SIGNED_LOG, upper);

	return share * (dpem_scale_apply(DPEM_SCALE_SIGNED_LOG, x) - low) / (high - low) + (1 - share) * (x - lower) / (upper - lower);
}

/* on two scales at once: ends are exact, values ascend and are at their places, parts are nowhere wider than those of either scale by more than its share */
static void
test_mixed(void)
{
	static const double ends[][2] = {{0, 1e9}, {-1e6, 1e6}, {17, 90}, {-8000, 122000}, {0, 1}, {1e9, 1.1e9}, {-5, 0}, {-1e100, 1e100}};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
	{
		double		lower = ends[i][0];
		double		upper = ends[i][1];
		double		before = lower;

		CHECK(dpem_scale_is_mixable(lower, upper), "[%g, %g]", lower, upper);
		CHECK(dpem_scale_mixed(0.5, lower, upper, 0, 1000) == lower && dpem_scale_mixed(0.5, lower, upper, 1000, 1000) == upper, "ends of [%g, %g]", lower, upper);
		for (int j = 1; j <= 1000; j++)
		{
			double		x = dpem_scale_mixed(0.5, lower, upper, j, 1000);

			CHECK(x > before && x <= upper, "value %d of [%g, %g]: %g after %g", j, lower, upper, x, before);
			CHECK(fabs(place_in(0.5, lower, upper, x) - j / 1000.0) < 1e-9, "place %d of [%g, %g]: %g", j, lower, upper, x);
			CHECK(x - before <= (upper - lower) / 500 * (1 + 1e-9), "part %d of [%g, %g]", j, lower, upper);
			before = x;
		}
	}
	CHECK(dpem_scale_mixed(0.5, 0, 1e9, 100, 1000) < 100, "parts of a wide domain are narrow near 0");
	CHECK_CLOSE(dpem_scale_mixed(0, 0, 8, 3, 8), 3, 1e-12, "nothing of the second scale");
	CHECK_CLOSE(dpem_scale_mixed(1, 0, 99, 1, 2), 9, 1e-12, "nothing but the second scale");
	CHECK(!dpem_scale_is_mixable(1e9, 1e9 + 1) && !dpem_scale_is_mixable(-1.7e308, 1.7e308), "no domains for it");
}

/* whatever a regression's score is, its prediction is a value that the target may have */
static void
test_predict(Rng *rng)
{
	for (int i = 0; i < DOMAINS; i++)
	{
		const Domain *d = &domains[i];
		double		low = dpem_scale_apply(d->scale, d->lower);
		double		high = dpem_scale_apply(d->scale, d->upper);

		for (int j = 0; j < 1000; j++)
		{
			double		value = dpem_scale_predict(d, rng_uniform(rng, low - 3 * (high - low), high + 3 * (high - low)));

			CHECK(value >= d->lower && value <= d->upper, "%g is not in [%g, %g]", value, d->lower, d->upper);
		}
		CHECK(dpem_scale_predict(d, -INFINITY) == d->lower && dpem_scale_predict(d, INFINITY) == d->upper, "ends of [%g, %g]", d->lower, d->upper);
		CHECK(isnan(dpem_scale_predict(d, NAN)), "no number");
		CHECK_CLOSE(dpem_scale_predict(d, low + (high - low) / 3), dpem_scale_invert(d->scale, low + (high - low) / 3), 1e-15, "a value inside");
	}
}

static void
test_names(void)
{
	for (int scale = 0; scale < DPEM_SCALES; scale++)
	{
		CHECK(dpem_scale_from_name(dpem_scale_name((DpemColumnScale) scale)) == (DpemColumnScale) scale, "name of %d", scale);
		CHECK(strstr(DPEM_SCALE_NAMES, dpem_scale_name((DpemColumnScale) scale)) != NULL, "%d is not listed", scale);
	}
	CHECK(dpem_scale_from_name("Log") == DPEM_SCALES, "no scale");
}

int
main(void)
{
	Rng			rng = {33};

	test_clamped();
	test_ball();
	test_linear();
	test_inverse();
	test_between();
	test_mixed();
	test_predict(&rng);
	test_names();
	return unit_report();
}
