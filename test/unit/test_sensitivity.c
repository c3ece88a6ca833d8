/*
 * test_sensitivity.c - a search for two rows that move the stacked moments
 * further than the declared sensitivity (docs/proofs.md, 4).
 *
 * Random starts and hill climbing over both rows and both responsibilities,
 * null rows included, for every shape, both adjacencies and several weights.
 * The search must come close to the bound where it is known to be attained,
 * or it would prove nothing.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "sensitivity_fixture.h"
#include "unit.h"

static const double weights[][3] = {
	{0.35, 0.6, 1}, {0.7, 1, 1}, {1, 1, 1}, {0.1, 1, 1}, {0.2, 1, 1}, {1, 2, 0.1}, {0.05, 1, 0.6}, {1, 1, 0}, {1, 0, 0}
};

static double
bound(int k, const double *w, bool replace_one)
{
	double		delta2 = dpem_joint_sensitivity2(k, w[0], w[1], w[2], false);

	if (replace_one)
		delta2 = fmax(delta2, dpem_joint_sensitivity2(k, w[0], w[1], w[2], true));
	return sqrt(delta2);
}

static void
check_case(int k, int d, DpemSecondMoment shape, const double *w, bool replace_one)
{
	double		worst = search_sensitivity(k, d, shape, w, replace_one);
	double		limit = bound(k, w, replace_one);

	CHECK(worst <= limit * (1 + 1e-12), "k %d d %d shape %d weights %g %g %g %s: moved %.9f, bound %.9f",
		  k, d, shape, w[0], w[1], w[2], replace_one ? "replace_one" : "add_remove", worst, limit);
	if (shape == DPEM_SECOND_FULL && d >= 2)
		CHECK(worst >= limit * 0.97, "k %d d %d weights %g %g %g: the search reaches %.6f of %.6f only",
			  k, d, w[0], w[1], w[2], worst, limit);
}

/* counts and sums alone, in the norm of Laplace noise: reached by rows on the cube's diagonal */
static void
check_laplace(int k, int d, const double *w, bool replace_one)
{
	double		counts_and_sums[3] = {w[0], w[1], 0};
	double		limit = dpem_joint_sensitivity1(k, d, w[0], w[1], false);
	double		worst;

	if (replace_one)
		limit = fmax(limit, dpem_joint_sensitivity1(k, d, w[0], w[1], true));
	fixture_norm = 1;
	worst = search_sensitivity(k, d, DPEM_SECOND_NORM, counts_and_sums, replace_one);
	fixture_norm = 2;
	CHECK(worst <= limit * (1 + 1e-12), "k %d d %d weights %g %g %s: moved %.9f in L1, bound %.9f",
		  k, d, w[0], w[1], replace_one ? "replace_one" : "add_remove", worst, limit);
	CHECK(worst >= limit * 0.97, "k %d d %d weights %g %g: the search reaches %.6f of %.6f only",
		  k, d, w[0], w[1], worst, limit);
}

/*
 * Products as well: of each row by itself the bound is attained on the cube's diagonal, of a row that is
 * replaced within its cluster it is not, as the products of two rows have no part of opposite signs on the diagonal.
 */
static void
check_laplace_products(int k, int d, DpemSecondMoment shape, const double *w, bool replace_one)
{
	double		limit = dpem_joint_sensitivity1(k, d, w[0], w[1], false) + dpem_products_sensitivity1(k, d, w[2], false);
	double		worst;

	if (replace_one)
		limit = fmax(limit, dpem_joint_sensitivity1(k, d, w[0], w[1], true) + dpem_products_sensitivity1(k, d, w[2], true));
	fixture_norm = 1;
	worst = search_sensitivity(k, d, shape, w, replace_one);
	fixture_norm = 2;
	CHECK(worst <= limit * (1 + 1e-12), "k %d d %d shape %d weights %g %g %g %s: moved %.9f in L1, bound %.9f",
		  k, d, shape, w[0], w[1], w[2], replace_one ? "replace_one" : "add_remove", worst, limit);
	if (shape == DPEM_SECOND_FULL && !(replace_one && k == 1))
		CHECK(worst >= limit * 0.97, "k %d d %d weights %g %g %g: the search reaches %.6f of %.6f only",
			  k, d, w[0], w[1], w[2], worst, limit);
}

