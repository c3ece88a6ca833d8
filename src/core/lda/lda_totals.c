/*
 * lda_totals.c - see lda_totals.h.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/lda/lda_totals.h"
#include "core/numeric/deconvolution.h"
#include "core/numeric/vector.h"

#define EM_STEPS	40

/* of the distribution that an estimate begins with, what is not that of the one before: no number is out of reach */
#define UNIFORM		0.05

/* deviation of what releases of other emphasis have of the words that the first had: noise can hide it */
#define FACTOR_SD	0.2

/* a clip that documents of so few words may pass whole does not tell their length */
#define FEW_WORDS	24

/* of the integral over u: points, in equal steps of its logarithm, and where integrands are still 1 and no longer above 0 */
#define STEPS		64
#define FIRST_U		0.01
#define LAST_U		5

/* most words of a document, of which a clip takes the same of every term; halvings of their logarithm's range */
#define MOST_WORDS	10000
#define HALVINGS	10

/* a term that documents have more often on average, or that is more of all words, is as often in all of them */
#define OFTEN		30
#define MOST_PART	0.99

void
dpem_lda_emphasise(const DpemLdaTotals *totals, double noise, double *emphasis)
{
	double		words = 0;
	double		square = 0;
	double		scale;

	for (int v = 0; v < totals->terms; v++)
	{
		emphasis[v] = 1 / sqrt(totals->total[v] + noise);
		words += totals->total[v];
		square += emphasis[v] * emphasis[v] * totals->total[v];
	}
	scale = words > 0 ? sqrt(words / square) : sqrt(noise);
	for (int v = 0; v < totals->terms; v++)
		emphasis[v] *= scale;
}

/* numbers of every term */
typedef struct Room
{
	double	   *words;			/* a release, summed over topics */
	double	   *kept;			/* of every word of a term in it */
	double	   *x;
	double	   *size;
	double	   *likelihood;
} Room;

static Room
take_room(int terms, DpemWorkspace *work)
{
	return (Room) {
		.words = dpem_workspace_take(work, terms),.kept = dpem_workspace_take(work, terms),
			.x = dpem_workspace_take(work, terms),.size = dpem_workspace_take(work, terms),
			.likelihood = dpem_workspace_take(work, dpem_deconvolution_work(terms))
	};
}

size_t
dpem_lda_totals_work(int terms)
{
	DpemWorkspace dry = {NULL, NULL};

	take_room(terms, &dry);
	return dpem_workspace_taken(&dry);
}

/* of one term at one u */
typedef struct Decay
{
	double		log_all;		/* log E[exp(-u^2 (e c)^2)], c the binomial number of its words in a document */
	double		more;			/* the factor by which the mean becomes less with one word more */
} Decay;

/* others: words of the document; part: of all words that are of the term; base: exp(-u^2 e^2) */
static Decay
decay_of(double others, double part, double base)
{
	double		rate = others * part;
	double		weight = 1;
	double		power = 1;		/* base^(c^2) */
	double		odd = base;
	double		sum = 0;
	double		all = 0;
	double		more = 0;

	if (rate > OFTEN || part > MOST_PART)
		return (Decay) {(rate * rate + rate * (1 - part)) * log(base), pow(base, 2 * rate + 1)};
	for (int c = 0; weight > 1e-12 * sum; c++)
	{
		sum += weight;
		all += weight * power;
		power *= odd;
		odd *= base * base;
		more += weight * power;
		weight *= fmax(others - c, 0) / (c + 1) * part / (1 - part);
	}
	return (Decay) {log(all / sum), more / all};
}

/*
 * E[exp(-x u^2)], x the square of the norm of all words of a document but one, under the emphasis (NULL: ones); more[v]: the
 * factor by which it becomes less with that one, of term v.  It is that of words of different terms, times what their being of
 * the same term takes, as if the numbers of different terms were independent.
 */
