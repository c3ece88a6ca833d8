/*
 * logit_response.c - see logit_response.h.
 */
#include <math.h>
#include <string.h>

#include "core/logit/logit_curvature.h"
#include "core/logit/logit_response.h"
#include "core/logit/logit_solve.h"
#include "core/numeric/linalg.h"
#include "core/numeric/positive_mean.h"

#define ROUNDS		12			/* each half-way: what is left is less than noise, of any size */

/* what a clip at the root mean square norm leaves of the square of the constant, and of the columns', and how unsure that is */
#define CLIPPED_CONSTANT	0.9
#define CLIPPED_COLUMNS		0.8
#define CLIPPED_SD			0.1

/* ---- second moments ---- */

/* mean of what is known beforehand and a noisy number */
static double
posterior(double middle, double spread, double value, double sd)
{
	return middle + spread * spread / (spread * spread + sd * sd) * (value - middle);
}

/* of the columns' means, which sums of them times the constant tell */
static double
center_of(const DpemLogitStatistics *s)
{
	int			last = s->d - 1;
	double		noise2 = s->second_sd * s->second_sd / 2;
	double		square = 0;

	for (int j = 0; j < last; j++)
		square += pow(s->second[(size_t) j * s->d + last], 2) / last;
	return last > 0 ? sqrt(dpem_positive_mean(square - noise2, noise2 * sqrt(2.0 / last))) / (fmax(s->rows, 1) * s->value) : 0;
}

/* the diagonal that second moments would have if columns were alike and independent: rows are in the unit ball, and standardised */
static void
alike(int d, double rows, double value, double second_sd, const double *second, double *diagonal)
{
	int			last = d - 1;
	double		constant = rows * value * value;
	double		others = rows - constant;
	double		columns = 0;

	for (int j = 0; j < last; j++)
		columns += second[(size_t) j * d + j];
	columns = posterior(CLIPPED_COLUMNS * others, CLIPPED_SD * others, columns, second_sd * sqrt(last));
	for (int j = 0; j < last; j++)
		diagonal[j] = fmin(fmax(columns, 0), others) / last;
	diagonal[last] = posterior(CLIPPED_CONSTANT * constant, CLIPPED_SD * constant, second[(size_t) last * d + last], second_sd);
	diagonal[last] = fmin(fmax(diagonal[last], constant / 2), constant);
}

/* what noise cannot be: rows of the unit ball have no more, and half of them their constant */
static void
bound_diagonal(int d, double rows, double value, double *second)
{
	double	   *constant = second + (size_t) d * d - 1;

	*constant = fmax(*constant, rows * value * value / 2);
	for (int j = 0; j < d; j++)
	{
		double		most = j < d - 1 ? rows : rows * value * value;
		double		part = sqrt(most / fmax(second[(size_t) j * d + j], most));

		for (int i = 0; i < d; i++)
		{
			second[(size_t) i * d + j] *= part;
			second[(size_t) j * d + i] *= part;
		}
	}
}

/*
 * An eigenvector that is kept has the noise of all numbers that it is in, r of d of them in r (2 d - r) of d^2; with none that is, only that
 * of the diagonal is left.
 */
static DpemLogitLeft
left_of(int d, double rows, double value, double second_sd, const double *eigenvalue)
{
	int			last = d - 1;
	double		spread = CLIPPED_SD * rows * (1 - value * value);
	double		all = second_sd * sqrt(last);
	int			kept = 0;

	for (int i = 0; i < d; i++)
		kept += eigenvalue[i] != 0;
	return (DpemLogitLeft) {
		.second_sd = second_sd * sqrt(kept * (2.0 * d - kept)) / d,.square_sd = last > 0 ? spread * spread / (spread * spread + all * all) * all / last : 0
	};
}

/*
 * An eigenvalue of the difference from that has what is best in the Frobenius norm (Gavish, Donoho 2017, IEEE Trans. Inf. Theory 63).  The rule of
 * spectrum.h, which takes nothing to be exactly zero, loses 0.023 / 0.002 / 0.013 of AUC at epsilon 0.1 / 0.5 / 1 (standard errors 0.014 / 0.010 /
 * 0.007; 52 tables of R's packages, three fits each).
 */
