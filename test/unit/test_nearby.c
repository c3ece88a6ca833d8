/*
 * test_nearby.c - rows about released centers: the unit ball holds exactly,
 * for every row and wherever it stands.
 */
#include "core/accounting/sensitivity.h"
#include "core/kernels/kernel.h"
#include "core/kernels/nearby.h"
#include "kernel_fixture.h"

typedef struct Case
{
	int			k;
	int			d;
	double	   *theta;			/* centers, then reaches */
	Work		w;
	double	   *scratch;
	int32_t		component[DPEM_BLOCK_ROWS];
} Case;

/* reaches from a thousandth of the ball to more than all of it */
static Case
make_case(Rng *rng, int k, int d, int bits)
{
	Case		c = {.k = k,.d = d,.theta = numbers(dpem_nearby_theta_length(k, d)),.w = work_make(d, 1)};

	for (int i = 0; i < k * d; i++)
		c.theta[i] = rng_uniform(rng, -1, 1) / sqrt(d);
	for (int i = 0; i < k; i++)
		c.theta[k * d + i] = pow(10, rng_uniform(rng, -3, 0.5));
	c.scratch = numbers(dpem_nearby_scratch());
	fill_features(rng, &c.w, DPEM_BLOCK_ROWS - rng_below(rng, 40), bits);
	return c;
}

static void
free_case(Case *c)
{
	free(c->theta);
	free(c->scratch);
	work_free(&c->w);
}

static void
get_row(const Work *w, int row, double *x)
{
	for (int j = 0; j < w->d; j++)
		x[j] = w->block.x[j * DPEM_BLOCK_STRIDE + row];
}

/* y by its definition, clipped; returns its center */
static int
slow_nearby(const Case *c, const double *x, double unit, double *y)
{
	int			best = 0;
	double		least = INFINITY;
	double		norm = 0;

	for (int i = 0; i < c->k; i++)
	{
		double		square = 0;

		for (int j = 0; j < c->d; j++)
			square += pow(x[j] / unit - c->theta[i * c->d + j], 2);
		if (square < least)
		{
			least = square;
			best = i;
		}
	}
	for (int j = 0; j < c->d; j++)
	{
		y[j] = (x[j] / unit - c->theta[best * c->d + j]) / c->theta[c->k * c->d + best];
		norm += y[j] * y[j];
	}
	for (int j = 0; j < c->d && norm > 1; j++)
		y[j] /= sqrt(norm);
	return best;
}

static void
check_rows(Case *c, const Work *before, int bits)
{
	double		unit = ldexp(1, bits);
	double		slack = bits > 0 ? (0.5 + sqrt(c->d)) / unit : 1e-13 * c->d;
	int			outside = 0;
	int			wrong = 0;

	for (int row = 0; row < c->w.block.rows; row++)
	{
		double		x[16];
		double		y[16];
		double		expected[16];
		int64_t		square = 0;
		double		real = 0;

		get_row(before, row, x);
		get_row(&c->w, row, y);
		wrong += c->component[row] != slow_nearby(c, x, unit, expected);
		for (int j = 0; j < c->d; j++)
		{
			wrong += !(fabs(y[j] / unit - expected[j]) <= slack) || (bits > 0 && y[j] != rint(y[j]));
			square += (int64_t) y[j] * (int64_t) y[j];
			real += y[j] * y[j];
		}
		outside += bits > 0 ? square > (INT64_C(1) << (2 * bits)) : real > 1;
	}
	CHECK(outside == 0 && wrong == 0, "k %d d %d bits %d: %d rows outside the ball, %d wrong", c->k, c->d, bits,
		  outside, wrong);
}

static void
test_rows(void)
{
	Rng			rng = {1};

	for (int test = 0; test < 300; test++)
	{
		int			bits = test % 3 == 0 ? 0 : Q;
		Case		c = make_case(&rng, 1 + rng_below(&rng, 9), 1 + rng_below(&rng, 12), bits);
		Work		before = work_make(c.d, 1);

		for (int row = 0; row < c.w.block.rows; row++)
			copy_row(&c.w, row, &before, row);
		dpem_nearby_locate(c.k, c.theta, &c.w.block, bits, c.component, c.scratch);
		check_rows(&c, &before, bits);
		work_free(&before);
		free_case(&c);
	}
}

