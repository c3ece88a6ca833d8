/*
 * kernel.h - kernels: what a pass over the data computes.
 *
 * A pass computes moments += Phi' R for every block: the feature map gives
 * Phi, the moment layout says which products of it are computed, and the
 * kernel's link turns parameters theta and a block into responsibilities R.
 * A new kernel is one file that fills such a table.
 */
#ifndef DPEM_CORE_KERNEL_H
#define DPEM_CORE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pass/block.h"
#include "core/pass/contribution.h"
#include "core/pass/features.h"
#include "core/pass/moments.h"

typedef struct DpemKernel
{
	const char *name;
	uint8_t		code;			/* on the wire between backend and workers */
	const char *aggregate;		/* that computes the pass, in schema dpem; NULL: moments */
	DpemContribution contribution;
	int			max_components;
	bool		labelled;		/* rows have a label, given as the sign of their features */
	bool		keeps_signs;	/* features have no signs: labels are in the block, or only make rows without one null rows;
								 * there may be more than two classes */

	/* numbers in theta; layout->second: the covariance shape */
	size_t		(*theta_length) (const DpemMomentLayout *layout);

	/*
	 * Instead of theta_length, if theta contains its own length: that length, or 0
	 * if the `available` numbers do not begin with parameters for the layout.
	 */
	size_t		(*theta_check) (const DpemMomentLayout *layout, const double *theta, size_t available);

	/* doubles of workspace the link needs */
	size_t		(*scratch_length) (const DpemMomentLayout *layout);

	/* does theta satisfy what the kernel's proofs assume?  NULL: they assume nothing */
	bool		(*theta_valid) (const DpemMomentLayout *layout, const double *theta);

	/*
	 * Responsibilities r[k * DPEM_BLOCK_STRIDE + row] of every row, zero for
	 * null and padding rows: integers summing to 2^responsibility_bits over
	 * k, or, for 0 bits, real numbers summing to 1.  A kernel with its own
	 * sensitivity (`projection`) may return other numbers.  NULL if the kernel
	 * has its own aggregate.
	 */
	void		(*respond) (const DpemMomentLayout *layout, const double *theta,
							const DpemBlock *block, int feature_bits, int responsibility_bits,
							double *r, double *scratch);

	/*
	 * Instead of respond, if every row belongs wholly to one component: the
	 * component of each row of the block, -1 for null rows.  Only counts
	 * (DPEM_COUNTS_ALONE), counts and sums (DPEM_SECOND_NONE) or these and
	 * squared norms (DPEM_SECOND_NORM) are accumulated.  It may replace the
	 * block's features by others in the unit ball, which are then summed.
	 */
	void		(*locate) (const DpemMomentLayout *layout, const double *theta,
						   DpemBlock *block, int feature_bits, int32_t *component, double *scratch);

	/*
	 * Makes of theta, once a pass, what locate is given in its place, in memory that outlives the
	 * pass; nobody else reads it.  NULL: locate is given theta.
	 */
	const double *(*prepare) (const DpemMomentLayout *layout, const double *theta);

	/*
	 * Instead of respond, if a row's contribution is no product of
	 * responsibilities and features: sums[] = the block's moments, as from
	 * dpem_moments_block.  Only such a kernel may have DPEM_SECOND_COMPONENTS,
	 * and only such kernels and those that locate DPEM_COUNTS_ALONE.
	 */
	void		(*accumulate) (const DpemMomentLayout *layout, const double *theta,
							   const DpemBlock *block, int feature_bits, int responsibility_bits,
							   double *sums, double *scratch);

	/*
	 * Makes of the features of a block what accumulate is given in their place: numbers of 16 bits, so many of each row,
	 * in code[] (DpemBlock.code).  Nothing of theta in which passes of one fit differ may change them, so that they are
	 * kept between these instead of rows.  NULL: accumulate is given features.
	 */
	int			(*codes) (const double *theta);
	void		(*encode) (const double *theta, const DpemBlock *block, int feature_bits, int16_t *code);

	/*
	 * accumulate adds to sums[], at most 2^(feature_bits + responsibility_bits) for each row, so that many blocks fit into
	 * it.  Its workspace is then its own until all blocks are added, and zero before the first; what it has kept there
	 * complete adds to sums[] and clears.  NULL: it keeps nothing
	 */
	bool		adds;
	void		(*complete) (const DpemMomentLayout *layout, const double *theta, int feature_bits, int responsibility_bits,
							 double *sums, double *scratch);

	/*
	 * Features only say which components a row adds to, which others of DPEM_FEATURE_BITS locate has in their place, or by how much the
	 * row is off from what is expected of it, and what it adds is rounded by itself: they may have DPEM_FINE_BITS, and units of sums
	 * are those of DPEM_FEATURE_BITS all the same
	 */
	bool		fine;

	/* every row that counts adds 1 to the counts of all components together, with parameters of dpem's own */
	bool		counts_rows;

	/* theta is written by dpem alone, and not to be believed from anybody else (scan/pass.h) */
	bool		own;

	/*
	 * Instead of respond, if a row adds 1 to several components: adds `unit` to
	 * exact[], or 1 to real[] (the other is NULL), for every row of the block and each
	 * of its components.  Of layout DPEM_COUNTS_ALONE only.
	 */
	void		(*tally) (const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
						  int feature_bits, int64_t unit, DpemInt128 *exact, double *real, double *scratch);

	/*
	 * Besides respond or accumulate: adds to sums[] what rows contribute of which some coordinates
	 * are unknown.  rows: raw values, not finite where unknown, before the feature map.  Integers,
	 * as the sums are, if the map has bits.  Null rows otherwise.
	 */
	void		(*add_incomplete) (const DpemMomentLayout *layout, const double *theta, const DpemFeatureMap *map,
								   const DpemBlock *rows, int responsibility_bits, double *sums, double *scratch);
} DpemKernel;

