/*
 * discriminant.c - see discriminant.h.
 */
#include <math.h>
#include <string.h>

#include "core/logit/class_axes.h"
#include "core/logit/class_softmax.h"
#include "core/numeric/linalg.h"
#include "core/replay/discriminant.h"

#define VECTORS		6			/* of a class */

DpemClassFit
dpem_discriminant_take(int problems, int d, DpemWorkspace *work)
{
	size_t		n = (size_t) d;
	int			classes = problems == 1 ? 2 : problems;
	DpemClassFit fit = {.d = d,.problems = classes,.loss = {DPEM_LOSS_MULTINOMIAL, 1},.together = true,.shared = true};

	fit.axes = (DpemClassAxes) {d, dpem_workspace_take(work, n * n), dpem_workspace_take(work, n)};
	fit.spread = dpem_workspace_take(work, n * n);
	fit.problem = dpem_workspace_take_bytes(work, classes * sizeof(DpemClassProblem));
	for (int k = 0; k < classes; k++)
	{
		double	   *vector = dpem_workspace_take(work, VECTORS * n);

		if (work->end == NULL)
			continue;
		fit.problem[k] = (DpemClassProblem) {.axis = vector,.gain = vector + n,.g = vector + 2 * n,.center = vector + 3 * n};
		fit.problem[k].s.linear = vector + 4 * n;
		fit.problem[k].fit = (DpemLogit) {.d = d,.mean = vector + 5 * n};
	}
	return fit;
}

/* of two classes sum y x was released, and that of all is known: the sums of either */
static DpemNoisyMoments
split_sums(const DpemNoisyMoments *sums, double scale, const DpemClassFit *of, double *value)
{
	int			d = of->d;
	double		sd = hypot(scale * sums->sum_sd, of->sum_sd) / 2;

	for (int j = 0; j < d; j++)
	{
		double		difference = scale * sums->value[1 + j];

		value[1 + j] = (of->sum[j] - difference) / 2;
		value[1 + d + 1 + j] = (of->sum[j] + difference) / 2;
	}
	value[0] = value[1 + d] = 0;
	return (DpemNoisyMoments) {.layout = {2, d, DPEM_SECOND_NONE},.value = value,.sum_sd = sd};
}

/*
 * Normal deviates times it are what rows differ by within a class: the root of sum x x' less all that means of classes explain of it.  Coefficients
 * are better off with a part of that, but then classes that are apart would seem to overlap.
 */
static DpemStatus
find_spread(DpemClassFit *fit, DpemWorkspace work)
{
	int			d = fit->d;
	double		rows = fmax(fit->rows, 1);
	double	   *matrix = fit->axes.vectors;

	memcpy(matrix, fit->second, (size_t) d * d * sizeof(double));
	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
			for (int k = 0; k < fit->problems; k++)
				matrix[(size_t) i * d + j] -= rows * fit->problem[k].share * fit->problem[k].center[i] * fit->problem[k].center[j];
	for (int i = 0; i < d && fit->constant > 0; i++)
		matrix[(size_t) i * d + d - 1] = matrix[(size_t) (d - 1) * d + i] = 0;
	if (dpem_axes_find(d, matrix, 0, &fit->axes, work) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
		fit->axes.value[i] = sqrt(fmax(fit->axes.value[i], dpem_class_spectrum_edge(fit) / 2) / rows);
	dpem_linalg_rebuild(d, fit->axes.vectors, fit->axes.value, fit->spread, work.next);
	for (int i = 0; i < d && fit->constant > 0; i++)
		fit->spread[(size_t) i * d + d - 1] = 0;
	return DPEM_OK;
}

static size_t
split_length(int d)
{
	return 2 * (1 + (size_t) d);
}

size_t
dpem_discriminant_work(int d)
{
	return split_length(d) + dpem_class_work(d);
}

DpemStatus
dpem_discriminant_find(const DpemNoisyMoments *sums, double scale, const DpemClassFit *of, DpemClassFit *fit, DpemWorkspace work)
{
	double	   *split = dpem_workspace_take(&work, split_length(of->d));
	DpemNoisyMoments by_class = of->problems == 1 ? split_sums(sums, scale, of, split) : *sums;
	DpemStatus	status;

	fit->rows = of->rows;
	fit->sum = of->sum;
	fit->sum_sd = of->sum_sd;
	fit->second = of->second;
	fit->second_sd = of->second_sd;
	fit->constant = of->constant;
	fit->problem->s.constant = of->problem->s.constant;
	fit->problem->s.value = of->problem->s.value;
	if (dpem_axes_find(of->d, of->second, dpem_class_spectrum_edge(of) / 2, &fit->axes, work) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	status = dpem_softmax_take_sums(&by_class, of->problems == 1 ? 1 : scale, fit, work);
	return status == DPEM_OK ? find_spread(fit, work) : status;
}
