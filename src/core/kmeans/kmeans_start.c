/*
 * kmeans_start.c - centers spread over the domain.
 *
 * Balls of a common radius are put into the domain one by one, each at the
 * first of a number of random places where it touches no other; the largest
 * radius at which all find one is searched by bisection.  Where k and d are
 * too large for that any places will do.  The random numbers are a constant of
 * this file: the start is a function of k, d and the domain.
 *
 * Balls leave gaps, so the centers are then moved by Lloyd's steps over random
 * places, towards the best centers of rows spread evenly over the domain.
 */
#include <math.h>

#include "core/kmeans/kmeans_estimate.h"
#include "core/numeric/lloyd.h"
#include "core/numeric/public_random.h"

#define BISECTIONS		20
#define MOST_PLACES		100
#define MOST_WORK		1e7		/* coordinates compared at one radius, or in one step, at most */
#define STEPS			20
#define USUAL_POINTS	4096
#define POINTS			64		/* for a center */
#define FEWEST_POINTS	16
#define MOST_NUMBERS	1e6		/* of all points */

/* a place for a ball that stays within the box and the unit ball */
static void
draw_place(DpemPublicRandom *random, int d, double half_width, double radius, double *place)
{
	double		square = 0;
	double		room = fmax(1 - radius, 0);

	for (int j = 0; j < d; j++)
	{
		place[j] = (2 * dpem_public_uniform(random) - 1) * fmax(half_width - radius, 0);
		square += place[j] * place[j];
	}
	for (int j = 0; j < d && square > room * room; j++)
		place[j] *= room / sqrt(square);
}

static bool
is_apart(const double *place, const double *others, int n, int d, double distance)
{
	for (int i = 0; i < n && distance > 0; i++)
	{
		double		square = 0;

		for (int j = 0; j < d; j++)
			square += (place[j] - others[(size_t) i * d + j]) * (place[j] - others[(size_t) i * d + j]);
		if (square < distance * distance)
			return false;
	}
	return true;
}

static bool
pack(int k, int d, double half_width, double radius, int places, double *center)
{
	DpemPublicRandom random = {1};

	for (int i = 0; i < k; i++)
	{
		double	   *place = center + (size_t) i * d;
		int			tries = 0;

		do
		{
			if (tries++ == places)
				return false;
			draw_place(&random, d, half_width, radius, place);
		} while (!is_apart(place, center, i, d, 2 * radius));
	}
	return true;
}

/* random places to step over; 0 where k and d leave too few of them for a center */
static size_t
points_for(double k, double d)
{
	double		n = fmin(fmax(USUAL_POINTS, POINTS * k), fmin(MOST_WORK / (k * d), MOST_NUMBERS / d));

	return n >= FEWEST_POINTS * k ? (size_t) n : 0;
}

static void
even_out(int k, int d, double half_width, double *center, DpemWorkspace work)
{
	DpemPublicRandom random = {2};
	size_t		n = points_for(k, d);
	double	   *x = dpem_workspace_take(&work, n * (size_t) d);
	DpemPoints	points = {n, d, x, NULL};

	for (size_t i = 0; i < n; i++)
		draw_place(&random, d, half_width, 0, x + i * (size_t) d);
	(void) dpem_lloyd(&points, k, center, n > 0 ? STEPS : 0, work);
}

size_t
dpem_kmeans_start_work(int k, int d)
{
	return points_for(k, d) * (size_t) d + dpem_lloyd_work(k, d);
}

void
dpem_kmeans_start(int k, int d, double half_width, double *center, DpemWorkspace work)
{
	double		places = fmin(MOST_WORK / ((double) k * k * d), MOST_PLACES);
	double		low = 0;		/* always fits: any place will do */
	double		high;

	half_width = fmin(half_width, 1);	/* the ball's, if the box is larger */
	high = half_width;
	for (int i = 0; i < BISECTIONS && places >= 1; i++)
	{
		double		radius = (low + high) / 2;

		if (pack(k, d, half_width, radius, (int) places, center))
			low = radius;
		else
			high = radius;
	}
	(void) pack(k, d, half_width, low, (int) fmax(places, 1), center);
	even_out(k, d, half_width, center, work);
}
