/*
 * gam_estimate.h - shape functions from released counts and gradients.
 *
 * The model: score = sum over the columns of the coefficient of the row's cell.  A
 * priori the coefficients of a column's bins are a random walk with steps of an
 * unknown variance, learnt from the releases, and those of categories independent
 * (Wood 2017, "Generalized Additive Models", 5.4; Fahrmeir, Lang 2001).
 *
 * The first release counts rows by cell and class and by pairs of cells; pairs, once
 * cleaned, are the curvature M = sum x x'.  Each gradient g at coefficients m gives
 * a linear statistic t = g + H m of curvature H, to first order (Fisher scoring),
 * with the known noise of g.  Counts by class are such a gradient, too: of two classes where all rows have the log-odds of
 * the second one's share.  The posterior of the coefficients from a weighted mean
 * of these,
 *
 *     mean = K H V^-1 t,   V = H K H + H + N,   covariance = K - K H V^-1 H K,
 *
 * K the prior's covariance and N the noise's, is the penalised fit where N = 0.  For a number
 * everything is relative to the residual's variance.  All that is read here is public.
 */
#ifndef DPEM_CORE_GAM_ESTIMATE_H
#define DPEM_CORE_GAM_ESTIMATE_H

#include <stdbool.h>
#include <string.h>

#include "core/gam/gam_bins.h"
#include "core/gam/gam_kernel.h"
#include "core/numeric/status.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

/* of all rows, and of a target that is a number its place in the box */
typedef struct DpemGamRows
{
	DpemGamShape shape;			/* middle and reach: found here */
	int			n;				/* cells */
	const int  *offset;			/* terms + 1: the first cell of each */
	bool		exact;			/* released without noise */
	double		rows;			/* as released, as many as could just be told from noise if these are more, or public if that agrees */
	bool		public;			/* they are */
	double		counted;		/* as released, */
	double		counted_sd;		/* and its noise */
	double	   *count;			/* n: rows in each cell, not negative, those of a column adding up to all */
	double	   *noise;			/* n: variance of the noise in each count, which moves it no farther than to 0 */
	double	   *second;			/* n x n: rows in each pair of cells, without negative eigenvalues */
	DpemGamWindow window;		/* of a number: what located it before; parts 0 */
	double		single_sd;		/* of the noise in a count of a cell and class */
	double		pair_sd;		/* and of a pair of cells */
	double		share[DPEM_GAM_MAX_CLASSES];	/* of each class; of one too rare to be told from noise the least that could be */
	double		middle_off;		/* of a number: variance of what its middle is off by, as far as counts tell; infinite: of no use */
	double		tails;			/* of a number: residuals are cut off so many times farther */
	bool		together;		/* of a number: it is in a bin or two (gam_place.h) */
	double		variance;		/* of a number's box coordinate; 1 for classes */
	double		dispersion;		/* of its residual; 1 for classes */
} DpemGamRows;

static inline int
dpem_gam_cells_of(const DpemGamRows *rows, int term)
{
	return rows->offset[term + 1] - rows->offset[term];
}

/* expected variance between two neighbours of a term: the more bins, the nearer they are */
extern double dpem_gam_expected_step(const DpemGamShape *shape, int term);

#define DPEM_GAM_PATH	6

/* coefficients of one score */
typedef struct DpemGamScore
{
	double	   *linear;			/* n: sum of weighted linear statistics; without noise the last gradient */
	double	   *curvature;		/* n x n: of their curvatures */
	double	   *here;			/* n x n: curvature at the mean */
	double		weight;			/* sum of the weights, and of their squares times the noise's variance */
	double		noise;
	const double *together;		/* n: the noise's variance is so many times that, where bins that are one were counted one by one; NULL: 1 */
	double		drift;			/* variance of what the first linear statistics are off by, in units of a gradient's noise */
	double	   *step;			/* terms: prior variance between neighbours, or of a category or a pair's cell */
	double		scale;			/* which all of these are times; 1 but for a number with noise */
	double		spread;			/* of classes: variance of being this one, over all rows */
	double	   *mean;			/* n */
	double	   *path;			/* 6 n: where the last gradient was released, it, the sum of the weighted means at gradients, and */
	double	   *bend;			/* n: `here` is M times the products of two of these; of classes */
	double	   *counted;		/* n: of several classes the share of this one in each cell, as counts had it */
	double	   *along;			/* n: u, of which the curvature has u u' besides, for what pairs cannot show */
	double		path_sd;		/* of its noise; 0: there is none yet */
	double		path_share;		/* of it in the linear statistic */
	double		followed;		/* of the mean's product with the linear statistic, what is expected to be noise */
} DpemGamScore;

static inline double
dpem_gam_together(const DpemGamScore *score, int i)
{
	return score->together != NULL ? score->together[i] : 1;
}

