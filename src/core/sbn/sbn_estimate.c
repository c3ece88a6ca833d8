/*
 * sbn_estimate.c - see sbn_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_whiten.h"
#include "core/numeric/linalg.h"
#include "core/numeric/public_random.h"
#include "core/sbn/sbn_estimate.h"
#include "core/sbn/sbn_gain.h"
#include "core/sbn/sbn_ones.h"
#include "core/sbn/sbn_rules.h"
#include "core/sbn/sbn_shares.h"
#include "core/sbn/sbn_trial.h"

static double
bounded(double value, double least, double most)
{
	return fmin(fmax(value, least), most);
}

double
dpem_sbn_log_odds(double count, double rows, double sd)
{
	double		least = fmin(fmax(sd, 0.5) / (rows + 1), 0.5);
	double		p = bounded((count + 0.5) / (rows + 1), least, 1 - least);

	return log(p / (1 - p));
}

double
dpem_sbn_margin_clip(int d)
{
	return sqrt(d) / 2;
}

/*
 * Weights of variance DPEM_SBN_START_SPREAD^2 / spread give a unit's field that standard
 * deviation over rows of independent columns.  Biases make up for what units
 * that are on half of the time add.
 */
static void
start_hidden(DpemSbnEstimate *fit)
{
	double		size = fmin(DPEM_SBN_START_SPREAD / sqrt(fmax(fit->spread, 1e-3)), 1);
	DpemPublicRandom random = {((uint64_t) fit->d << 16) + (uint64_t) fit->hidden};

	memset(fit->bias, 0, fit->hidden * sizeof(double));
	for (int k = 1; k <= fit->hidden; k++)
		for (int j = 0; j < fit->d; j++)
		{
			double		w = size * dpem_public_normal(&random);

			fit->weight[(size_t) k * fit->d + j] = w;
			fit->weight[j] -= w / 2;
		}
}

void
dpem_sbn_start(const DpemNoisyMoments *margins, double public_rows, DpemSbnEstimate *fit)
{
	fit->rows = dpem_known_rows(margins->value[1 + fit->d], margins->second_sd, public_rows);
	fit->spread = 0;
	fit->independent = false;
	fit->trial.points = fit->trial.averaged = 0;
	fit->trial.ended = false;
	dpem_sbn_ones_start(margins, fit);
	for (int j = 0; j < fit->d; j++)
	{
		double		p = dpem_sbn_share_of(fit->ones.log_odds[j]);

		fit->weight[j] = fit->ones.log_odds[j];
		fit->spread += p * (1 - p);
	}
	fit->has_gram = false;
	start_hidden(fit);
	dpem_sbn_gain_start(fit);
}

double
dpem_sbn_clip(const DpemSbnEstimate *fit, bool noisy)
{
	int			units = fit->hidden + 1;
	double		most = sqrt((double) fit->d * units);
	double		square = 1 + fit->hidden / 2.0;

	if (!noisy)
		return most;
	if (fit->independent)
		return dpem_sbn_ones_clip(fit);
	if (fit->has_gram)
	{
		square = 0;
		for (int k = 0; k < units; k++)
			square += fit->gram[(size_t) k * units + k] / fit->rows;
	}
	return bounded(DPEM_SBN_CLIP_MARGIN * sqrt(fit->spread * bounded(square, 1, units)), 0.01 * most, most);
}

/* G from both its triangles, which have noise of their own */
static void
take_gram(const DpemNoisyMoments *m, double scale, DpemSbnEstimate *fit)
{
	int			units = fit->hidden + 1;
	size_t		record = dpem_moments_record(&m->layout);
	double		keep = fit->has_gram && m->second_sd > 0 ? DPEM_SBN_GRAM_KEEP : 0;
	double		sd = scale * m->second_sd / M_SQRT2;

	for (int k = 0; k < units; k++)
		for (int l = 0; l < units; l++)
		{
			double	   *entry = fit->gram + (size_t) k * units + l;
			double		sum = m->value[(size_t) k * record + 1 + fit->d + l] +
				m->value[(size_t) l * record + 1 + fit->d + k];

			*entry = keep * *entry + (1 - keep) * scale * sum / 2;
		}
	fit->gram_sd = fit->has_gram ? hypot(keep * fit->gram_sd, (1 - keep) * sd) : sd;
	fit->has_gram = true;
}

static void
update_biases(DpemSbnEstimate *fit)
{
	for (int k = 1; k <= fit->hidden; k++)
		fit->bias[k - 1] = dpem_sbn_log_odds(fit->gram[k], fit->rows, 2 * fit->gram_sd);
}

/* gradient of the bound and of the prior, from the release */
static void
take_gradient(const DpemNoisyMoments *m, double scale, double prior_variance, const DpemSbnEstimate *fit,
			  double *gradient)
{
	size_t		record = dpem_moments_record(&m->layout);

	for (int k = 0; k <= fit->hidden; k++)
		for (int j = 0; j < fit->d; j++)
		{
			size_t		i = (size_t) k * fit->d + j;

			gradient[i] = scale * m->value[(size_t) k * record + 1 + j] - fit->weight[i] / prior_variance;
		}
}

