/*
 * test_class_noise.c - the noise that coefficients of classes fitted together are said to have (core/replay/class_noise.h), beside that over many
 * fits of the same rows: classes that overlap, whose gradients correct what the first releases are off by, and classes
 * that are apart, whose loss hardly bends; and discriminant analysis alone.
 *
 * Rows and noise are made up with a fixed seed: they are always the same.
 */
#include "replay_fixture.h"

#define FITS		150			/* of which a deviation is known to 6 % */
#define GRADIENTS	5
#define FIRST_SD	12.0		/* of the noise in sums and second moments */
#define GRADIENT_SD	25.0
#define OFF			1.5			/* times too much or too little, of any coefficient */
#define MEAN_OFF	1.25		/* in the mean of all */

typedef struct Noisy
{
	Fit			f;
	DpemClassHistory history;
	DpemNoisyMoments gradient[GRADIENTS];
	double		second[SECOND];
	double		sums[K * RECORD];
	double		gradients[GRADIENTS][K * RECORD];
	double		at[GRADIENTS][K][D];
} Noisy;

static Noisy *
create(int gradients)
{
	Noisy	   *n = calloc(1, sizeof(Noisy));
	DpemMomentLayout by_class = {K, D, DPEM_SECOND_NONE};

	create_fit(&n->f, 0);
	n->f.fit.constant = 0.5;
	n->f.fit.spread = zeros(D * D);
	n->f.fit.draws = dpem_class_noise_draws(&n->f.fit, gradients, 1);
	for (int k = 0; k < K; k++)
	{
		n->f.fit.problem[k].middle = zeros(D);
		n->f.fit.problem[k].center = zeros(D);
		n->f.fit.problem[k].moved = zeros((size_t) D * n->f.fit.draws);
	}
	n->history = (DpemClassHistory) {
		.second = {.layout = {1, D, DPEM_SECOND_FULL},.value = n->second,.count_sd = FIRST_SD,.sum_sd = FIRST_SD,.second_sd = FIRST_SD},
		.sums = {.layout = by_class,.value = n->sums,.sum_sd = FIRST_SD},.sums_scale = 1,
		.gradients = gradients,.gradient = n->gradient,.gradient_scale = 1,.at = n->at[0][0]
	};
	for (int i = 0; i < gradients; i++)
		n->gradient[i] = (DpemNoisyMoments) {.layout = by_class,.value = n->gradients[i],.sum_sd = GRADIENT_SD};
	return n;
}

static void
forget(DpemClassFit *fit)
{
	for (int k = 0; k < K; k++)
	{
		memset(fit->problem[k].middle, 0, D * sizeof(double));
		fit->problem[k].slope = fit->problem[k].middle_sd = 0;
	}
}

static void
release_first(Rng *rng, const Table *t, Noisy *n)
{
	sum_rows(t, n->second, n->sums);
	add_second_noise(rng, FIRST_SD, n->second);
	add_noise(rng, FIRST_SD, n->sums, K * RECORD);
}

static void
fit_rows(Rng *rng, const Table *t, Noisy *n)
{
	DpemClassFit *fit = &n->f.fit;
	bool		ok;

	forget(fit);
	release_first(rng, t, n);
	ok = dpem_class_take_second(&n->history.second, 0, fit, n->f.work) == DPEM_OK &&
		dpem_class_take_sums(&n->history.sums, 1, fit, n->f.work) == DPEM_OK;
	for (int i = 0; i < n->history.gradients; i++)
	{
		for (int k = 0; k < K; k++)
			memcpy(n->at[i][k], fit->problem[k].fit.mean, D * sizeof(double));
		gradient_at(t, n->at[i], n->gradients[i]);
		add_noise(rng, GRADIENT_SD, n->gradients[i], K * RECORD);
		ok &= dpem_class_take_gradient(&n->gradient[i], 1, i, fit, n->f.work) == DPEM_OK;
	}
	CHECK(ok, "a fit");
}

static void
check_noise(Rng *rng, double apart, int gradients)
{
	static Table t;
	Noisy	   *n = create(gradients);
	Scatter		sum = {0};
	char		what[64];

	make_table(rng, apart, 1, &t);
	for (int i = 0; i < FITS; i++)
	{
		fit_rows(rng, &t, n);
		find_noise(&n->history, &n->f.fit);
		add_fit(&n->f.fit, sum);
	}
	snprintf(what, sizeof(what), "apart %g, %d gradients", apart, gradients);
	check_scatter(sum, FITS, K, OFF, MEAN_OFF, what);
	free(n);
}

/* of a fit of so many classes in d coordinates */
static int
draws_of(int problems, int d, int gradients, int groups)
{
	DpemClassFit fit = {.d = d,.problems = problems,.loss = {DPEM_LOSS_MULTINOMIAL, 1},.together = true,.shared = true};

	return dpem_class_noise_draws(&fit, gradients, groups);
}

int
main(void)
{
	Rng			rng = {20261129};

	check_noise(&rng, 1, GRADIENTS);
	check_noise(&rng, 3, GRADIENTS);
	check_noise(&rng, 3, 0);
	/* too many numbers to take all releases again, and as many as there are by default */
	CHECK(draws_of(26, 2000, 5, 1) == 0 && draws_of(26, 512, 5, 1) > 0, "draws");
	/* nor of many classes in groups, however few columns they have */
	CHECK(draws_of(500, 21, 0, 200) == 0 && draws_of(500, 21, 0, 1) > 0, "draws of groups");
	return unit_report();
}
