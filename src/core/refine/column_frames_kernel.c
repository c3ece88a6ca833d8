/*
 * column_frames_kernel.c - the kernel `column_frames`; see column_frames.h.
 *
 * What a component is given has passed a feature map of radius 1 (docs/proofs.md, 2), so that it is integers of the unit ball, checked row by
 * row, and a row that has none there gives it nothing.
 */
#include <math.h>
#include <string.h>

#include "core/kernels/gmm_kernel.h"
#include "core/refine/column_frames.h"

typedef struct Frames
{
	DpemMomentLayout one;		/* of a component alone */
	DpemFeatureMap map;
	int			place;			/* p */
	const double *factor;		/* of the component at hand, n */
	const double *origin;
	double	   *r;
	double	   *scratch;
	DpemBlock	rows;			/* in its frame */
} Frames;

static size_t
shared_scratch(const DpemMomentLayout *layout)
{
	DpemMomentLayout one = {1, layout->d, layout->second};
	size_t		gmm = dpem_kernel_gmm.scratch_length(layout);
	size_t		moments = dpem_moments_scratch(&one);

	return gmm > moments ? gmm : moments;
}

static size_t
frames_scratch_length(const DpemMomentLayout *layout)
{
	size_t		d = (size_t) layout->d;

	return ((size_t) layout->k + d + 1) * DPEM_BLOCK_STRIDE + 2 * d + shared_scratch(layout);
}

/* aligned arrays come first */
static Frames
begin_frames(const DpemMomentLayout *layout, const double *theta, int feature_bits, double *scratch)
{
	int			d = layout->d;
	Frames		f = {.one = {1, d, layout->second},.r = scratch};
	double	   *ends;

	f.place = (int) theta[dpem_column_frames_theta_length(layout) - 1];
	f.rows.x = f.r + (size_t) layout->k * DPEM_BLOCK_STRIDE;
	f.rows.keep = f.rows.x + (size_t) d * DPEM_BLOCK_STRIDE;
	f.scratch = f.rows.keep + DPEM_BLOCK_STRIDE;
	ends = f.scratch + shared_scratch(layout);
	for (int j = 0; j < d; j++)
	{
		ends[j] = -1;
		ends[d + j] = 1;
	}
	f.map = (DpemFeatureMap) {.d = d,.bits = feature_bits,.radius = 1,.lower = ends,.upper = ends + d};
	return f;
}

/* the block's rows in the frame of a component; its responsibility for those that have no place there becomes 0 */
static void
enter_frame(Frames *f, const DpemBlock *block, double unit, double *r)
{
	int			padded = DPEM_BLOCK_PADDED(block->rows);
	int			d = f->one.d;

	f->rows.rows = block->rows;
	f->rows.d = d;
	for (int j = 0; j < d; j++)
	{
		const double *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;
		const double *known = f->place > 0 && f->place < d - j ? x + (size_t) f->place * DPEM_BLOCK_STRIDE : NULL;
		double		factor = f->factor[j] * unit;
		double		origin = f->origin[j];
		double	   *z = f->rows.x + (size_t) j * DPEM_BLOCK_STRIDE;

		for (int row = 0; row < padded; row++)
			z[row] = factor * x[row] - (known != NULL ? origin * unit * known[row] : f->place > 0 ? 0 : origin);
	}
	memcpy(f->rows.keep, block->keep, padded * sizeof(double));
	dpem_features_apply(&f->map, &f->rows, f->scratch);
	for (int row = 0; row < padded; row++)
		r[row] *= f->rows.keep[row];
}

static void
frames_accumulate(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block, int feature_bits,
				  int responsibility_bits, double *sums, double *scratch)
{
	size_t		k = (size_t) layout->k;
	size_t		d = (size_t) layout->d;
	const double *own = theta + dpem_kernel_gmm.theta_length(layout);
	DpemGmmPrepared mix = {layout->k, layout->d, layout->second, theta, theta + k, theta + k + k * d};
	Frames		f = begin_frames(layout, theta, feature_bits, scratch);

	dpem_gmm_responsibilities(&mix, block, feature_bits, responsibility_bits, f.r, f.scratch);
	for (size_t c = 0; c < k; c++)
	{
		f.factor = own + c * d;
		f.origin = own + (k + c) * d;
		enter_frame(&f, block, ldexp(1, -feature_bits), f.r + c * DPEM_BLOCK_STRIDE);
		dpem_moments_block(&f.one, &f.rows, f.r + c * DPEM_BLOCK_STRIDE, sums + c * dpem_moments_record(layout), f.scratch);
	}
}

size_t
dpem_column_frames_theta_length(const DpemMomentLayout *layout)
{
	return dpem_kernel_gmm.theta_length(layout) + 2 * (size_t) layout->k * layout->d + 1;
}

/* any factors and origins will do: the map decides */
static bool
frames_theta_valid(const DpemMomentLayout *layout, const double *theta)
{
	double		place = theta[dpem_column_frames_theta_length(layout) - 1];

	return layout->second == DPEM_SECOND_DIAGONAL && place >= 0 && place < layout->d && place == floor(place);
}

const DpemKernel dpem_kernel_column_frames = {
	.name = "column_frames",.code = 64,.max_components = DPEM_GMM_MAX_COMPONENTS,.theta_length = dpem_column_frames_theta_length,
	.theta_valid = frames_theta_valid,.scratch_length = frames_scratch_length,.counts_rows = true,.accumulate = frames_accumulate
};
