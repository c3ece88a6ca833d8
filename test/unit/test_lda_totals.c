/*
 * test_lda_totals.c - how often terms occur: from releases of different emphasis, from sums over topics, and of
 * short documents, of whose terms a clip takes unequal parts.
 */
#include "core/lda/lda_totals.h"
#include "core/numeric/deconvolution.h"
#include "kernel_fixture.h"

/* ---- totals ----------------------------------------------------------------------- */

enum
{
	V = 3000,
	FREQUENT = 300,				/* of them */
	DOCUMENTS = 60000
};

static double truth[V];
static double raw[V];
static double precision[V];
static double total[V];
static double emphasis[V];
static double value[V + 1];
static double work[4 * V + V * DPEM_DECONVOLUTION_POINTS];

static const DpemWorkspace room = {work, work + sizeof(work) / sizeof(double)};
static DpemLdaTotals totals = {.terms = V,.raw = raw,.precision = precision,.total = total};

/* a release of a thousand documents' words: clipped to `part` of them, noise of 6 words a term */
static void
release(Rng *rng, const double *weight, double part)
{
	DpemNoisyMoments m = {.layout = {1, V, DPEM_SECOND_NONE},.sum_sd = 0.6,.value = value};

	for (int v = 0; v < V; v++)
		value[1 + v] = 0.1 * truth[v] * part * (weight ? weight[v] : 1) + 0.6 * rng_normal(rng);
	CHECK(dpem_lda_totals_add(&m, 10, weight, &totals, room) == DPEM_OK, "added");
}

static double
error_of(void)
{
	double		error = 0;

	for (int v = 0; v < V; v++)
		error += (total[v] - truth[v]) * (total[v] - truth[v]) / (truth[v] + 1);
	return error;
}

static void
clear(void)
{
	for (int v = 0; v < V; v++)
		raw[v] = precision[v] = total[v] = 0;
	totals = (DpemLdaTotals) {.terms = V,.raw = raw,.precision = precision,.total = total};
}

static double
release_twice(Rng *rng, bool weighted)
{
	clear();
	release(rng, NULL, 1);
	dpem_lda_emphasise(&totals, 6, emphasis);
	release(rng, weighted ? emphasis : NULL, weighted ? 0.7 : 1);
	return error_of();
}

static void
check_totals(Rng *rng)
{
	double		square = 0;
	double		words = 0;
	double		plain;
	double		weighted;
	DpemNoisyMoments exact = {.layout = {1, V, DPEM_SECOND_NONE},.value = value};

	for (int v = 0; v < V; v++)
		truth[v] = 20000.0 / (v + 2);
	plain = release_twice(rng, false);
	weighted = release_twice(rng, true);
	CHECK(weighted < 0.9 * plain, "less error where frequent terms have less weight: %.0f, %.0f", weighted, plain);
	for (int v = 0; v < V; v++)
	{
		square += emphasis[v] * emphasis[v] * total[v];
		words += total[v];
	}
	dpem_lda_emphasise(&totals, 6, emphasis);
	CHECK(emphasis[0] < emphasis[100] && emphasis[100] < emphasis[V - 1], "frequent terms have less weight");
	CHECK(square > 0.8 * words && square < 1.25 * words, "the size of documents stays: %.3f", square / words);
	CHECK(dpem_lda_totals_add(&exact, 10, NULL, &totals, room) == DPEM_BAD_ARGUMENT, "no noise, nothing to do");
}

