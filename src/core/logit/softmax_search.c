/*
 * softmax_search.c - see softmax_search.h.
 */
#include <string.h>

#include "core/logit/class_axes.h"
#include "core/logit/softmax_search.h"

#define MOST_CURVATURE	0.5		/* of sum x x' (Boehning 1992) */

size_t
dpem_softmax_search_work(int problems, int d)
{
	size_t		n = (size_t) problems * d;

	return problems + 2 * n + dpem_quasi_newton_work((int) n);
}

void
dpem_softmax_search_begin(DpemSoftmaxSearch *search, DpemClassFit *fit, DpemWorkspace *work)
{
	int			d = fit->d;
	int			n = fit->problems * d;

	*search = (DpemSoftmaxSearch) {
		.fit = fit,.precision = dpem_workspace_take(work, fit->problems),.diagonal = dpem_workspace_take(work, n),
			.gradient = dpem_workspace_take(work, n)
	};
	for (int k = 0; k < fit->problems; k++)
	{
		search->precision[k] = fit->prior_variance > 0 ? 1 / fit->prior_variance : fit->problem[k].fit.precision;
		dpem_axes_turn(&fit->axes, false, fit->problem[k].fit.mean, search->gradient + (size_t) k * d);
		for (int i = 0; i < d; i++)
			search->diagonal[(size_t) k * d + i] = MOST_CURVATURE * fit->axes.value[i] + search->precision[k];
	}
	dpem_quasi_newton_begin(&search->minimum, n, search->diagonal, search->gradient, work);
}

void
dpem_softmax_search_at(DpemSoftmaxSearch *search, int problem, double *out)
{
	dpem_axes_turn(&search->fit->axes, true, search->minimum.at + (size_t) problem * search->fit->d, out);
}

void
dpem_softmax_search_end(DpemSoftmaxSearch *search)
{
	if (search->minimum.begun)
		memcpy(search->minimum.at, search->minimum.best, search->minimum.n * sizeof(double));
}

bool
dpem_softmax_search_take(DpemSoftmaxSearch *search, const DpemNoisyMoments *m, double scale)
{
	const DpemClassFit *fit = search->fit;
	int			d = fit->d;

	if (search->minimum.found)
		return false;
	for (int k = 0; k < fit->problems; k++)
	{
		double	   *own = search->gradient + (size_t) k * d;

		dpem_axes_turn(&fit->axes, false, m->value + k * dpem_moments_record(&m->layout) + 1, own);
		for (int i = 0; i < d; i++)
			own[i] = search->precision[k] * search->minimum.at[(size_t) k * d + i] - scale * own[i];
	}
	dpem_quasi_newton_take(&search->minimum, search->gradient);
	return !search->minimum.found;
}
