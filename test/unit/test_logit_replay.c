/*
 * test_logit_replay.c - the noise that coefficients of a logistic regression of two classes are said to have (core/replay/logit_noise.h), beside
 * that over many fits of the same rows: of classes that overlap, and that are apart, where the loss hardly bends; by steps of either kind.
 *
 * Rows and noise are made up with a fixed seed: they are always the same.
 */
#include "two_class_fixture.h"

#define FITS		150			/* of which a deviation is known to 6 % */
#define FIRST_SD	4.0			/* of the noise in sums and second moments */
#define GRADIENT_SD	5.0
#define OFF			1.5			/* times too much or too little, of any coefficient */
#define MEAN_OFF	1.25		/* in the mean of all */
#define MODEL_OFF	1.4			/* times these, by a model, whose law bends less than the rows do */

static void
find_moved(const Noisy *n, int draws, double *moved)
{
	DpemWorkspace work = unset_workspace(dpem_logit_noise_work(&n->s, GRADIENTS));
	double	   *start = work.next;
	DpemLogitReplay *replay = dpem_logit_noise_begin(&n->history, &n->s, &work);

	for (int i = 0; i < draws; i++)
		CHECK(dpem_logit_noise_draw(replay, draws, i, n->fit.mean, moved) == DPEM_OK, "a draw");
	free(start);
}

static void
add_mean(const Noisy *n, int draws, const double *moved, Scatter sum)
{
	double		one[D * D] = {0};
	double		noise[D];
	double	   *start = zeros((size_t) D * draws);

	for (int j = 0; j < D; j++)
		one[j * D + j] = 1;
	dpem_logit_turn_noise(D, D, draws, one, moved, noise, (DpemWorkspace) {start, start + D * draws});
	for (int j = 0; j < D; j++)
	{
		sum[0][j][0] += n->fit.mean[j];
		sum[0][j][1] += n->fit.mean[j] * n->fit.mean[j];
		sum[0][j][2] += noise[j] * noise[j];
	}
	free(start);
}

static void
check_noise(Rng *rng, bool modelled, double apart)
{
	static Table t;
	Noisy	   *n = create(FIRST_SD, GRADIENT_SD);
	int			draws = dpem_logit_noise_draws(modelled, D, GRADIENTS, 1);
	double	   *moved = zeros((size_t) D * draws);
	Scatter		sum = {0};
	char		what[64];

	n->history.modelled = modelled;
	make_table(rng, apart, 1, &t);
	for (int i = 0; i < FITS; i++)
	{
		fit_rows(rng, &t, n);
		find_moved(n, draws, moved);
		add_mean(n, draws, moved, sum);
	}
	snprintf(what, sizeof(what), "apart %g%s", apart, modelled ? ", by a model" : "");
	check_scatter(sum, FITS, 1, modelled ? MODEL_OFF * OFF : OFF, modelled ? MODEL_OFF * MEAN_OFF : MEAN_OFF, what);
	free(n);
}

int
main(void)
{
	Rng			rng = {20261201};

	check_noise(&rng, false, 1);
	check_noise(&rng, false, 2);
	check_noise(&rng, true, 1);
	check_noise(&rng, true, 2);
	CHECK(dpem_logit_noise_draws(true, 200, GRADIENTS, 1) == 0 && dpem_logit_noise_draws(true, 50, GRADIENTS, 1) > 0, "draws of steps by a model");
	CHECK(dpem_logit_noise_draws(false, 2000, GRADIENTS, 1) == 0 && dpem_logit_noise_draws(false, 60, GRADIENTS, 1) > 0 && dpem_logit_noise_draws(false, D, 0, 1) == 0, "draws");
	return unit_report();
}
