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

/* of one set of topics */
static void
gains_of(const DpemLdaTask *task, const DpemLdaDocument *document, DpemLdaDocument *half, double *gain, double *work)
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

void
dpem_lda_gains(const DpemLdaTask *task, const DpemLdaDocument *document, DpemLdaDocument *half,
			   double *gain, double *work)
{
	DpemLdaTask one = *task;

	one.stride = task->stride > 0 ? task->stride : task->k;
	for (int first = 0, end; first < task->k; first = end, gain += DPEM_LDA_GAINS)
	{
		end = dpem_lda_set_end(task, first);
		one.k = end - first;
		one.set = NULL;
		one.alpha = task->alpha + first;
		one.weight = task->weight + first;
		gains_of(&one, document, half, gain, work);
	}
}

/* what noise could be, of a difference of a gain and a loss */
static double
noise_of(const DpemNoisyMoments *moments)
{
	return dpem_lda_gain_needed * sqrt(2) * moments->sum_sd;
}

void
dpem_lda_choose(const DpemNoisyMoments *moments, int sets, double *gain, double *concentration)
{
	for (int i = 0; i < sets; i++)
	{
		const double *sum = moments->value + 1 + i * DPEM_LDA_GAINS;
		double		best = noise_of(moments);

		gain[i] = 0;
		concentration[i] = DPEM_LDA_CONCENTRATED;
		for (int j = 0; j < DPEM_LDA_CONCENTRATIONS; j++)
		{
			if (!(sum[2 * j] - sum[2 * j + 1] > best))
				continue;
			gain[i] = best = sum[2 * j] - sum[2 * j + 1];
			concentration[i] = dpem_lda_concentration[j];
		}
	}
}

double
dpem_lda_best_gain(const DpemNoisyMoments *moments)
{
	const double *sum = moments->value + 1;
	double		best = -INFINITY;

	for (int j = 0; j < DPEM_LDA_CONCENTRATIONS; j++)
		best = fmax(best, sum[2 * j] - sum[2 * j + 1]);
	return best;
}

void
dpem_lda_scores(const DpemNoisyMoments *moments, int sets, const double *gain, double *score)
{
	double		most = 0;
	double		enough;

	for (int i = 0; i < sets; i++)
		most = fmax(most, gain[i]);
	enough = fmax(most * (1 - dpem_lda_gain_left) - noise_of(moments), 0);
	for (int i = 0; i < sets; i++)
		score[i] = fmin(gain[i], enough);
}
