/*
 * synth_walk.c - see synth_walk.h.
 */
#include <math.h>
#include <string.h>

#include "core/synth/synth_walk.h"

static int
layout_column(DpemSynthLayout layout, int i)
{
	return layout.order != NULL ? layout.order[i] : i;
}

DpemSynthStride
dpem_synth_stride(DpemSynthLayout layout, DpemSynthSet set)
{
	DpemSynthStride stride = {{0}};
	size_t		cells = 1;

	for (int i = layout.columns - 1; i >= 0 && set != 0; i--)
	{
		int			j = layout_column(layout, i);

		if ((set & dpem_synth_column(j)) == 0)
			continue;
		set &= ~dpem_synth_column(j);
		stride.by[j] = cells;
		cells *= (size_t) layout.size[j];
	}
	return stride;
}

/* true if the last dimension and a next, faster one are one to all operands */
static bool
joins(const DpemSynthWalk *walk, size_t n, const size_t *by)
{
	int			last = walk->dims - 1;

	if (walk->dims == 0)
		return false;
	for (int o = 0; o < DPEM_SYNTH_OPERANDS; o++)
		if (walk->by[o][last] != n * by[o])
			return false;
	return true;
}

static void
add_dimension(DpemSynthWalk *walk, size_t n, const size_t *by)
{
	if (joins(walk, n, by))
		walk->n[walk->dims - 1] *= n;
	else
		walk->n[walk->dims++] = n;
	for (int o = 0; o < DPEM_SYNTH_OPERANDS; o++)
		walk->by[o][walk->dims - 1] = by[o];
}

void
dpem_synth_walk(DpemSynthLayout layout, DpemSynthSet set, const DpemSynthStride *a, const DpemSynthStride *b,
				const DpemSynthStride *c, DpemSynthWalk *walk)
{
	const DpemSynthStride *operand[DPEM_SYNTH_OPERANDS] = {a, b, c};

	memset(walk, 0, sizeof *walk);
	for (int i = 0; i < layout.columns && set != 0; i++)
	{
		int			j = layout_column(layout, i);
		size_t		by[DPEM_SYNTH_OPERANDS];

		if ((set & dpem_synth_column(j)) == 0)
			continue;
		set &= ~dpem_synth_column(j);
		if (layout.size[j] == 1)
			continue;
		for (int o = 0; o < DPEM_SYNTH_OPERANDS; o++)
			by[o] = operand[o] != NULL ? operand[o]->by[j] : 0;
		add_dimension(walk, (size_t) layout.size[j], by);
	}
	walk->run = 1;
	if (walk->dims > 0)
	{
		walk->dims--;
		walk->run = walk->n[walk->dims];
		for (int o = 0; o < DPEM_SYNTH_OPERANDS; o++)
			walk->step[o] = walk->by[o][walk->dims];
	}
}

bool
dpem_synth_walk_next(DpemSynthWalk *walk)
{
	for (int i = walk->dims - 1; i >= 0; i--)
	{
		for (int o = 0; o < DPEM_SYNTH_OPERANDS; o++)
			walk->at[o] += walk->by[o][i];
		if (++walk->index[i] < walk->n[i])
			return true;
		for (int o = 0; o < DPEM_SYNTH_OPERANDS; o++)
			walk->at[o] -= walk->n[i] * walk->by[o][i];
		walk->index[i] = 0;
	}
	return false;
}

/* four partial sums: the order of additions is part of the result */
static double
run_total(size_t n, const double *x)
{
	double		s0 = 0,
				s1 = 0,
				s2 = 0,
				s3 = 0;
	size_t		i = 0;

	for (; i + 4 <= n; i += 4)
	{
		s0 += x[i];
		s1 += x[i + 1];
		s2 += x[i + 2];
		s3 += x[i + 3];
	}
	for (; i < n; i++)
		s0 += x[i];
	return (s0 + s1) + (s2 + s3);
}

/* a walk over a large table and a part of it */
static void
walk_part(DpemSynthLayout layout, DpemSynthSet large, DpemSynthSet small, DpemSynthWalk *walk)
{
	DpemSynthStride a = dpem_synth_stride(layout, large);
	DpemSynthStride b = dpem_synth_stride(layout, small);

	dpem_synth_walk(layout, large, &a, &b, NULL, walk);
}

