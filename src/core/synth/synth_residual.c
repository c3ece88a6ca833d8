/*
 * synth_residual.c - see synth_residual.h.
 */
#include <math.h>
#include <string.h>

#include "core/synth/synth_residual.h"
#include "core/synth/synth_walk.h"

/* ---- sets -------------------------------------------------------------------- */

/* the closure of the wanted sets' closure that dpem_synth_closure leaves out: single columns and the empty set */
static DpemSynthSet
wanted_columns(const DpemSynthWanted *wanted, int n)
{
	DpemSynthSet columns = 0;

	for (int i = 0; i < n; i++)
		columns |= wanted[i].set;
	return columns;
}

int
dpem_synth_residuals(const DpemSynthWanted *wanted, int n, int most, DpemSynthSet *sets)
{
	DpemSynthSet columns = wanted_columns(wanted, n);
	int			small = 1 + dpem_synth_order(columns);
	int			larger;

	if (small > most)
		return -1;
	larger = dpem_synth_closure(wanted, n, most - small, sets + small);
	if (larger < 0)
		return -1;
	sets[0] = 0;
	for (int i = 1; columns != 0; columns &= columns - 1, i++)
		sets[i] = columns & -columns;
	return small + larger;
}

/* ---- variances --------------------------------------------------------------- */

/* squared length of a row in the residual of a set, which is also a cell's variance for noise of variance 1 */
static double
residual_share(const int *size, DpemSynthSet set)
{
	double		share = 1;

	for (; set != 0; set &= set - 1)
	{
		double		n = size[__builtin_ctzll(set)];

		share *= (n - 1) / n;
	}
	return share;
}

/* variance of a cell of a table from unit noise in the residual of a part of it (theorem 4) */
static double
cell_variance(const int *size, DpemSynthSet table, DpemSynthSet part)
{
	double		cells = dpem_synth_cells(size, table & ~part);

	return residual_share(size, part) / (cells * cells);
}

/* what unit noise in a residual adds to the sum that is minimised */
static double
worth(const DpemSynthWanted *wanted, int n, const int *size, DpemSynthSet set)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		if ((set & ~wanted[i].set) == 0)
			sum += wanted[i].weight * cell_variance(size, wanted[i].set, set);
	return sum;
}

/*
 * Minimising sum c_B v_B under sum p_B / v_B = mu^2 gives v_B = sqrt(p_B / c_B)
 * sum sqrt(p c) / mu^2 (section 4.3).
 */
DpemStatus
dpem_synth_residuals_plan(const DpemSynthWanted *wanted, int n, double mu, DpemSynthResiduals *r)
{
	double		sum = 0;

	if (!(mu > 0) || n < 1)
		return DPEM_BAD_ARGUMENT;
	for (int i = 0; i < r->n; i++)
		sum += sqrt(residual_share(r->size, r->set[i]) * worth(wanted, n, r->size, r->set[i]));
	for (int i = 0; i < r->n; i++)
	{
		double		c = worth(wanted, n, r->size, r->set[i]);

		if (!(c >= 0))
			return DPEM_BAD_ARGUMENT;
		r->sd[i] = c > 0 ? sqrt(sqrt(residual_share(r->size, r->set[i]) / c) * sum) / mu : 0;
	}
	return DPEM_OK;
}

double
dpem_synth_residuals_sd(const DpemSynthResiduals *r, DpemSynthSet set)
{
	double		variance = 0;
	bool		found = false;

	for (int i = 0; i < r->n; i++)
		if ((r->set[i] & ~set) == 0)
		{
			variance += r->sd[i] * r->sd[i] * cell_variance(r->size, set, r->set[i]);
			found = found || r->set[i] == set;
		}
	return found ? sqrt(variance) : NAN;
}

/* ---- residuals --------------------------------------------------------------- */

/* subtracts from n numbers, `step` apart, their mean */
static void
center(double *x, size_t n, size_t step)
{
	double		sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i * step];
	for (size_t i = 0; i < n; i++)
		x[i * step] -= sum / (double) n;
}

void
dpem_synth_residual_part(const int *size, DpemSynthSet set, double *table)
{
	size_t		cells = (size_t) dpem_synth_cells(size, set);
	size_t		step = cells;

	for (; set != 0; set &= set - 1)
	{
		size_t		n = (size_t) size[__builtin_ctzll(set)];

		step /= n;
		for (size_t outer = 0; outer < cells; outer += n * step)
			for (size_t inner = 0; inner < step; inner++)
				center(table + outer + inner, n, step);
	}
}

/* out += factor part, of a set whose columns are among the table's */
static void
add_part(DpemSynthLayout layout, DpemSynthSet table, DpemSynthSet set, const double *part, double *out)
{
	DpemSynthStride to = dpem_synth_stride(layout, table);
	DpemSynthStride from = dpem_synth_stride(layout, set);
	double		factor = 1 / dpem_synth_cells(layout.size, table & ~set);
	DpemSynthWalk walk;

	dpem_synth_walk(layout, table, &to, &from, NULL, &walk);
	do
	{
		for (size_t i = 0; i < walk.run; i++)
			out[walk.at[0] + i * walk.step[0]] += factor * part[walk.at[1] + i * walk.step[1]];
	} while (dpem_synth_walk_next(&walk));
}

DpemStatus
dpem_synth_residuals_table(const DpemSynthResiduals *r, double *const *part, DpemSynthSet set, double *out)
{
	DpemSynthLayout layout = {set == 0 ? 0 : 64 - __builtin_clzll(set), r->size, NULL};
	int			parts = 0;

	memset(out, 0, (size_t) dpem_synth_cells(r->size, set) * sizeof *out);
	for (int i = 0; i < r->n; i++)
		if ((r->set[i] & ~set) == 0)
		{
			add_part(layout, set, r->set[i], part[i], out);
			parts++;
		}
	return parts == 1 << dpem_synth_order(set) ? DPEM_OK : DPEM_BAD_ARGUMENT;
}
