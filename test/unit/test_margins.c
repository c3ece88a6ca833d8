/*
 * test_margins.c - one-way histograms: a row's marks are integers without a
 * sign in the unit ball, its own and in the right bins, and no two rows move the sum
 * further than declared (docs/proofs.md, 20); what is made of them under noise.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/accounting/sensitivity.h"
#include "core/gmm/column_spread.h"
#include "core/kernels/margins.h"
#include "core/kernels/kernel.h"
#include "kernel_fixture.h"

#define MOST_D	40

typedef struct Fixture
{
	DpemMarginGrid grid;
	DpemMomentLayout layout;
	double		theta[DPEM_MARGINS_THETA];
	size_t		length;
	double	   *sums;
	Work		w;
} Fixture;

static Fixture
make_fixture(int d, int columns)
{
	Fixture		f = {.grid = dpem_margin_grid(columns, 1, sqrt(d)),.w = work_make(d, 1)};

	f.layout = (DpemMomentLayout) {dpem_margin_bins(&f.grid), d, DPEM_SECOND_NONE};
	dpem_margins_write(&f.grid, f.theta);
	f.length = dpem_moments_length(&f.layout);
	f.sums = numbers(f.length);
	return f;
}

static void
free_fixture(Fixture *f)
{
	free(f->sums);
	work_free(&f->w);
}

/* a row of box coordinates, of which one may be beyond the box, as the only one of the block */
static void
put_row(Fixture *f, const double *box, double keep)
{
	for (int j = 0; j < f->w.d; j++)
		f->w.block.x[(size_t) j * DPEM_BLOCK_STRIDE] = rint(ldexp(box[j] / f->grid.radius, Q));
	f->w.block.keep[0] = keep;
	f->w.block.rows = 1;
	dpem_kernel_margins.accumulate(&f->layout, f->theta, &f->w.block, Q, P, f->sums, f->w.scratch);
}

static void
random_row(Rng *rng, int d, double *box)
{
	static const double corners[] = {-1, 1, 0, -1.1, 1.1, 0.125};

	for (int j = 0; j < d; j++)
		box[j] = rng_below(rng, 3) == 0 ? corners[rng_below(rng, 6)] : rng_uniform(rng, -1, 1);
}

/* squared, of the difference of two marks or of one alone, in units of the ball */
static double
moved2(const double *a, const double *b, size_t n)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (long double) (a[i] - (b ? b[i] : 0)) * (a[i] - (b ? b[i] : 0));
	return (double) ldexpl(sum, -2 * (P + Q));
}

/* each level's marks of a column: one, where the coordinate is; none of coordinates beyond the grid's columns */
static int
misplaced(const Fixture *f, const double *box)
{
	int			bad = 0;
	int			first = 0;

	for (int l = 0; l < f->grid.levels; l++)
	{
		int			bins = dpem_margin_level_bins(&f->grid, l);

		for (int b = 0; b < bins; b++)
			for (int j = 0; j < f->w.d; j++)
			{
				double		mark = f->sums[(size_t) (first + b) * (f->w.d + 1) + 1 + j];
				double		low = 2.0 * b / bins - 1;
				/* features are rounded to 2^-14 of the radius */
				double		error = f->grid.radius * ldexp(1, -Q);
				bool		inside = (box[j] > low + error || b == 0) && (box[j] < low + 2.0 / bins - error || b == bins - 1);
				bool		outside = (box[j] < low - error && b > 0) || (box[j] > low + 2.0 / bins + error && b < bins - 1);

				bad += mark != rint(mark) || mark < 0 || (j >= f->grid.columns && mark != 0);
				bad += j < f->grid.columns && ((inside && mark == 0) || (outside && mark != 0));
			}
		first += bins;
	}
	return bad;
}

