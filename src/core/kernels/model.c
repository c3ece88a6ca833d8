/*
 * model.c - the families, and the trivial one.
 */
#include <math.h>

#include "core/kernels/block_means.h"
#include "core/kernels/cells.h"
#include "core/kernels/gmm_kernel.h"
#include "core/kernels/kmeans_kernel.h"
#include "core/kernels/lda_kernel.h"
#include "core/kernels/logit_kernel.h"
#include "core/kernels/model.h"
#include "core/kernels/nearby.h"
#include "core/kernels/projection.h"
#include "core/kernels/sbn_kernel.h"
#include "core/kernels/score_kernel.h"

static const DpemFamily *const families[] = {
	&dpem_family_sums, &dpem_family_gmm, &dpem_family_kmeans, &dpem_family_projection,
	&dpem_family_cells, &dpem_family_scores, &dpem_family_blocks, &dpem_family_nearby,
	&dpem_family_logit, &dpem_family_lda, &dpem_family_sbn
};

const DpemFamily *
dpem_family_from_code(uint8_t code)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
	{
		if (families[i]->code == code)
			return families[i];
	}
	return NULL;
}

size_t
dpem_family_theta_length(const DpemFamily *family, const DpemMomentLayout *layout,
						 const double *theta, size_t available)
{
	return family->theta_check ? family->theta_check(layout, theta, available)
		: family->theta_length(layout);
}

static size_t
sums_length(const DpemMomentLayout *layout)
{
	(void) layout;
	return 0;
}

static void
sums_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
			 int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	double		one = ldexp(1.0, responsibility_bits);

	(void) layout;
	(void) theta;
	(void) feature_bits;
	(void) scratch;
	for (int row = 0; row < DPEM_BLOCK_STRIDE; row++)
		r[row] = row < block->rows ? block->keep[row] * one : 0.0;
}

const DpemFamily dpem_family_sums = {
	.name = "sums",
	.code = 1,
	.max_components = 1,
	.theta_length = sums_length,
	.scratch_length = sums_length,
	.respond = sums_respond
};

static size_t
gmm_theta_length(const DpemMomentLayout *layout)
{
	return (size_t) layout->k * (1 + (size_t) layout->d +
								 dpem_gmm_factor_length(layout->second, layout->d));
}

static size_t
gmm_scratch_length(const DpemMomentLayout *layout)
{
	return dpem_gmm_scratch(layout->k, layout->d);
}

static void
gmm_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
			int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	size_t		k = (size_t) layout->k;
	DpemGmmPrepared mix = {
		.k = layout->k,
		.d = layout->d,
		.shape = layout->second,
		.offset = theta,
		.mean = theta + k,
		.factor = theta + k + k * (size_t) layout->d
	};

	dpem_gmm_responsibilities(&mix, block, feature_bits, responsibility_bits, r, scratch);
}

const DpemFamily dpem_family_gmm = {
	.name = "gmm",
	.code = 2,
	.max_components = DPEM_GMM_MAX_COMPONENTS,
	.theta_length = gmm_theta_length,
	.scratch_length = gmm_scratch_length,
	.respond = gmm_respond
};

static size_t
kmeans_theta_length(const DpemMomentLayout *layout)
{
	return (size_t) layout->k * layout->d;
}

static size_t
kmeans_scratch_length(const DpemMomentLayout *layout)
{
	return dpem_kmeans_scratch(layout->k);
}

static void
kmeans_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
			   int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	dpem_kmeans_respond(layout->k, theta, block, feature_bits, responsibility_bits, r, scratch);
}

const DpemFamily dpem_family_kmeans = {
	.name = "kmeans",
	.code = 3,
	.max_components = DPEM_KMEANS_MAX_COMPONENTS,
	.theta_length = kmeans_theta_length,
	.scratch_length = kmeans_scratch_length,
	.respond = kmeans_respond
};

static size_t
projection_theta_length(const DpemMomentLayout *layout)
{
	return (size_t) layout->k * layout->d;
}

static bool
projection_theta_valid(const DpemMomentLayout *layout, const double *theta)
{
	return layout->second == DPEM_SECOND_NONE && layout->k <= layout->d &&
		dpem_projection_is_orthonormal(layout->k, layout->d, theta);
}

static void
projection_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
				   int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	(void) scratch;
	dpem_projection_apply(layout->k, theta, block, feature_bits, responsibility_bits, r);
}

const DpemFamily dpem_family_projection = {
	.name = "projection",
	.code = 4,
	.contribution = DPEM_PROJECTED,
	.max_components = DPEM_PROJECTION_MAX,
	.theta_length = projection_theta_length,
	.scratch_length = sums_length,
	.theta_valid = projection_theta_valid,
	.respond = projection_respond
};

static size_t
cells_theta_check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	return layout->second == DPEM_COUNTS_ALONE
		? dpem_cells_check(layout->k, layout->d, theta, available) : 0;
}

static size_t
cells_scratch_length(const DpemMomentLayout *layout)
{
	(void) layout;
	return dpem_cells_scratch();
}

static void
cells_locate(const DpemMomentLayout *layout, const double *theta, DpemBlock *block, int feature_bits,
			 int32_t *component, double *scratch)
{
	(void) layout;
	dpem_cells_locate(theta, block, feature_bits, component, scratch);
}

