/*
 * test_compare.c - rows that two mixtures are compared by: whatever the mixtures are, a row is in one cell or in none, and
 * the released counts say which mixture the rows are likelier in (docs/proofs.md, 10; core/density/compare_kernel.h).
 */
#include <math.h>

#include "core/accounting/sensitivity.h"
#include "core/density/compare_kernel.h"
#include "core/numeric/linalg.h"
#include "core/pass/features.h"
#include "kernel_fixture.h"

#define D 3
#define FIRST 4
#define SECOND 1
#define ROWS 40000

static const DpemMomentLayout layout = {DPEM_COMPARE_LEVELS, D, DPEM_COUNTS_ALONE};
static Rng *draws;

static double
uniform(void)
{
	return rng_uniform(draws, 0, 1);
}

/* a mixture in the box, with an atom in its first column of that share */
static void
fill(Rng *rng, double atom, DpemGmmWhole *w)
{
	double		lower[D] = {0};
	double		upper[D] = {0};
	double		scale[D];
	double	   *work = numbers(dpem_gmm_whole_prepare_work(w->gmm.k, D));

	for (int j = 0; j < D; j++)
	{
		w->lower[j] = -1;
		w->upper[j] = 1;
		scale[j] = 1;
	}
	upper[0] = 0.1;
	for (int k = 0; k < w->gmm.k; k++)
	{
		w->gmm.weight[k] = 1.0 / w->gmm.k;
		for (int j = 0; j < D; j++)
		{
			w->share[k * D + j] = j == 0 ? atom : 0;
			w->gmm.mean[k * D + j] = rng_uniform(rng, -0.5, 0.5);
			for (int i = 0; i < D; i++)
				w->gmm.covariance[(k * D + j) * D + i] = i == j ? 0.02 : 0.005;
		}
	}
	CHECK(dpem_gmm_whole_prepare(lower, upper, scale, w, (DpemWorkspace) {work, work + dpem_gmm_whole_prepare_work(w->gmm.k, D)}) == DPEM_OK, "prepared");
	free(work);
}

/* where a row falls: -1 for no cell */
static int32_t
place(const double *theta, const double *x, double keep, double *scratch)
{
	Work		w = work_make(D, 1);
	int32_t		component;

	work_fill(&w, x, NULL, 1);
	w.block.keep[0] = keep;
	dpem_kernel_compare.locate(&layout, theta, &w.block, DPEM_FINE_BITS, &component, scratch);
	work_free(&w);
	return component;
}

static void
draw_row(Rng *rng, const DpemGmmWhole *w, double atom, double unit, double *x)
{
	int			k = (int) rng_below(rng, w->gmm.k);

	for (int j = 0; j < D; j++)
		x[j] = rint(ldexp((w->gmm.mean[k * D + j] + 0.1 * rng_normal(rng)) / unit, DPEM_FINE_BITS));
	if (rng_uniform(rng, 0, 1) < atom)
		x[0] = 0;
}

/* counts of rows of the first mixture, and the mean difference of its log-density and the second's in them */
static double
count_rows(Rng *rng, const DpemCompareTask *task, const double *theta, double *count)
{
	size_t		logs = dpem_gmm_apart_logs(FIRST, D);
	double	   *own = numbers(2 * logs);
	DpemGmmApart apart[2] = {dpem_gmm_whole_apart(&task->mixture[0], own), dpem_gmm_whole_apart(&task->mixture[1], own + logs)};
	size_t		need = dpem_gmm_whole_work(FIRST, D);
	double	   *memory = numbers(need);
	double	   *scratch = numbers(dpem_kernel_compare.scratch_length(&layout));
	DpemWorkspace work = {memory, memory + need};
	double		sum = 0;

	for (int i = 0; i < ROWS; i++)
	{
		double		x[D];
		double		at[D];
		int32_t		component;

		draw_row(rng, &task->mixture[0], 0.3, task->unit, x);
		for (int j = 0; j < D; j++)
			at[j] = ldexp(x[j], -DPEM_FINE_BITS) * task->unit;
		component = place(theta, x, 1, scratch);
		if (component >= 0)
			count[component]++;
		sum += fmin(fmax(dpem_gmm_whole_log_density(&task->mixture[0], &apart[0], at, work) -
						 dpem_gmm_whole_log_density(&task->mixture[1], &apart[1], at, work), -8), 8);
	}
	free(own);
	free(memory);
	free(scratch);
	return sum / ROWS;
}

