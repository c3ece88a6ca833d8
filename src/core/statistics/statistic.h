/*
 * statistic.h - statistics of one or two columns from released moments.
 *
 * A statistic is a function of the number of rows, of the columns' sums and of
 * one second moment.  Its interval covers the statistic of the clamped rows with
 * probability 95 % over the noise of the release alone: sampling rows from a
 * population is not in it.
 */
#ifndef DPEM_CORE_STATISTIC_H
#define DPEM_CORE_STATISTIC_H

#include <stdbool.h>

#include "core/accounting/paper_mechanism.h"
#include "core/numeric/status.h"
#include "core/pass/moments.h"
#include "core/pass/noisy_moments.h"

#define DPEM_STATISTIC_COLUMNS 2	/* at most */
/* the parts stacked in a release */
enum
{
	DPEM_PART_COUNT, DPEM_PART_SUM, DPEM_PART_SECOND, DPEM_STATISTIC_PARTS
};

/* a column's public domain: x = middle + half y with y in [-1, 1] */
typedef struct DpemStatisticScale
{
	double		middle[DPEM_STATISTIC_COLUMNS];
	double		half[DPEM_STATISTIC_COLUMNS];
} DpemStatisticScale;

/* released moments of one group in y: noise is the standard deviation of each part */
typedef struct DpemStatisticMoments
{
	DpemNoiseKind noise;
	bool		upper_half;		/* y is of [0, 1], not of all of [-1, 1]: it has a quarter of the scatter at most */
	double		n;
	double		s[DPEM_STATISTIC_COLUMNS];
	double		p;				/* sum y^2 of one column, sum y1 y2 of two */
	double		sd[DPEM_STATISTIC_PARTS];
} DpemStatisticMoments;

#define DPEM_NORMAL_975	1.9599639845400542	/* the 97.5 % point of the normal law */

typedef struct DpemStatisticValue
{
	double		value;
	double		sd;				/* standard deviation of the noise in it; to first order for ratios */
	double		lower;			/* 95 % interval */
	double		upper;
	double		rows;			/* released number of rows behind it; set by who has it, 0 otherwise */
} DpemStatisticValue;

typedef struct DpemStatistic
{
	const char *name;
	int			columns;		/* 0, 1 or 2 */
	DpemSecondMoment second;
	bool		per_row;		/* noise falls with the number of rows */
	bool		counts_alone;	/* of the number of rows and nothing else */

	/*
	 * What the noise of each part does to the statistic, in the columns'
	 * units: to first order and for typical rows its variance is the sum of
	 * importance times squared deviations in the unit ball (per_row: over the
	 * squared number of rows).
	 */
	void		(*importance) (const DpemStatisticScale *scale, double importance[DPEM_STATISTIC_PARTS]);

	void		(*estimate) (const DpemStatisticMoments *moments, const DpemStatisticScale *scale,
							 DpemStatisticValue *out);
} DpemStatistic;

/* count, sum, avg, variance, stddev, covariance; NULL for other names */
extern const DpemStatistic *dpem_statistic_from_name(const char *name);

/*
 * Weights of counts, sums and second moments in the stack of a joint release
 * over k groups of d coordinates that give the statistic the least noise at a
 * given noise multiplier (sensitivity.h); 0 for a part of importance 0.
 */
extern void dpem_statistic_weights(const double importance[DPEM_STATISTIC_PARTS], DpemNoiseKind noise, int k, int d,
								   bool replace_one, double weight[DPEM_STATISTIC_PARTS]);

/*
 * The moments of the group that has the g-th record of a release of one
 * component per group, as the feature map of radius sqrt(d) left them.
 */
extern void dpem_statistic_moments(const DpemNoisyMoments *released, int g, DpemNoiseKind noise,
								   DpemStatisticMoments *out);

/*
 * Half the length of the interval about 0 that holds the sum of two independent noises
 * of these standard deviations (either may be 0) with probability 95 %.
 */
extern double dpem_noise_half_width(DpemNoiseKind noise, double sd, double other_sd);

#endif							/* DPEM_CORE_STATISTIC_H */