/* rows at the very border, just where rounding could push them out, in every direction */
static void
test_border(void)
{
	Rng			rng = {2};
	int			outside = 0;
	int			rows = 0;

	for (int test = 0; test < 400; test++)
	{
		int			d = 1 + rng_below(&rng, 12);
		Case		c = make_case(&rng, 1, d, Q);

		for (int j = 0; j < d; j++)
			c.theta[j] = 0;
		c.theta[d] = rng_uniform(&rng, 0.05, 0.2);
		dpem_nearby_locate(1, c.theta, &c.w.block, Q, c.component, c.scratch);
		for (int row = 0; row < c.w.block.rows; row++)
		{
			double		y[16];
			int64_t		square = 0;

			get_row(&c.w, row, y);
			for (int j = 0; j < d; j++)
				square += (int64_t) y[j] * (int64_t) y[j];
			outside += square > INT64_C(1) << (2 * Q);
			rows++;
		}
		free_case(&c);
	}
	CHECK(outside == 0, "%d of %d rows outside", outside, rows);
}

/* what a row becomes does not depend on its place or its neighbours */
static void
test_row_purity(void)
{
	Rng			rng = {3};

	for (int test = 0; test < 60; test++)
	{
		Case		c = make_case(&rng, 1 + rng_below(&rng, 9), 1 + rng_below(&rng, 12), Q);
		Case		other = make_case(&rng, c.k, c.d, Q);
		int			place[20];
		int			wrong = 0;

		for (int i = 0; i < 20; i++)
		{
			place[i] = rng_below(&rng, other.w.block.rows);
			copy_row(&c.w, i, &other.w, place[i]);
		}
		dpem_nearby_locate(c.k, c.theta, &c.w.block, Q, c.component, c.scratch);
		dpem_nearby_locate(c.k, c.theta, &other.w.block, Q, other.component, other.scratch);
		for (int i = 0; i < 20; i++)
		{
			bool		last = true;	/* nobody was copied over it later */

			for (int l = i + 1; l < 20; l++)
				last = last && place[l] != place[i];
			if (!last)
				continue;
			wrong += other.component[place[i]] != c.component[i];
			for (int j = 0; j < c.d; j++)
				wrong += other.w.block.x[j * DPEM_BLOCK_STRIDE + place[i]] != c.w.block.x[j * DPEM_BLOCK_STRIDE + i];
		}
		CHECK(wrong == 0, "%d numbers changed with the place", wrong);
		free_case(&c);
		free_case(&other);
	}
}

/* null rows, and numbers beyond the range of double, add nothing */
static void
test_null_rows(void)
{
	Rng			rng = {4};
	Case		c = make_case(&rng, 3, 2, Q);
	DpemMomentLayout layout = {3, 2, DPEM_SECOND_NONE};
	DpemInt128	total[9] = {0};
	int64_t		expected[9] = {0};
	int			wrong = 0;

	c.w.block.keep[5] = 0;
	dpem_nearby_locate(3, c.theta, &c.w.block, Q, c.component, c.scratch);
	CHECK(c.component[5] == -1 && c.w.block.x[5] == 0, "a null row");
	dpem_moments_add_located(&layout, &c.w.block, c.component, INT64_C(1) << P, total);
	for (int row = 0; row < c.w.block.rows; row++)
		for (int j = 0; row != 5 && j < 3; j++)
			expected[3 * c.component[row] + j] +=
				j == 0 ? 1 : (int64_t) c.w.block.x[(j - 1) * DPEM_BLOCK_STRIDE + row];
	for (int i = 0; i < 9; i++)
		wrong += total[i] != (DpemInt128) expected[i] << P;
	CHECK(wrong == 0, "%d of 9 sums", wrong);
	c.theta[0] = c.theta[2] = c.theta[4] = 1.7e308;
	c.theta[6] = c.theta[7] = c.theta[8] = 1e-300;
	dpem_nearby_locate(3, c.theta, &c.w.block, Q, c.component, c.scratch);
	wrong = 0;
	for (int row = 0; row < c.w.block.rows; row++)
		wrong += c.component[row] != -1 || c.w.block.x[row] != 0;
	CHECK(wrong == 0, "%d rows of no number are counted", wrong);
	free_case(&c);
}