static void
check_marks(Rng *rng, int d, int columns)
{
	Fixture		f = make_fixture(d, columns);
	double	   *other = numbers(f.length);
	double		worst[2] = {0, 0};
	double		box[MOST_D];
	int			bad = 0;

	CHECK(dpem_kernel_margins.theta_valid(&f.layout, f.theta), "a grid of %d columns", columns);
	for (int round = 0; round < 60; round++)
	{
		random_row(rng, d, box);
		put_row(&f, box, 1);
		bad += misplaced(&f, box);
		worst[0] = fmax(worst[0], moved2(f.sums, NULL, f.length));
		memcpy(other, f.sums, f.length * sizeof(double));
		for (int j = 0; j < d; j++)
			box[j] = round % 2 ? (box[j] < 0 ? 0.9 : -0.9) : rng_uniform(rng, -1, 1);
		put_row(&f, box, 1);
		worst[1] = fmax(worst[1], moved2(f.sums, other, f.length));
	}
	put_row(&f, box, 0);
	CHECK(moved2(f.sums, NULL, f.length) == 0, "a null row leaves marks");
	CHECK(bad == 0, "%d columns of %d: %d marks are not where values are", columns, d, bad);
	CHECK(worst[0] <= dpem_document_sensitivity2(false) && worst[0] > 0.999999, "a row alone moves the sum by %.12f", sqrt(worst[0]));
	CHECK(worst[1] <= dpem_document_sensitivity2(true) && worst[1] > 1.99999, "a pair moves it by %.12f", sqrt(worst[1]));
	free(other);
	free_fixture(&f);
}

/* a block's marks are the sum of its rows' */
static void
check_additive(Rng *rng)
{
	Fixture		f = make_fixture(3, 2);
	double	   *sum = numbers(f.length);
	double		rows[100 * 3];

	memset(sum, 0, f.length * sizeof(double));
	for (int row = 0; row < 100; row++)
	{
		random_row(rng, 3, rows + 3 * row);
		put_row(&f, rows + 3 * row, row != 7);
		for (size_t i = 0; i < f.length; i++)
			sum[i] += f.sums[i];
	}
	for (int row = 0; row < 100; row++)
	{
		for (int j = 0; j < 3; j++)
			f.w.block.x[j * DPEM_BLOCK_STRIDE + row] = rint(ldexp(rows[3 * row + j] / f.grid.radius, Q));
		f.w.block.keep[row] = row != 7;
	}
	f.w.block.rows = 100;
	dpem_kernel_class_margins.accumulate(&f.layout, f.theta, &f.w.block, Q, P, f.sums, f.w.scratch);
	CHECK(memcmp(sum, f.sums, f.length * sizeof(double)) == 0, "a block is not the sum of its rows");
	free(sum);
	free_fixture(&f);
}

static void
check_refused(void)
{
	static const double odd[] = {0, -1, NAN, INFINITY, 1.5, 1e9};
	Fixture		f = make_fixture(4, 3);

	for (int at = 0; at < DPEM_MARGINS_THETA; at++)
		for (int i = 0; i < 6; i++)
		{
			double		kept = f.theta[at];

			f.theta[at] = odd[i];
			CHECK((at == 0 && i >= 4) || (at == 4 && i == 0) || !dpem_kernel_margins.theta_valid(&f.layout, f.theta), "number %d is %g", at, odd[i]);
			f.theta[at] = kept;
		}
	f.layout.k++;
	CHECK(!dpem_kernel_margins.theta_valid(&f.layout, f.theta), "another number of bins");
	for (int columns = 1; columns < 100000; columns = columns * 3 / 2 + 1)
	{
		DpemMarginGrid grid = dpem_margin_grid(columns, 1, 1);

		CHECK(grid.levels >= 1 && ((double) dpem_margin_bins(&grid) * columns <= 65536 || grid.levels == 1), "%d columns: too many bins", columns);
		for (int groups = 2; groups <= 4096; groups *= 2)
		{
			grid = dpem_margin_grid(columns, groups, 1);
			CHECK((double) dpem_margin_bins(&grid) * groups <= 1 << 20, "%d columns, %d groups: too many components", columns, groups);
			CHECK((double) dpem_margin_bins(&grid) * groups * (columns + 2) <= 1 << 24 || dpem_margin_bins(&grid) == 16,
				  "%d columns, %d groups: too many sums", columns, groups);
		}
	}
	free_fixture(&f);
}