/*
 * A histogram (docs/proofs.md, "Rows counted in cells") and a unit of m rows, each in some cell or
 * null, before and after: all placements of up to three rows in three cells.
 */
static void
check_histogram(int m, bool replace_one)
{
	double		two = m * bound(3, (const double[]) {1, 0, 0}, replace_one);
	double		one = m * (replace_one ? dpem_joint_sensitivity1(3, 1, 1, 0, true)
						   : dpem_joint_sensitivity1(3, 1, 1, 0, false));
	double		worst1 = 0;
	double		worst2 = 0;
	int			placements = (int) lrint(pow(4, m));

	for (int before = 0; before < placements; before++)
		for (int after = 0; after < placements; after++)
		{
			double		moved[4] = {0};		/* the last is no cell */
			bool		present = false;

			for (int i = 0, b = before, a = after; i < m; i++, b /= 4, a /= 4)
			{
				moved[b % 4]--;
				moved[a % 4]++;
				present = present || a % 4 != 3;
			}
			if (!replace_one && present)
				continue;
			worst1 = fmax(worst1, fabs(moved[0]) + fabs(moved[1]) + fabs(moved[2]));
			worst2 = fmax(worst2, sqrt(moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2]));
		}
	CHECK_CLOSE(worst1, one, 1e-12, "%d rows, %s, in L1", m, replace_one ? "replace_one" : "add_remove");
	CHECK_CLOSE(worst2, two, 1e-12, "%d rows, %s, in L2", m, replace_one ? "replace_one" : "add_remove");
}

int
main(void)
{
	static const DpemSecondMoment shapes[] = {DPEM_SECOND_FULL, DPEM_SECOND_DIAGONAL, DPEM_SECOND_NORM};

	for (size_t i = 0; i < sizeof(weights) / sizeof(weights[0]); i++)
		for (int s = 0; s < 3; s++)
			for (int k = 1; k <= 3; k++)
				for (int d = 1; d <= 3; d++)
				{
					check_case(k, d, shapes[s], weights[i], true);
					check_case(k, d, shapes[s], weights[i], false);
				}
	for (size_t i = 0; i < sizeof(weights) / sizeof(weights[0]); i++)
		for (int k = 1; k <= 3; k++)
			for (int d = 1; d <= 3; d++)
			{
				check_laplace(k, d, weights[i], true);
				check_laplace(k, d, weights[i], false);
				for (int s = 0; s < 3; s++)
				{
					check_laplace_products(k, d, shapes[s], weights[i], true);
					check_laplace_products(k, d, shapes[s], weights[i], false);
				}
			}
	for (int m = 1; m <= 3; m++)
	{
		check_histogram(m, true);
		check_histogram(m, false);
	}
	CHECK(isnan(dpem_joint_sensitivity1(2, 0, 1, 1, true)) && isnan(dpem_joint_sensitivity1(0, 2, 1, 1, false)) &&
		  isnan(dpem_joint_sensitivity1(2, 2, -1, 1, true)) && isnan(dpem_joint_sensitivity1(2, 2, 1, INFINITY, true)),
		  "outside the domain");
	CHECK(isnan(dpem_products_sensitivity1(0, 2, 1, true)) && isnan(dpem_products_sensitivity1(2, 0, 1, true)) &&
		  isnan(dpem_products_sensitivity1(2, 2, -1, true)) && isnan(dpem_products_sensitivity1(2, 2, NAN, true)), "products outside the domain");
	return unit_report();
}
