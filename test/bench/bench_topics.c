/*
 * bench_topics.c - what topics are worth beside a distribution of words at equal mu, without a server, and what they
 * could be worth if noise did not hide which words belong together: with `known`, every pass assigns words by the topics of a
 * fit without noise, so that noise is in the numbers of words alone.  Everything but the sampler is what a fit does.
 *
 * Prints the per-word perplexity of documents held out, for the concentration of documents' mixtures that a fit chooses
 * and for the best one in hindsight, beside topics => 1.
 *
 * Usage: bench_topics FILE TERMS TOPICS EPSILON [RUNS [PASSES FIRST [known]]]
 * FILE: of utility_topics_data.py; FIRST of PASSES releases are of terms alone (default: as a fit decides)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/accounting/accountant.h"
#include "core/accounting/sensitivity.h"
#include "core/lda/lda_choice.h"
#include "core/lda/lda_estimate.h"
#include "core/lda/lda_evaluate.h"
#include "core/lda/lda_rules.h"
#include "core/lda/lda_totals.h"
#include "core/numeric/public_random.h"
#include "../bench/topics_corpus.h"

#define LENGTH		500.0		/* as dp_lda_fit's defaults */
#define RADIUS		(0.05 * LENGTH)
#define LOOKS		2			/* releases of the stage that chooses */
#define OPEN_PASSES 25
#define UNCLIPPED	1e9

typedef struct Fit
{
	const Corpus *corpus;
	double		mu;
	DpemLdaTotals totals;
	DpemLdaTopics topics;
	DpemLdaCounts counts;
	bool		given_up;
	double	   *emphasis;
	double	   *weight;
	const double *known;		/* weights of topics without noise; NULL: the fit's own */
} Fit;

static DpemPublicRandom noise_rng = {1};

/* ---- releases ---- */

static double
noise_multiplier(const Fit *f, double share, int releases)
{
	return isinf(f->mu) ? 0 : sqrt(releases / share) / f->mu;
}

static void
add_document(const DpemLdaTask *task, const DpemLdaDocument *d, double radius, double *work, DpemNoisyMoments *m)
{
	if (task->sums == DPEM_LDA_SUM_GAINS)
	{
		static int32_t term[MOST_TERMS];
		static double count[MOST_TERMS];
		DpemLdaDocument half = {0, term, count};
		double		gain[DPEM_LDA_GAINS];

		dpem_lda_gains(task, d, &half, gain, work);
		dpem_lda_clip(gain, DPEM_LDA_GAINS, radius, 0);
		for (int i = 0; i < DPEM_LDA_GAINS; i++)
			m->value[1 + i] += gain[i];
	}
	else
	{
		DpemLdaShare share = dpem_lda_respond(task, d, NULL, work);

		dpem_lda_clip(share.share, (size_t) d->terms * share.padded, radius, 0);
		dpem_lda_add_real(&m->layout, d, &share, m->value);
	}
}

static DpemNoisyMoments
release(const Fit *f, DpemLdaTask task, double radius, double z)
{
	DpemMomentLayout layout = {task.k, f->corpus->terms, DPEM_SECOND_NONE};
	size_t		n = dpem_moments_length(&layout);
	DpemNoisyMoments m = {.layout = layout,.sum_sd = z * sqrt(dpem_document_sensitivity2(true)),.value = zeros(n)};
	double	   *work = zeros(dpem_lda_gain_work(task.k, MOST_TERMS));

	task.terms = f->corpus->terms;
	task.length = LENGTH;
	task.steps = DPEM_LDA_STEPS;
	for (int i = f->corpus->held; i < f->corpus->documents; i++)
		add_document(&task, &f->corpus->document[i], radius, work, &m);
	for (size_t i = 0; i < n; i++)
		m.value[i] = i % (size_t) (layout.d + 1) == 0 ? 0 : m.value[i] / radius + m.sum_sd * dpem_public_normal(&noise_rng);
	free(work);
	return m;
}

