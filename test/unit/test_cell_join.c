/*
 * test_cell_join.c - parts of numbers that are one by class (core/bayes/cell_join.h): as many are left as noise lets, labels are as they
 * were, and joined parts say the same of the class.
 */
#include "core/bayes/cell_join.h"
#include "kernel_fixture.h"

#define HOLDS(condition)	CHECK(condition, "%s", #condition)

/* a number with rows in every part, a label, and one that has all rows in one part */
static const int length[] = {16, 3, 8};
static const bool ordered[] = {true, false, true};
static const bool complete[] = {true, false, true};
static const DpemBayesCounts cells = {.classes = 2,.columns = 3,.cells = 27,.length = length,.ordered = ordered,.complete = complete};

typedef struct Problem
{
	double		bins[27];
	int			place[27];
	int			left[3];
	DpemCellJoin join;
} Problem;

static DpemWorkspace
fixture_workspace(void)
{
	static double memory[128];

	CHECK(dpem_cells_join_work(&cells) <= 128, "%zu numbers of workspace", dpem_cells_join_work(&cells));
	return (DpemWorkspace) {memory, memory + 128};
}

/* 16,000 rows, and what noise in counts by class leaves of their parts */
static void
join(Problem *p, double noise)
{
	for (int i = 0; i < 27; i++)
		p->bins[i] = i < 16 ? 1000 : i == 21 ? 16000 : 0;
	p->join = (DpemCellJoin) {p->place, p->left, p->bins, 1};
	dpem_cells_join(&cells, noise, &p->join, fixture_workspace());
}

static void
check_join(void)
{
	Problem		p;

	join(&p, 1);
	HOLDS(p.left[0] == 16 && p.left[1] == 3 && p.left[2] == 0);
	for (int i = 0; i < 16; i++)
		HOLDS(p.place[i] == i);
	/* 1.5 sqrt(16000 / 4 / 562.5) = 4 */
	join(&p, 562.5);
	HOLDS(p.left[0] == 4 && p.left[1] == 3 && p.left[2] == 0);
	for (int i = 0; i < 19; i++)
		HOLDS(p.place[i] == (i < 16 ? i / 4 : i - 16));
	join(&p, 1e9);
	HOLDS(p.left[0] == 2 && p.left[1] == 3);
}

static int
parts_of(int cells_of_number, const double *bins, double noise, int *place)
{
	int			own_length[] = {cells_of_number, 2};
	int			left[2];
	double		memory[3 * 8];
	DpemBayesCounts both = {.classes = 2,.columns = 2,.cells = cells_of_number + 2,.length = own_length,.ordered = ordered,.complete = complete};
	double		rows[10];
	DpemCellJoin own = {place, left, rows, 1};

	memcpy(rows, bins, sizeof(rows));
	dpem_cells_join(&both, noise, &own, (DpemWorkspace) {memory, memory + 3 * cells_of_number});
	return left[0];
}

/* the last rows of a number are few beside all, and many or few beside noise, 2.5 sqrt(2) times that of a count: in one cell, or in each of several */
static void
check_clear(void)
{
	const double flag[10] = {19200, 800};
	const double values[10] = {18000, 1000, 1000};
	const double one[10] = {19200, 0, 0, 0, 0, 0, 0, 800};
	const double slope[10] = {19200, 200, 200, 200, 200};
	int			place[10];

	HOLDS(parts_of(2, flag, 96, place) == 2 && place[0] == 0 && place[1] == 1);
	HOLDS(parts_of(2, flag, 220, place) == 2 && parts_of(2, flag, 230, place) == 0);
	HOLDS(parts_of(3, values, 96, place) == 3 && parts_of(3, values, 1000, place) == 0);
	HOLDS(parts_of(8, one, 96, place) == 2 && place[7] == 1 && parts_of(8, one, 230, place) == 0);
	HOLDS(parts_of(8, slope, 96, place) == 0 && parts_of(8, slope, 50, place) == 2);
}

/* a column alone that has one part left is counted as it is */
static void
check_alone(void)
{
	DpemBayesCounts one = {.classes = 2,.columns = 1,.cells = 8,.length = length + 2,.ordered = ordered,.complete = complete};
	Problem		p;
	double		memory[24];

	memset(p.bins, 0, sizeof(p.bins));
	p.bins[2] = 5000;
	p.join = (DpemCellJoin) {p.place, p.left, p.bins, 1};
	HOLDS(dpem_cells_join_work(&one) <= 24);
	dpem_cells_join(&one, 10, &p.join, (DpemWorkspace) {memory, memory + 24});
	HOLDS(p.left[0] == 8 && p.place[7] == 7);
}