DpemStatus
dpem_logit_denoise(int d, double rows, double value, double second_sd, double *second, DpemLogitLeft *left, DpemWorkspace work)
{
	size_t		n = (size_t) d;
	double	   *vectors = dpem_workspace_take(&work, n * n);
	double	   *eigenvalue = dpem_workspace_take(&work, n);
	double	   *diagonal = dpem_workspace_take(&work, n);
	DpemStatus	status;

	alike(d, rows, value, second_sd, second, diagonal);
	memcpy(vectors, second, n * n * sizeof(double));
	for (size_t j = 0; j < n; j++)
		vectors[j * n + j] -= diagonal[j];
	if (dpem_linalg_eigen(d, vectors, eigenvalue, work.next) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	for (size_t i = 0; i < n; i++)
		eigenvalue[i] = copysign(sqrt(fmax(eigenvalue[i] * eigenvalue[i] - 2.0 * d * second_sd * second_sd, 0)), eigenvalue[i]);
	if (left)
		*left = left_of(d, rows, value, second_sd, eigenvalue);
	dpem_linalg_rebuild(d, vectors, eigenvalue, second, work.next);
	for (size_t j = 0; j < n; j++)
		second[j * n + j] += diagonal[j];
	status = dpem_logit_clean(d, second, work);
	bound_diagonal(d, rows, value, second);
	return status;
}

/* ---- what normal scores make of labels ---- */

static double
sigma(double score, double extra)
{
	(void) extra;
	return 1 / (1 + exp(-score));
}

/* sum sigma(u) x at these coefficients, whose scores have so much more variance than rows make; returns E[sigma'(u)] */
static double
expect(const DpemLogitStatistics *s, const double *mean, double unsure, double *sum, DpemWorkspace work)
{
	DpemLogitMoments rows = {.d = s->d,.rows = s->rows,.second = s->second,.constant = true};
	double	   *mu = dpem_workspace_take(&work, s->d);
	double	   *b = dpem_workspace_take(&work, s->d);
	double		n = fmax(s->rows, 1);
	double		middle;
	double		deviation = sqrt(fmax(dpem_logit_score_law(&rows, n, mean, mu, b, &middle) + unsure, 0));
	double		share[3];
	double		slope[3];

	dpem_logit_score_moments(sigma, middle, deviation, 0, share);
	dpem_logit_score_moments(dpem_logit_likelihood_weight, middle, deviation, 0, slope);
	/* E[f(u) x] = E[f(u)] mu + E[f'(u)] b, x being normal with u */
	for (int j = 0; j < s->d; j++)
		sum[j] = n * (mu[j] * share[0] + b[j] * slope[0]);
	return slope[0];
}

/* ---- releases ---- */

size_t
dpem_logit_response_length(int d)
{
	return 3 * (size_t) d;
}

void
dpem_logit_response_begin(int d, double *numbers, DpemLogitResponse *r)
{
	*r = (DpemLogitResponse) {.d = d,.even = numbers,.about = numbers + d,.middle = numbers + 2 * (size_t) d};
}

size_t
dpem_logit_response_work(int d)
{
	size_t		clean = dpem_logit_clean_work(d);
	size_t		estimate = dpem_logit_estimate_work(d);

	return (size_t) d * d + 6 * (size_t) d + (clean > estimate ? clean : estimate);
}

/* into the mean of those before, by precision; *mean_sd 0: there are none */
static void
average(int d, const double *value, double sd, double *mean, double *mean_sd)
{
	double		share = *mean_sd > 0 ? *mean_sd * *mean_sd / (*mean_sd * *mean_sd + sd * sd) : 1;

	for (int j = 0; j < d; j++)
		mean[j] += share * (value[j] - mean[j]);
	*mean_sd = share < 1 ? sd * sqrt(share) : sd;
}

void
dpem_logit_response_take(const DpemNoisyMoments *m, double scale, const double *at, const DpemLogitStatistics *s, DpemLogitResponse *r,
						 DpemWorkspace work)
{
	double	   *value = dpem_workspace_take(&work, r->d);
	double		unit = at ? scale : scale / 2;

	memset(value, 0, r->d * sizeof(double));
	if (at)
		expect(s, at, 0, value, work);
	for (int j = 0; j < r->d; j++)
		value[j] += unit * m->value[1 + j];
	if (at)
		average(r->d, value, unit * m->sum_sd, r->about, &r->about_sd);
	else
		average(r->d, value, unit * m->sum_sd, r->even, &r->even_sd);
}

DpemStatus
dpem_logit_response_first(const DpemNoisyMoments *m, double public_rows, DpemLogitStatistics *s, DpemLogitResponse *r, DpemWorkspace work)
{
	double	   *b = dpem_workspace_take(&work, s->d);
	DpemLogitMoments rows = {.d = s->d,.second = s->second,.constant = true};
	double		middle;
	DpemStatus	status;

	dpem_logit_read_first(m, public_rows, s);
	s->rows_sd = s->rows == public_rows ? 0 : m->count_sd;
	rows.rows = s->rows;
	r->center_sd = center_of(s);
	status = dpem_logit_denoise(s->d, fmax(s->rows, 1), s->value, s->second_sd, s->second, &r->left, work);
	/* the mean of the rows is that whatever the coefficients are */
	dpem_logit_score_law(&rows, fmax(s->rows, 1), r->about, r->middle, b, &middle);
	dpem_logit_response_take(m, 1, NULL, s, r, work);
	return status;
}

/* ---- the posterior ---- */

/*
 * Sum y x by both kinds of releases: of uneven classes, the second of which has that share, even ones are as far off as the mean of the rows is not known.
 * Returns the noise of columns.
 */
static double
combine(const DpemLogitStatistics *s, const DpemLogitResponse *r, double share, double *sum, double *constant_sd)
{
	double		n = fmax(s->rows, 1);
	double		off = n * (share - 0.5);
	double		about = r->about_sd > 0 ? 1 / (r->about_sd * r->about_sd) : 0;
	double		columns = 1 / (r->even_sd * r->even_sd + pow(off * r->center_sd, 2));
	double		constant = 1 / (r->even_sd * r->even_sd + pow(off * CLIPPED_SD / 2 * s->value, 2));

	for (int j = 0; j < r->d; j++)
	{
		double		even = j < r->d - 1 ? columns : constant;

		sum[j] = (even * (r->even[j] + n * r->middle[j] / 2) + about * r->about[j]) / (even + about);
	}
	*constant_sd = 1 / sqrt(constant + about);
	return 1 / sqrt(columns + about);
}

/*
 * The second class's, the mean of what it may be; *sd: of the noise in it.  Where rows may be more or fewer, what the share differs from 1/2 by is less or more
 * in proportion.
 */
static double
share_of(const DpemLogitStatistics *s, const DpemLogitResponse *r, const double *sum, double constant_sd, double *sd)
{
	double		rows = fmax(s->rows, 1);
	double		all = rows * r->middle[r->d - 1];
	double		off = dpem_logit_mean_within(sum[r->d - 1] / all - 0.5, constant_sd / all, s->rows_sd / rows);

	*sd = hypot(constant_sd / all, off * s->rows_sd / rows);
	return 0.5 + off;
}

/* t of the sums at the coefficients, and about which the prior is: probabilities, with what is unsure of scores, are to be the share on average */
static void
linearise(DpemLogitStatistics *s, const DpemLogitLeft *left, double share, const double *sum, const DpemLogit *fit, double unsure, DpemWorkspace work)
{
	size_t		d = (size_t) s->d;
	double	   *expected = dpem_workspace_take(&work, d);
	double		middle = log(share / (1 - share)) / s->value * sqrt(1 + M_PI / 8 * unsure);
	double		slope;

	/* the mean goes with the prior's middle: were it left behind, the prior would be learnt to be wider, what is unsure more, and the middle still farther away */
	fit->mean[d - 1] += middle - s->origin[d - 1];
	s->origin[d - 1] = middle;
	slope = expect(s, fit->mean, unsure, expected, work);
	for (size_t j = 0; j < d * d; j++)
		s->curvature[j] = slope * s->second[j];
	s->unsaid_sd = slope * left->second_sd;
	s->unsaid_square_sd = slope * left->square_sd;
	dpem_linalg_product(s->d, 1, s->d, s->curvature, fit->mean, s->linear);
	for (size_t j = 0; j < d; j++)
		s->linear[j] += sum[j] - expected[j];
}

static double
unsure_of(const DpemLogitStatistics *s, const DpemLogit *fit)
{
	double		sum = 0;

	for (size_t i = 0; i < (size_t) s->d * s->d; i++)
		sum += s->second[i] * fit->covariance[i];
	return sum / fmax(s->rows, 1);
}

DpemStatus
dpem_logit_response_estimate(DpemLogitStatistics *s, const DpemLogitResponse *r, DpemLogit *fit, DpemWorkspace work)
{
	size_t		d = (size_t) s->d;
	double	   *sum = dpem_workspace_take(&work, d);
	double	   *before = dpem_workspace_take(&work, d);
	double		constant_sd;
	double		share_sd;
	double		share;
	DpemStatus	status = DPEM_OK;

	combine(s, r, 0.5, sum, &constant_sd);
	share = share_of(s, r, sum, constant_sd, &share_sd);
	s->linear_sd = combine(s, r, share, sum, &constant_sd);
	(void) share_of(s, r, sum, constant_sd, &share_sd);
	s->origin_sd = share_sd / (share * (1 - share) * s->value);
	if (s->rows_sd > 0)
		sum[d - 1] = share * fmax(s->rows, 1) * r->middle[d - 1];
	memset(s->origin, 0, d * sizeof(double));
	memset(fit->mean, 0, d * sizeof(double));
	fit->mean[d - 1] = s->origin[d - 1] = log(share / (1 - share)) / s->value;
	for (int i = 0; i < ROUNDS && status == DPEM_OK; i++)
	{
		linearise(s, &r->left, share, sum, fit, i > 0 ? unsure_of(s, fit) : 0, work);
		memcpy(before, fit->mean, d * sizeof(double));
		status = dpem_logit_solve(s, s->curvature, 0, false, 0, fit, work);
		for (size_t j = 0; j < d; j++)
			fit->mean[j] = (fit->mean[j] + before[j]) / 2;
	}
	return status;
}

void
dpem_logit_response_point(const DpemLogitStatistics *s, const DpemLogit *fit, double *point)
{
	memcpy(point, fit->mean, s->d * sizeof(double));
	point[s->d - 1] -= s->origin[s->d - 1] * (1 - 1 / sqrt(1 + M_PI / 8 * unsure_of(s, fit)));
}
