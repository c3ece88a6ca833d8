/*
 * test_model_sizes.c - numbers of components chosen among several, by released numbers.
 *
 * Random data come from a fixed seed: comparisons always come out the same.
 */
#include "core/accounting/sensitivity.h"
#include "core/factors/factor_choice.h"
#include "core/kmeans/kmeans_choice.h"
#include "core/mixture/gmm_cells.h"
#include "core/mixture/gmm_choice.h"
#include "core/mixture/gmm_merge.h"
#include "core/numeric/public_random.h"
#include "em_fixture.h"
#include "unit.h"

#define DIMENSION 4

static DpemPublicRandom rng = {815};

/* ---- scores ---- */

static void
test_scores(void)
{
	DpemSizes	s = {.n = 3,.k = {2, 3, 5}};

	dpem_sizes_score(&s, 0, -1.5, 10, 1000);
	dpem_sizes_score(&s, 1, -1.4, 20, 1000);
	dpem_sizes_score(&s, 2, -1.4, 30, 1000);
	CHECK_CLOSE(s.score[0], -1.5 - 5 * log(1000) / 1000, 1e-12, "Schwarz's criterion per row");
	CHECK(dpem_sizes_choose(&s) == 3 && s.chosen == 3, "of the same likelihood the one with fewer parameters");
	s.score[0] = s.score[1];
	CHECK(dpem_sizes_choose(&s) == 2, "of equal scores the least");
	s.score[0] = s.score[1] = NAN;
	CHECK(dpem_sizes_choose(&s) == 5, "what is no number is not chosen");
	CHECK_CLOSE(dpem_effective_rows(1000, 3), 250, 1e-12, "noise of three times the sampling error");
	CHECK(dpem_effective_rows(-5, 0) == 1, "a noisy number of rows may be negative");
}

/* ---- mergers ---- */

static void
spread_mixture(DpemGmm *gmm, double apart)
{
	size_t		d = (size_t) gmm->d;

	for (size_t k = 0; k < (size_t) gmm->k; k++)
	{
		gmm->weight[k] = (1.0 + k) * 2 / (gmm->k * (gmm->k + 1.0));
		for (size_t j = 0; j < d; j++)
		{
			gmm->mean[k * d + j] = j == k % d ? apart * (k < d ? 1 : -1) : 0;
			gmm->covariance[(k * d + j) * d + j] = 0.002 + 0.001 * j;
		}
	}
}

static void
total_moments(const DpemGmm *gmm, double *mean, double *second)
{
	memset(mean, 0, gmm->d * sizeof(double));
	*second = 0;
	for (int k = 0; k < gmm->k; k++)
		for (int j = 0; j < gmm->d; j++)
		{
			double		m = gmm->mean[k * gmm->d + j];

			mean[j] += gmm->weight[k] * m;
			*second += gmm->weight[k] * (m * m + gmm->covariance[(k * gmm->d + j) * gmm->d + j]);
		}
}

static void
test_mergers(void)
{
	DpemGmm		gmm = em_create(6, DIMENSION, DPEM_SECOND_FULL);
	int			place[6] = {0, 1, 2, 3, 4, 5};
	double		before[DIMENSION];
	double		after[DIMENSION];
	double		second[2];
	DpemWorkspace work = em_workspace(dpem_gmm_merge_work(6, DIMENSION));

	spread_mixture(&gmm, 0.5);
	for (int j = 0; j < DIMENSION; j++)
		gmm.mean[5 * DIMENSION + j] = gmm.mean[2 * DIMENSION + j] + 0.01;
	total_moments(&gmm, before, &second[0]);
	CHECK(dpem_gmm_merge_nearest(&gmm, place, 6, work) == DPEM_OK && gmm.k == 5, "one less");
	CHECK(place[5] == 2 && place[2] == 2 && place[0] == 0 && place[4] == 4, "the two that are near each other");
	while (gmm.k > 1)
		CHECK(dpem_gmm_merge_nearest(&gmm, place, 6, work) == DPEM_OK, "and so on");
	total_moments(&gmm, after, &second[1]);
	for (int j = 0; j < DIMENSION; j++)
		CHECK_CLOSE(after[j] + 1, before[j] + 1, 1e-12, "the mean of all is kept");
	CHECK_CLOSE(second[1], second[0], 1e-12, "and the second moment");
	for (int i = 0; i < 6; i++)
		CHECK(place[i] == 0, "all are in the one that is left");
	free(work.next);
	em_free(&gmm);
}

