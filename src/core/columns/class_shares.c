/*
 * class_shares.c - see class_shares.h.
 */
#include <float.h>
#include <math.h>

#include "core/columns/class_shares.h"
#include "core/numeric/positive_mean.h"

#define LEAST_ROWS	0.5			/* of a class that noise says nothing of but that it is rare */

/* of 26 classes, too, all others together have 1e-8 */
const double dpem_class_shares_certain = 21.5;

void
dpem_class_shares_take(const double *residual, double sd, int certain, DpemClassShares *shares)
{
	for (int t = 0; t < shares->classes; t++)
	{
		double		off = t == certain ? shares->rows_sd : 0;
		double		count = residual[t] + (t == certain ? shares->rows : 0);
		double		precision = 1 / fmax(sd * sd + off * off, DBL_MIN);

		shares->precision[t] += precision;
		shares->count[t] += precision / shares->precision[t] * (count - shares->count[t]);
	}
}

void
dpem_class_shares_find(const DpemClassShares *shares, double *share, double *sd)
{
	double		total = 0;

	for (int t = 0; t < shares->classes; t++)
	{
		sd[t] = shares->precision[t] > 0 ? 1 / sqrt(shares->precision[t]) : fmax(shares->rows, 1);
		share[t] = fmax(dpem_positive_mean(shares->count[t], sd[t]), LEAST_ROWS);
		total += share[t];
	}
	for (int t = 0; t < shares->classes; t++)
	{
		share[t] /= total;
		sd[t] /= total;
	}
}
