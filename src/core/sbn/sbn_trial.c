/*
 * sbn_trial.c - see sbn_trial.h.
 */
#include <math.h>
#include <string.h>

#include "core/sbn/sbn_gain.h"
#include "core/sbn/sbn_idle.h"
#include "core/sbn/sbn_ones.h"
#include "core/sbn/sbn_rules.h"
#include "core/sbn/sbn_shares.h"
#include "core/sbn/sbn_trial.h"

static size_t
weights_of(const DpemSbnEstimate *fit)
{
	return (size_t) (fit->hidden + 1) * fit->d;
}

/* ---- the mean of recent steps ---- */

static void
average(DpemSbnEstimate *fit)
{
	DpemSbnTrial *t = &fit->trial;
	double		share = 1.0 / ++t->averaged;

	for (size_t i = 0; i < weights_of(fit); i++)
		t->weight[i] = share == 1 ? fit->weight[i] : t->weight[i] + share * (fit->weight[i] - t->weight[i]);
	for (int k = 0; k < fit->hidden; k++)
		t->bias[k] = share == 1 ? fit->bias[k] : t->bias[k] + share * (fit->bias[k] - t->bias[k]);
}

static void
take_average(DpemSbnEstimate *fit)
{
	memcpy(fit->weight, fit->trial.weight, weights_of(fit) * sizeof(double));
	memcpy(fit->bias, fit->trial.bias, fit->hidden * sizeof(double));
	fit->trial.averaged = 0;
}

/* ---- the line ---- */

/* weight i of independent columns */
static double
start_of_line(const DpemSbnEstimate *fit, size_t i)
{
	return i < (size_t) fit->d ? fit->ones.log_odds[i] : 0;
}

static void
go_to(DpemSbnEstimate *fit, double part)
{
	for (size_t i = 0; i < weights_of(fit); i++)
	{
		double		from = start_of_line(fit, i);

		fit->weight[i] = from + part * (fit->trial.weight[i] - from);
	}
}

static void
begin(int points, DpemSbnEstimate *fit)
{
	DpemSbnTrial *t = &fit->trial;

	t->points = points;
	t->tried = 0;
	t->gain = t->gain_variance = 0;
	memcpy(fit->bias, t->bias, fit->hidden * sizeof(double));
	go_to(fit, 0.5 / points);
}

void
dpem_sbn_trial_point(const double *gradient, double noise2, DpemSbnEstimate *fit)
{
	DpemSbnTrial *t = &fit->trial;

	for (size_t i = 0; i < weights_of(fit); i++)
	{
		double		leg = (t->weight[i] - start_of_line(fit, i)) / t->points;

		t->gain += gradient[i] * leg;
		t->gain_variance += noise2 * leg * leg;
	}
	t->tried++;
	go_to(fit, (t->tried + 0.5) / t->points);
}

/* of independent columns in all rows: more than that, no network can gain */
static double
entropy(const DpemSbnEstimate *fit)
{
	double		sum = 0;

	for (int j = 0; j < fit->d; j++)
	{
		double		odds = start_of_line(fit, j);
		double		p = dpem_sbn_share_of(odds);

		sum += -log(p) + (1 - p) * odds;
	}
	return fit->rows * sum;
}

/* of the noise in the gain, by what no network can gain */
static double
noise_of_gain(const DpemSbnEstimate *fit)
{
	return sqrt(fit->gain_variance) / entropy(fit);
}

/*
 * All trials by precision; the path goes on from there.  What the path has shown before is of the gradients that its steps
 * were chosen by, and flatters them.
 */
static void
join(DpemSbnEstimate *fit)
{
	DpemSbnTrial *t = &fit->trial;
	double		before = t->ended ? 1 / t->known_variance : 0;
	double		now = 1 / t->gain_variance;

	t->known = (before * t->known + now * t->gain) / (before + now);
	t->known_variance = 1 / (before + now);
	fit->gain = t->known;
	fit->gain_variance = t->known_variance;
	memset(fit->moved, 0, weights_of(fit) * sizeof(double));
}

/* ---- what follows from it ---- */

static int
part_of(double part, int steps)
{
	return (int) ceil(part * steps);
}

typedef struct Bars
{
	double		give_up;
	double		keep;
	double		last;
} Bars;

