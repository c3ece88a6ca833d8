/*
 * test_postprocess.c - consistency of released answers and the chain that
 * looks for a dataset behind them.
 */
#include "core/kmeans/consistency.h"
#include "core/kmeans/kmeans_mcmc.h"
#include "kmeans_fixture.h"
#include "unit.h"

#define K 6
#define D 2
#define PASSES 4
#define ROWS 3000

static KmeansRows rows;

static void
test_lloyd(void)
{
	const double x[] = {0, 0, 0, 1, 10, 0, 10, 1, 3, 7};
	const double weight[] = {1, 3, 1, 1, 0};
	double		center[] = {1, 1, 9, 1, 50, 50};
	DpemPoints	points = {5, 2, x, weight};
	DpemWorkspace work = kmeans_workspace(dpem_lloyd_work(3, 2));
	double		cost = dpem_lloyd(&points, 3, center, 50, work);

	CHECK_CLOSE(center[0], 0, 0, "weighted mean");
	CHECK_CLOSE(center[1], 0.75, 1e-15, "weighted mean");
	CHECK_CLOSE(center[2], 10, 1e-15, "mean");
	CHECK_CLOSE(center[3], 0.5, 1e-15, "mean");
	CHECK(center[4] == 50 && center[5] == 50, "a center without points moved");
	CHECK_CLOSE(cost, 3 * 0.0625 + 0.5625 + 0.5, 1e-14, "cost of the last assignment");
	points.weight = NULL;
	center[0] = center[2] = 0;
	center[1] = center[3] = 0.2;
	dpem_lloyd(&points, 2, center, 1, work);
	CHECK(center[2] == 0 && center[3] == 0.2, "the first of two equal centers has all points");
	free(work.next);
}

static DpemConsistent
make_consistent(const DpemKmeansHistory *h)
{
	DpemConsistent answers;
	DpemWorkspace work = kmeans_workspace((size_t) h->k);

	dpem_consistent_place(h, kmeans_allocate(dpem_consistent_length(h)), &answers);
	dpem_make_consistent(h, &answers, work);
	free(work.next);
	return answers;
}

static double
sum(const double *value, size_t n, size_t stride)
{
	double		total = 0;

	for (size_t i = 0; i < n; i++)
		total += value[i * stride];
	return total;
}

/* constraints hold, and counts are the nearest that satisfy them: max(count - level, 0) */
static void
check_constraints(const DpemKmeansHistory *h, const DpemConsistent *a)
{
	for (int t = 0; t < PASSES; t++)
	{
		const double *count = a->count + t * K;
		double		level = NAN;
		bool		nearest = true;

		CHECK_CLOSE(sum(count, K, 1), a->rows, 1e-12, "counts of pass %d", t);
		for (int c = 0; c < K; c++)
			if (count[c] > 0)
				level = h->count[t * K + c] - count[c];
		for (int c = 0; c < K; c++)
			nearest &= fabs(count[c] - fmax(h->count[t * K + c] - level, 0)) < 1e-9 * a->rows;
		CHECK(nearest, "counts of pass %d are not the nearest", t);
		for (int j = 0; j < D; j++)
			CHECK(fabs(sum(a->sum + t * K * D + j, K, D) - a->total[j]) < 1e-9 * a->rows,
				  "sums of pass %d", t);
	}
}

static void
test_constraints(DpemNoiseKind noise, double sd, double public_rows)
{
	DpemPublicRandom random = {7};
	DpemKmeansHistory h = kmeans_history(K, D, PASSES, noise);
	double		center[K * D];
	DpemConsistent a;

	h.public_rows = public_rows;
	kmeans_random_centers(&h, &random, center);
	kmeans_fit(&rows, &h, sd, 2 * sd, &random, center);
	a = make_consistent(&h);
	check_constraints(&h, &a);
	if (public_rows > 0)
		CHECK(a.rows == public_rows, "%g rows", a.rows);
	free(a.total);
	free(h.count_sd);
}