/* ---- what is made of them ---------------------------------------------------------- */

/* margins of n rows of such columns, with noise of that standard deviation in every sum */
static void
release(Rng *rng, Fixture *f, int n, double (*value) (Rng *rng, int j), double sd, DpemNoisyMoments *m)
{
	double		box[MOST_D];

	*m = (DpemNoisyMoments) {.layout = f->layout,.value = numbers(f->length),.sum_sd = sd};
	memset(m->value, 0, f->length * sizeof(double));
	for (int row = 0; row < n; row++)
	{
		for (int j = 0; j < f->w.d; j++)
			box[j] = value(rng, j);
		put_row(f, box, 1);
		for (size_t i = 0; i < f->length; i++)
			m->value[i] += ldexp(f->sums[i], -P - Q);
	}
	for (size_t i = 0; i < f->length; i++)
		m->value[i] += i % (f->w.d + 1) > 0 ? sd * rng_normal(rng) : 0;
}

/* a normal column, a narrow one, a spike with a tail, and ones of every fourth row */
static double
unlike(Rng *rng, int j)
{
	switch (j)
	{
		case 0:
			return 0.2 + 0.3 * rng_normal(rng);
		case 1:
			return -0.7 + 0.01 * rng_normal(rng);
		case 2:
			return rng_below(rng, 10) > 0 ? -1 : rng_uniform(rng, -1, -0.5);
		default:
			return rng_below(rng, 4) == 0;
	}
}

static DpemWorkspace
workspace(size_t n)
{
	double	   *start = numbers(n);

	return (DpemWorkspace) {start, start + n};
}

static void
check_spread(Rng *rng)
{
	static const double center[] = {0.2, -0.7, -0.975, 0.25};
	static const double deviation[] = {0.3, 0.01, 0.0878, 0.433};
	Fixture		f = make_fixture(4, 4);
	DpemNoisyMoments m;
	DpemMargins margins;
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	double		c[4];
	double		s[4];

	release(rng, &f, 4000, unlike, 5, &m);
	margins = dpem_margins_take(&f.grid, &m, 0);
	CHECK(fabs(margins.rows - 4000) < 60, "rows: %g", margins.rows);
	CHECK(dpem_margins_take(&f.grid, &m, 4000).rows == 4000, "a public number of rows");
	dpem_column_spread(&margins, true, c, s, work);
	for (int j = 0; j < 4; j++)
	{
		CHECK(fabs(c[j] - center[j]) < 0.04, "column %d: center %g", j, c[j]);
		CHECK(s[j] > 0.8 * deviation[j] && s[j] < 1.25 * deviation[j] + 0.02, "column %d: deviation %g", j, s[j]);
	}
	dpem_column_spread(&margins, false, c, s, work);
	for (int j = 0; j < 4; j++)
		CHECK(c[j] == 0 && fabs(s[j] - hypot(center[j], deviation[j])) < 0.05, "column %d: %g about the middle", j, s[j]);
	free(work.next);
	free(m.value);
	free_fixture(&f);
}

static double	/* a few bins of the finest level */
narrow(Rng *rng, int j)
{
	return (j == 0 ? -0.999 : 0.4) + 0.0005 * rng_normal(rng);
}

/* whatever noise does in bins without a row */
static void
check_strays(Rng *rng)
{
	Fixture		f = make_fixture(2, 2);
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	DpemNoisyMoments m;
	DpemMargins margins;
	double		c[2];
	double		s[2];
	double		most = 0;

	for (int round = 0; round < 200; round++)
	{
		release(rng, &f, 2000, narrow, 5, &m);
		margins = dpem_margins_take(&f.grid, &m, 2000);
		dpem_column_spread(&margins, true, c, s, work);
		most = fmax(most, fmax(s[0], s[1]));
		free(m.value);
	}
	CHECK(most < 0.002, "a deviation of %g", most);
	free(work.next);
	free_fixture(&f);
}

