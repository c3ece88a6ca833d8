/*
 * observed_theta.c - the kernel `gmm_observed` and its parameters; see observed.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/affine.h"
#include "core/kernels/gmm_kernel.h"
#include "core/mixture/observed.h"

static size_t
triangle(int d)
{
	return (size_t) d * (d + 1) / 2;
}

size_t
dpem_observed_theta_length(const DpemMomentLayout *layout)
{
	return dpem_kernel_gmm.theta_length(layout) + (size_t) layout->k * (1 + (size_t) layout->d + triangle(layout->d));
}

DpemObservedParameters
dpem_observed_parameters(const DpemMomentLayout *layout, const double *theta)
{
	const double *at = theta + dpem_kernel_gmm.theta_length(layout);
	size_t		k = (size_t) layout->k;

	return (DpemObservedParameters) {at, at + k, at + k + k * (size_t) layout->d};
}

/* a mixture in box coordinates, and the map there */
typedef struct InBox
{
	DpemGmm		gmm;
	DpemAffine	affine;
	double	   *lower;
	double	   *upper;
	DpemWorkspace rest;
} InBox;

static InBox
take_box(int k, int d, DpemWorkspace *work)
{
	size_t		n = (size_t) d;
	InBox		box = {
		.gmm = {
			.k = k,.d = d,.weight = dpem_workspace_take(work, k),.mean = dpem_workspace_take(work, k * n),
			.covariance = dpem_workspace_take(work, k * n * n)
		},
		.affine = {.offset = dpem_workspace_take(work, n),.linear = dpem_workspace_take(work, n * n)},
		.lower = dpem_workspace_take(work, n),.upper = dpem_workspace_take(work, n)
	};

	box.rest = *work;
	(void) dpem_workspace_take(work, 2 * n * n + n);
	return box;
}

size_t
dpem_observed_theta_work(int k, int d)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) take_box(k, d, &dry);
	return dpem_workspace_taken(&dry);
}

static void
write_box(const DpemGmm *gmm, double *theta)
{
	size_t		k = (size_t) gmm->k;
	size_t		d = (size_t) gmm->d;
	double	   *at = theta + k + k * d;

	memcpy(theta + k, gmm->mean, k * d * sizeof(double));
	for (size_t c = 0; c < k; c++)
	{
		theta[c] = log(gmm->weight[c]);
		for (size_t i = 0; i < d; i++)
			for (size_t j = 0; j <= i; j++)
				*at++ = gmm->covariance[(c * d + i) * d + j];
	}
}

DpemStatus
dpem_observed_theta(const DpemGmm *gmm, const DpemFeatureMap *map, const double *inverse, double *theta,
					DpemWorkspace work)
{
	DpemMomentLayout layout = {gmm->k, gmm->d, gmm->shape};
	DpemWorkspace of_gmm = work;
	DpemFeatureMap box_map = *map;
	DpemStatus	status = dpem_gmm_theta(gmm, theta, of_gmm);
	InBox		box = take_box(gmm->k, gmm->d, &work);

	if (status != DPEM_OK)
		return status;
	for (int j = 0; j < gmm->d; j++)
	{
		box.lower[j] = -1;
		box.upper[j] = 1;
	}
	box_map.lower = box.lower;
	box_map.upper = box.upper;
	dpem_affine_from_features(&box_map, inverse, &box.affine);
	dpem_gmm_copy(gmm, &box.gmm);
	dpem_affine_apply_gmm(&box.affine, &box.gmm, box.rest);
	write_box(&box.gmm, theta + dpem_kernel_gmm.theta_length(&layout));
	return DPEM_OK;
}

/* one component's arrays */
static DpemGmm
take_one(int d, DpemWorkspace *work)
{
	size_t		n = (size_t) d;

	return (DpemGmm) {
		.k = 1,.d = d,.weight = dpem_workspace_take(work, 1),.mean = dpem_workspace_take(work, n),
			.covariance = dpem_workspace_take(work, n * n)
	};
}

size_t
dpem_observed_start_work(int d)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) take_one(d, &dry);
	return dpem_workspace_taken(&dry) + dpem_observed_theta_work(1, d);
}

DpemStatus
dpem_observed_start(double spread, DpemSecondMoment shape, const DpemFeatureMap *map, const double *inverse,
					double *theta, DpemWorkspace work)
{
	DpemGmm		one = take_one(map->d, &work);
	double		sd = spread / map->radius;

	one.shape = shape;
	one.weight[0] = 1;
	for (int i = 0; i < map->d; i++)
	{
		one.mean[i] = 0;
		for (int j = 0; j < map->d; j++)
			one.covariance[(size_t) i * map->d + j] = i == j ? sd * sd : 0;
	}
	return dpem_observed_theta(&one, map, inverse, theta, work);
}

/* ---- the kernel of a pass -------------------------------------------------- */

/* its parameters begin with those of kernel `gmm` */
static void
observed_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
				 int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	dpem_kernel_gmm.respond(layout, theta, block, feature_bits, responsibility_bits, r, scratch);
}

static bool
observed_valid(const DpemMomentLayout *layout, const double *theta)
{
	(void) theta;
	return layout->d <= DPEM_OBSERVED_MAX_D && dpem_moments_second_length(layout) > 0;
}

const DpemKernel dpem_kernel_gmm_observed = {
	.name = "gmm_observed",.code = 50,.max_components = DPEM_GMM_MAX_COMPONENTS,.theta_length = dpem_observed_theta_length,
	.theta_valid = observed_valid,.scratch_length = dpem_observed_scratch,.counts_rows = true,.respond = observed_respond,
	.add_incomplete = dpem_observed_add
};
