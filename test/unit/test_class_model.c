/*
 * test_class_model.c - steps of multinomial logistic regression by a model of the rows (core/replay/class_model.h): of classes that are apart they end
 * near the minimum, which steps by the loss's bound do not come near; noise in coefficients, beside that over many fits of the same
 * rows; and where steps are not by one.
 *
 * Rows and noise are made up with a fixed seed: they are always the same.
 */
#include "core/replay/class_model.h"
#include "replay_fixture.h"

#define GRADIENTS	5
#define FITS		80			/* of which a deviation is known to 8 % */
#define FIRST_SD	6.0			/* of the noise in sums and second moments */
#define GRADIENT_SD	12.0
#define OFF			1.5			/* times too much or too little, of any coefficient */
#define MEAN_OFF	1.3			/* in the mean of all */

typedef struct Modelled
{
	Fit			f;
	DpemClassModel model;
	double		sd;				/* of the noise in a gradient */
} Modelled;

static Modelled *
create(double sd)
{
	Modelled   *m = calloc(1, sizeof(Modelled));
	DpemWorkspace work;

	create_fit(&m->f, 0);
	m->sd = sd;
	m->f.fit.constant = 0.5;
	m->f.fit.spread = zeros(D * D);
	m->f.fit.draws = DPEM_MODEL_DRAWS;
	for (int k = 0; k < K; k++)
	{
		m->f.fit.problem[k].middle = zeros(D);
		m->f.fit.problem[k].center = zeros(D);
		m->f.fit.problem[k].moved = zeros(D * DPEM_MODEL_DRAWS);
	}
	work = unset_workspace(dpem_class_model_work(&m->f.fit));
	m->model = dpem_class_model_take(&m->f.fit, &work);
	return m;
}

static void
take_noisy(Rng *rng, const Table *t, double sd, Fit *f)
{
	double		second[SECOND];
	double		sums[K * RECORD];
	DpemNoisyMoments m = {.layout = {1, D, DPEM_SECOND_FULL},.value = second,.count_sd = sd,.sum_sd = sd,.second_sd = sd};
	DpemNoisyMoments by_class = {.layout = {K, D, DPEM_SECOND_NONE},.value = sums,.sum_sd = sd};

	sum_rows(t, second, sums);
	add_second_noise(rng, sd, second);
	add_noise(rng, sd, sums, K * RECORD);
	CHECK(dpem_class_take_second(&m, 0, &f->fit, f->work) == DPEM_OK && dpem_class_take_sums(&by_class, 1, &f->fit, f->work) == DPEM_OK, "statistics");
}

/* of the fit's coefficients; value: the gradient there */
static double
loss_of(const Table *t, const Fit *f, double *value)
{
	double		b[K][D];

	for (int k = 0; k < K; k++)
		memcpy(b[k], f->fit.problem[k].fit.mean, sizeof(b[k]));
	return gradient_at(t, b, value);
}

/* returns the number of steps */
static int
take_gradient(Rng *rng, const Table *t, int before, Modelled *m)
{
	double		value[K * RECORD];
	DpemNoisyMoments released = {.layout = {K, D, DPEM_SECOND_NONE},.value = value,.sum_sd = m->sd};
	bool		more = true;
	int			steps = 0;

	loss_of(t, &m->f, value);
	add_noise(rng, m->sd, value, K * RECORD);
	CHECK(dpem_class_model_gradient(&released, 1, before, &m->f.fit, &m->model) == DPEM_OK, "a gradient");
	while (more && steps++ < 30)
		CHECK(dpem_class_model_step(&m->model, &more) == DPEM_OK, "a step");
	CHECK(dpem_class_model_move(&m->model) == DPEM_OK, "noise");
	dpem_class_model_put(&m->model, &m->f.fit);
	return steps;
}

static int
fit_rows(Rng *rng, const Table *t, Modelled *m)
{
	int			steps = 0;

	take_noisy(rng, t, m->sd * FIRST_SD / GRADIENT_SD, &m->f);
	dpem_class_model_begin(&m->f.fit, m->sd / sqrt(GRADIENTS), &m->model);
	for (int i = 0; i < GRADIENTS; i++)
		steps += take_gradient(rng, t, i, m);
	return steps;
}

/* the same by the loss's bound */
static double
loss_by_bound(const Table *t, double sd)
{
	Rng			rng = {1};
	Modelled   *m = create(sd);
	double		value[K * RECORD];
	DpemNoisyMoments released = {.layout = {K, D, DPEM_SECOND_NONE},.value = value,.sum_sd = sd};

	take_noisy(&rng, t, sd, &m->f);
	for (int i = 0; i < GRADIENTS; i++)
	{
		loss_of(t, &m->f, value);
		CHECK(dpem_class_take_gradient(&released, 1, i, &m->f.fit, m->f.work) == DPEM_OK, "a gradient");
	}
	return loss_of(t, &m->f, value);
}

