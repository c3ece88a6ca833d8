/*
 * test_logit_model.c - steps of logistic regression of two classes by a model of the rows (core/replay/logit_model.h): of classes that are apart they end
 * near the minimum, which steps by the curvature of normal scores do not come near, and nowhere far off; and the posterior about a direction
 * (core/replay/logit_along.h).
 *
 * Rows and noise are made up with a fixed seed: they are always the same.
 */
#include "core/replay/logit_along.h"
#include "two_class_fixture.h"

#define LITTLE		0.05		/* noise */
#define MOST_LEFT	0.3			/* of the way that steps by normal scores leave */
#define FAR			1e4			/* coefficients of the unit ball that no table asks for */

/* the mean log loss */
static double
loss_of(const Table *t, const double *mean)
{
	double		sum = 0;

	for (int i = 0; i < N_ROWS; i++)
		sum += log1p(exp((t->class[i] > 0 ? -1 : 1) * score(mean, t->x[i])));
	return sum / N_ROWS;
}

/* of a fit with that noise, and of many gradients more without any */
static double
loss_of_fit(const Table *t, bool modelled, double sd, int more)
{
	Rng			rng = {7};
	Noisy	   *n = create(sd, sd);

	n->history.modelled = modelled;
	fit_rows(&rng, t, n);
	for (int i = 0; i < more; i++)
	{
		sum_gradient(t, n->fit.mean, n->gradients[0]);
		CHECK(dpem_logit_model_gradient(&n->gradient[0], 1, GRADIENTS + i, &n->s, &n->fit, &n->model, n->work) == DPEM_OK, "a gradient");
	}
	return loss_of(t, n->fit.mean);
}

/* normal rows, and labels by a score that is that long and high: of a rare class, or of two that hardly overlap */
static void
make_labels(Rng *rng, double length, double level, Table *t)
{
	make_table(rng, 1, 1, t);
	for (int i = 0; i < N_ROWS; i++)
	{
		double		score = level;

		for (int j = 0; j < D - 1; j++)
		{
			double		u = rng_normal(rng);

			t->x[i][j] = 0.2 * fmin(fmax(u, -2.4), 2.4);
			score += length * t->x[i][j] * (j == 0 ? 1 : 0.4);
		}
		t->class[i] = rng_uniform(rng, 0, 1) < 1 / (1 + exp(-score));
	}
}

static void
check_steps(Rng *rng, double length, double level)
{
	static Table t;
	double		least;
	double		normal;
	double		loss;

	make_labels(rng, length, level, &t);
	least = loss_of_fit(&t, true, LITTLE, 60);
	normal = loss_of_fit(&t, false, LITTLE, 0);
	loss = loss_of_fit(&t, true, LITTLE, 0);
	CHECK(loss < least + MOST_LEFT * (normal - least) && normal > least, "scores %g long, about %g: log loss %g, by normal scores %g, at least %g", length, level, loss, normal, least);
}

/* a line tells the classes apart: the prior alone says how long coefficients are */
static void
check_separate(Rng *rng)
{
	static Table t;

	for (double sd = LITTLE; sd < 100; sd *= 4)
	{
		Noisy	   *n = create(sd, sd);
		double		square = 0;

		make_table(rng, 20, 1, &t);
		n->history.modelled = true;
		fit_rows(rng, &t, n);
		for (int j = 0; j < D; j++)
			square += n->fit.mean[j] * n->fit.mean[j];
		CHECK(square < FAR * FAR && loss_of(&t, n->fit.mean) < 0.3, "noise %g: %g long, log loss %g", sd, sqrt(square), loss_of(&t, n->fit.mean));
	}
}

