/*
 * kmeans_use.c - evaluating k-means models.
 *
 * Distances are taken where the fit took them: every column scaled to
 * [-1, 1] by the domain it had then.  Points beyond the domain are not moved.
 */
#include "postgres.h"

#include <math.h>

#include "families/kmeans/kmeans_store.h"
#include "fit/model_use.h"
#include "fit/plot.h"

typedef struct ReadyKmeans
{
	DpemStoredKmeans *stored;
	double	   *distance;		/* k: the transform's answer */
} ReadyKmeans;

static void *
load(const char *name)
{
	ReadyKmeans *ready = palloc(sizeof(ReadyKmeans));

	ready->stored = dpem_model_load_kmeans(name);
	ready->distance = palloc(ready->stored->k * sizeof(double));
	return ready;
}

static int
dimension(const void *model)
{
	return ((const ReadyKmeans *) model)->stored->d;
}

static double
squared_distance_to(const DpemStoredKmeans *m, int k, const double *x)
{
	const double *centre = m->centre + (size_t) k * m->d;
	double		square = 0;

	for (int j = 0; j < m->d; j++)
	{
		double		scaled = (x[j] / 2 - centre[j] / 2) / (m->upper[j] / 4 - m->lower[j] / 4);

		square += scaled * scaled;
	}
	return square;
}

/* the first of equals */
static int
nearest(const DpemStoredKmeans *m, const double *x, double *square)
{
	int			best = 0;

	*square = squared_distance_to(m, 0, x);
	for (int k = 1; k < m->k; k++)
	{
		double		other = squared_distance_to(m, k, x);

		if (other < *square)
		{
			*square = other;
			best = k;
		}
	}
	return best;
}

static int
predict(void *model, const double *x)
{
	double		square;

	return nearest(((ReadyKmeans *) model)->stored, x, &square) + 1;
}

static double
squared_distance(void *model, const double *x)
{
	double		square;

	(void) nearest(((ReadyKmeans *) model)->stored, x, &square);
	return square;
}

/* the distance to every centre */
static const double *
transform(void *model, const double *x, int *n)
{
	ReadyKmeans *ready = model;

	*n = ready->stored->k;
	for (int k = 0; k < *n; k++)
		ready->distance[k] = sqrt(squared_distance_to(ready->stored, k, x));
	return ready->distance;
}

const DpemModelUse dpem_kmeans_use = {
	.family = "kmeans",.title = "a k-means model",.load = load,.dimension = dimension,
	.predict = predict,.squared_distance = squared_distance,.transform = transform,
	.plot = dpem_plot_kmeans
};
