/*
 * test_sbn_ones.c - how often columns are 1, from noisy counts and passes that clip rows: shares that lose little, no
 * less noise than there is, and counts that clipping has moved.
 */
#include "core/sbn/sbn_ones.h"
#include "core/sbn/sbn_shares.h"
#include "sbn_fit_fixture.h"

#define COLUMNS	40

static double
share_of(double log_odds)
{
	return 1 / (1 + exp(-log_odds));
}

/* what a law of independent columns with these log-odds loses on one with those shares */
static double
loss_of(const double *share, const double *log_odds, int d)
{
	double		loss = 0;

	for (int j = 0; j < d; j++)
	{
		double		q = share_of(log_odds[j]);

		loss += share[j] * log(share[j] / q) + (1 - share[j]) * log((1 - share[j]) / (1 - q));
	}
	return loss;
}

/* frequencies that are kept half a row from the ends, the baseline of test/bench/utility_sbn.pl */
static void
frequencies(const double *count, int d, double rows, double *log_odds)
{
	for (int j = 0; j < d; j++)
	{
		double		p = fmin(fmax(count[j], 0.5), rows - 0.5) / rows;

		log_odds[j] = log(p / (1 - p));
	}
}

/* mean losses of both over 200 rounds of noise of that deviation in a share */
static void
mean_losses(Rng *rng, const double *share, int d, double rows, double sd, double *shrunk, double *plain)
{
	*shrunk = *plain = 0;
	for (int round = 0; round < 200; round++)
	{
		double		count[COLUMNS];
		double		log_odds[COLUMNS];

		for (int j = 0; j < d; j++)
			count[j] = rows * (share[j] + sd * rng_normal(rng));
		dpem_sbn_shares(count, d, rows, sd * rows, log_odds);
		for (int j = 0; j < d; j++)
			CHECK(share_of(log_odds[j]) > 1e-7 && share_of(log_odds[j]) < 1 - 1e-7, "a share of %g", share_of(log_odds[j]));
		*shrunk += loss_of(share, log_odds, d) / 200;
		frequencies(count, d, rows, log_odds);
		*plain += loss_of(share, log_odds, d) / 200;
	}
}

/* the share of what frequencies lose that is left, at most */
static void
check_loss(Rng *rng, const char *name, const double *share, int d, double rows, double sd, double most)
{
	double		shrunk;
	double		plain;

	mean_losses(rng, share, d, rows, sd, &shrunk, &plain);
	CHECK(shrunk < most * plain, "%s, noise %g: loses %g, frequencies %g", name, sd, shrunk, plain);
}

static void
check_shares(Rng *rng)
{
	double		rare[COLUMNS];
	double		half[COLUMNS];
	double		spread[COLUMNS];
	double		log_odds[COLUMNS];

	for (int j = 0; j < COLUMNS; j++)
	{
		rare[j] = 0.001;
		half[j] = 0.5;
		spread[j] = 0.05 + 0.9 * j / (COLUMNS - 1);
	}
	check_loss(rng, "rare", rare, COLUMNS, 20000, 0.01, 0.2);
	check_loss(rng, "rare", rare, COLUMNS, 20000, 1, 0.5);
	check_loss(rng, "alike", half, COLUMNS, 8000, 0.03, 0.2);
	check_loss(rng, "unlike", spread, COLUMNS, 8000, 0.03, 1.0);
	check_loss(rng, "unlike", spread, COLUMNS, 8000, 1e-4, 1.05);
	check_loss(rng, "a few", spread, 5, 300, 0.2, 0.9);
	check_loss(rng, "one", spread + 20, 1, 300, 0.2, 0.9);
	dpem_sbn_shares((const double[]) {0, 30, 100}, 3, 100, 0, log_odds);
	CHECK_CLOSE(share_of(log_odds[0]), 0.5 / 101, 1e-12, "no ones, without noise");
	CHECK_CLOSE(share_of(log_odds[1]), 30.5 / 101, 1e-12, "some");
	CHECK_CLOSE(share_of(log_odds[2]), 100.5 / 101, 1e-12, "no zeros");
}

