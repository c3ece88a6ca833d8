/*
 * lda_choice.c - see lda_choice.h.
 */
#include <math.h>

#include "core/lda/lda_choice.h"
#include "core/lda/lda_evaluate.h"
#include "core/lda/lda_rules.h"

size_t
dpem_lda_gain_work(int k, int terms)
{
	return dpem_lda_work(k, terms) + 2 * (size_t) k;
}

void
dpem_lda_gains(const DpemLdaTask *task, const DpemLdaDocument *document, DpemLdaDocument *half,
			   double *gain, double *work)
{
	double	   *alpha = work;
	double	   *mixture = work + task->k;
	DpemLdaTask prior = *task;
	double		base = 0;
	double		words = 0;

	prior.alpha = alpha;
	dpem_lda_halve(document, half);
	dpem_lda_predict(task, document, half, task->alpha, &base, &words);
	for (int j = 0; j < DPEM_LDA_CONCENTRATIONS; j++)
	{
		double		log_probability = 0;
		double		ignored = 0;
		double		mean;

		for (int k = 0; k < task->k; k++)
			alpha[k] = task->alpha[k] * dpem_lda_concentration[j];
		dpem_lda_mixture(&prior, half, mixture, work + 2 * task->k);
		dpem_lda_predict(task, document, half, mixture, &log_probability, &ignored);
		mean = words > 0 ? (log_probability - base) / words : 0;
		gain[2 * j] = mean < 0 ? 0 : mean;
		gain[2 * j + 1] = mean < 0 ? -mean : 0;
	}
}

double
dpem_lda_choose(const DpemNoisyMoments *moments)
{
	const double *sum = moments->value + 1;
	double		best = dpem_lda_gain_needed * sqrt(2) * moments->sum_sd;
	double		chosen = DPEM_LDA_CONCENTRATED;

	for (int j = 0; j < DPEM_LDA_CONCENTRATIONS; j++)
	{
		double		gain = sum[2 * j] - sum[2 * j + 1];

		if (gain > best)
		{
			best = gain;
			chosen = dpem_lda_concentration[j];
		}
	}
	return chosen;
}
