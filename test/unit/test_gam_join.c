/*
 * test_gam_join.c - cells that are one for gradients (gam_join.h): their sums are those of their cells, parameters of a pass that
 * say otherwise are refused, bins are joined by their rows and stay apart where they differ, and results are for all cells.
 */
#include "gam_fixture.h"

/* ---- the kernel ---- */

/* what a block adds at these coefficients of the cells that are seen, of each score */
static double *
gradient_of(Fixture *f, const double *coefficient)
{
	size_t		n = (size_t) f->layout[1].k;
	double	   *sums = numbers(n);

	set_coefficients(f, coefficient);
	memcpy(sums, sums_of(f, 1), n * sizeof(double));
	return sums;
}

/* out: of every cell that is seen, the sum of the cells that are it; scores one after another */
static void
join_sums(const Fixture *f, const double *sums, int scores, double *out)
{
	for (int s = 0; s < scores; s++)
	{
		const double *joined = f->joined;

		for (int c = 0; c < 5; c++)
		{
			for (int i = 0; i < dpem_gam_column_cells(&f->column[c]); i++, joined++, sums++)
				if (f->column[c].joined > 0)
					out[(int) *joined] += *sums;
			out += f->column[c].joined;
		}
		for (int i = 0; i < dpem_gam_cells(&f->shape) - dpem_gam_main_cells(&f->shape); i++)
			*out++ = *sums++;
	}
}

/* the same coefficients of all cells, those that are not seen without any */
static double *
spread_out(const Fixture *f, const double *coefficient, int scores)
{
	double	   *all = numbers((size_t) scores * dpem_gam_cells(&f->shape));
	double	   *out = all;

	for (int s = 0; s < scores; s++)
	{
		const double *joined = f->joined;

		for (int c = 0; c < 5; coefficient += f->column[c++].joined)
			for (int i = 0; i < dpem_gam_column_cells(&f->column[c]); i++, joined++)
				*out++ = f->column[c].joined > 0 ? coefficient[(int) *joined] : 0;
		for (int i = 0; i < dpem_gam_cells(&f->shape) - dpem_gam_main_cells(&f->shape); i++)
			*out++ = *coefficient++;
	}
	return all;
}

static void
check_sums(Rng *rng, int targets, int classes, int pairs)
{
	Fixture		all = make_fixture_of(targets, classes, 0, pairs);
	Fixture		f = make_fixture_of(targets, classes, 0, pairs);
	int			scores = targets > 2 ? targets : 1;
	double	   *coefficient;
	double	   *spread;
	double	   *sums[2];
	double	   *expected;
	double		x[MOST_D];
	double		off = 0;

	join_fixture(&f);
	for (int row = 0; row < 100; row++)
	{
		random_row(rng, &f, x);
		put_row(&f, row, x, 1);
		put_row(&all, row, x, 1);
	}
	CHECK(dpem_gam_seen_terms(&f.shape) == 4 + pairs && dpem_gam_terms(&f.shape) == 5 + pairs, "terms that are seen");
	CHECK(f.layout[1].k == scores * (13 + dpem_gam_cells(&f.shape) - dpem_gam_main_cells(&f.shape)), "%d sums", f.layout[1].k);
	coefficient = uniforms(rng, (size_t) f.layout[1].k, -1, 1);
	spread = spread_out(&f, coefficient, scores);
	sums[0] = gradient_of(&all, spread);
	sums[1] = gradient_of(&f, coefficient);
	CHECK(dpem_gam_check_gradient(&f.layout[1], f.theta, dpem_gam_theta_length(&f.shape)) == dpem_gam_theta_length(&f.shape), "a shape");
	CHECK(dpem_gam_check_moments(&f.layout[0], f.theta, dpem_gam_theta_length(&f.shape)) == 0, "counts of joined cells");
	expected = numbers((size_t) f.layout[1].k);
	join_sums(&f, sums[0], scores, expected);
	for (int i = 0; i < f.layout[1].k; i++)
		off = fmax(off, fabs(sums[1][i] - expected[i] * dpem_gam_gradient_mark(&f.shape) / dpem_gam_gradient_mark(&all.shape)));
	CHECK(off < 1e-9, "%d targets, %d pairs: sums are off by %g", targets, pairs, off);
	free(coefficient);
	free(spread);
	free(sums[0]);
	free(sums[1]);
	free(expected);
	free_fixture(&all);
	free_fixture(&f);
}

