/*
 * gmm_whiten.c - see gmm_whiten.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_covariance.h"
#include "core/gmm/gmm_whiten.h"
#include "core/numeric/linalg.h"

#define LEAST_WIDTH		0.01
#define LEAST_WIDE_VALUE 1e-12	/* eigenvalues are at least 1e-6 before widths */
#define LEAST_AGAIN		1e-9	/* of the largest, which several looks could leave so far behind that rounding hides them */

void
dpem_gmm_center(const DpemNoisyMoments *m, double public_rows, double radius, DpemGmmCenter *frame)
{
	int			d = m->layout.d;
	double		rows = dpem_known_rows(m->value[0], m->count_sd, public_rows);
	double		sd = m->sum_sd / rows;
	double		square = m->value[1 + d] / rows;
	double		norm2 = 0;
	double		bias = d * sd * sd;	/* what noise adds to |center|^2 */
	double		norm;
	double		spread2;

	for (int j = 0; j < d; j++)
	{
		frame->center[j] = m->value[1 + j] / rows;
		norm2 += frame->center[j] * frame->center[j];
	}
	norm = fmax(sqrt(norm2), 1);
	for (int j = 0; j < d; j++)
		frame->center[j] *= radius / norm;
	norm2 /= norm * norm;
	norm = sqrt(norm2);
	/* upper end of what the mean squared distance from the center can be */
	spread2 = fmax(square - norm2 + bias, 0) + hypot(m->second_sd / rows, 2 * norm * sd) + bias;
	spread2 = fmin(spread2, (1 + norm) * (1 + norm));
	frame->radius = fmax(fmin(DPEM_GMM_CENTER_REACH * sqrt(spread2), 1 + norm), 1e-3) * radius;
}

size_t
dpem_gmm_whitening_work(int d)
{
	return 5 * (size_t) d * d + 2 * (size_t) d + dpem_linalg_eigen_work(d) + dpem_gmm_seen_work(d);
}

/* share of the mean square that this clip cut off, as far as noise lets it be seen */
static double
lost_share(const DpemGmmFrame *frame, const double *w, const double *mean)
{
	int			d = frame->d;
	double		before = 0;
	double		left = 0;
	double		sd2 = 0;

	for (int j = 0; j < d; j++)
	{
		double		unit2 = frame->scale[j] * frame->scale[j];
		double		sd = frame->spread2_sd[j] / unit2;

		before += frame->spread2[j] / unit2;
		left += (w[j * (size_t) d + j] + mean[j] * mean[j]) * frame->radius * frame->radius;
		sd2 += sd * sd;
	}
	return before > 2 * sqrt(sd2) ? fmax(0, 1 - (left + sqrt(sd2)) / before) : 0;
}

/*
 * What an axis counts for among the widest: as in the box, but no less than a
 * hundredth of the widest, which double precision can turn and turn back.
 */
static double
axis_width(const DpemGmmFrame *frame, int j)
{
	double		widest = 0;

	for (int i = 0; i < frame->d; i++)
		widest = fmax(widest, frame->scale[i]);
	return fmax(frame->scale[j] / widest, LEAST_WIDTH);
}

/* w := eigenvectors of T W T as rows, T the widths, W the covariance in the frame */
static DpemStatus
wide_axes(const DpemGmmFrame *frame, const double *whole, double *w, double *value, DpemWorkspace work)
{
	size_t		d = (size_t) frame->d;

	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			w[i * d + j] = whole[i * d + j] * axis_width(frame, i) * axis_width(frame, j);
	return dpem_linalg_eigen(frame->d, w, value, dpem_workspace_take(&work, dpem_linalg_eigen_work(frame->d)));
}

/* widest axis first, so that the start spreads over it */
static void
whiten_axes(const DpemGmmFrame *frame, const double *axes, const double *value, double *whitening,
			double *inverse)
{
	size_t		d = (size_t) frame->d;

	for (size_t i = 0; i < d; i++)
	{
		const double *vector = axes + (d - 1 - i) * d;
		double		root = frame->radius * sqrt(fmax(value[d - 1 - i], LEAST_WIDE_VALUE));

		for (size_t j = 0; j < d; j++)
		{
			double		unit = frame->scale[j] / axis_width(frame, j);

			whitening[i * d + j] = vector[j] / root / unit;
			inverse[j * d + i] = vector[j] * root * unit;
		}
	}
}

DpemStatus
dpem_gmm_whitening(const DpemNoisyMoments *m, double public_rows, DpemGmmFrame *frame,
				   double *whitening, double *inverse, DpemWorkspace work)
{
	int			d = m->layout.d;
	double		rows = dpem_known_rows(m->value[0], m->count_sd, public_rows);
	double		usual = m->second_sd > 0 ? 1 / (frame->radius * frame->radius) : 0;
	double	   *w = dpem_workspace_take(&work, (size_t) d * d);
	double	   *value = dpem_workspace_take(&work, d);
	double	   *mean = dpem_workspace_take(&work, d);
	double	   *whole = dpem_workspace_take(&work, (size_t) d * d);
	double	   *scratch = dpem_workspace_take(&work, (size_t) d * d);
	DpemWorkspace rest = work;

	for (int j = 0; j < d; j++)
		mean[j] = m->value[1 + j] / rows;
	dpem_gmm_central_moment(&m->layout, m->value, rows, mean, w);
	frame->lost = lost_share(frame, w, mean);
	if (dpem_gmm_regularise(m->layout.second, d, m->second_sd / rows, usual, w, value,
							dpem_workspace_take(&rest, dpem_linalg_eigen_work(d))))
		return DPEM_LAPACK_FAILED;
	dpem_linalg_rebuild(d, w, value, whole, scratch);
	if (wide_axes(frame, whole, w, value, work))
		return DPEM_LAPACK_FAILED;
	whiten_axes(frame, w, value, whitening, inverse);
	for (int j = 0; j < d; j++)
		frame->center[j] += frame->scale[j] * frame->radius * mean[j];
	return DPEM_OK;
}

