/*
 * sbn_fit_fixture.h - an estimate of a small sigmoid belief network before its first step.
 */
#ifndef DPEM_TEST_SBN_FIT_FIXTURE_H
#define DPEM_TEST_SBN_FIT_FIXTURE_H

#include "sbn_fixture.h"

typedef struct Fit
{
	DpemSbnEstimate e;
	double		bias[MOST_HIDDEN];
	double		weight[(1 + MOST_HIDDEN) * MOST_D];
	double		gram[(1 + MOST_HIDDEN) * (1 + MOST_HIDDEN)];
	double		ones[4][MOST_D];
	double		moved[(1 + MOST_HIDDEN) * MOST_D];
	double		mean_weight[(1 + MOST_HIDDEN) * MOST_D];
	double		mean_bias[MOST_HIDDEN];
	double		memory[1000];
	DpemWorkspace work;
} Fit;

/* margins of `rows` rows that are 1 with probabilities between 0.1 and 0.9 */
static inline void
make_fit(Rng *rng, int hidden, int d, double rows, Fit *fit)
{
	double		value[2 + MOST_D] = {0};
	DpemNoisyMoments margins = {.layout = {1, d, DPEM_SECOND_COMPONENTS},.value = value};

	fit->e = (DpemSbnEstimate) {.d = d,.hidden = hidden,.bias = fit->bias,.weight = fit->weight,.gram = fit->gram,.moved = fit->moved,
	.ones = {.whole = fit->ones[0],.clipped = fit->ones[1],.count = fit->ones[2],.log_odds = fit->ones[3]},
	.trial = {.weight = fit->mean_weight,.bias = fit->mean_bias}};
	fit->work = (DpemWorkspace) {fit->memory, fit->memory + 1000};
	for (int j = 0; j < d; j++)
		value[1 + j] = rng_uniform(rng, -0.4, 0.4) * rows / dpem_sbn_margin_clip(d);
	value[1 + d] = rows;
	dpem_sbn_start(&margins, 0, &fit->e);
	CHECK_CLOSE(fit->e.rows, rows, 1e-12, "rows");
}

#endif							/* DPEM_TEST_SBN_FIT_FIXTURE_H */
