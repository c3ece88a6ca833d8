/*
 * lda_totals.c - see lda_totals.h.
 */
#include <math.h>

#include "core/lda/lda_totals.h"
#include "core/numeric/deconvolution.h"

#define EM_STEPS	40

/* deviation of what releases of other emphasis have of the words that the first had: noise can hide it */
#define FACTOR_SD	0.2

void
dpem_lda_emphasise(const DpemLdaTotals *totals, double noise, double *emphasis)
{
	double		words = 0;
	double		square = 0;
	double		scale;

	for (int v = 0; v < totals->terms; v++)
	{
		emphasis[v] = 1 / sqrt(totals->total[v] + noise);
		words += totals->total[v];
		square += emphasis[v] * emphasis[v] * totals->total[v];
	}
	scale = words > 0 ? sqrt(words / square) : sqrt(noise);
	for (int v = 0; v < totals->terms; v++)
		emphasis[v] *= scale;
}

/* the factor by which a release's words are more than the estimates', shrunk to 1 by its noise */
static double
factor_of(const double *value, double unit, double sd, const double *emphasis, const DpemLdaTotals *totals)
{
	double		released = 0;
	double		estimated = 0;
	double		variance;

	if (emphasis == NULL)
		return 1;
	for (int v = 0; v < totals->terms; v++)
	{
		released += unit * value[v];
		estimated += totals->total[v] * emphasis[v];
	}
	if (!(released > 0 && estimated > 0))
		return 1;
	variance = sd * sd * totals->terms / (estimated * estimated);
	return 1 + (released / estimated - 1) * FACTOR_SD * FACTOR_SD / (FACTOR_SD * FACTOR_SD + variance);
}

/* numbers of every term */
typedef struct Room
{
	double	   *x;
	double	   *size;
	double	   *likelihood;
} Room;

static Room
take_room(int terms, DpemWorkspace *work)
{
	return (Room) {
		.x = dpem_workspace_take(work, terms),.size = dpem_workspace_take(work, terms),
			.likelihood = dpem_workspace_take(work, dpem_deconvolution_work(terms))
	};
}

size_t
dpem_lda_totals_work(int terms)
{
	DpemWorkspace dry = {NULL, NULL};

	take_room(terms, &dry);
	return dpem_workspace_taken(&dry);
}

/* in units of each term's noise all have the same noise */
static DpemStatus
estimate(DpemLdaTotals *totals, DpemWorkspace work)
{
	Room		room = take_room(totals->terms, &work);
	double		least = INFINITY;
	double		most = 0;
	DpemDeconvolution distribution;

	for (int v = 0; v < totals->terms; v++)
	{
		room.size[v] = sqrt(totals->precision[v]);
		room.x[v] = totals->raw[v] * room.size[v];
		least = fmin(least, 1 / room.size[v]);
		most = fmax(most, totals->raw[v]);
	}
	dpem_deconvolution_grid(&distribution, DPEM_DECONVOLUTION_POINTS, least * 1e-3, fmax(most, least));
	return dpem_deconvolve(&distribution, totals->terms, room.x, room.size, 1, EM_STEPS, totals->total, room.likelihood);
}

DpemStatus
dpem_lda_totals_add(const DpemNoisyMoments *moments, double unit, const double *emphasis,
					DpemLdaTotals *totals, DpemWorkspace work)
{
	const double *value = moments->value + 1;
	double		sd = unit * moments->sum_sd;
	double		factor = factor_of(value, unit, sd, emphasis, totals);

	if (!(sd > 0))
		return DPEM_BAD_ARGUMENT;
	for (int v = 0; v < totals->terms; v++)
	{
		double		size = factor * (emphasis ? emphasis[v] : 1);
		double		precision = size * size / (sd * sd);

		totals->precision[v] += precision;
		totals->raw[v] += precision / totals->precision[v] * (unit * value[v] / size - totals->raw[v]);
	}
	return estimate(totals, work);
}
