/*
 * test_lda_choice.c - how far a document's words decide on its mixture: gains are what they are
 * said to be, and none moves their sum further than declared (docs/proofs.md, 16); several sets of topics.
 */
#include "core/lda/lda_merge.h"
#include "core/lda/lda_rules.h"
#include "lda_fixture.h"

/* ---- gains ------------------------------------------------------------------------ */

static void
make_fixture(Fixture *f, double sharpness)
{
	make_topics(f, sharpness);
	f->task = (DpemLdaTask) {.k = TOPICS,.terms = TERMS,.alpha = f->part,.weight = f->probability,.steps = DPEM_LDA_STEPS};
}

static void
find_gains(Fixture *f)
{
	dpem_lda_gains(&f->task, &f->document, &f->half, f->added, f->work);
}

static void
check_gains(Rng *rng)
{
	Fixture		f;
	int			bad = 0;

	make_fixture(&f, 3);
	for (int round = 0; round < 200; round++)
	{
		make_document(rng, &f, round % 2, 2);
		find_gains(&f);
		for (int i = 0; i < DPEM_LDA_GAINS; i += 2)
			bad += !(f.added[i] >= 0 && f.added[i + 1] >= 0 && f.added[i] * f.added[i + 1] == 0);
		if (round % 2 && f.document.terms > 4)
			bad += !(f.added[0] > f.added[DPEM_LDA_GAINS - 2] && f.added[DPEM_LDA_GAINS - 2] > 0);
	}
	CHECK(bad == 0, "documents of one topic gain, the more the less they are held to the mean: %d not", bad);
	f.document.terms = 1;
	f.count[0] = 1;
	find_gains(&f);
	for (int i = 0; i < DPEM_LDA_GAINS; i++)
		bad += f.added[i] != 0;
	make_fixture(&f, 0);
	make_document(rng, &f, false, 2);
	find_gains(&f);
	for (int i = 0; i < DPEM_LDA_GAINS; i++)
		bad += fabs(f.added[i]) > 1e-12;
	CHECK(bad == 0, "nothing is gained from one word, or by topics that are the same");
}

/* the first half of `one b` is one a: p(b | c) with gamma = c w + phi after its only word */
static void
check_formula(void)
{
	Fixture		f;
	double		sum[2] = {0, 0};
	double		p = 0;

	make_fixture(&f, 3);
	f.document.terms = 2;
	f.term[0] = 0;
	f.term[1] = 3;
	f.count[0] = f.count[1] = 1;
	find_gains(&f);
	for (int k = 0; k < TOPICS; k++)
	{
		sum[0] += f.part[k] * f.probability[k];
		sum[1] += f.part[k] * f.probability[3 * TOPICS + k];
	}
	for (int k = 0; k < TOPICS; k++)
	{
		/* in the limit of a large c the posterior of the word is Bayes's */
		double		c = dpem_lda_concentration[DPEM_LDA_CONCENTRATIONS - 1];

		p += (c * f.part[k] + f.part[k] * f.probability[k] / sum[0]) / (c + 1) * f.probability[3 * TOPICS + k];
	}
	CHECK_CLOSE(f.added[DPEM_LDA_GAINS - 2], log(p / sum[1]), 0.03, "gain of a word");
}

/* pairs of documents under topics of every kind: a search for one that moves the sum further */
static void
check_sensitivity(Rng *rng)
{
	Fixture		f;
	Moved		m = {0};

	for (int round = 0; round < 4000; round++)
	{
		make_fixture(&f, rng_uniform(rng, 0, 30));
		make_document(rng, &f, round % 2, rng_uniform(rng, 0, 8));
		find_gains(&f);
		move(&m, &f, DPEM_LDA_GAINS, DPEM_LDA_GAIN_RADIUS);
	}
	check_moved(&m);
}