static void
release_totals(Fit *f, double z, const double *emphasis)
{
	double		alpha = 1;
	double	   *weight = filled(f->corpus->terms, 1);
	size_t		n = dpem_lda_totals_work(f->corpus->terms);
	double	   *work = zeros(n);
	DpemNoisyMoments m = release(f, (DpemLdaTask) {.k = 1,.alpha = &alpha,.emphasis = emphasis,.weight = weight}, RADIUS, z);

	if (dpem_lda_totals_add(&m, RADIUS, emphasis, &f->totals, (DpemWorkspace) {work, work + n}) != DPEM_OK)
		abort();
	free(m.value);
	free(work);
	free(weight);
}

/* ---- a fit: lda_fit.c without a server ---- */

static Fit
begin(const Corpus *c, int k, double mu)
{
	size_t		entries = (size_t) k * c->terms;
	Fit			f = {
		.corpus = c,.mu = mu,.totals = {.terms = c->terms,.raw = zeros(c->terms),.precision = zeros(c->terms),.total = zeros(c->terms)},
		.topics = {k, c->terms, zeros(entries)},.counts = {zeros(entries), 0},.emphasis = zeros(c->terms),.weight = zeros(entries)
	};

	dpem_lda_start(&f.topics);
	memcpy(f.counts.words, f.topics.lambda, entries * sizeof(double));
	return f;
}

static void
end(Fit *f)
{
	free(f->totals.raw);
	free(f->totals.precision);
	free(f->totals.total);
	free(f->topics.lambda);
	free(f->counts.words);
	free(f->emphasis);
	free(f->weight);
}

static DpemNoisyMoments
release_topics(Fit *f, double radius, double z, double sharpness, const double *emphasis)
{
	double	   *alpha = filled(f->topics.k, 1.0 / f->topics.k);
	DpemNoisyMoments m;

	dpem_lda_weights(&f->topics, f->weight);
	dpem_lda_soften(f->topics.k, f->topics.terms, sharpness, f->weight);
	m = release(f, (DpemLdaTask) {.k = f->topics.k,.alpha = alpha,.weight = f->known ? f->known : f->weight,.emphasis = emphasis}, radius, z);
	free(alpha);
	return m;
}

/* weights of topics without noise */
static double *
open_weights(const Corpus *c, int k)
{
	Fit			f = begin(c, k, INFINITY);
	double	   *weight = zeros((size_t) k * c->terms);

	for (int pass = 0; pass < OPEN_PASSES; pass++)
	{
		DpemNoisyMoments m = release_topics(&f, UNCLIPPED, 0, 1, NULL);

		dpem_lda_blend(&m, UNCLIPPED, 1, false, &f.counts);
		dpem_lda_add_prior(&f.counts, 1.0 / k, &f.topics);
		free(m.value);
	}
	dpem_lda_weights(&f.topics, weight);
	end(&f);
	return weight;
}

/* released gains of the topics as they are; part: of all words */
static DpemNoisyMoments
judge(const Fit *f, const double *part)
{
	double	   *probability = zeros((size_t) f->topics.k * f->topics.terms);
	double		z = noise_multiplier(f, dpem_lda_choice_share(), LOOKS);
	DpemNoisyMoments m;

	dpem_lda_probabilities(&f->topics, probability);
	m = release(f, (DpemLdaTask) {.k = f->topics.k,.alpha = part,.weight = probability,.sums = DPEM_LDA_SUM_GAINS}, DPEM_LDA_GAIN_RADIUS, z);
	free(probability);
	return m;
}

/* nats per predicted word that topics gain */
static double
look(const Fit *f)
{
	double	   *part = zeros(f->topics.k);
	DpemNoisyMoments m;
	double		gain;

	dpem_lda_balance(f->totals.total, 1.0 / f->topics.k, &f->topics);
	dpem_lda_parts(&f->topics, part);
	m = judge(f, part);
	gain = DPEM_LDA_GAIN_RADIUS * dpem_lda_best_gain(&m) / (f->corpus->documents - f->corpus->held);
	free(m.value);
	free(part);
	return gain;
}

