/*
 * test_gam.c - rows as cells: what a row adds is in the unit ball, its own and where its values are, and no two
 * rows move the sums further than declared (docs/proofs.md, 22).
 */
#include "core/accounting/sensitivity.h"
#include "core/gam/gam_places.h"
#include "gam_fixture.h"

/* squared distance of two vectors, or norm of one, in units of the ball */
static double
moved2(const Fixture *f, const double *a, const double *b, size_t n)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (long double) (a[i] - (b ? b[i] : 0)) * (a[i] - (b ? b[i] : 0));
	return (double) ldexpl(sum, -2 * f->bits);
}

static int
broken(const double *sums, size_t n, bool signless)
{
	int			bad = 0;

	for (size_t i = 0; i < n; i++)
		bad += sums[i] != rint(sums[i]) || (signless && sums[i] < 0);
	return bad;
}

/* the worst rows and pairs of rows of random and of huge coefficients; rows that differ in one column may change all of a residual */
static void
search(Rng *rng, int targets, int classes, int what, int pairs, bool joins, double reached[2])
{
	Fixture		f = make_fixture_of(targets, classes, P, pairs);
	size_t		n;
	double	   *first;
	double		x[MOST_D];
	int			bad = 0;

	if (joins)
		join_fixture(&f);
	n = (size_t) f.layout[what].k;
	first = numbers(n);
	reached[0] = reached[1] = 0;
	for (int round = 0; round < 3000; round++)
	{
		double	   *coefficient = uniforms(rng, (size_t) f.layout[1].k, -1, 1);
		double		size = pow(10, rng_below(rng, 5) - 2);

		for (int i = 0; i < f.layout[1].k; i++)
			coefficient[i] *= size;
		f.shape.bins_middle = round % 4 < 2 ? 0 : 0.25;
		f.shape.bins_half = round % 4 < 2 ? 0 : 0.01;
		set_coefficients(&f, what == 1 || round % 2 ? coefficient : NULL);
		random_row(rng, &f, x);
		put_row(&f, 0, x, 1);
		memcpy(first, sums_of(&f, what), n * sizeof(double));
		bad += broken(first, n, what != 1);
		reached[0] = fmax(reached[0], moved2(&f, first, NULL, n));
		if (round % 3 == 0)
			random_row(rng, &f, x);
		else
		{
			x[2] = rng_uniform(rng, -1, 1);
			for (int t = 0; t < targets; t++)
				x[10 + t] = targets > 1 ? 0 : -x[10];
			x[10 + (targets > 1 ? rng_below(rng, targets) : 0)] += targets > 1;
		}
		put_row(&f, 0, x, 1);
		reached[1] = fmax(reached[1], moved2(&f, first, sums_of(&f, what), n));
		free(coefficient);
	}
	CHECK(bad == 0, "%d targets: %d sums are no integers, or negative counts", targets, bad);
	free(first);
	free_fixture(&f);
}

static void
check_sensitivity(Rng *rng)
{
	static const int kinds[][2] = {{1, 2}, {1, 64}, {2, 2}, {5, 5}};

	for (int i = 0; i < 8; i++)
		for (int what = 0; what < 3; what++)
		{
			int			gradient = what > 0;
			bool		joins = what == 2;
			const int  *kind = kinds[i / 2];
			int			pairs = i % 2 * 3;
			double		most[2] = {1, gradient ? dpem_residual_sensitivity2(true) : dpem_document_sensitivity2(true)};
			double		reached[2];

			search(rng, kind[0], kind[1], gradient, pairs, joins, reached);
			CHECK(reached[0] <= most[0] && reached[0] > 0.999, "%d targets, %d pairs, %d: a row moves sums by %.12f", kind[0], pairs, what, sqrt(reached[0]));
			CHECK(reached[1] <= most[1] && reached[1] > (gradient ? 2 : 1.99), "%d targets, %d pairs, %d: a pair by %.12f", kind[0], pairs, what, sqrt(reached[1]));
		}
	for (int joins = 0; joins < 2; joins++)
	{
		double		reached[2];

		search(rng, 1, 64, 2, 3, joins, reached);
		CHECK(reached[0] <= 1 && reached[0] > 0.999, "margins, %d: a row moves sums by %.12f", joins, sqrt(reached[0]));
		CHECK(reached[1] <= dpem_document_sensitivity2(true) && reached[1] > 1.99, "margins, %d: a pair by %.12f", joins, sqrt(reached[1]));
	}
}

