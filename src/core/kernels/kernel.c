/*
 * kernel.c - the table of kernels, and the trivial one.
 */
#include <math.h>

#include "core/kernels/kernel.h"

static const DpemKernel *const kernels[] = {
	&dpem_kernel_sums, &dpem_kernel_gmm, &dpem_kernel_kmeans, &dpem_kernel_projection,
	&dpem_kernel_cells, &dpem_kernel_scores, &dpem_kernel_blocks, &dpem_kernel_block_cells, &dpem_kernel_nearby,
	&dpem_kernel_logit, &dpem_kernel_lda, &dpem_kernel_sbn, &dpem_kernel_margins,
	&dpem_kernel_class_margins, &dpem_kernel_logit_gradient,
	&dpem_kernel_evaluate, &dpem_kernel_class_evaluate, &dpem_kernel_pairs_evaluate, &dpem_kernel_summary,
	&dpem_kernel_class_cells, &dpem_kernel_class_pairs, &dpem_kernel_gam_target, &dpem_kernel_gam_moments, &dpem_kernel_gam_gradient,
	&dpem_kernel_class_gradient, &dpem_kernel_class_curvature, &dpem_kernel_slopes, &dpem_kernel_residual, &dpem_kernel_tables,
	&dpem_kernel_compare, &dpem_kernel_gmm_observed, &dpem_kernel_margins_observed, &dpem_kernel_class_margins_observed,
	&dpem_kernel_gmm_refine, &dpem_kernel_column_frames
};

const DpemKernel *
dpem_kernel_from_code(uint8_t code)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
	{
		if (kernels[i]->code == code)
			return kernels[i];
	}
	return NULL;
}

size_t
dpem_kernel_theta_length(const DpemKernel *kernel, const DpemMomentLayout *layout,
						 const double *theta, size_t available)
{
	return kernel->theta_check ? kernel->theta_check(layout, theta, available)
		: kernel->theta_length(layout);
}

size_t
dpem_kernel_no_length(const DpemMomentLayout *layout)
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

const DpemKernel dpem_kernel_sums = {
	.name = "sums",.code = 1,.max_components = 1,.counts_rows = true,.theta_length = dpem_kernel_no_length,
	.scratch_length = dpem_kernel_no_length,.respond = sums_respond
};