static void
run_terms(Fit *f, int passes, int weighted, double z)
{
	double		noise = z * sqrt(dpem_document_sensitivity2(true)) * RADIUS / sqrt(weighted);

	for (int pass = 1; pass <= passes; pass++)
	{
		dpem_lda_emphasise(&f->totals, noise, f->emphasis);
		release_totals(f, z, f->emphasis);
	}
}

/* a pass over topics, of so many */
static void
run_topics_pass(Fit *f, int pass, int passes, double z)
{
	size_t		n = fmax(dpem_lda_shrink_work(f->corpus->terms), dpem_lda_totals_work(f->corpus->terms));
	double	   *work = zeros(n);
	DpemWorkspace room = {work, work + n};
	DpemNoisyMoments m = release_topics(f, RADIUS, z, dpem_lda_sharpness(pass, passes), f->emphasis);

	dpem_lda_blend(&m, RADIUS, f->known ? 1.0 / pass : dpem_lda_full_rate(pass), false, &f->counts);
	if (dpem_lda_totals_add(&m, RADIUS, f->emphasis, &f->totals, room) != DPEM_OK ||
		dpem_lda_shrink(&f->counts, f->totals.total, f->emphasis, 1.0 / f->topics.k, &f->topics, room) != DPEM_OK)
		abort();
	free(m.value);
	free(work);
}

/* of `passes`, those of terms: first at most; returns them */
static int
run_passes(Fit *f, int passes, int first, double z)
{
	double		sd = z * sqrt(dpem_document_sensitivity2(true)) * RADIUS;
	int			at = f->known ? 0 : dpem_lda_first_look(passes - first);
	int			some = at > 0 ? dpem_lda_terms_at_first(passes, first, f->corpus->terms, f->totals.total, sd) : first;
	double	   *kept = zeros(f->corpus->terms);	/* emphasis of topics */

	run_terms(f, some, first, z);
	if (first < passes)
		dpem_lda_emphasise(&f->totals, dpem_lda_topics_noise(sd, passes - first), f->emphasis);
	for (int pass = 1; pass <= passes - first; pass++)
	{
		double		gain;
		int			left;

		run_topics_pass(f, pass, passes - first, z);
		if (pass != at)
			continue;
		gain = look(f);
		f->given_up = gain <= dpem_lda_gain_hoped(some < first);
		if (f->given_up)
		{
			run_terms(f, passes - some - pass, passes - pass, z);
			first = passes - pass;
			break;
		}
		left = dpem_lda_terms_left(passes, some, first, f->corpus->terms, f->totals.total, sd, gain);
		memcpy(kept, f->emphasis, f->corpus->terms * sizeof(double));
		run_terms(f, left, first, z);
		memcpy(f->emphasis, kept, f->corpus->terms * sizeof(double));
		first = some + left;
	}
	free(kept);
	return first;
}

/* how long documents are, by the first release */
static void
measure(Fit *f)
{
	size_t		n = dpem_lda_totals_work(f->corpus->terms);
	double	   *work = zeros(n);

	dpem_lda_totals_measure(&f->totals, f->corpus->documents - f->corpus->held, RADIUS, LENGTH, (DpemWorkspace) {work, work + n});
	free(work);
}