static double
mean_decay(const DpemLdaTotals *totals, double words, const double *emphasis, double u, double *more)
{
	double		others = totals->length - 1;
	double		mean = 0;
	double		log_repeats = 0;

	for (int v = 0; v < totals->terms; v++)
	{
		double		part = totals->total[v] / words;
		double		base = exp(-(emphasis ? emphasis[v] * emphasis[v] : 1) * u * u);
		Decay		decay = decay_of(others, part, base);

		mean += part * base;
		log_repeats += decay.log_all - others * log1p(-part * (1 - base));
		more[v] = decay.more;
	}
	return pow(mean, others) * exp(log_repeats);
}

/* u from first to first exp((STEPS - 1) step), between which the integrals of all terms are */
static void
find_range(const DpemLdaTotals *totals, double words, const double *emphasis, double *first, double *step)
{
	double		least = INFINITY;
	double		square = 0;

	for (int v = 0; v < totals->terms; v++)
	{
		double		e = emphasis ? emphasis[v] : 1;
		double		rate = totals->length * totals->total[v] / words;

		least = fmin(least, e);
		square += rate * (1 + rate) * e * e;
	}
	*first = FIRST_U / sqrt(square);
	*step = log(LAST_U / (least * sqrt(totals->length)) / *first) / (STEPS - 1);
}

/* kept[v]: what a clip leaves of a word of term v, but for a factor */
static void
find_left(const DpemLdaTotals *totals, double words, const double *emphasis, double *more, double *kept)
{
	double		first;
	double		step;

	find_range(totals, words, emphasis, &first, &step);
	for (int v = 0; v < totals->terms; v++)
		kept[v] = first;
	for (int i = 0; i < STEPS; i++)
	{
		double		u = first * exp(i * step);
		double		others = u * step * mean_decay(totals, words, emphasis, u, more);

		for (int v = 0; v < totals->terms; v++)
			kept[v] += others * more[v];
	}
}

/* words that a clip to a norm of 1 leaves of documents */
static double
left_of_documents(const DpemLdaTotals *totals, double words, double *more, double *kept)
{
	double		mean = 0;

	find_left(totals, words, NULL, more, kept);
	for (int v = 0; v < totals->terms; v++)
		mean += totals->total[v] / words * kept[v];
	return totals->length * mean * 2 / sqrt(M_PI);
}

void
dpem_lda_totals_measure(DpemLdaTotals *totals, double rows, double radius, double length, DpemWorkspace work)
{
	bool		told = rows > 0 && length > sqrt(FEW_WORDS) * radius;
	double		words = dpem_sum(totals->total, totals->terms);
	double		noise = sqrt(totals->terms / totals->precision[0]);

	/* longer ones than noise makes likely have less to make good: too little is not as bad as too much */
	double		left = told && words > 0 ? (words + noise) / (rows * radius) : 0;
	Room		room = take_room(totals->terms, &work);
	double		low = 0;
	double		high = log(MOST_WORDS);

	for (int i = 0; i < HALVINGS && left > 0; i++)
	{
		double		middle = (low + high) / 2;

		totals->length = exp(middle);
		if (left_of_documents(totals, words, room.x, room.kept) < left)
			low = middle;
		else
			high = middle;
	}
	totals->length = left > 0 && high < log(MOST_WORDS) ? exp(low) : 0;
}

/* kept[v]: emphasis times what a clip leaves of a word, such that it leaves all of the estimates' sum */
static void
find_kept(const DpemLdaTotals *totals, double words, const double *emphasis, double *more, double *kept)
{
	double		before = 0;
	double		after = 0;

	find_left(totals, words, emphasis, more, kept);
	for (int v = 0; v < totals->terms; v++)
	{
		kept[v] *= emphasis[v];
		before += totals->total[v] * emphasis[v];
		after += totals->total[v] * kept[v];
	}
	for (int v = 0; v < totals->terms; v++)
		kept[v] *= before / after;
}