#define JOINED_FLAG		13		/* in the parameters */
#define COLUMN_JOINED	(14 + 5)

static void
check_refused(void)
{
	static const double odd[] = {-1, NAN, 0.5, 5, INFINITY};
	Fixture		f = make_fixture_of(2, 2, P, 3);
	size_t		length;
	size_t		first;

	join_fixture(&f);
	length = dpem_gam_theta_length(&f.shape);
	first = length - (size_t) dpem_gam_cells(&f.shape) - 21;
	set_coefficients(&f, NULL);
	for (int at = 0; at < 21 + 6; at++)
		for (int i = 0; i < 5; i++)
		{
			size_t		place = at < 21 ? first + (size_t) at : at == 21 ? JOINED_FLAG : COLUMN_JOINED + 6 * ((size_t) at - 22);
			double		kept = f.theta[place];
			/* a place in a column that is not seen is not read; the last label has five places */
			bool		fine = (at >= 8 && at < 13) || (at == 26 && odd[i] == 5);

			f.theta[place] = odd[i];
			CHECK((dpem_gam_check_gradient(&f.layout[1], f.theta, length) > 0) == fine, "number %d is %g", at, odd[i]);
			f.theta[place] = kept;
		}
	CHECK(dpem_gam_check_gradient(&f.layout[1], f.theta, length - 1) == 0, "numbers are missing");
	for (int c = 0; c < 5; c++)
		f.theta[COLUMN_JOINED + 6 * c] = 0;
	f.layout[1].k = dpem_gam_term_cells(&f.shape, 5) + dpem_gam_term_cells(&f.shape, 6) + dpem_gam_term_cells(&f.shape, 7);
	CHECK(dpem_gam_check_gradient(&f.layout[1], f.theta, length) == length, "pairs alone");
	free_fixture(&f);
}

/* ---- which are one ---- */

/* one number of so many bins, with noise of 10 in gradients' cells; returns how many are left */
static int
join_one(int bins, bool unknown, const double *count, double *excess, double wanted, bool all, double *joined)
{
	DpemGamColumn column = {.bins = bins,.known = unknown ? 1 : -1};
	double		sd = 1;
	int			cells = bins + unknown;
	double	   *second;
	DpemGamSeen seen = {.n = cells,.count = count,.bins = wanted,.noise = 10,.scores = 1,.excess = &excess,.excess_sd = &sd};

	for (int i = 0; i < bins + unknown; i++)
		seen.rows += count[i];
	second = independent_pairs(1, &cells, count, seen.rows);
	join_all(1, &column, &seen, second, all, joined);
	free(second);
	return column.joined;
}

static bool
is_joined(const double *joined, const char *as)
{
	bool		same = true;

	for (int i = 0; as[i] != 0; i++)
		same &= joined[i] == as[i] - '0';
	return same;
}

static void
check_bins(void)
{
	double		none[8] = {0};
	double		apart[8] = {[6] = 300};
	double		little[8] = {[6] = 12};
	double		joined[8];

	CHECK(join_one(8, false, (double[]) {100, 100, 100, 100, 100, 100, 100, 100}, none, 4, false, joined) == 4 && is_joined(joined, "00112233"), "pairs of bins");
	CHECK(join_one(8, false, (double[]) {100, 100, 100, 100, 100, 100, 100, 100}, none, 40, false, joined) == 8 && is_joined(joined, "01234567"), "as they are");
	CHECK(join_one(8, false, (double[]) {0, 0, 500, 0, 0, 300, 0, 0}, none, 4, false, joined) == 2 && is_joined(joined, "00011111"), "bins without rows");
	CHECK(join_one(8, false, (double[]) {0, 700, 10, 10, 10, 10, 10, 10}, none, 4, true, joined) == 2 && is_joined(joined, "00111111"), "rows in one bin");
	CHECK(join_one(8, false, (double[]) {0, 0, 0, 0, 0, 0, 0, 700}, none, 4, true, joined) == 2 && is_joined(joined, "00000001"), "rows in the last bin");
	CHECK(join_one(8, false, (double[]) {900, 1, 1, 1, 1, 1, 1, 300}, apart, 2, false, joined) >= 3 && joined[6] > joined[5] && joined[7] > joined[6], "one that differs");
	CHECK(join_one(8, false, (double[]) {900, 1, 1, 1, 1, 1, 1, 300}, little, 2, false, joined) == 2, "one that noise may be");
	CHECK(join_one(3, true, (double[]) {700, 10, 10, 400}, none, 2, false, joined) == 2 && is_joined(joined, "0001"), "rows without a value");
}

