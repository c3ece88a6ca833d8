/*
 * test_logit_replay.c - the noise that coefficients of a logistic regression of two classes are said to have (core/replay/logit_noise.h), beside
 * that over many fits of the same rows: of classes that overlap, and that are apart, where the loss hardly bends.
 *
 * Rows and noise are made up with a fixed seed: they are always the same.
 */
#include "core/logit/logit_secant.h"
#include "core/replay/logit_noise.h"
#include "replay_fixture.h"

#define FITS		150			/* of which a deviation is known to 6 % */
#define GRADIENTS	4
#define FIRST_SD	4.0			/* of the noise in sums and second moments */
#define GRADIENT_SD	5.0
#define CONSTANT	0.5
#define OFF			1.5			/* times too much or too little, of any coefficient */
#define MEAN_OFF	1.25		/* in the mean of all */

typedef struct Noisy
{
	DpemLogitStatistics s;
	DpemLogit	fit;
	DpemLogitHistory history;
	DpemNoisyMoments gradient[GRADIENTS];
	double		first[SECOND];
	double		gradients[GRADIENTS][RECORD];
	double		at[GRADIENTS * D];
	DpemLogitSecant secant;
	DpemWorkspace work;
} Noisy;

static Noisy *
create(void)
{
	Noisy	   *n = calloc(1, sizeof(Noisy));
	size_t		take = dpem_logit_take_work(D);
	size_t		work = take > dpem_logit_estimate_work(D) ? take : dpem_logit_estimate_work(D);
	double	   *start = zeros(work);

	n->work = (DpemWorkspace) {start, start + work};
	dpem_logit_secant_begin(D, zeros(dpem_logit_secant_length(D)), &n->secant);
	n->s = (DpemLogitStatistics) {
		.d = D,.linear = zeros(D),.curvature = zeros(D * D),.second = zeros(D * D),.model = zeros(D * D),.origin = zeros(D),
		.constant = true,.value = CONSTANT,.secant = &n->secant
	};
	n->fit = (DpemLogit) {.d = D,.mean = zeros(D),.covariance = zeros(D * D),.turn = zeros(D * D),.share = 1};
	n->history = (DpemLogitHistory) {
		.whole = CONSTANT,.gradients = GRADIENTS,.gradient = n->gradient,.gradient_scale = 1,.at = n->at,
		.first = {.layout = {1, D, DPEM_SECOND_FULL},.value = n->first,.count_sd = FIRST_SD,.sum_sd = FIRST_SD,.second_sd = FIRST_SD}
	};
	for (int i = 0; i < GRADIENTS; i++)
		n->gradient[i] = (DpemNoisyMoments) {.layout = {1, D, DPEM_SECOND_NONE},.value = n->gradients[i],.sum_sd = GRADIENT_SD};
	return n;
}

/* ---- rows, whose second class is all but the first ---- */

static void
sum_first(const Table *t, double *value)
{
	memset(value, 0, SECOND * sizeof(double));
	for (int i = 0; i < N_ROWS; i++)
	{
		double	   *at = value + RECORD;

		value[0]++;
		for (int j = 0; j < D; j++)
		{
			value[1 + j] += (t->class[i] > 0 ? 1 : -1) * t->x[i][j];
			for (int l = 0; l <= j; l++)
				*at++ += t->x[i][j] * t->x[i][l];
		}
	}
}

static void
sum_gradient(const Table *t, const double *mean, double *value)
{
	memset(value, 0, RECORD * sizeof(double));
	for (int i = 0; i < N_ROWS; i++)
		for (int j = 0; j < D; j++)
			value[1 + j] += ((t->class[i] > 0) - 1 / (1 + exp(-score(mean, t->x[i])))) * t->x[i][j];
}

/* ---- fits ---- */

static void
fit_rows(Rng *rng, const Table *t, Noisy *n)
{
	bool		ok;

	memset(n->fit.mean, 0, D * sizeof(double));
	memset(n->fit.covariance, 0, D * D * sizeof(double));
	n->fit.share = 1;
	n->secant.tail = 0;
	sum_first(t, n->first);
	add_second_noise(rng, FIRST_SD, n->first);
	ok = dpem_logit_take_first(&n->history.first, 0, &n->s, n->work) == DPEM_OK;
	dpem_logit_find_origin(&n->s);
	dpem_logit_take_curvature(&n->history.first, 1, &n->fit, 0, &n->s, n->work);
	ok &= dpem_logit_estimate(&n->s, 0, &n->fit, n->work) == DPEM_OK;
	for (int i = 0; i < GRADIENTS; i++)
	{
		memcpy(n->at + i * D, n->fit.mean, D * sizeof(double));
		sum_gradient(t, n->fit.mean, n->gradients[i]);
		add_noise(rng, GRADIENT_SD, n->gradients[i], RECORD);
		dpem_logit_take_gradient(&n->gradient[i], 1, &n->fit, i, &n->s, n->work);
		ok &= dpem_logit_estimate_step(&n->s, 0, &n->fit, n->work) == DPEM_OK;
	}
	CHECK(ok, "a fit");
}

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
check_noise(Rng *rng, double apart)
{
	static Table t;
	Noisy	   *n = create();
	int			draws = dpem_logit_noise_draws(D, GRADIENTS, 1);
	double	   *moved = zeros((size_t) D * draws);
	Scatter		sum = {0};
	char		what[64];

	make_table(rng, apart, 1, &t);
	for (int i = 0; i < FITS; i++)
	{
		fit_rows(rng, &t, n);
		find_moved(n, draws, moved);
		add_mean(n, draws, moved, sum);
	}
	snprintf(what, sizeof(what), "apart %g", apart);
	check_scatter(sum, FITS, 1, OFF, MEAN_OFF, what);
	free(n);
}

int
main(void)
{
	Rng			rng = {20261201};

	check_noise(&rng, 1);
	check_noise(&rng, 2);
	CHECK(dpem_logit_noise_draws(2000, GRADIENTS, 1) == 0 && dpem_logit_noise_draws(60, GRADIENTS, 1) > 0 && dpem_logit_noise_draws(D, 0, 1) == 0, "draws");
	return unit_report();
}