/* ---- what one row adds, and how far a row moves it ---- */

/* (a count, b sums, c norms) of one row alone, in rows and units of the ball, by the kernel and the accumulation */
static void
stack_row(const Case *c, const Work *rows, int row, const double *weight, double *stack)
{
	DpemMomentLayout layout = {c->k, c->d, DPEM_SECOND_NORM};
	size_t		record = dpem_moments_record(&layout);
	Work		one = work_make(c->d, 1);
	int32_t		component[DPEM_BLOCK_ROWS];
	DpemInt128	total[9 * 14] = {0};

	fill_features(&(Rng) {9}, &one, 1, Q);
	copy_row(rows, row, &one, 0);
	dpem_nearby_locate(c->k, c->theta, &one.block, Q, component, c->scratch);
	dpem_moments_add_located(&layout, &one.block, component, INT64_C(1) << P, total);
	for (size_t i = 0; i < dpem_moments_length(&layout); i++)
	{
		size_t		at = i % record;

		stack[i] = at == 0 ? weight[0] * ldexp((double) total[i], -P)
			: at < record - 1 ? weight[1] * ldexp((double) total[i], -P - Q) : weight[2] * ldexp((double) total[i], -P - 2 * Q);
	}
	work_free(&one);
}

/* a search for a row, or two, that move the stack further than is charged for */
static void
test_sensitivity(void)
{
	Rng			rng = {6};
	double		closest[2] = {0, 0};
	int			beyond = 0;

	for (int test = 0; test < 60; test++)
	{
		Case		c = make_case(&rng, 1 + rng_below(&rng, 9), 1 + rng_below(&rng, 12), Q);
		double		weight[3] = {rng_uniform(&rng, 0, 1), rng_uniform(&rng, 0, 1), rng_uniform(&rng, 0, 1)};
		double		most[2];

		for (int replace = 0; replace < 2; replace++)
			most[replace] = dpem_joint_sensitivity2(c.k, weight[0], weight[1], weight[2], replace);
		for (int pair = 0; pair < 100; pair++)
		{
			double		x[9 * 14];
			double		y[9 * 14];
			double		square[2] = {0, 0};

			stack_row(&c, &c.w, rng_below(&rng, c.w.block.rows), weight, x);
			stack_row(&c, &c.w, rng_below(&rng, c.w.block.rows), weight, y);
			for (int i = 0; i < c.k * (c.d + 2); i++)
			{
				square[0] += x[i] * x[i];
				square[1] += (x[i] - y[i]) * (x[i] - y[i]);
			}
			for (int replace = 0; replace < 2; replace++)
			{
				beyond += square[replace] > most[replace];
				closest[replace] = fmax(closest[replace], square[replace] / most[replace]);
			}
		}
		free_case(&c);
	}
	CHECK(beyond == 0, "%d rows or pairs move the sums further than the bound", beyond);
	CHECK(closest[0] > 0.999 && closest[1] > 0.9, "the bounds are approached: %g, %g", closest[0], closest[1]);
}

