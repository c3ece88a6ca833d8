/*
 * refine_kernel.c - the kernel `gmm_refine`; see refine.h.
 *
 * A component's frame is a feature map: center m_k, matrix U_k, radius R, of rows that are features already.  So what a
 * component is given are integers of the unit ball, checked row by row as all features are, and a row that has none there
 * gives it nothing.
 */
#include <math.h>
#include <string.h>

#include "core/kernels/gmm_kernel.h"
#include "core/refine/refine.h"

typedef struct Frames
{
	DpemMomentLayout one;		/* of a component alone */
	DpemFeatureMap map;
	double	   *r;
	double	   *matrix;			/* d * d */
	double	   *scratch;
	DpemBlock	rows;			/* in the frame at hand */
} Frames;

static size_t
most(size_t a, size_t b)
{
	return a > b ? a : b;
}

static DpemFeatureMap
frame_map(const DpemMomentLayout *layout, int feature_bits, double radius, double *ends, const double *matrix)
{
	for (int j = 0; j < layout->d; j++)
	{
		ends[j] = -1;
		ends[layout->d + j] = 1;
	}
	return (DpemFeatureMap) {
		.d = layout->d,.bits = feature_bits,.radius = radius,.lower = ends,.upper = ends + layout->d,.whitening = matrix
	};
}

static size_t
shared_scratch(const DpemMomentLayout *layout)
{
	DpemMomentLayout one = {1, layout->d, layout->second};
	DpemFeatureMap map = {.d = layout->d,.whitening = (const double[1]) {0}};

	return most(dpem_kernel_gmm.scratch_length(layout), most(dpem_moments_scratch(&one), dpem_features_scratch(&map)));
}

static size_t
refine_scratch_length(const DpemMomentLayout *layout)
{
	size_t		d = (size_t) layout->d;

	return ((size_t) layout->k + d + 1) * DPEM_BLOCK_STRIDE + d * d + 2 * d + shared_scratch(layout);
}

/* aligned arrays come first */
static Frames
begin_frames(const DpemMomentLayout *layout, const double *theta, int feature_bits, double *scratch)
{
	size_t		d = (size_t) layout->d;
	Frames		f = {.one = {1, layout->d, layout->second},.r = scratch};
	double	   *ends;

	f.rows.d = layout->d;
	f.rows.x = f.r + (size_t) layout->k * DPEM_BLOCK_STRIDE;
	f.rows.keep = f.rows.x + d * DPEM_BLOCK_STRIDE;
	f.scratch = f.rows.keep + DPEM_BLOCK_STRIDE;
	f.matrix = f.scratch + shared_scratch(layout);
	ends = f.matrix + d * d;
	f.map = frame_map(layout, feature_bits, theta[dpem_refine_theta_length(layout) - 1], ends, f.matrix);
	return f;
}

/* U_k as a full matrix */
static void
unpack_factor(const DpemMomentLayout *layout, const double *factor, double *matrix)
{
	size_t		d = (size_t) layout->d;

	memset(matrix, 0, d * d * sizeof(double));
	for (size_t i = 0; i < d; i++)
	{
		if (layout->second == DPEM_SECOND_FULL)
			memcpy(matrix + i * d, factor + i * (i + 1) / 2, (i + 1) * sizeof(double));
		else
			matrix[i * d + i] = factor[layout->second == DPEM_SECOND_DIAGONAL ? i : 0];
	}
}

/* the block's rows in the frame of a component; its responsibility for those that have no place there becomes 0 */
static void
enter_frame(Frames *f, const DpemBlock *block, double unit, double *r)
{
	int			padded = DPEM_BLOCK_PADDED(block->rows);

	f->rows.rows = block->rows;
	f->rows.d = f->one.d;
	for (int j = 0; j < f->one.d; j++)
		for (int row = 0; row < padded; row++)
			f->rows.x[(size_t) j * DPEM_BLOCK_STRIDE + row] = block->x[(size_t) j * DPEM_BLOCK_STRIDE + row] * unit;
	memcpy(f->rows.keep, block->keep, padded * sizeof(double));
	dpem_features_apply(&f->map, &f->rows, f->scratch);
	for (int row = 0; row < padded; row++)
		r[row] *= f->rows.keep[row];
}

static void
refine_accumulate(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block, int feature_bits,
				  int responsibility_bits, double *sums, double *scratch)
{
	size_t		k = (size_t) layout->k;
	size_t		d = (size_t) layout->d;
	size_t		length = dpem_gmm_factor_length(layout->second, layout->d);
	DpemGmmPrepared mix = {layout->k, layout->d, layout->second, theta, theta + k, theta + k + k * d};
	Frames		f = begin_frames(layout, theta, feature_bits, scratch);

	dpem_gmm_responsibilities(&mix, block, feature_bits, responsibility_bits, f.r, f.scratch);
	for (size_t c = 0; c < k; c++)
	{
		f.map.center = mix.mean + c * d;
		unpack_factor(layout, mix.factor + c * length, f.matrix);
		enter_frame(&f, block, ldexp(1, -feature_bits), f.r + c * DPEM_BLOCK_STRIDE);
		dpem_moments_block(&f.one, &f.rows, f.r + c * DPEM_BLOCK_STRIDE, sums + c * dpem_moments_record(layout), f.scratch);
	}
}

size_t
dpem_refine_theta_length(const DpemMomentLayout *layout)
{
	return dpem_kernel_gmm.theta_length(layout) + 1;
}

static bool
refine_theta_valid(const DpemMomentLayout *layout, const double *theta)
{
	double		radius = theta[dpem_refine_theta_length(layout) - 1];
	bool		has_factors = dpem_gmm_factor_length(layout->second, layout->d) > 0;

	return has_factors && isfinite(radius) && radius > 0;
}

const DpemKernel dpem_kernel_gmm_refine = {
	.name = "gmm_refine",.code = 63,.max_components = DPEM_GMM_MAX_COMPONENTS,.theta_length = dpem_refine_theta_length,
	.theta_valid = refine_theta_valid,.scratch_length = refine_scratch_length,.counts_rows = true,.accumulate = refine_accumulate
};
