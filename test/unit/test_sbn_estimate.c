/*
 * test_sbn_estimate.c - the steps of sigmoid belief networks go up, the
 * shorter the more noise there is; what is chosen for a fit, and what is none.
 */
#include "core/accounting/sensitivity.h"
#include "core/sbn/sbn_gain.h"
#include "core/sbn/sbn_trial.h"
#include "sbn_fit_fixture.h"

static void
net_of(const Fit *fit, double clip, Net *net)
{
	dpem_sbn_prepare(&fit->e, clip, net->theta);
	place_net(fit->e.hidden, fit->e.d, net);
}

/* with q(h) of every row held, no step lowers the bound and its prior */
static void
check_steps(Rng *rng, int hidden, int d)
{
	enum
	{
		ROWS = 200
	};
	Fit			fit;
	Work		w = work_make(d, 1);
	int			v[ROWS];
	double		clip;
	int			bad = 0;

	make_fit(rng, hidden, d, ROWS, &fit);
	clip = dpem_sbn_clip(&fit.e, false);
	fill_rows(rng, &w, ROWS);
	for (int row = 0; row < ROWS; row++)
	{
		/* a common cause, or else there is nothing to learn */
		for (int j = 1; j < d; j++)
			if (rng_below(rng, 3) > 0)
				w.block.x[j * DPEM_BLOCK_STRIDE + row] = w.block.x[row];
		v[row] = 0;
		for (int j = 0; j < d; j++)
			v[row] |= (w.block.x[j * DPEM_BLOCK_STRIDE + row] >= 0) << j;
	}
	for (int step = 0; step < 30; step++)
	{
		double		on[ROWS][1 + MOST_HIDDEN];
		double		sums[MOST_SUMS];
		double		value[2] = {0, 0};
		Net			net;
		DpemNoisyMoments m;

		net_of(&fit, clip, &net);
		m = (DpemNoisyMoments) {.layout = layout_of(&net),.value = sums};
		accumulate(&net, &w, false, sums);
		for (int after = 0; after < 2; after++)
		{
			for (int row = 0; row < ROWS; row++)
			{
				if (after == 0)
				{
					set_row(&net, v[row]);
					dpem_sbn_infer(&net.sbn, DPEM_SBN_SWEEPS, &net.rows);
					for (int k = 0; k <= hidden; k++)
						on[row][k] = net.rows.on[(size_t) k * G];
				}
				value[after] += bound_at(&net, v[row], on[row]);
			}
			for (int i = 0; i < (1 + hidden) * d; i++)
				value[after] -= net.sbn.weight[i] * net.sbn.weight[i] / (2 * 10.0);
			if (after == 0)
			{
				CHECK(dpem_sbn_step(&m, clip, 1, 10, &fit.e, fit.work) == DPEM_OK, "a step");
				net_of(&fit, clip, &net);
				/* biases are another part of the model: those of before */
				if (step == 0)
					memset(net.theta + 1, 0, hidden * sizeof(double));
				else
					memcpy(net.theta + 1, fit.memory + 990, hidden * sizeof(double));
			}
		}
		memcpy(fit.memory + 990, fit.bias, hidden * sizeof(double));
		bad += !(value[1] >= value[0] - 1e-9 * fabs(value[0]));
	}
	CHECK(bad == 0, "hidden %d d %d: %d steps go down", hidden, d, bad);
	work_free(&w);
}