/* a document of one rare topic, and one whose halves are of two topics: what the first gains the second loses */
static void
check_worst_pair(void)
{
	Fixture		f;
	double		kept[DPEM_LDA_GAINS] = {0};
	double		moved;

	for (int i = 0; i < 2; i++)
	{
		make_fixture(&f, 60);
		f.part[0] = 1e-7;
		f.document.terms = 0;
		for (int v = 0; v < TERMS - 1; v++)
		{
			if (v % TOPICS > i)
				continue;
			f.term[f.document.terms] = v;
			f.count[f.document.terms++] = 1;
		}
		find_gains(&f);
		CHECK(dpem_lda_clip(f.added, DPEM_LDA_GAINS, DPEM_LDA_GAIN_RADIUS, BITS), "gains");
		moved = moved2(f.added, kept, DPEM_LDA_GAINS);
		memcpy(kept, f.added, sizeof(kept));
	}
	CHECK(moved > 1.999 && moved <= dpem_document_sensitivity2(true) + 1e-12, "the pair moves the sum by %.9f", sqrt(moved));
}

/* ---- several sets of topics side by side -------------------------------------------- */

/* the same topics twice, then their sum as one: gains of each as if it were alone, and nothing is gained by one topic */
static void
check_sets(Rng *rng)
{
	enum
	{
		ALL = 2 * TOPICS + 1
	};
	Fixture		f;
	double		part[ALL];
	double		set[ALL];
	double		probability[TERMS * ALL];
	double		gain[3 * DPEM_LDA_GAINS];
	DpemLdaTask all;
	int			bad = 0;

	make_fixture(&f, 3);
	all = f.task;
	all.k = ALL;
	all.stride = ALL;
	all.alpha = part;
	all.set = set;
	all.weight = probability;
	for (int k = 0; k < ALL; k++)
	{
		set[k] = k / TOPICS;
		part[k] = k < 2 * TOPICS ? f.part[k % TOPICS] : 1;
		for (int v = 0; v < TERMS; v++)
			probability[v * ALL + k] = k < 2 * TOPICS ? f.probability[v * TOPICS + k % TOPICS] : 0;
	}
	for (int v = 0; v < TERMS; v++)
		for (int k = 0; k < TOPICS; k++)
			probability[v * ALL + 2 * TOPICS] += f.part[k] * f.probability[v * TOPICS + k];
	CHECK(dpem_lda_sets(&all) == 3 && dpem_lda_sets(&f.task) == 1 && dpem_lda_set_end(&all, TOPICS) == 2 * TOPICS, "three sets");
	for (int round = 0; round < 100; round++)
	{
		make_document(rng, &f, round % 2, 2);
		find_gains(&f);
		dpem_lda_gains(&all, &f.document, &f.half, gain, f.work);
		for (int i = 0; i < DPEM_LDA_GAINS; i++)
			bad += gain[i] != f.added[i] || gain[DPEM_LDA_GAINS + i] != f.added[i] || fabs(gain[2 * DPEM_LDA_GAINS + i]) > 1e-12;
	}
	CHECK(bad == 0, "%d gains are others", bad);
}

/* what noise could be, or a twentieth, counts as nothing; of equal scores the first is chosen */
static void
check_scores(void)
{
	const double gain[4] = {0, 50, 97, 100};
	double		score[4];
	DpemNoisyMoments m = {.sum_sd = 0};

	dpem_lda_scores(&m, 4, gain, score);
	CHECK(score[0] == 0 && score[1] == 50 && score[2] == 95 && score[3] == 95, "without noise");
	m.sum_sd = 45 / (dpem_lda_gain_needed * sqrt(2));
	dpem_lda_scores(&m, 4, gain, score);
	CHECK(fabs(score[1] - 50) < 1e-9 && score[3] == score[1], "noise of the difference");
	m.sum_sd = 1000;
	dpem_lda_scores(&m, 4, gain, score);
	CHECK(score[0] == 0 && score[3] == 0, "noise hides all");
}

