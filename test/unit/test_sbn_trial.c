/*
 * test_sbn_trial.c - what trials of a sigmoid belief network gain, and when its hidden units are kept.
 */
#include "core/sbn/sbn_gain.h"
#include "core/sbn/sbn_trial.h"
#include "sbn_fit_fixture.h"

/*
 * Where the bound is a parabola with its top at `top` times the way from independent columns to the network, the
 * midpoint rule is exact: a trial gains in proportion to top - 1/2, and goes on if that is much.
 */
static void
check_trial(Rng *rng, int hidden, int d, double top)
{
	enum
	{
		STEPS = 25
	};
	int			n = (1 + hidden) * d;
	double		start[(1 + MOST_HIDDEN) * MOST_D] = {0};
	double		gradient[(1 + MOST_HIDDEN) * MOST_D];
	double		way2 = 0;
	Fit			fit;

	make_fit(rng, hidden, d, 1000, &fit);
	fit.e.gain = 0;
	fit.e.gain_variance = 1e9;
	for (int j = 0; j < d; j++)
		start[j] = fit.e.ones.log_odds[j];
	for (int step = 1; step <= 9; step++)
		dpem_sbn_after_step(step, STEPS, &fit.e);
	CHECK(fit.e.trial.points == 3, "%d points of a trial", fit.e.trial.points);
	for (int i = 0; i < n; i++)
		way2 += pow(fit.e.trial.weight[i] - start[i], 2);
	for (int step = 10; step <= 12; step++)
	{
		for (int i = 0; i < n; i++)
			gradient[i] = 1e5 * (start[i] + top * (fit.e.trial.weight[i] - start[i]) - fit.weight[i]);
		dpem_sbn_trial_point(gradient, 1, &fit.e);
		if (step == 12)
			CHECK_CLOSE(fit.e.trial.gain, 1e5 * (top - 0.5) * way2, 1e-6 * way2, "the gain of the whole way");
		dpem_sbn_after_step(step, STEPS, &fit.e);
	}
	CHECK_CLOSE(fit.e.trial.gain_variance, way2 / 3, 1e-9 * way2, "its noise");
	CHECK(fit.e.independent == (top < 0.5), "a top at %g", top);
	for (int i = 0; i < n && !fit.e.independent; i++)
		CHECK_CLOSE(fit.weight[i], fit.e.trial.weight[i], 1e-9, "it goes on at the mean of the steps");
}

/* a trial in which the gain is z times its deviation of noise more than chance alone would make */
static void
make_trial(int step, int steps, double z, double sd, DpemSbnEstimate *fit)
{
	int			n = (1 + fit->hidden) * fit->d;
	int			points = fit->trial.points;
	double		start[(1 + MOST_HIDDEN) * MOST_D] = {0};
	double		gradient[(1 + MOST_HIDDEN) * MOST_D];
	double		way2 = 0;

	for (int j = 0; j < fit->d; j++)
		start[j] = fit->ones.log_odds[j];
	for (int i = 0; i < n; i++)
		way2 += pow(fit->trial.weight[i] - start[i], 2);
	for (int i = 0; i < n; i++)
		gradient[i] = (dpem_sbn_gain_of_chance(fit) + z * sd) / way2 * (fit->trial.weight[i] - start[i]);
	for (int point = 0; point < points; point++)
	{
		dpem_sbn_trial_point(gradient, sd * sd * points / way2, fit);
		dpem_sbn_after_step(++step, steps, fit);
	}
}

/*
 * 25 steps have room for two trials, after steps 9 and 15.  z: what each shows, as far as they are made; sd: of a gain's
 * noise, by the entropy that independent columns have.  The last of z settles it.
 */
