/*
 * stack_price.c - see stack_price.h.
 */
#include <math.h>

#include "core/accounting/stack_price.h"
#include "core/numeric/bisect.h"

/* ---- sensitivities of one row, as its contribution has them ---- */

static double
simplex2(const DpemReleaseSpec *spec, int k, int d, bool replace_one)
{
	(void) d;
	return sqrt(dpem_joint_sensitivity2(k, spec->count_weight, spec->sum_weight, spec->second_weight, replace_one));
}

static double
simplex1(const DpemReleaseSpec *spec, int k, int d, bool replace_one)
{
	return dpem_joint_sensitivity1(k, d, spec->count_weight, spec->sum_weight, replace_one) +
		dpem_products_sensitivity1(k, d, spec->second_weight, replace_one);
}

static double
projected2(const DpemReleaseSpec *spec, int k, int d, bool replace_one)
{
	(void) k;
	(void) d;
	return spec->sum_weight * sqrt(dpem_projection_sensitivity2(replace_one));
}

static double
document2(const DpemReleaseSpec *spec, int k, int d, bool replace_one)
{
	(void) k;
	(void) d;
	return spec->sum_weight * sqrt(dpem_document_sensitivity2(replace_one));
}

static double
tallies2(const DpemReleaseSpec *spec, int k, int d, bool replace_one)
{
	(void) k;
	(void) d;
	return spec->count_weight * sqrt(dpem_document_sensitivity2(replace_one));
}

static double
residuals2(const DpemReleaseSpec *spec, int k, int d, bool replace_one)
{
	(void) k;
	(void) d;
	return spec->count_weight * sqrt(dpem_residual_sensitivity2(replace_one));
}

static double
block2(const DpemReleaseSpec *spec, int k, int d, bool replace_one)
{
	(void) replace_one;
	return spec->sum_weight * dpem_block_sensitivity(k, d, false);
}

static double
block1(const DpemReleaseSpec *spec, int k, int d, bool replace_one)
{
	(void) replace_one;
	return spec->sum_weight * dpem_block_sensitivity(k, d, true);
}

static double
gradient2(const DpemReleaseSpec *spec, int k, int d, bool replace_one)
{
	(void) k;
	(void) d;
	return sqrt(dpem_gradient_sensitivity2(spec->sum_weight, spec->second_weight, replace_one));
}

static double
steps2(const DpemReleaseSpec *spec, int k, int d, bool replace_one)
{
	return k == 1 ? spec->sum_weight * dpem_steps_sensitivity(&spec->steps, d, replace_one) : NAN;
}

static double
objective2(const DpemReleaseSpec *spec, int k, int d, bool replace_one)
{
	(void) d;
	return k == 1 ? spec->sum_weight * dpem_objective_sensitivity(&spec->objective, replace_one) : NAN;
}

/* both runs may be off by the distance, whatever the neighbours are */
static double
minimum2(const DpemReleaseSpec *spec, int k, int d, bool replace_one)
{
	(void) replace_one;
	return k == 1 ? spec->sum_weight * 2 * dpem_minimum_distance(&spec->objective, d) : NAN;
}

/* ---- the table ---- */

#define LAYOUT(second)	(1u << (second))
#define MOMENTS			(LAYOUT(DPEM_SECOND_NONE) | LAYOUT(DPEM_SECOND_NORM) | LAYOUT(DPEM_SECOND_DIAGONAL) | LAYOUT(DPEM_SECOND_FULL))

typedef struct Price
{
	DpemContribution contribution;
	DpemNoiseKind noise;
	bool		counts;			/* may these have a weight? */
	bool		sums;
	bool		seconds;
	bool		groups;			/* may a row change its group? */
	unsigned	layouts;		/* by what they have as second moments */
	double		(*row) (const DpemReleaseSpec *spec, int k, int d, bool replace_one);
} Price;

