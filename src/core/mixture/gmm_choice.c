/*
 * gmm_choice.c - see gmm_choice.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_density.h"
#include "core/mixture/gmm_choice.h"
#include "core/mixture/gmm_merge.h"
#include "core/numeric/public_random.h"

/* test/bench/choosing_k.sh; the mean of so many rows' log-likelihoods has a deviation of about 0.01, which the candidates share */
#define STEPS		15
#define MOST_ROWS	20000
#define LEAST_ROWS	1000
#define OPERATIONS	1e9			/* of all candidates' steps together, about */
#define LEAST_SHARE	1e-3		/* of an average component's rows, below which one keeps its parameters */
#define RIDGE		1e-6		/* of the mean variance, on a covariance that drawn rows hardly fill */

typedef struct Choice
{
	int			n;				/* rows drawn */
	double	   *x;				/* n * d */
	DpemGmmDensity density;
	double	   *term;			/* k, of a row */
	double	   *scratch;		/* d * d */
	DpemGmm		sums;			/* weight, sum and second moment of an EM step */
	DpemGmm		trial;
	bool		tied;
	void		(*pause) (void);
	DpemWorkspace work;			/* of a merger */
} Choice;

static double
covariance_parameters(DpemSecondMoment shape, int d)
{
	return shape == DPEM_SECOND_FULL ? d * (d + 1) / 2.0 : shape == DPEM_SECOND_DIAGONAL ? d : 1;
}

static double
parameters(const DpemGmm *gmm, int k, bool tied)
{
	return k * (1.0 + gmm->d) - 1 + (tied ? 1 : k) * covariance_parameters(gmm->shape, gmm->d);
}

/* sampling errors of a component of equal size with the mean variance: of a sum v n, of a svec entry 2 v^2 n */
double
dpem_gmm_effective_rows(const DpemGmm *gmm, const DpemNoisyMoments *noise, double rows)
{
	int			d = gmm->d;
	double		second = covariance_parameters(gmm->shape, d);
	double		n = fmax(rows, 1) / gmm->k;
	double		v = 0;
	double		ratio;

	for (int k = 0; k < gmm->k; k++)
		for (int j = 0; j < d; j++)
			v += gmm->weight[k] * gmm->covariance[((size_t) k * d + j) * d + j] / d;
	ratio = d * noise->sum_sd * noise->sum_sd / (v * n) + second * noise->second_sd * noise->second_sd / (2 * v * v * n);
	return dpem_effective_rows(rows, ratio / (d + second));
}

/* ---- memory ---- */

static int
rows_to_draw(const DpemSizes *c, int d)
{
	double		terms = 0;

	for (int i = 0; i < c->n; i++)
		terms += c->k[i];
	return (int) fmax(fmin(OPERATIONS / (STEPS * terms * d * d), MOST_ROWS), LEAST_ROWS);
}

static DpemGmm
take_mixture(int k, int d, DpemWorkspace *work)
{
	return (DpemGmm) {
		.k = k,.d = d,.weight = dpem_workspace_take(work, k),.mean = dpem_workspace_take(work, (size_t) k * d),
			.covariance = dpem_workspace_take(work, (size_t) k * d * d)
	};
}

static Choice
take_choice(const DpemSizes *c, int k, int d, DpemWorkspace *work)
{
	Choice		s = {.n = rows_to_draw(c, d)};
	size_t		square = (size_t) d * d;

	s.x = dpem_workspace_take(work, (size_t) s.n * d);
	s.density = (DpemGmmDensity) {
		.offset = dpem_workspace_take(work, k),.factor = dpem_workspace_take(work, k * square),
			.cholesky = dpem_workspace_take(work, k * square)
	};
	s.term = dpem_workspace_take(work, k);
	s.scratch = dpem_workspace_take(work, square);
	s.sums = take_mixture(k, d, work);
	s.trial = take_mixture(k, d, work);
	s.work = *work;
	(void) dpem_workspace_take(work, dpem_gmm_merge_work(k, d));
	return s;
}

