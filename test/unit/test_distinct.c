/*
 * test_distinct.c - different persons and values: how far one unit moves their numbers, by a search over all small
 * tables and all that one unit may have before and after.
 *
 * Nothing here is random.
 */
#include <math.h>
#include <stdlib.h>

#include "core/accounting/keys.h"
#include "unit.h"

#define GROUPS 3
#define VALUES 3
#define PLACES (GROUPS * VALUES)	/* a row is in one group and has one value */

/* what one unit has, or all others together: a set of places */
typedef unsigned Places;

static int
size_of(Places set)
{
	return __builtin_popcount(set);
}

/* of the first `groups` groups alone */
static bool
is_within(Places set, int groups)
{
	return set >> (groups * VALUES) == 0;
}

static int
values_in(Places set, int group)
{
	return size_of(set >> (group * VALUES) & ((1u << VALUES) - 1));
}

/* the change of all groups' numbers by its norm to the power p; others do not matter to the number of persons */
static double
change_of(bool persons, Places others, Places before, Places after, int groups, int power)
{
	double		sum = 0;

	for (int g = 0; g < groups; g++)
	{
		int			moved = persons ? (values_in(before, g) > 0) - (values_in(after, g) > 0)
			: values_in(others | before, g) - values_in(others | after, g);

		sum += pow(abs(moved), power);
	}
	return sum;
}

static double
worst_of(bool persons, int m, int groups, bool replace_one, int power)
{
	double		worst = 0;

	for (Places before = 0; before < 1u << PLACES; before++)
	{
		if (size_of(before) > m || !is_within(before, groups))
			continue;
		for (Places after = 0; after < 1u << PLACES; after++)
		{
			if (size_of(after) > m || !is_within(after, groups) || (!replace_one && before != 0 && after != 0))
				continue;
			for (Places others = 0; others < (persons ? 1u : 1u << (groups * VALUES)); others += 1 + others / 8)
				worst = fmax(worst, change_of(persons, others, before, after, groups, power));
		}
	}
	return power == 1 ? worst : sqrt(worst);
}

/* bounds hold, and are attained where there are places enough for a unit's rows */
static void
check_bound(bool persons, int m, int groups, bool replace_one)
{
	double		worst1 = worst_of(persons, m, groups, replace_one, 1);
	double		worst2 = worst_of(persons, m, groups, replace_one, 2);
	double		bound1 = dpem_distinct_sensitivity(DPEM_NOISE_LAPLACE, persons, m, groups, replace_one);
	double		bound2 = dpem_distinct_sensitivity(DPEM_NOISE_GAUSSIAN, persons, m, groups, replace_one);

	CHECK(worst1 <= bound1 && worst2 <= bound2, "%d rows, %d groups: %g of %g, %g of %g", m, groups, worst1, bound1, worst2, bound2);
	CHECK_CLOSE(worst1, bound1, 1e-14, "L1 is attained");
	CHECK_CLOSE(worst2, bound2, 1e-14, "L2 is attained");
}

/* a person without groups may have any number of rows: it counts or does not */
static void
check_persons(void)
{
	for (int m = 1; m <= VALUES; m++)
	{
		CHECK(worst_of(true, VALUES, 1, true, 1) <= dpem_distinct_sensitivity(DPEM_NOISE_LAPLACE, true, m, 1, true), "more rows");
		CHECK(worst_of(true, VALUES, 1, false, 2) <= dpem_distinct_sensitivity(DPEM_NOISE_GAUSSIAN, true, m, 1, false), "more rows");
	}
}

int
main(void)
{
	for (int persons = 0; persons < 2; persons++)
		for (int m = 1; m <= 3; m++)
			for (int groups = 1; groups <= GROUPS; groups++)
			{
				check_bound(persons, m, groups, false);
				check_bound(persons, m, groups, true);
			}
	check_persons();
	CHECK(isnan(dpem_distinct_sensitivity(DPEM_NOISE_GAUSSIAN, true, 0, 1, true)) &&
		  isnan(dpem_distinct_sensitivity(DPEM_NOISE_GAUSSIAN, false, 1, 0, true)) &&
		  isnan(dpem_distinct_sensitivity(DPEM_NOISE_ONE_SIDED, false, 1, 1, true)), "domain");
	return unit_report();
}