static const Price prices[] = {
	{DPEM_ON_SIMPLEX, DPEM_NOISE_GAUSSIAN, true, true, true, true, MOMENTS | LAYOUT(DPEM_COUNTS_ALONE), simplex2},
	{DPEM_ON_SIMPLEX, DPEM_NOISE_LAPLACE, true, true, true, true, MOMENTS | LAYOUT(DPEM_COUNTS_ALONE), simplex1},
	{DPEM_PROJECTED, DPEM_NOISE_GAUSSIAN, false, true, false, true, LAYOUT(DPEM_SECOND_NONE), projected2},
	{DPEM_DOCUMENT, DPEM_NOISE_GAUSSIAN, false, true, false, true, LAYOUT(DPEM_SECOND_NONE), document2},
	{DPEM_TALLIES, DPEM_NOISE_GAUSSIAN, true, false, false, true, LAYOUT(DPEM_COUNTS_ALONE), tallies2},
	{DPEM_RESIDUALS, DPEM_NOISE_GAUSSIAN, true, false, false, true, LAYOUT(DPEM_COUNTS_ALONE), residuals2},
	{DPEM_PRODUCT, DPEM_NOISE_GAUSSIAN, false, true, false, true, LAYOUT(DPEM_SECOND_NONE), gradient2},
	{DPEM_BLOCK_OUTPUT, DPEM_NOISE_GAUSSIAN, false, true, false, false, LAYOUT(DPEM_SECOND_NONE), block2},
	{DPEM_BLOCK_OUTPUT, DPEM_NOISE_LAPLACE, false, true, false, false, LAYOUT(DPEM_SECOND_NONE), block1},
	{DPEM_GRADIENT, DPEM_NOISE_GAUSSIAN, false, true, true, false, LAYOUT(DPEM_SECOND_COMPONENTS), gradient2},
	{DPEM_STEPS, DPEM_NOISE_GAUSSIAN, false, true, false, false, LAYOUT(DPEM_SECOND_NONE), steps2},
	{DPEM_OBJECTIVE, DPEM_NOISE_GAUSSIAN, false, true, false, false, LAYOUT(DPEM_SECOND_NONE), objective2},
	{DPEM_MINIMUM, DPEM_NOISE_GAUSSIAN, false, true, false, false, LAYOUT(DPEM_SECOND_NONE), minimum2}
};

static bool
is_weight(double weight, bool priced)
{
	return priced ? dpem_is_nonnegative(weight) : weight == 0;
}

/* NULL: there is none */
static const Price *
price_of(const DpemReleaseSpec *spec)
{
	if (!(spec->count_weight > 0 || spec->sum_weight > 0 || spec->second_weight > 0))
		return NULL;
	for (size_t i = 0; i < sizeof(prices) / sizeof(prices[0]); i++)
	{
		const Price *p = &prices[i];

		if (p->contribution == spec->contribution && p->noise == spec->noise)
			return is_weight(spec->count_weight, p->counts) && is_weight(spec->sum_weight, p->sums) &&
				is_weight(spec->second_weight, p->seconds) ? p : NULL;
	}
	return NULL;
}

/*
 * A row may also become the null row or stop being it, whose responsibilities
 * are all zero: that moves the stack by |f(x)|, the add_remove value, which
 * one component's replace_one value does not always cover.
 */
DpemStatus
dpem_stack_sensitivity(const DpemReleaseSpec *spec, int k, int d, double *sensitivity)
{
	const Price *price = price_of(spec);
	double		delta;

	*sensitivity = NAN;
	if (price == NULL || k < 1 || d < 1 || spec->rows_per_unit < 1)
		return DPEM_BAD_ARGUMENT;
	delta = price->row(spec, k, d, false);
	if (spec->replace_one)
		delta = fmax(delta, price->row(spec, k, d, true));
	delta *= spec->rows_per_unit * (1 + 1e-15);
	if (!dpem_is_positive(delta))
		return DPEM_BAD_ARGUMENT;
	*sensitivity = delta;
	return DPEM_OK;
}

bool
dpem_stack_covers(const DpemReleaseSpec *spec, const DpemMomentLayout *layout, int groups)
{
	const Price *price = price_of(spec);

	return price != NULL && layout->second >= 0 && layout->second <= DPEM_SECOND_LAST &&
		(price->layouts & LAYOUT(layout->second)) != 0 && (groups == 1 || (groups > 1 && price->groups)) &&
		(spec->second_weight > 0) == (dpem_moments_second_length(layout) > 0) &&
		!(spec->sum_weight > 0 && layout->second == DPEM_COUNTS_ALONE);
}
