/*
 * test_margin_noise.c - the noise that coefficients of a hinge are said to have (core/replay/class_noise.h), beside that over many fits of the
 * same rows: of two classes that overlap, and that are apart, where hardly a row bends the loss, and of several against the rest.
 *
 * Rows and noise are made up with a fixed seed: they are always the same.
 */
#include "replay_fixture.h"

#define FITS		150			/* of which a deviation is known to 6 % */
#define GRADIENTS	3
#define FIRST_SD	8.0			/* of the noise in sums and second moments */
#define GRADIENT_SD	6.0
#define SMOOTHING	0.5
#define OFF			1.6			/* times too much or too little, of any coefficient */
#define MEAN_OFF	1.25		/* in the mean of all */

typedef struct Noisy
{
	DpemClassFit fit;
	DpemWorkspace work;
	DpemClassHistory history;
	DpemNoisyMoments gradient[GRADIENTS];
	double		second[SECOND];
	double		sums[K * RECORD];
	double		gradients[GRADIENTS][K * RECORD];
	double		at[GRADIENTS * K * D];
} Noisy;

static void
create_problem(DpemClassFit *fit, DpemClassProblem *p)
{
	p->mean = zeros(D);
	p->s = (DpemLogitStatistics) {
		.d = D,.linear = zeros(D),.curvature = zeros(D * D),.second = fit->second,.mean = p->mean,.loss = &fit->loss,
		.constant = true,.value = fit->problems == 1 ? 0.5 : 0,.origin = fit->problems == 1 ? zeros(D) : NULL
	};
	p->fit = (DpemLogit) {.d = D,.mean = zeros(D),.covariance = zeros(D * D),.turn = zeros(D * D),.share = 1};
	p->moved = zeros((size_t) D * fit->draws);
}

static Noisy *
create(int problems)
{
	Noisy	   *n = calloc(1, sizeof(Noisy));
	DpemMomentLayout by_class = {problems, D, DPEM_SECOND_NONE};
	size_t		work = dpem_class_work(D);
	double	   *start = zeros(work);

	n->work = (DpemWorkspace) {start, start + work};
	n->fit = (DpemClassFit) {
		.d = D,.problems = problems,.loss = {DPEM_LOSS_HINGE, SMOOTHING},.constant = 0.5,.sum = zeros(D),.second = zeros(D * D),
		.problem = calloc(K, sizeof(DpemClassProblem))
	};
	n->fit.draws = dpem_class_noise_draws(&n->fit, GRADIENTS, 1);
	for (int k = 0; k < problems; k++)
		create_problem(&n->fit, &n->fit.problem[k]);
	n->history = (DpemClassHistory) {
		.second = {.layout = {1, D, DPEM_SECOND_FULL},.value = n->second,.count_sd = FIRST_SD,.sum_sd = FIRST_SD,.second_sd = FIRST_SD},
		.sums = {.layout = by_class,.value = n->sums,.sum_sd = FIRST_SD},.sums_scale = 1,
		.gradients = GRADIENTS,.gradient = n->gradient,.gradient_scale = 1,.at = n->at
	};
	for (int i = 0; i < GRADIENTS; i++)
		n->gradient[i] = (DpemNoisyMoments) {.layout = by_class,.value = n->gradients[i],.sum_sd = GRADIENT_SD};
	return n;
}

/* ---- rows: of two classes those of the third are in none ---- */

static double
sign_of(const Noisy *n, int class, int problem)
{
	if (n->fit.problems > 1)
		return class == problem ? 1 : -1;
	return class == 1 ? 1 : -1;
}

static void
sum_first(const Table *t, Noisy *n)
{
	memset(n->second, 0, sizeof(n->second));
	memset(n->sums, 0, sizeof(n->sums));
	for (int i = 0; i < N_ROWS; i++)
	{
		double	   *at = n->second + RECORD;

		if (n->fit.problems == 1 && t->class[i] > 1)
			continue;
		n->second[0]++;
		for (int j = 0; j < D; j++)
		{
			n->second[1 + j] += t->x[i][j];
			for (int l = 0; l <= j; l++)
				*at++ += t->x[i][j] * t->x[i][l];
		}
		for (int k = 0; k < n->fit.problems; k++)
			for (int j = 0; j < D; j++)
				n->sums[k * RECORD + 1 + j] += (n->fit.problems == 1 ? sign_of(n, t->class[i], k) : t->class[i] == k) * t->x[i][j];
	}
}

/* as the kernel has it: the slopes of a row are no longer than 1 together */
static void
sum_gradient(const Table *t, const double *at, double *value, const Noisy *n)
{
	memset(value, 0, K * RECORD * sizeof(double));
	for (int i = 0; i < N_ROWS; i++)
	{
		double		slope[K];
		double		square = 0;

		if (n->fit.problems == 1 && t->class[i] > 1)
			continue;
		for (int k = 0; k < n->fit.problems; k++)
		{
			double		y = sign_of(n, t->class[i], k);

			slope[k] = y * dpem_loss_slope(&n->fit.loss, y * score(at + k * D, t->x[i]));
			square += slope[k] * slope[k];
		}
		for (int k = 0; k < n->fit.problems; k++)
			for (int j = 0; j < D; j++)
				value[k * RECORD + 1 + j] += slope[k] / sqrt(fmax(square, 1)) * t->x[i][j];
	}
}

/* ---- fits ---- */

static void
fit_rows(Rng *rng, const Table *t, Noisy *n)
{
	DpemClassFit *fit = &n->fit;
	bool		ok;

	sum_first(t, n);
	add_second_noise(rng, FIRST_SD, n->second);
	add_noise(rng, FIRST_SD, n->sums, (size_t) fit->problems * RECORD);
	ok = dpem_class_take_second(&n->history.second, 0, fit, n->work) == DPEM_OK && dpem_class_take_sums(&n->history.sums, 1, fit, n->work) == DPEM_OK;
	for (int i = 0; i < GRADIENTS; i++)
	{
		double	   *before = n->at + (size_t) i * fit->problems * D;

		for (int k = 0; k < fit->problems; k++)
			memcpy(before + (size_t) k * D, fit->problem[k].fit.mean, D * sizeof(double));
		sum_gradient(t, before, n->gradients[i], n);
		add_noise(rng, GRADIENT_SD, n->gradients[i], (size_t) fit->problems * RECORD);
		ok &= dpem_class_take_gradient(&n->gradient[i], 1, i, fit, n->work) == DPEM_OK;
	}
	CHECK(ok, "a fit");
}

static void
check_noise(Rng *rng, double apart, int problems)
{
	static Table t;
	Noisy	   *n = create(problems);
	Scatter		sum = {0};
	char		what[64];

	make_table(rng, apart, 1, &t);
	for (int i = 0; i < FITS; i++)
	{
		fit_rows(rng, &t, n);
		find_noise(&n->history, &n->fit);
		add_fit(&n->fit, sum);
	}
	snprintf(what, sizeof(what), "apart %g, %d problems", apart, problems);
	check_scatter(sum, FITS, problems, OFF, MEAN_OFF, what);
	free(n);
}

int
main(void)
{
	Rng			rng = {20261130};

	check_noise(&rng, 1, 1);
	check_noise(&rng, 1.5, 1);
	check_noise(&rng, 1, K);
	check_noise(&rng, 2, K);
	return unit_report();
}
