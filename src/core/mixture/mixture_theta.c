/*
 * mixture_theta.c - a mixed mixture as parameters of the kernel `gmm`; see mixture_estimate.h.
 */
#include <math.h>

#include "core/mixture/mixture_estimate.h"

int
dpem_mixture_coordinates(const DpemMixtureRows *rows)
{
	return rows->d + (rows->missing ? rows->numbers : 0);
}

int
dpem_mixture_labels(const DpemMixtureRows *rows)
{
	int			n = 0;

	for (int j = rows->numbers; j < rows->d; j++)
		n += rows->label[j] == j;
	return n;
}

typedef struct Theta
{
	double	   *offset;
	double	   *mean;
	double	   *factor;
} Theta;

/* adds slope times the coordinate to the logit: with the same factor in all components, their squares cancel */
static void
add_linear(const DpemMixtureRows *rows, Theta t, int j, double slope)
{
	t.factor[j] = 1;
	t.mean[j] = slope * rows->radius;
	*t.offset += t.mean[j] * t.mean[j] / 2;
}

/* a term that only rows count in which number j is known */
static void
add_known(const DpemMixtureRows *rows, Theta t, int j, double known, double unknown)
{
	if (rows->missing)
	{
		add_linear(rows, t, rows->d + j, (known - unknown) / DPEM_MIXTURE_KNOWN);
		*t.offset += unknown;
	}
	else
		*t.offset += known;
}

static void
add_number(const DpemMixtureRows *rows, Theta t, int j, double mean, double variance)
{
	if (rows->law[j] == DPEM_LAW_POISSON)
	{
		double		rate = fmax(rows->middle[j] + rows->unit[j] * mean, 1e-300);

		add_linear(rows, t, j, rows->unit[j] * log(rate));
		add_known(rows, t, j, rows->middle[j] * log(rate) - rate, 0);
		return;
	}
	t.factor[j] = rows->radius / sqrt(variance);
	t.mean[j] = mean / rows->radius;
	/* an unknown number is 0, whose distance from the mean is taken back */
	add_known(rows, t, j, -log(variance) / 2, mean * mean / variance / 2);
}

void
dpem_mixture_prepare(const DpemMixtureRows *rows, const DpemMixture *mixture, double *theta)
{
	int			n = dpem_mixture_coordinates(rows);
	size_t		k = (size_t) mixture->k;

	for (size_t c = 0; c < k; c++)
	{
		Theta		t = {theta + c, theta + k + c * n, theta + k + k * n + c * n};
		const double *mean = mixture->mean + c * rows->d;

		*t.offset = log(mixture->weight[c]);
		for (int j = 0; j < rows->numbers; j++)
			add_number(rows, t, j, mean[j], mixture->variance[c * rows->d + j]);
		for (int j = rows->numbers; j < rows->d; j++)
			add_linear(rows, t, j, log(mean[j]));
	}
}
