/*
 * mixture_radius.c - at which norm rows of a mixture of numbers and categories are clipped; see mixture_rules.h.
 */
#include <math.h>

#include "core/mixture/mixture_rules.h"
#include "core/numeric/chi_square.h"

#define INSIDE		0.95		/* of normal rows */

/*
 * Variance, in units of the margins', of a column that is wider than they say, and the bins of the finest level that its deviation
 * takes: a column of which noise leaves a single value to be seen is best as narrow as that.
 */
#define NARROW		1.2
#define SEVERAL		1.0

/* of normal rows whose numbers' squares add up as those of so many independent ones of that variance do */
static double
radius_of(double variance, double independent, double rest)
{
	return sqrt((independent > 0 ? variance * dpem_chi_square_quantile(independent, INSIDE) : 0) + rest);
}

/* squares of what is no number */
static double
rest_of(int labels, int known)
{
	return labels + known * DPEM_MIXTURE_KNOWN * DPEM_MIXTURE_KNOWN;
}

double
dpem_mixture_radius(int numbers, int labels, int known)
{
	return radius_of(1, numbers, rest_of(labels, known));
}

/* the numbers' second moment matrix: its trace, and the squares of its entries, beyond their noise */
static void
add_seconds(const DpemMixtureRows *rows, const DpemNoisyMoments *m, double *trace, double *square)
{
	const double *second = m->value + 1 + m->layout.d;
	double		unit = rows->radius * rows->radius / fmax(m->value[0], fmax(m->count_sd, 1));
	double		noise = pow(unit * m->second_sd, 2);

	*trace = *square = 0;
	for (int i = 0; i < rows->numbers; i++)
		for (int j = 0; j <= i; j++)
		{
			double		entry = unit * *second++;

			*trace += i == j ? entry : 0;
			*square += i == j ? entry * entry - noise : 2 * entry * entry - noise;
		}
}

/* what the trace would be if nothing were clipped: a number has the variance 1 where it is known */
static double
whole_trace(const DpemMixtureRows *rows, const DpemNoisyMoments *m)
{
	double		unit = rows->radius / DPEM_MIXTURE_KNOWN / fmax(m->value[0], fmax(m->count_sd, 1));
	double		sum = 0;

	for (int j = 0; j < rows->numbers; j++)
		sum += rows->missing ? fmin(fmax(unit * m->value[1 + rows->d + j], 0), 1) : 1;
	return sum;
}

double
dpem_mixture_found_radius(const DpemMixtureRows *rows, const DpemNoisyMoments *second, double noise)
{
	double		whole = whole_trace(rows, second);
	double		trace;
	double		square;
	double		independent;
	double		wanted;

	if (rows->numbers < 2 || noise >= DPEM_MIXTURE_WIDENED)
		return rows->radius;
	add_seconds(rows, second, &trace, &square);
	if (trace >= DPEM_MIXTURE_WHOLE * whole && trace <= whole / DPEM_MIXTURE_WHOLE)
		return rows->radius;
	whole = fmax(whole, trace);
	independent = fmin(fmax(trace * trace / fmax(square, trace * trace / rows->numbers), 1), rows->numbers);
	wanted = radius_of(whole / independent, independent, rest_of(dpem_mixture_labels(rows), rows->missing ? rows->numbers : 0));
	return fmax(fmin(wanted, rows->radius * DPEM_MIXTURE_WIDENED / noise), rows->radius);
}

/* ---- units ---- */

/* by what the unit of each number is too small; returns whether any is */
static bool
find_factors(const DpemMixtureRows *rows, const DpemMixture *total, double noise, const double *bins, double *factor)
{
	bool		any = false;

	for (int j = 0; j < rows->numbers; j++)
	{
		double		least = total->variance[j] - 2 * noise / total->known[j];
		bool		narrow = rows->law[j] == DPEM_LAW_NORMAL && bins[j] > SEVERAL && least > NARROW;

		factor[j] = narrow ? sqrt(total->variance[j]) : 1;
		any |= narrow;
	}
	return any;
}

/* as far as the rows that are known were not clipped, moments in the new units */
static void
rescale(const DpemMixtureRows *rows, const double *factor, DpemNoisyMoments *m)
{
	double	   *second = m->value + 1 + m->layout.d;

	for (int i = 0; i < m->layout.d; i++)
	{
		double		own = i < rows->numbers ? factor[i] : 1;

		m->value[1 + i] /= own;
		for (int j = 0; j <= i; j++)
			*second++ /= own * (j < rows->numbers ? factor[j] : 1);
	}
}

bool
dpem_mixture_widen(const DpemMixtureRows *rows, const double *bins, bool sampled, DpemNoisyMoments *m,
				   DpemMixtureMoments *all, DpemMixture *total, double *factor)
{
	double		noise = all->square_sd / fmax(all->count[0], fmax(all->count_sd, 1));

	if (!find_factors(rows, total, noise, bins, factor))
		return false;
	rescale(rows, factor, m);
	dpem_mixture_average(rows, m, 1, all);
	dpem_mixture_total(rows, all, total);
	if (noise < DPEM_MIXTURE_REPLACED && !sampled)
		dpem_mixture_forget(all);
	return true;
}
