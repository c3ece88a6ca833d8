/*
 * lda_estimate.c - see lda_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "core/lda/lda_estimate.h"
#include "core/numeric/deconvolution.h"
#include "core/numeric/exp_digamma.h"
#include "core/numeric/public_random.h"

#define POINTS		48			/* of the distributions that are estimated */
#define EM_STEPS	40
#define LEAST_PART	1e-3		/* of a term's words in a topic, short of none */
#define LEAST_WEIGHT 1e-200

void
dpem_lda_start(const DpemLdaTopics *topics)
{
	DpemPublicRandom random = {0};

	for (size_t i = 0; i < (size_t) topics->k * topics->terms; i++)
		topics->lambda[i] = 0.5 + dpem_public_uniform(&random);
}

void
dpem_lda_blend(const DpemNoisyMoments *moments, double unit, double rate, bool truncate, DpemLdaCounts *counts)
{
	size_t		terms = (size_t) moments->layout.d;
	double		sd = unit * moments->sum_sd;

	for (int k = 0; k < moments->layout.k; k++)
	{
		const double *value = moments->value + k * (terms + 1) + 1;
		double	   *words = counts->words + k * terms;

		for (size_t v = 0; v < terms; v++)
			words[v] += rate * (unit * (truncate ? fmax(value[v], 0) : value[v]) - words[v]);
	}
	counts->variance = (1 - rate) * (1 - rate) * counts->variance + rate * rate * sd * sd;
}

void
dpem_lda_add_prior(const DpemLdaCounts *counts, double eta, const DpemLdaTopics *topics)
{
	for (size_t i = 0; i < (size_t) topics->k * topics->terms; i++)
		topics->lambda[i] = eta + counts->words[i];
}

/* numbers of every term */
typedef struct Shrinkage
{
	double	   *raw;			/* words in all topics, with noise */
	double	   *total;			/* the same as expected of them */
	double	   *part;			/* of a topic */
	double	   *likelihood;		/* of a deconvolution */
} Shrinkage;

static Shrinkage
take_shrinkage(int terms, DpemWorkspace *work)
{
	return (Shrinkage) {
		.raw = dpem_workspace_take(work, terms),.total = dpem_workspace_take(work, terms),
			.part = dpem_workspace_take(work, terms),.likelihood = dpem_workspace_take(work, dpem_deconvolution_work(terms))
	};
}

size_t
dpem_lda_shrink_work(int terms)
{
	DpemWorkspace dry = {NULL, NULL};

	take_shrinkage(terms, &dry);
	return dpem_workspace_taken(&dry);
}

/*
 * raw[v] = words of term v by the sum over topics and by the release of the
 * totals, each as much as its noise lets it; returns the variance
 */
static double
combine_totals(const DpemLdaCounts *counts, const DpemLdaCounts *totals, const DpemLdaTopics *topics, double *raw)
{
	double		variance = counts->variance * topics->k;
	double		part = variance / (variance + totals->variance);

	memset(raw, 0, topics->terms * sizeof(double));
	for (int k = 0; k < topics->k; k++)
		for (int v = 0; v < topics->terms; v++)
			raw[v] += counts->words[(size_t) k * topics->terms + v];
	for (int v = 0; v < topics->terms; v++)
		raw[v] += part * (totals->words[v] - raw[v]);
	return part * totals->variance;
}

/* total[v] = posterior mean of the words of term v in all topics */
static DpemStatus
shrink_totals(int terms, const double *raw, double sd, double *total, double *work)
{
	double		most = sd;
	DpemDeconvolution distribution;

	for (int v = 0; v < terms; v++)
		most = fmax(most, raw[v]);
	dpem_deconvolution_grid(&distribution, DPEM_DECONVOLUTION_POINTS, sd * 1e-3, most);
	return dpem_deconvolve(&distribution, terms, raw, NULL, sd, EM_STEPS, total, work);
}

DpemStatus
dpem_lda_shrink(const DpemLdaCounts *counts, const DpemLdaCounts *totals, double eta,
				const DpemLdaTopics *topics, DpemWorkspace work)
{
	size_t		terms = (size_t) topics->terms;
	double		sd = sqrt(counts->variance);
	Shrinkage	s = take_shrinkage(topics->terms, &work);
	double		variance = combine_totals(counts, totals, topics, s.raw);
	DpemStatus	status = shrink_totals(topics->terms, s.raw, sqrt(variance), s.total, s.likelihood);

	for (int k = 0; k < topics->k && status == DPEM_OK; k++)
	{
		DpemDeconvolution distribution;

		dpem_deconvolution_grid(&distribution, POINTS, LEAST_PART, 2);
		status = dpem_deconvolve(&distribution, terms, counts->words + k * terms, s.total, sd, EM_STEPS, s.part, s.likelihood);
		for (size_t v = 0; v < terms; v++)
			topics->lambda[k * terms + v] = eta + s.total[v] * s.part[v];
	}
	return status;
}

static double
sum_of(const double *x, int n)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

void
dpem_lda_weights(const DpemLdaTopics *topics, double *weight)
{
	for (int k = 0; k < topics->k; k++)
	{
		const double *lambda = topics->lambda + (size_t) k * topics->terms;
		double		total = dpem_exp_digamma(sum_of(lambda, topics->terms));

		for (int v = 0; v < topics->terms; v++)
			weight[(size_t) v * topics->k + k] = fmax(dpem_exp_digamma(lambda[v]) / total, LEAST_WEIGHT);
	}
}

double
dpem_lda_topics_bound(const DpemLdaTopics *topics, double eta)
{
	double		bound = topics->k * (lgamma(topics->terms * eta) - topics->terms * lgamma(eta));

	for (int k = 0; k < topics->k; k++)
	{
		const double *lambda = topics->lambda + (size_t) k * topics->terms;
		double		total = sum_of(lambda, topics->terms);
		double		psi_total = dpem_digamma(total);

		for (int v = 0; v < topics->terms; v++)
			bound += (eta - lambda[v]) * (dpem_digamma(lambda[v]) - psi_total) + lgamma(lambda[v]);
		bound -= lgamma(total);
	}
	return bound;
}

void
dpem_lda_parts(const DpemLdaTopics *topics, double *part)
{
	double		all = sum_of(topics->lambda, topics->k * topics->terms);

	for (int k = 0; k < topics->k; k++)
		part[k] = sum_of(topics->lambda + (size_t) k * topics->terms, topics->terms) / all;
}
