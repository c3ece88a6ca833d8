/*
 * test_lda_estimate.c - topics from released sums, and how well they predict
 * words.
 */
#include "core/lda/lda_estimate.h"
#include "core/lda/lda_evaluate.h"
#include "core/lda/lda_rules.h"
#include "core/numeric/deconvolution.h"
#include "kernel_fixture.h"

/* ---- estimation ---------------------------------------------------------------------- */

/* noise alone becomes one number; what stands out of it stays */
static void
check_deconvolution(Rng *rng)
{
	enum
	{
		N = 2000
	};
	static double x[N];
	static double mean[N];
	static double work[N * DPEM_DECONVOLUTION_POINTS];
	DpemDeconvolution d;
	double		raw = 0;
	double		shrunk = 0;

	for (int i = 0; i < N; i++)
		x[i] = (i < 20 ? 400 : 5) + 30 * rng_normal(rng);
	dpem_deconvolution_grid(&d, 40, 0.1, 1000);
	CHECK(dpem_deconvolve(&d, N, x, NULL, 30, 40, mean, work) == DPEM_OK, "solved");
	for (int i = 0; i < N; i++)
	{
		double		truth = i < 20 ? 400 : 5;

		raw += (x[i] - truth) * (x[i] - truth) / N;
		shrunk += (mean[i] - truth) * (mean[i] - truth) / N;
	}
	/* 900 raw, about 20 left: the large ones' own noise, and the grid's steps */
	CHECK(shrunk < raw / 10, "squared error %.1f of %.1f", shrunk, raw);
	CHECK(dpem_deconvolve(&d, N, x, NULL, 0, 40, mean, work) == DPEM_BAD_ARGUMENT, "no noise, nothing to do");
}

/* two topics of disjoint terms under noise ten times a rare term's words */
static void
check_shrinkage(Rng *rng)
{
	enum
	{
		V = 800
	};
	static double truth[2 * V];
	static double words[2 * V];
	static double totals[V];
	static double lambda[2 * V];
	static double emphasis[V];
	static double plain[2 * V];
	static double work[2 * V + V * DPEM_DECONVOLUTION_POINTS];
	DpemLdaTopics topics = {2, V, lambda};
	DpemLdaCounts counts = {words, 900};
	double		error[2] = {0, 0};

	for (int v = 0; v < V; v++)
	{
		double		size = 4000.0 / (1 + v / 2);

		truth[v % 2 * V + v] = size;
		totals[v] = size;
	}
	for (int i = 0; i < 2 * V; i++)
		words[i] = truth[i] + 30 * rng_normal(rng);
	for (int v = 0; v < V; v++)
		emphasis[v] = 1;
	CHECK(dpem_lda_shrink(&counts, totals, emphasis, 0.1, &topics, (DpemWorkspace) {work, work + sizeof(work) / sizeof(double)}) == DPEM_OK, "solved");
	for (int i = 0; i < 2 * V; i++)
	{
		error[0] += fabs(fmax(words[i], 0) - truth[i]);
		error[1] += fabs(lambda[i] - truth[i]);
	}
	for (int v = 0; v < V; v++)
		emphasis[v] = 2;
	for (int i = 0; i < 2 * V; i++)
		words[i] *= 2;
	counts.variance *= 4;
	memcpy(plain, lambda, sizeof(plain));
	CHECK(dpem_lda_shrink(&counts, totals, emphasis, 0.1, &topics, (DpemWorkspace) {work, work + sizeof(work) / sizeof(double)}) == DPEM_OK, "solved");
	CHECK(memcmp(plain, lambda, sizeof(plain)) == 0, "the same from counts and noise of twice the emphasis");
	CHECK(error[1] < 0.8 * error[0], "error %.0f, by truncation %.0f", error[1], error[0]);
	dpem_lda_balance(totals, 0.1, &topics);
	for (int v = 0; v < V; v++)
		error[0] = v ? fmax(error[0], fabs(lambda[v] + lambda[V + v] - 0.2 - totals[v])) : 0;
	CHECK(error[0] < 1e-9, "topics have all words of a term between them");
	dpem_lda_make_equal(totals, 0.1, &topics);
	CHECK(lambda[3] == lambda[V + 3] && fabs(lambda[3] - 0.1 - totals[3] / 2) < 1e-9, "equal topics");
}

