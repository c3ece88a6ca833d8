/*
 * lda_kernel.c - see lda_kernel.h.
 */
#include <math.h>
#include <string.h>

#include "core/kernels/kernel.h"
#include "core/kernels/lda_kernel.h"
#include "core/numeric/exp_digamma.h"
#include "core/numeric/fpenv.h"
#include "core/numeric/vector.h"
#include "core/numeric/workspace.h"

#define TOPIC_GROUP 8

#define KERNEL_BODY "core/kernels/lda_body.h"
#include "core/pass/kernel_each_clone.h"

/* without noise: when gamma's total change is so small a part of it, or after so many steps */
#define CONVERGED	1e-13
#define MOST_STEPS	5000

void
dpem_lda_task_write(const DpemLdaTask *task, double *theta)
{
	double	   *set = theta + DPEM_LDA_TASK_HEAD + task->k;
	double	   *emphasis = set + task->k;

	theta[0] = task->length;
	theta[1] = task->resampled;
	theta[2] = task->steps;
	theta[3] = task->sums;
	theta[4] = task->low;
	theta[5] = task->high;
	memcpy(theta + DPEM_LDA_TASK_HEAD, task->alpha, task->k * sizeof(double));
	for (int k = 0; k < task->k; k++)
		set[k] = task->set ? task->set[k] : 0;
	for (int v = 0; v < task->terms; v++)
		emphasis[v] = task->emphasis ? task->emphasis[v] : 1;
}

void
dpem_lda_task_read(const DpemMomentLayout *layout, const double *theta, DpemLdaTask *task)
{
	*task = (DpemLdaTask) {
		.k = layout->k,.terms = layout->d,.length = theta[0],.resampled = theta[1] != 0,.steps = (int) theta[2],
			.sums = (DpemLdaSums) (int) theta[3],.low = theta[4],.high = theta[5],.alpha = theta + DPEM_LDA_TASK_HEAD,
			.set = theta + DPEM_LDA_TASK_HEAD + layout->k,.stride = layout->k,.emphasis = theta + DPEM_LDA_TASK_HEAD + 2 * layout->k,
			.weight = theta + DPEM_LDA_TASK_WEIGHTS(layout->k, layout->d)
	};
}

int
dpem_lda_sets(const DpemLdaTask *task)
{
	return task->set ? (int) task->set[task->k - 1] + 1 : 1;
}

int
dpem_lda_set_end(const DpemLdaTask *task, int first)
{
	int			end = first + 1;

	while (end < task->k && (task->set == NULL || task->set[end] == task->set[first]))
		end++;
	return end;
}

/* after the head: alpha, set, emphasis, weights */
static size_t
lda_numbers(const DpemMomentLayout *layout)
{
	return 2 * (size_t) layout->k + (size_t) layout->d + (size_t) layout->k * (size_t) layout->d;
}

/* sets of topics in ascending order, several only of gains; returns their number, 0 if they are none */
static int
count_sets(const DpemMomentLayout *layout, const double *theta)
{
	const double *set = theta + DPEM_LDA_TASK_HEAD + layout->k;
	int			most = theta[3] == DPEM_LDA_SUM_GAINS ? DPEM_LDA_MOST_SETS : 1;

	for (int k = 0; k < layout->k; k++)
	{
		if (!(k == 0 ? set[0] == 0 : (set[k] == set[k - 1] || set[k] == set[k - 1] + 1) && set[k] < most))
			return 0;
	}
	return (int) set[layout->k - 1] + 1;
}

/* what is added up, for which the vocabulary must have room; only losses have bounds */
static bool
sums_valid(const DpemMomentLayout *layout, const double *theta)
{
	if (theta[3] == DPEM_LDA_SUM_LOSSES)
		return layout->d >= DPEM_LDA_LOSSES && theta[0] > 0 && theta[1] == 0 && theta[2] > 0 && theta[4] >= -DPEM_LDA_MOST_LOSS && theta[4] < theta[5] && theta[5] <= DPEM_LDA_MOST_LOSS;
	return theta[4] == 0 && theta[5] == 0 && (theta[3] == DPEM_LDA_SUM_WORDS || (theta[3] == DPEM_LDA_SUM_GAINS && layout->d >= DPEM_LDA_GAINS * count_sets(layout, theta)));
}

bool
dpem_lda_task_valid(const DpemMomentLayout *layout, const double *theta)
{
	if (!(theta[0] >= 0 && theta[0] <= DPEM_LDA_MAX_LENGTH && theta[0] == rint(theta[0]) &&
		  (theta[1] == 0 || (theta[1] == 1 && theta[0] > 0)) &&
		  theta[2] >= 0 && theta[2] <= MOST_STEPS && theta[2] == rint(theta[2]) && count_sets(layout, theta) > 0 && sums_valid(layout, theta)))
		return false;
	for (size_t i = 0; i < lda_numbers(layout); i++)
	{
		bool		set = i >= (size_t) layout->k && i < 2 * (size_t) layout->k;

		if (!set && !(theta[DPEM_LDA_TASK_HEAD + i] > 0))
			return false;
	}
	return true;
}

