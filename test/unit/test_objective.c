/*
 * test_objective.c - objective perturbation: a search for tables on which steps end further from the minimum than
 * declared, and for neighbours whose minima are told apart better than the proof's mu allows (docs/proofs.md, 30).
 */
#include "core/accounting/accountant.h"
#include "core/kernels/kernel.h"
#include "core/logit/class_objective.h"
#include "core/numeric/linalg.h"
#include "kernel_fixture.h"

#define MOST_ROWS	60
#define D			3

static const DpemMarginLoss losses[] = {{DPEM_LOSS_LOGISTIC, 1}, {DPEM_LOSS_HINGE, 0.5}, {DPEM_LOSS_HINGE, 5}};

/* rows of integers in the ball, each so many times */
typedef struct Table
{
	int			n;
	double		row[MOST_ROWS][D];
	double		times[MOST_ROWS];
} Table;

static void
draw_row(Rng *rng, double thickness, double *row)
{
	double		norm2 = 0;

	for (int j = 0; j < D; j++)
	{
		row[j] = rng_normal(rng) * (j > 0 ? thickness : 1);
		norm2 += row[j] * row[j];
	}
	for (int j = 0; j < D; j++)
		row[j] = trunc(row[j] / sqrt(norm2) * (ldexp(1, Q) - 2) * (rng_below(rng, 3) ? 1 : rng_uniform(rng, 0, 1)));
}

/* anyhow, all on one side, nearly on a line, or some of them very often */
static void
draw_table(Rng *rng, int kind, Table *table)
{
	table->n = 1 + rng_below(rng, MOST_ROWS - 1);
	for (int i = 0; i < table->n; i++)
	{
		draw_row(rng, kind == 2 ? 1e-3 : 1, table->row[i]);
		table->times[i] = kind == 3 ? floor(pow(10, rng_uniform(rng, 0, 9))) : 1;
		for (int j = 0; j < D && kind == 1 && table->row[i][0] < 0; j++)
			table->row[i][j] = -table->row[i][j];
	}
}

/* sums of slopes times rows, as the wall has them */
static void
pass(Work *w, const Table *table, const DpemObjective *o, const double *theta, double *sum)
{
	w->block.rows = table->n;
	for (int i = 0; i < table->n; i++)
		for (int j = 0; j < D; j++)
			w->block.x[(size_t) j * DPEM_BLOCK_STRIDE + i] = table->row[i][j];
	dpem_slopes_respond(3, theta, &w->block, Q, P, w->r);
	for (int j = 0; j < D; j++)
	{
		long double part = 0;

		for (int k = 2; k >= 0; k--)
			for (int i = 0; i < table->n; i++)
				part += ldexpl((long double) w->r[(size_t) k * DPEM_BLOCK_STRIDE + i] * table->row[i][j] * table->times[i], -(k + 1) * P - Q);
		sum[j] = o->slope * (double) part;
	}
}

static double
products(const Table *table, double *second)
{
	double		rows = 0;

	memset(second, 0, D * D * sizeof(double));
	for (int i = 0; i < table->n; i++)
	{
		rows += table->times[i];
		for (int j = 0; j < D * D; j++)
			second[j] += ldexp(table->times[i] * table->row[i][j / D] * table->row[i][j % D], -2 * Q);
	}
	return rows;
}

/* the last of `steps` steps */
static void
approach(Work *w, const Table *table, const DpemMarginLoss *loss, const DpemObjective *o, const double *noise, int steps, double *end)
{
	double		theta[DPEM_CLASS_HEAD + D] = {0};
	double		second[D * D];
	double		room[200];
	double		sum[D];
	DpemMinimiser m = {.objective = *o,.d = D,.noise = noise,.at = theta + DPEM_CLASS_HEAD};
	double		rows = products(table, second);

	CHECK(dpem_minimiser_work(D) <= 200, "room");
	CHECK(dpem_minimiser_start(&m, rows, second, (DpemWorkspace) {room, room + 200}) == DPEM_OK, "metric");
	dpem_class_write(loss, dpem_objective_tilt(loss, o), theta);
	for (int step = 0; step < steps; step++)
	{
		pass(w, table, o, theta, sum);
		dpem_minimiser_step(&m, sum);
	}
	memcpy(end, m.at, D * sizeof(double));
}

