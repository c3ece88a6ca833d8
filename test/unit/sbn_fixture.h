/*
 * sbn_fixture.h - sigmoid belief networks of a few units: their bounds,
 * likelihoods and statistics.
 */
#ifndef DPEM_TEST_SBN_FIXTURE_H
#define DPEM_TEST_SBN_FIXTURE_H

#include "core/kernels/kernel.h"
#include "core/sbn/sbn_estimate.h"
#include "kernel_fixture.h"

#define MOST_HIDDEN 4
#define MOST_D 6
#define MOST_THETA (1 + MOST_HIDDEN + (1 + MOST_HIDDEN) * MOST_D)
#define MOST_SUMS ((1 + MOST_HIDDEN) * (1 + MOST_D + 1 + MOST_HIDDEN))
#define G	DPEM_BLOCK_GROUP

typedef struct Net
{
	DpemSbn		sbn;
	double		theta[MOST_THETA];
	double		work[G * (3 * MOST_D + MOST_HIDDEN + 1)];
	DpemSbnRows rows;
} Net;

/* of the parameters in theta, into which sbn points: a network does not move */
static inline void
place_net(int hidden, int d, Net *net)
{
	net->sbn = (DpemSbn) {d, hidden, net->theta + 1, net->theta + 1 + hidden};
	dpem_sbn_rows_init(&net->sbn, 1, net->work, &net->rows);
}

static inline void
set_row(Net *net, int v)
{
	for (int j = 0; j < net->sbn.d; j++)
		net->rows.half[(size_t) j * G] = (v >> j & 1) - 0.5;
}

static inline double
log_sigma(double x)
{
	return -log1p(exp(-fabs(x))) + fmin(x, 0);
}

/* ln p(v), over all states of the hidden units */
static inline double
log_probability(const Net *net, int v)
{
	double		sum = 0;

	for (int h = 0; h < 1 << net->sbn.hidden; h++)
	{
		double		log_p = 0;

		for (int k = 0; k < net->sbn.hidden; k++)
			log_p += log_sigma(h >> k & 1 ? net->sbn.bias[k] : -net->sbn.bias[k]);
		for (int j = 0; j < net->sbn.d; j++)
		{
			double		score = net->sbn.weight[j];

			for (int k = 0; k < net->sbn.hidden; k++)
				score += h >> k & 1 ? net->sbn.weight[(k + 1) * net->sbn.d + j] : 0;
			log_p += log_sigma(v >> j & 1 ? score : -score);
		}
		sum += exp(log_p);
	}
	return log(sum);
}

/* the bound of row v with q(h) as it is in `on`, at the weights the network has now */
static inline double
bound_at(Net *net, int v, const double *on)
{
	double		bound;

	set_row(net, v);
	for (int k = 0; k <= net->sbn.hidden; k++)
		net->rows.on[(size_t) k * G] = on[k];
	for (int j = 0; j < net->sbn.d; j++)
	{
		net->rows.score[(size_t) j * G] = 0;
		for (int k = 0; k <= net->sbn.hidden; k++)
			net->rows.score[(size_t) j * G] += net->sbn.weight[k * net->sbn.d + j] * on[k];
	}
	bound = dpem_sbn_bound(&net->sbn, &net->rows, 0);
	return bound;
}

static inline DpemMomentLayout
layout_of(const Net *net)
{
	return (DpemMomentLayout) {1 + net->sbn.hidden, net->sbn.d, DPEM_SECOND_COMPONENTS};
}

/* of one block of +1 and -1; bits 0: real numbers */
static inline void
accumulate(const Net *net, const Work *w, bool exact, double *sums)
{
	DpemMomentLayout layout = layout_of(net);
	double	   *scratch = numbers(dpem_sbn_scratch(layout.k, layout.d));

	dpem_kernel_sbn.accumulate(&layout, net->theta, &w->block, exact ? Q : 0, exact ? P : 0, sums, scratch);
	free(scratch);
}

/* where a number stands in the sums */
static inline size_t
gradient_at(const Net *net, int k, int j)
{
	DpemMomentLayout layout = layout_of(net);

	return (size_t) k * dpem_moments_record(&layout) + 1 + j;
}

static inline size_t
product_at(const Net *net, int k, int l)
{
	return gradient_at(net, k, net->sbn.d) + l;
}

/* integers of two rows under one network: b^2 |g - g'|^2 + c^2 |H - H'|^2, in units of the ball */
static inline double
moved2(const Net *net, const double *a, const double *b, const double *weight)
{
	double		sum = 0;

	for (int k = 0; k <= net->sbn.hidden; k++)
	{
		for (int j = 0; j < net->sbn.d; j++)
			sum += pow(weight[0] * ldexp(a[gradient_at(net, k, j)] - b[gradient_at(net, k, j)], -31), 2);
		for (int l = 0; l <= net->sbn.hidden; l++)
			sum += pow(weight[1] * ldexp(a[product_at(net, k, l)] - b[product_at(net, k, l)], -44), 2);
	}
	return sum;
}

static inline void
fill_rows(Rng *rng, Work *w, int rows)
{
	w->block.rows = rows;
	for (int row = 0; row < DPEM_BLOCK_PADDED(rows); row++)
	{
		w->block.keep[row] = row < rows;
		for (int j = 0; j < w->d; j++)
			w->block.x[j * DPEM_BLOCK_STRIDE + row] = row >= rows ? 0 : rng_below(rng, 2) ? 800 : -800;
	}
}

#endif							/* DPEM_TEST_SBN_FIXTURE_H */