static void
find_parts(const DpemLdaTotals *totals, const double *emphasis, const Room *room)
{
	double		words = dpem_sum(totals->total, totals->terms);

	if (emphasis && totals->length > 0 && words > 0)
		find_kept(totals, words, emphasis, room->x, room->kept);
	else
		for (int v = 0; v < totals->terms; v++)
			room->kept[v] = emphasis ? emphasis[v] : 1;
}

/* by how much released words are more than expected, shrunk to 1 by its noise: by how much they could be */
static double
factor_of(double released, double expected, double variance, double likely)
{
	if (!(released > 0 && expected > 0))
		return 1;
	variance /= expected * expected;
	return 1 + (released / expected - 1) * likely * likely / (likely * likely + variance);
}

/* of a release; those of the terms alone have about the same, each of them but some noise of it: they are pooled */
static double
find_factor(DpemLdaTotals *totals, int topics, double sd, const Room *room)
{
	double		released = dpem_sum(room->words, totals->terms);
	double		expected = 0;
	double		variance = sd * sd * totals->terms;

	for (int v = 0; v < totals->terms; v++)
		expected += totals->total[v] * room->kept[v];
	if (topics > 1)
		return factor_of(released, expected, variance, sqrt(topics));
	totals->released += released;
	totals->expected += expected;
	totals->variance += variance;
	return factor_of(totals->released, totals->expected, totals->variance, FACTOR_SD);
}

/*
 * In units of each term's noise all have the same noise.  The distribution of one estimate is where the next begins, on about the
 * same grid: steps towards the most likely one, which is slow to reach, add up over releases.
 */
static DpemStatus
estimate(DpemLdaTotals *totals, const Room *room)
{
	double		least = INFINITY;
	double		most = 0;
	DpemDeconvolution distribution;
	DpemStatus	status;

	for (int v = 0; v < totals->terms; v++)
	{
		room->size[v] = sqrt(totals->precision[v]);
		room->x[v] = totals->raw[v] * room->size[v];
		least = fmin(least, 1 / room->size[v]);
		most = fmax(most, totals->raw[v]);
	}
	dpem_deconvolution_grid(&distribution, DPEM_DECONVOLUTION_POINTS, least * 1e-3, fmax(most, least));
	if (dpem_sum(totals->law, distribution.points) > 0)
		for (int j = 0; j < distribution.points; j++)
			distribution.prior[j] += (1 - UNIFORM) * (totals->law[j] - distribution.prior[j]);
	status = dpem_deconvolve(&distribution, totals->terms, room->x, room->size, 1, EM_STEPS, totals->total, room->likelihood);
	memcpy(totals->law, distribution.prior, sizeof(totals->law));
	return status;
}

static void
sum_topics(const DpemNoisyMoments *moments, double unit, double *words)
{
	int			terms = moments->layout.d;

	for (int v = 0; v < terms; v++)
	{
		words[v] = 0;
		for (int k = 0; k < moments->layout.k; k++)
			words[v] += unit * moments->value[(size_t) k * (terms + 1) + 1 + v];
	}
}

DpemStatus
dpem_lda_totals_add(const DpemNoisyMoments *moments, double unit, const double *emphasis,
					DpemLdaTotals *totals, DpemWorkspace work)
{
	int			topics = moments->layout.k;
	double		sd = unit * moments->sum_sd * sqrt(topics);
	Room		room = take_room(totals->terms, &work);
	double		factor;

	if (!(sd > 0))
		return DPEM_BAD_ARGUMENT;
	sum_topics(moments, unit, room.words);
	find_parts(totals, emphasis, &room);
	factor = emphasis ? find_factor(totals, topics, sd, &room) : 1;
	for (int v = 0; v < totals->terms; v++)
	{
		double		size = factor * room.kept[v];
		double		precision = size * size / (sd * sd);

		totals->precision[v] += precision;
		totals->raw[v] += precision / totals->precision[v] * (room.words[v] / size - totals->raw[v]);
	}
	return estimate(totals, &room);
}
