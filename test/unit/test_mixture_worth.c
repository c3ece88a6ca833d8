/*
 * test_mixture_worth.c - components that are more than their noise are told from those that are not, and those that
 * passes would find without groups from those that they would not.
 *
 * Random numbers have a fixed seed: they always come out the same.
 */
#include "core/kernels/kernel.h"
#include "core/mixture/mixture_rules.h"
#include "core/mixture/mixture_worth.h"
#include "kernel_fixture.h"
#include "mixture_fixture.h"

/* worth of what is found in such moments with that noise, all of them added to */
static double
worth_of(DpemPublicRandom *random, const DpemMixtureRows *rows, const DpemMixture *truth, double sd)
{
	int			n = dpem_mixture_coordinates(rows);
	DpemMixture total = make_mixture(1, D);
	DpemMixture found = make_mixture(K, D);
	DpemMixtureMoments all = make_moments(1, n);
	DpemMixtureMoments moments = make_moments(K, n);
	DpemNoisyMoments m = expected_moments(rows, truth, 1e5, 0.7, sd);
	DpemWorkspace work = {zeros(dpem_mixture_worth_work(rows, K)), NULL};
	double	   *memory = work.next;
	DpemMixturePrior prior;
	double		worth;

	work.end = work.next + dpem_mixture_worth_work(rows, K);
	for (size_t i = 0; i < dpem_moments_length(&m.layout); i++)
		m.value[i] += sd * dpem_public_normal(random);
	dpem_mixture_average(rows, &m, 1, &moments);
	all.count_sd = all.sum_sd = all.square_sd = INFINITY;
	dpem_mixture_pool(rows, &m, &all);
	dpem_mixture_total(rows, &all, &total);
	prior = dpem_mixture_found_prior(rows, &moments, &total);
	dpem_mixture_maximize(rows, &moments, &total, prior, &found);
	worth = dpem_mixture_worth(rows, &moments, &total, prior, &found, work);
	free(memory);
	free(m.value);
	free_mixture(&total);
	free_mixture(&found);
	free_moments(&all);
	free_moments(&moments);
	return worth;
}

/* components apart are worth several times what is asked for; equal ones no more than theirs, mostly */
static void
check_worth(DpemPublicRandom *random, bool missing)
{
	DpemMixtureRows rows = rows_of(missing);
	DpemMixture truth = make_mixture(K, D);
	int			kept = 0;

	fill_mixture(random, &truth);
	CHECK(worth_of(random, &rows, &truth, 30) > 3 * DPEM_MIXTURE_LEAST_WORTH, "missing %d: components apart are not kept", missing);
	for (int c = 0; c < K; c++)
	{
		truth.weight[c] = 1.0 / K;
		memcpy(truth.mean + c * D, truth.mean, D * sizeof(double));
		memcpy(truth.variance + c * D, truth.variance, D * sizeof(double));
	}
	for (int round = 0; round < 10; round++)
		kept += worth_of(random, &rows, &truth, 500) >= DPEM_MIXTURE_LEAST_WORTH;
	CHECK(kept < 5, "missing %d: %d of 10 times noise is taken for components", missing, kept);
	free_mixture(&truth);
}

/* ---- a search ---- */

#define ROWS	4000
#define PASSES	5
#define COMPONENTS 4

/* rows of a mixture, as passes see them */
static void
draw_rows(DpemPublicRandom *random, const DpemMixtureRows *rows, const DpemMixture *truth, double *feature)
{
	double		known[D];
	double		x[D];

	for (int j = 0; j < D; j++)
		known[j] = rows->missing ? 0.8 : 1;
	for (int i = 0; i < ROWS; i++)
	{
		double	   *to = feature + (size_t) i * N;
		double		norm = 0;

		memset(to, 0, N * sizeof(double));
		dpem_mixture_draw(rows, truth, known, random, x);
		for (int j = 0; j < D; j++)
		{
			to[j] = isnan(x[j]) ? 0 : x[j];
			if (j < NUMBERS && rows->missing && !isnan(x[j]))
				to[D + j] = DPEM_MIXTURE_KNOWN;
		}
		for (int j = 0; j < N; j++)
			norm += to[j] * to[j];
		for (int j = 0; j < N; j++)
			to[j] /= fmax(sqrt(norm), rows->radius);
	}
}

/* moments of a pass: a mixture's E-step, row by row (a single component: of all rows), and noise */
static void
sum_rows(DpemPublicRandom *random, const DpemMixtureRows *rows, const double *feature, const DpemMixture *mixture, double sd,
		 DpemNoisyMoments *m)
{
	DpemMomentLayout layout = {mixture->k, dpem_mixture_coordinates(rows), DPEM_SECOND_DIAGONAL};
	size_t		length = dpem_moments_length(&layout);
	double	   *theta = zeros((size_t) layout.k * (1 + 2 * layout.d));
	double	   *scratch = zeros(dpem_kernel_gmm.scratch_length(&layout) + dpem_moments_scratch(&layout));
	double	   *sums = zeros(length);
	double	   *r = zeros((size_t) layout.k * DPEM_BLOCK_STRIDE);
	Work		w = work_make(layout.d, layout.k);
	double		row[DPEM_BLOCK_ROWS * N];

	*m = (DpemNoisyMoments) {layout, sd, sd, sd, zeros(length)};
	dpem_mixture_prepare(rows, mixture, theta);
	for (int first = 0; first < ROWS; first += DPEM_BLOCK_ROWS)
	{
		int			n = ROWS - first < DPEM_BLOCK_ROWS ? ROWS - first : DPEM_BLOCK_ROWS;

		for (int i = 0; i < n; i++)
			memcpy(row + i * layout.d, feature + (size_t) (first + i) * N, layout.d * sizeof(double));
		memset(w.block.x, 0, (size_t) layout.d * DPEM_BLOCK_STRIDE * sizeof(double));
		memset(w.block.keep, 0, DPEM_BLOCK_STRIDE * sizeof(double));
		work_fill(&w, row, NULL, n);
		dpem_kernel_gmm.respond(&layout, theta, &w.block, 0, 0, r, scratch);
		dpem_moments_block(&layout, &w.block, r, sums, scratch);
		for (size_t i = 0; i < length; i++)
			m->value[i] += sums[i];
	}
	for (size_t i = 0; i < length; i++)
		m->value[i] += sd * dpem_public_normal(random);
	work_free(&w);
	free(theta);
	free(scratch);
	free(sums);
	free(r);
}