/* a network that noise made loses about as much as that noise: where it is dear, more is asked for */
static Bars
bars_of(const DpemSbnEstimate *fit)
{
	static const Bars dear = DPEM_SBN_TRIAL_DEAR;
	static const Bars cheap = DPEM_SBN_TRIAL_CHEAP;
	double		part = noise_of_gain(fit) / DPEM_SBN_TRIAL_DEAR_NOISE;
	double		cost = fmin(part * part, 1);
	double		more = fmin(fmax(DPEM_SBN_TRIAL_DEARER * (part - 1), 0), 1);

	return (Bars) {
		.give_up = cost * dear.give_up + (1 - cost) * cheap.give_up + more,
		.keep = cost * dear.keep + (1 - cost) * cheap.keep + more,
		.last = cost * dear.last + (1 - cost) * cheap.last + more
	};
}

/* no mean of the steps is to bring them back */
static void
give_up(DpemSbnEstimate *fit)
{
	dpem_sbn_drop_hidden(fit);
	fit->trial.averaged = 0;
}

/* what the mean has before is left out if enough steps follow */
static void
settle(int step, int steps, DpemSbnTrial *trial)
{
	trial->next = steps + 1;
	if (step < DPEM_SBN_TRIAL_MEAN_ANEW * steps)
		trial->averaged = 0;
}

/* where there is doubt another trial follows, if there are steps enough */
static void
end(int step, int steps, DpemSbnEstimate *fit)
{
	DpemSbnTrial *t = &fit->trial;
	int			next = step + part_of(DPEM_SBN_TRIAL_GAP, steps);
	bool		last = t->ended || next + t->points > DPEM_SBN_TRIAL_UNTIL * steps;
	Bars		bars;
	double		seen;

	join(fit);
	bars = bars_of(fit);
	seen = dpem_sbn_gain_seen(fit);
	t->points = 0;
	t->ended = true;
	t->next = next;
	if (noise_of_gain(fit) >= DPEM_SBN_TRIAL_BLIND || seen <= (last ? bars.last : bars.give_up))
	{
		give_up(fit);
		return;
	}
	go_to(fit, 1);
	if (last || seen > bars.keep)
		settle(step, steps, t);
}

/* ---- in the course of the steps ---- */

/*
 * The path shows so little already that passes are worth more to the columns.  That is seen the sooner, the more these
 * lose by noise, if the gain's noise is much, too: or else a few steps will tell.
 */
static bool
is_hopeless(int step, int steps, double seen, const DpemSbnEstimate *fit)
{
	double		loss = dpem_sbn_ones_loss(fit) * fit->rows / entropy(fit) / DPEM_SBN_GAIN_DEAR_LOSS;
	double		noise = noise_of_gain(fit) / DPEM_SBN_GAIN_DEAR_NOISE;
	double		cost = fmin(fmin(pow(loss, 2), pow(noise, 4)), 1);
	double		first = cost < 1 ? DPEM_SBN_GAIN_FIRST : DPEM_SBN_GAIN_FIRST_DEAR;

	return step >= part_of(first, steps) && seen < cost * DPEM_SBN_GAIN_DEAR + (1 - cost) * DPEM_SBN_GAIN_CHEAP;
}

static void
before_trial(int step, int steps, DpemSbnEstimate *fit)
{
	double		seen = dpem_sbn_gain_seen(fit);

	if (2 * step > fit->trial.next)
		average(fit);
	if (is_hopeless(step, steps, seen, fit))
		give_up(fit);
	else if (step < fit->trial.next)
		return;
	else if (seen < DPEM_SBN_GAIN_SURE || fit->gain < DPEM_SBN_GAIN_SURE_PART * entropy(fit))
		begin(part_of(DPEM_SBN_TRIAL_POINTS, steps), fit);
	else
		settle(step, steps, &fit->trial);
}

void
dpem_sbn_after_step(int step, int steps, DpemSbnEstimate *fit)
{
	if (fit->independent)
		return;
	if (step == 1)
		fit->trial.next = part_of(DPEM_SBN_TRIAL_AT, steps);
	if (fit->trial.points > 0)
	{
		if (fit->trial.tried == fit->trial.points)
			end(step, steps, fit);
	}
	else if (step <= fit->trial.next && fit->trial.next <= steps)
		before_trial(step, steps, fit);
	else if (step > DPEM_SBN_AVERAGE_FROM * steps)
		average(fit);
	if (step == steps && fit->trial.averaged > 0)
		take_average(fit);
	if (step == steps && !fit->independent && dpem_sbn_is_idle(fit))
		give_up(fit);
}
