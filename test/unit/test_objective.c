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
	dpem_class_write(loss, dpem_objective_tilt(loss, o), 0, theta);
	for (int step = 0; step < steps; step++)
	{
		pass(w, table, o, theta, sum);
		dpem_minimiser_step(&m, sum);
	}
	memcpy(end, m.at, D * sizeof(double));
}

static double
norm(const double *a)
{
	const double zero[D] = {0};

	return euclidean_distance(D, a, zero);
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

static double
rows_of(const Table *table)
{
	double		rows = 0;

	for (int i = 0; i < table->n; i++)
		rows += table->times[i];
	return rows;
}

/* steps end as near to the minimum as declared: beside 20 times as many steps, and by the gradient there */
static void
check_distance(Rng *rng, const DpemMarginLoss *loss)
{
	Work		w = work_make(D, 3);
	double		most = 0;
	double		hurried = 0;	/* by a quarter of the steps */
	int			inside = 0;

	for (int i = 0; i < DPEM_BLOCK_STRIDE; i++)
		w.block.keep[i] = 1;
	for (int trial = 0; trial < 80; trial++)
	{
		static const int counts[] = {20, 60, 200};
		DpemObjective o = dpem_class_objective(loss, D, pow(10, rng_uniform(rng, -1, 3)), 0.9, counts[rng_below(rng, 3)]);
		double		declared = dpem_minimum_distance(&o, D);
		double		noise[D];
		double		end[D];
		double		quarter[D];
		double		minimum[D];
		Table		table;

		draw_table(rng, trial % 4, &table);
		for (int j = 0; j < D; j++)
			noise[j] = rng_normal(rng) * pow(10, rng_uniform(rng, -1, 3));
		approach(&w, &table, loss, &o, noise, o.passes, end);
		approach(&w, &table, loss, &o, noise, o.passes / 4, quarter);
		approach(&w, &table, loss, &o, noise, 10 * o.passes, minimum);
		inside += norm(minimum) < 0.999 * o.reach;
		CHECK(distance_bound(&table, loss, &o, noise, minimum) < 1e-7 + 1e-14 * rows_of(&table) / o.ridge, "loss %d: no minimum, %g, at %g of %g", loss->kind,
			  distance_bound(&table, loss, &o, noise, minimum), norm(minimum), o.reach);
		most = fmax(most, euclidean_distance(D, end, minimum) / declared);
		hurried = fmax(hurried, euclidean_distance(D, quarter, minimum) / declared);
	}
	CHECK(most <= 1, "loss %d of %g: %g of the distance declared", loss->kind, loss->smoothing, most);
	CHECK(hurried > 1, "loss %d of %g: a quarter of the steps would do, %g", loss->kind, loss->smoothing, hurried);
	CHECK(inside > 10 && inside < 70, "%d minima inside of the ball", inside);
	work_free(&w);
}

/* ---- what a minimum tells --------------------------------------------------------- */

#define CELLS		1200
#define MOST_LINE	6

/* rows on a line, each so many times */
typedef struct Line
{
	int			n;
	double		row[MOST_LINE + 1];
	double		times[MOST_LINE + 1];
} Line;

/* probability of a standard normal deviate between two numbers, in either tail without cancellation */
static double
between(double a, double b)
{
	return a > 0 ? 0.5 * (erfc(a / M_SQRT2) - erfc(b / M_SQRT2)) : 0.5 * (erfc(-b / M_SQRT2) - erfc(-a / M_SQRT2));
}

/* probabilities of the minimum's cells from -reach to reach, its ends included: it is at most w where b is at least minus the rest of the gradient */
static void
law_of_minimum(const Line *line, const DpemMarginLoss *loss, const DpemObjective *o, double sigma, double *probability)
{
	double		before = INFINITY;

	for (int cell = 0; cell < CELLS; cell++)
	{
		double		w = o->reach * (2 * (cell + 1.0) / CELLS - 1);
		double		b = -o->ridge * w;

		for (int i = 0; i < line->n; i++)
			b += line->times[i] * line->row[i] * slope_of(loss, o, line->row[i] * w);
		b = cell == CELLS - 1 ? -INFINITY : b / sigma;
		probability[cell] = between(b, before);
		before = b;
	}
}

/* greatest of what two laws' delta at some epsilon is beyond that of mu, both ways */
static double
excess(const double *p, const double *q, double mu)
{
	double		most = -1;

	for (double epsilon = 0; epsilon < 8 * mu + mu * mu; epsilon += mu / 4)
	{
		double		declared;
		double		delta[2] = {0, 0};

		for (int cell = 0; cell < CELLS; cell++)
		{
			delta[0] += fmax(p[cell] - exp(epsilon) * q[cell], 0);
			delta[1] += fmax(q[cell] - exp(epsilon) * p[cell], 0);
		}
		CHECK(dpem_gdp_delta(mu, epsilon, &declared) == DPEM_OK, "delta");
		most = fmax(most, fmax(delta[0], delta[1]) - declared);
	}
	return most;
}

static void
draw_line(Rng *rng, Line *line)
{
	line->n = rng_below(rng, MOST_LINE);
	for (int i = 0; i <= MOST_LINE; i++)
	{
		line->row[i] = rng_below(rng, 2) ? rng_uniform(rng, -1, 1) : rng_below(rng, 2) ? 1 : -1;
		line->times[i] = i < line->n && rng_below(rng, 2) ? floor(pow(10, rng_uniform(rng, 0, 3))) : 1;
	}
}

/* a row more, or another row: no test of the minimum tells them apart better than mu, but some do than mu without the curvature's part */
static void
check_neighbours(Rng *rng, const DpemMarginLoss *loss)
{
	static double p[CELLS];
	static double q[CELLS];
	double		most = -1;
	double		without = -1;

	for (int trial = 0; trial < 200; trial++)
	{
		bool		replace = trial % 2;
		DpemObjective o = dpem_class_objective(loss, 1, pow(10, rng_uniform(rng, -2, 2)), 1, 300);
		double		sigma = pow(10, rng_uniform(rng, -0.3, 1.5));
		double		slopes = (replace ? 2 : 1) * o.slope / sigma;
		double		mu = slopes + (replace ? 2 : 1) * dpem_objective_curvature_mu(o.most, o.ridge);
		Line		line;

		draw_line(rng, &line);
		line.n++;
		law_of_minimum(&line, loss, &o, sigma, p);
		if (replace)
			line.row[line.n - 1] = -line.row[line.n - 1];
		else
			line.n--;
		law_of_minimum(&line, loss, &o, sigma, q);
		most = fmax(most, excess(p, q, mu));
		without = fmax(without, excess(p, q, slopes));
	}
	CHECK(most <= 1e-9, "loss %d of %g: beyond mu by %g", loss->kind, loss->smoothing, most);
	CHECK(without > 1e-4, "loss %d of %g: the search finds no need of the curvature's part, %g", loss->kind, loss->smoothing, without);
}

/*
 * The proof's one inequality on a grid: a shift of a normal deviate that grows by `steep` parts of the deviate at most, from 0
 * to mu, cannot be told better than mu + sqrt(pi / 2) ln(1 + steep)
 */
static void
check_shifts(Rng *rng)
{
	static double p[CELLS];
	static double q[CELLS];
	double		most = -1;

	for (int trial = 0; trial < 500; trial++)
	{
		double		mu = pow(10, rng_uniform(rng, -1.5, 0.8));
		double		steep = pow(10, rng_uniform(rng, -2, 2));
		double		from = rng_uniform(rng, -4, 4);
		double		declared = mu + dpem_objective_curvature_mu(steep, 1);
		double		before[2] = {-INFINITY, -INFINITY};

		for (int cell = 0; cell < CELLS; cell++)
		{
			double		y = -10 - mu + (20 + 2 * mu) * (cell + 1) / CELLS;
			double		upto[2] = {y, y + fmin(fmax(steep * (y - from), 0), mu)};

			p[cell] = between(before[0], upto[0]);
			q[cell] = between(before[1], upto[1]);
			memcpy(before, upto, sizeof(before));
		}
		most = fmax(most, excess(p, q, declared));
	}
	CHECK(most <= 1e-9, "beyond mu by %g", most);
}

/* the ridge that a part of mu pays for costs that part; wider balls for more passes, less tilt */
static void
check_problems(void)
{
	DpemObjective bad = dpem_class_objective(&losses[0], D, 30, 0.9, 300);

	for (double mu = 0.001; mu < 4; mu *= 3)
		for (double most = 0.01; most < 100; most *= 10)
		{
			double		cost = dpem_objective_curvature_mu(most, dpem_objective_ridge(most, mu));

			CHECK(cost <= mu && cost > mu * (1 - 1e-8), "a ridge for %g costs %g", mu, cost);
		}
	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
	{
		DpemObjective few = dpem_class_objective(&losses[i], D, 30, 0.9, 50);
		DpemObjective many = dpem_class_objective(&losses[i], D, 30, 0.9, 500);

		CHECK(many.reach >= few.reach && many.slope <= few.slope && many.least / many.most < few.least / few.most, "loss %d", losses[i].kind);
		CHECK(dpem_minimum_distance(&few, D) < 1e-4 && dpem_minimum_distance(&many, D) < 1e-4, "loss %d", losses[i].kind);
		CHECK_CLOSE(dpem_objective_sensitivity(&few, true), 2 * few.slope / 0.9, 1e-12, "loss %d", losses[i].kind);
	}
	CHECK(isnan(dpem_minimum_distance(&bad, 0)), "no coordinates");
	bad.ridge = 0;
	CHECK(isnan(dpem_minimum_distance(&bad, D)) && isnan(dpem_objective_sensitivity(&bad, false)), "no ridge");
	bad.ridge = 30;
	bad.part = 1.5;
	CHECK(isnan(dpem_minimum_distance(&bad, D)) && isnan(dpem_objective_sensitivity(&bad, false)), "more than all of mu");
}

int
main(void)
{
	Rng			rng = {20111209};

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
	{
		check_distance(&rng, &losses[i]);
		check_neighbours(&rng, &losses[i]);
	}
	check_shifts(&rng);
	check_problems();
	return unit_report();
}
