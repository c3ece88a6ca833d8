/*
 * test_scores.c - marks of rows for candidates (what the exponential mechanism
 * may rely on) and the genetic search that they guide.
 */
#include "core/accounting/choice.h"
#include "core/accounting/fit_cost.h"
#include "core/kernels/kernel.h"
#include "core/kernels/score_kernel.h"
#include "core/kmeans/kmeans_genetic.h"
#include "kernel_fixture.h"
#include "kmeans_fixture.h"

#define K 3
#define D 2
#define CANDIDATES 40
#define UNIT ((double) (1 << P))

static double *
random_candidates(Rng *rng, int candidates, int k, int d)
{
	double	   *center = uniforms(rng, (size_t) candidates * k * d, -0.7, 0.7);

	center[0] = 1e308;			/* far beyond what a square can hold */
	center[1] = -1e308;
	center[k * d] = 0;
	return center;
}

/* features of a full block, whose integers are in the ball */
static void
random_block(Rng *rng, Work *w, int rows)
{
	w->block.rows = rows;
	for (int i = 0; i < DPEM_BLOCK_STRIDE; i++)
	{
		w->block.keep[i] = i < rows && rng_below(rng, 9) > 0 ? 1.0 : 0.0;
		for (int j = 0; j < w->d; j++)
			w->block.x[j * DPEM_BLOCK_STRIDE + i] = w->block.keep[i] == 1.0 ?
				rint(rng_uniform(rng, -1, 1) * (1 << Q) / sqrt(w->d)) : 0;
	}
}

static double
expected_mark(const Work *w, int row, const double *center, int k, double reach)
{
	long double least = INFINITY;

	for (int i = 0; i < k; i++)
	{
		long double square = 0;

		for (int j = 0; j < w->d; j++)
			square += powl(ldexpl(w->block.x[j * DPEM_BLOCK_STRIDE + row], -Q) - (long double) center[i * w->d + j], 2);
		least = fminl(least, square);
	}
	return w->block.keep[row] == 1.0 ? (double) fmaxl(0, 1 - least / ((long double) reach * reach)) : 0;
}

/* whole numbers in [0, 2^p], as the formula says, zero for null rows and padding */
static void
test_marks(int d, int rows, double reach)
{
	Rng			rng = {(uint64_t) d * 1000 + rows};
	Work		w = work_make(d, CANDIDATES);
	double	   *center = random_candidates(&rng, CANDIDATES, K, d);
	double	   *scratch = numbers(dpem_score_scratch());
	double		worst = 0;
	bool		valid = true;

	random_block(&rng, &w, rows);
	dpem_score_respond(CANDIDATES, K, center, reach, &w.block, Q, P, w.r, scratch);
	for (int c = 0; c < CANDIDATES; c++)
		for (int row = 0; row < DPEM_BLOCK_STRIDE; row++)
		{
			double		mark = w.r[c * DPEM_BLOCK_STRIDE + row];

			valid &= mark >= 0 && mark <= UNIT && mark == rint(mark) && (w.block.keep[row] == 1.0 || mark == 0);
			if (row < rows)
				worst = fmax(worst, fabs(mark - UNIT * expected_mark(&w, row, center + c * K * d, K, reach)));
		}
	CHECK(valid, "d %d rows %d: a mark that is none", d, rows);
	CHECK(worst <= 0.5 + 1e-6, "d %d rows %d reach %g: %g off", d, rows, reach, worst);
	dpem_score_respond(CANDIDATES, K, center, reach, &w.block, Q, 0, w.r, scratch);
	for (int row = 0; row < rows; row++)
		valid &= fabs(w.r[row] - expected_mark(&w, row, center, K, reach)) < 1e-12;
	CHECK(valid, "real marks");
	free(center);
	free(scratch);
	work_free(&w);
}

/* a row's marks are the same bits wherever it stands and whoever else is there */
static void
test_purity(void)
{
	Rng			rng = {77};
	Work		one = work_make(D, CANDIDATES);
	Work		two = work_make(D, CANDIDATES);
	double	   *center = random_candidates(&rng, CANDIDATES, K, D);
	double	   *scratch = numbers(dpem_score_scratch());
	bool		same = true;

	for (int trial = 0; trial < 200; trial++)
	{
		int			rows = 1 + rng_below(&rng, DPEM_BLOCK_ROWS);
		int			from = rng_below(&rng, rows);
		int			to = rng_below(&rng, DPEM_BLOCK_ROWS);

		random_block(&rng, &one, rows);
		random_block(&rng, &two, to + 1);
		for (int j = 0; j < D; j++)
			two.block.x[j * DPEM_BLOCK_STRIDE + to] = one.block.x[j * DPEM_BLOCK_STRIDE + from];
		two.block.keep[to] = one.block.keep[from];
		dpem_score_respond(CANDIDATES, K, center, 0.4, &one.block, Q, P, one.r, scratch);
		dpem_score_respond(CANDIDATES, K, center, 0.4, &two.block, Q, P, two.r, scratch);
		for (int c = 0; c < CANDIDATES; c++)
			same &= one.r[c * DPEM_BLOCK_STRIDE + from] == two.r[c * DPEM_BLOCK_STRIDE + to];
	}
	CHECK(same, "a row's marks depend on its neighbours");
	free(center);
	free(scratch);
	work_free(&one);
	work_free(&two);
}