static void
check_parts(void)
{
	Problem		p;
	int			own_length[3];
	bool		own_ordered[3];
	bool		own_complete[3];
	double		weight[] = {0.3, 0.7};
	double		noise[] = {0.1, 0.2};
	double		left[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.25, 0.25, 0.4, 0.3, 0.2, 0.1, 0.2, 0.2, 0.6};
	double		out[6 + 54];
	DpemBayes	of = {weight, noise, left, noise};
	DpemBayes	all = {out, out + 2, out + 6, out + 4};
	DpemBayesCounts counted;

	join(&p, 562.5);
	counted = dpem_cells_left(&cells, &p.join, own_length, own_ordered, own_complete);
	HOLDS(counted.columns == 2 && counted.cells == 7 && own_length[0] == 4 && own_length[1] == 3 && own_ordered[0] && !own_ordered[1] && own_complete[0]);
	dpem_cells_part(&cells, &p.join, &of, counted.cells, &all);
	HOLDS(out[1] == 0.7 && out[3] == 0.2 && out[5] == 0.2);
	for (int c = 0; c < 2; c++)
	{
		const double *own = all.probability + 27 * c;
		double		sum[3] = {0};

		for (int i = 0; i < 27; i++)
			sum[i < 16 ? 0 : i < 19 ? 1 : 2] += own[i];
		for (int j = 0; j < 3; j++)
			CHECK(fabs(sum[j] - 1) < 1e-12, "column %d, class %d: %g in all", j, c, sum[j]);
	}
	for (int i = 0; i < 19; i++)
		CHECK(fabs(all.probability[27 + i] / all.probability[i] - left[7 + (i < 16 ? i / 4 : i - 12)] / left[i < 16 ? i / 4 : i - 12]) < 1e-12, "cell %d", i);
	for (int i = 19; i < 27; i++)
		HOLDS(all.probability[27 + i] == all.probability[i]);
	HOLDS(all.probability[21] > 0.99);
}

/* s P / n of the first release: 0.4 of 4,000 rows in one part, or all of 16,000 in a number that is not counted by class */
static void
check_noise(void)
{
	Problem		p;
	double		weight[] = {0.3, 0.7};
	double		noise[] = {0.002, 0.02};
	double		left[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.25, 0.25, 0.4, 0.3, 0.2, 0.1, 0.2, 0.2, 0.6};
	double		out[6 + 54];
	DpemBayes	of = {weight, noise, left, noise};
	DpemBayes	all = {out, out + 2, out + 6, out + 4};

	join(&p, 562.5);
	p.join.sd = 100;
	dpem_cells_part(&cells, &p.join, &of, 7, &all);
	CHECK(fabs(all.noise[0] - 0.01) < 1e-9 && all.noise[1] == 0.02, "noise of %g and %g", all.noise[0], all.noise[1]);
	left[2] = left[3] = 0.0001;
	dpem_cells_part(&cells, &p.join, &of, 7, &all);
	CHECK(fabs(all.noise[0] - 0.00625) < 1e-9, "noise of %g", all.noise[0]);
	/* nothing was released */
	p.join.sd = 0;
	dpem_cells_part(&cells, &p.join, &of, 7, &all);
	HOLDS(all.noise[0] == 0.002);
}

/* of a number that all rows have one value of, noise in the other parts leaves little: rows add up to all, as another number says them */
static void
check_nearest(void)
{
	Problem		p;
	double		all_of = 0;

	for (int i = 0; i < 27; i++)
		p.bins[i] = (i < 16 ? 1000 : i == 21 ? 16000 : 0) + (i < 19 ? 0 : i % 2 == 0 ? 400 : -400);
	p.join = (DpemCellJoin) {p.place, p.left, p.bins, 400};
	dpem_cells_join(&cells, 562.5, &p.join, fixture_workspace());
	for (int i = 19; i < 27; i++)
	{
		HOLDS(p.bins[i] >= 0);
		all_of += p.bins[i];
	}
	CHECK(fabs(all_of - 16000) < 200 && p.bins[21] > 0.95 * all_of, "%g rows of %g", p.bins[21], all_of);
}

int
main(void)
{
	check_join();
	check_clear();
	check_alone();
	check_parts();
	check_noise();
	check_nearest();
	return unit_report();
}
