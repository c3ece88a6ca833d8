/*
 * test_logit.c - logistic regression: responsibilities stay in [0, 1] whatever
 * the parameters and depend on their row alone; no rows and responsibilities
 * move the stack further than declared (docs/proofs.md, 15).
 */
#include "core/accounting/sensitivity.h"
#include "core/logit/logit_estimate.h"
#include "core/kernels/logit_kernel.h"
#include "core/kernels/kernel.h"
#include "kernel_fixture.h"

#define MOST_D 12

/* ---- the link ------------------------------------------------------------------- */

static double
reference(const double *factor, int d, const Work *w, int row)
{
	long double square = 0;
	long double c;

	for (int j = 0; j < d; j++)
	{
		long double sum = 0;

		for (int i = j; i < d; i++)
			sum += (long double) *factor++ * w->block.x[i * DPEM_BLOCK_STRIDE + row] * 0x1p-13L;
		square += sum * sum;
	}
	c = sqrtl(square);
	return c > 1e-12L ? (double) (2 * tanhl(c / 2) / c) : 1;
}

static void
check_link(Rng *rng, int d, double size)
{
	Work		w = work_make(d, 1);
	Work		alone = work_make(d, 1);
	double	   *factor = uniforms(rng, (size_t) d * (d + 1) / 2, -size, size);
	DpemMomentLayout layout = {1, d, DPEM_SECOND_FULL};
	double		worst = 0;
	int			bad = 0;

	fill_features(rng, &w, 300, Q);
	w.block.keep[7] = 0;
	dpem_kernel_logit.respond(&layout, factor, &w.block, Q, P, w.r, w.scratch);
	for (int row = 0; row < 300; row++)
	{
		double		r = w.r[row];

		alone.block.rows = 3;
		for (int at = 0; at < DPEM_BLOCK_GROUP; at++)
		{
			copy_row(&w, at == 2 ? row : 0, &alone, at);
			alone.block.keep[at] = at < 3 && w.block.keep[at == 2 ? row : 0] != 0;
		}
		dpem_kernel_logit.respond(&layout, factor, &alone.block, Q, P, alone.r, alone.scratch);
		bad += !(r >= 0 && r <= ldexp(1, P) && r == rint(r)) || alone.r[2] != r || alone.r[3] != 0;
		if (row == 7)
			bad += r != 0;
		else
			worst = fmax(worst, fabs(ldexp(r, -P) - reference(factor, d, &w, row)));
	}
	CHECK(bad == 0, "d %d, parameters of size %g: %d rows out of range, or not their own", d, size, bad);
	CHECK(w.r[300] == 0 && w.r[DPEM_BLOCK_STRIDE - 1] == 0, "padding counts");
	CHECK(worst <= ldexp(0.5 + 1e-6, -P), "d %d, parameters of size %g: off by %g", d, size, worst);
	free(factor);
	work_free(&w);
	work_free(&alone);
}

/* parameters beyond the range of double give no responsibility, not one above 1 */
static void
check_overflow(Rng *rng)
{
	static const double values[] = {1e300, -1e308, INFINITY, NAN, 0, 5e-324};
	Work		w = work_make(3, 1);
	double		factor[6];
	int			bad = 0;

	fill_features(rng, &w, 64, Q);
	for (int trial = 0; trial < 500; trial++)
	{
		for (int i = 0; i < 6; i++)
			factor[i] = values[rng_below(rng, 6)];
		dpem_logit_respond(factor, &w.block, Q, P, w.r);
		for (int row = 0; row < 64; row++)
			bad += !(w.r[row] >= 0 && w.r[row] <= ldexp(1, P));
	}
	CHECK(bad == 0, "%d responsibilities outside [0, 1]", bad);
	memset(factor, 0, sizeof(factor));
	dpem_logit_respond(factor, &w.block, Q, P, w.r);
	for (int row = 0; row < 64; row++)
		bad += w.r[row] != ldexp(1, P);
	CHECK(bad == 0, "zero coefficients leave %d rows less than whole", bad);
	work_free(&w);
}

static void
check_signs(Rng *rng)
{
	Work		w = work_make(4, 1);
	Work		plain = work_make(4, 1);
	double		sign[DPEM_BLOCK_STRIDE];
	int			bad = 0;

	fill_features(rng, &w, 100, Q);
	plain.block.rows = 100;
	for (int row = 0; row < 100; row++)
	{
		copy_row(&w, row, &plain, row);
		sign[row] = row % 3 == 0 ? -1 : 1;
	}
	dpem_block_apply_signs(sign, &w.block);
	for (int j = 0; j < 4; j++)
		for (int row = 0; row < 100; row++)
			bad += w.block.x[j * DPEM_BLOCK_STRIDE + row] != sign[row] * plain.block.x[j * DPEM_BLOCK_STRIDE + row];
	CHECK(bad == 0, "%d coordinates have a wrong sign", bad);
	work_free(&w);
	work_free(&plain);
}

