/*
 * test_gam_start.c - what is estimated first of cells that are joined (gam_join.h): pairs, columns that are left out by them, and
 * what scores start from.
 */
#include "gam_fixture.h"

/* pairs of joined cells, then of the columns that are left, and what scores start from, as sums say */
static void
check_start(Rng *rng)
{
	static const int cells[] = {2, 3, 5, 3, 5};
	Fixture		f = make_fixture_of(2, 2, P, 0);
	double	   *memory = uniforms(rng, 21 * 23, 1, 2);
	double		pairs[18 * 18];
	double		expected[18 * 18] = {0};
	double		left[13 * 13];
	double		linear[13];
	double		together[13];
	int			place[21];
	DpemGamRows from = {.shape = f.shape,.n = 21,.offset = f.offset,.second = memory};
	DpemGamRows to = {.n = 13,.second = left};
	DpemGamScore start = {.linear = memory + 441,.weight = 1,.noise = 5,.spread = 0.2};
	DpemGamScore score = {.linear = linear};
	double		off = 0;

	join_fixture(&f);
	for (int c = 0, i = 0, offset = 0; c < 5; offset += cells[c++])
		for (int j = 0; j < dpem_gam_column_cells(&f.column[c]); j++, i++)
		{
			f.joined[i] = c == 2 ? j : f.joined[i];
			place[i] = offset + (int) f.joined[i];
		}
	f.column[2].joined = 5;
	dpem_gam_join_pairs(&from, &f.shape, 18, pairs);
	for (int i = 0; i < 21; i++)
		for (int j = 0; j < 21; j++)
			expected[18 * place[i] + place[j]] += memory[21 * i + j];
	for (int i = 0; i < 18 * 18; i++)
		off = fmax(off, fabs(pairs[i] - expected[i]));
	f.column[2].joined = 0;
	dpem_gam_keep_pairs(&f.shape, 18, pairs, &to);
	for (int i = 0; i < 18; i++)
		for (int j = 0; j < 18; j++)
			if ((i < 5 || i >= 10) && (j < 5 || j >= 10))
				off = fmax(off, fabs(left[13 * (i < 5 ? i : i - 5) + (j < 5 ? j : j - 5)] - expected[18 * i + j]));
	CHECK(off < 1e-12, "pairs are off by %g", off);
	dpem_gam_join_start(&from, &f.shape, &start, &to, &score, together);
	CHECK(fabs(linear[0] - memory[441] - memory[442]) < 1e-12 && linear[12] == memory[441 + 20] && together[0] == 2 && together[12] == 1, "sums of cells that are one");
	CHECK(score.weight == 1 && score.noise == 5 && score.spread == 0.2 && score.together == together, "and their noise");
	free(memory);
	free_fixture(&f);
}

/* columns are left out by cells that are joined as by cells that have been one all along */
static void
check_pairs_seen(Rng *rng)
{
	int			unlike = 0;
	int			left = 0;

	for (int turn = 0; turn < 50; turn++)
	{
		const int	cells[] = {8, 8, 8};
		DpemGamColumn column[2][3] = {{{0, 0, 8, -1, 0, 4}, {1, 0, 8, -1, 0, 4}, {2, 0, 8, -1, 0, 4}}, {{0, 0, 4, -1, 0, 4}, {1, 0, 4, -1, 0, 4}, {2, 0, 4, -1, 0, 4}}};
		double	   *count = uniforms(rng, 24, 50, 200);
		double	   *excess = uniforms(rng, 24, -60, 60);
		double		sd[2] = {5, 5 * M_SQRT2};
		double		joined[2][24];
		double		sum[12];
		double		whole[12];
		double	   *value[2] = {excess, whole};
		double	   *second = independent_pairs(3, cells, count, 1000);
		double	   *pairs;
		int			n;
		DpemGamSeen seen = {.n = 24,.count = count,.rows = 1000,.told = 250,.chance = 1,.noise = rng_uniform(rng, 20, 80),.scores = 1,.excess = &value[0],.excess_sd = &sd[0]};

		for (int i = 0; i < 24; i++)
			joined[0][i] = i % 8 / 2;
		for (int i = 0; i < 12; i++)
		{
			joined[1][i] = i % 4;
			sum[i] = count[2 * i] + count[2 * i + 1];
			whole[i] = excess[2 * i] + excess[2 * i + 1];
		}
		seen.pairs = pairs = joined_pairs(3, column[0], joined[0], second, &n);
		dpem_gam_leave_out(3, column[0], &seen, joined[0]);
		seen.n = n;
		seen.count = sum;
		seen.excess = &value[1];
		seen.excess_sd = &sd[1];
		dpem_gam_leave_out(3, column[1], &seen, joined[1]);
		for (int c = 0; c < 3; c++)
		{
			unlike += column[0][c].joined != column[1][c].joined;
			left += column[0][c].joined == 0;
		}
		free(count);
		free(excess);
		free(second);
		free(pairs);
	}
	CHECK(unlike == 0 && left > 0, "%d columns of which %d are left out are unlike", unlike, left);
}

int
main(void)
{
	Rng			rng = {20};

	check_start(&rng);
	check_pairs_seen(&rng);
	return unit_report();
}
