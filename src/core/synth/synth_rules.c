/*
 * synth_rules.c - see synth_rules.h and, for the schedule, synth_plan.h.  Numbers after
 * test/bench/bench_synth.c on adult (48,842 rows, 14 columns, 91 pairs), mean total variation distance, and on
 * the tables of test/bench/synth_tables.pl.
 */
#include <math.h>

#include "core/synth/synth_plan.h"
#include "core/synth/synth_rules.h"

/* 2 and 5 are within 0.001 of it at epsilon 0.1 and 1 */
const double dpem_synth_least_count = 3;

/* 4 and 10 are within 0.0005 of it */
const double dpem_synth_interval_price = 6;

/* at epsilon 1: 0.1 0.0398, 0.01 0.0347, 0.003 0.0343; at epsilon 0.1: 0.1 0.105, 0.01 0.094, 0.003 0.090 */
const double dpem_synth_ridge = 0.005;
/* learnt up to here instead of fixed: adult at epsilon 10 0.0158 to 0.0150, nursery at 1 0.0104 to 0.0091 */
const double dpem_synth_most_ridge = 100;

/* adult at epsilon 0.1: 1 0.0907, 0.75 0.0889, 0.5 0.0873, 0.25 0.0882 */
const double dpem_synth_bias = 0.4;
const double dpem_synth_ridge_one_way = 0.001;
const double dpem_synth_least_ridge = 0.1;

/* questions at epsilon 1, 10: 0 0.0594, 0.0097, 1 0.0642, 0.0100, 2 0.0688, 0.0103; lifesci at 1: 0.166, 0.095, 0.089 */
const double dpem_synth_refine_doubt = 0.5;
const double dpem_synth_background = 0.01;

/*
 * make bench-synth-wide (10,000 rows, medians of three to six fits at epsilon 1 and 0.1).  With two `looks` a spike at 0 takes half of the bins; with
 * 128 bins in each look, whatever the noise, the next one is placed too narrowly.  Placed bins in ordinary domains nearly double the errors of quantiles, so
 * those that rows fill (`filled`) are equal.  Were bins that are empty joined with others (`clear`), means would be off by 0.1 to 0.4 deviations.
 */
const DpemSynthPlaceRules dpem_synth_place_rules = {
	.bins = 32,.least_bins = 4,.price = 10,.filled = 0.3,.doubt = 2,.seen = 4.5,.hidden = 0.1,.hidden_clear = 3,.power = 2.0 / 3,.gap = 0.25,.tail_start = 0.25,.tail_growth = {2, 4},.tail_bins = {16, 5},.clear = 4,.most_in_one = 8,.looks = 3,.look_bins = {16, 128},.look_noise = 0.15,.parts = 1 << 24,
	.noise = 0.02,.least_share = 0.02,.most_share = 0.2,.blind = 0.06
};

double
dpem_synth_look_share(double noise)
{
	const DpemSynthPlaceRules *r = &dpem_synth_place_rules;

	if (noise / sqrt(r->most_share) > r->blind)
		return 0;
	return fmin(fmax(pow(noise / r->noise, 2), r->least_share), r->most_share);
}

int
dpem_synth_look_bins(double noise)
{
	const DpemSynthPlaceRules *r = &dpem_synth_place_rules;

	return (int) fmin(fmax(pow(r->look_noise / noise, 2), r->look_bins[0]), r->look_bins[1]);
}

/* ---- schedule ---------------------------------------------------------------- */

/*
 * Weight of a column among the one-way tables: with noise in inverse proportion, 1/3 makes the sum of all cells' noise least.
 * adult at epsilon 0.1: 0 0.0883, 0.15 0.0859, 1/3 0.0842
 */
#define COLUMN_POWER	(1.0 / 3)

#define CELL_NOISE		1		/* standard deviations that a cell of level 2 holds; 0.5 and 1.5 are within 0.002 */
#define MODEL_GROUPS	32		/* at level 1, or more with few columns; adult at epsilon 10: with 48 the tree has room for fewer pairs */
#define NOMINAL_ROWS	50000.0 /* where the number is not known beforehand */
#define NOMINAL_COLUMNS 14.0
#define NOMINAL_PAIRS	91.0
#define MOST_ONE_WAY	0.7		/* a thousand rows at epsilon 1: 0.138, with 0.97 0.175; */
#define FAINT_SIGNAL	400.0	/* at 0.1, below this signal: 0.372, with more 0.352 */
#define FAINT_ONE_WAY	0.97
#define CHOICE_SHARE	0.1		/* 0.03 and 0.05 are as good */
#define LEAST_CELLS		0.1		/* of the tree's, in the first round */
#define ITERATIONS		15		/* 30 take a quarter to two thirds more time and are no better */
#define LAST_ITERATIONS 300
#define FEWEST_CELLS	262144.0	/* of the tree; at epsilon 1 0.0300, with 524288 as good */
#define MOST_CELLS		2097152.0	/* at epsilon 10, before ridges were learnt: 0.0158, with 1048576 0.0166, with 262144 0.0177 */
#define SIGNAL_CELLS	27.0
#define ENOUGH_ROUNDS	60.0	/* of fourteen columns; 80 and 90 are no better at epsilon 10 */
#define MOST_ROUNDS		200
#define MOST_AT_ONCE	900		/* tables of one release: what is stored of them */
/* in standard deviations; at once and chosen: lifesci at epsilon 10 (6) 0.009 and 0.023, independent at 1 (4.4) 0.032 and 0.023 */
#define AT_ONCE_CELL	5.0
#define AT_ONCE_ONE_WAY 0.1		/* places, questions and few at 10: with 0.05 and 0.2 better by 0.0005 at most */

