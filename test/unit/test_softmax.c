/*
 * test_softmax.c - multinomial logistic regression from released statistics: discriminant analysis to begin with,
 * also where rows were clipped; steps that near the minimum, which the search without noise finds.
 *
 * Rows are made up with a fixed seed: they are always the same.
 */
#include "core/logit/class_axes.h"
#include "core/logit/softmax_search.h"
#include "softmax_fixture.h"

static double
loss_of(const Table *t, const Fit *f)
{
	double		b[K][D];
	double		value[K * RECORD];

	for (int k = 0; k < K; k++)
		memcpy(b[k], f->fit.problem[k].fit.mean, sizeof(b[k]));
	return gradient_at(t, b, value);
}

static void
step(const Table *t, double sum_sd, int before, Fit *f)
{
	double		b[K][D];
	double		value[K * RECORD];
	DpemNoisyMoments m = {.layout = {K, D, DPEM_SECOND_NONE},.value = value,.sum_sd = sum_sd};

	for (int k = 0; k < K; k++)
		memcpy(b[k], f->fit.problem[k].fit.mean, sizeof(b[k]));
	gradient_at(t, b, value);
	CHECK(dpem_class_take_gradient(&m, 1, before, &f->fit, f->work) == DPEM_OK, "a gradient");
}

/* the log loss, penalty included, after so many gradients: an end that comes early is at a point that was looked at */
static double
loss_after(const Table *t, Fit *f, int passes)
{
	double	   *start = zeros(dpem_softmax_search_work(K, D));
	DpemWorkspace work = {start, start + dpem_softmax_search_work(K, D)};
	DpemSoftmaxSearch s;
	double		b[K][D];
	double		value[K * RECORD];
	double		penalty = 0;
	double		loss;
	DpemNoisyMoments m = {.layout = {K, D, DPEM_SECOND_NONE},.value = value};

	dpem_softmax_search_begin(&s, &f->fit, &work);
	for (int pass = 0; pass <= passes; pass++)
	{
		if (pass == passes)
			dpem_softmax_search_end(&s);
		for (int k = 0; k < K; k++)
			dpem_softmax_search_at(&s, k, b[k]);
		loss = gradient_at(t, b, value);
		if (pass < passes)
			dpem_softmax_search_take(&s, &m, 1);
	}
	for (int k = 0; k < K; k++)
		for (int j = 0; j < D; j++)
			penalty += b[k][j] * b[k][j] / (2 * f->fit.prior_variance) / N_ROWS;
	free(start);
	return loss + penalty;
}

/* returns the log loss at the minimum */
static double
search(const Table *t, Fit *f, int *passes)
{
	double	   *start = zeros(dpem_softmax_search_work(K, D));
	DpemWorkspace work = {start, start + dpem_softmax_search_work(K, D)};
	DpemSoftmaxSearch s;
	double		b[K][D];
	double		value[K * RECORD];
	double		most = 0;
	double		loss;
	DpemNoisyMoments m = {.layout = {K, D, DPEM_SECOND_NONE},.value = value};

	dpem_softmax_search_begin(&s, &f->fit, &work);
	*passes = 0;
	do
	{
		for (int k = 0; k < K; k++)
			dpem_softmax_search_at(&s, k, b[k]);
		gradient_at(t, b, value);
	} while (++*passes < 500 && dpem_softmax_search_take(&s, &m, 1));
	for (int k = 0; k < K; k++)
		dpem_softmax_search_at(&s, k, b[k]);
	loss = gradient_at(t, b, value);
	for (int k = 0; k < K; k++)
		for (int j = 0; j < D; j++)
			most = fmax(most, fabs(value[k * RECORD + 1 + j] - b[k][j] / f->fit.prior_variance));
	CHECK(most < 1e-7, "the gradient at the minimum is %g", most);
	free(start);
	return loss;
}