/* leaves out terms without words */
static void
drop_absent(DpemLdaDocument *document)
{
	int			kept = 0;

	for (int i = 0; i < document->terms; i++)
	{
		if (document->count[i] == 0)
			continue;
		document->term[kept] = document->term[i];
		document->count[kept++] = document->count[i];
	}
	document->terms = kept;
}

DpemStatus
dpem_lda_resample(DpemSampler *sampler, int length, DpemLdaDocument *document, double *sum)
{
	double		words = 0;

	if (document->terms == 0)
		return DPEM_OK;
	for (int i = 0; i < document->terms; i++)
	{
		sum[i] = words += document->count[i];
		document->count[i] = 0;
	}
	for (int i = 0; i < length; i++)
	{
		uint64_t	place;
		DpemStatus	status = dpem_sample_uniform(sampler, (uint64_t) words, &place);

		if (status != DPEM_OK)
			return status;
		document->count[dpem_first_above(sum, (size_t) document->terms, (double) place)] += 1;
	}
	drop_absent(document);
	return DPEM_OK;
}

int
dpem_lda_padded(int k)
{
	return (k + TOPIC_GROUP - 1) / TOPIC_GROUP * TOPIC_GROUP;
}

/* what an E-step works on; all in the caller's workspace */
typedef struct Step
{
	int			padded;
	double	   *b;				/* terms * padded */
	double	   *gamma;			/* padded */
	double	   *weight;			/* padded: exp(psi(gamma)) */
	double	   *sum;			/* padded */
	double	   *ratio;			/* terms */
} Step;

static Step
take_step(int k, int terms, DpemWorkspace *work)
{
	size_t		padded = (size_t) dpem_lda_padded(k);

	return (Step) {
		.padded = (int) padded,.b = dpem_workspace_take(work, (size_t) terms * padded),
			.gamma = dpem_workspace_take(work, padded),.weight = dpem_workspace_take(work, padded),
			.sum = dpem_workspace_take(work, padded),.ratio = dpem_workspace_take(work, (size_t) terms)
	};
}

size_t
dpem_lda_work(int k, int terms)
{
	DpemWorkspace dry = {NULL, NULL};

	take_step(k, terms, &dry);
	return dpem_workspace_taken(&dry);
}

static Step
begin(const DpemLdaTask *task, const DpemLdaDocument *document, double *doubles)
{
	DpemWorkspace work = {doubles, doubles + dpem_lda_work(task->k, document->terms)};
	Step		s = take_step(task->k, document->terms, &work);
	int			padded = s.padded;
	size_t		stride = (size_t) (task->stride > 0 ? task->stride : task->k);

	for (int i = 0; i < document->terms; i++)
	{
		memcpy(s.b + (size_t) i * padded, task->weight + (size_t) document->term[i] * stride,
			   task->k * sizeof(double));
		memset(s.b + (size_t) i * padded + task->k, 0, (padded - task->k) * sizeof(double));
	}
	for (int k = 0; k < padded; k++)
	{
		s.weight[k] = k < task->k;
		s.gamma[k] = 0;
	}
	return s;
}

/* gamma from the last sweep; returns whether it moved */
static bool
update(const DpemLdaTask *task, Step *s)
{
	double		change = 0;
	double		size = 0;

	for (int k = 0; k < task->k; k++)
	{
		double		gamma = task->alpha[k] + s->weight[k] * s->sum[k];

		change += fabs(gamma - s->gamma[k]);
		size += gamma;
		s->gamma[k] = gamma;
		s->weight[k] = dpem_exp_digamma(gamma);
	}
	return !(change <= CONVERGED * size);
}

/*
 * sum_i n_i log sum_k w_k b_ik + E[log p(theta) - log q(theta)], with w normalised
 * (Hoffman, Blei, Bach 2010, eq. 4); ratio_i = n_i / sum_k w_k b_ik
 */
static double
bound_of(const DpemLdaTask *task, const DpemLdaDocument *document, const Step *s)
{
	double		total = 0;
	double		prior = 0;
	double		bound;
	double		psi_total;

	for (int k = 0; k < task->k; k++)
	{
		total += s->gamma[k];
		prior += task->alpha[k];
	}
	bound = lgamma(prior);
	psi_total = dpem_digamma(total);
	for (int i = 0; i < document->terms; i++)
		bound += document->count[i] * (log(document->count[i] / s->ratio[i]) - psi_total);
	for (int k = 0; k < task->k; k++)
		bound += (task->alpha[k] - s->gamma[k]) * (dpem_digamma(s->gamma[k]) - psi_total) + lgamma(s->gamma[k]) - lgamma(task->alpha[k]);
	return bound - lgamma(total);
}

