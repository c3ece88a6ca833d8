/*
 * test_descent.c - gradient steps over rows: slopes in two digits, steps as the wall makes them, and a search
 * for neighbouring rows whose steps end further apart than declared (docs/proofs.md, 27).
 */
#include "core/kernels/kernel.h"
#include "core/kernels/logit_kernel.h"
#include "kernel_fixture.h"

#define MOST_ROWS	60
#define D			3

static const DpemMarginLoss losses[] = {
	{DPEM_LOSS_LOGISTIC, 1}, {DPEM_LOSS_HINGE, 0.5}, {DPEM_LOSS_HINGE, 0.05}, {DPEM_LOSS_HINGE, 5}
};

/* rows of integers in the ball, sign included */
typedef struct Table
{
	int			n;
	double		row[MOST_ROWS][D];
} Table;

static void
draw_row(Rng *rng, double *row)
{
	double		norm2 = 0;
	double		size = rng_below(rng, 3) ? 1 : rng_uniform(rng, 0, 1);

	for (int j = 0; j < D; j++)
	{
		row[j] = rng_below(rng, 3) ? rng_normal(rng) : 0;
		norm2 += row[j] * row[j];
	}
	for (int j = 0; j < D; j++)
		row[j] = trunc(norm2 > 0 ? row[j] / sqrt(norm2) * size * (ldexp(1, Q) - 2) : 0);
}

/* alike, opposite or anyhow */
static void
draw_table(Rng *rng, Table *table)
{
	int			kind = rng_below(rng, 4);

	table->n = rng_below(rng, MOST_ROWS - 1);
	for (int i = 0; i < table->n; i++)
	{
		draw_row(rng, table->row[i]);
		for (int j = 0; j < D && kind > 0 && i > 0; j++)
			table->row[i][j] = (kind == 2 && i % 2 ? -1 : 1) * table->row[0][j] * (kind == 3 && i % 3 == 0 ? 0 : 1);
	}
}

/* one pass, as dpem_release_steps takes it from exact sums */
static double
pass(Work *w, const Table *table, const double *theta, double *sum)
{
	double		rows = 0;

	w->block.rows = table->n;
	for (int i = 0; i < table->n; i++)
		for (int j = 0; j < D; j++)
			w->block.x[(size_t) j * DPEM_BLOCK_STRIDE + i] = table->row[i][j];
	dpem_slopes_respond(2, theta, &w->block, Q, P, w->r);
	for (int i = 0; i < table->n; i++)
		rows += ldexp(w->r[i], -P);
	for (int j = 0; j < D; j++)
	{
		double		leading = 0;
		double		following = 0;

		for (int i = 0; i < table->n; i++)
		{
			leading += w->r[i] * table->row[i][j];
			following += w->r[DPEM_BLOCK_STRIDE + i] * table->row[i][j];
		}
		sum[j] = ldexp(leading, -P - Q) + ldexp(following, -2 * P - Q);
	}
	return rows;
}

static void
descend(Work *w, const Table *table, const DpemMarginLoss *loss, const DpemSteps *steps, double *end)
{
	const DpemMarginLoss none = {DPEM_LOSS_NONE, 1};
	double		theta[DPEM_CLASS_HEAD + D] = {0};
	double		sum[D];
	DpemDescent descent = {.steps = *steps,.d = D,.at = theta + DPEM_CLASS_HEAD};

	dpem_class_write(&none, 0, 0, theta);
	dpem_descent_first(&descent, pass(w, table, theta, sum), sum);
	dpem_class_write(loss, 0, 0, theta);
	for (int step = 1; step < steps->count; step++)
	{
		pass(w, table, theta, sum);
		dpem_descent_next(&descent, sum);
	}
	memcpy(end, descent.at, D * sizeof(double));
}

static DpemSteps
draw_steps(Rng *rng, const DpemMarginLoss *loss)
{
	static const int counts[] = {1, 2, 3, 5, 10, 30, 100};

	return (DpemSteps) {
		.ridge = pow(10, rng_uniform(rng, -3, 3)),.slope = dpem_loss_slope(loss, 0),.curvature = dpem_loss_most_curvature(loss),
			.count = counts[rng_below(rng, 7)]
	};
}

/* a row more, or another row: greatest parts of what is declared */
static void
check_neighbours(Rng *rng, const DpemMarginLoss *loss)
{
	Work		w = work_make(D, 2);
	double		most[2] = {0, 0};

	for (int i = 0; i < DPEM_BLOCK_STRIDE; i++)
		w.block.keep[i] = 1;
	for (int trial = 0; trial < 6000; trial++)
	{
		bool		replace = trial % 2;
		DpemSteps	steps = draw_steps(rng, loss);
		Table		table;
		Table		other;
		bool		opposite = replace && rng_below(rng, 2);
		double		end[2][D];

		draw_table(rng, &table);
		if (replace && table.n == 0)
			draw_row(rng, table.row[table.n++]);
		other = table;
		draw_row(rng, other.row[replace ? other.n - 1 : other.n++]);
		for (int j = 0; j < D && opposite; j++)
			other.row[other.n - 1][j] = -table.row[other.n - 1][j];
		descend(&w, &table, loss, &steps, end[0]);
		descend(&w, &other, loss, &steps, end[1]);
		most[replace] = fmax(most[replace], euclidean_distance(D, end[0], end[1]) / dpem_steps_sensitivity(&steps, D, replace));
	}
	CHECK(most[0] <= 1 && most[1] <= 1, "loss %d of %g: moved %g and %g of what is declared", loss->kind, loss->smoothing, most[0], most[1]);
	CHECK(most[0] > 0.45 && most[1] > 0.45, "loss %d of %g: the search found %g and %g only", loss->kind, loss->smoothing, most[0], most[1]);
	work_free(&w);
}