/* topics share the words of every term, and keep more of them than a release of the terms alone did */
static void
check_sums_of_topics(Rng *rng)
{
	enum
	{
		K = 5
	};
	static double of_topics[K * (V + 1)];
	DpemNoisyMoments m = {.layout = {K, V, DPEM_SECOND_NONE},.sum_sd = 0.6,.value = of_topics};
	double		before;
	double		words = 0;
	double		kept = 0;

	clear();
	release(rng, NULL, 1);
	before = error_of();
	dpem_lda_emphasise(&totals, 6, emphasis);
	for (int k = 0; k < K; k++)
		for (int v = 0; v < V; v++)
			of_topics[k * (V + 1) + 1 + v] = 0.1 * truth[v] * emphasis[v] * 2 / K + 0.6 * rng_normal(rng);
	CHECK(dpem_lda_totals_add(&m, 10, emphasis, &totals, room) == DPEM_OK, "added");
	CHECK(error_of() < 0.9 * before, "they tell of the terms: error %.0f, before %.0f", error_of(), before);
	for (int v = 0; v < V; v++)
	{
		words += truth[v];
		kept += total[v];
	}
	CHECK(fabs(kept / words - 1) < 0.05, "all words stay as many: %.3f", kept / words);
}

/* sums of documents of four words, a fifth of them rare, each clipped to a norm of 1 under the emphasis */
static void
add_documents(Rng *rng, const double *weight, double *sum)
{
	for (int i = 0; i < DOCUMENTS; i++)
	{
		int			term[4];
		double		square = 0;

		for (int j = 0; j < 4; j++)
		{
			bool		rare = rng_uniform(rng, 0, 1) < 0.2;

			term[j] = (int) rng_uniform(rng, rare ? FREQUENT : 0, rare ? V : FREQUENT);
			square += weight[term[j]] * weight[term[j]];
		}
		for (int j = 0; j < 4; j++)
			sum[1 + term[j]] += weight[term[j]] / sqrt(square);
	}
}

static void
release_documents(Rng *rng, const double *weight, double sd)
{
	DpemNoisyMoments m = {.layout = {1, V, DPEM_SECOND_NONE},.sum_sd = sd,.value = value};

	for (int v = 0; v < V; v++)
	{
		value[1 + v] = sd * rng_normal(rng);
		emphasis[v] = !weight ? 1 : v < FREQUENT ? 0.5 : 2;
	}
	add_documents(rng, emphasis, value);
	CHECK(dpem_lda_totals_add(&m, 25, weight ? emphasis : NULL, &totals, room) == DPEM_OK, "added");
}

/* the first release tells how long documents are, but little of a term */
static double
share_of_rare_terms(Rng *rng, double rows)
{
	double		rare = 0;
	double		all = 0;

	clear();
	release_documents(rng, NULL, 2);
	dpem_lda_totals_measure(&totals, rows, 25, 500, room);
	release_documents(rng, emphasis, 1e-3);
	for (int v = 0; v < V; v++)
	{
		all += total[v];
		rare += v < FREQUENT ? 0 : total[v];
	}
	return rare / all;
}

/* a clip takes more of rare terms, where documents are short; 0.2 of all words are of them */
static void
check_short_documents(Rng *rng)
{
	double		known = share_of_rare_terms(rng, DOCUMENTS);
	double		length = totals.length;
	double		unknown = share_of_rare_terms(rng, 0);

	CHECK(length > 3.8 && length < 4.2, "words of a document: %.2f", length);
	CHECK(totals.length == 0 && unknown < 0.17, "what a clip leaves of rare terms: %.3f", unknown);
	CHECK(known > 0.18 && known < 0.22, "what they were: %.3f", known);
}

/* documents of forty words, a fifth of them rare, of which a wide clip takes nothing: there is nothing to make good */
static void
check_whole_documents(Rng *rng)
{
	double		rare = 0;
	double		all = 0;

	for (int v = 0; v < V; v++)
		truth[v] = v < FREQUENT ? 0.8 / FREQUENT : 0.2 / (V - FREQUENT);
	clear();
	for (int pass = 0; pass < 2; pass++)
	{
		DpemNoisyMoments m = {.layout = {1, V, DPEM_SECOND_NONE},.sum_sd = pass == 0 ? 2 : 0.2,.value = value};

		for (int v = 0; v < V; v++)
		{
			emphasis[v] = v < FREQUENT ? 0.5 : 2;
			value[1 + v] = DOCUMENTS * truth[v] * (pass == 0 ? 1 : emphasis[v]) + m.sum_sd * rng_normal(rng);
		}
		CHECK(dpem_lda_totals_add(&m, 500, pass == 0 ? NULL : emphasis, &totals, room) == DPEM_OK, "added");
		if (pass == 0)
			dpem_lda_totals_measure(&totals, DOCUMENTS, 500, 500, room);
	}
	for (int v = 0; v < V; v++)
	{
		all += total[v];
		rare += v < FREQUENT ? 0 : total[v];
	}
	CHECK(rare / all > 0.18 && rare / all < 0.22, "documents that no clip takes from: %.3f of all words are rare", rare / all);
}