/* three columns: a label of nearly one category, another, and a number of one bin with hardly a NULL */
static void
check_seen(void)
{
	DpemGamColumn column[3] = {{0, 2, 2, -1, 0, 0}, {2, 2, 2, -1, 0, 0}, {4, 0, 2, 5, 0, 0}};
	double		count[] = {990, 8, 2, 400, 600, 0, 995, 0, 5};
	double		values[] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
	double	   *excess = values;
	double		sd = 1;
	double		joined[9];
	double	   *second = independent_pairs(3, (const int[]) {3, 3, 3}, count, 1000);
	DpemGamSeen seen = {.n = 9,.count = count,.rows = 1000,.told = 250,.chance = 1,.bins = 4,.noise = 10,.scores = 1,.excess = &excess,.excess_sd = &sd};

	CHECK(join_all(3, column, &seen, second, false, joined) && column[0].joined == 0 && column[1].joined == 3 && column[2].joined == 0, "one column tells");
	CHECK(join_all(3, column, &seen, second, true, joined) && column[0].joined == 3 && column[1].joined == 3 && column[2].joined == 2, "all are seen");
	values[8] = 30;
	CHECK(join_all(3, column, &seen, second, false, joined) && column[2].joined == 2 && is_joined(joined + 6, "001"), "rows without a value differ");
	values[8] = 0;
	count[3] = 1000;
	count[4] = 0;
	CHECK(join_all(3, column, &seen, second, false, joined) && (column[0].joined > 0) + (column[1].joined > 0) + (column[2].joined > 0) == 1, "of columns that do not tell one is left");
	free(second);
}

#define FLAGS		60
#define FLAG_ROWS	600			/* of 20,000 */
#define FLAG_CELLS 3		/* of a label of two categories: none has the third */

/* of 60 flags of 3 % and one of half of the rows those that are seen in such noise; excess: of ten of them, which may be copies */
static int
flags_seen(double noise, double excess, bool copies, bool *ten)
{
	DpemGamColumn column[FLAGS + 1];
	double		count[FLAG_CELLS * (FLAGS + 1)] = {0};
	double		values[FLAG_CELLS * (FLAGS + 1)] = {0};
	double	   *all = values;
	double		sd = 20;
	double		joined[FLAG_CELLS * (FLAGS + 1)];
	int			cells[FLAGS + 1];
	double	   *second;
	DpemGamSeen seen = {.n = FLAG_CELLS * (FLAGS + 1),.count = count,.rows = 20000,.told = 4000,.chance = 1,.bins = 1.5 * sqrt(4000 / noise),.noise = noise,.scores = 1,.excess = &all,.excess_sd = &sd};
	int			n = 0;

	for (int c = 0; c <= FLAGS; c++)
	{
		double	   *own = count + FLAG_CELLS * c;
		double	   *value = values + FLAG_CELLS * c;

		cells[c] = FLAG_CELLS;
		column[c] = (DpemGamColumn) {.first = 2 * c,.length = 2,.bins = 2,.known = -1};
		own[1] = c < FLAGS ? FLAG_ROWS : 10000;
		own[0] = 20000 - own[1];
		value[1] = c < 10 ? excess : 0;
		value[0] = -value[1];
	}
	second = independent_pairs(FLAGS + 1, cells, count, seen.rows);
	if (copies)
		for (int i = 0; i < FLAG_CELLS * 10; i++)
			for (int j = 0; j < FLAG_CELLS * 10; j++)
				second[i * seen.n + j] = i % FLAG_CELLS == j % FLAG_CELLS ? count[i] : 0;
	join_all(FLAGS + 1, column, &seen, second, false, joined);
	free(second);
	*ten = true;
	for (int c = 0; c <= FLAGS; c++)
	{
		n += column[c].joined > 0;
		*ten &= c >= 10 || column[c].joined > 0;
	}
	return n;
}