const DpemFamily dpem_family_cells = {
	.name = "cells",
	.code = 5,
	.max_components = DPEM_CELLS_MAX,
	.theta_check = cells_theta_check,
	.scratch_length = cells_scratch_length,
	.locate = cells_locate
};

static size_t
scores_theta_check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	if (available < 2 || !(theta[0] >= 1 && theta[0] <= DPEM_KMEANS_MAX_COMPONENTS &&
						   theta[0] == rint(theta[0]) && theta[1] > 0))
		return 0;
	return 2 + (size_t) layout->k * (size_t) theta[0] * (size_t) layout->d;
}

static size_t
scores_scratch_length(const DpemMomentLayout *layout)
{
	(void) layout;
	return dpem_score_scratch();
}

static void
scores_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
			   int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	dpem_score_respond(layout->k, (int) theta[0], theta + 2, theta[1], block, feature_bits,
					   responsibility_bits, r, scratch);
}

const DpemFamily dpem_family_scores = {
	.name = "scores",
	.code = 6,
	.contribution = DPEM_MARKS,
	.max_components = DPEM_SCORE_MAX_CANDIDATES,
	.theta_check = scores_theta_check,
	.scratch_length = scores_scratch_length,
	.respond = scores_respond
};

static size_t
blocks_theta_length(const DpemMomentLayout *layout)
{
	return DPEM_BLOCK_TASK_HEAD + (size_t) layout->k * (size_t) layout->d;
}

static bool
is_whole(double value, double most)
{
	return value >= 1 && value <= most && value == rint(value);
}

static bool
blocks_theta_valid(const DpemMomentLayout *layout, const double *theta)
{
	return layout->second == DPEM_SECOND_NONE && is_whole(theta[0], DPEM_BLOCKS_MAX) &&
		is_whole(theta[1], INT32_MAX) && is_whole(theta[2], 0x1p40);
}

const DpemFamily dpem_family_blocks = {
	.name = "blocks",
	.code = 7,
	.aggregate = "block_means",
	.contribution = DPEM_BLOCK_OUTPUT,
	.max_components = DPEM_KMEANS_MAX_COMPONENTS,
	.theta_length = blocks_theta_length,
	.scratch_length = sums_length,
	.theta_valid = blocks_theta_valid
};

static size_t
nearby_theta_length(const DpemMomentLayout *layout)
{
	return dpem_nearby_theta_length(layout->k, layout->d);
}

static bool
nearby_theta_valid(const DpemMomentLayout *layout, const double *theta)
{
	return layout->second == DPEM_SECOND_NONE && dpem_nearby_valid(layout->k, layout->d, theta);
}

static size_t
nearby_scratch_length(const DpemMomentLayout *layout)
{
	(void) layout;
	return dpem_nearby_scratch();
}

static void
nearby_locate(const DpemMomentLayout *layout, const double *theta, DpemBlock *block, int feature_bits,
			  int32_t *component, double *scratch)
{
	dpem_nearby_locate(layout->k, theta, block, feature_bits, component, scratch);
}

const DpemFamily dpem_family_nearby = {
	.name = "nearby",
	.code = 8,
	.max_components = DPEM_NEARBY_MAX_COMPONENTS,
	.theta_length = nearby_theta_length,
	.theta_valid = nearby_theta_valid,
	.scratch_length = nearby_scratch_length,
	.locate = nearby_locate
};

static size_t
logit_theta_length(const DpemMomentLayout *layout)
{
	return (size_t) layout->d * ((size_t) layout->d + 1) / 2;
}

static void
logit_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
			  int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	(void) layout;
	(void) scratch;
	dpem_logit_respond(theta, block, feature_bits, responsibility_bits, r);
}

const DpemFamily dpem_family_logit = {
	.name = "logit",
	.code = 9,
	.max_components = 1,
	.labelled = true,
	.theta_length = logit_theta_length,
	.scratch_length = sums_length,
	.respond = logit_respond
};

static size_t
sbn_theta_length(const DpemMomentLayout *layout)
{
	return dpem_sbn_theta_length(layout->k, layout->d);
}

static size_t
sbn_scratch_length(const DpemMomentLayout *layout)
{
	return dpem_sbn_scratch(layout->k, layout->d);
}

const DpemFamily dpem_family_sbn = {
	.name = "sbn",
	.code = 11,
	.contribution = DPEM_GRADIENT,
	.max_components = 1 + DPEM_SBN_MAX_HIDDEN,
	.theta_length = sbn_theta_length,
	.theta_valid = dpem_sbn_valid,
	.scratch_length = sbn_scratch_length,
	.accumulate = dpem_sbn_accumulate
};

static size_t
lda_theta_length(const DpemMomentLayout *layout)
{
	return DPEM_LDA_TASK_HEAD + (size_t) layout->k * (size_t) layout->d;
}

static bool
lda_theta_valid(const DpemMomentLayout *layout, const double *theta)
{
	return layout->second == DPEM_SECOND_NONE && dpem_lda_task_valid(layout, theta);
}

const DpemFamily dpem_family_lda = {
	.name = "lda",
	.code = 10,
	.aggregate = "topic_counts",
	.contribution = DPEM_DOCUMENT,
	.max_components = DPEM_LDA_MAX_TOPICS,
	.theta_length = lda_theta_length,
	.scratch_length = sums_length,
	.theta_valid = lda_theta_valid
};
