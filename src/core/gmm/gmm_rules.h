/*
 * gmm_rules.h - choices of a mixture fit from public quantities
 * (docs/estimation.md: how they were found, and their effect).
 */
#ifndef DPEM_CORE_GMM_RULES_H
#define DPEM_CORE_GMM_RULES_H

#include <stdbool.h>

#include "core/pass/moments.h"

/* weights of counts, sums and second moments in the stacked vector of a stage */
typedef struct DpemGmmWeights
{
	double		count;
	double		sum;
	double		second;
} DpemGmmWeights;

/* by stage: center, whitening, mixture */
extern const DpemGmmWeights dpem_gmm_weights[3];

/* how the last stage finds components */
typedef enum DpemGmmMethod
{
	DPEM_GMM_PASSES,			/* EM passes over the rows */
	DPEM_GMM_CELLS,				/* EM on the noisy counts of a grid (gmm_cells.h) */
	DPEM_GMM_TOTAL,				/* none: equal components, each with the total's mean and covariance */
	DPEM_GMM_METHODS
} DpemGmmMethod;

/* a method's shares of squared mu by stage, and the number of releases (looks) in its first stage */
typedef struct DpemGmmSchedule
{
	int			looks;
	double		share[3];
} DpemGmmSchedule;

/* where the first stage looks at squares, and where it is one release of margins (core/kernels/margins.h) */
extern const DpemGmmSchedule dpem_gmm_schedules[DPEM_GMM_METHODS];
extern const DpemGmmSchedule dpem_gmm_margin_schedules[DPEM_GMM_METHODS];

/*
 * Whether margins show where columns lie; noise: in a first-level bin, relative to the number
 * of rows, public or assumed.
 */
extern bool dpem_gmm_margins_tell(double noise);

/* the same of a density, whose columns' probable places are told by all bins together (core/columns/column_belief.h) */
extern bool dpem_gmm_margins_hint(double noise);

/*
 * Constants of other files, chosen by test/bench/utility_gmm.pl unless their comment
 * gives a reason.  Frames (gmm_frame.h; inputs: released numbers):
 */
#define DPEM_GMM_FRAME_REACH	1.5 /* clip, in root mean square distances */
#define DPEM_GMM_FRAME_MARGIN	1.0 /* noise deviations on top of a measured square */
#define DPEM_GMM_FRAME_MEAN2	(1.0 / 3)	/* prior variance of a mean: of a uniform law in the box */
#define DPEM_GMM_FRAME_WIDEST	0.7 /* scale of the first look, in half-widths of the domain */

/* what earlier releases say of the total (gmm_seen.h): how far the parts of the variance that two clips leave differ, and the least ratio */
#define DPEM_GMM_SEEN_CLIP	0.3
#define DPEM_GMM_SEEN_LEAST 0.1

/* cells (gmm_cells.h; inputs: released counts, public deviations) */
#define DPEM_GMM_CELLS_MAX_D	3
#define DPEM_GMM_SEED_PASSES	4	/* passes in more dimensions than that, of more than so many one counts cells for a start, */
#define DPEM_GMM_SEED_CELLS		8192	/* at most so many, */
#define DPEM_GMM_SEED_STARTS	32	/* with so many starts of EM in them: with 8, two of several clusters share a component more often */
#define DPEM_GMM_PROBE_PASSES	5	/* where components are looked for only if cells show them: one for the cells, one for the total, others for components */
#define DPEM_GMM_SEED_FEW		3	/* passes in the frame of all rows, which is so wide for clusters that so few are worse than none */
#define DPEM_GMM_CELLS_REACH	4.5 /* the grid's edge, in deviations of whitened rows */
#define DPEM_GMM_CELLS_OUTLIERS 0.01	/* weight of the uniform component */
#define DPEM_GMM_CELLS_PRIOR	0.5 /* rows of the covariances' prior, in deviations of a count */
#define DPEM_GMM_CELLS_LEAST_PRIOR 1.0	/* and at least so many */
#define DPEM_GMM_CELLS_LEAST	0.05	/* least variance, in squared widths of a cell */
#define DPEM_GMM_CELLS_WIDEST	20.0	/* largest, in variances of all rows */
#define DPEM_GMM_CELLS_MOST_STEP 20.0
#define DPEM_GMM_CELLS_PRICE	1.0 /* log-likelihood that a parameter must be worth (Akaike's criterion) */
#define DPEM_GMM_CELLS_BETTER	6.0 /* log-likelihood by which a mixture must beat the released mean and covariance: a component in the plane has six parameters */
#define DPEM_GMM_CELLS_STARTS	8
#define DPEM_GMM_CELLS_PATIENCE 2	/* successive worse numbers of components that end the search */
#define DPEM_GMM_CELLS_SHORT	25	/* steps of EM from each start */
#define DPEM_GMM_CELLS_LONG		150 /* and from the best */

