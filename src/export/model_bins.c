/*
 * model_bins.c - see model_bins.h.
 */
#include "postgres.h"

#include <math.h>

#include "export/model_bins.h"
#include "server/fit_memory.h"

#define SLACK	1e-12			/* of rounding errors in a coordinate, as when rows were counted */

static DpemColumnScale
scale_of(const DpemModel *model, int j)
{
	return model->scale != NULL ? model->scale[j] : DPEM_SCALE_LINEAR;
}

/* whether bins are equal parts, of which bounds that are written down may not tell all apart */
static bool
are_equal(const DpemModel *model, int j, int n, const double *upper)
{
	for (int i = 0; i < n - 1; i++)
		if (upper[i] != dpem_scale_between(scale_of(model, j), model->own_lower[j], model->own_upper[j], i + 1, n))
			return false;
	return true;
}

double *
dpem_model_bin_edges(const DpemModel *model, int j, int n, const double *upper)
{
	bool		equal = are_equal(model, j, n, upper);
	double		width = model->upper[j] - model->lower[j];
	double	   *edge = dpem_fit_allocate(n);

	for (int i = 0; i < n - 1; i++)
	{
		double		part = equal ? model->lower[j] + width * ((i + 1.0) / n) : dpem_scale_point(scale_of(model, j), upper[i], upper[i]);

		edge[i] = part - width * (SLACK / 2);
		if (!isfinite(edge[i]) || (i > 0 && edge[i] < edge[i - 1]))
			dpem_model_corrupt();
	}
	return edge;
}