/* ---- mixtures ---- */

/* a mixture of `truth` components split into twice as many, as noise splits them */
static void
split_mixture(int truth, double wobble, DpemGmm *gmm)
{
	DpemGmm		whole = em_create(truth, gmm->d, DPEM_SECOND_FULL);
	size_t		d = (size_t) gmm->d;

	spread_mixture(&whole, 0.4);
	for (int k = 0; k < gmm->k; k++)
	{
		int			from = k % truth;

		gmm->weight[k] = whole.weight[from] / 2;
		memcpy(gmm->covariance + k * d * d, whole.covariance + from * d * d, d * d * sizeof(double));
		for (size_t j = 0; j < d; j++)
			gmm->mean[k * d + j] = whole.mean[from * d + j] + wobble * dpem_public_normal(&rng);
	}
	em_free(&whole);
}

static int
choose_mixture(double wobble, double rows, DpemSizes *s)
{
	DpemGmm		gmm = em_create(6, DIMENSION, DPEM_SECOND_FULL);
	DpemWorkspace work = em_workspace(dpem_gmm_choice_work(s, 6, DIMENSION));
	int			place[6];
	int			chosen;

	split_mixture(3, wobble, &gmm);
	CHECK(dpem_gmm_choose(s, rows, false, &gmm, place, NULL, work) == DPEM_OK, "it is found");
	chosen = gmm.k;
	CHECK(chosen == s->chosen, "the mixture is the one chosen");
	for (int k = 0; k < 6; k++)
		CHECK(place[k] >= 0 && place[k] < chosen, "every component went into one of it");
	free(work.next);
	em_free(&gmm);
	return chosen;
}

static void
test_mixtures(void)
{
	DpemSizes	s = {.n = 5,.k = {1, 2, 3, 4, 6}};
	DpemSizes	again = s;
	DpemSizes	few = s;
	DpemPublicRandom before = rng;

	CHECK(choose_mixture(0.005, 5000, &s) == 3, "halves of three components are three: %d", s.chosen);
	rng = before;
	(void) choose_mixture(0.005, 5000, &again);
	for (int i = 0; i < s.n; i++)
		CHECK(s.score[i] == again.score[i], "a choice is a function of what was released");
	CHECK(choose_mixture(0.005, 10, &few) < 3, "what ten rows' worth of moments tell is less: %d", few.chosen);
}

static void
test_effective(void)
{
	DpemGmm		gmm = em_create(3, DIMENSION, DPEM_SECOND_FULL);
	DpemNoisyMoments noise = {.sum_sd = 0,.second_sd = 0};

	spread_mixture(&gmm, 0.4);
	CHECK(dpem_gmm_effective_rows(&gmm, &noise, 3000) == 3000, "without noise all count");
	noise.second_sd = 0.3;
	CHECK(dpem_gmm_effective_rows(&gmm, &noise, 3000) < 1500, "noise makes them fewer");
	em_free(&gmm);
}

enum
{
	SIDE = 40
};