/*
 * Share of the EM passes that are made with the largest candidate, where the number of components is
 * chosen (test/bench/choosing_k.sh): the others average out noise for the number chosen.
 */
#define DPEM_GMM_CHOICE_PASSES	0.4

/* background of densities (gmm_background.h; inputs: the released mixture, the public domain) */
#define DPEM_GMM_BACKGROUND_WEIGHT 0.01
#define DPEM_GMM_BACKGROUND_ROWS 0.5	/* part of that weight that is of whole rows: the rest is of single columns of a row (gmm_apart.h) */
#define DPEM_GMM_BACKGROUND_WIDTHS 5	/* number of normals per axis */
#define DPEM_GMM_BACKGROUND_FIRST 0.5	/* weight of the narrowest of them */

/* the comparison of several components with one (density/compare_kernel.h; inputs: the public noise, the number of rows) */
#define DPEM_GMM_COMPARE_SHARE	0.03	/* of the budget */
#define DPEM_GMM_COMPARE_NOISE	1.0 /* in the mean difference, nats: of more noise there is none */
#define DPEM_GMM_COMPARE_PRIOR	0.3 /* what components are worth before anything is seen, nats, with variance 1 */
#define DPEM_GMM_COMPARE_WIDER	4.0 /* by how much the total's variances may be less than the components' together, of which rows were clipped farther out */
#define DPEM_GMM_COMPARE_AIM	0.02	/* noise up to which more rows than these are looked at, */
#define DPEM_GMM_COMPARE_ROWS	20000.0	/* for the time they cost, */
#define DPEM_GMM_COMPARE_MOST	100000.0
#define DPEM_GMM_COMPARE_WORK	2e8 /* nor more than this, in k d^2, */
#define DPEM_GMM_COMPARE_LEAST	2000.0	/* but so many */

/* how many of so many rows are looked at; sd: noise in the sum over them */
extern double dpem_gmm_compared_rows(int k, int d, double rows, double sd);

/* free numbers of a mixture */
extern double dpem_gmm_parameters(int k, int d, DpemSecondMoment shape, bool tied);

/* what is known about a fit before it starts */
typedef struct DpemGmmPrediction
{
	int			k;
	int			d;
	double		rows;			/* public number of rows, or 0 */
	DpemSecondMoment shape;
	double		sum_sd;			/* noise of one pass; 0: none */
	double		second_sd;
} DpemGmmPrediction;

/*
 * Noise of a component's parameters after one pass, relative to the parameters,
 * for components of equal size with unit variances and rows clipped at `clip`
 * times the square root of d.
 */
extern double dpem_gmm_relative_noise(const DpemGmmPrediction *p, double clip);

/*
 * Method of the last stage; p: noise of its moments in a single pass with all of
 * the stage's share, of one component: where one is as good as several.  cells: whether the fit can count cells
 * at all.  compared: as below.
 */
extern DpemGmmMethod dpem_gmm_method(const DpemGmmPrediction *p, bool cells, double compared);

