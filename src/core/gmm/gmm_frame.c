/*
 * gmm_frame.c - see gmm_frame.h.
 */
#include <math.h>

#include "core/gmm/gmm_frame.h"
#include "core/gmm/gmm_rules.h"
#include "core/gmm/gmm_whiten.h"
#include "core/gmm/total_covariance.h"

#define LEAST_ZOOM	1e-3		/* of an axis in one look */

void
dpem_gmm_frame_begin(DpemGmmFrame *frame, double radius)
{
	frame->radius = radius;
	frame->lost = 0;
	for (int j = 0; j < frame->d; j++)
	{
		frame->center[j] = 0;
		frame->scale[j] = 1;
		frame->spread2[j] = frame->spread2_sd[j] = 0;
	}
}

void
dpem_gmm_frame_located(DpemGmmFrame *frame, double radius)
{
	frame->radius = radius;
	for (int j = 0; j < frame->d; j++)
	{
		frame->spread2[j] = frame->scale[j] * frame->scale[j];
		frame->spread2_sd[j] = 0;
	}
}

/*
 * Mean square about the mean in axis j, and its noise, in units of the ball.
 * What noise in the mean takes from it on average is given back, and once more
 * for the center's own distance from the true mean.
 */
static double
axis_spread2(const DpemNoisyMoments *m, double rows, const double *mean, int j, double *sd)
{
	int			d = m->layout.d;
	double		mean_sd = m->sum_sd / rows;
	double		norm2 = 0;

	if (m->layout.second == DPEM_SECOND_DIAGONAL)
	{
		*sd = hypot(m->second_sd / rows, 2 * fabs(mean[j]) * mean_sd);
		return m->value[1 + d + j] / rows - mean[j] * mean[j] + 2 * mean_sd * mean_sd;
	}
	for (int i = 0; i < d; i++)
		norm2 += mean[i] * mean[i];
	*sd = hypot(m->second_sd / rows, 2 * sqrt(norm2) * mean_sd) / d;
	return (m->value[1 + d] / rows - norm2) / d + 2 * mean_sd * mean_sd;
}

typedef struct AxisLaw
{
	double		mean;			/* of the spreads of all axes */
	double		mean_sd;
	double		between;		/* variance of them from axis to axis */
} AxisLaw;

/* what spreads of single axes are shrunk to: they have d times the noise of their sum */
static AxisLaw
axis_law(const DpemNoisyMoments *m, double rows, const double *mean)
{
	int			d = m->layout.d;
	AxisLaw		law = {0, 0, 0};
	double		square = 0;
	double		noise2 = 0;

	for (int j = 0; j < d; j++)
	{
		double		sd;
		double		spread2 = axis_spread2(m, rows, mean, j, &sd);

		law.mean += spread2 / d;
		square += spread2 * spread2 / d;
		noise2 += sd * sd / d;
	}
	law.mean_sd = m->layout.second == DPEM_SECOND_DIAGONAL ? sqrt(noise2 / d) : sqrt(noise2);
	law.between = fmax(square - law.mean * law.mean - noise2, 0);
	return law;
}

/* upper end of an axis' spread: shrunk, and the noise that is left on top */
static double
axis_upper(const AxisLaw *law, double spread2, double sd)
{
	double		keep = law->between > 0 ? law->between / (law->between + sd * sd) : 0;
	double		shrunk = law->mean + keep * (spread2 - law->mean);

	return fmax(shrunk, 0) + DPEM_GMM_FRAME_MARGIN * (law->mean_sd + sqrt(keep) * sd);
}

void
dpem_gmm_frame_zoom(const DpemNoisyMoments *m, double public_rows, DpemGmmFrame *frame, double *mean)
{
	int			d = frame->d;
	double		rows = dpem_known_rows(m->value[0], m->count_sd, public_rows);
	double		norm = dpem_total_mean(m, rows, mean);
	AxisLaw		law = axis_law(m, rows, mean);
	double		closest = 1;
	double		mean_sd = frame->radius * m->sum_sd / rows;
	double		keep = 1 / (1 + mean_sd * mean_sd / DPEM_GMM_FRAME_MEAN2);	/* of what is measured of the mean */

	for (int j = 0; j < d; j++)
	{
		double		unit = frame->scale[j] * frame->radius;
		double		sd;
		double		spread2 = axis_spread2(m, rows, mean, j, &sd);
		double		zoom = frame->radius * sqrt(axis_upper(&law, spread2, sd));

		zoom = fmin(fmax(zoom, LEAST_ZOOM), frame->scale[j] < 1 ? 1 : DPEM_GMM_FRAME_WIDEST);
		frame->spread2[j] = spread2 * unit * unit;
		frame->spread2_sd[j] = sd * unit * unit;
		frame->center[j] += keep * unit * mean[j];
		frame->scale[j] *= zoom;
		closest = fmin(closest, zoom);
	}
	frame->radius = fmin(DPEM_GMM_FRAME_REACH * sqrt(d), (1 + norm) * frame->radius / closest);
}