/* components a little apart, about all rows */
static void
begin(DpemPublicRandom *random, const DpemMixture *total, DpemMixture *start)
{
	for (int c = 0; c < COMPONENTS; c++)
	{
		start->weight[c] = 1.0 / COMPONENTS;
		for (int j = 0; j < D; j++)
		{
			start->mean[c * D + j] = total->mean[j] + (law[j] == DPEM_LAW_NORMAL ? 0.7 * dpem_public_normal(random) : 0);
			start->variance[c * D + j] = 0.7 * total->variance[j];
		}
	}
}

/* are what passes over such rows find groups?  worth: by the noise of the last step alone */
static bool
finds_groups(DpemPublicRandom *random, const DpemMixtureRows *rows, const DpemMixture *truth, double sd, bool *worth)
{
	int			n = dpem_mixture_coordinates(rows);
	double	   *feature = zeros((size_t) ROWS * N);
	DpemMixture total = make_mixture(1, D);
	DpemMixture start = make_mixture(COMPONENTS, D);
	DpemMixture found = make_mixture(COMPONENTS, D);
	DpemMixtureMoments all = make_moments(1, n);
	DpemMixtureMoments moments = make_moments(COMPONENTS, n);
	DpemMixtureSearch search = {.start = &start,.passes = PASSES,.rate = 1,.count_sd = sd,.sum_sd = sd,.square_sd = sd};
	DpemNoisyMoments m;
	DpemWorkspace work;
	double	   *memory;
	double		gain;
	bool		chance;

	draw_rows(random, rows, truth, feature);
	total.weight[0] = 1;
	for (int j = 0; j < D; j++)
		total.mean[j] = total.variance[j] = 1;
	sum_rows(random, rows, feature, &total, sd, &m);
	dpem_mixture_average(rows, &m, 1, &all);
	dpem_mixture_total(rows, &all, &total);
	free(m.value);
	begin(random, &total, &start);
	dpem_mixture_copy(&start, &found);
	for (int pass = 1; pass <= PASSES; pass++)
	{
		sum_rows(random, rows, feature, &found, sd, &m);
		dpem_mixture_average(rows, &m, dpem_mixture_step(pass), &moments);
		dpem_mixture_pool(rows, &m, &all);
		dpem_mixture_total(rows, &all, &total);
		dpem_mixture_maximize(rows, &moments, &total, dpem_mixture_weak_prior, &found);
		free(m.value);
	}
	memory = zeros(dpem_mixture_worth_work(rows, COMPONENTS) + dpem_mixture_chance_work(rows, &search, &all));
	work = (DpemWorkspace) {memory, memory + dpem_mixture_worth_work(rows, COMPONENTS) + dpem_mixture_chance_work(rows, &search, &all)};
	*worth = dpem_mixture_worth(rows, &moments, &total, dpem_mixture_weak_prior, &found, work) >= DPEM_MIXTURE_LEAST_WORTH;
	gain = dpem_mixture_gain(rows, &total, &found, work);
	chance = dpem_mixture_is_chance(rows, &search, &all, &total, gain, work);
	free(memory);
	free(feature);
	free_mixture(&total);
	free_mixture(&start);
	free_mixture(&found);
	free_moments(&all);
	free_moments(&moments);
	return !chance;
}

/* rows without groups, little noise: what clipping and noise make of them in many steps passes for more than the last one's noise */
static void
check_chance(DpemPublicRandom *random, bool missing)
{
	DpemMixtureRows rows = rows_of(missing);
	DpemMixture truth = make_mixture(K, D);
	int			kept = 0;
	int			worth = 0;
	bool		is_worth;

	fill_mixture(random, &truth);
	CHECK(finds_groups(random, &rows, &truth, 5, &is_worth) && is_worth, "missing %d: groups are taken for chance", missing);
	rows.radius = 2.5;
	truth.k = 1;
	truth.weight[0] = 1;
	for (int j = 0; j < 2; j++)
	{
		truth.mean[j] = 0;
		truth.variance[j] = 1;
	}
	for (int round = 0; round < 10; round++)
	{
		kept += finds_groups(random, &rows, &truth, 5, &is_worth);
		worth += is_worth;
	}
	CHECK(kept <= 1, "missing %d: %d of 10 times chance is taken for groups", missing, kept);
	CHECK(worth > 5, "missing %d: %d of 10 times the last step's noise would do", missing, 10 - worth);
	free_mixture(&truth);
}

int
main(void)
{
	DpemPublicRandom random = {20261123};

	for (int round = 0; round < 6; round++)
		check_worth(&random, round % 2);
	check_chance(&random, false);
	check_chance(&random, true);
	return unit_report();
}