/*
 * Whether components that passes find, or of one its axes, would be mostly noise; p: noise of all passes together.  compared:
 * noise in what a comparison with one component would say, nats a row; 0: none was to be.
 */
extern bool dpem_gmm_hopeless(const DpemGmmPrediction *p, double compared);

/*
 * Whether cells are asked if there are components, where others would only fit noise; p: as for dpem_gmm_hopeless; cell: noise in a
 * count, in parts of a component's rows, if all have as many; compared: as above.
 */
extern bool dpem_gmm_probes(const DpemGmmPrediction *p, double cell, double compared);

/* whether EM passes start from cells: with that noise in a count, in parts of a component's rows, if all have as many */
extern bool dpem_gmm_cells_seed(double noise, bool probe);

/* whether they start from components found there: with that variance within them (dpem_gmm_cells_within) these are apart from each other */
extern bool dpem_gmm_cells_apart(double within);

/* whether with that noise in a count, in parts of the rows, the first stages have the shares that they have before passes */
extern bool dpem_gmm_cells_blur(double noise);

/* whether that noise in a count, in parts of the rows, leaves nothing of components in cells: there are none then (DPEM_GMM_TOTAL) */
extern bool dpem_gmm_cells_drown(double noise);

/*
 * Side of the cells of a grid over `volume` (whitened deviations to the power d),
 * for that many rows; sd: noise in a count.
 */
extern double dpem_gmm_cell_width(int k, int d, double volume, double rows, double sd);

/*
 * Number of passes; p: noise if there were a single one; own_frames: the last may measure components in frames of their own.
 * first: how many are in the frame of all rows then.
 */
extern int	dpem_gmm_iterations(const DpemGmmPrediction *p, bool own_frames, int *first);

/*
 * The last passes measure components in frames of their own (core/refine/refine.h): whether they do, p being the
 * noise of these together, the radius R of a frame, in deviations, and the least radius of the ball of whitened rows meanwhile.
 */
extern bool dpem_gmm_refines(const DpemGmmPrediction *p);
extern double dpem_gmm_refine_radius(int d);
extern double dpem_gmm_refine_ball(int d);

/*
 * Radius, in scaled coordinates, at which rows in a frame from margins are clipped: 1.25 sqrt(d), and
 * up to 1.75 sqrt(d) where noise is little; p: the whitening stage's, with one component.
 */
extern double dpem_gmm_located_radius(const DpemGmmPrediction *p);

/*
 * Whitening is made in so many looks, each at the axes that those before it have found, unless noise is so large that they would be
 * nothing but noise; p: that of all looks together, of one component and as many rows as were released.  utility_gmm.pl and
 * tables of columns that are nearly functions of each other: with two looks such directions are found at a squared part of the noise, with three at
 * its cube; beyond that limit looks at such axes lose up to ten nats.
 */
#define DPEM_GMM_WHITEN_LOOKS 3
extern bool dpem_gmm_whitens_again(const DpemGmmPrediction *p);

/*
 * Scale matrix of the default prior of covariances where rows are whitened and nothing is noise.  It is told in the
 * ball, whose radius a fit without noise opens: the prior is what it is at the tightest clip, 1.3 sqrt(d).
 */
extern double dpem_gmm_open_scale(double scale, int d, double radius);

/* least weight of a pass over whitened rows in the average; p: noise of one of the passes */
extern double dpem_gmm_least_step(const DpemGmmPrediction *p, double radius);

/*
 * Radius at which whitened rows are clipped: 1.3 sqrt(d); where noise is no larger
 * than the parameters, at least the 92 % quantile of a normal vector's norm; and
 * more where the noise is small against the variance that clipping loses, which counts the more the
 * less several components can be told apart.  lost: share of the variance lost to the whitening stage's
 * clip; p: noise of one pass.
 */
extern double dpem_gmm_whitened_radius(const DpemGmmPrediction *p, double lost);

#endif							/* DPEM_CORE_GMM_RULES_H */
