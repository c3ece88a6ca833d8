/*
 * lda.h - topics of documents: what was asked, and what will be done.
 *
 * With the estimator `shrinkage` a first pass releases how often every term
 * occurs, and each later one the words of every topic and term ([VIPS]: Foulds,
 * Park, Chaudhuri, Welling, "Variational Bayes in private settings"); with
 * `truncation`, the paper's, there are only these.
 */
#ifndef DPEM_FAMILY_LDA_H
#define DPEM_FAMILY_LDA_H

#include "fit/family.h"
#include "fit/fit_stages.h"

typedef struct DpemLdaRequest
{
	DpemFitRequest fit;
	int			topics;
	double		clip;			/* a: a document's statistics are clipped to a * length; NaN: chosen */
	int			length;			/* words that every document is made to have; 0: as they are, without noise only */
	double		alpha;			/* NaN: 1 / topics */
	double		eta;			/* likewise */
	double		tau0;			/* step (tau0 + t)^-kappa of a sampled pass; NaN: chosen */
	double		kappa;
	bool		resample;		/* documents to their length, else their statistics are scaled */
	bool		shrink;			/* the estimator */
	double	   *start;			/* nstart numbers, topics x terms; NULL: of our own */
	int			nstart;
} DpemLdaRequest;

typedef struct DpemLdaPlan
{
	DpemFitPlan fit;
	const DpemLdaRequest *request;
	double		alpha;
	double		eta;
	double		tau0;
	double		kappa;
	bool		shrink;			/* false without noise */
	double		radius;			/* that documents' statistics are clipped to, in words */
} DpemLdaPlan;

/* stages */
enum
{
	DPEM_LDA_TERMS, DPEM_LDA_TOPICS, DPEM_LDA_STAGES
};

/* fields of the model's table, topic by topic */
enum
{
	DPEM_LDA_WEIGHT,			/* of all words */
	DPEM_LDA_ALPHA,
	DPEM_LDA_LAMBDA				/* by term */
};

/* of DpemFamily */
extern DpemFitPlan *dpem_lda_plan(const DpemFitRequest *request);

/* rows in words; one more says the mean words of a topic and term, and whether noise exceeds it */
extern void dpem_lda_forecast(const DpemFitPlan *plan, DpemForecast *forecast);

/* DpemModel.more: without noise the variational bound at the start of each pass (double), else NULL */
extern void dpem_lda_run(DpemFitRun *run, DpemFitted *fitted);

extern void *dpem_lda_load(DpemModel *model);
extern const double *dpem_lda_use_transform(void *ready, const double *x, int *n);

extern const DpemFamily dpem_family_lda;

#endif							/* DPEM_FAMILY_LDA_H */
