/*
 * column_belief.c - see column_belief.h.
 */
#include <math.h>

#include "core/columns/column_belief.h"

/*
 * SPREAD, SPREAD_PRIOR: the same columns as for DPEM_BELIEF_NOISE.  Without such laws a value that many rows have is taken for that of all, and
 * one column in forty is 0.7 nats below a uniform law; of 0.7 of the rows, with probability 0.5, one Gaussian and one component of a mixture are 0.37 and
 * 0.25 nats worse at epsilon 0.1 in 31 data frames.
 */
#define WIDEST		0.6		/* deviation: rows anywhere in the box have 0.58 */
#define REACH		4.0		/* of a law on either side, in deviations */
#define MOST_BINS	800		/* a law in more than these is as good as even */
#define SPREAD		0.5		/* part of the rows that is anywhere in the box, in laws */
#define SPREAD_PRIOR 0.2		/* of that probability */

typedef struct Level
{
	int			bins;
	int			first;
	double		mark;
	double		variance;		/* of the noise in a bin, in rows */
	double		counted;		/* in all of its bins */
} Level;

/* of a law's shares of a level's bins */
typedef struct Products
{
	double		counts;			/* with the rows in these, summed up */
	double		squares;		/* with themselves */
} Products;

/* moments over the laws so far, weighted by their probabilities up to a factor */
typedef struct Belief
{
	double		most;			/* the largest logarithm of a weight, to which weights are relative */
	double		weight;
	double		mean;
	double		square;
} Belief;

static Level
level_of(const DpemMargins *m, int column, int number)
{
	Level		level = {
		.bins = dpem_margin_level_bins(&m->grid, number),.first = dpem_margin_level_first(&m->grid, number),
		.mark = dpem_margin_mark(&m->grid, number)
	};

	level.variance = pow(m->released->sum_sd / level.mark, 2);
	for (int b = 0; b < level.bins; b++)
		level.counted += dpem_margins_sum(m, level.first + b, column) / level.mark;
	return level;
}

static double
normal_below(double x, double mean, double deviation)
{
	return 0.5 * erfc((mean - x) / (deviation * M_SQRT2));
}

/* rows beyond the ends of the box were clamped to these */
static Products
products_of(const DpemMargins *m, int column, const Level *level, double mean, double deviation)
{
	double		width = 2.0 / level->bins;
	int			from = (int) floor((mean - REACH * deviation + 1) / width);
	int			to = (int) floor((mean + REACH * deviation + 1) / width);
	Products	p = {0, 0};
	double		below = 0;

	if (to - from >= MOST_BINS)
		return (Products) {level->counted / level->bins, 1.0 / level->bins};
	from = from < 0 ? 0 : from;
	to = to < level->bins ? to : level->bins - 1;
	for (int b = from; b <= to; b++)
	{
		double		next = b == to ? 1 : normal_below((b + 1) * width - 1, mean, deviation);

		p.counts += (next - below) * dpem_margins_sum(m, level->first + b, column) / level->mark;
		p.squares += (next - below) * (next - below);
		below = next;
	}
	return p;
}

/* log-likelihood of that law of `rows` rows, of which a part is anywhere in the box, beside no rows */
static double
log_likelihood(const Level *level, const Products *p, double rows, double spread)
{
	double		own = 1 - spread;
	double		counts = own * p->counts + spread * level->counted / level->bins;
	double		squares = own * own * p->squares + spread * (2 - spread) / level->bins;

	return rows * (counts - rows * squares / 2) / level->variance;
}

static void
add_law(Belief *belief, double log_weight, double mean, double square)
{
	double		most = fmax(log_weight, belief->most);
	double		before = exp(belief->most - most);
	double		weight = exp(log_weight - most);

	*belief = (Belief) {
		most, before * belief->weight + weight, before * belief->mean + weight * mean, before * belief->square + weight * square
	};
}

/* normal laws of that deviation, whose means are as far from each other */
static void
add_laws(const DpemMargins *m, int column, const Level *level, double rows, double deviation, Belief *belief)
{
	int			n = (int) ceil(2 / deviation);

	for (int i = 0; i < n; i++)
	{
		double		mean = (i + 0.5) * 2 / n - 1;
		double		square = mean * mean + deviation * deviation;
		double		alone = log((1 - SPREAD_PRIOR) / n);
		double		spread = log(SPREAD_PRIOR / n);

		for (int l = 0; l < m->grid.levels; l++)
		{
			Products	p = products_of(m, column, &level[l], mean, deviation);

			alone += log_likelihood(&level[l], &p, rows, 0);
			spread += log_likelihood(&level[l], &p, rows, SPREAD);
		}
		add_law(belief, alone, mean, square);
		add_law(belief, spread, (1 - SPREAD) * mean, (1 - SPREAD) * square + SPREAD / 3);
	}
}

static void
believe(const DpemMargins *m, int column, double *center, double *deviation)
{
	Level		level[DPEM_MARGINS_MAX_LEVELS];
	Belief		belief = {.most = -INFINITY};
	double		rows = m->apart ? dpem_margins_rows(m, column) : m->likely;

	for (int l = 0; l < m->grid.levels; l++)
		level[l] = level_of(m, column, l);
	for (double s = WIDEST; s > 0.5 / level[m->grid.levels - 1].bins; s /= 2)
		add_laws(m, column, level, rows, s, &belief);
	*center = belief.mean / belief.weight;
	*deviation = sqrt(belief.square / belief.weight - *center * *center);
}

void
dpem_column_beliefs(const DpemMargins *margins, double *center, double *deviation)
{
	if (margins->noise <= DPEM_BELIEF_NOISE)
		return;
	for (int j = 0; j < margins->grid.columns; j++)
		if (margins->values == NULL || margins->values[j] <= DPEM_VALUES_DENSITY)
			believe(margins, j, &center[j], &deviation[j]);
}