static double
excess_of_words(void)
{
	double		sum = 0;

	for (int v = 0; v < V; v++)
		sum += total[v] - raw[v];
	return sum / V;
}

/* releases that tell next to nothing bring estimates nearer to the most likely ones, whose sum is about that of the numbers */
static void
check_steps_add_up(Rng *rng)
{
	double		first = 0;

	for (int v = 0; v < V; v++)
		truth[v] = 2;
	clear();
	for (int pass = 0; pass < 12; pass++)
	{
		DpemNoisyMoments m = {.layout = {1, V, DPEM_SECOND_NONE},.sum_sd = pass == 0 ? 60 : 6e5,.value = value};

		for (int v = 0; v < V; v++)
			value[1 + v] = truth[v] + m.sum_sd * rng_normal(rng);
		CHECK(dpem_lda_totals_add(&m, 1, NULL, &totals, room) == DPEM_OK, "added");
		if (pass == 0)
			first = excess_of_words();
	}
	CHECK(first > 1 && excess_of_words() < first / 2, "too many words by %.1f a term at first, then by %.1f", first, excess_of_words());
}

/* sums of documents of 24 words, 0.6 of them of one term, each clipped to a norm of 1 under the emphasis */
static void
add_repetitive(Rng *rng, const double *weight, double *sum)
{
	for (int i = 0; i < DOCUMENTS; i++)
	{
		int			term[24];
		double		square = 0;

		for (int j = 0; j < 24; j++)
			term[j] = rng_uniform(rng, 0, 1) < 0.6 ? 0 : (int) rng_uniform(rng, 1, V);
		for (int j = 0; j < 24; j++)
			for (int other = 0; other < 24; other++)
				square += term[j] == term[other] ? weight[term[j]] * weight[term[j]] : 0;
		for (int j = 0; j < 24; j++)
			sum[1 + term[j]] += weight[term[j]] / sqrt(square);
	}
}

/* a term that documents repeat makes all of them long, so that a clip takes the same of all terms */
static void
check_repetitive_documents(Rng *rng)
{
	double		share[2];

	clear();
	for (int pass = 0; pass < 2; pass++)
	{
		double		all = 0;
		DpemNoisyMoments m = {.layout = {1, V, DPEM_SECOND_NONE},.sum_sd = pass == 0 ? 2 : 1e-3,.value = value};

		for (int v = 0; v < V; v++)
		{
			emphasis[v] = pass == 0 ? 1 : v == 0 ? 0.5 : 2;
			value[1 + v] = m.sum_sd * rng_normal(rng);
		}
		add_repetitive(rng, emphasis, value);
		CHECK(dpem_lda_totals_add(&m, 25, pass == 0 ? NULL : emphasis, &totals, room) == DPEM_OK, "added");
		if (pass == 0)
			dpem_lda_totals_measure(&totals, DOCUMENTS, 25, 500, room);
		for (int v = 0; v < V; v++)
			all += total[v];
		share[pass] = total[0] / all;
	}
	CHECK(fabs(share[1] - share[0]) < 0.03, "the term that is repeated: %.3f of all words, with its emphasis %.3f", share[0], share[1]);
}

int
main(void)
{
	Rng			rng = {28};

	check_totals(&rng);
	check_sums_of_topics(&rng);
	check_short_documents(&rng);
	check_whole_documents(&rng);
	check_repetitive_documents(&rng);
	check_steps_add_up(&rng);
	return unit_report();
}