/* ---- sensitivity ------------------------------------------------------------------ */

/* two signed rows of the ball and their responsibilities: d + 1 numbers each */
typedef struct Pair
{
	double		row[2][MOST_D + 1];
} Pair;

static void
into_domain(Pair *pair, int d)
{
	for (int side = 0; side < 2; side++)
	{
		double	   *x = pair->row[side];
		double		norm2 = 0;

		x[d] = fmin(fmax(x[d], 0), 1);
		for (int j = 0; j < d; j++)
			norm2 += x[j] * x[j];
		for (int j = 0; j < d && norm2 > 1; j++)
			x[j] /= sqrt(norm2);
	}
}

/* squared change of (a r, b r z, c r svec(z z')); `second` false: the second row is not there */
static double
moved2(const Pair *pair, int d, const double *w, bool second)
{
	const double *x = pair->row[0];
	const double *y = pair->row[1];
	double		q = second ? y[d] : 0;
	double		sum = w[0] * w[0] * (x[d] - q) * (x[d] - q);

	for (int i = 0; i < d; i++)
	{
		double		change = x[d] * x[i] - q * y[i];

		sum += w[1] * w[1] * change * change;
		for (int j = 0; j < d; j++)
		{
			change = x[d] * x[i] * x[j] - q * y[i] * y[j];
			sum += w[2] * w[2] * change * change;
		}
	}
	return sum;
}

static double
search(Rng *rng, int d, const double *w, bool replace_one)
{
	double		worst2 = 0;

	for (int start = 0; start < 60; start++)
	{
		Pair		best;
		double		found = -1;

		for (int step = 0; step < 1500; step++)
		{
			Pair		next = best;
			double		size = step == 0 ? 2 : 2 * pow(0.995, step);

			for (int i = 0; i < 2 * (d + 1); i++)
			{
				double	   *at = &next.row[i / (d + 1)][i % (d + 1)];

				*at = (step == 0 ? 0 : *at) + size * rng_normal(rng);
			}
			into_domain(&next, d);
			if (moved2(&next, d, w, replace_one) > found)
			{
				found = moved2(&next, d, w, replace_one);
				best = next;
			}
		}
		worst2 = fmax(worst2, found);
	}
	return worst2;
}

static void
check_sensitivity(Rng *rng, int d, const double *w, bool replace_one)
{
	double		limit2 = dpem_joint_sensitivity2(1, w[0], w[1], w[2], false);
	double		worst2 = search(rng, d, w, replace_one);

	if (replace_one)
		limit2 = fmax(limit2, dpem_joint_sensitivity2(1, w[0], w[1], w[2], true));
	CHECK(worst2 <= limit2, "d %d weights %g %g %g: moved %.12f, bound %.12f", d, w[0], w[1], w[2],
		  sqrt(worst2), sqrt(limit2));
	CHECK(d < 2 || worst2 >= limit2 * 0.97, "d %d weights %g %g %g: the search reaches %.6f of %.6f only", d,
		  w[0], w[1], w[2], sqrt(worst2), sqrt(limit2));
}

/* under replace_one the sums of a first pass of several are moved as far as alone: the rest is free */
static void
check_weights(void)
{
	double		w[3];

	dpem_logit_weights(true, &w[0], &w[1], &w[2]);
	CHECK_CLOSE(dpem_joint_sensitivity2(1, w[0], w[1], w[2], true), dpem_joint_sensitivity2(1, 0, w[1], w[2], true),
				1e-12, "counts are free");
	CHECK(dpem_joint_sensitivity2(1, w[0], w[1], w[2], false) <= dpem_joint_sensitivity2(1, 0, w[1], w[2], true),
		  "and the null row moves no more");
}

/* ---- the link of gradients ------------------------------------------------------------------------ */

static double
dot(const double *mean, const Work *w, int row)
{
	double		sum = 0;

	for (int j = 0; j < w->d; j++)
		sum += mean[j] * ldexp(w->block.x[j * DPEM_BLOCK_STRIDE + row], -Q);
	return sum;
}

