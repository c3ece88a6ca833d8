/*
 * sbn_trial.c - see sbn_trial.h.
 */
#include <math.h>
#include <string.h>

#include "core/sbn/sbn_gain.h"
#include "core/sbn/sbn_rules.h"
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
	return i < (size_t) fit->d ? dpem_sbn_log_odds(fit->ones[i], fit->rows, fit->ones_sd) : 0;
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
		double		p = 1 / (1 + exp(-odds));

		sum += -log(p) + (1 - p) * odds;
	}
	return fit->rows * sum;
}

/* path and trial, which estimate the same, by precision */
static bool
is_worth_it(const DpemSbnEstimate *fit)
{
	double		path = 1 / fit->gain_variance;
	double		trial = 1 / fit->trial.gain_variance;
	double		gain = (path * fit->gain + trial * fit->trial.gain) / (path + trial);
	double		sd = sqrt(1 / (path + trial));

	return sd < DPEM_SBN_TRIAL_BLIND * entropy(fit) &&
		gain > dpem_sbn_gain_of_chance(fit) + DPEM_SBN_TRIAL_LEAST * sd;
}

static void
end(DpemSbnEstimate *fit)
{
	if (is_worth_it(fit))
		go_to(fit, 1);
	else
		dpem_sbn_drop_hidden(fit);
	fit->trial.points = fit->trial.averaged = 0;
}

/* ---- in the course of the steps ---- */

static int
part_of(double part, int steps)
{
	return (int) ceil(part * steps);
}

static void
before_trial(int step, int steps, DpemSbnEstimate *fit)
{
	double		seen = dpem_sbn_gain_seen(fit);
	int			last = part_of(DPEM_SBN_TRIAL_AT, steps);

	if (2 * step > last)
		average(fit);
	if (step >= part_of(DPEM_SBN_GAIN_FIRST, steps) && seen < DPEM_SBN_GAIN_EARLY)
		dpem_sbn_drop_hidden(fit);
	else if (step == last && seen < DPEM_SBN_GAIN_SURE)
		begin(part_of(DPEM_SBN_TRIAL_POINTS, steps), fit);
	else if (step == last)
		fit->trial.averaged = 0;
}

void
dpem_sbn_after_step(int step, int steps, DpemSbnEstimate *fit)
{
	if (fit->independent)
		return;
	if (fit->trial.points > 0)
	{
		if (fit->trial.tried == fit->trial.points)
			end(fit);
	}
	else if (step <= part_of(DPEM_SBN_TRIAL_AT, steps))
		before_trial(step, steps, fit);
	else if (step > DPEM_SBN_AVERAGE_FROM * steps)
		average(fit);
	if (step == steps && fit->trial.averaged > 0)
		take_average(fit);
}
