/*
 * lda_rules.c - see lda_rules.h.  The numbers were chosen by
 * test/bench/utility_topics.pl (docs/families/lda.md) unless a line says another.
 */
#include <math.h>
#include <stdbool.h>

#include "core/lda/lda_rules.h"

const double dpem_lda_concentration[DPEM_LDA_CONCENTRATIONS] = {1, 4, 16, 64};
const double dpem_lda_gain_needed = 1;
const double dpem_lda_gain_left = 0.05; /* test/bench/choosing_topics.sh */

#define PASSES		16			/* of all documents */
#define MOST_PASSES 1000		/* of samples: one epoch, or as many as are bearable */

/* of the budget */
#define TERMS_SHARE 0.2
#define CHOICE_SHARE 0.04

/*
 * Where later passes are samples, none of them is of the terms alone: at noise of so many times
 * the mean and below, and above (vips_topics.pl)
 */
#define LEAST_SHARE 0.6
#define MOST_SHARE	0.95
#define LITTLE_NOISE 7
#define MUCH_NOISE	13

/*
 * Of the passes after the first release, those of the terms alone: the first of these parts that
 * makes the distribution of all words no worse than if all were by so much, in nats per
 * word, or all.
 */
static const double terms_part[] = {0.375, 0.625};
static const double most_loss[] = {0.035, 0.055};

/* sharpness of topics that passes begin with, where there are enough of them to come to an end (bench_topics.c) */
#define SOFTEST 0.5
#define PASSES_TO_SHARPEN 8

/* emphasis of terms in passes over topics: as if noise in their mean was so many times as much (bench_topics.c) */
#define EVENNESS	8

/* passes over topics after which they are first looked at, and passes that are worth a look (bench_topics.c) */
#define LOOK		1
#define PASSES_TO_LOOK 3

/* what topics have to gain then, and with passes over terms left to make (bench_topics.c) */
#define HOPED	0.01
#define HOPED_EARLY 0.006

/*
 * Passes over terms of which one comes before that look, if the distribution of all words is worse for want of the others by no
 * more than this, in nats per word; and by how many times what topics gain in it: in the end they gain more (bench_topics.c)
 */
#define FIRST_PART 3
#define LOSS_TO_LOOK 0.15
#define WORTH	3

/* topics are fitted if this part of all words is of terms of which a topic's mean words are above noise */
#define LEAST_VISIBLE 0.02

int
dpem_lda_iterations(double sampling_rate)
{
	return sampling_rate < 1 ? (int) fmin(ceil(1 / sampling_rate), MOST_PASSES) : PASSES;
}

double
dpem_lda_terms_share(void)
{
	return TERMS_SHARE;
}

double
dpem_lda_only_terms_share(double noise, double mean)
{
	double		part = mean > 0 ? (noise / mean - LITTLE_NOISE) / (MUCH_NOISE - LITTLE_NOISE) : 0;

	return LEAST_SHARE + (MOST_SHARE - LEAST_SHARE) * fmin(fmax(part, 0), 1);
}

double
dpem_lda_choice_share(void)
{
	return CHOICE_SHARE;
}

double
dpem_lda_full_rate(int pass)
{
	return 3.0 / (pass + 2);
}

double
dpem_lda_sharpness(int pass, int passes)
{
	if (pass == 1 || passes < PASSES_TO_SHARPEN)
		return 1;
	return SOFTEST + (1 - SOFTEST) * (pass - 1) / (passes - 1);
}

double
dpem_lda_topics_noise(double sd, int passes)
{
	return EVENNESS * sd / sqrt(passes);
}

int
dpem_lda_first_look(int passes)
{
	return passes >= PASSES_TO_LOOK ? LOOK : 0;
}

/* part of all words that is of terms with more than `least` words */
static double
part_above(int terms, const double *total, double least)
{
	double		above = 0;
	double		sum = 0;

	for (int v = 0; v < terms; v++)
	{
		sum += total[v];
		above += total[v] > least ? total[v] : 0;
	}
	return sum > 0 ? above / sum : 0;
}

/*
 * What the distribution of all words loses, in nats per word, if `some` of the passes are of the
 * terms: with noise of deviation s in n words as much as (1/2) log(1 + (s/n)^2), which is
 * the divergence (s/n)^2 / 2 where noise is small
 */
static double
loss_of(int passes, int some, int terms, const double *total, double sd)
{
	double		noise = sd / sqrt(passes);
	double		words = 0;
	double		square = 0;
	double		loss = 0;

	for (int v = 0; v < terms; v++)
	{
		words += total[v];
		square += total[v] / (total[v] + noise);
	}
	for (int v = 0; v < terms; v++)
	{
		/* (s/n)^2 with the emphasis of lda_totals.h */
		double		ratio = noise * noise * (total[v] + noise) * square / words / (total[v] * total[v]);

		if (total[v] > 0)
			loss += total[v] / 2 * (log1p(ratio * passes / some) - log1p(ratio));
	}
	return words > 0 ? loss / words : INFINITY;
}

/* is a topic's mean number of words above the noise in the mean of the later passes, for enough of all words? */
static bool
is_visible(int passes, int k, int terms, const double *total, double sd)
{
	double		mean_sd = sd / sqrt(fmax(passes / 2, 1));

	return part_above(terms, total, k * mean_sd) >= LEAST_VISIBLE;
}

int
dpem_lda_terms_passes(int passes, int k, int terms, const double *total, double sd)
{
	for (int i = 0; i < 2 && k > 1; i++)
	{
		int			some = (int) (passes * terms_part[i]);

		if (some == 0)
			return 0;
		if (loss_of(passes, some, terms, total, sd) <= most_loss[i] && is_visible(passes - some, k, terms, total, sd))
			return some;
	}
	return passes;
}

double
dpem_lda_gain_hoped(bool early)
{
	return early ? HOPED_EARLY : HOPED;
}

int
dpem_lda_terms_at_first(int passes, int n, int terms, const double *total, double sd)
{
	int			some = n / FIRST_PART;

	return some > 0 && loss_of(passes, some, terms, total, sd) <= LOSS_TO_LOOK ? some : n;
}

int
dpem_lda_terms_left(int passes, int some, int n, int terms, const double *total, double sd, double gain)
{
	return some > 0 && loss_of(passes, some, terms, total, sd) <= WORTH * gain ? 0 : n - some;
}