/* a pass of little noise counts for more, by inverse variances */
static void
test_precision(void)
{
	DpemKmeansHistory h = kmeans_history(2, 1, 2, DPEM_NOISE_GAUSSIAN);
	DpemNoisyMoments m = {.layout = {2, 1, DPEM_SECOND_NONE},.value = (double[]) {60, 5, 40, -1}};
	double		center[] = {-1, 1};
	DpemConsistent a;

	m.count_sd = 1;
	m.sum_sd = 3;
	dpem_kmeans_history_add(&h, center, &m);
	m.value = (double[]) {80, 20, 70, -6};
	m.count_sd = 2;
	m.sum_sd = 1;
	dpem_kmeans_history_add(&h, center, &m);
	a = make_consistent(&h);
	CHECK_CLOSE(a.rows, (100 + 150 / 4.0) / 1.25, 1e-14, "rows");
	CHECK_CLOSE(a.total[0], (4 / 9.0 + 14) / (1 / 9.0 + 1), 1e-14, "total");
	CHECK_CLOSE(a.count[0], 60 + 5, 1e-14, "spread evenly");
	CHECK_CLOSE(a.sum[3], -6 + (a.total[0] - 14) / 2, 1e-14, "spread evenly");
	free(a.total);
	free(h.count_sd);
}

/* least squares has less error than what was released, over 40 histories */
static void
test_consistency_helps(void)
{
	double		before = 0;
	double		after = 0;

	for (uint64_t seed = 1; seed <= 40; seed++)
	{
		DpemPublicRandom random = {seed};
		DpemKmeansHistory exact = kmeans_history(K, D, PASSES, DPEM_NOISE_GAUSSIAN);
		DpemKmeansHistory noisy = kmeans_history(K, D, PASSES, DPEM_NOISE_GAUSSIAN);
		double		center[K * D];
		DpemConsistent a;

		for (int t = 0; t < PASSES; t++)
		{
			kmeans_random_centers(&exact, &random, center);
			kmeans_pass(&rows, &exact, center, 0, 0, &random);
			kmeans_pass(&rows, &noisy, center, 100, 100, &random);
		}
		a = make_consistent(&noisy);
		for (int i = 0; i < PASSES * K * D; i++)
		{
			before += pow(noisy.sum[i] - exact.sum[i], 2);
			after += pow(a.sum[i] - exact.sum[i], 2);
		}
		free(a.total);
		free(exact.count_sd);
		free(noisy.count_sd);
	}
	/* of K deviations one is shared by all passes: 1 - (1 - 1/PASSES) / K expected */
	CHECK(after < 0.92 * before, "error %g of %g", after, before);
}

static void
test_cells(void)
{
	DpemPublicRandom random = {11};
	DpemKmeansHistory h = kmeans_history(K, D, 1, DPEM_NOISE_GAUSSIAN);
	double		center[K * D];
	bool		inside = true;
	double		far = 0;

	kmeans_random_centers(&h, &random, center);
	for (int i = 0; i < 3000; i++)
	{
		double		y[D];
		int			own = i % K;

		dpem_cell_draw(&h, center, own, &random, y);
		inside &= dpem_nearest_center(K, D, center, y, NULL) == own;
		for (int j = 0; j < D; j++)
			inside &= fabs(y[j]) <= h.half_width;
		far = fmax(far, hypot(y[0] - center[own * D], y[1] - center[own * D + 1]));
	}
	CHECK(inside, "a point outside its cell");
	CHECK(far > 0.2, "points only near their centers: %g", far);
	free(h.count_sd);
}

typedef struct Chain
{
	DpemConsistent answers;
	DpemKmeansBelief belief;
	DpemKmeansMcmc chain;
	double	   *memory;
	int32_t    *integers;
	bool	   *flags;
} Chain;