/* levels are near the differences in their cells, and rows that are drawn like the others: within five of their deviations */
static void
check_means(Rng *rng, double rate)
{
	double		theta[1024];
	double		count[DPEM_COMPARE_LEVELS] = {0};
	DpemCompareTask task = dpem_compare_begin(rate, 1.7, FIRST, SECOND, D, theta);
	double		looked_at = 0;
	double		mean;
	double		sum;
	double		sd;

	CHECK(dpem_compare_theta_length(FIRST, SECOND, D) <= 1024, "room");
	fill(rng, 0.3, &task.mixture[0]);
	fill(rng, 0.3, &task.mixture[1]);
	CHECK(dpem_kernel_theta_length(&dpem_kernel_compare, &layout, theta, 1024) == dpem_compare_theta_length(FIRST, SECOND, D), "its own length");
	mean = count_rows(rng, &task, theta, count);
	sum = dpem_compare_sum(count, 2, &sd);
	CHECK(fabs(sum / (rate * ROWS) - mean) < 0.1 * mean + 5 * 4 / sqrt(rate * ROWS), "rate %g: %g, not %g", rate, sum / (rate * ROWS), mean);
	CHECK(mean > 0.2, "rows of the first are likelier in it: %g", mean);
	CHECK(sd > 2 * sqrt(181) && sd < 2 * sqrt(182), "noise of the sum: %g", sd);
	for (int i = 0; i < DPEM_COMPARE_LEVELS; i++)
		looked_at += count[i];
	CHECK(fabs(looked_at - rate * ROWS) <= (rate < 1 ? 5 * sqrt(ROWS) : 0), "a row in %g is looked at", rate);
}

/* of any numbers a row is in one cell or in none, so that no two tables differ by more than is declared */
static void
check_anything(Rng *rng)
{
	static const double odd[] = {0, 1, -1, INFINITY, -INFINITY, 1e300, -1e300, 0x1p-1074, 0.5};
	double		theta[1024];
	double	   *scratch = numbers(dpem_kernel_compare.scratch_length(&layout));
	size_t		length = dpem_compare_theta_length(FIRST, SECOND, D);
	double		worst = 0;

	for (int i = 0; i < 3000; i++)
	{
		DpemCompareTask task = dpem_compare_begin(1, 1.7, FIRST, SECOND, D, theta);
		double		x[2][D];
		int32_t		component[2];

		fill(rng, 0.3, &task.mixture[0]);
		fill(rng, 0, &task.mixture[1]);
		for (int damage = 0; damage < i % 20; damage++)
			theta[4 + rng_below(rng, length - 4)] = odd[rng_below(rng, sizeof(odd) / sizeof(odd[0]))];
		for (int r = 0; r < 2; r++)
		{
			draw_row(rng, &task.mixture[0], 0.3, 1.7, x[r]);
			component[r] = place(theta, x[r], 1, scratch);
			CHECK(component[r] >= 0 && component[r] < DPEM_COMPARE_LEVELS, "a cell: %d", component[r]);
		}
		CHECK(place(theta, x[0], 0, scratch) == -1, "a null row is in none");
		worst = fmax(worst, component[0] == component[1] ? 0 : 2);
	}
	CHECK(worst <= dpem_joint_sensitivity2(DPEM_COMPARE_LEVELS, 1, 0, 0, true), "replace_one: %g", worst);
	CHECK_CLOSE(worst, dpem_joint_sensitivity2(DPEM_COMPARE_LEVELS, 1, 0, 0, true), 1e-12, "attained");
	free(scratch);
}

static void
check_refusals(Rng *rng)
{
	double		theta[1024] = {0};
	DpemCompareTask task = dpem_compare_begin(1, 1, FIRST, SECOND, D, theta);
	size_t		length = dpem_compare_theta_length(FIRST, SECOND, D);
	const double bad[] = {0, -1, 1.5, 501, NAN, INFINITY};
	DpemMomentLayout sums = {1, D, DPEM_SECOND_NONE};

	fill(rng, 0.3, &task.mixture[0]);
	fill(rng, 0, &task.mixture[1]);
	for (size_t i = 0; i < length; i++)
		CHECK(isfinite(theta[i]), "number %zu travels with a pass: %g", i, theta[i]);
	CHECK(dpem_kernel_theta_length(&dpem_kernel_compare, &layout, theta, length) == length, "as long as it must be");
	CHECK(dpem_kernel_theta_length(&dpem_kernel_compare, &layout, theta, length - 1) == 0, "too short");
	CHECK(dpem_kernel_theta_length(&dpem_kernel_compare, &layout, theta, 3) == 0, "no header");
	CHECK(dpem_kernel_theta_length(&dpem_kernel_compare, &sums, theta, length) == 0, "sums");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		for (int at = 2; at < 4; at++)
		{
			double		was = theta[at];

			theta[at] = bad[i];
			CHECK(dpem_kernel_theta_length(&dpem_kernel_compare, &layout, theta, 1024) == 0, "%g components", bad[i]);
			theta[at] = was;
		}
	dpem_compare_uniform = NULL;
	CHECK(dpem_kernel_theta_length(&dpem_kernel_compare, &layout, theta, length) == 0, "nothing to draw from");
	dpem_compare_uniform = uniform;
}

int
main(void)
{
	Rng			rng = {20261128};

	draws = &rng;
	dpem_compare_uniform = uniform;
	check_means(&rng, 1);
	check_means(&rng, 0.25);
	check_anything(&rng);
	check_refusals(&rng);
	return unit_report();
}