/* topics in pairs of alike ones are merged pair by pair, and their words stay as many */
static void
check_merge(void)
{
	double		lambda[6 * TERMS];
	double		loss[6 * 6];
	DpemLdaTopics topics = {6, TERMS, lambda};
	double		sum = 0;
	int			bad = 0;

	for (int k = 0; k < 6; k++)
		for (int v = 0; v < TERMS; v++)
			lambda[k * TERMS + v] = (v % 3 == k % 3 ? 100 : 1) + 0.1 * (k > 2);
	dpem_lda_merge(&topics, 3, NULL, (DpemWorkspace) {loss, loss + 36});
	for (int k = 0; k < 3; k++)
		for (int v = 0; v < TERMS; v++)
		{
			double		expected = (v % 3 == k % 3 ? 200 : 2) + 0.1;

			bad += !(fabs(lambda[k * TERMS + v] - expected) < 1e-9 || fabs(lambda[k * TERMS + v] - 2.1) < 1e-9 || fabs(lambda[k * TERMS + v] - 200.1) < 1e-9);
			sum += lambda[k * TERMS + v];
		}
	CHECK(topics.k == 3 && bad == 0, "three topics of two alike: %d numbers are not", bad);
	CHECK_CLOSE(sum, 2 * (TERMS * 100 + 2.0 * TERMS) + 0.1 * 3 * TERMS, 1e-12, "all words");
	dpem_lda_merge(&topics, 1, NULL, (DpemWorkspace) {loss, loss + 36});
	CHECK(topics.k == 1 && fabs(lambda[0] - (200.1 + 2.1 + 2.1)) < 1e-9, "one topic is all words");
}

/* ---- rules ------------------------------------------------------------------------ */

static void
check_choice(void)
{
	double		sum[1 + DPEM_LDA_GAINS] = {0, 5, 0, 20, 1, 9, 0, 1, 0};
	DpemNoisyMoments m = {.layout = {1, DPEM_LDA_GAINS, DPEM_SECOND_NONE},.sum_sd = 3,.value = sum};
	double		words[4] = {1000, 1000, 1, 1};
	double		gain;
	double		concentration;

	dpem_lda_choose(&m, 1, &gain, &concentration);
	CHECK(concentration == dpem_lda_concentration[1] && gain == 19, "the largest gain");
	m.sum_sd = 19 / dpem_lda_gain_needed;
	dpem_lda_choose(&m, 1, &gain, &concentration);
	CHECK(concentration == DPEM_LDA_CONCENTRATED && gain == 0, "none that noise could be");
	CHECK(dpem_lda_best_gain(&m) == 19, "which the first look takes as it is");
	CHECK(dpem_lda_first_look(10) == 1 && dpem_lda_first_look(2) == 0, "after the first of the passes, if there are enough");
	for (int j = 1; j < DPEM_LDA_CONCENTRATIONS; j++)
		CHECK(dpem_lda_concentration[j] > dpem_lda_concentration[j - 1], "they rise");
	CHECK(dpem_lda_only_terms_share(0, 0) == 0.6 && dpem_lda_only_terms_share(1e9, 0) == 0.6 && dpem_lda_only_terms_share(7, 1) == 0.6 &&
		  fabs(dpem_lda_only_terms_share(20, 2) - 0.775) < 1e-12 && dpem_lda_only_terms_share(1e9, 1) == 0.95, "shares of the totals before samples");
	CHECK(dpem_lda_terms_passes(16, 2, 4, words, 1) == 6, "six of sixteen, where noise is little");
	CHECK(dpem_lda_terms_passes(16, 2, 4, words, 1e6) == 16 && dpem_lda_terms_passes(16, 1, 4, words, 1) == 16, "all where they are not");
	CHECK(dpem_lda_terms_passes(1, 2, 4, words, 1) == 0, "a single pass is of topics");
	CHECK(dpem_lda_terms_at_first(16, 6, 4, words, 1) == 2, "a third of them before topics are looked at");
	CHECK(dpem_lda_terms_at_first(16, 6, 4, words, 1e4) == 6 && dpem_lda_terms_at_first(16, 2, 4, words, 1) == 2, "all where much is lost by it, or there are few");
	CHECK(dpem_lda_terms_left(16, 2, 6, 4, words, 1, 0.1) == 0, "and none after, where topics gain much");
	CHECK(dpem_lda_terms_left(16, 2, 6, 4, words, 1000, 0.01) == 4 && dpem_lda_terms_left(16, 0, 6, 4, words, 1, 1) == 6, "the others where they gain little, or none was made");
}

int
main(void)
{
	Rng			rng = {17};

	check_gains(&rng);
	check_formula();
	check_sensitivity(&rng);
	check_worst_pair();
	check_sets(&rng);
	check_scores();
	check_merge();
	check_choice();
	return unit_report();
}