static void
check_table(Rng *rng, double far)
{
	static Table t;
	Fit			f;
	double		shares = -(0.5 * log(0.5) + 0.375 * log(0.375) + 0.125 * log(0.125));
	double		first;
	double		least;
	int			passes;

	make_table(rng, 1, far, &t);
	create_fit(&f, 1e4);
	take_first(&t, 0, &f);
	first = loss_of(&t, &f);
	for (int i = 0; i < 5; i++)
		step(&t, 0, i, &f);
	for (int i = 1; i < 30; i++)
		CHECK(loss_after(&t, &f, i) <= loss_after(&t, &f, 1) + 1e-9, "%g times: log loss %g after %d passes, %g after one", far, loss_after(&t, &f, i), i, loss_after(&t, &f, 1));
	least = search(&t, &f, &passes);
	CHECK(passes < 300, "%d passes", passes);
	CHECK(least < first && first < (far > 1 ? 0.95 * shares : least + 0.03), "%g times: log loss %g at first, %g at the minimum, of shares %g", far, first, least, shares);
	CHECK(loss_of(&t, &f) < first - 0.2 * fmin(first - least, 0.3), "%g times: five steps from %g to %g, not %g", far, first, loss_of(&t, &f), least);
}

/* where noise hides slopes, scores are those of the classes' parts of the rows, not of equal ones */
static void
check_middle(Rng *rng)
{
	static Table t;
	Fit			f;
	double		shares = -(0.5 * log(0.5) + 0.375 * log(0.375) + 0.125 * log(0.125));
	double		first;

	make_table(rng, 1, 1, &t);
	create_fit(&f, 0);
	f.fit.constant = 0.5;
	for (int k = 0; k < K; k++)
		f.fit.problem[k].middle = zeros(D);
	take_first(&t, 0.02 * N_ROWS, &f);
	first = f.fit.problem[0].middle_sd;
	for (int i = 0; i < 5; i++)
		step(&t, 10.0 * N_ROWS, i, &f);
	CHECK(loss_of(&t, &f) < shares + 0.005, "log loss %g, of shares %g", loss_of(&t, &f), shares);
	CHECK(first > 0.05 && first < 0.3, "the noise in a share of 0.5 is %g of its logarithm", first);
	for (int k = 0; k < K; k++)
	{
		double		noise = 0;

		for (int i = 0; i < D; i++)
			noise = hypot(noise, f.fit.problem[k].gain[i]);
		CHECK(noise > 0.1 && noise < 1.5, "class %d: noise of %g in its scores", k, noise);
	}
}

/* of the first two passes of the same rows, with an error in what a column has in common with the constant */
static void
take_with_error(const Table *t, double sd, double error, Fit *f)
{
	double		second[SECOND];
	double		sums[K * RECORD];
	DpemNoisyMoments m = {.layout = {1, D, DPEM_SECOND_FULL},.value = second,.sum_sd = sd,.second_sd = sd};
	DpemNoisyMoments by_class = {.layout = {K, D, DPEM_SECOND_NONE},.value = sums,.sum_sd = sd};

	create_fit(f, 0);
	f->fit.constant = 0.5;
	sum_rows(t, second, sums);
	second[RECORD + D * (D - 1) / 2] += error;
	CHECK(dpem_class_take_second(&m, 0, &f->fit, f->work) == DPEM_OK && dpem_class_take_sums(&by_class, 1, &f->fit, f->work) == DPEM_OK, "statistics");
}

/* a constant has nothing in common with other columns: noise there does not make their coefficients larger */
static void
check_constant(Rng *rng)
{
	static Table t;
	double		sd = 3;

	make_table(rng, 1, 1, &t);
	for (int sign = -1; sign <= 1; sign += 2)
	{
		Fit			exact;
		Fit			noisy;

		take_with_error(&t, sd, 0, &exact);
		take_with_error(&t, sd, sign * 4 * sd, &noisy);
		for (int k = 0; k < K; k++)
		{
			double		with = noisy.fit.problem[k].fit.mean[0];
			double		without = exact.fit.problem[k].fit.mean[0];

			CHECK(fabs(with - without) < 0.05 * fabs(without), "class %d: %g with noise of four deviations, %g without", k, with, without);
		}
	}
}

int
main(void)
{
	Rng			rng = {20261127};

	check_table(&rng, 1);
	/* what is clipped has less of the constant: its rows are more than that says */
	check_table(&rng, 20);
	check_table(&rng, 1000);
	check_middle(&rng);
	check_constant(&rng);
	return unit_report();
}
