/*
 * test_stack_price.c - every contribution with every noise, set of weights, layout,
 * grouping and adjacency: what is in the list below has a price, which is that of
 * its formula, and nothing else has one.
 */
#include <math.h>
#include <string.h>

#include "core/accounting/sensitivity.h"
#include "core/accounting/stack_price.h"
#include "unit.h"

#define K 3
#define D 4

static const DpemSteps steps = {4, 0.5, 0.25, 10};
static const DpemObjective objective = {.ridge = 20,.slope = 1.2,.least = 0.02,.most = 0.3,.reach = 3,.part = 0.9,.passes = 300};

/* what is proved, by contribution and noise: statistics that may have weights */
static const struct
{
	DpemContribution contribution;
	DpemNoiseKind noise;
	const char *weights;		/* c counts, s sums, p products */
}			proved[] = {
	{DPEM_ON_SIMPLEX, DPEM_NOISE_GAUSSIAN, "csp"},
	{DPEM_ON_SIMPLEX, DPEM_NOISE_LAPLACE, "csp"},
	{DPEM_PROJECTED, DPEM_NOISE_GAUSSIAN, "s"},
	{DPEM_DOCUMENT, DPEM_NOISE_GAUSSIAN, "s"},
	{DPEM_TALLIES, DPEM_NOISE_GAUSSIAN, "c"},
	{DPEM_RESIDUALS, DPEM_NOISE_GAUSSIAN, "c"},
	{DPEM_BLOCK_OUTPUT, DPEM_NOISE_GAUSSIAN, "s"},
	{DPEM_BLOCK_OUTPUT, DPEM_NOISE_LAPLACE, "s"},
	{DPEM_PRODUCT, DPEM_NOISE_GAUSSIAN, "s"},
	{DPEM_GRADIENT, DPEM_NOISE_GAUSSIAN, "sp"},
	{DPEM_STEPS, DPEM_NOISE_GAUSSIAN, "s"},
	{DPEM_OBJECTIVE, DPEM_NOISE_GAUSSIAN, "s"},
	{DPEM_MINIMUM, DPEM_NOISE_GAUSSIAN, "s"}
};

static const char *
weights_of(const DpemReleaseSpec *spec)
{
	for (size_t i = 0; i < sizeof(proved) / sizeof(proved[0]); i++)
		if (proved[i].contribution == spec->contribution && proved[i].noise == spec->noise)
			return proved[i].weights;
	return "";
}

static bool
is_proved(const DpemReleaseSpec *spec)
{
	const char *weights = weights_of(spec);

	return spec->count_weight + spec->sum_weight + spec->second_weight > 0 &&
		(spec->count_weight == 0 || strchr(weights, 'c')) && (spec->sum_weight == 0 || strchr(weights, 's')) &&
		(spec->second_weight == 0 || strchr(weights, 'p'));
}

static double
one_row(const DpemReleaseSpec *spec, bool replace_one)
{
	bool		laplace = spec->noise == DPEM_NOISE_LAPLACE;

	switch (spec->contribution)
	{
		case DPEM_PROJECTED:
			return spec->sum_weight * (replace_one ? sqrt(2) : 1);
		case DPEM_DOCUMENT:
			return spec->sum_weight * (replace_one ? sqrt(2) : 1);
		case DPEM_TALLIES:
			return spec->count_weight * (replace_one ? sqrt(2) : 1);
		case DPEM_RESIDUALS:
			return spec->count_weight * (replace_one ? 2 : 1);
		case DPEM_BLOCK_OUTPUT:
			return spec->sum_weight * (laplace ? 2 * K * sqrt(D) : 2 * sqrt(K));
		case DPEM_PRODUCT:
			return spec->sum_weight * (replace_one ? 2 : 1);
		case DPEM_GRADIENT:
			return sqrt(dpem_gradient_sensitivity2(spec->sum_weight, spec->second_weight, replace_one));
		case DPEM_STEPS:
			return spec->sum_weight * ((replace_one ? 2 : 1 + 0.5 * exp(-3)) / 4 + dpem_steps_rounding(&steps, D));
		case DPEM_OBJECTIVE:
			return spec->sum_weight * (replace_one ? 2 : 1) * 1.2 / 0.9;
		case DPEM_MINIMUM:
			return spec->sum_weight * 2 * dpem_minimum_distance(&objective, D);
		default:
			return laplace ? dpem_joint_sensitivity1(K, D, spec->count_weight, spec->sum_weight, replace_one) +
				(replace_one ? 2 : 1) * spec->second_weight * (1 + (D - 1) / sqrt(2))
				: sqrt(dpem_joint_sensitivity2(K, spec->count_weight, spec->sum_weight, spec->second_weight, replace_one));
	}
}

/* steps end in one place */
static bool
has_one_end(const DpemReleaseSpec *spec)
{
	return spec->contribution == DPEM_STEPS || spec->contribution == DPEM_OBJECTIVE || spec->contribution == DPEM_MINIMUM;
}