int
dpem_synth_most_groups(int level, int columns, double rows, double pair_sd)
{
	double		most = fmax(MODEL_GROUPS, floor(pow(FEWEST_CELLS, 1.0 / columns)));
	double		groups = sqrt(fmax(rows, 0) / (CELL_NOISE * pair_sd)) * pow(2, 2 - level);

	if (level == 1 || groups >= most)
		return (int) most;
	return groups < 2 ? 2 : (int) groups;
}

/* part of the budget of the one-way tables: most of it where there is little, and less where few pairs share what is left */
static double
one_way_share(double signal, double pairs)
{
	double		most = fmin(fmax(MOST_ONE_WAY, 1 - signal / FAINT_SIGNAL), FAINT_ONE_WAY);

	return fmin(most, 17 * pow(signal * sqrt(NOMINAL_PAIRS / pairs), -0.44));
}

/* a number of rounds that grows with what a round can find out, and with the tables there are */
static int
rounds_of(int columns, double signal)
{
	double		pairs = columns * (columns - 1) / 2.0;
	double		rounds = fmin(0.55 * sqrt(signal), ENOUGH_ROUNDS) * columns / NOMINAL_COLUMNS;

	return (int) fmax(1, fmin(fmin(rounds, pairs), MOST_ROUNDS));
}

/* mu^2 of a choice is about (0.63 epsilon)^2 for a small epsilon: dpem_choice_mu2 */
#define CHOICE_SLOPE	0.63

/*
 * Whether there is nothing to choose, or cells of pairs hold so many standard deviations of the noise of one release of all that
 * choosing brings less than it costs.
 */
static bool
takes_all(const DpemSynthDomain *domain, const DpemSynthSet *sets, int n, double signal)
{
	double		cells = 0;

	for (int i = 0; i < n; i++)
	{
		if (dpem_synth_order(sets[i]) != 2)
			return false;
		cells += dpem_synth_cells(domain->size, sets[i]);
	}
	return n == 1 || (n > 0 && n <= MOST_AT_ONCE && signal / (cells / n) / sqrt(n) >= AT_ONCE_CELL);
}

/* of the release of one-way tables and that of all candidates */
static void
schedule_at_once(DpemSynthSchedule *schedule)
{
	schedule->at_once = true;
	schedule->one_way = 1 / sqrt(AT_ONCE_ONE_WAY);
	schedule->choice = INFINITY;
	schedule->measure = 1 / sqrt(1 - AT_ONCE_ONE_WAY);
}

DpemStatus
dpem_synth_schedule(const DpemSynthDomain *domain, const DpemSynthSet *sets, int n, double rows, double mu, int rounds,
					DpemSynthSchedule *schedule)
{
	double		signal = mu * (rows > 0 ? rows : NOMINAL_ROWS);
	double		one_way = one_way_share(signal, domain->columns * (domain->columns - 1) / 2.0);

	if (dpem_synth_domain_check(domain) != DPEM_OK || !(mu > 0) || !(rows >= 0) || rounds < 0 || domain->columns < 2)
		return DPEM_BAD_ARGUMENT;
	schedule->at_once = false;
	schedule->rounds = rounds > 0 ? rounds : rounds_of(domain->columns, signal);
	schedule->each = 1;
	schedule->one_way = 1 / sqrt(one_way);
	schedule->choice = CHOICE_SLOPE * sqrt(schedule->rounds / CHOICE_SHARE / (1 - one_way));
	schedule->measure = sqrt(schedule->rounds / (1 - CHOICE_SHARE) / (1 - one_way));
	schedule->iterations = ITERATIONS;
	schedule->last_iterations = LAST_ITERATIONS;
	schedule->cells = fmin(fmax(SIGNAL_CELLS * signal, FEWEST_CELLS), MOST_CELLS);
	if (rounds == 0 && takes_all(domain, sets, n, signal))
		schedule_at_once(schedule);
	return DPEM_OK;
}

void
dpem_synth_column_weights(const DpemSynthDomain *domain, double *weight)
{
	double		squares = 0;

	for (int j = 0; j < domain->columns; j++)
	{
		weight[j] = pow(domain->size[j], COLUMN_POWER);
		squares += weight[j] * weight[j];
	}
	for (int j = 0; j < domain->columns; j++)
		weight[j] *= sqrt(domain->columns / squares);
}

double
dpem_synth_limit(const DpemSynthSchedule *schedule, int r)
{
	return schedule->cells * (LEAST_CELLS + (1 - LEAST_CELLS) * (r + 1) / schedule->rounds);
}