/* the least log loss: many gradients without noise */
static double
least_loss(Rng *rng, const Table *t)
{
	Modelled   *m = create(1e-3);
	double		value[K * RECORD];

	fit_rows(rng, t, m);
	for (int i = GRADIENTS; i < 100; i++)
		take_gradient(rng, t, i, m);
	return loss_of(t, &m->f, value);
}

static void
check_steps(Rng *rng, double apart)
{
	static Table t;
	Modelled   *m = create(0.1);
	double		value[K * RECORD];
	double		bound;
	double		least;
	double		loss;
	int			steps;

	make_table(rng, apart, 1, &t);
	bound = loss_by_bound(&t, 0.1);
	least = least_loss(rng, &t);
	steps = fit_rows(rng, &t, m);
	loss = loss_of(&t, &m->f, value);
	CHECK(loss < least + 0.25 * (bound - least) && bound > least, "apart %g: log loss %g, by the bound %g, at least %g", apart, loss, bound, least);
	CHECK(steps < 10 * GRADIENTS, "%d steps", steps);
}

/* what all classes have in common is the prior's, however long passes go on */
static void
check_common(Rng *rng)
{
	static Table t;
	Modelled   *m = create(GRADIENT_SD);

	make_table(rng, 3, 1, &t);
	fit_rows(rng, &t, m);
	for (int i = GRADIENTS; i < 40; i++)
		take_gradient(rng, &t, i, m);
	for (int j = 0; j < D; j++)
	{
		double		common = 0;
		double		middle = 0;
		double		most = 0;

		for (int k = 0; k < K; k++)
		{
			common += m->f.fit.problem[k].fit.mean[j] / K;
			middle += m->model.middle[k * D + j] / K;
			most = fmax(most, fabs(m->f.fit.problem[k].fit.mean[j]));
		}
		CHECK(fabs(common - middle) < 0.02 * most, "coefficient %d: %g in common, not %g, of up to %g", j, common, middle, most);
	}
}

static void
check_noise(Rng *rng, double apart)
{
	static Table t;
	Modelled   *m = create(GRADIENT_SD);
	Scatter		sum = {0};
	char		what[64];

	make_table(rng, apart, 1, &t);
	for (int i = 0; i < FITS; i++)
	{
		fit_rows(rng, &t, m);
		add_fit(&m->f.fit, sum);
	}
	snprintf(what, sizeof(what), "apart %g", apart);
	check_scatter(sum, FITS, K, OFF, MEAN_OFF, what);
}

/* differences of the law's gradient */
static void
check_curvature(Rng *rng)
{
	static Table t;
	Modelled   *m = create(1);
	double	   *scratch = zeros(dpem_class_law_curvature_work(&m->model.law));
	double		bend[K * D][K * D];
	double		at[K * D];
	double		up[K * D];
	double		down[K * D];

	make_table(rng, 1, 1, &t);
	take_noisy(rng, &t, 1, &m->f);
	dpem_class_model_begin(&m->f.fit, 1, &m->model);
	memcpy(at, m->model.at, sizeof(at));
	dpem_class_law_curvature(at, &m->model.law, bend[0], scratch);
	for (int i = 0; i < K * D; i++)
	{
		double		h = 1e-4;

		at[i] += h;
		dpem_class_law_gradient(at, &m->model.law, up);
		at[i] -= 2 * h;
		dpem_class_law_gradient(at, &m->model.law, down);
		at[i] += h;
		for (int j = 0; j < K * D; j++)
			CHECK(fabs((down[j] - up[j]) / (2 * h) - bend[i][j]) < 1e-4 * bend[i][i], "%d, %d: %g, not %g", i, j, bend[i][j], (down[j] - up[j]) / (2 * h));
	}
}

static bool
fits(int problems, int d, int groups)
{
	DpemClassFit fit = {.d = d,.problems = problems,.loss = {DPEM_LOSS_MULTINOMIAL, 1}};

	return dpem_class_model_fits(&fit, GRADIENTS, groups);
}

/* much noise, a class that it hides, and more numbers than there is time for */
static void
check_limits(Rng *rng)
{
	static Table t;
	Modelled   *m = create(1);

	make_table(rng, 1, 1, &t);
	take_noisy(rng, &t, 1, &m->f);
	CHECK(dpem_class_model_helps(&m->f.fit, 1) && !dpem_class_model_helps(&m->f.fit, 0.02 * N_ROWS), "much noise");
	m->f.fit.problem[1].share = 1e-4;
	CHECK(!dpem_class_model_helps(&m->f.fit, 1), "a rare class");
	CHECK(fits(10, 20, 1) && !fits(100, 20, 1) && !fits(10, 20, 100), "many numbers");
}

int
main(void)
{
	Rng			rng = {20261130};

	check_curvature(&rng);
	check_steps(&rng, 1);
	check_steps(&rng, 1.5);

	check_common(&rng);
	check_noise(&rng, 1);
	check_noise(&rng, 3);
	check_limits(&rng);
	return unit_report();
}