static void
begin(Chain *c, const DpemKmeansHistory *h)
{
	DpemPublicRandom random = dpem_public_seed(h->count, (size_t) h->passes * h->k);
	DpemWorkspace work = kmeans_workspace(dpem_kmeans_belief_work(h->d));
	int			points;

	c->answers = make_consistent(h);
	dpem_kmeans_belief_place(h, kmeans_allocate(dpem_kmeans_belief_length(h)), &c->belief);
	for (int t = 0; t < h->passes; t++)
		dpem_kmeans_belief_pass(h, &c->answers, t, &random, &c->belief, work);
	dpem_kmeans_belief_weigh(h, &c->belief);
	points = dpem_kmeans_mcmc_points(h, &c->answers);
	c->memory = kmeans_allocate(dpem_kmeans_mcmc_doubles(h, points));
	c->integers = calloc(dpem_kmeans_mcmc_integers(h, points), sizeof(int32_t));
	c->flags = calloc((size_t) points, sizeof(bool));
	dpem_kmeans_mcmc_begin(&c->chain, h, &c->belief, random, points, c->memory, c->integers, c->flags);
	free(work.next);
}

static void
end(Chain *c)
{
	free(c->answers.total);
	free(c->belief.weight);
	free(c->memory);
	free(c->integers);
	free(c->flags);
}

/* log-likelihood of the answers given points, counted afresh */
static double
likelihood_of(const Chain *c, const double *x)
{
	const DpemKmeansMcmc *chain = &c->chain;
	const DpemKmeansHistory *h = chain->history;
	double		total = 0;

	for (int t = 0; t < h->passes; t++)
	{
		double		off[K * (D + 1)];

		for (int i = 0; i < K * (D + 1); i++)
			off[i] = i < K ? h->count[t * K + i] : h->sum[t * K * D + i - K];
		for (int i = 0; i < chain->points; i++)
		{
			int			own = dpem_nearest_center(K, D, h->center + t * K * D, x + i * D, NULL);

			off[own] -= chain->each;
			for (int j = 0; j < D; j++)
				off[K + own * D + j] -= chain->each * x[i * D + j];
		}
		for (int i = 0; i < K * (D + 1); i++)
		{
			double		sd = i < K ? chain->count_sd[t] : chain->sum_sd[t];

			total -= h->noise == DPEM_NOISE_LAPLACE ? M_SQRT2 * fabs(off[i]) / sd
				: off[i] * off[i] / (2 * sd * sd);
		}
	}
	return total;
}

static bool
in_domain(const Chain *c, const double *x)
{
	for (int i = 0; i < c->chain.points * D; i++)
		if (!(fabs(x[i]) <= c->chain.history->half_width))
			return false;
	return true;
}

/* steps are counted up as they should be, never leave the domain and find likelier datasets */
static void
test_chain(DpemNoiseKind noise, double sd)
{
	DpemPublicRandom random = {3};
	DpemKmeansHistory h = kmeans_history(K, D, PASSES, noise);
	double		center[K * D];
	Chain		c;
	double		start;

	kmeans_random_centers(&h, &random, center);
	kmeans_fit(&rows, &h, sd, sd, &random, center);
	begin(&c, &h);
	start = likelihood_of(&c, c.chain.x);
	CHECK(in_domain(&c, c.chain.x), "start outside the domain");
	CHECK_CLOSE(sum(c.belief.weight, PASSES, 1), 1, 1e-12, "weights of the passes");
	dpem_kmeans_mcmc_run(&c.chain, 20000);
	CHECK(c.chain.best_likelihood > 5, "likelihood gained %g", c.chain.best_likelihood);
	CHECK_CLOSE(likelihood_of(&c, c.chain.x) - start, c.chain.likelihood, 1e-6, "current");
	CHECK_CLOSE(likelihood_of(&c, c.chain.best) - start, c.chain.best_likelihood, 1e-6, "best");
	CHECK(in_domain(&c, c.chain.best), "a point left the domain");
	end(&c);
	free(h.count_sd);
}

