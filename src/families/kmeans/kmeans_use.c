/*
 * kmeans_use.c - evaluating k-means models.
 *
 * Distances are taken where the fit took them: every column scaled to
 * [-1, 1] by the domain it had then, on its scale.  Points beyond the domain are
 * not moved.
 */
#include "postgres.h"

#include <math.h>

#include "storage/shmem.h"

#include "core/svg/svg_clusters.h"
#include "export/predictor.h"
#include "families/kmeans/kmeans.h"
#include "server/fit_memory.h"

typedef struct ReadyKmeans
{
	const DpemModel *model;		/* its centers are in the columns' units, as stored */
	double	   *center;			/* k x d: in coordinates */
	double	   *distance;		/* k: the transform's answer */
} ReadyKmeans;

void *
dpem_kmeans_load(DpemModel *model)
{
	ReadyKmeans *ready = palloc(sizeof(ReadyKmeans));
	size_t		n = (size_t) model->k * model->d;

	ready->model = model;
	ready->center = dpem_fit_allocate(n);
	memcpy(ready->center, model->value[DPEM_KMEANS_CENTER], n * sizeof(double));
	for (int k = 0; k < model->k; k++)
		dpem_model_to_coordinates(model, ready->center + (size_t) k * model->d);
	ready->distance = palloc(model->k * sizeof(double));
	return ready;
}

static double
squared_distance_to(const ReadyKmeans *ready, int k, const double *x)
{
	const DpemModel *m = ready->model;
	const double *center = ready->center + (size_t) k * m->d;
	double		square = 0;

	for (int j = 0; j < m->d; j++)
	{
		double		scaled = (x[j] / 2 - center[j] / 2) / (m->upper[j] / 4 - m->lower[j] / 4);

		square += scaled * scaled;
	}
	return square;
}

/* the first of equals */
static int
nearest(const ReadyKmeans *ready, const double *x, double *square)
{
	int			best = 0;

	*square = squared_distance_to(ready, 0, x);
	for (int k = 1; k < ready->model->k; k++)
	{
		double		other = squared_distance_to(ready, k, x);

		if (other < *square)
		{
			*square = other;
			best = k;
		}
	}
	return best;
}

int
dpem_kmeans_predict(void *use, const double *x)
{
	double		square;

	return nearest(use, x, &square) + 1;
}

double
dpem_kmeans_squared_distance(void *use, const double *x)
{
	double		square;

	(void) nearest(use, x, &square);
	return square;
}

/* the distance to every center */
const double *
dpem_kmeans_transform(void *use, const double *x, int *n)
{
	ReadyKmeans *ready = use;

	*n = ready->model->k;
	for (int k = 0; k < *n; k++)
		ready->distance[k] = sqrt(squared_distance_to(ready, k, x));
	return ready->distance;
}

/* ---- in other languages ---- */

static char *
score_text(const double *center, const double *half, int d)
{
	StringInfoData sum;

	initStringInfo(&sum);
	appendStringInfoString(&sum, "-(");
	for (int j = 0; j < d; j++)
		appendStringInfo(&sum, "%spower((x%d - (%s)) / %s, 2)", j > 0 ? " + " : "", j + 1, dpem_predictor_number(center[j]),
						 dpem_predictor_number(half[j]));
	appendStringInfoChar(&sum, ')');
	return sum.data;
}

void
dpem_kmeans_predictor(void *use, DpemPredictor *p)
{
	const ReadyKmeans *ready = use;
	const DpemModel *m = ready->model;
	double	   *half = palloc(Max(m->d, 1) * sizeof(double));

	for (int j = 0; j < m->d; j++)
		half[j] = m->upper[j] / 2 - m->lower[j] / 2;
	dpem_predictor_scores(p, m->k);
	for (int k = 0; k < m->k; k++)
		p->score[k] = score_text(ready->center + (size_t) k * m->d, half, m->d);
	p->center = ready->center;
	p->half_width = half;
}

/* ---- the picture ---- */

/* centers, which the view has in the columns' own units, and their noise, to first order */
static void
to_coordinates(const DpemPlot *plot, DpemSvgComponent *component, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < 2; j++)
		{
			double		center = component[i].mean[j];

			component[i].mean[j] = dpem_scale_apply(plot->scale[j], center);
			component[i].mean_noise[j] /= dpem_scale_unit(plot->scale[j], center);
		}
}

void
dpem_kmeans_plot(DpemPlot *plot)
{
	DpemSvgClusters m = {.caption = plot->caption,
						 .column = {plot->axis[0], plot->axis[1]},
						 .scale = {plot->scale[0], plot->scale[1]},
						 .columns = plot->columns,
						 .all = plot->d == 2,
						 .lower = {plot->lower[0], plot->lower[1]},
						 .upper = {plot->upper[0], plot->upper[1]}};
	DpemSvgComponent *component = dpem_plot_components(
		plot,
		"SELECT c.weight, c.noise_stddev, x.center, y.center, x.noise_stddev, y.noise_stddev,"
		" 0::float8, 0::float8, 0::float8"
		" FROM dpem.kmeans_clusters c JOIN dpem.kmeans_centers x USING (model, component)"
		" JOIN dpem.kmeans_centers y USING (model, component)"
		" WHERE model = $1 AND x.column_name = $2 AND y.column_name = $3 ORDER BY component",
		&m.n);
	to_coordinates(plot, component, m.n);
	m.component = component;
	dpem_svg_clusters(&plot->svg, &m,
					  palloc(mul_size(dpem_svg_clusters_workspace(m.n), sizeof(double))));
}