/* the upper end of bin b - 1 of a number */
static double
edge_of(const Fixture *f, int column, int b)
{
	static const int first[] = {0, 3, 5};

	return f->shape.edge ? f->edge[first[column] + b - 1] : -1 + 2.0 * b / f->column[column].bins;
}

/* the cell of each column of a row, by another way than the kernel's */
static void
cells_of(const Fixture *f, const double *x, int *cell)
{
	for (int c = 0; c < 5; c++)
	{
		const DpemGamColumn *column = &f->column[c];

		cell[c] = f->offset[c] + column->bins;
		for (int j = 0; j < column->length; j++)
			if (x[column->first + j] == 1)
				cell[c] = f->offset[c] + j;
		if (column->length == 0 && (column->known < 0 || x[column->known] == 1))
		{
			cell[c] = f->offset[c];
			for (int b = 1; b < column->bins; b++)
				cell[c] += x[column->first] >= edge_of(f, c, b);
		}
	}
	for (int q = 0; q < f->shape.pairs; q++)
		cell[5 + q] = f->offset[5 + q] + (int) f->part[cell[f->pair[q].first]] * f->column[f->pair[q].second].parts + (int) f->part[cell[f->pair[q].second]];
}

/* coordinates on edges and at ends of the domain are where a point given to a model is; a block is the sum of its rows; null rows add nothing */
static void
check_places(Rng *rng, int targets, int classes, int pairs)
{
	Fixture		f = make_fixture_of(targets, classes, P, pairs);
	size_t		n = (size_t) f.layout[0].k;
	double	   *sum = numbers(n);
	double		x[100][MOST_D];
	int			bad = 0;

	set_coefficients(&f, NULL);
	memset(sum, 0, n * sizeof(double));
	for (int row = 0; row < 100; row++)
	{
		int			cell[8];
		const double *sums;

		random_row(rng, &f, x[row]);
		x[row][0] = rng_below(rng, 9) / 4.0 - 1;
		put_row(&f, 0, x[row], row != 7);
		sums = sums_of(&f, 0);
		for (size_t i = 0; i < n; i++)
			sum[i] += sums[i];
		cells_of(&f, x[row], cell);
		for (int c = 0; c < 5 + pairs && row != 7; c++)
		{
			double		all = 0;

			for (int t = 0; t < classes; t++)
				all += sums[(size_t) t * f.n + cell[c]];
			bad += all == 0 && fabs(fmod(5 * x[row][2], 1)) > 1e-2;
			for (int e = 0; e < c; e++)
				bad += sums[dpem_gam_pair(&f.shape, cell[c], cell[e])] == 0 && fabs(fmod(5 * x[row][2], 1)) > 1e-2;
		}
	}
	CHECK(bad == 0, "%d targets: %d counts are not where rows are", targets, bad);
	for (int row = 0; row < 100; row++)
		put_row(&f, row, x[row], row != 7);
	CHECK(memcmp(sum, sums_of(&f, 0), n * sizeof(double)) == 0, "%d targets: a block is not the sum of its rows", targets);
	if (targets > 1)
	{
		memset(x[0] + 10, 0, targets * sizeof(double));
		put_row(&f, 0, x[0], 1);
		CHECK(moved2(&f, sums_of(&f, 0), NULL, n) == 0, "a row without a class counts");
	}
	free(sum);
	free_fixture(&f);
}

/* more blocks than counts of 16 bits have room for, some of their rows null: as many as there are, bit for bit */
static void
check_many_rows(int bits)
{
	Fixture		f = make_fixture_of(2, 2, bits, 3);
	double		x[MOST_D] = {0};
	int			blocks = 150;
	size_t		n = (size_t) f.layout[0].k;
	double	   *one = numbers(n);
	double		off = 0;

	x[10] = 1;
	set_coefficients(&f, NULL);
	put_row(&f, 0, x, 1);
	memcpy(one, sums_of(&f, 0), n * sizeof(double));
	for (int row = 0; row < DPEM_BLOCK_ROWS; row++)
		put_row(&f, row, x, row % 4 > 0);
	memset(f.sums, 0, n * sizeof(double));
	dpem_gam_encode(f.theta, &f.w.block, f.bits ? FINE : 0, f.code);
	f.w.block.code = f.code;
	for (int i = 0; i < blocks; i++)
		dpem_gam_moments(&f.layout[0], f.theta, &f.w.block, f.bits ? FINE : 0, f.bits, f.sums, f.w.scratch);
	dpem_gam_complete_moments(&f.layout[0], f.theta, f.bits ? FINE : 0, f.bits, f.sums, f.w.scratch);
	for (size_t i = 0; i < n; i++)
		off = fmax(off, fabs(f.sums[i] - one[i] * blocks * DPEM_BLOCK_ROWS * 3 / 4));
	CHECK(off <= (bits > 0 ? 0 : 1e-6), "sums of many rows are off by %g", off);
	free(one);
	free_fixture(&f);
}

