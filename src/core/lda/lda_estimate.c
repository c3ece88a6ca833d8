/*
 * lda_estimate.c - see lda_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "core/lda/lda_estimate.h"
#include "core/numeric/deconvolution.h"
#include "core/numeric/exp_digamma.h"
#include "core/numeric/public_random.h"
#include "core/numeric/vector.h"

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
	double	   *size;			/* counts of a topic that has all words of a term */
	double	   *part;			/* of a topic */
	double	   *likelihood;		/* of a deconvolution */
} Shrinkage;

static Shrinkage
take_shrinkage(int terms, DpemWorkspace *work)
{
	return (Shrinkage) {
		.size = dpem_workspace_take(work, terms),.part = dpem_workspace_take(work, terms),
			.likelihood = dpem_workspace_take(work, dpem_deconvolution_work(terms))
	};
}

size_t
dpem_lda_shrink_work(int terms)
{
	DpemWorkspace dry = {NULL, NULL};

	take_shrinkage(terms, &dry);
	return dpem_workspace_taken(&dry);
}

DpemStatus
dpem_lda_shrink(const DpemLdaCounts *counts, const double *total, const double *emphasis, double eta,
				const DpemLdaTopics *topics, DpemWorkspace work)
{
	size_t		terms = (size_t) topics->terms;
	double		sd = sqrt(counts->variance);
	Shrinkage	s = take_shrinkage(topics->terms, &work);
	DpemStatus	status = DPEM_OK;

	for (size_t v = 0; v < terms; v++)
		s.size[v] = total[v] * emphasis[v];
	for (int k = 0; k < topics->k && status == DPEM_OK; k++)
	{
		DpemDeconvolution distribution;

		dpem_deconvolution_grid(&distribution, POINTS, LEAST_PART, 2);
		status = dpem_deconvolve(&distribution, terms, counts->words + k * terms, s.size, sd, EM_STEPS, s.part, s.likelihood);
		for (size_t v = 0; v < terms; v++)
			topics->lambda[k * terms + v] = eta + total[v] * s.part[v];
	}
	return status;
}

void
dpem_lda_balance(const double *total, double eta, const DpemLdaTopics *topics)
{
	for (int v = 0; v < topics->terms; v++)
	{
		double		sum = 0;

		for (int k = 0; k < topics->k; k++)
			sum += topics->lambda[(size_t) k * topics->terms + v] - eta;
		for (int k = 0; k < topics->k; k++)
		{
			double	   *lambda = &topics->lambda[(size_t) k * topics->terms + v];

			*lambda = eta + (sum > 0 ? (*lambda - eta) * (total[v] / sum) : total[v] / topics->k);
		}
	}
}

void
dpem_lda_make_equal(const double *total, double eta, const DpemLdaTopics *topics)
{
	for (int k = 0; k < topics->k; k++)
		for (int v = 0; v < topics->terms; v++)
			topics->lambda[(size_t) k * topics->terms + v] = eta + total[v] / topics->k;
}

void
dpem_lda_weights(const DpemLdaTopics *topics, double *weight)
{
	for (int k = 0; k < topics->k; k++)
	{
		const double *lambda = topics->lambda + (size_t) k * topics->terms;
		double		total = dpem_exp_digamma(dpem_sum(lambda, topics->terms));

		for (int v = 0; v < topics->terms; v++)
			weight[(size_t) v * topics->k + k] = fmax(dpem_exp_digamma(lambda[v]) / total, LEAST_WEIGHT);
	}
}

void
dpem_lda_soften(int k, int terms, double sharpness, double *weight)
{
	for (int v = 0; v < terms; v++)
	{
		double	   *of_term = weight + (size_t) v * k;
		double		mean = 0;

		for (int i = 0; i < k; i++)
			mean += log(of_term[i]) / k;
		for (int i = 0; i < k; i++)
			of_term[i] = fmax(exp(mean + sharpness * (log(of_term[i]) - mean)), LEAST_WEIGHT);
	}
}

void
dpem_lda_probabilities(const DpemLdaTopics *topics, double *probability)
{
	for (int k = 0; k < topics->k; k++)
	{
		const double *lambda = topics->lambda + (size_t) k * topics->terms;
		double		sum = dpem_sum(lambda, topics->terms);

		for (int v = 0; v < topics->terms; v++)
			probability[(size_t) v * topics->k + k] = lambda[v] / sum;
	}
}

double
dpem_lda_topics_bound(const DpemLdaTopics *topics, double eta)
{
	double		bound = topics->k * (lgamma(topics->terms * eta) - topics->terms * lgamma(eta));

	for (int k = 0; k < topics->k; k++)
	{
		const double *lambda = topics->lambda + (size_t) k * topics->terms;
		double		total = dpem_sum(lambda, topics->terms);
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
	double		all = dpem_sum(topics->lambda, (size_t) topics->k * topics->terms);

	for (int k = 0; k < topics->k; k++)
		part[k] = dpem_sum(topics->lambda + (size_t) k * topics->terms, topics->terms) / all;
}