/* rows' votes for the nearest of public points: counts alone, in both norms and both adjacencies */
static void
test_votes(void)
{
	Rng			rng = {8};
	double		closest[2] = {0, 0};
	int			beyond = 0;

	for (int test = 0; test < 60; test++)
	{
		Case		c = make_case(&rng, 1 + rng_below(&rng, 9), 1 + rng_below(&rng, 12), Q);
		const double counts[3] = {1, 0, 0};

		for (int pair = 0; pair < 100; pair++)
		{
			double		x[9 * 14];
			double		y[9 * 14];
			double		square[2] = {0, 0};
			double		size[2] = {0, 0};

			stack_row(&c, &c.w, rng_below(&rng, c.w.block.rows), counts, x);
			stack_row(&c, &c.w, rng_below(&rng, c.w.block.rows), counts, y);
			for (int i = 0; i < c.k * (c.d + 2); i++)
			{
				square[0] += x[i] * x[i];
				square[1] += (x[i] - y[i]) * (x[i] - y[i]);
				size[0] += fabs(x[i]);
				size[1] += fabs(x[i] - y[i]);
			}
			for (int replace = 0; replace < 2; replace++)
			{
				beyond += square[replace] > dpem_joint_sensitivity2(c.k, 1, 0, 0, replace) ||
					size[replace] > dpem_joint_sensitivity1(c.k, c.d, 1, 0, replace);
				closest[replace] = fmax(closest[replace], square[replace]);
			}
		}
		free_case(&c);
	}
	CHECK(beyond == 0, "%d rows or pairs have more votes than one", beyond);
	CHECK(closest[0] == 1 && closest[1] == 2, "a vote that appears, and one that moves: %g, %g", closest[0], closest[1]);
}

/* squared norms of the integers, whichever way they are added up */
static void
test_norms(void)
{
	Rng			rng = {7};
	Case		c = make_case(&rng, 2, 3, Q);
	DpemMomentLayout layout = {2, 3, DPEM_SECOND_NORM};
	DpemInt128	total[10] = {0};
	double		real[10] = {0};
	int64_t		expected[2] = {0, 0};

	dpem_nearby_locate(2, c.theta, &c.w.block, Q, c.component, c.scratch);
	dpem_moments_add_located(&layout, &c.w.block, c.component, INT64_C(1) << P, total);
	dpem_moments_add_located_real(&layout, &c.w.block, c.component, real);
	for (int row = 0; row < c.w.block.rows; row++)
		for (int j = 0; j < 3; j++)
			expected[c.component[row]] += (int64_t) (c.w.block.x[j * DPEM_BLOCK_STRIDE + row] * c.w.block.x[j * DPEM_BLOCK_STRIDE + row]);
	for (int k = 0; k < 2; k++)
		CHECK(total[5 * k + 4] == (DpemInt128) expected[k] << P && real[5 * k + 4] == (double) expected[k], "cluster %d", k);
	free_case(&c);
}

static void
test_theta(void)
{
	double		theta[5] = {0, 0, 0.1, 0, 1};
	DpemMomentLayout layout = {2, 1, DPEM_SECOND_NONE};

	CHECK(dpem_kernel_theta_length(&dpem_kernel_nearby, &layout, theta, 4) == 4, "two centers, two reaches");
	CHECK(!dpem_kernel_nearby.theta_valid(&layout, theta), "a reach of zero");
	theta[3] = 0.5;
	CHECK(dpem_kernel_nearby.theta_valid(&layout, theta), "positive reaches");
	layout.second = DPEM_SECOND_NORM;
	CHECK(dpem_kernel_nearby.theta_valid(&layout, theta), "squared norms beside the sums");
	layout.second = DPEM_COUNTS_ALONE;
	CHECK(dpem_kernel_nearby.theta_valid(&layout, theta), "counts alone");
	layout.second = DPEM_SECOND_FULL;
	CHECK(!dpem_kernel_nearby.theta_valid(&layout, theta), "second moments would not be the kernel's");
	CHECK(dpem_kernel_from_code(dpem_kernel_nearby.code) == &dpem_kernel_nearby, "the kernel's code");
}

int
main(void)
{
	test_rows();
	test_border();
	test_row_purity();
	test_null_rows();
	test_sensitivity();
	test_votes();
	test_norms();
	test_theta();
	return unit_report();
}