/* a pass in which column j is 1 in count[j] rows, and noise of that deviation in a coordinate of the unit ball */
static void
add_pass(Rng *rng, const double *count, double sd, Fit *fit)
{
	int			d = fit->e.d;
	double		clip = dpem_sbn_ones_clip(&fit->e);
	double		value[2 + MOST_D] = {0};
	DpemNoisyMoments m = {.layout = {1, d, DPEM_SECOND_COMPONENTS},.sum_sd = sd,.value = value};

	for (int j = 0; j < d; j++)
	{
		double		center = clip < dpem_sbn_margin_clip(d) ? share_of(fit->e.ones.log_odds[j]) : 0.5;

		value[1 + j] = (count[j] - fit->e.rows * center) / clip + sd * rng_normal(rng);
	}
	dpem_sbn_ones_add(&m, clip, 1, &fit->e);
}

/* rare columns, whose first release has noise of that deviation in a coordinate */
static void
start_rare(Rng *rng, double rows, double sd, const double *count, Fit *fit)
{
	double		value[2 + MOST_D] = {0};
	DpemNoisyMoments margins = {.layout = {1, MOST_D, DPEM_SECOND_COMPONENTS},.sum_sd = sd,.value = value};

	make_fit(rng, 2, MOST_D, rows, fit);
	for (int j = 0; j < MOST_D; j++)
		value[1 + j] = (count[j] - rows / 2) / dpem_sbn_margin_clip(MOST_D) + sd * rng_normal(rng);
	dpem_sbn_ones_start(&margins, &fit->e);
}

/* passes over rare columns clip at little more than half the norm, so that noise in counts is less, too */
static void
check_passes(Rng *rng)
{
	const double count[MOST_D] = {200, 300, 100, 400, 250, 150};
	double		off2 = 0;
	double		sd2 = 0;

	for (int round = 0; round < 500; round++)
	{
		Fit			fit;

		start_rare(rng, 10000, 200, count, &fit);
		for (int pass = 0; pass < 9; pass++)
			add_pass(rng, count, 200, &fit);
		CHECK(fit.e.ones.moved || fit.e.ones.sd < 0.8 * 200 * dpem_sbn_margin_clip(MOST_D) / sqrt(10),
			  "noise of %g in a count", fit.e.ones.sd);
		for (int j = 0; j < MOST_D; j++)
			off2 += pow(fit.e.ones.count[j] - count[j], 2);
		sd2 += MOST_D * fit.e.ones.sd * fit.e.ones.sd;
	}
	/* 3000 squares: 5 standard deviations are 13 %, and those that seem moved have less noise than they say */
	CHECK(off2 < 1.13 * sd2 && off2 > 0.8 * sd2, "counts are off by %g times the noise", off2 / sd2);
}

/* where clipping takes away half of the ones, counts of rows that are not clipped are what is believed */
static void
check_moved(Rng *rng)
{
	const double count[MOST_D] = {2000, 3000, 1000, 4000, 2500, 1500};
	double		half[MOST_D];
	double		sum = 0;
	Fit			fit;

	for (int j = 0; j < MOST_D; j++)
		half[j] = count[j] / 2;
	start_rare(rng, 100000, 300, count, &fit);
	CHECK(!fit.e.ones.moved && dpem_sbn_ones_clip(&fit.e) < dpem_sbn_margin_clip(MOST_D), "rows are clipped first");
	add_pass(rng, half, 300, &fit);
	CHECK(fit.e.ones.moved && dpem_sbn_ones_clip(&fit.e) == dpem_sbn_margin_clip(MOST_D), "then no longer");
	for (int pass = 0; pass < 5; pass++)
		add_pass(rng, count, 300, &fit);
	for (int j = 0; j < MOST_D; j++)
		sum += fit.e.ones.count[j];
	/* more than 5 standard deviations of the noise in six releases */
	CHECK(fabs(sum - 14000) < 2000, "%g ones, of 14000", sum);
}

int
main(void)
{
	Rng			rng = {20261127};

	check_shares(&rng);
	check_passes(&rng);
	check_moved(&rng);
	return unit_report();
}