/* of differences of its gradient */
static void
check_bend(Rng *rng)
{
	static Table t;
	Noisy	   *n = create(1, 1);
	double		bend[D][D];
	double		up[D];
	double		down[D];

	n->history.modelled = true;
	make_table(rng, 1, 1, &t);
	take_first_pass(rng, &t, n);
	dpem_class_law_bend(n->fit.mean, &n->model.law, bend[0], n->model.scratch);
	for (int i = 0; i < D; i++)
	{
		double		h = 1e-4;

		n->fit.mean[i] += h;
		dpem_class_law_gradient(n->fit.mean, &n->model.law, up);
		n->fit.mean[i] -= 2 * h;
		dpem_class_law_gradient(n->fit.mean, &n->model.law, down);
		n->fit.mean[i] += h;
		for (int j = 0; j < D; j++)
			CHECK(fabs((down[j] - up[j]) / (2 * h) - bend[i][j]) < 1e-4 * bend[i][i], "%d, %d: %g, not %g", i, j, bend[i][j], (down[j] - up[j]) / (2 * h));
	}
}

/* ---- the posterior about a direction ---- */

typedef struct Posed
{
	DpemLogitStatistics s;
	DpemLogit	fit;
	double		direction[D];
	double		prior[D][D];
} Posed;

/* a curvature that is not diagonal, and t of coefficients that are that long, mostly along a direction */
static Posed *
pose(Rng *rng, double length, double sd)
{
	Posed	   *p = calloc(1, sizeof(Posed));
	size_t		work = dpem_logit_along_work(D);
	double	   *start = zeros(work);
	double		truth[D];

	p->s = (DpemLogitStatistics) {.d = D,.linear = zeros(D),.linear_sd = sd,.curvature = zeros(D * D),.origin = zeros(D),.slope = 1};
	p->fit = (DpemLogit) {.d = D,.mean = zeros(D),.covariance = zeros(D * D),.turn = zeros(D * D)};
	for (int i = 0; i < D; i++)
	{
		p->direction[i] = i == 0 ? 0.8 : i == 1 ? 0.6 : 0;
		truth[i] = length * p->direction[i] + 0.3 * rng_normal(rng);
		for (int j = 0; j < D; j++)
			p->s.curvature[i * D + j] = 20.0 * (i == j) + 5 * (i + j == 3);
	}
	for (int i = 0; i < D; i++)
		for (int j = 0; j < D; j++)
			p->s.linear[i] += p->s.curvature[i * D + j] * truth[j];
	CHECK(dpem_logit_solve_along(&p->s, p->direction, &p->fit, p->prior[0], (DpemWorkspace) {start, start + work}) == DPEM_OK, "a posterior");
	return p;
}

/* what the curvature tells and what the prior holds cancel at the mean */
static void
check_mean(Rng *rng)
{
	Posed	   *p = pose(rng, 30, 10);

	for (int i = 0; i < D; i++)
	{
		double		rest = p->s.linear[i];

		for (int j = 0; j < D; j++)
			rest -= (p->s.curvature[i * D + j] + p->prior[i][j]) * p->fit.mean[j];
		CHECK(fabs(rest) < 1e-5 * fabs(p->s.linear[0]), "coordinate %d: %g is left of %g", i, rest, p->s.linear[i]);
	}
}

/* noise that hides what coefficients are across the direction leaves most of the length */
static void
check_length(Rng *rng)
{
	Posed	   *p = pose(rng, 30, 40);
	double		length = 0;
	double		along = 0;
	double		variance = 0;

	for (int i = 0; i < D; i++)
	{
		length += p->direction[i] * p->fit.mean[i];
		variance += p->fit.covariance[i * D + i];
		for (int j = 0; j < D; j++)
			along += p->direction[i] * p->direction[j] * p->fit.covariance[i * D + j];
	}
	CHECK(length > 0.8 * 30 && length < 1.1 * 30, "length %g", length);
	CHECK(along > 1 && along < 100 && variance - along < (D - 1) * along, "variance %g along, %g across", along, variance - along);
}

int
main(void)
{
	Rng			rng = {20261130};

	check_bend(&rng);
	check_steps(&rng, 10, -6);
	check_steps(&rng, 15, -9);
	check_steps(&rng, 60, 0);
	check_separate(&rng);
	check_mean(&rng);
	check_length(&rng);
	return unit_report();
}
