/*
 * test_gam_estimate.c - coefficients from exact releases of cells are those of the penalised fit, and from noisy
 * ones no number is lost.
 */
#include "core/gam/gam_estimate.h"
#include "core/gam/gam_rules.h"
#include "core/numeric/linalg.h"
#include "gam_fixture.h"

typedef struct Fit
{
	DpemGamRows rows;
	DpemGamScore score;
	double	   *memory;
	DpemWorkspace work;
} Fit;

static Fit
make_fit(const Fixture *f, double step)
{
	size_t		n = (size_t) f->n;
	size_t		work = dpem_gam_work(f->n);
	Fit			fit = {.memory = numbers(4 * n * n + 4 * n + 5 + work)};
	double	   *at = fit.memory;

	fit.rows = (DpemGamRows) {.shape = f->shape,.n = f->n,.offset = f->offset,.second = at,.count = at + 3 * n * n};
	fit.rows.shape.column = f->column;
	fit.score = (DpemGamScore) {.curvature = at + n * n,.here = at + 2 * n * n,.linear = fit.rows.count + n,.mean = fit.rows.count + 2 * n,.step = fit.rows.count + 3 * n};
	for (int c = 0; c < 5; c++)
		fit.score.step[c] = step;
	fit.work.next = fit.score.step + 5;
	fit.work.end = fit.work.next + work;
	return fit;
}

/* sd: of normal noise in each number */
static DpemNoisyMoments
release(Rng *rng, Fixture *f, int gradient, double sd)
{
	const double *sums = sums_of(f, gradient);
	size_t		n = (size_t) f->layout[gradient].k;
	DpemNoisyMoments m = {.layout = f->layout[gradient],.count_sd = sd,.value = numbers(n)};

	for (size_t i = 0; i < n; i++)
		m.value[i] = ldexp(sums[i], -f->bits) + sd * rng_normal(rng);
	return m;
}

static void
take_pass(Rng *rng, Fixture *f, Fit *fit, int pass, double sd)
{
	DpemNoisyMoments m = release(rng, f, pass > 1, sd);
	double	   *weights = numbers(3 * (size_t) f->n);

	if (pass == 1)
	{
		CHECK(dpem_gam_take_rows(&m, 0, &fit->rows, fit->work) == DPEM_OK, "rows");
		dpem_gam_start(&fit->rows, &m, 0, &fit->score);
	}
	else
	{
		bool		exact = sd == 0 && f->shape.targets == 2;
		DpemNoisyMoments curvature = release(rng, f, 0, 0);

		dpem_gam_curvature(&fit->rows, exact ? &curvature : NULL, 0, &fit->score, weights);
		free(curvature.value);
		dpem_gam_take_gradient(&fit->rows, &m, 1, 0, pass - 1, &fit->score);
	}
	CHECK(dpem_gam_estimate(&fit->rows, sd > 0 ? 2 : 0, &fit->score, fit->work) == DPEM_OK, "pass %d", pass);
	dpem_gam_update_dispersion(&fit->rows, &fit->score, pass, fit->work.next);
	f->shape.middle = fit->rows.shape.middle;
	f->shape.reach = fit->rows.shape.reach;
	set_coefficients(f, fit->score.mean);
	free(m.value);
	free(weights);
}

/* 500 rows, of class 2 the more the larger the first number */
static void
put_rows(Rng *rng, Fixture *f)
{
	double		x[MOST_D];

	for (int row = 0; row < 500; row++)
	{
		random_row(rng, f, x);
		x[0] = rng_uniform(rng, -1, 1);
		if (f->shape.targets == 2)
		{
			x[11] = rng_uniform(rng, 0, 1) < 1 / (1 + exp(-3 * x[0]));
			x[10] = 1 - x[11];
		}
		else
			x[10] = 0.6 * x[0] + 0.1 * rng_normal(rng);
		put_row(f, row, x, 1);
	}
}

