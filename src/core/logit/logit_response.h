/*
 * logit_response.h - logistic regression of two classes in much noise.
 *
 * All releases tell of sum y x: at zero coefficients sum (y - 1/2) x has half the noise of a gradient, and at others a gradient g
 * tells g + sum sigma(m'x) x.  What these sums would be for coefficients m follows from second moments, if scores are normal
 * (logit_curvature.h), so that coefficients are those whose sums are the released ones, as far as the prior lets them.
 * Sums at zero have the classes' difference times the mean of the rows in them, which noise hides, where classes are uneven: they tell the
 * intercept, gradients about it the slopes.  Second moments are what noise leaves of them.  Reads released numbers only.
 */
#ifndef DPEM_CORE_LOGIT_RESPONSE_H
#define DPEM_CORE_LOGIT_RESPONSE_H

#include "core/logit/logit_estimate.h"

/* noise that second moments have when it has been taken off as far as can be */
typedef struct DpemLogitLeft
{
	double		second_sd;		/* in a svec entry */
	double		square_sd;		/* in the squares of columns, the same in all */
} DpemLogitLeft;

typedef struct DpemLogitResponse
{
	int			d;
	double	   *even;			/* d: sum (y - 1/2) x, the mean of its releases */
	double		even_sd;
	double	   *about;			/* d: sum y x, the mean of what gradients tell */
	double		about_sd;		/* 0: none was released */
	double	   *middle;			/* d: mean of the rows */
	double		center_sd;		/* of a column's mean, as far as noise lets it be told */
	DpemLogitLeft left;
} DpemLogitResponse;

/*
 * What noise leaves of second moments (d x d) of standardised rows in the unit ball, whose last coordinate is a constant of that value: the difference from a
 * diagonal has no eigenvalues up to the edge of the noise's spectrum, and shorter ones beyond it.  left: of the noise, or NULL.  work: d * d + 2 d + dpem_logit_clean_work(d).
 */
extern DpemStatus dpem_logit_denoise(int d, double rows, double value, double second_sd, double *second, DpemLogitLeft *left, DpemWorkspace work);

/* one for rows of d coordinates in that many numbers, which are zero */
extern size_t dpem_logit_response_length(int d);
extern void dpem_logit_response_begin(int d, double *numbers, DpemLogitResponse *r);

/*
 * The first release, in place of dpem_logit_take_first.  The last coordinate is the constant, of which s->value is known.
 * work, here and below: dpem_logit_response_work(d).
 */
extern size_t dpem_logit_response_work(int d);
extern DpemStatus dpem_logit_response_first(const DpemNoisyMoments *m, double public_rows, DpemLogitStatistics *s, DpemLogitResponse *r,
											DpemWorkspace work);

/* a later one, of a gradient at these coefficients (d), or, NULL, of signed rows at zero; scale: 1 over the part of the rows that was read */
extern void dpem_logit_response_take(const DpemNoisyMoments *m, double scale, const double *at, const DpemLogitStatistics *s,
									 DpemLogitResponse *r, DpemWorkspace work);

/* the posterior; overwrites s->linear, curvature and origin.  The mean of predicted probabilities is the released share. */
extern DpemStatus dpem_logit_response_estimate(DpemLogitStatistics *s, const DpemLogitResponse *r, DpemLogit *fit,
											   DpemWorkspace work);

/* the coefficients (d) at which the next gradient is best: sigma of their own scores, and not of what these may be, is the share on average */
extern void dpem_logit_response_point(const DpemLogitStatistics *s, const DpemLogit *fit, double *point);

#endif							/* DPEM_CORE_LOGIT_RESPONSE_H */
