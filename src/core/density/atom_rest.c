/*
 * atom_rest.c - see atom_rest.h.
 */
#include <math.h>

#include "core/density/gmm_background.h"
#include "core/density/atom_rest.h"

#define STEPS		6			/* down, and up */
#define STEP		0.2			/* of the factor's logarithm */
#define LEAST_ATOM	0.5			/* of its rows */
#define LEAST_SEEN	1e-3		/* of the rows, outside of the atom's bin */
#define LOG_2PI		1.8378770664093454836

typedef struct Rest
{
	int			k;
	double	   *weight;			/* of the components, of sum 1 */
	double	   *mean;
	double	   *variance;
	int			bins;			/* of the finest level */
	double	   *p;				/* rows in each, of sum 1; none in the atom's */
	double	   *far;			/* ln of the background's density in its middle */
	double		seen;			/* part of all rows */
	double		lower;			/* of the first */
	double		width;
} Rest;

static Rest
take_memory(const DpemMarginGrid *grid, int k, DpemWorkspace *work)
{
	Rest		rest = {.k = k,.bins = dpem_margin_level_bins(grid, grid->levels - 1)};

	rest.weight = dpem_workspace_take(work, k);
	rest.mean = dpem_workspace_take(work, k);
	rest.variance = dpem_workspace_take(work, k);
	rest.p = dpem_workspace_take(work, rest.bins);
	rest.far = dpem_workspace_take(work, rest.bins);
	return rest;
}

size_t
dpem_atom_rest_work(const DpemMarginGrid *grid, int k)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) take_memory(grid, k, &dry);
	return dpem_workspace_taken(&dry) + dpem_margins_law_work(grid);
}

static double
middle_of(const Rest *rest, int bin)
{
	return rest->lower + (bin + 0.5) * rest->width;
}

static void
find_components(const DpemAtomNumber *n, Rest *rest)
{
	double		sum = 0;

	for (int c = 0; c < n->k; c++)
		sum += n->weight[c] * (1 - n->share[c]);
	for (int c = 0; c < n->k; c++)
	{
		rest->weight[c] = n->weight[c] * (1 - n->share[c]) / sum;
		rest->mean[c] = n->mean[c];
		rest->variance[c] = n->variance[c];
		dpem_atom_rest(n->atom, n->share[c], &rest->mean[c], &rest->variance[c]);
		rest->mean[c] = fmin(fmax(rest->mean[c], n->lower), n->upper);
	}
}

/* about all rows, as that of the stored mixture */
static void
find_background(const DpemAtomNumber *n, Rest *rest)
{
	double		mean = 0;
	double		variance = 0;
	double		narrow;
	double		wide;
	DpemGmmBackground background = {.mean = &mean,.narrow = &narrow,.wide = &wide};

	for (int c = 0; c < n->k; c++)
		mean += n->weight[c] * n->mean[c];
	for (int c = 0; c < n->k; c++)
		variance += n->weight[c] * (n->variance[c] + pow(n->mean[c] - mean, 2));
	dpem_gmm_background_about(1, &mean, &variance, &n->lower, &n->upper, &background);
	for (int b = 0; b < rest->bins; b++)
		if (rest->p[b] > 0)
			rest->far[b] = dpem_gmm_background_axis(&background, 0, middle_of(rest, b));
}

static double
most_share(const DpemAtomNumber *n)
{
	double		most = 0;

	for (int c = 0; c < n->k; c++)
		most = fmax(most, n->share[c]);
	return most;
}

/* does the law have the atom's rows where they are, and not evenly in the bins about it?  bin: the atom's */
static bool
sees_atom(const DpemAtomNumber *n, const Rest *rest, int bin)
{
	double		share = 0;

	for (int c = 0; c < n->k; c++)
		share += n->weight[c] * n->share[c];
	return rest->p[bin] >= LEAST_ATOM * share;
}

