/*
 * predictor.h - what a model predicts from the coordinates of a point, as data that other languages can say.
 *
 * A predictor is one or more scores of a point.  A number is the only score's value; a class is
 * that of the largest score, the first of equals.
 */
#ifndef DPEM_EXPORT_PREDICTOR_H
#define DPEM_EXPORT_PREDICTOR_H

#include "lib/stringinfo.h"

#include "fit/model_fields.h"

/* probabilities of the classes, from their scores */
typedef enum DpemClassWeights
{
	DPEM_CLASS_WEIGHTS_NONE,	/* there are none */
	DPEM_CLASS_WEIGHTS_SOFTMAX, /* exp(s), together 1 */
	DPEM_CLASS_WEIGHTS_SIGMOID	/* 1 / (1 + exp(-s)), together 1 */
} DpemClassWeights;

/* a number in parts, or a label, of a naive Bayes classifier */
typedef struct DpemPredictorCells
{
	int			first;			/* its coordinate, or the first of its categories' */
	int			cell;			/* its first cell, among those of all columns */
	int			cells;
	const double *border;		/* cells - 1, rising: a part begins at the border that the one before ends below; NULL: a label */
} DpemPredictorCells;

typedef struct DpemPredictor
{
	const DpemModel *model;
	const char *target;			/* what is predicted; NULL: a component or cluster */
	bool		missing;		/* scores of a point of which numbers are unknown are defined */
	int			n;				/* scores */
	char	  **score;			/* n: SQL over the coordinates x1, x2, ..., double precision */
	bool		number;			/* a number is predicted, not a class */
	DpemScaledDomain domain;	/* of that number, whose ends stand for all beyond */
	const char *const *category;	/* n: what the classes are called; NULL: their numbers, from 1 */
	DpemClassWeights weights;

	/* for PMML; NULL: a model has no such form */
	const double *linear;		/* scores, or, if there are `linear_rows` of 1 and two classes, the second's: x (d + 1), intercept last */
	int			linear_rows;
	const double *center;		/* n x d: the score is minus the squared distance, coordinates divided by half_width */
	const double *half_width;	/* d */
	int			columns;		/* the score of class c is ln weight_c and, of each column whose cell is known, power * ln probability */
	const DpemPredictorCells *column;
	int			cells;			/* of all columns */
	const double *weight;		/* n */
	const double *probability;	/* n x cells */
	double		power;
} DpemPredictor;

/* n scores, each a text to be written */
extern void dpem_predictor_scores(DpemPredictor *p, int n);

/* "CAST(c AS double precision) + b1 * x1 + ...": coefficient has d + 1, the intercept last */
extern char *dpem_predictor_linear(const double *coefficient, int d);

/*
 * Between the terms of a sum and before the i-th of n, from 0: a server's parser goes as deep as terms are many, so long sums are
 * sums of sums of at most DPEM_PREDICTOR_TERMS, the last of which the caller closes.
 */
#define DPEM_PREDICTOR_TERMS 64
extern const char *dpem_predictor_plus(int i, int n);

/* a number as the shortest decimal that is the same double; infinities as numbers too large for any sum of logarithms */
extern char *dpem_predictor_number(double value);

/*
 * Which of n parts x_j is in (j from 0), as `CASE WHEN x1 < border[0] THEN value[0] ...`; border: n - 1, rising.  `other`:
 * what is said of a number that is not known.
 */
extern void dpem_predictor_parts(StringInfo out, int j, int n, const double *border, const double *value, double other);

/* of n categories from coordinate j on, `CASE WHEN x1 > 0.5 THEN value[0] ...`; `other`: of rows that have none of them */
extern void dpem_predictor_categories(StringInfo out, int j, int n, const double *value, double other);

/* as one SQL expression of the columns' own names; output: value, label, class or posterior; NULL: the first the model has; raises 22023, 54011 */
extern char *dpem_predictor_sql(const DpemPredictor *p, const char *output);

/* as a PMML 4.4 document; NULL: there is no PMML of this form */
extern char *dpem_predictor_pmml(const DpemPredictor *p, const char *name);

#endif							/* DPEM_EXPORT_PREDICTOR_H */
