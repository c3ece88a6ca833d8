/*
 * test_gmm_tied.c - one covariance for all components, beside scikit-learn 1.2.1.
 *
 * Golden numbers: GaussianMixture(3, covariance_type='tied', max_iter=20, tol=0, reg_covar=0) with the start below, on
 * the rows that make_rows computes.
 */
#include "core/kernels/gmm_kernel.h"
#include "em_fixture.h"
#include "unit.h"

enum
{
	N = 600, K = 3, D = 2
};

#define RADIUS 2.0

static const double golden_mean[K * D] = {
	0.5053563258610551, -2.843503912542254e-05, -0.24429354077211995, 0.4310112581951469,
	-0.2374700093996482, -0.43439156867093565
};
static const double golden_covariance[D * D] = {
	0.006039559762805761, 0.00015030324715599008, 0.00015030324715598832, 0.003998344842614946
};

static void
make_rows(double *x)
{
	for (int i = 0; i < N; i++)
	{
		x[i * D] = 0.5 * cos(2.1 * (i % 3)) + 0.1 * sin(1.7 * i) + 0.05 * cos(fmod(0.31 * i * i, 7));
		x[i * D + 1] = 0.5 * sin(2.1 * (i % 3)) + 0.08 * cos(2.3 * i) + 0.04 * sin(0.77 * i);
	}
}

static void
start(DpemGmm *gmm)
{
	static const double mean[K * D] = {0.5, 0, -0.2, 0.4, -0.2, -0.4};

	for (int i = 0; i < K * D; i++)
		gmm->mean[i] = mean[i] / RADIUS;
	for (int k = 0; k < K; k++)
	{
		gmm->weight[k] = 1.0 / K;
		gmm->covariance[k * D * D] = gmm->covariance[k * D * D + 3] = 0.05 / RADIUS / RADIUS;
	}
}

static void
run_em(const EmData *data, const DpemGmmRule *rule, DpemGmm *gmm)
{
	DpemMomentLayout layout = {K, D, DPEM_SECOND_FULL};
	DpemGmmHistory history = em_history(&layout);
	double	   *theta = zeros(dpem_kernel_gmm.theta_length(&layout));
	double	   *moments = zeros(dpem_moments_length(&layout));
	DpemWorkspace work = em_workspace(dpem_gmm_maximize_work(K, D) + dpem_gmm_theta_work(D));

	for (int pass = 0; pass < 20; pass++)
	{
		DpemNoisyMoments released = {.layout = layout,.value = moments};

		CHECK(dpem_gmm_theta(gmm, theta, work) == DPEM_OK, "pass %d", pass);
		em_pass(data, &layout, theta, false, moments);
		dpem_gmm_history_add(&history, &released);
		CHECK(dpem_gmm_maximize(&history, rule, gmm, work) == DPEM_OK, "pass %d", pass);
	}
	free(work.next);
	free(moments);
	free(theta);
	free(history.total);
	free(history.average.value);
}

int
main(void)
{
	static const double lower[D] = {-1, -1};
	static const double upper[D] = {1, 1};
	double	   *x = zeros(N * D);
	EmData		data = {N, D, x, {.d = D,.radius = RADIUS,.lower = lower,.upper = upper}};
	DpemGmmRule rule = dpem_gmm_default_rule(D, false);
	DpemGmm		gmm = em_create(K, D, DPEM_SECOND_FULL);

	make_rows(x);
	rule.tied = true;
	start(&gmm);
	run_em(&data, &rule, &gmm);
	for (int i = 0; i < K * D; i++)
		CHECK(fabs(RADIUS * gmm.mean[i] - golden_mean[i]) < 1e-9, "mean %d: %.12g", i, RADIUS * gmm.mean[i]);
	for (int i = 0; i < K * D * D; i++)
		CHECK(fabs(RADIUS * RADIUS * gmm.covariance[i] - golden_covariance[i % (D * D)]) < 1e-9,
			  "covariance %d: %.12g", i, RADIUS * RADIUS * gmm.covariance[i]);
	rule.tied = false;
	start(&gmm);
	run_em(&data, &rule, &gmm);
	CHECK(fabs(gmm.covariance[0] - gmm.covariance[4]) > 1e-6, "which are not all alike unless tied");
	em_free(&gmm);
	free(x);
	return unit_report();
}
