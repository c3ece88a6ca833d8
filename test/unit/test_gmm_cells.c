/*
 * test_gmm_cells.c - mixtures from noisy counts on a grid.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/mixture/gmm_cells.h"
#include "core/gmm/gmm_density.h"
#include "core/mixture/gmm_grid.h"
#include "core/numeric/public_random.h"
#include "em_fixture.h"
#include "unit.h"

enum
{
	SIDE = 50, CELLS = SIDE * SIDE, K = 9
};

static DpemPublicRandom rng = {4711};

typedef struct Plane
{
	double		count[CELLS];
	double		middle[CELLS * 2];
	DpemGmmCells cells;
} Plane;

/* an empty grid over [-1, 1]^2 */
static void
make_plane(Plane *plane, double rows, double sd)
{
	plane->cells = (DpemGmmCells) {
		.n = CELLS,.d = 2,.count = plane->count,.middle = plane->middle,.width = {2.0 / SIDE, 2.0 / SIDE},
		.sd = sd,.rows = rows,.variance = 0.25
	};
	for (int c = 0; c < CELLS; c++)
	{
		plane->count[c] = sd * dpem_public_normal(&rng);
		plane->middle[2 * c] = (c / SIDE + 0.5) * 2 / SIDE - 1;
		plane->middle[2 * c + 1] = (c % SIDE + 0.5) * 2 / SIDE - 1;
	}
}

static void
add_row(Plane *plane, double x, double y)
{
	int			i = (int) fmin(fmax((x + 1) / 2 * SIDE, 0), SIDE - 1);
	int			j = (int) fmin(fmax((y + 1) / 2 * SIDE, 0), SIDE - 1);

	plane->count[i * SIDE + j] += 1;
}

/* nine round clusters on a square */
static void
cluster_mean(int k, double *mean)
{
	mean[0] = 0.6 * (k / 3 - 1);
	mean[1] = 0.6 * (k % 3 - 1);
}

static void
fill_clusters(Plane *plane, double sd)
{
	for (int i = 0; i < plane->cells.rows; i++)
	{
		double		mean[2];

		cluster_mean(i % K, mean);
		add_row(plane, mean[0] + sd * dpem_public_normal(&rng), mean[1] + sd * dpem_public_normal(&rng));
	}
}

static int
fit(const Plane *plane, DpemGmm *gmm)
{
	DpemWorkspace work = em_workspace(dpem_gmm_cells_work(CELLS, gmm->k, 2));
	int			distinct = dpem_gmm_cells_fit(&plane->cells, gmm, work);

	free(work.next);
	return distinct;
}

/* 300 rows a cluster, narrower than anything that moments in the ball could tell under such noise */
static void
test_clusters(DpemSecondMoment shape)
{
	static Plane plane;
	DpemGmm		gmm = em_create(K, 2, shape);
	double		worst = 0;

	make_plane(&plane, 2700, 2);
	fill_clusters(&plane, 0.06);
	CHECK(fit(&plane, &gmm) == K, "all clusters are told apart");
	for (int k = 0; k < K; k++)
	{
		double		mean[2];
		double		nearest = INFINITY;

		cluster_mean(k, mean);
		for (int i = 0; i < K; i++)
			nearest = fmin(nearest, hypot(gmm.mean[2 * i] - mean[0], gmm.mean[2 * i + 1] - mean[1]));
		worst = fmax(worst, nearest);
		CHECK(fabs(gmm.weight[k] - 1.0 / K) < 0.05, "shape %d: weight %g", shape, gmm.weight[k]);
		CHECK(sqrt(gmm.covariance[4 * k]) > 0.04 && sqrt(gmm.covariance[4 * k]) < 0.09, "shape %d: deviation %g", shape,
			  sqrt(gmm.covariance[4 * k]));
		CHECK(shape == DPEM_SECOND_FULL || gmm.covariance[4 * k + 1] == 0, "the shape is kept");
		CHECK(shape != DPEM_SECOND_NORM || gmm.covariance[4 * k] == gmm.covariance[4 * k + 3], "the sphere is round");
	}
	CHECK(worst < 0.03, "every cluster has a component: %g", worst);
	em_free(&gmm);
}