/*
 * The search for a counter-example to docs/proofs.md, 9: rows that move one
 * score more against another than the range, and one pair that reaches it.
 */
static void
test_range(bool replace_one)
{
	Rng			rng = {5};
	Work		w = work_make(D, CANDIDATES);
	double	   *scratch = numbers(dpem_score_scratch());
	double		range = (double) dpem_choice_range((DpemUint128) 1 << P, replace_one, 1);
	double		worst = 0;

	for (int trial = 0; trial < 400; trial++)
	{
		double		reach = rng_uniform(&rng, 0.05, 2);
		double	   *center = random_candidates(&rng, CANDIDATES, K, D);

		random_block(&rng, &w, 64);
		for (int j = 0; j < D; j++)
		{
			w.block.x[j * DPEM_BLOCK_STRIDE] = j == 0 ? 1 << Q : 0;	/* corners of the ball, on centers */
			w.block.x[j * DPEM_BLOCK_STRIDE + 1] = j == 0 ? -(1 << Q) : 0;
			for (int i = 0; i < K; i++)
			{
				center[(2 * K + i) * D + j] = j == 0;
				center[(3 * K + i) * D + j] = -(j == 0);
			}
		}
		w.block.keep[0] = w.block.keep[1] = 1;
		dpem_score_respond(CANDIDATES, K, center, reach, &w.block, Q, P, w.r, scratch);
		for (int a = 0; a < 64; a++)
			for (int b = replace_one ? 0 : -1; b < (replace_one ? 64 : 0); b++)
			{
				double		most = -INFINITY;
				double		least = INFINITY;

				for (int c = 0; c < CANDIDATES; c++)
				{
					const double *r = w.r + c * DPEM_BLOCK_STRIDE;
					double		moved = r[a] - (b >= 0 ? r[b] : 0);

					most = fmax(most, moved);
					least = fmin(least, moved);
				}
				worst = fmax(worst, most - least);
			}
		free(center);
	}
	CHECK(worst <= range, "scores moved by %g against each other, range %g", worst, range);
	CHECK(worst >= 0.999 * range, "the search reached %g of %g only", worst, range);
	free(scratch);
	work_free(&w);
}

static void
test_theta(void)
{
	DpemMomentLayout layout = {7, 4, DPEM_SECOND_NONE};
	const double bad[][2] = {{0, 1}, {1.5, 1}, {-3, 1}, {1e9, 1}, {NAN, 1}, {2, 0}, {2, -1}, {2, NAN}};

	CHECK(dpem_kernel_theta_length(&dpem_kernel_scores, &layout, (double[]) {5, 0.1}, 2) == 2 + 7 * 5 * 4, "length");
	CHECK(dpem_kernel_theta_length(&dpem_kernel_scores, &layout, (double[]) {5, 0.1}, 1) == 0, "cut off");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(dpem_kernel_theta_length(&dpem_kernel_scores, &layout, bad[i], 2) == 0, "head %zu", i);
}

static bool
in_domain(const DpemGenetic *g)
{
	for (int i = 0; i < DPEM_GENETIC_CANDIDATES * g->k * g->d; i++)
		if (!(fabs(g->candidate[i]) <= g->half_width))
			return false;
	return true;
}

static DpemGenetic
make_genetic(int k, int d)
{
	size_t		n = (size_t) k * d;

	return (DpemGenetic) {
		.k = k,.d = d,.half_width = 1 / sqrt(d),.random = {1},
		.candidate = kmeans_allocate(DPEM_GENETIC_CANDIDATES * n),
		.parent = kmeans_allocate(DPEM_GENETIC_PARENTS * n)
	};
}

/* centers of a child that no parent has */
static int
new_centers(const DpemGenetic *g, int child)
{
	int			fresh = 0;

	for (int i = 0; i < g->k; i++)
	{
		const double *center = g->candidate + (child * g->k + i) * g->d;
		bool		known = false;

		for (int p = 0; p < DPEM_GENETIC_PARENTS; p++)
			known |= memcmp(g->parent + (p * g->k + i) * g->d, center, g->d * sizeof(double)) == 0;
		fresh += !known;
	}
	return fresh;
}

static void
test_breed(void)
{
	DpemGenetic g = make_genetic(6, 3);
	size_t		n = 18;
	size_t		chosen[DPEM_GENETIC_PARENTS];
	double		first[18];
	int			mutated = 0;
	int			most = 0;

	dpem_genetic_begin(&g);
	CHECK(in_domain(&g), "begin");
	for (size_t i = 0; i < DPEM_GENETIC_PARENTS; i++)
		chosen[i] = 199 - 7 * i;
	memcpy(first, g.candidate + 199 * n, sizeof(first));
	dpem_genetic_breed(&g, chosen, 1);
	CHECK(memcmp(first, g.candidate, sizeof(first)) == 0, "the first parent comes first");
	CHECK(in_domain(&g), "children");
	for (int i = DPEM_GENETIC_PARENTS; i < DPEM_GENETIC_CANDIDATES; i++)
	{
		int			fresh = new_centers(&g, i);

		mutated += fresh;
		most = fresh > most ? fresh : most;
	}
	CHECK(most == 1 && mutated > 180, "%d new centers in a child, %d in all", most, mutated);
	free(g.candidate);
	free(g.parent);
}