/* both digits are integers in [0, 2^p], of their row alone, and make the slope to 2^-36 */
static void
check_digits(Rng *rng, const DpemMarginLoss *loss, double size)
{
	Work		w = work_make(D, 2);
	double		theta[DPEM_CLASS_HEAD + D];
	int			bad = 0;

	fill_features(rng, &w, 200, Q);
	w.block.keep[5] = 0;
	for (int j = 0; j < D; j++)
		theta[DPEM_CLASS_HEAD + j] = rng_uniform(rng, -size, size);
	dpem_class_write(loss, 0, 0, theta);
	dpem_slopes_respond(2, theta, &w.block, Q, P, w.r);
	for (int row = 0; row < 200; row++)
	{
		double		first = w.r[row];
		double		second = w.r[DPEM_BLOCK_STRIDE + row];
		double		z = 0;

		for (int j = 0; j < D; j++)
			z += theta[DPEM_CLASS_HEAD + j] * ldexp(w.block.x[(size_t) j * DPEM_BLOCK_STRIDE + row], -Q);
		bad += first != rint(first) || second != rint(second) || first < 0 || second < 0 || first > ldexp(1, P) || second > ldexp(1, P);
		bad += row == 5 ? first != 0 || second != 0
			: fabs(ldexp(first, -P) + ldexp(second, -2 * P) - dpem_loss_slope(loss, z)) > 0x1.01p-36 + 1e-15 * size * dpem_loss_most_curvature(loss);
	}
	CHECK(bad == 0, "loss %d of %g, size %g: %d rows", loss->kind, loss->smoothing, size, bad);
	work_free(&w);
}

/* steps end at the minimum: the gradient there is zero */
static void
check_minimum(Rng *rng, const DpemMarginLoss *loss)
{
	DpemSteps	steps = {.ridge = 30,.slope = dpem_loss_slope(loss, 0),.curvature = dpem_loss_most_curvature(loss),.count = 20000};
	Work		w = work_make(D, 2);
	Table		table;
	double		theta[DPEM_CLASS_HEAD + D];
	double		sum[D];

	for (int i = 0; i < DPEM_BLOCK_STRIDE; i++)
		w.block.keep[i] = 1;
	do
		draw_table(rng, &table);
	while (table.n < 20);
	descend(&w, &table, loss, &steps, theta + DPEM_CLASS_HEAD);
	dpem_class_write(loss, 0, 0, theta);
	pass(&w, &table, theta, sum);
	for (int j = 0; j < D; j++)
		CHECK(fabs(sum[j] - steps.ridge * theta[DPEM_CLASS_HEAD + j]) < 1e-8, "loss %d: gradient %g", loss->kind, sum[j] - steps.ridge * theta[DPEM_CLASS_HEAD + j]);
	work_free(&w);
}

/* the constant of the proof is the supremum of what it bounds, h(s) = 1 - (1 - s)^T (1 - L s T) */
static void
check_constant(void)
{
	for (double slope = 0.5; slope <= 1; slope += 0.25)
	{
		double		most = 0;

		for (int count = 1; count <= 4096; count *= 2)
			for (double s = 1e-6; s <= 1; s *= 1.01)
				most = fmax(most, 1 - pow(1 - s, count) * (1 - slope * s * count));
		CHECK(most <= 1 + slope * exp(-1 - 1 / slope) && most > 0.999 * (1 + slope * exp(-1 - 1 / slope)), "slope %g: %g", slope, most);
	}
}

static void
check_domain(void)
{
	const DpemSteps good = {.ridge = 1,.slope = 0.5,.curvature = 0.25,.count = 10};
	DpemSteps	bad[6];

	for (int i = 0; i < 6; i++)
		bad[i] = good;
	bad[0].ridge = 0;
	bad[1].slope = 1.5;
	bad[2].curvature = NAN;
	bad[3].count = 0;
	bad[4].ridge = INFINITY;
	bad[5].slope = -1;
	CHECK(dpem_steps_sensitivity(&good, D, false) > 1 && dpem_steps_sensitivity(&good, D, true) > 2, "in units of the coefficients");
	CHECK(dpem_steps_rounding(&good, 100) < 1e-6, "rounding is %g", dpem_steps_rounding(&good, 100));
	for (int i = 0; i < 6; i++)
		CHECK(isnan(dpem_steps_sensitivity(&bad[i], D, false)), "%d", i);
	CHECK(isnan(dpem_steps_sensitivity(&good, 0, true)), "no coordinates");
}

int
main(void)
{
	Rng			rng = {20171003};

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
	{
		for (double size = 1; size <= 1e4; size *= 10)
			check_digits(&rng, &losses[i], size);
		check_neighbours(&rng, &losses[i]);
		check_minimum(&rng, &losses[i]);
	}
	check_constant();
	check_domain();
	CHECK(dpem_kernel_from_code(46) == &dpem_kernel_slopes, "code");
	return unit_report();
}