/* flags that few rows have tell much together, until noise hides them; those that are seen to tell something are the last to go */
static void
check_flags(void)
{
	bool		ten;

	CHECK(flags_seen(1, 60, false, &ten) == FLAGS + 1, "all flags are seen");
	CHECK(flags_seen(60, 60, false, &ten) > 10 && ten, "and what tells most in more noise");
	CHECK(flags_seen(5000, 0, false, &ten) == 1, "noise hides all but one");
	CHECK(flags_seen(300, 150, false, &ten) < FLAGS && ten, "those that differ beyond doubt are left");
	CHECK(flags_seen(60, 150, true, &ten) < flags_seen(60, 150, false, &ten), "columns that tell the same are worth less noise");
}

/* ---- rows and results ---- */

static void
check_rows(Rng *rng)
{
	Fixture		f = make_fixture_of(1, 64, P, 0);
	DpemGamColumn column[5];
	int			offset[5] = {0, 2, 5, 8, 13};
	double	   *memory = uniforms(rng, 21 * 24, 1, 2);
	double	   *left = numbers(13 * 16);
	DpemGamRows from = {.shape = f.shape,.n = 21,.offset = f.offset,.count = memory,.noise = memory + 21,.second = memory + 63,.rows = 100,.dispersion = 4};
	DpemGamRows to = {.n = 13,.offset = offset,.count = left,.noise = left + 13,.second = left + 39};
	double		mean[13];
	double		step[4] = {1, 1, 1, 1};
	DpemGamScore score = {.scale = 0.25,.step = step};
	DpemGamResult seen = {.intercept = 7,.contribution = memory,.sd = memory + 21,.noise = memory + 42};
	double		out[63];
	DpemGamResult all = {.contribution = out,.sd = out + 21,.noise = out + 42};

	join_fixture(&f);
	to.shape = dpem_gam_seen_shape(&f.shape, column);
	CHECK(to.shape.columns == 4 && column[1].bins == 2 && dpem_gam_main_cells(&to.shape) == 13 && to.shape.joined == NULL, "what is seen");
	dpem_gam_join_rows(&from, &f.shape, &to);
	CHECK(fabs(to.count[0] - memory[0] - memory[1]) < 1e-12 && to.count[5] == memory[13] && fabs(to.noise[3] - memory[21 + 5] - memory[21 + 6]) < 1e-12, "counts");
	CHECK(fabs(to.second[0] - from.second[0] - from.second[1] - from.second[21] - from.second[22]) < 1e-12 && to.rows == 100, "pairs of cells");
	dpem_gam_join_mean(&from, &f.shape, memory + 42, &to, mean);
	for (int i = 8; i < 13; i++)
		mean[0] -= memory[42 + i] * memory[i] / 100 / 4;
	CHECK(fabs(mean[0] - (memory[42] * memory[0] + memory[43] * memory[1]) / to.count[0]) < 1e-12, "the mean of both, and a part of what is not seen");
	dpem_gam_part_result(&to, &score, &seen, &f.shape, &all);
	CHECK(all.intercept == 7 && out[0] == memory[0] && out[1] == memory[0] && out[2] == memory[1] && out[7] == memory[4] && out[13] == memory[5] && out[20] == memory[12], "contributions");
	/* two bins in a walk of a variance of a half a step, at a scale of a fourth of 4: each is off by one eighth */
	CHECK(fabs(out[21] * out[21] - memory[21] * memory[21] - 0.125) < 1e-12 && out[21 + 13] == memory[21 + 5], "errors of bins that are one");
	CHECK(out[8] == 0 && out[42 + 8] == 0 && out[21 + 8] > 0, "a column that is not seen");
	free(memory);
	free(left);
	free_fixture(&f);
}

int
main(void)
{
	Rng			rng = {20};

	check_sums(&rng, 1, 64, 0);
	check_sums(&rng, 2, 2, 3);
	check_sums(&rng, 4, 4, 1);
	check_refused();
	check_bins();
	check_seen();
	check_flags();
	check_rows(&rng);
	return unit_report();
}
