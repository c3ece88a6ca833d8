/*
 * synth_bins.c - bins of a number: edges, the bin of a value and values of a bin.
 */
#include "postgres.h"

#include <math.h>

#include "core/gam/gam_bins.h"
#include "families/synth/synth.h"

#define GROWS	1.5				/* times the width of the bin before, beside one that is no narrower */

bool
dpem_synth_is_number(const DpemSynthColumn *column)
{
	return column->bins > 0;
}

double
dpem_synth_edge(const DpemSynthColumn *column, int i)
{
	return column->edge ? column->edge[i] : column->lower + (column->upper - column->lower) * i / column->bins;
}

int
dpem_synth_bin(const DpemSynthColumn *column, double x)
{
	double		at = (x - column->lower) / (column->upper - column->lower) * column->bins;

	if (column->edge)
		return dpem_gam_edges_below(column->edge + 1, column->bins - 1, x);
	return at >= column->bins ? column->bins - 1 : at > 0 ? (int) at : 0;
}

double
dpem_synth_first_whole(const DpemSynthColumn *column, int bin)
{
	return rint(dpem_synth_edge(column, bin) + 0.5);
}

double
dpem_synth_last_whole(const DpemSynthColumn *column, int bin)
{
	return fmin(rint(dpem_synth_edge(column, bin + 1) - 0.5), column->last);
}

static double
width_of(const DpemSynthColumn *column, int bin)
{
	return bin < 0 || bin >= column->bins ? INFINITY : dpem_synth_edge(column, bin + 1) - dpem_synth_edge(column, bin);
}

/* how far from the side of a narrower bin: as of a density in inverse proportion to a distance that has grown, over each bin, by the same factor */
static double
thin_out(double width, double narrower, double u)
{
	double		growth = width / narrower - 1;

	return expm1(u * log1p(growth)) / growth;
}

double
dpem_synth_value(const DpemSynthColumn *column, int bin, double u)
{
	double		width = width_of(column, bin);
	double		before = width_of(column, bin - 1);
	double		after = width_of(column, bin + 1);

	if (column->edge && GROWS * before < width && after >= width)
		u = thin_out(width, before, u);
	else if (column->edge && GROWS * after < width && before >= width)
		u = 1 - thin_out(width, after, 1 - u);
	if (column->whole > 0)
	{
		double		first = dpem_synth_first_whole(column, bin);
		double		last = dpem_synth_last_whole(column, bin);

		return fmin(first + floor(u * (last - first + 1)), last);
	}
	return dpem_synth_edge(column, bin) + width * u;
}

size_t
dpem_synth_edges(const DpemSynthColumn *column, int n)
{
	size_t		edges = 0;

	for (int c = 0; c < n; c++)
		edges += dpem_synth_is_number(&column[c]) ? column[c].bins + 1 : 0;
	return edges;
}
