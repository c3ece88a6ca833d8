/*
 * direction_net.c - see direction_net.h.
 */
#include <math.h>
#include <string.h>

#include "core/factors/direction_net.h"
#include "core/factors/pca.h"

/* rounding moves a vector of few coordinates by less than 2 */
#define LENGTH	65534.0

/* points along each side of a face */
static const int sides[DPEM_NET_MAX_DIMENSIONS + 1] = {0, 1, 2048, 147, 25, 10};

size_t
dpem_direction_net_size(int m)
{
	size_t		n = m;

	for (int i = 1; i < m; i++)
		n *= sides[m];
	return n;
}

/* the index-th direction in m dimensions, of unit length */
static void
net_point(int m, size_t index, double *u)
{
	int			face = (int) (index % m);
	double		square = 0;

	index /= m;
	for (int i = 0; i < m; i++)
	{
		u[i] = 1;
		if (i != face)
		{
			u[i] = tan(M_PI / 4 * ((2.0 * (index % sides[m]) + 1) / sides[m] - 1));
			index /= sides[m];
		}
		square += u[i] * u[i];
	}
	for (int i = 0; i < m; i++)
		u[i] /= sqrt(square);
}

void
dpem_direction_net(int d, int taken, double *basis, int32_t *out)
{
	int			m = d - taken;
	size_t		n = dpem_direction_net_size(m);

	memset(basis + (size_t) taken * d, 0, (size_t) m * d * sizeof(double));
	dpem_pca_orthonormalize(d, d, basis);
	for (size_t index = 0; index < n; index++)
	{
		double		u[DPEM_NET_MAX_DIMENSIONS];

		net_point(m, index, u);
		for (int j = 0; j < d; j++)
		{
			double		v = 0;

			for (int i = 0; i < m; i++)
				v += u[i] * basis[(size_t) (taken + i) * d + j];
			out[index * d + j] = (int32_t) rint(LENGTH * v);
		}
	}
}