/* 0: for kernels without theta, or without workspace */
extern size_t dpem_kernel_no_length(const DpemMomentLayout *layout);

/* every row belongs wholly to the one component: plain sums and second moments */
extern const DpemKernel dpem_kernel_sums;

/* theta = offset (k), mean (k * d), factor; see gmm_kernel.h */
extern const DpemKernel dpem_kernel_gmm;

/* the same for rows of which only some coordinates are known; theta: see core/mixture/observed.h */
extern const DpemKernel dpem_kernel_gmm_observed;

/* the same theta and a radius: every component's moments in units of its own deviations; see core/refine/refine.h */
extern const DpemKernel dpem_kernel_gmm_refine;

/* the same for numbers and categories, each number in units of its own; see core/refine/column_frames.h */
extern const DpemKernel dpem_kernel_column_frames;

/* theta = centers (k * d); see kmeans_kernel.h */
extern const DpemKernel dpem_kernel_kmeans;

/* theta = k orthonormal directions; signed projections instead of responsibilities, see projection.h */
extern const DpemKernel dpem_kernel_projection;

/* theta = a grid; see cells.h */
extern const DpemKernel dpem_kernel_cells;

/* theta = two mixtures; counts of rows by what these say of them, see density/compare_kernel.h */
extern const DpemKernel dpem_kernel_compare;

/*
 * theta = centers per candidate, reach, then candidates * centers * d numbers;
 * components are candidates and responsibilities marks; see score_kernel.h
 */
extern const DpemKernel dpem_kernel_scores;

/*
 * theta = a DpemBlockTask; no responsibilities: sums are those of the outputs
 * of k-means or least squares within random blocks of rows, see block_means.h
 */
extern const DpemKernel dpem_kernel_blocks;

/* theta = a DpemBlockCells; counts of the blocks' outputs in cells, see core/robust/block_cells.h */
extern const DpemKernel dpem_kernel_block_cells;

/* theta = centers (k * d), reaches (k); see nearby.h */
extern const DpemKernel dpem_kernel_nearby;

/*
 * theta = a lower triangular factor; one component, of responsibility at most
 * 1, and rows with labels; see logit_kernel.h
 */
extern const DpemKernel dpem_kernel_logit;

/* theta = coefficients (d); one component, of responsibility at most 1, and rows with labels; see logit_kernel.h */
extern const DpemKernel dpem_kernel_logit_gradient;

/*
 * theta = loss, bound and coefficients of every problem (components); sums are negative
 * gradients, see logit_kernel.h.  The other: loss and coefficients of one problem
 */
extern const DpemKernel dpem_kernel_class_gradient;
extern const DpemKernel dpem_kernel_class_curvature;

/* theta as of class_curvature, and rows with labels; two or three components, the slope's digits (dpem_slopes_respond) */
extern const DpemKernel dpem_kernel_slopes;

/* theta = a bound and coefficients; gradients of a regression, see online/residual_kernel.h */
extern const DpemKernel dpem_kernel_residual;

/* theta = a grid; histograms of every column, see margins.h; the second for rows with labels */
extern const DpemKernel dpem_kernel_margins;
extern const DpemKernel dpem_kernel_class_margins;
/* of rows of which only some coordinates are known: of these */
extern const DpemKernel dpem_kernel_margins_observed;
extern const DpemKernel dpem_kernel_class_margins_observed;

/* theta = a DpemClassCells; counts by class and cell of every column, see bayes/class_cells.h */
extern const DpemKernel dpem_kernel_class_cells;

/* theta = a DpemClassPairs; counts of rows by what a classifier says of two classes, see bayes/class_pairs.h */
extern const DpemKernel dpem_kernel_class_pairs;

/* theta = tables; counts of the cells of many tables at once, see tables.h */
extern const DpemKernel dpem_kernel_tables;

/*
 * theta = a DpemLdaTask; rows are documents, coordinates the terms of a
 * vocabulary and sums a document's words by topic, see lda_kernel.h
 */
extern const DpemKernel dpem_kernel_lda;

/*
 * theta = clip norm, hidden biases (k - 1), weights (k * d); components are the
 * constant unit and the hidden ones; see sbn_kernel.h
 */
extern const DpemKernel dpem_kernel_sbn;

/*
 * theta = an evaluation, and what its rows are scored by; see core/evaluation/evaluate_kernel.h; the second for
 * rows with labels, the third for those of more than two classes
 */
extern const DpemKernel dpem_kernel_evaluate;
extern const DpemKernel dpem_kernel_class_evaluate;
extern const DpemKernel dpem_kernel_pairs_evaluate;

/* theta = a summary, see core/statistics/summary.h */
extern const DpemKernel dpem_kernel_summary;
/* theta = a shape and coefficients; counts of rows as cells, and sums of residuals over them, see gam_kernel.h */
extern const DpemKernel dpem_kernel_gam_target;
extern const DpemKernel dpem_kernel_gam_moments;
extern const DpemKernel dpem_kernel_gam_gradient;

/* length of theta, by theta_length or theta_check; 0 if theta_check rejects it */
extern size_t dpem_kernel_theta_length(const DpemKernel *kernel, const DpemMomentLayout *layout,
									   const double *theta, size_t available);

/* NULL if there is no such kernel */
extern const DpemKernel *dpem_kernel_from_code(uint8_t code);

#endif							/* DPEM_CORE_KERNEL_H */
