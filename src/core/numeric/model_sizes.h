/*
 * model_sizes.h - several numbers of components, one of which released numbers choose.
 *
 * Everything here reads released and public numbers only: post-processing.
 */
#ifndef DPEM_CORE_MODEL_SIZES_H
#define DPEM_CORE_MODEL_SIZES_H

#include <math.h>

#define DPEM_SIZES_MAX 64

typedef struct DpemSizes
{
	int			n;				/* below 2: there is nothing to choose */
	int			k[DPEM_SIZES_MAX]; /* ascending, distinct */
	double		log_likelihood[DPEM_SIZES_MAX];	/* per row, up to a constant that is the same for all */
	double		score[DPEM_SIZES_MAX]; /* that less the criterion's penalty per row: the largest is chosen */
	int			chosen;			/* one of k; 0: not yet */
} DpemSizes;

/*
 * Rows without noise whose sampling error is as large as that of `rows` rows and the noise together;
 * ratio: the noise's variance in units of the sampling error's.
 */
static inline double
dpem_effective_rows(double rows, double ratio)
{
	return fmax(rows, 1) / (1 + fmax(ratio, 0));
}

/*
 * The i-th candidate's score: Schwarz's criterion (1978, "Estimating the dimension of a model",
 * equation 1), log L - p / 2 log N, per row.
 */
static inline void
dpem_sizes_score(DpemSizes *c, int i, double log_likelihood, double parameters, double rows)
{
	c->log_likelihood[i] = log_likelihood;
	c->score[i] = log_likelihood - parameters / 2 * log(fmax(rows, M_E)) / fmax(rows, 1);
}

/* the least k, where nothing tells the candidates apart */
static inline int
dpem_sizes_choose_least(DpemSizes *c)
{
	for (int i = 0; i < c->n; i++)
		c->log_likelihood[i] = c->score[i] = 0;
	return c->chosen = c->k[0];
}

/* the best score's k, of equals the least; a score that is not a number is the worst */
static inline int
dpem_sizes_choose(DpemSizes *c)
{
	int			best = 0;

	for (int i = 1; i < c->n; i++)
		if (c->score[i] > c->score[best] || isnan(c->score[best]))
			best = i;
	return c->chosen = c->k[best];
}

#endif							/* DPEM_CORE_MODEL_SIZES_H */
