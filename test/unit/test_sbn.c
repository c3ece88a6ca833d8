/*
 * test_sbn.c - sigmoid belief networks: the bound is one and inference climbs
 * it; statistics are its gradient, integers in their balls whatever the
 * parameters, and each row's own; no two rows move them further than declared
 * (docs/proofs.md, 17).
 */
#include "core/accounting/sensitivity.h"
#include "sbn_fixture.h"

static void
make_net(Rng *rng, int hidden, int d, double size, Net *net)
{
	net->theta[0] = 1;
	for (int i = 0; i < hidden + (1 + hidden) * d; i++)
		net->theta[1 + i] = size * rng_normal(rng);
	place_net(hidden, d, net);
}

static void
check_bound(Rng *rng, int hidden, int d, double size)
{
	Net			net;
	double		total = 0;
	int			bad = 0;

	make_net(rng, hidden, d, size, &net);
	for (int v = 0; v < 1 << d; v++)
	{
		double		last = -INFINITY;

		set_row(&net, v);
		for (int sweeps = 0; sweeps < 12; sweeps++)
		{
			double		bound;

			dpem_sbn_infer(&net.sbn, sweeps, &net.rows);
			bound = dpem_sbn_bound(&net.sbn, &net.rows, 0);
			bad += !(bound >= last - 1e-9 && bound <= log_probability(&net, v) + 1e-9);
			last = bound;
		}
		total += exp(last);
	}
	CHECK(bad == 0, "hidden %d d %d size %g: %d bounds fall, or are none", hidden, d, size, bad);
	CHECK(total <= 1 + 1e-9 && (size > 0.5 || total > 0.9), "hidden %d d %d size %g: probabilities add up to %g",
		  hidden, d, size, total);
}

/* ---- statistics -------------------------------------------------------------------- */

/* without noise or clipping the sums are the bound's derivatives and E[h~ h~'] */
static void
check_gradient(Rng *rng, int hidden, int d, double size)
{
	Net			net;
	Work		w = work_make(d, 1);
	double		sums[MOST_SUMS];
	double		on[1 + MOST_HIDDEN];
	double		clip = sqrt((double) d * (1 + hidden));
	int			v = rng_below(rng, 1 << d);
	double		worst = 0;

	make_net(rng, hidden, d, size, &net);
	net.theta[0] = clip;
	fill_rows(rng, &w, 1);
	for (int j = 0; j < d; j++)
		w.block.x[j * DPEM_BLOCK_STRIDE] = v >> j & 1 ? 0.5 : -0.5;
	accumulate(&net, &w, false, sums);
	set_row(&net, v);
	dpem_sbn_infer(&net.sbn, DPEM_SBN_SWEEPS, &net.rows);
	for (int k = 0; k <= hidden; k++)
		on[k] = net.rows.on[(size_t) k * G];
	for (int k = 0; k <= hidden; k++)
	{
		for (int j = 0; j < d; j++)
		{
			double	   *weight = &net.theta[1 + hidden + k * d + j];
			double		before = *weight;
			double		slope;

			*weight = before + 1e-5;
			slope = bound_at(&net, v, on);
			*weight = before - 1e-5;
			slope = (slope - bound_at(&net, v, on)) / 2e-5;
			*weight = before;
			worst = fmax(worst, fabs(slope - clip * sums[gradient_at(&net, k, j)]));
		}
		for (int l = 0; l <= hidden; l++)
			worst = fmax(worst, fabs((1 + hidden) * sums[product_at(&net, k, l)] - (k == l ? on[k] : on[k] * on[l])));
	}
	CHECK(worst < 1e-8, "hidden %d d %d size %g: off by %g", hidden, d, size, worst);
	work_free(&w);
}

/* squared norms of one row's integers: the gradient's and the products' */
static void
norms(const Net *net, const double *sums, double *gradient2, double *product2)
{
	*gradient2 = *product2 = 0;
	for (int k = 0; k <= net->sbn.hidden; k++)
	{
		for (int j = 0; j < net->sbn.d; j++)
			*gradient2 += pow(sums[gradient_at(net, k, j)], 2);
		for (int l = 0; l <= net->sbn.hidden; l++)
			*product2 += pow(sums[product_at(net, k, l)], 2);
	}
}