/* scores of all candidates by the kernel */
static void
score(const DpemGenetic *g, const KmeansRows *rows, Work *w, double *scratch, double *total)
{
	double		reach = dpem_genetic_reach(g->k, g->d, g->half_width);

	memset(total, 0, DPEM_GENETIC_CANDIDATES * sizeof(double));
	for (int at = 0; at < rows->n; at += DPEM_BLOCK_ROWS)
	{
		int			n = rows->n - at < DPEM_BLOCK_ROWS ? rows->n - at : DPEM_BLOCK_ROWS;

		work_fill(w, rows->x + (size_t) at * g->d, NULL, n);
		dpem_score_respond(DPEM_GENETIC_CANDIDATES, g->k, g->candidate, reach, &w->block, 0, 0, w->r, scratch);
		for (int c = 0; c < DPEM_GENETIC_CANDIDATES; c++)
			for (int row = 0; row < n; row++)
				total[c] += w->r[c * DPEM_BLOCK_STRIDE + row];
	}
}

/* without noise the search comes far, and never back */
static void
test_search(void)
{
	KmeansRows	rows = kmeans_rows(2000, D, 5, 0.03, 4);
	DpemGenetic g = make_genetic(5, D);
	Work		w = work_make(D, DPEM_GENETIC_CANDIDATES);
	double	   *scratch = numbers(dpem_score_scratch());
	double		total[DPEM_GENETIC_CANDIDATES];
	double		best = 0;
	double		cost[2] = {0};

	dpem_genetic_begin(&g);
	for (int generation = 1; generation <= 20; generation++)
	{
		size_t		chosen[DPEM_GENETIC_PARENTS];
		double		before = best;

		score(&g, &rows, &w, scratch, total);
		for (int i = 0; i < DPEM_GENETIC_PARENTS; i++)
		{
			chosen[i] = 0;
			for (size_t c = 1; c < DPEM_GENETIC_CANDIDATES; c++)
				chosen[i] = total[c] > total[chosen[i]] ? c : chosen[i];
			best = i == 0 ? total[chosen[0]] : best;
			total[chosen[i]] = -1;
		}
		CHECK(best >= before, "generation %d: %g after %g", generation, best, before);
		cost[generation > 1] = kmeans_cost(&rows, 5, g.candidate + chosen[0] * 5 * D);
		dpem_genetic_breed(&g, chosen, generation);
	}
	CHECK(cost[1] < 0.3 * cost[0], "cost %g of %g", cost[1], cost[0]);
	free(rows.x);
	free(g.candidate);
	free(g.parent);
	free(scratch);
	work_free(&w);
}

static void
test_rules(void)
{
	CHECK(dpem_genetic_generations(0, 1) == 8, "unknown number of rows");
	CHECK(dpem_genetic_generations(96000, 1) == 12, "the publication's rule");
	CHECK(dpem_genetic_generations(1e9, INFINITY) == 20, "the most");
	CHECK_CLOSE(dpem_genetic_reach(4, 2, M_SQRT1_2), 1, 1e-15, "reach");
	CHECK_CLOSE(dpem_genetic_reach(1, 2, 1), 2, 1e-15, "reach of a box wider than the ball");
}

/* the least multiplier: a little less costs too much */
static void
test_multiplier(DpemComposition composition)
{
	DpemCostLine line = dpem_cost_line(DPEM_COST_CHOICE, 0, 71);
	double		epsilon;

	CHECK(dpem_cost_multiplier(DPEM_COST_CHOICE, composition, 0.7, 1e-6, 71, &line.noise_multiplier) == DPEM_OK,
		  "%s", dpem_composition_name(composition));
	(void) dpem_cost_epsilon(&line, 1, composition, 1e-6, 0, &epsilon);
	CHECK(epsilon <= 0.7, "%s: %g", dpem_composition_name(composition), epsilon);
	line.noise_multiplier *= 1 - 1e-6;
	(void) dpem_cost_epsilon(&line, 1, composition, 1e-6, 0, &epsilon);
	CHECK(epsilon > 0.7, "%s: %g", dpem_composition_name(composition), epsilon);
}

int
main(void)
{
	test_marks(1, 512, 0.3);
	test_marks(2, 500, 0.8);
	test_marks(7, 33, 1.5);
	test_marks(3, 1, 1e-3);
	test_purity();
	test_range(true);
	test_range(false);
	test_theta();
	test_breed();
	test_search();
	test_rules();
	for (DpemComposition c = 0; c <= DPEM_COMPOSE_LINEAR; c++)
		test_multiplier(c);
	return unit_report();
}