/* scores beyond what numbers can say: every row adds something in the ball, or nothing */
static void
check_overflow(DpemClone clone, int targets)
{
	static const double odd[] = {1.7e308, -1.7e308, 1e305, -1e305, 0};
	_Alignas(64) int16_t code[6 * DPEM_BLOCK_ROWS];
	DpemGamColumn column[2] = {{0, 0, 5, -1, 0, 0}, {1, 0, 5, -1, 0, 0}};
	DpemGamShape shape = {.radius = 1,.columns = 2,.column = column,.targets = targets,.classes = targets,.reach = 1};
	DpemGamPlaces places = {.rows = 25,.place = code,.target = code + 2 * DPEM_BLOCK_ROWS,.value = (double *) (code + 3 * DPEM_BLOCK_ROWS)};
	double		coefficient[10 * 4];
	double	   *x = numbers((1 + (size_t) targets) * DPEM_BLOCK_STRIDE);
	double		most = 0;
	bool		finite = true;
	int			wrong = 0;

	memset(code, 0, sizeof(code));
	for (int i = 0; i < 40; i++)
		coefficient[i] = odd[(i + i / 10) % 5];
	for (int row = 0; row < 25; row++)
	{
		code[row] = (int16_t) (row / 5);
		code[DPEM_BLOCK_ROWS + row] = (int16_t) (5 + row % 5);
	}
	dpem_gam_residuals_clone(clone, &shape, &places, coefficient, NULL, P, x + (size_t) targets * DPEM_BLOCK_STRIDE, x);
	for (int row = 0; row < 25; row++)
	{
		double		square = 0;
		bool		number = true;

		for (int s = 0; s < dpem_gam_scores(&shape); s++)
			number = number && isfinite(coefficient[10 * s + code[row]] + coefficient[10 * s + code[DPEM_BLOCK_ROWS + row]]);
		for (int s = 0; s < dpem_gam_scores(&shape); s++)
			square += 2 * pow(ldexp(x[(size_t) s * DPEM_BLOCK_STRIDE + row], -P), 2);
		finite = finite && isfinite(square);
		most = fmax(most, square);
		wrong += targets > 2 && !number && square > 0;
	}
	CHECK(wrong == 0, "%s, %d targets: %d rows of scores that are no numbers count", dpem_clone_name(clone), targets, wrong);
	CHECK(finite && most <= 1, "%s, %d targets: a row's residuals have a squared norm of %g", dpem_clone_name(clone), targets, most);
	free(x);
}

/* residuals at scores from -800 to 800, on every clone */
static void
check_residuals(Rng *rng, DpemClone clone, int targets)
{
	_Alignas(64) int16_t code[3 * DPEM_BLOCK_ROWS];
	DpemGamColumn column[2] = {{0, 0, 250, -1, 0, 0}, {1, 0, 250, -1, 0, 0}};
	DpemGamShape shape = {.radius = 1,.columns = 2,.column = column,.targets = targets,.classes = targets,.reach = 1};
	DpemGamPlaces places = {.rows = 301,.place = code,.target = code + 2 * DPEM_BLOCK_ROWS};
	double	   *coefficient = numbers(500 * (size_t) targets);
	double	   *x = numbers((1 + (size_t) targets) * DPEM_BLOCK_STRIDE);
	double		off = 0;

	for (int i = 0; i < 500 * targets; i++)
		coefficient[i] = rng_uniform(rng, -2, 2) * pow(10, rng_below(rng, 4) - 1);
	for (int row = 0; row < places.rows; row++)
	{
		code[row] = (int16_t) rng_below(rng, 250);
		code[DPEM_BLOCK_ROWS + row] = (int16_t) (250 + rng_below(rng, 250));
		code[2 * DPEM_BLOCK_ROWS + row] = (int16_t) (rng_below(rng, targets + 1) - 1);
	}
	dpem_gam_residuals_clone(clone, &shape, &places, coefficient, NULL, 0, x + (size_t) targets * DPEM_BLOCK_STRIDE, x);
	for (int row = 0; row < places.rows; row++)
		for (int s = 0; s < dpem_gam_scores(&shape); s++)
		{
			int			class = places.target[row];
			int			own = targets > 2 ? s : 1;
			double		here = targets > 2 ? 0 : 1;
			double		mark = sqrt(0.5) * (targets > 2 ? M_SQRT1_2 : 1);

			/* sum of the exponentials of all scores less this one */
			for (int t = 0; t < dpem_gam_scores(&shape); t++)
				here += exp((coefficient[500 * t + code[row]] + coefficient[500 * t + code[DPEM_BLOCK_ROWS + row]] - coefficient[500 * s + code[row]] -
							 coefficient[500 * s + code[DPEM_BLOCK_ROWS + row]]) * (targets > 2) -
							(coefficient[code[row]] + coefficient[code[DPEM_BLOCK_ROWS + row]]) * (targets == 2));
			off = fmax(off, fabs(x[(size_t) s * DPEM_BLOCK_STRIDE + row] - (class < 0 ? 0 : mark * ((class == own) - 1 / here))));
		}
	CHECK(off < 1e-12, "%s, %d classes: residuals are off by %g", dpem_clone_name(clone), targets, off);
	free(coefficient);
	free(x);
}