static int
components(const DpemReleaseSpec *spec)
{
	return has_one_end(spec) ? 1 : K;
}

static void
check_price(const DpemReleaseSpec *spec)
{
	double		sensitivity;
	bool		priced = dpem_stack_sensitivity(spec, components(spec), D, &sensitivity) == DPEM_OK;

	CHECK(priced == is_proved(spec), "contribution %d noise %d weights %g %g %g: priced %d", spec->contribution, spec->noise,
		  spec->count_weight, spec->sum_weight, spec->second_weight, priced);
	if (priced)
		CHECK_CLOSE(sensitivity, spec->rows_per_unit * fmax(one_row(spec, spec->replace_one), one_row(spec, false)), 1e-12,
					"contribution %d noise %d", spec->contribution, spec->noise);
	else
		CHECK(isnan(sensitivity), "no number");
}

/* moments that a price is of: all that has a weight is in the layout, and products there have one */
static void
check_layout(const DpemReleaseSpec *spec, DpemSecondMoment second, int groups)
{
	DpemMomentLayout layout = {components(spec), D, second};
	bool		products = second != DPEM_SECOND_NONE && second != DPEM_COUNTS_ALONE;
	bool		gradient = spec->contribution == DPEM_GRADIENT;
	bool		counts = spec->contribution == DPEM_TALLIES || spec->contribution == DPEM_RESIDUALS;
	bool		fits = is_proved(spec) && products == (spec->second_weight > 0) &&
		!(second == DPEM_COUNTS_ALONE && (spec->sum_weight > 0 || (spec->contribution != DPEM_ON_SIMPLEX && !counts))) &&
		(!counts || second == DPEM_COUNTS_ALONE) &&
		gradient == (second == DPEM_SECOND_COMPONENTS) &&
		(groups == 1 || counts || spec->contribution == DPEM_ON_SIMPLEX || spec->contribution == DPEM_PROJECTED ||
		 spec->contribution == DPEM_DOCUMENT || spec->contribution == DPEM_PRODUCT);

	CHECK(dpem_stack_covers(spec, &layout, groups) == fits, "contribution %d noise %d weights %g %g %g, layout %d, %d groups: %d",
		  spec->contribution, spec->noise, spec->count_weight, spec->sum_weight, spec->second_weight, second, groups, !fits);
	CHECK(!dpem_stack_covers(spec, &layout, 0), "no groups at all");
}

static void
check_spec(const DpemReleaseSpec *spec)
{
	check_price(spec);
	for (int second = 0; second <= DPEM_SECOND_LAST; second++)
		for (int groups = 1; groups <= 2; groups++)
			check_layout(spec, second, groups);
}

/* numbers that are no weights, and units without rows */
static void
check_domain(void)
{
	static const double bad[] = {-1, NAN, INFINITY, -INFINITY};
	double		sensitivity;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		for (int w = 0; w < 3; w++)
		{
			DpemReleaseSpec spec = {DPEM_NOISE_GAUSSIAN, 1, 1, 1, true, 1, DPEM_ON_SIMPLEX, steps, objective};

			*(w == 0 ? &spec.count_weight : w == 1 ? &spec.sum_weight : &spec.second_weight) = bad[i];
			CHECK(dpem_stack_sensitivity(&spec, K, D, &sensitivity) == DPEM_BAD_ARGUMENT && isnan(sensitivity), "weight %g", bad[i]);
		}
	for (int contribution = DPEM_STEPS; contribution <= DPEM_MINIMUM; contribution++)
	{
		DpemReleaseSpec spec = {DPEM_NOISE_GAUSSIAN, 0, 1, 0, true, 1, contribution, steps, objective};

		CHECK(dpem_stack_sensitivity(&spec, 2, D, &sensitivity) == DPEM_BAD_ARGUMENT, "two ends");
		spec.objective.ridge = spec.steps.ridge = NAN;
		CHECK(dpem_stack_sensitivity(&spec, 1, D, &sensitivity) == DPEM_BAD_ARGUMENT, "no ridge");
	}
	for (int i = 0; i < 3; i++)
	{
		DpemReleaseSpec spec = {DPEM_NOISE_GAUSSIAN, 1, 1, 1, true, i != 0, DPEM_ON_SIMPLEX, steps, objective};

		CHECK(dpem_stack_sensitivity(&spec, i != 1, i != 2, &sensitivity) == DPEM_BAD_ARGUMENT, "%d", i);
	}
}

int
main(void)
{
	for (int contribution = -1; contribution <= DPEM_MINIMUM + 1; contribution++)
		for (int noise = DPEM_NOISE_GAUSSIAN; noise <= DPEM_NOISE_ONE_SIDED; noise++)
			for (int weights = 0; weights < 8; weights++)
				for (int units = 0; units < 4; units++)
					check_spec(&(DpemReleaseSpec) {noise, weights & 1 ? 0.5 : 0, weights & 2 ? 2 : 0, weights & 4 ? 1 : 0,
							   units & 1, units & 2 ? 3 : 1, contribution, steps, objective});
	check_domain();
	return unit_report();
}