void
dpem_synth_sum(DpemSynthLayout layout, DpemSynthSet large, DpemSynthSet small, const double *a, double *b)
{
	DpemSynthWalk walk;

	memset(b, 0, (size_t) dpem_synth_cells(layout.size, small) * sizeof *b);
	walk_part(layout, large, small, &walk);
	do
	{
		const double *x = a + walk.at[0];
		double	   *y = b + walk.at[1];

		if (walk.step[1] == 0)
			*y += run_total(walk.run, x);
		else
			for (size_t i = 0; i < walk.run; i++)
				y[i] += x[i];
	} while (dpem_synth_walk_next(&walk));
}

void
dpem_synth_add_to(DpemSynthLayout layout, DpemSynthSet large, DpemSynthSet small, double *a, const double *b)
{
	DpemSynthWalk walk;

	walk_part(layout, large, small, &walk);
	do
	{
		double	   *x = a + walk.at[0];
		const double *y = b + walk.at[1];

		if (walk.step[1] == 0)
			for (size_t i = 0; i < walk.run; i++)
				x[i] += *y;
		else
			for (size_t i = 0; i < walk.run; i++)
				x[i] += y[i];
	} while (dpem_synth_walk_next(&walk));
}

void
dpem_synth_multiply(DpemSynthLayout layout, DpemSynthSet large, DpemSynthSet small, double *a, const double *b)
{
	DpemSynthWalk walk;

	walk_part(layout, large, small, &walk);
	do
	{
		double	   *x = a + walk.at[0];
		const double *y = b + walk.at[1];

		if (walk.step[1] == 0)
			for (size_t i = 0; i < walk.run; i++)
				x[i] *= *y;
		else
			for (size_t i = 0; i < walk.run; i++)
				x[i] *= y[i];
	} while (dpem_synth_walk_next(&walk));
}

void
dpem_synth_permute(DpemSynthLayout to_layout, DpemSynthLayout from_layout, DpemSynthSet set, double *to,
				   const double *from)
{
	DpemSynthStride a = dpem_synth_stride(to_layout, set);
	DpemSynthStride b = dpem_synth_stride(from_layout, set);
	DpemSynthWalk walk;

	dpem_synth_walk(to_layout, set, &a, &b, NULL, &walk);
	do
	{
		for (size_t i = 0; i < walk.run; i++)
			to[walk.at[0] + i] = from[walk.at[1] + i * walk.step[1]];
	} while (dpem_synth_walk_next(&walk));
}

double
dpem_synth_max(size_t n, const double *x)
{
	double		most = x[0];

	for (size_t i = 1; i < n; i++)
		most = x[i] > most ? x[i] : most;
	return most;
}

#define MAGIC	0x1.8p52		/* added, it rounds to an integer that stands in the low bits */

/*
 * exp(x) = 2^k exp(r), |r| <= ln(2) / 2; Taylor's series to r^12 / 12!, whose rest
 * is below 2e-16.  ln 2 in two parts (Cody, Waite 1980).
 */
static inline double
exponential(double x)
{
	double		y = x < -700 ? -700 : x;
	double		shifted = y * 0x1.71547652b82fep0 + MAGIC;
	double		k = shifted - MAGIC;
	double		r = (y - k * 0x1.62e42fefa0000p-1) - k * 0x1.cf79abc9e3b39p-40;
	double		p = 1.0 / 479001600;
	uint64_t	bits;

	p = p * r + 1.0 / 39916800;
	p = p * r + 1.0 / 3628800;
	p = p * r + 1.0 / 362880;
	p = p * r + 1.0 / 40320;
	p = p * r + 1.0 / 5040;
	p = p * r + 1.0 / 720;
	p = p * r + 1.0 / 120;
	p = p * r + 1.0 / 24;
	p = p * r + 1.0 / 6;
	p = p * r + 0.5;
	p = p * r + 1;
	p = p * r + 1;
	memcpy(&bits, &shifted, sizeof bits);
	bits = (bits + 1023) << 52;
	memcpy(&k, &bits, sizeof bits);
	return x < -700 ? 0 : p * k;
}

double
dpem_synth_exp(size_t n, const double *x, double shift, double *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = exponential(x[i] - shift);
	return run_total(n, out);
}
