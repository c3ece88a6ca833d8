/*
 * test_kernel_features.c - features: values, exact norm bound, null rows, domains.
 */
#include "features_fixture.h"

#include <float.h>

/* n numbers into a ball; returns the radius of what they leave of it */
static long double
shorten(int n, long double limit, long double *x)
{
	long double norm = 0;

	for (int j = 0; j < n; j++)
		norm += x[j] * x[j];
	norm = sqrtl(norm);
	for (int j = 0; j < n && norm > limit; j++)
		x[j] *= limit / norm;
	return norm < limit ? sqrtl(limit * limit - norm * norm) : 0;
}

/* out[] = the row's features before rounding, in long double */
static void
reference_row(const DpemFeatureMap *map, const double *row, long double *out)
{
	int			d = map->d;
	int			n = dpem_features_dimension(map);
	long double unit = ldexpl(1.0L, map->bits);
	long double limit = map->bits > 0 ? unit - sqrtl(n) / 2 : 1.0L;
	long double box[256];

	for (int j = 0; j < d; j++)
	{
		double		x = fmin(fmax(row[j], map->lower[j]), map->upper[j]);

		box[j] = 2 * ((long double) x - map->lower[j]) /
			((long double) map->upper[j] - map->lower[j]) - 1;
		if (map->range)
			box[j] = fminl(fmaxl(box[j], map->range[j]), map->range[d + j]);
		box[j] -= map->center ? map->center[j] : 0;
		if (j < map->imputed && !isfinite(row[j]))
			box[j] = 0;
	}
	for (int j = 0; j < n; j++)
	{
		out[j] = map->whitening ? 0 : box[j];
		for (int i = 0; map->whitening && i < d; i++)
			out[j] += map->whitening[j * d + i] * box[i];
		out[j] *= unit / map->radius;
	}
	limit = shorten(map->kept, limit, out + n - map->kept);
	shorten(n - map->kept, limit, out);
}

/* the greatest difference beyond what rounding to integers explains */
static double
worst_difference(const DpemFeatureMap *map, const Work *w, const double *rows, int n)
{
	long double expected[256];
	double		worst = 0;

	for (int i = 0; i < n; i++)
	{
		reference_row(map, rows + (size_t) i * map->d, expected);
		for (int j = 0; j < dpem_features_dimension(map); j++)
		{
			double		x = w->block.x[j * DPEM_BLOCK_STRIDE + i];
			double		off = fabsl(x - expected[j]) - (map->bits > 0 ? 0.5 : 0.0);

			worst = fmax(worst, off / ldexp(1, map->bits));
		}
	}
	return worst;
}

/* a third of what is imputed becomes no number */
static void
forget(Rng *rng, const DpemFeatureMap *map, double *rows, int n)
{
	static const double unknown[] = {NAN, INFINITY, -INFINITY};

	for (int i = 0; i < n; i++)
		for (int j = 0; j < map->imputed; j++)
			if (rng_below(rng, 3) == 0)
				rows[(size_t) i * map->d + j] = unknown[rng_below(rng, 3)];
}

static void
test_values(void)
{
	static const int dims[] = {1, 2, 3, 4, 7, 10, 37, 200};
	Rng			rng = {1};

	for (int test = 0; test < 256; test++)
	{
		int			d = dims[test % 8];
		DpemFeatureMap map = map_make(&rng, d, test & 8 ? Q : 0, test & 16, test & 32);
		Work		w = work_make(d, 1);
		double	   *rows = uniforms(&rng, (size_t) 301 * d, -40, 40);

		map.imputed = (int) rng_below(&rng, d + 1);
		vary_matrix(&rng, &map);
		map.kept = (int) rng_below(&rng, 3) * dpem_features_dimension(&map) / 2;
		forget(&rng, &map, rows, 301);

		FOR_CLONES(clone)
		{
			work_fill(&w, rows, NULL, 301);
			dpem_features_apply_clone(clone, &map, &w.block, w.whitened);
			/* where kept coordinates have all of the ball, what is left of it is a root of rounding errors */
			CHECK(worst_difference(&map, &w, rows, 301) < (map.kept > 0 ? 1e-7 : 2e-14 * sqrt(d)),
				  "%s d=%d bits=%d off by %g", dpem_clone_name(clone), d, map.bits,
				  worst_difference(&map, &w, rows, 301));
		}
		free(rows);
		work_free(&w);
		map_free(&map);
	}
}

