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

void
dpem_lda_totals_measure(DpemLdaTotals *totals, double rows, double radius, double words)
{
	bool		told = rows > 0 && words > sqrt(FEW_WORDS) * radius;
	double		root = told ? dpem_sum(totals->total, totals->terms) / (rows * radius) : 0;

	totals->length = told ? fmax(root * root, 1) : 0;
}

/* E[exp(-x u^2)], x the square of a word's emphasis */
static double
mean_decay(const DpemLdaTotals *totals, double words, const double *emphasis, double u)
{
	double		mean = 0;

	for (int v = 0; v < totals->terms; v++)
		mean += totals->total[v] / words * exp(-emphasis[v] * emphasis[v] * u * u);
	return mean;
}

/* u from first to first exp((STEPS - 1) step), between which the integrals of all terms are */
static void
find_range(const DpemLdaTotals *totals, double words, const double *emphasis, double *first, double *step)
{
	double		least = INFINITY;
	double		square = 0;

	for (int v = 0; v < totals->terms; v++)
	{
		least = fmin(least, emphasis[v]);
		square += totals->total[v] / words * emphasis[v] * emphasis[v];
	}
	*first = FIRST_U / sqrt(totals->length * square);
	*step = log(LAST_U / (least * sqrt(totals->length)) / *first) / (STEPS - 1);
}

/* kept[v]: emphasis times what a clip leaves of a word, such that it leaves all of the estimates' sum */
static void
find_kept(const DpemLdaTotals *totals, double words, const double *emphasis, double *kept)
{
	double		before = 0;
	double		after = 0;
	double		first;
	double		step;

	find_range(totals, words, emphasis, &first, &step);
	for (int v = 0; v < totals->terms; v++)
		kept[v] = first * emphasis[v];
	for (int i = 0; i < STEPS; i++)
	{
		double		u = first * exp(i * step);
		double		others = u * step * pow(mean_decay(totals, words, emphasis, u), totals->length - 1);

		for (int v = 0; v < totals->terms; v++)
			kept[v] += emphasis[v] * others * exp(-emphasis[v] * emphasis[v] * u * u);
	}
	for (int v = 0; v < totals->terms; v++)
	{
		before += totals->total[v] * emphasis[v];
		after += totals->total[v] * kept[v];
	}
	for (int v = 0; v < totals->terms; v++)
		kept[v] *= before / after;
}

static void
find_parts(const DpemLdaTotals *totals, const double *emphasis, double *kept)
{
	double		words = dpem_sum(totals->total, totals->terms);

	if (emphasis && totals->length > 0 && words > 0)
		find_kept(totals, words, emphasis, kept);
	else
		for (int v = 0; v < totals->terms; v++)
			kept[v] = emphasis ? emphasis[v] : 1;
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
	find_parts(totals, emphasis, room.kept);
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
