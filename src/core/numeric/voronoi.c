/*
 * voronoi.c - see voronoi.h.
 */
#include "core/numeric/voronoi.h"

#include <string.h>

/* points p with normal . p <= offset */
typedef struct HalfPlane
{
	double		normal[2];
	double		offset;
} HalfPlane;

/* points at least as near to a as to b */
static HalfPlane
nearer(const double *a, const double *b, const double *unit)
{
	HalfPlane	h = {{0, 0}, 0};

	for (int j = 0; j < 2; j++)
	{
		h.normal[j] = (b[j] - a[j]) / unit[j] / unit[j];
		h.offset += h.normal[j] * (a[j] / 2 + b[j] / 2);
	}
	return h;
}

static double
outside(const HalfPlane *h, const double *p)
{
	return h->normal[0] * p[0] + h->normal[1] * p[1] - h->offset;
}

/* rounding may take a polygon for one with more corners than there is room for */
static int
add(double *out, int n, int most, double x, double y)
{
	if (n == most)
		return n;
	out[2 * n] = x;
	out[2 * n + 1] = y;
	return n + 1;
}

/* the part of a convex polygon that is in the half-plane */
static int
cut(const HalfPlane *h, int n, const double *in, int most, double *out)
{
	int			kept = 0;

	for (int i = 0; i < n; i++)
	{
		const double *p = in + 2 * i;
		const double *q = in + 2 * ((i + 1) % n);
		double		a = outside(h, p);
		double		b = outside(h, q);

		if (a <= 0)
			kept = add(out, kept, most, p[0], p[1]);
		if ((a < 0 && b > 0) || (a > 0 && b < 0))
			kept = add(out, kept, most, p[0] + a / (a - b) * (q[0] - p[0]),
					   p[1] + a / (a - b) * (q[1] - p[1]));
	}
	return kept;
}

int
dpem_voronoi_cell(int n, const double *center, int i, const double *unit, const double *low,
				  const double *high, double *corner, double *work)
{
	int			corners = 4;

	memcpy(corner, (double[]){low[0], low[1], high[0], low[1], high[0], high[1], low[0], high[1]},
		   8 * sizeof(double));
	for (int j = 0; j < n && corners > 0; j++)
	{
		const double *a = center + 2 * i;
		const double *b = center + 2 * j;
		HalfPlane	h;

		if (a[0] == b[0] && a[1] == b[1])
			continue;
		h = nearer(a, b, unit);
		corners = cut(&h, corners, corner, (int) DPEM_VORONOI_CORNERS(n), work);
		memcpy(corner, work, 2 * (size_t) corners * sizeof(double));
	}
	return corners;
}