/* first: of `passes`, those of terms; -1: as a fit decides.  Returns it */
static int
run(Fit *f, int passes, int first)
{
	double		share = dpem_lda_terms_share();
	double		choice = f->topics.k > 1 ? dpem_lda_choice_share() : 0;
	double		z = noise_multiplier(f, 1 - share - choice, passes);
	double		sd = z * sqrt(dpem_document_sensitivity2(true)) * RADIUS;
	bool		looked;

	release_totals(f, noise_multiplier(f, share, 1), NULL);
	measure(f);
	if (first < 0)
		first = dpem_lda_terms_passes(passes, f->topics.k, f->corpus->terms, f->totals.total, sd);
	looked = dpem_lda_first_look(passes - first) > 0;
	f->given_up = first == passes;
	first = run_passes(f, passes, first, z);
	for (int left = LOOKS - looked - !f->given_up; choice > 0 && left > 0; left--)
		release_totals(f, noise_multiplier(f, choice, LOOKS), f->emphasis);
	if (f->given_up)
		dpem_lda_make_equal(f->totals.total, 1.0 / f->topics.k, &f->topics);
	else
		dpem_lda_balance(f->totals.total, 1.0 / f->topics.k, &f->topics);
	return first;
}

/* ---- what it is worth ---- */

static double
perplexity(const Fit *f, const double *part, double concentration)
{
	static int32_t term[MOST_TERMS];
	static double count[MOST_TERMS];
	const DpemLdaTopics *t = &f->topics;
	double	   *probability = zeros((size_t) t->k * t->terms);
	double	   *alpha = zeros(2 * (size_t) t->k);
	double	   *work = zeros(dpem_lda_work(t->k, MOST_TERMS));
	double		sum = 0;
	double		words = 0;

	dpem_lda_probabilities(t, probability);
	for (int k = 0; k < t->k; k++)
		alpha[k] = part[k] * concentration;
	for (int i = 0; i < f->corpus->held; i++)
	{
		DpemLdaTask task = dpem_lda_evaluation(t->k, t->terms, alpha, probability);
		DpemLdaDocument half = {0, term, count};

		dpem_lda_complete(&task, &f->corpus->document[i], &half, alpha + t->k, &sum, &words, work);
	}
	free(probability);
	free(alpha);
	free(work);
	return exp(-sum / words);
}

static double
choose(const Fit *f, const double *part)
{
	double		gain;
	double		concentration;
	DpemNoisyMoments m = judge(f, part);

	dpem_lda_choose(&m, 1, &gain, &concentration);
	free(m.value);
	return concentration;
}

static void
report(const Corpus *c, int k, double mu, int passes, int first, const double *known)
{
	Fit			f = begin(c, k, mu);
	Fit			one = begin(c, 1, mu);
	double	   *part = zeros(k);
	double		all = 1;
	double		best = INFINITY;

	f.known = known;
	first = run(&f, passes, first);
	run(&one, 1, 1);
	dpem_lda_parts(&f.topics, part);
	for (int i = 0; i < DPEM_LDA_CONCENTRATIONS; i++)
		best = fmin(best, perplexity(&f, part, dpem_lda_concentration[i]));
	printf("%2d of %2d passes of terms%s: topics %6.0f, with the best prior %6.0f, unigram %6.0f\n", first, passes, f.given_up && first < passes ? ", given up at a look" : "",
		   perplexity(&f, part, !f.given_up ? choose(&f, part) : DPEM_LDA_CONCENTRATED), best, perplexity(&one, &all, DPEM_LDA_CONCENTRATED));
	fflush(stdout);
	free(part);
	end(&f);
	end(&one);
}

int
main(int argc, char **argv)
{
	int			runs = argc > 5 ? atoi(argv[5]) : 5;
	bool		given = argc > 7;
	double	   *known;
	double		mu;
	Corpus		c;
	int			k;

	if (argc < 5)
	{
		printf("usage: bench_topics FILE TERMS TOPICS EPSILON [RUNS [PASSES FIRST [known]]]\n");
		return 0;
	}
	c = read_corpus(argv[1], atoi(argv[2]));
	k = atoi(argv[3]);
	if (dpem_gdp_mu(atof(argv[4]), 1e-6, &mu) != DPEM_OK)
		abort();
	known = argc > 8 ? open_weights(&c, k) : NULL;
	for (int i = 0; i < runs; i++)
		report(&c, k, mu, given ? atoi(argv[6]) : dpem_lda_iterations(1), given ? atoi(argv[7]) : -1, known);
	return 0;
}
