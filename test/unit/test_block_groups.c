/*
 * test_block_groups.c - medians of the coefficients of random groups of rows: how far a unit moves them, and the distance
 * that a test of them is of.
 */
#include <stdlib.h>
#include <string.h>

#include "block_cells_fixture.h"

#define D 2						/* a slope and a constant */
#define GROUPS 9
#define FINE 16

typedef struct Groups
{
	DpemRobustTable table[D];
	DpemInt128	excess[D][DPEM_ROBUST_QUANTILES * FINE];
} Groups;

/* coefficients of the groups of n rows (x, y) */
static void
count_groups(int n, const int *group, double (*row)[D], Groups *g)
{
	static double room[WORK];
	const DpemRobustRows how = {ONE, true, 1};
	DpemWorkspace work = {room, room + WORK};
	DpemBlockCells task = task_of(DPEM_BLOCK_COEFFICIENTS, 1);
	DpemInt128	count[D * FINE] = {0};

	task.cells = FINE;
	for (int b = 0; b < GROUPS; b++)
	{
		double		rows[64 * D];
		double		out[D] = {0, 0};
		size_t		m = 0;

		for (int i = 0; i < n; i++)
		{
			if (group[i] == b)
				memcpy(rows + D * m++, row[i], sizeof(row[i]));
		}
		dpem_block_analyse(&task, m, rows, D, UNIT, out, work);
		dpem_block_cells_add(&task, D, out, UNIT, ONE, count, NULL);
	}
	for (int j = 0; j < D; j++)
		dpem_robust_table(&g->table[j], DPEM_ROBUST_MEDIAN, count + j * FINE, 1, FINE, &how, g->excess[j]);
}

static int64_t
least_distance(const Groups *g, int proposal)
{
	int64_t		first = dpem_robust_distance(&g->table[0], proposal);
	int64_t		second = dpem_robust_distance(&g->table[1], proposal);

	return first < second ? first : second;
}

/* a unit of any number of rows, all in one group, does what it likes there */
static void
test_groups(void)
{
	enum
	{
		N = 60
	};
	int			faults = 0;
	int			moves = 0;
	int			released = 0;

	for (int trial = 0; trial < 500; trial++)
	{
		double		row[N][D];
		int			group[N];
		int			theirs = below(GROUPS);
		Groups		a;
		Groups		b;

		for (int i = 0; i < N; i++)
		{
			row[i][0] = uniform(-0.7, 0.7) * UNIT;
			row[i][1] = 0.3 * row[i][0] + uniform(-0.1, 0.1) * UNIT * (trial % 3);
			group[i] = i >= N - 5 ? theirs : below(GROUPS);
		}
		count_groups(N - 5 * below(2), group, row, &a);
		for (int i = N - 5; i < N; i++)
			row[i][1] = uniform(-0.7, 0.7) * UNIT;
		count_groups(N, group, row, &b);
		for (int proposal = 1; proposal < FINE - 1; proposal++)
		{
			int64_t		from = least_distance(&a, proposal);
			int64_t		to = least_distance(&b, proposal);

			faults += llabs(from - to) > 1;
			released += from > 0 || to > 0;
			for (int j = 0; j < D; j++)
			{
				int			moved = abs(dpem_robust_value(&a.table[j]) - dpem_robust_value(&b.table[j]));

				moves += moved > 0;
				faults += (from > 0 || to > 0) && moved > proposal;
			}
		}
	}
	CHECK(faults == 0 && moves > 100 && released > 100, "%d faults, %d moves, %d released", faults, moves, released);
}

int
main(void)
{
	test_groups();
	return unit_report();
}