/* sum_j x_j^2 <= 2^(2q) in integers, every x_j an integer; keep is 0 or 1 */
static int
rows_outside_ball(const Work *w)
{
	int			bad = 0;

	for (int i = 0; i < DPEM_BLOCK_PADDED(w->block.rows); i++)
	{
		double		keep = w->block.keep[i];
		__int128	norm = 0;
		bool		good = keep == 1.0 || keep == 0.0;

		for (int j = 0; j < w->d; j++)
		{
			double		x = w->block.x[j * DPEM_BLOCK_STRIDE + i];

			good = good && fabs(x) <= 0x1p13 && x == (double) (int64_t) x &&
				(keep == 1.0 || (x == 0.0 && !signbit(x)));
			norm += good ? (__int128) (int64_t) x * (int64_t) x : 0;
		}
		if (!good || norm > (__int128) 1 << (2 * Q) || (i >= w->block.rows && keep != 0.0))
			bad++;
	}
	return bad;
}

/* a row in a random direction, at or beside the clip sphere */
static void
boundary_row(Rng *rng, const DpemFeatureMap *map, double *row)
{
	double		norm = 0;
	double		target = map->radius * (1 + rng_below(rng, 3) * rng_uniform(rng, -1e-3, 1e-3));
	int			sparse = 1 + rng_below(rng, map->d);

	for (int j = 0; j < map->d; j++)
	{
		row[j] = j < sparse ? rng_normal(rng) : 0;
		norm += row[j] * row[j];
	}
	for (int j = 0; j < map->d; j++)
	{
		double		box = row[j] * target / sqrt(norm + 1e-300);

		row[j] = map->lower[j] / 2 + map->upper[j] / 2 +
			box * (map->upper[j] / 2 - map->lower[j] / 2);
	}
}

static void
strange_bounds(Rng *rng, DpemFeatureMap *map, int kind)
{
	static const double widths[] = {1, 1, 1e300, DBL_MAX, 1e-300, 4.9e-324, 1e-12};
	double	   *lower = (double *) map->lower;
	double	   *upper = (double *) map->upper;

	for (int j = 0; j < map->d; j++)
	{
		upper[j] = widths[kind];
		lower[j] = rng_below(rng, 3) == 0 ? 0.0 : -widths[kind];
	}
	map->radius = kind == 1 ? rng_uniform(rng, 0.01, 1) : rng_uniform(rng, 0.5, 1) * sqrt(map->d);
}

static void
test_norm_bound(void)
{
	static const int dims[] = {1, 2, 3, 5, 10, 37, 100, 200};
	Rng			rng = {2};
	int			rows_tried = 0;

	for (int test = 0; test < 8 * 7 * 4; test++)
	{
		int			d = dims[test % 8];
		int			kind = test / 8 % 7;
		DpemFeatureMap map = map_make(&rng, d, Q, false, test / 56 == 3);
		Work		w = work_make(d, 1);
		double	   *rows = numbers((size_t) 512 * d);

		strange_bounds(&rng, &map, kind);
		for (int i = 0; i < 512; i++)
			if (i % 2 == 0)
				boundary_row(&rng, &map, rows + (size_t) i * d);
			else
				for (int j = 0; j < d; j++)
					rows[(size_t) i * d + j] = adversarial_value(&rng, map.lower[j], map.upper[j]);
		map.imputed = (int) rng_below(&rng, d + 1);
		map.kept = (int) rng_below(&rng, d + 1);
		FOR_CLONES(clone)
		{
			work_fill(&w, rows, NULL, 512 - test % 40);
			dpem_features_apply_clone(clone, &map, &w.block, w.whitened);
			CHECK(rows_outside_ball(&w) == 0, "%s d=%d bounds %d: %d rows outside",
				  dpem_clone_name(clone), d, kind, rows_outside_ball(&w));
		}
		rows_tried += w.block.rows;
		free(rows);
		work_free(&w);
		map_free(&map);
	}
	CHECK(rows_tried > 100000, "%d rows tried", rows_tried);
}