/* where nothing changes any more the gradient is the penalty's: K g = mean, with K as gam_posterior.h has it */
static double
penalty_error(Fit *fit, const double *gradient)
{
	double		worst = 0;
	double		total = 0;
	double		scale = fit->rows.shape.targets > 1 ? 1 : dpem_gam_rules.number_scale;

	for (int i = 0; i < fit->rows.n; i++)
		total += gradient[i];
	for (int c = 0; c < 5; c++)
	{
		const DpemGamColumn *column = &fit->rows.shape.column[c];
		int			first = fit->rows.offset[c];
		int			cells = fit->rows.offset[c + 1] - first;
		int			walk = column->length > 0 ? 0 : column->bins;

		/* (mean - constant total) is K_c g: multiplied by the penalties it is g */
		for (int i = 0; i < cells; i++)
		{
			double		level = pow(dpem_gam_rules.intercept / 5, 2) * scale * total;
			const double *mean = fit->score.mean + first;
			double		sum = dpem_gam_rules.level_precision / scale * (mean[i] - level);

			if (i >= walk)
				sum += (mean[i] - level) / fit->score.step[c];
			if (i < walk && i > 0)
				sum += (mean[i] - mean[i - 1]) / fit->score.step[c];
			if (i + 1 < walk)
				sum += (mean[i] - mean[i + 1]) / fit->score.step[c];
			worst = fmax(worst, fabs(sum - gradient[first + i]));
		}
	}
	return worst;
}

static void
check_exact(Rng *rng, int targets)
{
	Fixture		f = make_fixture(targets, targets > 1 ? targets : 64, 0);
	Fit			fit = make_fit(&f, 0.2);
	double	   *gradient = numbers((size_t) f.n);
	double		unit;

	put_rows(rng, &f);
	set_coefficients(&f, NULL);
	for (int pass = 1; pass <= 20; pass++)
		take_pass(rng, &f, &fit, pass, 0);
	unit = (targets > 1 ? 1 : fit.rows.shape.reach) / dpem_gam_gradient_mark(&f.shape);
	sums_of(&f, 1);
	for (int i = 0; i < f.n; i++)
		gradient[i] = unit * f.sums[i];
	CHECK(penalty_error(&fit, gradient) < 1e-7, "%d targets: the gradient is off the penalty's by %g", targets, penalty_error(&fit, gradient));
	CHECK(fit.score.mean[3] > fit.score.mean[2] && fit.score.mean[2] > fit.score.mean[1] && fit.score.mean[1] > fit.score.mean[0], "%d targets: no slope", targets);
	free(gradient);
	free(fit.memory);
	free_fixture(&f);
}

/* from noise smaller and much larger than the rows */
static void
check_noisy(Rng *rng, int targets)
{
	for (double sd = 1e-2; sd < 1e7; sd *= 30)
	{
		Fixture		f = make_fixture(targets, targets > 1 ? targets : 64, P);
		Fit			fit = make_fit(&f, 0.2);
		DpemGamResult result = {.contribution = numbers((size_t) f.n),.sd = numbers((size_t) f.n),.noise = numbers((size_t) f.n)};
		int			bad = 0;

		put_rows(rng, &f);
		set_coefficients(&f, NULL);
		for (int pass = 1; pass <= 4; pass++)
			take_pass(rng, &f, &fit, pass, sd);
		CHECK(dpem_gam_finish(&fit.rows, &fit.score, &result, fit.work) == DPEM_OK, "no result");
		for (int i = 0; i < f.n; i++)
			bad += !isfinite(result.contribution[i]) || !(result.sd[i] >= 0) || !(result.noise[i] >= 0) || result.noise[i] > 1.001 * result.sd[i] + 1e-9;
		CHECK(bad == 0, "%d targets, noise %g: %d contributions are no numbers, or their errors are less than their noise", targets, sd, bad);
		free(result.contribution);
		free(result.sd);
		free(result.noise);
		free(fit.memory);
		free_fixture(&f);
	}
}

int
main(void)
{
	Rng			rng = {20};

	check_exact(&rng, 1);
	check_exact(&rng, 2);
	check_noisy(&rng, 1);
	check_noisy(&rng, 2);
	return unit_report();
}