static void
check_doubt(Rng *rng, const double *z, int trials, double sd, bool kept)
{
	const int	steps = 25;
	int			step = 0;
	double		entropy = 0;
	Fit			fit;

	make_fit(rng, 3, 5, 1000, &fit);
	for (int j = 0; j < fit.e.d; j++)
	{
		double		p = 1 / (1 + exp(-fit.e.ones.log_odds[j]));

		entropy -= fit.e.rows * (p * log(p) + (1 - p) * log(1 - p));
	}
	fit.e.gain = 0;
	fit.e.gain_variance = 1e9 * entropy;
	for (int round = 0; round < trials; round++)
	{
		for (int last = 9 + 6 * round; step < last;)
			dpem_sbn_after_step(++step, steps, &fit.e);
		CHECK(fit.e.trial.points == 3, "trial %d has %d points", round, fit.e.trial.points);
		make_trial(step, steps, z[round], sd * entropy, &fit.e);
		step += 3;
		CHECK(fit.e.trial.points == 0, "trial %d has ended", round);
		CHECK(round == trials - 1 || (!fit.e.independent && fit.e.trial.next == step + 3), "trial %d leaves doubt", round);
	}
	CHECK(fit.e.independent == !kept, "%g after %d trials: kept", z[trials - 1], trials);
	CHECK(!kept || fit.e.trial.next > steps, "%g after %d trials: settled", z[trials - 1], trials);
}

/* the dearer a mistake, the more has to be seen, and trials are taken together */
static void
check_doubts(Rng *rng)
{
	check_doubt(rng, (double[]) {3}, 1, 0.05, true);
	check_doubt(rng, (double[]) {-0.1}, 1, 0.05, false);
	check_doubt(rng, (double[]) {1, 3}, 2, 0.05, true);
	check_doubt(rng, (double[]) {1, -1}, 2, 0.05, false);
	check_doubt(rng, (double[]) {1, 1.1}, 2, 0.05, true);
	check_doubt(rng, (double[]) {1, 0.7}, 2, 0.05, false);
	check_doubt(rng, (double[]) {0.5}, 1, 1e-3, true);
	check_doubt(rng, (double[]) {-1.6}, 1, 1e-3, false);
	check_doubt(rng, (double[]) {-0.5, -0.5}, 2, 1e-3, false);
	check_doubt(rng, (double[]) {-0.5, 0.6}, 2, 1e-3, true);
	check_doubt(rng, (double[]) {9}, 1, 0.2, false);
}

/* the only step is the last one, too */
static void
check_single_step(Rng *rng, double gain)
{
	bool		given_up = gain < 0;
	double		length = 0;
	Fit			fit;

	make_fit(rng, 3, 5, 1000, &fit);
	fit.e.gain = gain;
	fit.e.gain_variance = 1;
	dpem_sbn_after_step(1, 1, &fit.e);
	for (int i = fit.e.d; i < (1 + fit.e.hidden) * fit.e.d; i++)
		length += fabs(fit.weight[i]);
	CHECK(fit.e.independent == given_up, "gain %g: given up", gain);
	CHECK((length == 0) == given_up, "gain %g: weights of %g", gain, length);
}

/*
 * A network that no trial doubts is left with weights of that size after the last step, and columns whose log-odds are
 * `off` of the released ones: as passes that clip rows of rare columns leave it.
 */
static void
check_idle(Rng *rng, double size, double off, double noise, bool kept)
{
	Fit			fit;

	make_fit(rng, 3, 5, 1000, &fit);
	fit.e.gain = 1e5;
	fit.e.gain_variance = 1;
	fit.e.ones.sd = noise;
	for (int j = 0; j < fit.e.d; j++)
	{
		for (int k = 1; k <= fit.e.hidden; k++)
			fit.weight[k * fit.e.d + j] = k % 2 == j % 2 ? size : -size;
		fit.weight[j] = fit.e.ones.log_odds[j] + off;
		for (int k = 1; k <= fit.e.hidden; k++)
			fit.weight[j] -= fit.weight[k * fit.e.d + j] / 2;
	}
	dpem_sbn_after_step(1, 1, &fit.e);
	CHECK(fit.e.independent == !kept, "weights of %g, log-odds off by %g, noise %g: kept", size, off, noise);
	for (int j = 0; j < fit.e.d && !kept; j++)
		CHECK(fit.weight[j] == fit.e.ones.log_odds[j], "columns by themselves have the released shares");
}

static void
check_idles(Rng *rng)
{
	check_idle(rng, 0.05, 0, 0, true);
	check_idle(rng, 0.05, 0.3, 0, false);
	check_idle(rng, 3, 0.3, 0, true);
	check_idle(rng, 0.05, 0.3, 200, true);
}

int
main(void)
{
	Rng			rng = {20161110};

	check_trial(&rng, 3, 5, 0.2);
	check_trial(&rng, 3, 5, 0.9);
	check_doubts(&rng);
	check_single_step(&rng, -100);
	check_single_step(&rng, 100);
	check_idles(&rng);
	return unit_report();
}