/* whatever a released matrix holds, rows stay in the ball */
static void
test_hostile_releases(void)
{
	static const double entries[] = {1e308, 1e160, -1e300, NAN, INFINITY, 1e-320, 0.0};
	Rng			rng = {3};

	for (int test = 0; test < 200; test++)
	{
		int			d = 1 + rng_below(&rng, 12);
		DpemFeatureMap map = map_make(&rng, d, Q, true, true);
		Work		w = work_make(d, 1);
		double	   *rows = uniforms(&rng, (size_t) 70 * d, -50, 50);

		for (int i = 0; i < 3; i++)
		{
			((double *) map.whitening)[rng_below(&rng, d * d)] = entries[rng_below(&rng, 7)];
			((double *) map.center)[rng_below(&rng, d)] = entries[rng_below(&rng, 7)];
		}
		map.radius = test % 3 == 0 ? 1e-300 : map.radius;
		map.kept = test % 2 ? 1 : 0;
		FOR_CLONES(clone)
		{
			work_fill(&w, rows, NULL, 70);
			dpem_features_apply_clone(clone, &map, &w.block, w.whitened);
			CHECK(rows_outside_ball(&w) == 0, "test %d", test);
		}
		free(rows);
		work_free(&w);
		map_free(&map);
	}
}

static void
test_null_rows(void)
{
	static const double bad[] = {NAN, INFINITY, -INFINITY};
	Rng			rng = {4};
	DpemFeatureMap map = map_make(&rng, 7, Q, true, true);
	Work		clean = work_make(7, 1);
	Work		w = work_make(7, 1);
	double	   *rows = uniforms(&rng, 512 * 7, -20, 20);

	for (int test = 0; test < 21 * 3; test++)
		FOR_CLONES(clone)
	{
		int			hit = rng_below(&rng, 77);
		bool		same = true;

		work_fill(&clean, rows, NULL, 77);
		work_fill(&w, rows, NULL, 77);
		if (test % 21 == 20)
			w.block.keep[hit] = 0.0;
		else
			w.block.x[(test % 7) * DPEM_BLOCK_STRIDE + hit] = bad[test % 3];
		dpem_features_apply_clone(clone, &map, &clean.block, clean.whitened);
		dpem_features_apply_clone(clone, &map, &w.block, w.whitened);
		CHECK(w.block.keep[hit] == 0.0, "row %d kept", hit);
		for (int i = 0; i < DPEM_BLOCK_PADDED(77); i++)
			for (int j = 0; j < 7; j++)
			{
				size_t		at = (size_t) j * DPEM_BLOCK_STRIDE + i;

				same = same && w.block.x[at] == (i == hit ? 0.0 : clean.block.x[at]);
			}
		CHECK(same, "a null row at %d changes others", hit);
	}
	free(rows);
	work_free(&w);
	work_free(&clean);
	map_free(&map);
}

/* What is not finite is at the center, of the first two coordinates alone. */
static void
test_imputed(void)
{
	const double lower[] = {-1, 0, 0}, upper[] = {1, 10, 4};
	const double center[] = {0.25, -0.5, 0};
	const double row[] = {NAN, 10, 4, 1, INFINITY, 2, NAN, -INFINITY, 0, 1, 10, NAN};
	const double expected[][3] = {{0, 6144, 4096}, {3072, 0, 0}, {0, 0, -4096}, {0, 0, 0}};
	DpemFeatureMap map = {3, Q, 2.0, lower, upper, NULL, center, NULL, 2, 0, 0, NULL, 0, 0};
	Work		w = work_make(3, 1);

	work_fill(&w, row, NULL, 4);
	dpem_features_apply(&map, &w.block, NULL);
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 3; j++)
			CHECK(w.block.keep[i] == (i < 3 ? 1.0 : 0.0) && w.block.x[j * DPEM_BLOCK_STRIDE + i] == expected[i][j], "row %d, coordinate %d: %g", i, j,
				  w.block.x[j * DPEM_BLOCK_STRIDE + i]);
	work_free(&w);
}