static double
distance(const double *a, const double *b)
{
	double		sum = 0;

	for (int j = 0; j < D; j++)
		sum += (a[j] - b[j]) * (a[j] - b[j]);
	return sqrt(sum);
}

static double
norm(const double *a)
{
	const double zero[D] = {0};

	return distance(a, zero);
}

/* -l'(u) of the problem, without the kernel's digits */
static double
slope_of(const DpemMarginLoss *loss, const DpemObjective *o, double u)
{
	double		tilt = dpem_objective_tilt(loss, o);

	return dpem_loss_slope(loss, u) + tilt * (DPEM_TILT_REACH - u);
}

/*
 * What is left of the optimality conditions at w, over what bounds the distance by it: the gradient, or on the sphere
 * its part along it, is at most (ridge + multiplier) times the distance in size.
 */
static double
distance_bound(const Table *table, const DpemMarginLoss *loss, const DpemObjective *o, const double *noise, const double *w)
{
	double		gradient[D];
	double		multiplier = 0;

	for (int j = 0; j < D; j++)
		gradient[j] = o->ridge * w[j] + noise[j];
	for (int i = 0; i < table->n; i++)
	{
		double		u = 0;

		for (int j = 0; j < D; j++)
			u += ldexp(table->row[i][j], -Q) * w[j];
		for (int j = 0; j < D; j++)
			gradient[j] -= table->times[i] * slope_of(loss, o, u) * ldexp(table->row[i][j], -Q);
	}
	if (norm(w) > o->reach * (1 - 1e-9))
		for (int j = 0; j < D; j++)
			multiplier -= gradient[j] * w[j] / (o->reach * o->reach);
	multiplier = fmax(multiplier, 0);
	for (int j = 0; j < D; j++)
		gradient[j] += multiplier * w[j];
	return norm(gradient) / (o->ridge + multiplier);
}

/* steps end as near to the minimum as declared: beside 20 times as many steps, and by the gradient there */
static void
check_distance(Rng *rng, const DpemMarginLoss *loss)
{
	Work		w = work_make(D, 3);
	double		most = 0;
	int			inside = 0;

	for (int i = 0; i < DPEM_BLOCK_STRIDE; i++)
		w.block.keep[i] = 1;
	for (int trial = 0; trial < 120; trial++)
	{
		static const int counts[] = {20, 60, 300};
		DpemObjective o = dpem_class_objective(loss, D, pow(10, rng_uniform(rng, -1, 3)), 0.9, counts[rng_below(rng, 3)]);
		double		declared = dpem_minimum_distance(&o, D);
		double		noise[D];
		double		end[D];
		double		minimum[D];
		Table		table;

		draw_table(rng, trial % 4, &table);
		for (int j = 0; j < D; j++)
			noise[j] = rng_normal(rng) * pow(10, rng_uniform(rng, -1, 3));
		approach(&w, &table, loss, &o, noise, o.passes, end);
		approach(&w, &table, loss, &o, noise, 10 * o.passes, minimum);
		inside += norm(minimum) < 0.999 * o.reach;
		CHECK(distance_bound(&table, loss, &o, noise, minimum) < 1e-7, "loss %d: no minimum, %g, at %g of %g", loss->kind,
			  distance_bound(&table, loss, &o, noise, minimum), norm(minimum), o.reach);
		most = fmax(most, distance(end, minimum) / declared);
	}
	CHECK(most <= 1, "loss %d of %g: %g of the distance declared", loss->kind, loss->smoothing, most);
	CHECK(inside > 15 && inside < 105, "%d minima inside of the ball", inside);
	work_free(&w);
}

int
main(void)
{
	Rng			rng = {20111209};
	DpemObjective o;

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
	{
		o = dpem_class_objective(&losses[i], D, 30, 0.9, 300);
		printf("# loss %d: reach %g least %g most %g slope %g distance %g\n", losses[i].kind, o.reach, o.least, o.most, o.slope, dpem_minimum_distance(&o, D));
		check_distance(&rng, &losses[i]);
	}
	return unit_report();
}