size_t
dpem_gmm_choice_work(const DpemSizes *candidates, int k, int d)
{
	DpemWorkspace dry = {0};

	(void) take_choice(candidates, k, d, &dry);
	(void) take_mixture(k, d, &dry);
	(void) dpem_workspace_take(&dry, k);
	return dpem_workspace_taken(&dry);
}

/* ---- rows drawn from the mixture ---- */

static int
draw_component(const DpemGmm *gmm, DpemPublicRandom *random)
{
	double		u = dpem_public_uniform(random);
	int			k = 0;

	while (k < gmm->k - 1 && u >= gmm->weight[k])
		u -= gmm->weight[k++];
	return k;
}

static DpemStatus
draw_rows(Choice *s, const DpemGmm *gmm)
{
	size_t		d = (size_t) gmm->d;
	DpemPublicRandom random = dpem_public_seed(gmm->mean, gmm->k * d);
	DpemStatus	status = dpem_gmm_density_prepare(gmm, &s->density, s->scratch);

	for (int i = 0; status == DPEM_OK && i < s->n; i++)
	{
		size_t		k = (size_t) draw_component(gmm, &random);
		double	   *x = s->x + i * d;

		for (size_t j = 0; j < d; j++)
			s->scratch[j] = dpem_public_normal(&random);
		for (size_t j = 0; j < d; j++)
		{
			x[j] = gmm->mean[k * d + j];
			for (size_t l = 0; l <= j; l++)
				x[j] += s->density.cholesky[(k * d + j) * d + l] * s->scratch[l];
		}
	}
	return status;
}

/* ---- EM on them ---- */

/* adds a row's responsibilities, of logarithms s->term, to the sums about the means */
static void
add_row(Choice *s, const DpemGmm *gmm, const double *x, double log_density)
{
	size_t		d = (size_t) gmm->d;

	for (int k = 0; k < gmm->k; k++)
	{
		double		part = exp(s->term[k] - log_density);
		const double *mean = gmm->mean + k * d;
		double	   *second = s->sums.covariance + k * d * d;

		if (part < 1e-9)
			continue;
		s->sums.weight[k] += part;
		for (size_t i = 0; i < d; i++)
		{
			double		off = part * (x[i] - mean[i]);

			s->sums.mean[k * d + i] += off;
			for (size_t j = 0; j <= i; j++)
				second[i * d + j] += off * (x[j] - mean[j]);
		}
	}
}

/* mean log-likelihood of the drawn rows; with `sums`, of an EM step, too */
static double
expect(Choice *s, const DpemGmm *gmm, bool sums)
{
	size_t		d = (size_t) gmm->d;
	double		total = 0;

	if (s->pause != NULL)
		s->pause();
	if (dpem_gmm_density_prepare(gmm, &s->density, s->scratch) != DPEM_OK)
		return -INFINITY;
	memset(s->sums.weight, 0, gmm->k * sizeof(double));
	memset(s->sums.mean, 0, gmm->k * d * sizeof(double));
	memset(s->sums.covariance, 0, gmm->k * d * d * sizeof(double));
	for (int i = 0; i < s->n; i++)
	{
		double		log_density = dpem_gmm_log_terms(gmm, &s->density, s->x + i * d, s->term, s->scratch);

		total += log_density;
		if (sums)
			add_row(s, gmm, s->x + i * d, log_density);
	}
	return total / s->n;
}

/* covariance from the sums about the old mean, symmetric, of the mixture's shape */
static void
shape_covariance(const DpemGmm *gmm, double rows, const double *shift, const double *second, double *out)
{
	size_t		d = (size_t) gmm->d;
	double		trace = 0;

	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j <= i; j++)
			out[i * d + j] = out[j * d + i] = gmm->shape != DPEM_SECOND_FULL && i != j ? 0 : second[i * d + j] / rows - shift[i] * shift[j];
	for (size_t i = 0; i < d; i++)
		trace += out[i * d + i];
	for (size_t i = 0; i < d; i++)
		out[i * d + i] = (gmm->shape == DPEM_SECOND_NORM ? trace / d : out[i * d + i]) + RIDGE * trace / d;
}

