/*
 * linreg_axes.c - see linreg_axes.h.
 */
#include <math.h>
#include <string.h>

#include "core/linreg/linreg_axes.h"
#include "core/linreg/linreg_rules.h"
#include "core/numeric/linalg.h"
#include "core/numeric/spectrum.h"

#define TOLD_APART	3.0			/* standard deviations of its noise, from which on a variance is seen */

DpemLinregAxes
dpem_linreg_take_axes(int p, DpemWorkspace *work)
{
	size_t		n = (size_t) p;

	return (DpemLinregAxes) {
		.p = p,.n = p,.vectors = dpem_workspace_take(work, n * n),.value = dpem_workspace_take(work, n),.seen = dpem_workspace_take(work, n),
			.linear = dpem_workspace_take(work, n),.mean = dpem_workspace_take(work, n),
			.slope = dpem_workspace_take(work, n),.error = dpem_workspace_take(work, n * n),
			.noise = dpem_workspace_take(work, n * n),.b = dpem_workspace_take(work, n),
			.tau2 = dpem_workspace_take(work, n),.pull = dpem_workspace_take(work, n),.left = dpem_workspace_take(work, n),
			.least = dpem_workspace_take(work, n),.label = dpem_workspace_take(work, n),.unsure = dpem_workspace_take(work, n)
	};
}

/* u (p): the direction along which a label's categories add up to a constant, of length 1; its first predictor is `first` */
static void
label_direction(const DpemLinregMoments *m, int first, double *u)
{
	double		length2 = 0;

	for (int j = 0; j < m->p; j++)
	{
		u[j] = m->label[j] == m->label[first] ? m->unit[j] : 0;
		length2 += u[j] * u[j];
	}
	for (int j = 0; j < m->p; j++)
		u[j] /= sqrt(length2);
}

/* s := P s P - largest u u' with P = I - u u', so that u becomes the last of the eigenvectors; c := P c */
static void
leave_out(int p, const double *u, const double *su, double variance, double largest, double *s, double *c)
{
	double		product = 0;

	for (int j = 0; j < p; j++)
		product += u[j] * c[j];
	for (int i = 0; i < p; i++)
	{
		c[i] -= product * u[i];
		for (int j = 0; j < p; j++)
			s[(size_t) i * p + j] -= u[i] * su[j] + su[i] * u[j] - (variance - largest) * u[i] * u[j];
	}
}

static double
trace_of(int p, const double *s)
{
	double		trace = 0;

	for (int j = 0; j < p; j++)
		trace += fabs(s[(size_t) j * p + j]);
	return trace;
}

/* leaves out the directions of labels that every row has, in the covariances s of x and c of x and y */
static void
leave_out_labels(const DpemLinregMoments *m, DpemLinregAxes *a, double *s, double *c, bool *shared)
{
	double	   *u = a->b;
	double	   *su = a->tau2;
	double		trace = trace_of(m->p, s);
	double		least = fmax(TOLD_APART * m->second_sd, DPEM_LINREG_LEAST_SHARE * trace);
	double		below = 2 * (trace + m->second_sd * m->p);

	for (int j = 0; j < m->p; j++)
	{
		bool		first = m->label && m->label[j] >= 0 && (j == 0 || m->label[j - 1] != m->label[j]);
		double		variance;

		shared[j] = m->label && m->label[j] >= 0 && j > 0 && !first && shared[j - 1];
		if (!first)
			continue;
		label_direction(m, j, u);
		variance = dpem_linalg_form(m->p, s, u, su);
		shared[j] = variance < least;
		if (!shared[j])
			continue;
		leave_out(m->p, u, su, variance, below, s, c);
		a->n--;
	}
}

/* eigenvalues of the axes, largest first: those of directions left out are far below zero, at the end */
void
dpem_linreg_reverse(int p, double *values, double *vectors, double *row)
{
	for (int i = 0; i < p / 2; i++)
	{
		double		value = values[i];
		double	   *low = vectors + (size_t) i * p;
		double	   *high = vectors + (size_t) (p - 1 - i) * p;

		values[i] = values[p - 1 - i];
		values[p - 1 - i] = value;
		memcpy(row, low, p * sizeof(double));
		memcpy(low, high, p * sizeof(double));
		memcpy(high, row, p * sizeof(double));
	}
}