/* none where the law has the atom's rows elsewhere */
static void
find_rows(const DpemMargins *margins, int column, const DpemAtomNumber *n, Rest *rest, DpemWorkspace work)
{
	double		atom = (n->atom->lower / 2 + n->atom->upper / 2 - n->lower) / (n->upper - n->lower);
	int			bin = (int) fmin(fmax(atom * rest->bins, 0), rest->bins - 1);

	rest->lower = n->lower;
	rest->width = (n->upper - n->lower) / rest->bins;
	dpem_margins_law(margins, column, rest->p, work);
	if (!sees_atom(n, rest, bin))
		return;
	rest->p[bin] = 0;
	for (int b = 0; b < rest->bins; b++)
		rest->seen += rest->p[b];
	for (int b = 0; b < rest->bins && rest->seen > 0; b++)
		rest->p[b] /= rest->seen;
}

/* of rows that are anywhere in their bin */
static double
log_density(const Rest *rest, double scale, int bin)
{
	double		sum = 0;

	for (int c = 0; c < rest->k; c++)
	{
		double		variance = scale * scale * rest->variance[c] + rest->width * rest->width / 12;
		double		away = middle_of(rest, bin) - rest->mean[c];

		sum += rest->weight[c] * exp(-(away * away / variance + log(variance) + LOG_2PI) / 2);
	}
	return dpem_gmm_background_add(log(sum), rest->far[bin]);
}

/* what a normal row of deviation 1 loses where that is taken to be `scale` (Kullback and Leibler 1951) */
static double
loss_of_own(double scale)
{
	return log(scale) + (1 / (scale * scale) - 1) / 2;
}

/* of a row, of which `hidden` are as the components say */
static double
log_likelihood(const Rest *rest, double scale, double hidden)
{
	double		sum = 0;

	for (int b = 0; b < rest->bins; b++)
		if (rest->p[b] > 0)
			sum += rest->p[b] * log_density(rest, scale, b);
	return (1 - hidden) * sum - hidden * loss_of_own(scale);
}

double
dpem_atom_rest_scale(const DpemMargins *margins, int column, const DpemAtomNumber *number, DpemWorkspace work)
{
	Rest		rest = take_memory(&margins->grid, number->k, &work);
	double		best = 1;
	double		hidden;
	double		most;

	if (!(most_share(number) > 0))
		return 1;
	find_rows(margins, column, number, &rest, work);
	hidden = DPEM_ATOM_REST_HIDDEN * margins->noise;
	if (rest.seen < fmax(LEAST_SEEN, hidden))
		return 1;
	hidden /= rest.seen;
	find_components(number, &rest);
	find_background(number, &rest);
	most = log_likelihood(&rest, 1, hidden) + DPEM_ATOM_REST_GAIN;
	for (int i = -STEPS; i <= STEPS; i++)
	{
		double		scale = exp(i * STEP);
		double		likely = log_likelihood(&rest, scale, hidden);

		best = likely > most ? scale : best;
		most = fmax(likely, most);
	}
	return best;
}

size_t
dpem_gmm_rest_scale_work(const DpemMarginGrid *grid, int k)
{
	return 3 * (size_t) k + dpem_atom_rest_work(grid, k);
}

double
dpem_gmm_rest_scale(const DpemMargins *margins, const DpemGmm *gmm, int column, const DpemAtomLaw *law, double lower, double upper,
					const double *share, DpemWorkspace work)
{
	double	   *mean = dpem_workspace_take(&work, gmm->k);
	double	   *variance = dpem_workspace_take(&work, gmm->k);
	double	   *own = dpem_workspace_take(&work, gmm->k);
	DpemAtomNumber number = {gmm->k, gmm->weight, mean, variance, own, law, lower, upper};

	for (int k = 0; k < gmm->k; k++)
	{
		size_t		at = (size_t) k * gmm->d + column;

		mean[k] = gmm->mean[at];
		variance[k] = gmm->covariance[at * gmm->d + column];
		own[k] = share[at];
	}
	return dpem_atom_rest_scale(margins, column, &number, work);
}