/* noise makes steps shorter, in the end none, and never makes numbers that are none */
static void
check_noise(Rng *rng, int hidden, int d)
{
	double		last = INFINITY;

	for (double noise = 0; noise <= 1e8; noise = noise > 0 ? noise * 100 : 1)
	{
		Rng			again = {17};
		Fit			fit;
		double		value[MOST_SUMS];
		DpemNoisyMoments m = {
			.layout = {1 + hidden, d, DPEM_SECOND_COMPONENTS},.sum_sd = noise,.second_sd = 2 * noise,.value = value
		};
		double		moved = 0;
		double		before[(1 + MOST_HIDDEN) * MOST_D];

		make_fit(&again, hidden, d, 5000, &fit);
		memcpy(before, fit.weight, sizeof(before));
		for (size_t i = 0; i < dpem_moments_length(&m.layout); i++)
			value[i] = 40 * rng_normal(&again);
		for (int k = 0; k <= hidden; k++)
			value[k * (2 + d + hidden) + 1 + d + k] = 1000;
		CHECK(dpem_sbn_step(&m, dpem_sbn_clip(&fit.e, true), 1, 10, &fit.e, fit.work) == DPEM_OK, "a step");
		for (int i = 0; i < (1 + hidden) * d; i++)
			moved += pow(fit.weight[i] - before[i], 2);
		for (int k = 0; k < hidden; k++)
			moved += isfinite(fit.bias[k]) ? 0 : NAN;
		CHECK(moved <= last, "hidden %d d %d noise %g: moved %g after %g", hidden, d, noise, moved, last);
		CHECK(noise < 1e4 || moved == 0, "hidden %d d %d noise %g: moved %g by noise alone", hidden, d, noise, moved);
		last = moved;
		for (size_t i = 0; i < dpem_moments_length(&m.layout); i++)
			value[i] = noise * rng_normal(rng);
		CHECK(dpem_sbn_step(&m, dpem_sbn_clip(&fit.e, true), 0.1, 10, &fit.e, fit.work) == DPEM_OK &&
			  isfinite(fit.weight[0]) && isfinite(fit.bias[0]), "an indefinite matrix of products");
	}
}

static void
check_rules(Rng *rng)
{
	Fit			fit;

	make_fit(rng, 3, 5, 100, &fit);
	CHECK_CLOSE(dpem_sbn_clip(&fit.e, false), sqrt(20), 1e-12, "what no gradient exceeds");
	CHECK(dpem_sbn_clip(&fit.e, true) < sqrt(20) && dpem_sbn_clip(&fit.e, true) > 0.1, "less under noise");
	CHECK(dpem_sbn_iterations(3, 5, 1e6, 10) >= dpem_sbn_iterations(3, 5, 1e4, 10) &&
		  dpem_sbn_iterations(3, 5, 100, 10) >= 1 && dpem_sbn_iterations(3, 5, 0, 10) >= 1 &&
		  dpem_sbn_iterations(3, 5, 100, 0) > dpem_sbn_iterations(3, 5, 1e9, 1), "more rows, more steps");
	CHECK(isnan(dpem_gradient_sensitivity2(-1, 1, true)) && isnan(dpem_gradient_sensitivity2(1, INFINITY, false)),
		  "outside the domain");
	CHECK(dpem_kernel_from_code(11) == &dpem_kernel_sbn && dpem_kernel_sbn.contribution == DPEM_GRADIENT, "the kernel's code");
	CHECK(!dpem_sbn_valid(&(DpemMomentLayout) {2, 3, DPEM_SECOND_NONE}, (const double[]) {1}) &&
		  !dpem_sbn_valid(&(DpemMomentLayout) {2, 3, DPEM_SECOND_COMPONENTS}, (const double[]) {0}), "what is no pass");
}

/* of a parabola the gain is exact, and noise in its gradients leaves it right on average */
static void
check_gain_of_parabola(Rng *rng, int hidden, int d)
{
	int			n = (1 + hidden) * d;
	double		top[(1 + MOST_HIDDEN) * MOST_D];
	double		moved[(1 + MOST_HIDDEN) * MOST_D];
	double		gradient[(1 + MOST_HIDDEN) * MOST_D];
	double		truth = 0;
	Fit			fit;

	make_fit(rng, hidden, d, 1000, &fit);
	for (int i = 0; i < n; i++)
	{
		top[i] = fit.weight[i] - fit.moved[i];	/* where the gain is counted from, and no gradient */
		truth += 2 * 1.5 * 1.5;
	}
	for (int step = 0; step < 2; step++)
	{
		for (int i = 0; i < n; i++)
		{
			gradient[i] = 4 * (top[i] - fit.weight[i]);
			moved[i] = top[i] + (step == 0 ? 1.5 : 0.5) - fit.weight[i];
			fit.weight[i] += moved[i];
		}
		dpem_sbn_gain_step(gradient, moved, 0, 0, &fit.e);
	}
	for (int i = 0; i < n; i++)
		gradient[i] = 4 * (top[i] - fit.weight[i]);
	memset(moved, 0, sizeof(moved));
	dpem_sbn_gain_step(gradient, moved, 0, 0, &fit.e);
	CHECK_CLOSE(fit.e.gain, -n * 2 * 0.5 * 0.5, 1e-9 * truth, "the gain at a half from the top");
	CHECK(fit.e.gain_variance == 0 && dpem_sbn_gain_seen(&fit.e) == INFINITY, "never given up without noise");
}