/* The last coordinate is what it is in rows of any length, and takes all of the ball where it is longer. */
static void
test_kept(void)
{
	const double lower[] = {-8, -8, -8}, upper[] = {8, 8, 8};
	const double row[] = {0, 0, 4, 0.01, 0, 4, 8, 0, 4, -8, 8, 4, 8, 8, 8, 0, 0, 8};
	const double radius[] = {1, 0.5, 0.25};
	const double expected[] = {4096, 8192, 8192};
	DpemFeatureMap map = {3, Q, 1, lower, upper, NULL, NULL, NULL, 0, 0, 0, NULL, 1, 0};
	Work		w = work_make(3, 1);

	for (int test = 0; test < 3; test++)
	{
		const double *x = w.block.x;

		map.radius = radius[test];
		work_fill(&w, row, NULL, 6);
		dpem_features_apply(&map, &w.block, NULL);
		for (int i = 0; i < 4; i++)
			CHECK(w.block.keep[i] == 1.0 && fabs(x[2 * DPEM_BLOCK_STRIDE + i] - expected[test]) <= 1, "radius %g, row %d: %g", radius[test], i,
				  x[2 * DPEM_BLOCK_STRIDE + i]);
		CHECK(fabs(hypot(x[3], x[DPEM_BLOCK_STRIDE + 3]) - sqrt(0x1p26 - pow(expected[test], 2))) < 110, "radius %g: %g, %g are left", radius[test], x[3],
			  x[DPEM_BLOCK_STRIDE + 3]);
		CHECK(x[4] < 110 || test == 0, "a constant that is too long leaves %g", x[4]);
	}
	work_free(&w);
}

/* Values outside the domain count as its bounds; 1e308 is finite. */
static void
test_clamping(void)
{
	const double lower[] = {-1, 0}, upper[] = {1, 10};
	const double row[] = {1e308, -1e308, 1.0, 0.0};
	DpemFeatureMap map = {2, Q, 4.0, lower, upper, NULL, NULL, NULL, 0, 0, 0, NULL, 0, 0};
	Work		w = work_make(2, 1);

	work_fill(&w, row, NULL, 2);
	dpem_features_apply(&map, &w.block, NULL);
	for (int i = 0; i < 2; i++)
		CHECK(w.block.keep[i] == 1.0 && w.block.x[i] == 2048.0 &&
			  w.block.x[DPEM_BLOCK_STRIDE + i] == -2048.0, "row %d: %g %g", i, w.block.x[i],
			  w.block.x[DPEM_BLOCK_STRIDE + i]);
	work_free(&w);
}

/* Bounds at the ends of the range of double lose no accuracy. */
static void
test_domains(void)
{
	static const double bounds[][2] = {{-1e300, 1e300}, {-DBL_MAX, DBL_MAX}, {0, DBL_MAX},
		{0, 4.9e-324}, {0, 1e-300}, {-1e-310, 1e-310}, {-3e-308, 1e-308}, {1e16, 1e16 + 8},
		{-1e308, 1e-308}};

	for (int test = 0; test < 9; test++)
		FOR_CLONES(clone)
	{
		const double *b = bounds[test];
		const double rows[] = {b[0], b[1], b[0] / 2 + b[1] / 2, b[0] * 0.75 + b[1] * 0.25};
		const double expected[] = {-4096, 4096, 0, -2048};
		DpemFeatureMap map = {1, Q, 2.0, &b[0], &b[1], NULL, NULL, NULL, 0, 0, 0, NULL, 0, 0};
		Work		w = work_make(1, 1);

		work_fill(&w, rows, NULL, test == 3 ? 2 : 4);
		dpem_features_apply_clone(clone, &map, &w.block, NULL);
		for (int i = 0; i < w.block.rows; i++)
			CHECK(w.block.keep[i] == 1.0 && w.block.x[i] == expected[i], "[%g, %g] row %d: %g", b[0],
				  b[1], i, w.block.x[i]);
		work_free(&w);
	}
}

int
main(void)
{
	test_values();
	test_norm_bound();
	test_hostile_releases();
	test_null_rows();
	test_imputed();
	test_kept();
	test_clamping();
	test_domains();
	return unit_report();
}