/* path: DPEM_GAM_PATH n numbers, for a score of n cells */
static inline void
dpem_gam_begin_path(int n, double *path, DpemGamScore *score)
{
	score->path = memset(path, 0, DPEM_GAM_PATH * (size_t) n * sizeof(double));
	score->path_sd = 0;
	score->bend = path + 3 * (size_t) n;
	score->along = path + 4 * (size_t) n;
	score->counted = path + 5 * (size_t) n;
}

/*
 * Rows, counts, M and the target's place from the first release; public_rows: 0 if
 * not known.  M may have negative eigenvalues until pairs are cleaned.  work: dpem_gam_work(n).
 */
extern size_t dpem_gam_work(int n);
extern void dpem_gam_take_rows(const DpemNoisyMoments *m, double public_rows, DpemGamRows *rows, DpemWorkspace work);

/* leaves M without negative eigenvalues, of cells that were joined the joined ones' (gam_join.h).  work: dpem_gam_work(n) */
extern DpemStatus dpem_gam_clean_pairs(DpemGamRows *rows, DpemWorkspace work);

/* of a number's bins, in box coordinates */
extern double dpem_gam_bin_width(const DpemGamRows *rows);

/* a number's values are nearer to each other than its bins, or the steps of its features (core/pass/features.h), are wide, as far as counts tell */
extern bool dpem_gam_is_hidden(const DpemGamRows *rows);

/* of a residual of 1, as the kernel scaled it: scores */
extern double dpem_gam_residual_unit(const DpemGamRows *rows);

/* where residuals of a number are cut off, if predictions may all be off by that variance */
extern double dpem_gam_reach(const DpemGamRows *rows, double off);

/* linear statistic of score s as the counts have it, about what all rows have in common */
extern void dpem_gam_start(const DpemGamRows *rows, const DpemNoisyMoments *m, int s, DpemGamScore *score);

/* then its curvature, once pairs are cleaned, of several classes its share in each cell, and the mean that it is at: of two classes the log-odds of the second one's share, else zero */
extern void dpem_gam_start_curvature(const DpemGamRows *rows, DpemGamScore *score);

/*
 * H of all scores at their posterior means, and of classes what bends M; without noise that of a release of gam_moments there, NULL where it does
 * not change.  Of several classes each cell's is the mean of p (1 - p) over scores that vary about the cell's as they do
 * over all rows, times what classes that move at once ask for, the more, the more noise there is.  work: n.
 */
extern void dpem_gam_curvature(const DpemGamRows *rows, const DpemNoisyMoments *exact, const DpemGamScore *scores, double *work);

/*
 * Takes gradient number `pass` from 1 of score s, released at its mean, with a weight that grows, as the last are nearest to
 * the maximum; of classes the less, the more noise there is.  Without noise it replaces what was before.  scale: 1
 * over the fraction of the rows that was read.  What gradients tell of M (gam_scale.c) goes into rows->second.  work: dpem_gam_work(n).
 */
extern DpemStatus dpem_gam_take_gradient(DpemGamRows *rows, const DpemNoisyMoments *m, double scale, int s, int pass, DpemGamScore *score, DpemWorkspace work);

/*
 * The mean from all that was taken, and `updates` of the prior's variances by expectation and maximisation; the last of
 * them, which the mean does not have yet, is for the next pass.
 * work: dpem_gam_work(n).
 */
extern DpemStatus dpem_gam_estimate(const DpemGamRows *rows, int updates, DpemGamScore *score, DpemWorkspace work);

/* a number's dispersion and reach, as its score leaves them */
extern void dpem_gam_update_dispersion(DpemGamRows *rows, const DpemGamScore *score, int pass, double *work);

/*
 * Of two classes how many times as steep as the rows' own the curvature is in which all scores rise alike, at least 1; else 1.
 * It is taken for steeper than it is, so that passes converge, and gradients' noise has as many times the effect.  work: n.
 */
extern double dpem_gam_steepness(const DpemGamRows *rows, const DpemGamScore *score, double *work);

/*
 * The sum of a column's contributions over all rows is zero, and so is that of a pair's over the rows of each part of
 * both of its columns, which take what that leaves, and the intercept what these leave.  Of a number released with much noise, the
 * less is kept of all contributions, the more of what they explain may be noise: what is left is the mean.
 */
typedef struct DpemGamResult
{
	double		intercept;
	double		intercept_sd;	/* posterior, noise included */
	double		intercept_noise;
	double	   *contribution;	/* n */
	double	   *sd;				/* n */
	double	   *noise;			/* n: standard deviations of the privacy noise */
} DpemGamResult;

extern DpemStatus dpem_gam_finish(const DpemGamRows *rows, const DpemGamScore *score, DpemGamResult *result, DpemWorkspace work);

#endif							/* DPEM_CORE_GAM_ESTIMATE_H */