static void
check_blend(void)
{
	double		value[6] = {99, 2, -4, 99, 6, 8};
	double		words[4] = {10, 10, 10, 10};
	DpemNoisyMoments m = {.layout = {2, 2, DPEM_SECOND_NONE},.sum_sd = 3,.value = value};
	DpemLdaCounts counts = {words, 16};

	dpem_lda_blend(&m, 10, 0.5, true, &counts);
	CHECK(words[0] == 15 && words[1] == 5 && words[2] == 35 && words[3] == 45, "the mean of old and new");
	CHECK(counts.variance == 0.25 * 16 + 0.25 * 900, "and of their noise");
	dpem_lda_blend(&m, 10, 1, false, &counts);
	CHECK(words[1] == -40 && counts.variance == 900, "the new alone");
	CHECK(dpem_lda_full_rate(1) == 1 && dpem_lda_full_rate(2) == 0.75 && dpem_lda_full_rate(4) == 0.5, "weights 1, 3, 6, 10");
	CHECK(dpem_lda_iterations(0.05) == 20 && dpem_lda_iterations(1) > 1, "an epoch");
}

static void
check_softening(void)
{
	double		weight[6] = {0.4, 0.1, 0.3, 0.3, 1e-200, 1};

	dpem_lda_soften(2, 3, 0.5, weight);
	CHECK_CLOSE(weight[0] / weight[1], 2, 1e-12, "the root of how often a term is more probable in a topic");
	CHECK_CLOSE(weight[0] * weight[1], 0.04, 1e-12, "the geometric mean stays");
	CHECK_CLOSE(weight[2], 0.3, 1e-12, "equal topics stay");
	CHECK(weight[4] > 0 && weight[5] < 1e-40, "and weights are above 0");
	CHECK(dpem_lda_sharpness(1, 1) == 1 && dpem_lda_sharpness(1, 9) == 1 && dpem_lda_sharpness(5, 9) == 0.75 && dpem_lda_sharpness(9, 9) == 1, "at first and in the end as they are");
	CHECK(dpem_lda_sharpness(2, 4) == 1, "and in few passes");
}

/* ---- evaluation ---------------------------------------------------------------------- */

/* with one topic the completed half has the topic's own perplexity; halves are taken in turn */
static void
check_completion(Rng *rng)
{
	double		probability[4] = {0.4, 0.3, 0.2, 0.1};
	double		mixed[8] = {0.7, 0.1, 0.1, 0.7, 0.1, 0.1, 0.1, 0.1};
	int32_t		term[3] = {0, 2, 3};
	double		count[3] = {3, 1, 4};
	int32_t		room[4];
	double		half_count[4];
	double		mixture[2];
	double		log_probability = 0;
	double		words = 0;
	double		work[16 * 10];
	DpemLdaDocument document = {3, term, count};
	DpemLdaDocument half = {0, room, half_count};
	double		alpha[2] = {0.5, 1.5};
	DpemLdaTask task = dpem_lda_evaluation(1, 4, alpha, probability);

	(void) rng;
	dpem_lda_complete(&task, &document, &half, mixture, &log_probability, &words, work);
	/* seen: 2, 0, 2; left: 1, 1, 2 */
	CHECK_CLOSE(words, 4, 1e-15, "words of the second half");
	CHECK_CLOSE(log_probability, log(0.4) + log(0.2) + 2 * log(0.1), 1e-12, "their probability");
	task = dpem_lda_evaluation(2, 4, alpha, mixed);
	document.terms = 1;
	count[0] = 1000;
	dpem_lda_mixture(&task, &document, mixture, work);
	CHECK(mixture[0] > 0.99 && fabs(mixture[0] + mixture[1] - 1) < 1e-12, "a document of one topic: %.4f", mixture[0]);
	document.terms = 0;
	dpem_lda_mixture(&task, &document, mixture, work);
	CHECK(mixture[0] == 0.25 && mixture[1] == 0.75, "a document of no words has the prior's mixture");
}

int
main(void)
{
	Rng			rng = {16};

	check_deconvolution(&rng);
	check_shrinkage(&rng);
	check_blend();
	check_softening();
	check_completion(&rng);
	return unit_report();
}