static double
scattered(Rng *rng, int j)
{
	return 0.03 * j - 0.3 + 0.01 * rng_normal(rng);
}

/* 20 narrow columns, and noise of a fortieth of the rows in a bin: most are found, some bins' noise is taken for rows */
static void
check_narrow(Rng *rng)
{
	Fixture		f = make_fixture(20, 20);
	DpemNoisyMoments m;
	DpemMargins margins;
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	double		c[20];
	double		s[20];
	int			found = 0;

	release(rng, &f, 4000, scattered, 4000 * dpem_margin_mark(&f.grid, 0) / 40, &m);
	margins = dpem_margins_take(&f.grid, &m, 4000);
	dpem_column_spread(&margins, true, c, s, work);
	for (int j = 0; j < 20; j++)
		found += fabs(c[j] - (0.03 * j - 0.3)) < 0.03 && s[j] < 0.03;
	CHECK(found >= 12, "of 20 narrow columns %d were found", found);
	free(work.next);
	free(m.value);
	free_fixture(&f);
}

/* of noise alone: numbers, in the box */
static double
nothing(Rng *rng, int j)
{
	(void) rng;
	(void) j;
	return 0;
}

static void
check_noise_alone(Rng *rng)
{
	Fixture		f = make_fixture(5, 5);
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	int			bad = 0;

	for (int round = 0; round < 50; round++)
	{
		DpemNoisyMoments m;
		DpemMargins margins;
		double		c[5];
		double		s[5];
		double		low;
		double		high;

		release(rng, &f, 0, nothing, round % 2 ? 1e6 : 1, &m);
		margins = dpem_margins_take(&f.grid, &m, round % 3 ? 0 : 10);
		dpem_column_spread(&margins, true, c, s, work);
		for (int j = 0; j < 5; j++)
		{
			dpem_margins_reach(&margins, j, &low, &high, work);
			bad += !(low >= -1 && low < high && high <= 1) || !(fabs(c[j]) <= 1) || !(s[j] > 0 && s[j] <= 2);
		}
		free(m.value);
	}
	CHECK(bad == 0, "%d frames of noise are none", bad);
	free(work.next);
	free_fixture(&f);
}

/* the law is one, whatever the noise; the reach takes in nearly all of it and not much more */
static void
check_reach(Rng *rng)
{
	Fixture		f = make_fixture(4, 4);
	DpemNoisyMoments m;
	DpemMargins margins;
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	int			bins = dpem_margin_level_bins(&f.grid, f.grid.levels - 1);
	double	   *p = numbers(bins);
	double		low;
	double		high;

	release(rng, &f, 4000, unlike, 5, &m);
	margins = dpem_margins_take(&f.grid, &m, 0);
	for (int j = 0; j < 4; j++)
	{
		double		sum = 0;
		int			bad = 0;

		dpem_margins_law(&margins, j, p, work);
		for (int b = 0; b < bins; b++)
		{
			sum += p[b];
			bad += !(p[b] >= 0);
		}
		CHECK_CLOSE(sum, 1, 1e-9, "the law of column");
		CHECK(bad == 0, "column %d: %d shares are negative", j, bad);
	}
	dpem_margins_reach(&margins, 1, &low, &high, work);
	CHECK(low < -0.71 && low > -0.85 && high > -0.69 && high < -0.55, "a narrow column from %g to %g", low, high);
	dpem_margins_reach(&margins, 0, &low, &high, work);
	CHECK(low < -0.3 && high > 0.7, "a wide one from %g to %g", low, high);
	free(p);
	free(work.next);
	free(m.value);
	free_fixture(&f);
}

int
main(void)
{
	static const int sizes[][2] = {{1, 1}, {2, 1}, {5, 5}, {40, 39}};
	Rng			rng = {2010};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		check_marks(&rng, sizes[i][0], sizes[i][1]);
	check_additive(&rng);
	check_refused();
	check_spread(&rng);
	check_strays(&rng);
	check_narrow(&rng);
	check_noise_alone(&rng);
	check_reach(&rng);
	return unit_report();
}