/* of the noise, and of the choice of rows: (1 - q) / q times what the rows, of norm at most `clip`, sum up to */
static double
gradient_noise2(const DpemNoisyMoments *m, double clip, double rate, const DpemSbnEstimate *fit)
{
	double		sd = clip / rate * m->sum_sd;
	double		entries = (double) fit->d * (fit->hidden + 1);

	if (!(m->sum_sd > 0))
		return 0;
	return sd * sd + (1 - rate) / rate * fit->rows * clip * clip / entries;
}

/* gain of the step along an eigenvector, from the columns' components */
static double
gain_of(int d, const double *component, double noise2)
{
	double		signal2 = 0;

	if (noise2 == 0)
		return 1;
	for (int j = 0; j < d; j++)
		signal2 += component[j] * component[j];
	signal2 = fmax(signal2 / d - noise2, 0);
	return signal2 / (signal2 + noise2);
}

typedef struct Step
{
	double	   *vectors;		/* units * units */
	double	   *length;			/* units: eigenvalues, then how far each component goes */
	double	   *gradient;		/* units * d */
	double	   *component;		/* units * d: the gradient along each eigenvector */
	double	   *moved;			/* units * d */
	double	   *of_lapack;
} Step;

static Step
take_step(int units, int d, DpemWorkspace *work)
{
	size_t		n = (size_t) units * (size_t) d;

	return (Step) {
		.vectors = dpem_workspace_take(work, (size_t) units * (size_t) units),.length = dpem_workspace_take(work, units),
			.gradient = dpem_workspace_take(work, n),.component = dpem_workspace_take(work, n),
			.moved = dpem_workspace_take(work, n),
			.of_lapack = dpem_workspace_take(work, dpem_linalg_eigen_work(units))
	};
}

size_t
dpem_sbn_step_work(int hidden, int d)
{
	DpemWorkspace dry = {NULL, NULL};

	take_step(hidden + 1, d, &dry);
	return dpem_workspace_taken(&dry);
}

/* weight += moved = sum_i step_i u_i component_i', u_i the eigenvectors */
static void
move_weights(const Step *s, DpemSbnEstimate *fit)
{
	int			units = fit->hidden + 1;

	fit->change = 0;
	for (int k = 0; k < units; k++)
		for (int j = 0; j < fit->d; j++)
		{
			size_t		at = (size_t) k * fit->d + j;
			double		change = 0;

			for (int i = 0; i < units; i++)
				change += s->vectors[(size_t) i * units + k] * s->length[i] * s->component[(size_t) i * fit->d + j];
			s->moved[at] = change;
			fit->weight[at] += change;
			fit->change = fmax(fit->change, fabs(change));
		}
}

DpemStatus
dpem_sbn_step(const DpemNoisyMoments *m, double clip, double rate, double prior_variance, DpemSbnEstimate *fit,
			  DpemWorkspace work)
{
	int			units = fit->hidden + 1;
	Step		s = take_step(units, fit->d, &work);
	double		noise2 = gradient_noise2(m, clip, rate, fit);
	double		added = 0;

	if (fit->independent)
	{
		dpem_sbn_count_ones(m, clip, rate, fit);
		return DPEM_OK;
	}
	take_gradient(m, clip / rate, prior_variance, fit, s.gradient);
	if (fit->trial.points > 0)
	{
		dpem_sbn_trial_point(s.gradient, noise2, fit);
		return DPEM_OK;
	}
	take_gram(m, units / rate, fit);
	memcpy(s.vectors, fit->gram, (size_t) units * units * sizeof(double));
	if (dpem_linalg_eigen(units, s.vectors, s.length, s.of_lapack) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	dpem_linalg_product(units, fit->d, units, s.vectors, s.gradient, s.component);
	for (int i = 0; i < units; i++)
	{
		double		curvature = (fmax(s.length[i], 0) + fit->gram_sd * sqrt(units)) / 4 + 1 / prior_variance;
		double		gain = gain_of(fit->d, s.component + (size_t) i * fit->d, noise2);

		s.length[i] = DPEM_SBN_OVERSTEP * gain / curvature;
		added += gain > 0 ? DPEM_SBN_OVERSTEP / curvature * noise2 * (fit->d * gain + 2 * (1 - gain)) : 0;
	}
	move_weights(&s, fit);
	dpem_sbn_gain_step(s.gradient, s.moved, noise2, added, fit);
	update_biases(fit);
	return DPEM_OK;
}

void
dpem_sbn_prepare(const DpemSbnEstimate *fit, double clip, double *theta)
{
	size_t		weights = (size_t) (fit->hidden + 1) * fit->d;

	*theta++ = clip;
	if (fit->independent)
	{
		for (int k = 0; k < fit->hidden; k++)
			theta[k] = DPEM_SBN_NEVER;
		memset(theta + fit->hidden, 0, weights * sizeof(double));
		if (clip < dpem_sbn_margin_clip(fit->d))
			memcpy(theta + fit->hidden, fit->ones.log_odds, fit->d * sizeof(double));
		return;
	}
	memcpy(theta, fit->bias, fit->hidden * sizeof(double));
	memcpy(theta + fit->hidden, fit->weight, weights * sizeof(double));
}