/* how much longer a row is than what is left of it; its constant may be as short as nothing */
static double
stretch(const Work *w, double whole, int row)
{
	double		constant = fabs(ldexp(w->block.x[(w->d - 1) * DPEM_BLOCK_STRIDE + row], -Q));

	return whole == 0 || whole <= constant ? 1 : whole / constant < DPEM_MOST_STRETCH ? whole / constant : DPEM_MOST_STRETCH;
}

/* with a constant that is `whole` in rows that were not clipped; 0: none */
static void
check_gradient_link(Rng *rng, int d, double size, double whole)
{
	Work		w = work_make(d, 1);
	Work		alone = work_make(d, 1);
	double	   *mean = uniforms(rng, d + 1, -size, size);
	DpemMomentLayout layout = {1, d, DPEM_SECOND_NONE};
	int			bad = 0;

	fill_features(rng, &w, 300, Q);
	w.block.keep[7] = 0;
	w.block.x[(d - 1) * DPEM_BLOCK_STRIDE + 11] = 0;
	mean[d] = whole;
	dpem_kernel_logit_gradient.respond(&layout, mean, &w.block, Q, P, w.r, w.scratch);
	for (int row = 0; row < 300; row++)
	{
		double		r = w.r[row];

		alone.block.rows = 1;
		copy_row(&w, row, &alone, 0);
		alone.block.keep[0] = row != 7;
		dpem_kernel_logit_gradient.respond(&layout, mean, &alone.block, Q, P, alone.r, alone.scratch);
		bad += !(r >= 0 && r <= ldexp(1, P) && r == rint(r)) || alone.r[0] != r || (row == 7 && r != 0);
		bad += row != 7 && !(fabs(ldexp(r, -P) - 1 / (1 + exp(stretch(&w, whole, row) * dot(mean, &w, row)))) < ldexp(0.5 + 1e-6, -P));
	}
	CHECK(bad == 0, "d %d, coefficients of size %g: %d rows out of range, wrong, or not their own", d, size, bad);
	for (int i = 0; i < d; i++)
		mean[i] = i % 2 ? NAN : 1e308;
	dpem_kernel_logit_gradient.respond(&layout, mean, &w.block, Q, P, w.r, w.scratch);
	for (int row = 0; row < 300; row++)
		bad += !(w.r[row] >= 0 && w.r[row] <= ldexp(1, P));
	CHECK(bad == 0, "%d residuals outside [0, 1] of coefficients that are no numbers", bad);
	layout.second = DPEM_SECOND_FULL;
	CHECK(!dpem_kernel_logit_gradient.theta_valid(&layout, mean), "gradients with second moments");
	layout.second = DPEM_SECOND_NONE;
	CHECK(dpem_kernel_logit_gradient.theta_valid(&layout, mean) && dpem_kernel_logit_gradient.theta_length(&layout) == (size_t) d + 1, "parameters");
	mean[d] = -1;
	CHECK(!dpem_kernel_logit_gradient.theta_valid(&layout, mean), "a constant below zero");
	free(mean);
	work_free(&w);
	work_free(&alone);
}

int
main(void)
{
	static const double weights[][3] = {{0, 0, 1}, {1.5, 1, M_SQRT1_2}, {1.5, 1, M_SQRT2}, {0.3, 1, M_SQRT1_2}, {0.3, 1, M_SQRT2}};
	Rng			rng = {20161109};
	double		size = 1;
	double		scale[2];
	double		radius;

	for (int d = 1; d <= MOST_D; d += d < 4 ? 1 : 4)
	{
		check_link(&rng, d, 0.01);
		check_link(&rng, d, 1);
		check_link(&rng, d, 50);
	}
	check_overflow(&rng);
	check_signs(&rng);
	for (size_t i = 0; i < sizeof(weights) / sizeof(weights[0]); i++)
		for (int d = 1; d <= 3; d++)
		{
			check_sensitivity(&rng, d, weights[i], true);
			check_sensitivity(&rng, d, weights[i], false);
		}
	check_weights();
	check_gradient_link(&rng, 1, 3, 0);
	check_gradient_link(&rng, 11, 40, 0);
	check_gradient_link(&rng, 1, 3, 0.8);
	check_gradient_link(&rng, 3, 3, 0.4);
	check_gradient_link(&rng, 11, 40, 0.9);
	dpem_logit_frame(2, true, 1, &size, scale, &radius);
	CHECK(sqrt(radius * radius - scale[1] * scale[1]) > 1.5, "rows of a column keep more than a deviation beside the constant");
	CHECK(dpem_kernel_from_code(9) == &dpem_kernel_logit && dpem_kernel_logit.labelled, "the kernel's code");
	return unit_report();
}