/* a row's integers alone, at a place and among rows that change nothing; they add up to the block's */
static void
check_rows(Rng *rng, int hidden, int d, double size, double clip)
{
	Net			net;
	Work		w = work_make(d, 1);
	Work		alone = work_make(d, 1);
	DpemMomentLayout layout;
	size_t		length;
	double	   *sums;
	double	   *one;
	double	   *total;
	int			bad = 0;

	make_net(rng, hidden, d, size, &net);
	net.theta[0] = clip;
	layout = layout_of(&net);
	length = dpem_moments_length(&layout);
	sums = numbers(length);
	one = numbers(length);
	total = uniforms(rng, length, 0, 0);
	fill_rows(rng, &w, 70);
	w.block.keep[7] = 0;
	accumulate(&net, &w, true, sums);
	for (int row = 0; row < 70; row++)
	{
		double		gradient2;
		double		product2;

		fill_rows(rng, &alone, 40);
		for (int at = 0; at < 40; at++)
			alone.block.keep[at] = 0;
		copy_row(&w, row, &alone, row % 40);
		accumulate(&net, &alone, true, one);
		norms(&net, one, &gradient2, &product2);
		bad += !(gradient2 <= 0x1p62 && product2 <= 0x1p88) || (row == 7) != (product2 == 0);
		for (size_t i = 0; i < length; i++)
		{
			bad += one[i] != rint(one[i]);
			total[i] += one[i];
		}
	}
	for (size_t i = 0; i < length; i++)
		bad += total[i] != sums[i];
	CHECK(bad == 0, "hidden %d d %d size %g clip %g: %d numbers outside, or not the row's own", hidden, d, size, clip, bad);
	free(sums);
	free(one);
	free(total);
	work_free(&w);
	work_free(&alone);
}

/* parameters beyond all reason give null rows, not numbers that are none */
static void
check_overflow(Rng *rng)
{
	static const double values[] = {1e300, -1e308, 1e-308, 0, 3, -1e155, 5e-324};
	Net			net;
	Work		w = work_make(3, 1);
	double		sums[64];
	int			bad = 0;

	fill_rows(rng, &w, 64);
	for (int trial = 0; trial < 2000; trial++)
	{
		make_net(rng, 2, 3, 1, &net);
		for (int i = 0; i < 1 + 2 + 9; i++)
			net.theta[i] = values[rng_below(rng, 7)];
		net.theta[0] = fabs(net.theta[0]) + 5e-324;
		accumulate(&net, &w, true, sums);
		for (size_t i = 0; i < 3 * (1 + 3 + 3); i++)
			bad += !(fabs(sums[i]) <= 64 * 0x1p44);
	}
	CHECK(bad == 0, "%d sums that no row can make", bad);
	work_free(&w);
}

/* ---- sensitivity --------------------------------------------------------------------- */

/* all pairs of rows, null row included, of a network; the most they move */
static double
most_moved2(Rng *rng, Net *net, const double *weight, bool replace_one)
{
	int			values = 1 << net->sbn.d;
	DpemMomentLayout layout = layout_of(net);
	size_t		length = dpem_moments_length(&layout);
	double	   *sums = uniforms(rng, (values + 1) * length, 0, 0);
	Work		w = work_make(net->sbn.d, 1);
	double		most = 0;

	for (int v = 0; v < values; v++)
	{
		fill_rows(rng, &w, 1);
		for (int j = 0; j < net->sbn.d; j++)
			w.block.x[j * DPEM_BLOCK_STRIDE] = v >> j & 1 ? 1 : -1;
		accumulate(net, &w, true, sums + v * length);
	}
	for (int a = 0; a < values; a++)
		for (int b = replace_one ? 0 : values; b <= values; b++)
			most = fmax(most, moved2(net, sums + a * length, sums + b * length, weight));
	free(sums);
	work_free(&w);
	return most;
}

/*
 * Climbing over networks: clip norms, biases and weights of any size.  Without
 * hidden units complementary rows of a network of zero weights attain the gradient's part.
 */
