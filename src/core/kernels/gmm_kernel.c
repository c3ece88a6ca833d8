/*
 * gmm_kernel.c - the E-step of a Gaussian mixture on a block of rows.
 *
 * Logits come from the triangular product v = U (x - m) itself and not from
 * its expansion into x'Ax + b'x + c, which cancels when a covariance is
 * nearly singular.  No BLAS: the bits of a row would depend on its
 * neighbours in the block.
 */
#include <stddef.h>
#include <stdint.h>

#include "core/kernels/gmm_kernel.h"
#include "core/kernels/kernel.h"
#include "core/numeric/fpenv.h"

typedef struct Quantiser
{
	double		feature_unit;	/* 2^-feature_bits */
	double		unit;			/* 2^responsibility_bits */
	double		bias;			/* subtracted before rounding */
} Quantiser;

size_t
dpem_gmm_factor_length(DpemSecondMoment shape, int d)
{
	switch (shape)
	{
		case DPEM_SECOND_FULL:
			return (size_t) d * (d + 1) / 2;
		case DPEM_SECOND_DIAGONAL:
			return d;
		case DPEM_SECOND_NORM:
			return 1;
		default:
			return 0;
	}
}

#define KERNEL_BODY "core/kernels/gmm_body.h"
#include "core/pass/kernel_each_clone.h"

/* the group's features and their distances from one mean */
size_t
dpem_gmm_scratch(int k, int d)
{
	(void) k;
	return (size_t) 2 * d * DPEM_BLOCK_GROUP;
}

/*
 * Rounding to nearest adds at most (K - 1) / 2 to the sum of all but the
 * largest, which is at least 2^p / K: nothing turns negative while
 * K (K - 1) <= 2^(p+1).  Beyond that responsibilities are rounded down.
 */
static Quantiser
quantiser_of(int k, int feature_bits, int responsibility_bits)
{
	Quantiser	q;

	q.feature_unit = 1.0 / (double) (INT64_C(1) << feature_bits);
	q.unit = (double) (INT64_C(1) << responsibility_bits);
	q.bias = (double) k * (k - 1) <= 2.0 * q.unit ? 0.0 : 0.5;
	return q;
}

void
dpem_gmm_responsibilities_clone(DpemClone clone, const DpemGmmPrepared *mix,
								const DpemBlock *block, int feature_bits,
								int responsibility_bits, double *r, double *scratch)
{
	Quantiser	q;
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	q = quantiser_of(mix->k, feature_bits, responsibility_bits);
	CALL_CLONE(clone, gmm_responsibilities, (mix, block, &q, r, scratch));
	dpem_fpenv_leave(&fpenv);
}

void
dpem_gmm_responsibilities(const DpemGmmPrepared *mix, const DpemBlock *block,
						  int feature_bits, int responsibility_bits,
						  double *r, double *scratch)
{
	dpem_gmm_responsibilities_clone(dpem_clone_best(), mix, block, feature_bits,
									responsibility_bits, r, scratch);
}

/* ---- the kernel of a pass -------------------------------------------------- */

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

const DpemKernel dpem_kernel_gmm = {
	.name = "gmm",.code = 2,.max_components = DPEM_GMM_MAX_COMPONENTS,.theta_length = gmm_theta_length,
	.scratch_length = gmm_scratch_length,.counts_rows = true,.respond = gmm_respond
};
