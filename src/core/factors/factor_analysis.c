/*
 * factor_analysis.c - see factor_analysis.h.
 *
 * Everything reads the covariance through products with k rows: a step costs
 * k d^2, and one d x d matrix beside the covariance holds its eigenvectors
 * for the start.
 */
#include <math.h>
#include <string.h>

#include "core/factors/factor_analysis.h"
#include "core/numeric/linalg.h"
#include "core/numeric/spectrum.h"

#define LOG_2PI		1.8378770664093454836
#define LEAST_NOISE	1e-9
#define LEAST_COMMON	1e-6	/* of a factor at the start, in variances of what columns have of their own */

/* what an E-step leaves, in the notation W = loading', Psi = noise */
typedef struct Step
{
	double	   *scaled;			/* k * d: W' Psi^-1 */
	double	   *posterior;		/* k * k: G = (I + W' Psi^-1 W)^-1 */
	double	   *weight;			/* k * d: B = G W' Psi^-1 */
	double	   *cross;			/* k * d: B C */
	double	   *second;			/* k * k: G + B C B' */
} Step;

static Step
take_step(int d, int k, DpemWorkspace *work)
{
	size_t		n = (size_t) k * d;
	size_t		square = (size_t) k * k;

	return (Step) {
		.scaled = dpem_workspace_take(work, n),.posterior = dpem_workspace_take(work, square),
			.weight = dpem_workspace_take(work, n),.cross = dpem_workspace_take(work, n),
			.second = dpem_workspace_take(work, square)
	};
}

/* scaled, posterior and weight; log_det of I + W' Psi^-1 W */
static DpemStatus
posterior(const DpemFactors *f, Step *s, double *log_det)
{
	int			d = f->d;
	int			k = f->k;
	DpemStatus	status;

	for (int i = 0; i < k * d; i++)
		s->scaled[i] = f->loading[i] / f->noise[i % d];
	dpem_linalg_product_nt(k, k, d, f->loading, d, s->scaled, d, s->posterior, k);
	for (int i = 0; i < k; i++)
		s->posterior[i * (size_t) k + i] += 1;
	status = dpem_linalg_inverse(k, s->posterior, log_det);
	if (status == DPEM_OK)
		dpem_linalg_product(k, d, k, s->posterior, s->scaled, s->weight);
	return status;
}

/* the E-step; returns the log-likelihood per row through *likelihood */
static DpemStatus
expect(const DpemFactors *f, const double *covariance, Step *s, double *likelihood)
{
	int			d = f->d;
	int			k = f->k;
	double		log_det;
	double		quadratic = 0;
	DpemStatus	status = posterior(f, s, &log_det);

	if (status != DPEM_OK)
		return status;
	dpem_linalg_product_nt(k, d, d, s->weight, d, covariance, d, s->cross, d);
	dpem_linalg_product_nt(k, k, d, s->cross, d, s->weight, d, s->second, k);
	for (int i = 0; i < k * k; i++)
		s->second[i] += s->posterior[i];
	for (int j = 0; j < d; j++)
	{
		log_det += log(f->noise[j]);
		quadratic += covariance[j * (size_t) d + j] / f->noise[j];
	}
	for (int i = 0; i < k * d; i++)
		quadratic -= s->scaled[i] * s->cross[i];
	*likelihood = -(d * LOG_2PI + log_det + quadratic) / 2;
	return DPEM_OK;
}

static DpemStatus
maximize(DpemFactors *f, const double *covariance, double least, Step *s)
{
	int			d = f->d;
	double		unused;
	DpemStatus	status = dpem_linalg_inverse(f->k, s->second, &unused);

	if (status != DPEM_OK)
		return status;
	dpem_linalg_product(f->k, d, f->k, s->second, s->cross, f->loading);
	for (int j = 0; j < d; j++)
	{
		double		common = 0;

		for (int i = 0; i < f->k; i++)
			common += f->loading[i * (size_t) d + j] * s->cross[i * (size_t) d + j];
		f->noise[j] = fmax(covariance[j * (size_t) d + j] - common, least);
	}
	return DPEM_OK;
}

/*
 * How much of the way from the cleaned diagonal to the released one: the
 * positive-part James-Stein share.
 */
static double
released_share(int d, double sd, const double *released, const double *covariance)
{
	double		square = 0;

	for (int j = 0; j < d; j++)
	{
		double		difference = released[j] - covariance[j * (size_t) d + j];

		square += difference * difference;
	}
	return square > 0 ? fmax(1 - d * sd * sd / square, 0) : 0;
}

/*
 * Cleaning treats all directions alike, so it lifts columns that hardly vary
 * to what noise makes of eigenvalues, which is sqrt(2 d) times the noise in an
 * entry; the released diagonal tells columns apart.  The two are combined
 * for all columns together (James, Stein 1961), each no further than one
 * deviation of its noise from what was released (limited translation: Efron,
 * Morris 1972), and columns are rescaled, so that correlations stay.
 */
