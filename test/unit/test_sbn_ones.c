/*
 * test_sbn_ones.c - how often columns are 1, from noisy counts and passes that clip rows: shares that lose little, no
 * less noise than there is, and counts that clipping has moved; no row moves a pass over columns alone further than
 * declared (docs/proofs.md, 17).
 */
#include "core/accounting/sensitivity.h"
#include "core/sbn/sbn_gain.h"
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

/* mean losses of both over 200 rounds of rows, and of noise of that deviation in a share */
static void
mean_losses(Rng *rng, const double *share, int d, double rows, double sd, double *shrunk, double *plain)
{
	*shrunk = *plain = 0;
	for (int round = 0; round < 200; round++)
	{
		double		count[COLUMNS];
		double		log_odds[COLUMNS];

		for (int j = 0; j < d; j++)
			count[j] = rows * (share[j] + hypot(sd, sqrt(share[j] * (1 - share[j]) / rows)) * rng_normal(rng));
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

/* columns that are seldom 1, counted without noise to speak of: that some are never 1 in so few rows says little of them */
static void
check_sample(double sd)
{
	static const double count[] = {0, 1, 0, 2, 0, 0, 1, 0, 0, 1, 0, 1};
	enum
	{
		D = sizeof(count) / sizeof(count[0])
	};
	double		share[D];
	double		log_odds[D];
	double		plain[D];

	for (int j = 0; j < D; j++)
		share[j] = 0.5e-3;
	dpem_sbn_shares(count, D, 1000, sd, log_odds);
	frequencies(count, D, 1000, plain);
	CHECK(loss_of(share, log_odds, D) < loss_of(share, plain, D), "noise %g in counts of few ones: loses %g, frequencies %g", sd,
		  loss_of(share, log_odds, D), loss_of(share, plain, D));
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

/* ---- the rows of such a pass ---- */

/* the parameters of a pass over columns alone, which are 1 in that share of the rows */
static double
prepare_alone(Rng *rng, int hidden, int d, double share, Fit *fit, Net *net)
{
	double		value[2 + MOST_D] = {0};
	DpemNoisyMoments margins = {.layout = {1, d, DPEM_SECOND_COMPONENTS},.sum_sd = 10,.value = value};
	double		clip;

	make_fit(rng, hidden, d, 1000, fit);
	for (int j = 0; j < d; j++)
		value[1 + j] = 1000 * (share - 0.5) / dpem_sbn_margin_clip(d);
	dpem_sbn_ones_start(&margins, &fit->e);
	dpem_sbn_drop_hidden(&fit->e);
	clip = dpem_sbn_clip(&fit->e, true);
	dpem_sbn_prepare(&fit->e, clip, net->theta);
	place_net(hidden, d, net);
	return clip;
}

/* what the kernel adds up, rows that count and others, becomes the number of ones again if the norm clips none of them */
static void
check_kernel(Rng *rng, int hidden, int d)
{
	Fit			fit;
	Net			net;
	Work		w = work_make(d, 1);
	double		sums[MOST_SUMS];
	double		clip = prepare_alone(rng, hidden, d, 0.02, &fit, &net);
	DpemNoisyMoments m = {.layout = layout_of(&net),.sum_sd = 1e-9,.value = sums};
	int			one = 0;

	CHECK(clip < 0.7 * dpem_sbn_margin_clip(d), "a norm of %g", clip);
	fill_rows(rng, &w, 70);
	w.block.keep[7] = 0;
	for (int row = 0; row < 70; row++)
	{
		w.block.x[row] = row % 5 == 0 ? 1 : -1;
		for (int j = 1; j < d; j++)
			w.block.x[j * DPEM_BLOCK_STRIDE + row] = -1;
		one += row % 5 == 0;
	}
	net.theta[0] = 0.999 * dpem_sbn_margin_clip(d);
	accumulate(&net, &w, false, sums);
	fit.e.rows = 69;
	dpem_sbn_ones_add(&m, net.theta[0], 1, &fit.e);
	CHECK_CLOSE(fit.e.ones.clipped[0], one, 1e-6, "ones of 69 rows");
	CHECK(fabs(fit.e.ones.clipped[d - 1]) < 1e-6, "none in a column of zeros: %g", fit.e.ones.clipped[d - 1]);
	work_free(&w);
}

/* no two rows, nor one and none, move its integers further than declared, whatever the shares */
static void
check_moves(Rng *rng, int hidden, int d, double share)
{
	Fit			fit;
	Net			net;
	Work		w = work_make(d, 1);
	double		sums[1 << MOST_D][MOST_SUMS];
	double		none[MOST_SUMS] = {0};
	double		most[2] = {0};

	prepare_alone(rng, hidden, d, share, &fit, &net);
	for (int v = 0; v < 1 << d; v++)
	{
		fill_rows(rng, &w, 1);
		for (int j = 0; j < d; j++)
			w.block.x[j * DPEM_BLOCK_STRIDE] = v >> j & 1 ? 1 : -1;
		accumulate(&net, &w, true, sums[v]);
	}
	for (int a = 0; a < 1 << d; a++)
	{
		most[0] = fmax(most[0], moved2(&net, sums[a], none, (const double[]) {1, 0.5}));
		for (int b = 0; b < a; b++)
			most[1] = fmax(most[1], moved2(&net, sums[a], sums[b], (const double[]) {1, 0.5}));
	}
	for (int replace_one = 0; replace_one < 2; replace_one++)
	{
		double		limit2 = dpem_gradient_sensitivity2(1, 0.5, replace_one);

		CHECK(most[replace_one] <= limit2 && most[replace_one] > limit2 / 4, "hidden %d share %g: moved %.9f of %.9f", hidden, share,
			  sqrt(most[replace_one]), sqrt(limit2));
	}
	work_free(&w);
}

int
main(void)
{
	Rng			rng = {20261127};

	check_shares(&rng);
	for (double sd = 1e-3; sd < 2; sd *= 10)
		check_sample(sd);
	check_passes(&rng);
	check_moved(&rng);
	for (int hidden = 1; hidden <= 3; hidden++)
	{
		check_kernel(&rng, hidden, MOST_D);
		for (int i = 0; i < 5; i++)
			check_moves(&rng, hidden, 5, (const double[]) {0, 0.02, 0.3, 0.5, 0.99}[i]);
	}
	return unit_report();
}
