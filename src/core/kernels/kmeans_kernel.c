/*
 * kmeans_kernel.c - k-means' assignment of a block of rows.
 *
 * The nearest center is that of the greatest c.x - |c|^2 / 2.  Features stay
 * in their own integer units: multiplying by 2^q, on both sides of every
 * comparison, rounds nothing.
 */
#include <stddef.h>
#include <stdint.h>

#include "core/kernels/kernel.h"
#include "core/kernels/kmeans_kernel.h"
#include "core/numeric/fpenv.h"

typedef struct Centers
{
	int			k;
	int			d;
	const double *center;		/* k * d */
	const double *offset;		/* k: 2^q |c|^2 / 2 */
	double		unit;			/* a whole responsibility */
} Centers;

#define KERNEL_BODY "core/kernels/kmeans_body.h"
#include "core/pass/kernel_each_clone.h"

size_t
dpem_kmeans_scratch(int k)
{
	return (size_t) k;
}

static void
offsets_of(int k, int d, const double *center, double feature_unit, double *offset)
{
	for (int i = 0; i < k; i++)
	{
		double		square = 0;

		for (int j = 0; j < d; j++)
			square += center[(size_t) i * d + j] * center[(size_t) i * d + j];
		offset[i] = 0.5 * feature_unit * square;
	}
}

void
dpem_kmeans_respond_clone(DpemClone clone, int k, const double *center, const DpemBlock *block,
						  int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	Centers		centers = {k, block->d, center, scratch, (double) (INT64_C(1) << responsibility_bits)};
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	offsets_of(k, block->d, center, (double) (INT64_C(1) << feature_bits), scratch);
	CALL_CLONE(clone, kmeans_respond, (&centers, block, r));
	dpem_fpenv_leave(&fpenv);
}

void
dpem_kmeans_respond(int k, const double *center, const DpemBlock *block, int feature_bits,
					int responsibility_bits, double *r, double *scratch)
{
	dpem_kmeans_respond_clone(dpem_clone_best(), k, center, block, feature_bits,
							  responsibility_bits, r, scratch);
}

/* ---- the kernel of a pass -------------------------------------------------- */

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

const DpemKernel dpem_kernel_kmeans = {
	.name = "kmeans",.code = 3,.max_components = DPEM_KMEANS_MAX_COMPONENTS,.theta_length = kmeans_theta_length,
	.scratch_length = kmeans_scratch_length,.counts_rows = true,.respond = kmeans_respond
};