static void
check_sensitivity(Rng *rng, int hidden, int d, const double *weight, bool replace_one)
{
	double		limit2 = dpem_gradient_sensitivity2(weight[0], weight[1], replace_one);
	int			length = hidden + (1 + hidden) * d;
	double		worst2 = 0;

	for (int start = 0; start < 12; start++)
	{
		double		best[MOST_THETA];
		double		found = -1;

		for (int step = 0; step < 60; step++)
		{
			Net			net;
			double		size = step == 0 ? pow(10, rng_uniform(rng, -2, 2)) : pow(0.95, step);
			double		moved;

			make_net(rng, hidden, d, size, &net);
			for (int i = 0; i <= length && step > 0; i++)
				net.theta[i] = i == 0 ? best[0] * exp(rng_normal(rng)) : best[i] + net.theta[i];
			net.theta[0] = fmax(net.theta[0] * (step == 0 ? 0.3 : 1), 1e-3);
			moved = most_moved2(rng, &net, weight, replace_one);
			if (moved > found)
			{
				found = moved;
				memcpy(best, net.theta, sizeof(best));
			}
		}
		worst2 = fmax(worst2, found);
	}
	CHECK(worst2 <= limit2, "hidden %d d %d weights %g %g: moved %.12f, bound %.12f", hidden, d, weight[0], weight[1],
		  sqrt(worst2), sqrt(limit2));
	CHECK(worst2 >= 0.8 * limit2, "hidden %d d %d weights %g %g: the search reaches %.6f of %.6f only", hidden, d,
		  weight[0], weight[1], sqrt(worst2), sqrt(limit2));
}

/*
 * The products alone: hill climbing over two vectors of probabilities, which
 * the corner (1, ..., 1) against (1, 0, ..., 0) comes near 1 with as k grows.
 */
static void
check_products(Rng *rng, int k)
{
	double		worst2 = 0;

	for (int start = 0; start < 40; start++)
	{
		double		at[2][8];
		double		found = -1;

		for (int step = 0; step < 600; step++)
		{
			double		next[2][8];
			double		sum = 0;

			for (int side = 0; side < 2; side++)
				for (int i = 0; i < k; i++)
				{
					double		x = step == 0 ? rng_uniform(rng, 0, 1) : at[side][i] + pow(0.99, step) * rng_normal(rng);

					next[side][i] = i == 0 ? 1 : fmin(fmax(x, 0), 1);
				}
			for (int i = 0; i < k; i++)
				for (int j = 0; j < k; j++)
				{
					double		a = i == j ? next[0][i] : next[0][i] * next[0][j];
					double		b = i == j ? next[1][i] : next[1][i] * next[1][j];

					sum += (a - b) * (a - b) / (k * k);
				}
			if (sum > found)
			{
				found = sum;
				memcpy(at, next, sizeof(at));
			}
		}
		worst2 = fmax(worst2, found);
	}
	CHECK(worst2 <= dpem_gradient_sensitivity2(0, 1, true), "k %d: products move %.9f", k, sqrt(worst2));
	CHECK(worst2 >= 0.97 * (1 - 1.0 / (k * k)), "k %d: the search reaches %.9f only", k, sqrt(worst2));
}

int
main(void)
{
	static const double weights[][2] = {{1, 0.5}, {1, 0.8}, {1, 0.1}};
	Rng			rng = {20161109};

	for (int hidden = 1; hidden <= MOST_HIDDEN; hidden++)
		for (int d = 1; d <= MOST_D; d += d < 4 ? 1 : 2)
			for (double size = 0.1; size < 20; size *= 5)
			{
				check_bound(&rng, hidden, d, size);
				check_gradient(&rng, hidden, d, fmin(size, 3));
				check_rows(&rng, hidden, d, size, 0.3);
				check_rows(&rng, hidden, d, size, 100);
			}
	check_rows(&rng, 0, 5, 0, sqrt(5) / 2);
	check_overflow(&rng);
	for (size_t i = 0; i < sizeof(weights) / sizeof(weights[0]); i++)
		for (int hidden = 0; hidden <= 2; hidden++)
		{
			check_sensitivity(&rng, hidden, 2, weights[i], true);
			check_sensitivity(&rng, hidden, 2, weights[i], false);
		}
	for (int k = 2; k <= 8; k += 3)
		check_products(&rng, k);
	return unit_report();
}