static void
tie_covariances(DpemGmm *gmm, double *mean)
{
	size_t		n = (size_t) gmm->d * gmm->d;

	memset(mean, 0, n * sizeof(double));
	for (int k = 0; k < gmm->k; k++)
		for (size_t i = 0; i < n; i++)
			mean[i] += gmm->weight[k] * gmm->covariance[k * n + i];
	for (int k = 0; k < gmm->k; k++)
		memcpy(gmm->covariance + k * n, mean, n * sizeof(double));
}

static void
maximize(Choice *s, DpemGmm *gmm)
{
	size_t		d = (size_t) gmm->d;

	for (int k = 0; k < gmm->k; k++)
	{
		double		rows = s->sums.weight[k];
		double	   *shift = s->sums.mean + k * d;

		gmm->weight[k] = fmax(rows / s->n, LEAST_SHARE / gmm->k);
		if (rows < fmax(LEAST_SHARE * s->n / gmm->k, d + 1.0))
			continue;
		for (size_t j = 0; j < d; j++)
		{
			shift[j] /= rows;
			gmm->mean[k * d + j] += shift[j];
		}
		shape_covariance(gmm, rows, shift, s->sums.covariance + k * d * d, gmm->covariance + k * d * d);
	}
	if (s->tied)
		tie_covariances(gmm, s->scratch);
}

/* log-likelihood of new rows, by Akaike's correction of that of the rows that were fitted to */
static double
fit_candidate(Choice *s, DpemGmm *gmm)
{
	for (int i = 0; i < STEPS; i++)
	{
		if (!isfinite(expect(s, gmm, true)))
			return -INFINITY;
		maximize(s, gmm);
	}
	return expect(s, gmm, false) - parameters(gmm, gmm->k, s->tied) / s->n;
}

/* ---- the choice ---- */

/* scores candidate i, whose components `gmm` has; s->trial becomes its mixture */
static void
try_candidate(Choice *s, DpemSizes *c, int i, const DpemGmm *gmm, double rows)
{
	dpem_gmm_copy(gmm, &s->trial);
	dpem_sizes_score(c, i, i == c->n - 1 ? expect(s, &s->trial, false) : fit_candidate(s, &s->trial),
					 parameters(gmm, gmm->k, s->tied), rows);
}

DpemStatus
dpem_gmm_choose(DpemSizes *c, double rows, bool tied, DpemGmm *gmm, int *place, void (*pause) (void), DpemWorkspace work)
{
	int			n = gmm->k;
	Choice		s = take_choice(c, n, gmm->d, &work);
	DpemGmm		best = take_mixture(n, gmm->d, &work);
	int		   *now = (int *) dpem_workspace_take(&work, n);
	double		most = -INFINITY;
	DpemStatus	status;

	s.tied = tied;
	s.pause = pause;
	for (int k = 0; k < n; k++)
		place[k] = now[k] = k;
	dpem_gmm_copy(gmm, &best);
	status = draw_rows(&s, gmm);
	for (int i = c->n - 1; status == DPEM_OK && i >= 0; i--)
	{
		while (status == DPEM_OK && gmm->k > c->k[i])
			status = dpem_gmm_merge_nearest(gmm, now, n, s.work);
		if (status != DPEM_OK)
			break;
		try_candidate(&s, c, i, gmm, rows);
		if (c->score[i] >= most)
		{
			dpem_gmm_copy(&s.trial, &best);
			memcpy(place, now, n * sizeof(int));
		}
		most = fmax(most, c->score[i]);
	}
	if (status == DPEM_OK)
		(void) dpem_sizes_choose(c);
	dpem_gmm_copy(&best, gmm);
	return status;
}