static void
postprocess(const DpemKmeansHistory *h, int steps, double *center)
{
	DpemWorkspace work = kmeans_workspace(dpem_lloyd_work(h->k, h->d));
	double	   *weight = kmeans_allocate((size_t) h->k);
	Chain		c;

	begin(&c, h);
	dpem_kmeans_mcmc_run(&c.chain, steps);
	dpem_kmeans_mcmc_cluster(&c.chain, center, weight, work);
	CHECK_CLOSE(sum(weight, (size_t) h->k, 1), 1, 1e-9, "weights");
	free(weight);
	free(work.next);
	end(&c);
}

/*
 * Twenty noisy fits of fifteen clusters: post-processing halves the excess of
 * their cost, does the same every time, and the chain does better than its start.
 */
static void
test_quality(DpemNoiseKind noise)
{
	KmeansRows	many = kmeans_rows(4000, D, 15, 0.03, 99);
	double		cost[3] = {0};
	bool		same = true;

	for (uint64_t seed = 1; seed <= 20; seed++)
	{
		DpemPublicRandom random = {seed};
		DpemKmeansHistory h = kmeans_history(15, D, PASSES, noise);
		double		center[4][15 * D];

		kmeans_random_centers(&h, &random, center[0]);
		kmeans_fit(&many, &h, 150, 150, &random, center[0]);
		for (int i = 1; i < 4; i++)
		{
			memcpy(center[i], center[0], sizeof(center[0]));
			postprocess(&h, i == 1 ? 0 : 30000, center[i]);
		}
		for (int i = 0; i < 3; i++)
			cost[i] += kmeans_cost(&many, 15, center[i]);
		same &= memcmp(center[2], center[3], sizeof(center[2])) == 0;
		free(h.count_sd);
	}
	CHECK(same, "two results from the same answers");
	CHECK(cost[2] < 0.5 * cost[0], "cost %g of %g", cost[2], cost[0]);
	CHECK(cost[2] < 0.9 * cost[1], "cost %g without steps %g", cost[2], cost[1]);
	free(many.x);
}

/* a pass whose clusters were others says little; where there is hardly noise nothing is done */
static void
test_rules(void)
{
	DpemPublicRandom random = {21};
	double		sd[] = {0.5, 60};

	for (int i = 0; i < 2; i++)
	{
		DpemKmeansHistory h = kmeans_history(K, D, PASSES, DPEM_NOISE_LAPLACE);
		DpemWorkspace work = kmeans_workspace(D);
		double		center[K * D];
		Chain		c;

		kmeans_random_centers(&h, &random, center);
		kmeans_fit(&rows, &h, sd[i], sd[i], &random, center);
		begin(&c, &h);
		CHECK(dpem_kmeans_mcmc_pays(&h, &c.answers, center, work) == (i == 1), "noise %g", sd[i]);
		CHECK(i == 1 || c.belief.weight[0] < 0.05, "weight %g of the first pass", c.belief.weight[0]);
		end(&c);
		free(work.next);
		free(h.count_sd);
	}
}

int
main(void)
{
	rows = kmeans_rows(ROWS, D, K, 0.05, 5);
	test_lloyd();
	test_precision();
	test_constraints(DPEM_NOISE_GAUSSIAN, 10, 0);
	test_constraints(DPEM_NOISE_LAPLACE, 900, 0);
	test_constraints(DPEM_NOISE_LAPLACE, 2000, ROWS);
	test_consistency_helps();
	test_cells();
	test_chain(DPEM_NOISE_GAUSSIAN, 40);
	test_chain(DPEM_NOISE_LAPLACE, 40);
	test_quality(DPEM_NOISE_GAUSSIAN);
	test_quality(DPEM_NOISE_LAPLACE);
	test_rules();
	free(rows.x);
	return unit_report();
}
