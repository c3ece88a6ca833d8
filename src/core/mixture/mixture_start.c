/*
 * mixture_start.c - where the components of a mixed mixture start; see mixture_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "core/mixture/mixture_estimate.h"
#include "core/numeric/linalg.h"
#include "core/numeric/lloyd.h"
#include "core/numeric/public_random.h"

#define DIRECTIONS	8			/* at most */
#define POINTS		2000
#define STEPS		30
#define WITHIN		0.7			/* of all rows' variances: what components have at first */
#define LEAST		0.1			/* of all rows' share of a category */

typedef struct StartWork
{
	double	   *covariance;		/* d * d */
	double	   *value;			/* d */
	double	   *vector;			/* directions * d */
	double	   *eigen;
	double	   *point;			/* POINTS * directions */
	double	   *center;			/* k * directions */
	DpemWorkspace rest;			/* of Lloyd's steps */
} StartWork;

static int
directions_of(const DpemMixtureRows *rows, int k)
{
	int			most = k - 1 < DIRECTIONS ? k - 1 : DIRECTIONS;

	return most < 1 ? 1 : most < rows->d ? most : rows->d;
}

static StartWork
take_work(const DpemMixtureRows *rows, int k, DpemWorkspace *work)
{
	int			q = directions_of(rows, k);
	size_t		d = (size_t) rows->d;
	StartWork	w = {
		.covariance = dpem_workspace_take(work, d * d),.value = dpem_workspace_take(work, d),
		.vector = dpem_workspace_take(work, d * q),.eigen = dpem_workspace_take(work, dpem_linalg_eigen_work(rows->d)),
		.point = dpem_workspace_take(work, (size_t) POINTS * q),.center = dpem_workspace_take(work, (size_t) k * q)
	};

	w.rest = *work;
	(void) dpem_workspace_take(work, dpem_lloyd_work(k, q));
	return w;
}

size_t
dpem_mixture_start_work(const DpemMixtureRows *rows, int k)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) take_work(rows, k, &dry);
	return dpem_workspace_taken(&dry);
}

static void
covariance_of(const DpemMixtureRows *rows, const DpemNoisyMoments *m, double *covariance)
{
	int			n = m->layout.d;
	double		count = fmax(m->value[0], fmax(m->count_sd, 1));
	double		unit = rows->radius * rows->radius;

	for (int i = 0; i < rows->d; i++)
		for (int j = 0; j <= i; j++)
		{
			double		second = m->value[1 + n + (size_t) i * (i + 1) / 2 + j] / count;
			double		entry = unit * (second - m->value[1 + i] / count * (m->value[1 + j] / count));

			covariance[(size_t) i * rows->d + j] = covariance[(size_t) j * rows->d + i] = entry;
		}
}

/*
 * A direction's sign from all its coordinates: of a label of two categories none
 * is the largest, and the last bits of a sum would decide.
 */
static void
orient(int d, double *vector)
{
	DpemPublicRandom random = {2};
	double		dot = 0;

	for (int j = 0; j < d; j++)
		dot += vector[j] * dpem_public_normal(&random);
	for (int j = 0; j < d && dot < 0; j++)
		vector[j] = -vector[j];
}

/* normal points in the principal directions, and the centers of their clusters */
static void
place_centers(const StartWork *w, int k, int q)
{
	DpemPublicRandom random = {1};	/* the same points however the last bits of a sum come out */
	DpemPoints	points = {POINTS, q, w->point, NULL};

	for (int i = 0; i < POINTS * q; i++)
		w->point[i] = sqrt(fmax(w->value[i % q], 0)) * dpem_public_normal(&random);
	memcpy(w->center, w->point, (size_t) k * q * sizeof(double));
	(void) dpem_lloyd(&points, k, w->center, STEPS, w->rest);
}

static void
start_component(const DpemMixtureRows *rows, const StartWork *w, int q, const double *center, const DpemMixture *total,
				double *mean, double *variance)
{
	double		sum = 0;

	for (int j = 0; j < rows->d; j++)
	{
		mean[j] = total->mean[j];
		for (int i = 0; i < q; i++)
			mean[j] += center[i] * w->vector[(size_t) i * rows->d + j];
		variance[j] = WITHIN * total->variance[j];
		if (j >= rows->numbers)
			mean[j] = fmax(mean[j], LEAST * total->mean[j]);
		else if (rows->law[j] == DPEM_LAW_POISSON)
			mean[j] = fmax(mean[j], (LEAST * (rows->middle[j] + rows->unit[j] * total->mean[j]) - rows->middle[j]) / rows->unit[j]);
	}
	for (int first = rows->numbers, j; first < rows->d; first = j)
	{
		for (sum = 0, j = first; j < rows->d && rows->label[j] == first; j++)
			sum += mean[j];
		for (int i = first; i < j; i++)
			mean[i] /= sum;
	}
}

DpemStatus
dpem_mixture_start(const DpemMixtureRows *rows, const DpemNoisyMoments *second, const DpemMixture *total,
				   DpemMixture *mixture, DpemWorkspace work)
{
	int			k = mixture->k;
	int			q = directions_of(rows, k);
	StartWork	w = take_work(rows, k, &work);
	DpemStatus	status;

	covariance_of(rows, second, w.covariance);
	status = dpem_linalg_eigen_top(rows->d, q, w.covariance, w.value, w.vector, w.eigen);
	if (status != DPEM_OK)
		return status;
	for (int i = 0; i < q; i++)
		orient(rows->d, w.vector + (size_t) i * rows->d);
	place_centers(&w, k, q);
	for (int c = 0; c < k; c++)
	{
		mixture->weight[c] = 1.0 / k;
		start_component(rows, &w, q, w.center + (size_t) c * q, total, mixture->mean + (size_t) c * rows->d,
						mixture->variance + (size_t) c * rows->d);
	}
	return DPEM_OK;
}