/* gradients of noise alone: no gain on average, within 5 standard errors of 2000 steps */
static void
check_gain_of_noise(Rng *rng, int hidden, int d)
{
	enum
	{
		ROUNDS = 2000
	};
	double		sum = 0;
	double		square = 0;

	for (int round = 0; round < ROUNDS; round++)
	{
		Fit			fit;
		double		value[MOST_SUMS] = {0};
		DpemNoisyMoments m = {
			.layout = {1 + hidden, d, DPEM_SECOND_COMPONENTS},.sum_sd = 10,.second_sd = 1e-9,.value = value
		};

		make_fit(rng, hidden, d, 5000, &fit);
		memset(fit.moved, 0, sizeof(fit.moved));
		for (int k = 0; k <= hidden; k++)
		{
			for (int j = 0; j < d; j++)
				value[k * (2 + d + hidden) + 1 + j] = 10 * rng_normal(rng);
			value[k * (2 + d + hidden) + 1 + d + k] = 1000;
		}
		CHECK(dpem_sbn_step(&m, 1, 1, 1e12, &fit.e, fit.work) == DPEM_OK, "a step");
		sum += fit.e.gain;
		square += fit.e.gain * fit.e.gain;
	}
	CHECK(fabs(sum) < 5 * sqrt(square), "hidden %d d %d: gain %g by noise alone", hidden, d, sum / sqrt(square));
}

/* hidden units that explain nothing are given up; then passes tell how often columns are 1 */
static void
check_drop(Rng *rng, int hidden, int d)
{
	Fit			fit;
	double		value[MOST_SUMS] = {0};
	DpemNoisyMoments m = {.layout = {1 + hidden, d, DPEM_SECOND_COMPONENTS},.sum_sd = 1e-3,.value = value};
	Net			net;
	double		clip;

	make_fit(rng, hidden, d, 1000, &fit);
	fit.e.gain = 1e6;
	fit.e.gain_variance = 1;
	dpem_sbn_after_step(2, 10, &fit.e);
	CHECK(!fit.e.independent, "a large gain is one");
	fit.e.gain = -1e6;
	dpem_sbn_after_step(1, 10, &fit.e);
	CHECK(!fit.e.independent, "it is not looked at yet");
	dpem_sbn_after_step(2, 10, &fit.e);
	CHECK(fit.e.independent, "a gain far below 0 is none");
	fit.e.ones.whole_sd = 1e3;
	clip = dpem_sbn_clip(&fit.e, true);
	CHECK(clip <= dpem_sbn_margin_clip(d), "the norm %g is that of independent columns", clip);
	for (int j = 0; j < d; j++)
		value[1 + j] = (100 * (j + 1) - 1000 * (clip < dpem_sbn_margin_clip(d) ? 1 / (1 + exp(-fit.weight[j])) : 0.5)) / clip;
	net_of(&fit, dpem_sbn_clip(&fit.e, true), &net);
	CHECK(dpem_sbn_valid(&m.layout, net.theta), "a pass without hidden units");
	CHECK(dpem_sbn_step(&m, dpem_sbn_clip(&fit.e, true), 1, 10, &fit.e, fit.work) == DPEM_OK, "a step");
	for (int j = 0; j < (1 + hidden) * d; j++)
	{
		double		p = 0.1 * (j + 1);

		CHECK(fabs(fit.weight[j] - (j < d ? log(p / (1 - p)) : 0)) < 0.02, "weight %d is %g", j, fit.weight[j]);
	}
}

int
main(void)
{
	Rng			rng = {20161109};

	for (int hidden = 1; hidden <= MOST_HIDDEN; hidden++)
		for (int d = 1; d <= MOST_D; d += d < 4 ? 1 : 2)
		{
			check_steps(&rng, hidden, d);
			check_noise(&rng, hidden, d);
		}
	check_gain_of_parabola(&rng, 3, 5);
	check_gain_of_noise(&rng, 3, 5);
	check_drop(&rng, 3, 5);
	check_rules(&rng);
	return unit_report();
}
