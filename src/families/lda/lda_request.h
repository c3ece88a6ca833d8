/*
 * lda_request.h - topics of documents: what was asked, and what will be done.
 *
 * With the estimator `shrinkage` a first pass releases how often every term
 * occurs, and each later one the words of every topic and term ([VIPS]: Foulds,
 * Park, Chaudhuri, Welling, "Variational Bayes in private settings"); with
 * `truncation`, the paper's, there are only these.
 */
#ifndef DPEM_FAMILY_LDA_REQUEST_H
#define DPEM_FAMILY_LDA_REQUEST_H

#include "fit/fit.h"
#include "fit/forecast.h"

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
	DpemReleaseSpec spec;
	int			terms_line;		/* of the charge; -1: none */
	int			topics_line;
} DpemLdaPlan;

/* raises 22023 and others for whatever cannot be done */
extern DpemLdaPlan *dpem_lda_plan(const DpemLdaRequest *request);

/* rows in words; one more says the mean words of a topic and term, and whether noise exceeds it */
extern void dpem_lda_forecast(const DpemLdaPlan *plan, DpemForecast *forecast);

typedef struct DpemLdaFit
{
	int			k;
	int			terms;
	double	   *lambda;			/* k * terms */
	double	   *part;			/* k: of all words */
	double	   *bound;			/* without noise: the variational bound at the start of each pass; else NULL */
	int			iterations;
	int64		charge;			/* 0 without noise */
	int64		maker;
} DpemLdaFit;

/* charges, reads, releases; raises DP001, DP002, DP003, 42501 */
extern DpemLdaFit *dpem_lda_fit(const DpemLdaPlan *plan);

#endif							/* DPEM_FAMILY_LDA_REQUEST_H */