/*
 * Eigenvalues without their noise: what noise leaves unknown is not taken for
 * variance below it.  Beside an eigenvalue far above the edge of the noise's
 * spectrum, sd sqrt(2 n), it hardly matters, but among neighbours the cleaned ones
 * are not what the rows' least squares have, and the intervals are about these.
 */
void
dpem_linreg_clean(int n, double sd, double *value, double *scratch)
{
	double		edge = dpem_linreg_clean_edges * sd * sqrt(2.0 * n);
	double		trace = 0;
	double		floor;

	for (int i = 0; i < n; i++)
		trace += value[i];
	floor = sd > 0 ? dpem_spectrum_floor(n, sd, trace) : 0;
	dpem_spectrum_clean(n, sd, value, scratch);
	for (int i = 0; i < n; i++)
	{
		double		share = value[i] > edge ? dpem_linreg_square(edge / value[i]) : 1;

		value[i] = fmax(share * scratch[i] + (1 - share) * value[i], floor);
	}
}

/* parts of the axes' squared lengths in wide labels; and no eigenvalue is below its floor, as shrunk blocks may make some */
static void
note_labels(const DpemLinregMoments *m, DpemLinregAxes *a, const bool *wide)
{
	for (int i = 0; i < a->n; i++)
	{
		const double *v = a->vectors + (size_t) i * a->p;
		double		least = 0;

		for (int j = 0; j < a->p; j++)
		{
			a->label[i] += wide[j] ? v[j] * v[j] : 0;
			least += wide[j] ? v[j] * v[j] * m->mean_sd / m->unit[j] : v[j] * v[j] * sqrt(m->second_sd * m->second_sd / 2);
		}
		a->least[i] = least;
		a->value[i] = fmax(a->value[i], least / 2);
	}
}

/* predictors whose own variance is not told: their frame may be many times as wide as they are; that of wide labels' categories is known */
static void
note_unsure(const DpemLinregMoments *m, DpemLinregAxes *a, const bool *wide)
{
	size_t		n = (size_t) a->p + 1;

	for (int i = 0; i < a->n; i++)
	{
		a->unsure[i] = 0;
		for (int j = 0; j < a->p; j++)
			if (!wide[j] && m->covariance[j * n + j] < dpem_linreg_sure * m->second_sd)
				a->unsure[i] += dpem_linreg_square(a->vectors[(size_t) i * a->p + j]);
	}
}

DpemStatus
dpem_linreg_find_axes(const DpemLinregMoments *m, DpemLinregAxes *a, bool *shared, DpemWorkspace work)
{
	int			p = a->p;
	size_t		n = (size_t) p + 1;
	bool	   *wide = (bool *) a->pull;	/* until that is needed */
	DpemStatus	status;

	a->wide = dpem_linreg_find_wide(m, wide);
	memset(a->label, 0, p * sizeof(double));
	a->stays = 1;
	for (int i = 0; i < p; i++)
	{
		memcpy(a->vectors + (size_t) i * p, m->covariance + i * n, p * sizeof(double));
		a->slope[i] = m->covariance[i * n + p];
	}
	status = a->wide > 0 ? dpem_linreg_know_labels(m, wide, a->vectors, &a->stays, work) : DPEM_OK;
	if (status != DPEM_OK)
		return status;
	leave_out_labels(m, a, a->vectors, a->slope, shared);
	if (dpem_linalg_eigen(p, a->vectors, a->value, work.next) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	dpem_linreg_reverse(p, a->value, a->vectors, a->b);
	memcpy(a->seen, a->value, p * sizeof(double));
	for (int i = 0; i < p; i++)
		a->least[i] = sqrt(m->second_sd * m->second_sd / 2);
	if (a->wide > 0)
		note_labels(m, a, wide);
	else
		dpem_linreg_clean(a->n, m->second_sd, a->value, a->b);
	dpem_linalg_product(a->n, 1, p, a->vectors, a->slope, a->linear);
	dpem_linalg_product(a->n, 1, p, a->vectors, m->mean, a->mean);
	a->target_variance = fmax(m->covariance[n * n - 1], dpem_linreg_least_target * m->second_sd);
	a->target_mean = m->mean[p];
	note_unsure(m, a, wide);
	a->s2 = m->second_sd * m->second_sd / 2;
	a->mean_var = m->mean_sd * m->mean_sd;
	return DPEM_OK;
}