void
dpem_gmm_whitened_moments(const DpemNoisyMoments *m, double public_rows, const DpemGmmFrame *frame, const double *whitening,
						  DpemGmmSeen *seen, DpemWorkspace work)
{
	size_t		d = (size_t) m->layout.d;
	double		rows = dpem_known_rows(m->value[0], m->count_sd, public_rows);
	double	   *axes = dpem_workspace_take(&work, d * d);	/* of the frame's ball */
	double	   *mean = dpem_workspace_take(&work, d);

	for (size_t j = 0; j < d; j++)
	{
		mean[j] = m->value[1 + j] / rows;
		for (size_t i = 0; i < d; i++)
			axes[i * d + j] = whitening[i * d + j] * frame->scale[j] * frame->radius;
	}
	dpem_gmm_central_moment(&m->layout, m->value, rows, mean, seen->covariance);
	dpem_gmm_seen_noise(m->layout.second, m->layout.d, (DpemGmmTotalNoise) {m->sum_sd / rows, m->second_sd / rows}, seen);
	dpem_gmm_seen_transform(m->layout.d, axes, seen, work);
}

/* ---- once more ---- */

/* a whitened covariance in the frame's ball */
static void
in_frame(const DpemGmmFrame *frame, const double *inverse, double *covariance, DpemWorkspace work)
{
	size_t		d = (size_t) frame->d;
	double	   *back = dpem_workspace_take(&work, d * d);
	double	   *product = dpem_workspace_take(&work, d * d);

	for (size_t i = 0; i < d * d; i++)
		back[i] = inverse[i] / (frame->scale[i / d] * frame->radius);
	dpem_linalg_multiply(frame->d, back, covariance, product);
	dpem_linalg_multiply_nt(frame->d, product, back, covariance);
}

/* what the release says with what was seen before, in whitened units; moves the center to the mean */
static DpemGmmTotalNoise
see_again(const DpemNoisyMoments *m, double public_rows, DpemGmmFrame *frame, const double *inverse, DpemGmmSeen *seen,
		  double *covariance, DpemWorkspace work)
{
	size_t		d = (size_t) frame->d;
	double		r = frame->radius;
	double		rows = dpem_known_rows(m->value[0], m->count_sd, public_rows);
	DpemGmmTotalNoise noise = {r * m->sum_sd / rows, r * r * m->second_sd / rows};
	double	   *mean = dpem_workspace_take(&work, d);
	double		factor;

	for (size_t j = 0; j < d; j++)
		mean[j] = m->value[1 + j] / rows;
	dpem_gmm_central_moment(&m->layout, m->value, rows, mean, covariance);
	for (size_t i = 0; i < d * d; i++)
		covariance[i] *= r * r;
	for (size_t j = 0; j < d; j++)
		mean[j] *= r;
	/* rows of heavy tails are clipped each time: axes would shrink from look to look */
	factor = 1 / fmin(dpem_gmm_seen_ratio(seen, frame->d, covariance, noise.second), 1);
	for (size_t i = 0; i < d * d; i++)
		covariance[i] *= factor;
	noise.second *= factor;
	noise = dpem_gmm_seen_combine(seen, m->layout.second, m->layout.d, noise, mean, covariance, seen, work);
	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			frame->center[i] += inverse[i * d + j] * mean[j];
	return noise;
}

DpemStatus
dpem_gmm_whiten_again(const DpemNoisyMoments *m, double public_rows, DpemGmmFrame *frame, DpemGmmSeen *seen, double *whitening,
					  double *inverse, DpemWorkspace work)
{
	int			d = m->layout.d;
	size_t		n = (size_t) d * d;
	double	   *w = dpem_workspace_take(&work, n);
	double	   *value = dpem_workspace_take(&work, d);
	double	   *whole = dpem_workspace_take(&work, n);
	double	   *before = dpem_workspace_take(&work, n);
	DpemGmmTotalNoise noise = see_again(m, public_rows, frame, inverse, seen, w, work);
	DpemWorkspace rest = work;

	memcpy(before, inverse, n * sizeof(double));
	if (dpem_gmm_regularise(m->layout.second, d, noise.second, 1, w, value, dpem_workspace_take(&rest, dpem_linalg_eigen_work(d))))
		return DPEM_LAPACK_FAILED;
	dpem_linalg_rebuild(d, w, value, whole, dpem_workspace_take(&rest, n));
	in_frame(frame, inverse, whole, work);
	if (wide_axes(frame, whole, w, value, work))
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
		value[i] = fmax(value[i], LEAST_AGAIN * value[d - 1]);
	whiten_axes(frame, w, value, whitening, inverse);
	dpem_linalg_multiply(d, whitening, before, w);
	dpem_gmm_seen_transform(d, w, seen, work);
	return DPEM_OK;
}