static void
restore_diagonal(int d, double sd, double least, const double *released, double *scale, double *covariance)
{
	double		share = released_share(d, sd, released, covariance);

	for (int j = 0; j < d; j++)
	{
		double		cleaned = covariance[j * (size_t) d + j];
		double		variance = cleaned + share * (released[j] - cleaned);

		variance = fmin(fmax(variance, released[j] - sd), released[j] + sd);
		scale[j] = sqrt(fmax(variance, least) / cleaned);
	}
	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
			covariance[i * (size_t) d + j] *= scale[i] * scale[j];
}

/* what the start needs before the first step */
typedef struct Start
{
	double	   *vector;			/* d * d */
	double	   *value;			/* d: eigenvalues */
	double	   *clean;			/* d: the same without what noise adds */
	double	   *released;		/* d: the diagonal */
	double	   *specific;		/* d: what of each column no other explains */
	double	   *of_lapack;
} Start;

static Start
take_start(int d, DpemWorkspace *work)
{
	return (Start) {
		.vector = dpem_workspace_take(work, (size_t) d * d),.value = dpem_workspace_take(work, d),
			.clean = dpem_workspace_take(work, d),.released = dpem_workspace_take(work, d),
			.specific = dpem_workspace_take(work, d),
			.of_lapack = dpem_workspace_take(work, dpem_linalg_spectrum_work(d))
	};
}

/*
 * The covariance cleaned of noise, its eigenvalues at most 1 as those of rows in the ball, and
 * s->vector its eigenvectors times their roots; *least: floor of variances.
 */
static DpemStatus
clean(const DpemFactorsRule *rule, int d, double *covariance, double *least, Start *s)
{
	double		trace = 0;

	for (int j = 0; j < d; j++)
		trace += s->released[j] = covariance[j * (size_t) d + j];
	*least = fmax(fmax(dpem_spectrum_floor(d, rule->sd, trace), rule->least), LEAST_NOISE);
	if (dpem_linalg_eigen_top(d, d, covariance, s->value, s->vector, s->of_lapack))
		return DPEM_LAPACK_FAILED;
	dpem_spectrum_clean(d, rule->sd, s->value, s->clean);
	memset(s->specific, 0, d * sizeof(double));
	for (int i = 0; i < d; i++)
	{
		double		value = fmin(fmax(s->clean[i], rule->sd > 0 ? *least : 0), 1);

		for (int j = 0; j < d; j++)
		{
			double		v = s->vector[i * (size_t) d + j];

			s->specific[j] += v * v / fmax(value, *least);
			s->vector[i * (size_t) d + j] = v * sqrt(value);
		}
	}
	dpem_linalg_gram(d, d, s->vector, covariance);
	for (int j = 0; j < d; j++)
		s->specific[j] = fmin(1 / s->specific[j], covariance[j * (size_t) d + j]);
	if (rule->sd > 0)
		restore_diagonal(d, rule->sd, *least, s->released, s->clean, covariance);
	return DPEM_OK;
}

/* the top eigenvectors, and the diagonal for the noise */
static void
start_wide(const Start *s, const double *covariance, double least, DpemFactors *f)
{
	int			d = f->d;

	memcpy(f->loading, s->vector, (size_t) f->k * d * sizeof(double));
	for (int j = 0; j < d; j++)
		f->noise[j] = fmax(covariance[j * (size_t) d + j], least);
}

/*
 * What each column has of its own as the noise, and the likeliest loadings beside it (Joereskog 1967,
 * Psychometrika 32).  Overwrites s->vector.
 */
static DpemStatus
start_specific(Start *s, const double *covariance, double least, DpemFactors *f)
{
	int			d = f->d;

	for (int j = 0; j < d; j++)
		f->noise[j] = fmax(s->specific[j], least);
	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
			s->vector[i * (size_t) d + j] = covariance[i * (size_t) d + j] / sqrt(f->noise[i] * f->noise[j]);
	if (dpem_linalg_eigen_top(d, f->k, s->vector, s->value, f->loading, s->of_lapack))
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < f->k * d; i++)
		f->loading[i] *= sqrt(fmax(s->value[i / d] - 1, LEAST_COMMON) * f->noise[i % d]);
	return DPEM_OK;
}

/* cleans the covariance and makes both starts */
static DpemStatus
start(const DpemFactorsRule *rule, double *covariance, DpemFactors *f, DpemFactors *other, double *least,
	  DpemWorkspace work)
{
	Start		s = take_start(f->d, &work);
	DpemStatus	status = clean(rule, f->d, covariance, least, &s);

	if (status != DPEM_OK)
		return status;
	start_wide(&s, covariance, *least, f);
	return start_specific(&s, covariance, *least, other);
}

