/*
 * gam_fit_fixture.h - additive models of the rows of gam_fixture.h, pass by pass.
 */
#ifndef GAM_FIT_FIXTURE_H
#define GAM_FIT_FIXTURE_H

#include "core/gam/gam_estimate.h"
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
	Fit			fit = {.memory = numbers(3 * n * n + (5 + DPEM_GAM_PATH) * n + 5 + work)};
	double	   *at = fit.memory;

	fit.rows = (DpemGamRows) {.shape = f->shape,.n = f->n,.offset = f->offset,.second = at,.count = at + 3 * n * n,.noise = at + 3 * n * n + 4 * n};
	fit.rows.shape.column = f->column;
	fit.score = (DpemGamScore) {.curvature = at + n * n,.here = at + 2 * n * n,.linear = fit.rows.count + n,.mean = fit.rows.count + 2 * n,.step = fit.rows.noise + n};
	for (int c = 0; c < 5; c++)
		fit.score.step[c] = step;
	dpem_gam_begin_path(f->n, fit.rows.noise + n + 5, &fit.score);
	fit.work.next = fit.score.path + DPEM_GAM_PATH * n;
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
		dpem_gam_take_rows(&m, 0, &fit->rows, fit->work);
		CHECK(dpem_gam_clean_pairs(&fit->rows, fit->work) == DPEM_OK, "pairs");
		dpem_gam_start(&fit->rows, &m, 0, &fit->score);
		dpem_gam_start_curvature(&fit->rows, &fit->score);
	}
	else
	{
		bool		exact = sd == 0 && f->shape.targets == 2;
		DpemNoisyMoments curvature = release(rng, f, 0, 0);

		dpem_gam_curvature(&fit->rows, exact ? &curvature : NULL, &fit->score, weights);
		free(curvature.value);
		CHECK(dpem_gam_take_gradient(&fit->rows, &m, 1, 0, pass - 1, &fit->score, fit->work) == DPEM_OK, "gradient of pass %d", pass);
	}
	CHECK(dpem_gam_estimate(&fit->rows, sd > 0 ? 2 : 0, &fit->score, fit->work) == DPEM_OK, "pass %d", pass);
	dpem_gam_update_dispersion(&fit->rows, &fit->score, pass, fit->work.next);
	f->shape.middle = fit->rows.shape.middle;
	f->shape.reach = fit->rows.shape.reach;
	set_coefficients(f, fit->score.mean);
	free(m.value);
	free(weights);
}

#endif							/* GAM_FIT_FIXTURE_H */