#define FIRST_PART	(14 + 6 * 5 + 2 * 3)	/* in the parameters */

static void
check_refused(void)
{
	static const double odd[] = {-2, NAN, INFINITY, 1.5e9, 0.25};
	Fixture		f = make_fixture_of(2, 2, P, 3);
	size_t		length = dpem_gam_theta_length(&f.shape);

	set_coefficients(&f, NULL);
	CHECK(dpem_gam_check_moments(&f.layout[0], f.theta, length) == length && dpem_gam_check_gradient(&f.layout[1], f.theta, length) == length, "a shape");
	CHECK(dpem_gam_check_moments(&f.layout[0], f.theta, length - 1) == 0, "numbers are missing");
	CHECK(dpem_gam_check_moments(&f.layout[1], f.theta, length) == 0 && dpem_gam_check_gradient(&f.layout[0], f.theta, length) == 0, "another layout");
	for (int at = 0; at < FIRST_PART + 21 + 9; at++)
		for (int i = 0; i < 4; i++)
		{
			double		kept = f.theta[at];
			/* a radius, and distances of a number, may be large; a column in no pair has no parts */
			bool		fine = (at == 0 && i == 3) || (at == 11 && i >= 2) || (at >= FIRST_PART + 13 && at < FIRST_PART + 16);

			f.theta[at] = odd[i];
			CHECK(fine || dpem_gam_check_moments(&f.layout[0], f.theta, length) == 0, "number %d is %g", at, odd[i]);
			f.theta[at] = kept;
		}
	free_fixture(&f);
}

/* a row's cells are kept in memory for as many columns as there are coordinates before the target's */
static void
check_shared_coordinates(void)
{
	DpemGamColumn column[4] = {{0, 0, 2, -1, 0, 0}, {0, 0, 2, -1, 0, 0}, {1, 0, 2, -1, 0, 0}, {1, 0, 2, -1, 0, 0}};
	DpemGamShape shape = {.radius = 1,.columns = 2,.column = column,.targets = 1,.classes = 2,.reach = 1};
	DpemMomentLayout layout = {dpem_gam_moments_length(&shape), 3, DPEM_COUNTS_ALONE};
	double	   *theta = numbers(100);

	dpem_gam_write(&shape, NULL, theta);
	CHECK(dpem_gam_check_moments(&layout, theta, 100) > 0, "two columns of two coordinates");
	for (shape.columns = 3; shape.columns <= 4; shape.columns++)
	{
		layout.k = dpem_gam_moments_length(&shape);
		dpem_gam_write(&shape, NULL, theta);
		CHECK(dpem_gam_check_moments(&layout, theta, 100) == 0, "%d columns of two coordinates", shape.columns);
	}
	free(theta);
}

int
main(void)
{
	Rng			rng = {20};

	check_sensitivity(&rng);
	check_places(&rng, 1, 2, 0);
	check_places(&rng, 2, 2, 3);
	check_places(&rng, 4, 4, 1);
	check_many_rows(P);
	check_many_rows(0);
	for (int clone = 0; clone < DPEM_CLONES; clone++)
		for (int targets = 2; targets <= 6 && dpem_clone_runs((DpemClone) clone); targets++)
			check_residuals(&rng, (DpemClone) clone, targets);
	for (int clone = 0; clone < DPEM_CLONES; clone++)
		for (int targets = 1; targets <= 4 && dpem_clone_runs((DpemClone) clone); targets++)
			check_overflow((DpemClone) clone, targets);
	check_refused();
	check_shared_coordinates();
	return unit_report();
}