/* what is needed after the last step, besides its own */
typedef struct Rotation
{
	double	   *value;			/* k */
	double	   *of_lapack;
} Rotation;

static Rotation
take_rotation(int k, DpemWorkspace *work)
{
	return (Rotation) {
		.value = dpem_workspace_take(work, k),.of_lapack = dpem_workspace_take(work, dpem_linalg_spectrum_work(k))
	};
}

/* loading := V loading for the eigenvectors V of W' Psi^-1 W */
static DpemStatus
rotate(DpemFactors *f, Step *s, DpemWorkspace work)
{
	int			d = f->d;
	int			k = f->k;
	Rotation	r = take_rotation(k, &work);

	for (int i = 0; i < k * d; i++)
		s->scaled[i] = f->loading[i] / f->noise[i % d];
	dpem_linalg_product_nt(k, k, d, f->loading, d, s->scaled, d, s->posterior, k);
	if (dpem_linalg_eigen_top(k, k, s->posterior, r.value, s->second, r.of_lapack))
		return DPEM_LAPACK_FAILED;
	dpem_linalg_product(k, d, k, s->second, f->loading, s->cross);
	memcpy(f->loading, s->cross, (size_t) k * d * sizeof(double));
	for (int i = 0; i < k; i++)
		dpem_linalg_make_largest_positive(d, f->loading + i * (size_t) d);
	return DPEM_OK;
}

static DpemFactors
take_factors(int d, int k, DpemWorkspace *work)
{
	return (DpemFactors) {
		.d = d,.k = k,.loading = dpem_workspace_take(work, (size_t) k * d),.noise = dpem_workspace_take(work, d)
	};
}

/* the start's memory is free again before the first step */
size_t
dpem_factors_fit_work(int d, int k)
{
	DpemWorkspace of_start = {NULL, NULL};
	DpemWorkspace of_steps = {NULL, NULL};

	take_factors(d, k, &of_start);
	take_start(d, &of_start);
	take_factors(d, k, &of_steps);
	take_step(d, k, &of_steps);
	take_rotation(k, &of_steps);
	return dpem_workspace_taken(dpem_workspace_taken(&of_start) > dpem_workspace_taken(&of_steps) ? &of_start : &of_steps);
}

/* EM steps from a start */
static DpemStatus
iterate(const DpemFactorsRule *rule, const double *covariance, double least, DpemFactors *f, Step *step,
		DpemFactorsResult *result)
{
	double		before = -INFINITY;
	DpemStatus	status = DPEM_OK;

	for (result->iterations = 0; status == DPEM_OK; result->iterations++)
	{
		status = expect(f, covariance, step, &result->log_likelihood);
		if (status != DPEM_OK || result->iterations >= rule->iterations ||
			(rule->tolerance > 0 && result->log_likelihood - before < rule->tolerance))
			break;
		before = result->log_likelihood;
		status = maximize(f, covariance, least, step);
	}
	return status;
}

/* of two starts the one that ends likelier: EM may stay where only one of them leads to */
DpemStatus
dpem_factors_fit(const DpemFactorsRule *rule, double *covariance, DpemFactors *factors,
				 DpemFactorsResult *result, DpemWorkspace work)
{
	int			d = factors->d;
	int			k = factors->k;
	double		least;
	DpemFactors other = take_factors(d, k, &work);
	DpemFactorsResult of_other = {.log_likelihood = -INFINITY};
	DpemStatus	status = start(rule, covariance, factors, &other, &least, work);
	Step		step = take_step(d, k, &work);

	if (status == DPEM_OK)
		status = iterate(rule, covariance, least, factors, &step, result);
	if (status == DPEM_OK && rule->two_starts && iterate(rule, covariance, least, &other, &step, &of_other) == DPEM_OK &&
		of_other.log_likelihood > result->log_likelihood)
	{
		memcpy(factors->loading, other.loading, (size_t) k * d * sizeof(double));
		memcpy(factors->noise, other.noise, d * sizeof(double));
		*result = of_other;
	}
	return status == DPEM_OK ? rotate(factors, &step, work) : status;
}

size_t
dpem_factor_scores_work(int d, int k)
{
	DpemWorkspace dry = {NULL, NULL};

	take_step(d, k, &dry);
	return dpem_workspace_taken(&dry);
}

DpemStatus
dpem_factor_scores(const DpemFactors *factors, DpemFactorScores *scores, DpemWorkspace work)
{
	Step		s = take_step(factors->d, factors->k, &work);
	double		log_det;
	DpemStatus	status = posterior(factors, &s, &log_det);

	scores->d = factors->d;
	scores->k = factors->k;
	memcpy(scores->weight, s.weight, (size_t) factors->k * factors->d * sizeof(double));
	for (int j = 0; j < factors->d; j++)
		log_det += log(factors->noise[j]);
	scores->log_scale = -(factors->d * LOG_2PI + log_det) / 2;
	return status;
}
