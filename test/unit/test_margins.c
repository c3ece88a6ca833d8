/*
 * test_margins.c - one-way histograms: a row's marks are integers without a
 * sign in the unit ball, its own and in the right bins, and no two rows move the sum
 * further than declared (docs/proofs.md, 20).  test_column_spread has what is made of them.
 */
#include "core/accounting/sensitivity.h"
#include "margins_fixture.h"

/* a row by itself */
static void
put_row(Fixture *f, const double *box, double keep)
{
	put_coordinates(f, 0, box, keep);
	count_block(f);
	find_sums(f);
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
				/* features are rounded to 2^-27 of the radius */
				double		error = f->grid.radius * ldexp(1, -FINE);
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

/*
 * Kinds: a number, a label of four categories, a label of two, a number.  Rows may be in several categories at once, which no
 * label is: they leave the marks of one.
 */
static void
check_labels(Rng *rng)
{
	static const double kind[] = {0, 1, 2, 2, 2, 1, 2, 0, 0};
	static const int columns[] = {1, 2, 2, 2, 2, 3, 3, 4};
	Fixture		f = make_fixture(9, 8);
	double	   *other = numbers(f.length);
	double		worst[2] = {0, 0};
	double		box[MOST_D];

	f.grid = dpem_margin_grid_of(f.grid, kind);
	dpem_margins_write(&f.grid, &f.layout, f.theta);
	CHECK(dpem_margin_marks(&f.grid) == 4 && dpem_margin_width(&f.grid, 1) == 4 && dpem_margin_width(&f.grid, 5) == 2, "%d marks", dpem_margin_marks(&f.grid));
	CHECK(dpem_kernel_margins.theta_valid(&f.layout, f.theta), "a grid with labels");
	for (int round = 0; round < 500; round++)
	{
		double		mark[5] = {0};
		int			many = 0;

		memcpy(other, f.sums, f.length * sizeof(double));
		for (int j = 0; j < 9; j++)
			box[j] = kind[j] == 0 ? rng_uniform(rng, -1, 1) : rng_below(rng, 3) == 0 ? 1 : round % 5 == 0 ? rng_uniform(rng, -1.2, 1.2) : 0;
		put_row(&f, box, 1);
		for (size_t i = 0; i < f.length; i++)
			if (f.sums[i] != 0 && i % 10 > 0)
				mark[columns[i % 10 - 1]] += f.sums[i];
		for (int c = 1; c <= 4; c++)
			many += fabs(mark[c] - mark[1]) > 0;
		CHECK(many == 0 && mark[1] > 0, "a row leaves the marks of %d columns more or less than once", many);
		worst[0] = fmax(worst[0], moved2(f.sums, NULL, f.length));
		worst[1] = fmax(worst[1], round > 0 ? moved2(f.sums, other, f.length) : 0);
	}
	CHECK(worst[0] <= dpem_document_sensitivity2(false) && worst[0] > 0.999999, "a row of labels moves the sum by %.12f", sqrt(worst[0]));
	CHECK(worst[1] <= dpem_document_sensitivity2(true) && worst[1] > 1.9, "a pair of these by %.12f", sqrt(worst[1]));
	f.theta[5] = DPEM_MARGINS_NEXT;
	CHECK(!dpem_kernel_margins.theta_valid(&f.layout, f.theta), "a category of no label");
	f.theta[5] = DPEM_MARGINS_NUMBER;
	f.theta[13] = DPEM_MARGINS_LABEL;
	CHECK(!dpem_kernel_margins.theta_valid(&f.layout, f.theta), "a label beyond the columns");
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
			f.w.block.x[j * DPEM_BLOCK_STRIDE + row] = rint(ldexp(rows[3 * row + j] / f.grid.radius, FINE));
		f.w.block.keep[row] = row != 7;
	}
	f.w.block.rows = 100;
	memset(f.sums, 0, f.length * sizeof(double));
	dpem_kernel_class_margins.accumulate(&f.layout, f.theta, &f.w.block, FINE, P, f.sums, f.counts);
	dpem_margins_complete(&f.layout, f.theta, FINE, P, f.sums, f.counts);
	CHECK(memcmp(sum, f.sums, f.length * sizeof(double)) == 0, "a block is not the sum of its rows");
	free(sum);
	free_fixture(&f);
}

static void
check_refused(void)
{
	static const double odd[] = {0, -1, NAN, INFINITY, 1.5, 1e9};
	Fixture		f = make_fixture(4, 3);

	for (int at = 0; at < 5; at++)
		for (int i = 0; i < 6; i++)
		{
			double		kept = f.theta[at];

			f.theta[at] = odd[i];
			CHECK((at == 0 && i >= 4) || (at == 4 && i == 0) || !dpem_kernel_margins.theta_valid(&f.layout, f.theta), "number %d is %g", at, odd[i]);
			f.theta[at] = kept;
		}
	f.theta[2] = 12;
	f.layout.k = 12 + 144 + 1728;
	CHECK(!dpem_kernel_margins.theta_valid(&f.layout, f.theta), "parts that are no power of 2");
	f.theta[2] = f.grid.parts;
	f.layout.k = dpem_margin_bins(&f.grid) + 1;
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

int
main(void)
{
	static const int sizes[][2] = {{1, 1}, {2, 1}, {5, 5}, {40, 39}};
	Rng			rng = {2010};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		check_marks(&rng, sizes[i][0], sizes[i][1]);
	check_additive(&rng);
	check_labels(&rng);
	check_refused();
	return unit_report();
}