/* one cluster: components that the counts cannot tell apart are the same one several times */
static void
test_repeated(void)
{
	static Plane plane;
	DpemGmm		gmm = em_create(5, 2, DPEM_SECOND_FULL);
	int			distinct;
	double		weight = 0;

	make_plane(&plane, 1000, 8);
	for (int i = 0; i < 1000; i++)
		add_row(&plane, 0.3 * dpem_public_normal(&rng), 0.3 * dpem_public_normal(&rng));
	distinct = fit(&plane, &gmm);
	CHECK(distinct >= 1 && distinct <= 2, "%d components are told apart", distinct);
	for (int k = 0; k < 5; k++)
		weight += gmm.weight[k];
	CHECK(gmm.k == 5 && fabs(weight - 1) < 1e-9, "there are five of them all the same, with weights that add up to 1");
	CHECK(gmm.mean[8] == gmm.mean[0] || gmm.mean[8] == gmm.mean[2], "the last is one of the others again");
	em_free(&gmm);
}

/* steps of EM never lower the likelihood of counts without noise by more than what cells' width leaves open */
static void
test_ascent(void)
{
	static Plane plane;
	DpemGmm		gmm = em_create(K, 2, DPEM_SECOND_FULL);
	DpemWorkspace work = em_workspace(dpem_gmm_cells_work(CELLS, K, 2));
	double		first;
	double		last;

	make_plane(&plane, 9000, 0.1);
	fill_clusters(&plane, 0.1);
	dpem_gmm_start(&gmm, 0.5, 0.05);
	first = dpem_gmm_cells_em(&plane.cells, 1, &gmm, work);
	last = dpem_gmm_cells_em(&plane.cells, 100, &gmm, work);
	CHECK(last > first + 100, "from %g to %g", first, last);
	free(work.next);
	em_free(&gmm);
}

/* whatever the counts are, what comes out can be evaluated */
static void
test_noise(double sd, double rows)
{
	static Plane plane;
	DpemGmm		gmm = em_create(6, 2, DPEM_SECOND_FULL);
	DpemGmmDensity density = {.offset = zeros(6),.factor = zeros(18),.cholesky = zeros(24)};
	double		scratch[4];
	double		weight = 0;

	make_plane(&plane, rows, sd);
	CHECK(fit(&plane, &gmm) > 0, "noise %g: something is found", sd);
	CHECK(dpem_gmm_density_prepare(&gmm, &density, scratch) == DPEM_OK, "noise %g: covariances factorise", sd);
	for (int k = 0; k < 6; k++)
		weight += gmm.weight[k];
	CHECK(fabs(weight - 1) < 1e-9, "noise %g: weights are a distribution", sd);
	free(density.offset);
	free(density.factor);
	free(density.cholesky);
	em_free(&gmm);
}

/* variance within the components that a start finds, of rows with the moments that whitening leaves: mean 0, variance 1/4 */
static double
within_start(Plane *plane, int k)
{
	DpemGmm		gmm = em_create(k, 2, DPEM_SECOND_FULL);
	DpemWorkspace work = em_workspace(dpem_gmm_cells_work(CELLS, k, 2));
	double		within = dpem_gmm_cells_start(&plane->cells, &gmm, work) ? dpem_gmm_cells_within(&plane->cells, &gmm, work) : NAN;

	free(work.next);
	em_free(&gmm);
	return within;
}