/* b becomes the shares n_i phi_ik, times scale and emphasis */
static void
make_shares(const DpemLdaTask *task, const DpemLdaDocument *document, Step *s, double scale)
{
	for (int i = 0; i < document->terms; i++)
	{
		double	   *row = s->b + (size_t) i * s->padded;
		double		ratio = s->ratio[i] * scale * (task->emphasis ? task->emphasis[document->term[i]] : 1);

		for (int k = 0; k < s->padded; k++)
			row[k] = row[k] * s->weight[k] * ratio;
	}
}

/* what makes the statistics sum to the length asked for */
static double
length_scale(const DpemLdaTask *task, const DpemLdaDocument *document)
{
	double		words = 0;

	if (task->length == 0 || task->resampled)
		return 1;
	for (int i = 0; i < document->terms; i++)
		words += document->count[i];
	return task->length / words;
}

DpemLdaShare
dpem_lda_respond_clone(DpemClone clone, const DpemLdaTask *task, const DpemLdaDocument *document,
					   double *bound, double *work)
{
	Step		s = begin(task, document, work);
	int			most = task->steps > 0 ? task->steps : MOST_STEPS;
	bool		moves = true;
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	for (int step = 0; step < most && (moves || task->steps > 0); step++)
	{
		CALL_CLONE(clone, lda_sweep, (s.padded, document->terms, s.b, document->count, s.weight, s.ratio, s.sum));
		moves = update(task, &s);
	}
	CALL_CLONE(clone, lda_sweep, (s.padded, document->terms, s.b, document->count, s.weight, s.ratio, s.sum));
	if (bound != NULL)
		*bound = bound_of(task, document, &s);
	make_shares(task, document, &s, length_scale(task, document));
	dpem_fpenv_leave(&fpenv);
	return (DpemLdaShare) {s.padded, s.b, s.gamma};
}

DpemLdaShare
dpem_lda_respond(const DpemLdaTask *task, const DpemLdaDocument *document, double *bound, double *work)
{
	return dpem_lda_respond_clone(dpem_clone_best(), task, document, bound, work);
}

/* rounds towards zero and checks the norm in integers; what would break it is no document */
static bool
quantise(double *share, size_t n, double scale, int bits)
{
	unsigned __int128 square = 0;

	for (size_t i = 0; i < n; i++)
	{
		uint64_t	whole = (uint64_t) (share[i] * scale);

		share[i] = (double) whole;
		square += (unsigned __int128) whole * whole;
	}
	return square <= (unsigned __int128) 1 << (2 * bits);
}

bool
dpem_lda_clip(double *share, size_t n, double radius, int bits)
{
	double		square = 0;
	double		scale = 1;
	DpemFpenv	fpenv;
	bool		good;

	dpem_fpenv_enter(&fpenv);
	for (size_t i = 0; i < n; i++)
		square += share[i] * share[i];
	good = square >= 0 && square <= 1e300;
	if (good && square > radius * radius)
		scale = radius / sqrt(square) * (1 - 1e-12);
	if (good && bits > 0)
		good = quantise(share, n, scale / radius * ldexp(1, bits), bits);
	else if (scale < 1)
	{
		for (size_t i = 0; i < n; i++)
			share[i] *= scale;
	}
	dpem_fpenv_leave(&fpenv);
	return good;
}

void
dpem_lda_add_exact(const DpemMomentLayout *layout, const DpemLdaDocument *document,
				   const DpemLdaShare *share, DpemInt128 *total)
{
	size_t		record = dpem_moments_record(layout);

	for (int i = 0; i < document->terms; i++)
		for (int k = 0; k < layout->k; k++)
			total[k * record + 1 + document->term[i]] += (int64_t) share->share[(size_t) i * share->padded + k];
}

void
dpem_lda_add_real(const DpemMomentLayout *layout, const DpemLdaDocument *document,
				  const DpemLdaShare *share, double *total)
{
	size_t		record = dpem_moments_record(layout);

	for (int i = 0; i < document->terms; i++)
		for (int k = 0; k < layout->k; k++)
			total[k * record + 1 + document->term[i]] += share->share[(size_t) i * share->padded + k];
}

/* ---- the kernel of a pass -------------------------------------------------- */

static size_t
lda_theta_length(const DpemMomentLayout *layout)
{
	return DPEM_LDA_TASK_HEAD + lda_numbers(layout);
}

static bool
lda_theta_valid(const DpemMomentLayout *layout, const double *theta)
{
	return layout->second == DPEM_SECOND_NONE && dpem_lda_task_valid(layout, theta);
}

const DpemKernel dpem_kernel_lda = {
	.name = "lda",.code = 10,.aggregate = "topic_counts",.contribution = DPEM_DOCUMENT,
	.max_components = DPEM_LDA_MAX_TOPICS,.theta_length = lda_theta_length,.scratch_length = dpem_kernel_no_length,
	.theta_valid = lda_theta_valid
};
