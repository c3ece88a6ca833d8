/*
 * kmeans_estimate.h - centers from released counts and sums.
 *
 * Coordinates are the features': a box of the given half-width about the
 * origin, cut by the unit ball.  Everything read here is public.
 */
#ifndef DPEM_CORE_KMEANS_ESTIMATE_H
#define DPEM_CORE_KMEANS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/kmeans/kmeans_history.h"
#include "core/numeric/workspace.h"
#include "core/pass/features.h"

typedef struct DpemKmeans
{
	int			k;
	int			d;
	double	   *center;			/* k * d */
	double	   *center_noise;	/* k * d: standard deviations of the noise in it */
	double	   *weight;			/* k, summing to 1 */
	double	   *weight_noise;	/* k */
} DpemKmeans;

/* how a pass's answers become centers */
typedef struct DpemKmeansRule
{
	bool		average;		/* average over the second half of the passes */
	bool		shrink;			/* shorten steps according to their noise */
	double		least_deviations;	/* counts below this many noise deviations move no center */
} DpemKmeansRule;

/* the project's own, and the publications' */
extern const DpemKmeansRule dpem_kmeans_careful_rule;
extern const DpemKmeansRule dpem_kmeans_plain_rule;

/*
 * Data-independent centers spread over the domain: as far from each other, and half
 * as far from the border, as a search with public random numbers achieves (Su, Cao,
 * Li, Bertino, Jin 2016, section 4.2), and then evened out.
 */
extern size_t dpem_kmeans_start_work(int k, int d);
extern void dpem_kmeans_start(int k, int d, double half_width, double *center, DpemWorkspace work);

/* moves points into the box and the unit ball */
extern void dpem_kmeans_clamp(int k, int d, double half_width, double *center);

/*
 * The M-step after the latest pass of the history, whose capacity is the
 * total number of passes.  Without noise: Lloyd's step.  A center without a
 * significant count stays where it is.
 */
extern size_t dpem_kmeans_maximize_work(int k, int d);
extern void dpem_kmeans_maximize(const DpemKmeansHistory *history, const DpemKmeansRule *rule,
								 DpemKmeans *fit, DpemWorkspace work);

/*
 * Between feature coordinates and the columns' own units, for a feature map
 * without whitening: x = middle + half-width * (center + radius * y).  A finished
 * fit is converted to the columns' units with its noise, and stays in the domain.
 */
extern void dpem_kmeans_from_columns(const DpemFeatureMap *map, int k, const double *x, double *center);
extern void dpem_kmeans_to_columns(const DpemFeatureMap *map, DpemKmeans *fit);

/* ---- rules from public quantities ---- */

/* weights of counts and sums in the joint release, by predicted noise in a center */
extern void dpem_kmeans_weights(int d, bool replace_one, double *count, double *sum);

/*
 * Number of passes: sum_sd is the noise that a single pass would have, in
 * rows and per coordinate; rows 0 if not public.  A single cluster's center is its rows' mean.
 */
extern int	dpem_kmeans_iterations(int k, int d, double rows, double sum_sd);

/*
 * Shares of the squared mu, before passes that read rows in a ball, for margins that show where it is, and for its radius.
 * noise: in a bin of the first level, of the rows, with the least share (that of noise 0).
 */
extern double dpem_lloyd_margins_share(double noise);
extern const double dpem_lloyd_ball_share;

/*
 * What keeps balls from being larger than rows that are seen need (total_covariance.h): that which tells the radius by squared
 * norms, whose sum has noise second_sd, so that rows which margins do not show are in it; and, times `rows`, that
 * of the passes, by the squared noise in a center, in radii; sum_sd: the noise of all passes together.
 */
extern double dpem_lloyd_norms_noise(double rows, double second_sd);
extern double dpem_lloyd_ball_noise(int k, int d, double rows, double sum_sd);

/*
 * Whether noise hides several centers of so many rows, which their middle then stands for; sum_sd: noise in a sum by all passes
 * together, of rows in the domain's ball.
 */
extern bool dpem_lloyd_hides(int d, double rows, double sum_sd);

/* are rows at such root mean square distances from their center in so much of a domain of that radius that starts are spread over it? */
extern bool dpem_lloyd_starts_anywhere(double distance, double radius);

/*
 * Otherwise: where a coordinate u, from -1 to 1, of centers spread evenly over a box goes in a column with that law over so many
 * equal bins of [-1, 1]: centers are denser where there are rows, but not in proportion to these.
 */
extern double dpem_lloyd_place(int bins, const double *p, double u);

#endif							/* DPEM_CORE_KMEANS_ESTIMATE_H */
