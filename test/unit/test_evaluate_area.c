/*
 * test_evaluate_area.c - the area under the curve of rows that are counted in bins, beside that of the rows themselves.
 */
#include <math.h>
#include <string.h>

#include "core/evaluation/evaluate_metrics.h"
#include "unit.h"

/* of rows whose odds are as scores say, narrow bins and wide ones have the same area */
static void
check_ties(void)
{
	static double count[2][2 * 4096];
	DpemStatisticValue wide;
	DpemStatisticValue narrow;

	memset(count, 0, sizeof(count));
	for (int b = 0; b < 4096; b++)
	{
		double		s = dpem_evaluate_middle(4096, b, 7);
		double		density = exp(-(s + 1) * (s + 1) / 8);

		count[0][b] = density / (1 + exp(s));
		count[0][4096 + b] = density / (1 + exp(-s));
		count[1][b / 256] += count[0][b];
		count[1][16 + b / 256] += count[0][4096 + b];
	}
	dpem_evaluate_auc(&(DpemEvaluateCells) {4096, count[0], 0}, &narrow);
	dpem_evaluate_auc(&(DpemEvaluateCells) {16, count[1], 0}, &wide);
	CHECK(fabs(wide.value - narrow.value) < 2e-4, "areas %g and %g", wide.value, narrow.value);
}

/* area of scores of standard deviation `sd` about `middle` in 20 bins from -7 to 7, where odds rise so many times as much as they say */
static double
area_of_scores(double middle, double sd, double rise, double *exact)
{
	static double fine[2 * 4096];
	double		count[40] = {0};
	DpemStatisticValue value;
	double		below = 0;
	double		pairs = 0;
	double		n[2] = {0, 0};

	for (int b = 0; b < 4096; b++)
	{
		double		s = middle + 8 * sd * ((b + 0.5) / 2048 - 1);
		double		density = exp(-pow((s - middle) / sd, 2) / 2);

		for (int class = 0; class < 2; class++)
		{
			fine[class * 4096 + b] = density / (1 + exp((class ? -1 : 1) * (middle + rise * (s - middle))));
			count[class * 20 + (int) fmin(fmax((s + 7) / 0.7, 0), 19)] += fine[class * 4096 + b];
			n[class] += fine[class * 4096 + b];
		}
	}
	for (int b = 0; b < 4096; b++)
	{
		pairs += fine[4096 + b] * (below + fine[b] / 2);
		below += fine[b];
	}
	*exact = pairs / n[0] / n[1];
	dpem_evaluate_auc(&(DpemEvaluateCells) {20, count, 0}, &value);
	return value.value;
}

/* scores that are all in a few bins are worth what the rows in these say, whatever the scores do */
static void
check_few_bins(void)
{
	static const double rise[] = {-1, 0, 0.3, 1, 3};
	static const double sd[] = {0.1, 0.2, 0.4, 1, 3};
	double		exact;

	for (int r = 0; r < (int) (sizeof(rise) / sizeof(rise[0])); r++)
		for (int i = 0; i < (int) (sizeof(sd) / sizeof(sd[0])); i++)
		{
			double		area = area_of_scores(0.1, sd[i], rise[r], &exact);

			CHECK(fabs(area - exact) < 0.016, "scores of deviation %g whose odds rise by %g: area %g, exactly %g", sd[i], rise[r], area, exact);
		}
}

int
main(void)
{
	check_ties();
	check_few_bins();
	return unit_report();
}
