/*
 * lda.h - request, plan and model fields of latent Dirichlet allocation.
 *
 * Each pass releases the number of words of every topic and term ([VIPS]: Foulds,
 * Park, Chaudhuri, Welling, "Variational Bayes in private settings").  With the
 * estimator `shrinkage` the first passes release the number of occurrences of every
 * term alone, and one pass after all others decides how far a document's words
 * decide on its mixture, and on the number of topics where several were given (lda_choice.h).  With `truncation`, the paper's estimator,
 * there are neither.
 */
#ifndef DPEM_FAMILY_LDA_H
#define DPEM_FAMILY_LDA_H

#include "core/kernels/lda_kernel.h"
#include "core/lda/lda_estimate.h"
#include "fit/family.h"
#include "fit/fit_stages.h"

typedef struct DpemLdaRequest
{
	DpemFitRequest fit;
	int			topics;
	double		clip;			/* a: a document's statistics are clipped to a * length; NaN: chosen */
	int			length;			/* words that every document is brought to; 0: unchanged, no noise */
	double		alpha;			/* NaN: 1 / topics, or chosen */
	double		eta;			/* likewise */
	double		tau0;			/* step (tau0 + t)^-kappa of a sampled pass; NaN: chosen */
	double		kappa;
	bool		resample;		/* resample documents to that length, else scale statistics */
	bool		shrink;			/* estimator `shrinkage` */
	double	   *start;			/* nstart numbers, topics x terms; NULL: the default start */
	int			nstart;
} DpemLdaRequest;

typedef struct DpemLdaPlan
{
	DpemFitPlan fit;
	const DpemLdaRequest *request;
	double		alpha;			/* of every topic; in passes alone where there is a stage that chooses */
	double		eta;
	double		tau0;
	double		kappa;
	bool		shrink;			/* false without noise */
	double		radius;			/* to which documents' statistics are clipped, in words */
} DpemLdaPlan;

/* stages */
enum
{
	DPEM_LDA_TERMS, DPEM_LDA_CHOICE, DPEM_LDA_TOPICS, DPEM_LDA_STAGES
};

/* fields of the model's table, topic by topic */
enum
{
	DPEM_LDA_WEIGHT,			/* share of all words */
	DPEM_LDA_ALPHA,				/* of documents' mixtures */
	DPEM_LDA_LAMBDA				/* by term */
};

/* topics of the pass that chooses: of all candidates together */
extern int	dpem_lda_judged_topics(const DpemLdaRequest *request);

/* topics that are judged side by side: those of every candidate, or of the only number */
typedef struct DpemLdaCandidates
{
	int			n;
	DpemLdaTopics *topics;		/* n */
	int			all;			/* topics of all of them */
	double	   *part;			/* all: of all words */
	double	   *set;			/* all: of which candidate */
} DpemLdaCandidates;

/* sizes: n 0 for the topics themselves, which are those of the largest */
extern DpemLdaCandidates dpem_lda_candidates(const DpemSizes *sizes, const DpemLdaTopics *most);

/* weight[v * all + topic]: probabilities */
extern void dpem_lda_candidate_weights(const DpemLdaCandidates *candidates, double *weight);

/* members of DpemFamily */
extern DpemFitPlan *dpem_lda_plan(const DpemFitRequest *request);

/* rows in words, and a remark with the mean words per topic and term, and whether noise exceeds it */
extern void dpem_lda_forecast(const DpemFitPlan *plan, DpemForecast *forecast);

/* DpemModel.more: without noise, the variational bound at the start of each pass (double), else NULL */
extern void dpem_lda_run(DpemFitRun *run, DpemFitted *fitted);

extern void *dpem_lda_load(DpemModel *model);
extern const double *dpem_lda_use_transform(void *ready, const double *x, int *n);
extern const DpemLdaTask *dpem_lda_use_topics(void *ready);

extern const DpemFamily dpem_family_lda;

#endif							/* DPEM_FAMILY_LDA_H */