/* clusters are apart, in little noise or more; pieces of one normal are not */
static void
test_within(double sd)
{
	static Plane plane;
	double		within;

	for (int k = 2; k <= 9; k++)
	{
		make_plane(&plane, 4000, sd);
		for (int i = 0; i < 4000; i++)
			add_row(&plane, 0.5 * dpem_public_normal(&rng), 0.5 * dpem_public_normal(&rng));
		within = within_start(&plane, k);
		CHECK(!dpem_gmm_cells_apart(within), "noise %g: %d pieces of a normal have %g within", sd, k, within);
	}
	make_plane(&plane, 4000, sd);
	fill_clusters(&plane, 0.06);
	within = within_start(&plane, K);
	CHECK(dpem_gmm_cells_apart(within), "noise %g: clusters have %g within", sd, within);
	/* of two clusters one axis tells */
	make_plane(&plane, 4000, sd);
	for (int i = 0; i < 4000; i++)
		add_row(&plane, (i % 2 ? 0.48 : -0.48) + 0.1 * dpem_public_normal(&rng), 0.5 * dpem_public_normal(&rng));
	within = within_start(&plane, 2);
	CHECK(dpem_gmm_cells_apart(within), "noise %g: two clusters have %g within", sd, within);
	CHECK(!dpem_gmm_cells_apart(within_start(&plane, 1)), "one component is not apart from others");
}

/* as wide as the box is in whitened coordinates, and no wider than its reach */
static void
test_grid(void)
{
	static const double center[2] = {0.5, 0};
	static const double whitening[4] = {2, 0, 0, 100};
	double		radius = dpem_gmm_grid_radius(2);
	DpemCellGrid grid = dpem_gmm_grid(5, 2, 2, DPEM_CELLS_MAX, center, whitening, 10000, 10, NULL);

	CHECK(fabs(grid.axis[0].upper * radius - 3) < 1e-12, "an axis ends with the domain");
	CHECK(fabs(grid.axis[1].upper * radius - DPEM_GMM_CELLS_REACH) < 1e-12, "or at the reach");
	CHECK(grid.axis[1].parts > grid.axis[0].parts, "cells are squares");
	CHECK(dpem_cells_number(&grid) >= 3000 && dpem_cells_number(&grid) < 6000, "%d cells", dpem_cells_number(&grid));
}

/* over the first axes of more: their coordinates alone, in no more cells than were asked for */
static void
test_grid_of_few_axes(void)
{
	static const double center[4] = {0};
	static const double whitening[16] = {[0] = 9,[5] = 9,[10] = 9,[15] = 9};
	static const double flat[16] = {[0] = 9,[5] = 1e-9,[10] = 9,[15] = 9};
	double		projection[8];
	DpemCellGrid fine = dpem_gmm_grid(5, 2, 4, DPEM_CELLS_MAX, center, whitening, 1e6, 1, projection);
	DpemCellGrid coarse = dpem_gmm_grid(5, 2, 4, 1000, center, whitening, 1e6, 1, projection);

	CHECK(fine.axes == 2 && fine.d == 4 && fine.projection == projection, "two axes of four");
	for (int i = 0; i < 8; i++)
		CHECK(projection[i] == (i == 0 || i == 5), "number %d is %g", i, projection[i]);
	CHECK(dpem_cells_number(&coarse) <= 1100 && dpem_cells_number(&coarse) < dpem_cells_number(&fine), "%d cells", dpem_cells_number(&coarse));
	coarse = dpem_gmm_grid(5, 2, 4, DPEM_CELLS_MAX, center, flat, 1e6, 1, projection);
	CHECK(dpem_cells_number(&coarse) > 0, "an axis along which the domain is a line leaves no more cells than there may be");
	CHECK(fabs(fine.axis[0].upper * dpem_gmm_grid_radius(4) - DPEM_GMM_CELLS_REACH) < 1e-12, "in units of the ball of all axes");
}

int
main(void)
{
	test_clusters(DPEM_SECOND_FULL);
	test_clusters(DPEM_SECOND_DIAGONAL);
	test_clusters(DPEM_SECOND_NORM);
	test_repeated();
	test_ascent();
	test_noise(1e-3, 10);
	test_noise(5, 1);
	test_noise(1e9, 1000);
	test_noise(20, 1e7);
	test_within(1);
	test_within(4);
	test_grid();
	test_grid_of_few_axes();
	return unit_report();
}
