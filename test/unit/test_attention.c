/*
 * test_attention.c - centers of attention and their local sensitivity: all small tables and all that differ in a unit's
 * rows.
 *
 * Nothing here is random.
 */
#include "robust_fixture.h"

/* the middle of the first shortest run of cells with that many rows, and its length; by trying all */
static int
shortest_run(const int *rows, int wanted, int *middle)
{
	for (int length = 0; length < CELLS; length++)
		for (int b = 0; b + length < CELLS; b++)
		{
			int			held = 0;

			for (int c = b; c <= b + length; c++)
				held += rows[c];
			*middle = b + length / 2;
			if (held >= wanted)
				return length;
		}
	*middle = (CELLS - 1) / 2;
	return CELLS - 1;
}

static int
check_attention(const int *rows, int rows_per_unit)
{
	Fixture		f;
	int			majority = (rows_in(rows) + rows_per_unit) / 2 + 1;
	int			middle;
	int			faults = 0;

	make_table(&f, DPEM_ROBUST_ATTENTION, rows, true, rows_per_unit, 1 << 18);
	(void) shortest_run(rows, majority, &middle);
	faults += dpem_robust_value(&f.table) != middle;
	for (int k = 0; k < FAR; k++)
		faults += dpem_robust_reach(&f.table, k) != shortest_run(rows, majority + (k + 1) * rows_per_unit, &middle);
	return faults;
}

/* all tables that differ in where so many rows are */
static void
move_rows(Search *s, const int *rows, int *others, int left)
{
	compare(s, rows, others);
	for (int step = 0; step < CELLS * CELLS && left > 0; step++)
	{
		int			from = step / CELLS;
		int			to = step % CELLS;

		if (others[from] == 0 || from == to)
			continue;
		others[from]--;
		others[to]++;
		move_rows(s, rows, others, left - 1);
		others[from]++;
		others[to]--;
	}
}

static void
test_attention(void)
{
	for (int rows_per_unit = 1; rows_per_unit < 3; rows_per_unit++)
	{
		Search		s = {
			.statistic = DPEM_ROBUST_ATTENTION,.replace_one = true,.rows_per_unit = rows_per_unit,.law = dpem_smooth_law(0.5),.multiplier = 0.5
		};
		int			rows[CELLS] = {0};
		int			faults = 0;

		do
		{
			int			others[CELLS];

			for (int b = 0; b < CELLS; b++)
				others[b] = rows[b];
			faults += check_attention(rows, rows_per_unit);
			move_rows(&s, rows, others, rows_per_unit);
		} while (next_table(rows, rows_per_unit == 1 ? MOST : 2));
		CHECK(faults == 0, "%d are not what they are", faults);
		CHECK(s.pairs > 500 && s.faults == 0, "%d faults at %d pairs", s.faults, s.pairs);
		CHECK(s.worst_smooth <= 1 + 1e-9 && s.worst_smooth > 0.9 && s.worst_range <= 1, "ln M changes by %g beta, a range of %g epsilon", s.worst_smooth, s.worst_range);
		CHECK(s.released > 0, "%d released", s.released);
	}
}

/* a bound that forgets the unit's own rows, the length of the run itself, is found out */
static void
test_attention_search(void)
{
	int			rows[CELLS] = {0};
	int			faults = 0;

	do
		for (int step = 0; step < CELLS * CELLS; step++)
		{
			Fixture		a;
			Fixture		b;
			int			others[CELLS];

			for (int c = 0; c < CELLS; c++)
				others[c] = rows[c] - (c == step / CELLS) + (c == step % CELLS);
			if (others[step / CELLS] < 0)
				continue;
			make_table(&a, DPEM_ROBUST_ATTENTION, rows, true, 1, 1);
			make_table(&b, DPEM_ROBUST_ATTENTION, others, true, 1, 1);
			faults += abs(dpem_robust_value(&a.table) - dpem_robust_value(&b.table)) > dpem_robust_reach(&a.table, -1);
		}
	while (next_table(rows, MOST));
	CHECK(faults > 0, "the length of the run suffices");
}

int
main(void)
{
	test_attention();
	test_attention_search();
	return unit_report();
}