static void
test_cells(void)
{
	static double count[SIDE * SIDE];
	static double middle[SIDE * SIDE * 2];
	DpemGmmCells cells = {
		.n = SIDE * SIDE,.d = 2,.count = count,.middle = middle,.width = {2.0 / SIDE, 2.0 / SIDE},.sd = 2,.rows = 4000,.variance = 0.2
	};
	DpemSizes	s = {.n = 4,.k = {2, 4, 5, 8}};
	DpemGmm		gmm = em_create(8, 2, DPEM_SECOND_FULL);
	DpemWorkspace work = em_workspace(dpem_gmm_cells_work(cells.n, 8, 2));

	for (int c = 0; c < cells.n; c++)
	{
		count[c] = 2 * dpem_public_normal(&rng);
		middle[2 * c] = (c / SIDE + 0.5) * 2 / SIDE - 1;
		middle[2 * c + 1] = (c % SIDE + 0.5) * 2 / SIDE - 1;
	}
	for (int i = 0; i < 4000; i++)
	{
		int			x = (int) ((1 + 0.5 * (i % 2 ? 1 : -1) + 0.08 * dpem_public_normal(&rng)) / 2 * SIDE);
		int			y = (int) ((1 + 0.5 * (i / 2 % 2 ? 1 : -1) + 0.08 * dpem_public_normal(&rng)) / 2 * SIDE);

		count[x * SIDE + y]++;
	}
	dpem_gmm_cells_choose(&cells, &s, &gmm, work);
	CHECK(s.chosen == 4 && gmm.k == 4, "four clusters in noisy counts: %d", s.chosen);
	CHECK(dpem_gmm_cells_refit(&cells, &gmm, work) == 4, "all of them distinct");
	free(work.next);
	em_free(&gmm);
}

/* ---- clusters and components ---- */

/* k-means of c true clusters: more only split one, fewer join two */
static void
test_clusters(void)
{
	DpemSizes	s = {.n = 5,.k = {1, 2, 3, 4, 5}};
	double		share[5][5] = {{1}, {0.5, 0.5}, {0.34, 0.33, 0.33}, {0.34, 0.33, 0.17, 0.16}, {0.17, 0.17, 0.33, 0.17, 0.16}};
	double		apart[5] = {0.5, 0.3, 0.05, 0.046, 0.043};
	double		likelihood[5];
	double		effective[5];

	for (int i = 0; i < 5; i++)
	{
		double		spread[5];
		double		zero[10] = {0};
		DpemKmeans	means = {.k = i + 1,.d = 2,.center = zero,.center_noise = zero,.weight = share[i],.weight_noise = zero};

		for (int k = 0; k <= i; k++)
			spread[k] = apart[i];
		likelihood[i] = dpem_kmeans_likelihood(&means, spread, 5000, &effective[i]);
		CHECK(effective[i] == 5000, "without noise all rows count");
	}
	CHECK(dpem_kmeans_choose_size(&s, 2, likelihood, effective) == 3, "three clusters: %d", s.chosen);
}

static void
test_components(void)
{
	double		covariance[36] = {0};
	DpemSizes	s = {.n = 5,.k = {1, 2, 3, 4, 6}};
	DpemWorkspace work = em_workspace(dpem_component_choice_work(6));

	for (int j = 0; j < 6; j++)
		covariance[7 * j] = j < 2 ? 0.1 : 0.01;
	for (int i = 0; i < 6; i++)
		for (int j = 0; j <= i; j++)
			covariance[6 * i + j] = covariance[6 * j + i] += 0.0004 * dpem_public_normal(&rng) * (i == j ? 1 : sqrt(0.5));
	CHECK(dpem_component_choose(&s, 6, covariance, 0.0004, 5000, work) == DPEM_OK && s.chosen == 2, "two components stand out: %d", s.chosen);
	CHECK(dpem_covariance_effective_rows(0.0004, 0.01, 5000) < 5000, "and noise counts as fewer rows");
	free(work.next);
}

/*
 * A line of the charge is priced for the largest candidate; what is released with fewer components, or
 * before and after the choice, is never more sensitive (docs/proofs.md, 7).
 */
static void
test_prices(void)
{
	for (int trial = 0; trial < 2000; trial++)
	{
		double		weight[3];
		int			most = 2 + (int) dpem_public_index(&rng, 63);
		int			k = 1 + (int) dpem_public_index(&rng, (size_t) most);
		bool		replace = trial % 2;

		for (int i = 0; i < 3; i++)
			weight[i] = exp(3 * dpem_public_normal(&rng)) * (dpem_public_uniform(&rng) < 0.8);
		CHECK(dpem_joint_sensitivity2(k, weight[0], weight[1], weight[2], replace) <=
			  dpem_joint_sensitivity2(most, weight[0], weight[1], weight[2], replace), "%d of %d components", k, most);
	}
}

int
main(void)
{
	test_scores();
	test_mergers();
	test_mixtures();
	test_effective();
	test_cells();
	test_clusters();
	test_components();
	test_prices();
	return unit_report();
}
