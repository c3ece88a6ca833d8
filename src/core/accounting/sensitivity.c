/*
 * sensitivity.c - how far one unit can move the stacked moments.
 *
 * The derivation stands with the declaration, in sensitivity.h.
 */
#include "core/accounting/sensitivity.h"

#include "core/numeric/bisect.h"

/* both rows in one cluster */
static double
same_cluster(double b2, double c2)
{
	if (b2 <= 2 * c2)
		return c2 > 0 ? 2 * b2 + 2 * c2 + b2 * (b2 / (2 * c2)) : 0;
	return 4 * b2;
}

double
dpem_joint_sensitivity2(int k, double a, double b, double c, bool replace_one)
{
	double		total = a * a + b * b + c * c;
	double		same;

	if (k < 1 || !dpem_is_nonnegative(a) || !dpem_is_nonnegative(b) || !dpem_is_nonnegative(c))
		return NAN;
	if (!replace_one)
		return dpem_round_up(total);
	same = same_cluster(b * b, c * c);
	return dpem_round_up(k > 1 ? fmax(2 * total, same) : same);
}

double
dpem_joint_sensitivity1(int k, int d, double a, double b, bool replace_one)
{
	double		length = sqrt((double) d);

	if (k < 1 || d < 1 || !dpem_is_nonnegative(a) || !dpem_is_nonnegative(b))
		return NAN;
	if (!replace_one)
		return dpem_round_up(a + b * length);
	return dpem_round_up(2 * ((k > 1 ? a : 0) + b * length));
}

double
dpem_products_sensitivity1(int k, int d, double c, bool replace_one)
{
	if (k < 1 || d < 1 || !dpem_is_nonnegative(c))
		return NAN;
	return dpem_round_up((replace_one ? 2 : 1) * c * (1 + (d - 1) / sqrt(2)));
}

double
dpem_projection_sensitivity2(bool replace_one)
{
	return dpem_round_up(replace_one ? 2 : 1);
}

double
dpem_document_sensitivity2(bool replace_one)
{
	return dpem_round_up(replace_one ? 2 : 1);
}

double
dpem_residual_sensitivity2(bool replace_one)
{
	return dpem_round_up(replace_one ? 4 : 1);
}

double
dpem_tables_sensitivity2(double square, bool replace_one)
{
	return dpem_is_positive(square) ? dpem_round_up((replace_one ? 2 : 1) * square) : NAN;
}

/* slopes are exact to 2^-36 but for their margins, whose d + 2 operations are on numbers below `reach` */
double
dpem_steps_rounding(const DpemSteps *s, int d)
{
	double		reach = 2 * s->count / s->curvature;
	double		slope = 0x1p-36 + 0x1p-48 * (1 + s->curvature) + s->curvature * (d + 2) * 0x1p-51 * reach;
	double		step = slope / s->curvature + 0x1p-48 * (reach + 1 / s->curvature);

	return 2 * s->count * step + sqrt(d) * 0x1p-30;
}

double
dpem_steps_sensitivity(const DpemSteps *s, int d, bool replace_one)
{
	if (!dpem_is_positive(s->ridge) || !dpem_is_positive(s->slope) || s->slope > 1 || !dpem_is_positive(s->curvature) || s->count < 1 || d < 1)
		return NAN;
	return dpem_round_up((replace_one ? 2 : 1 + s->slope * exp(-1 - 1 / s->slope)) / s->ridge + dpem_steps_rounding(s, d));
}

double
dpem_block_sensitivity(int k, int d, bool l1)
{
	return dpem_round_up(l1 ? 2 * k * sqrt(d) : 2 * sqrt(k));
}

double
dpem_gradient_sensitivity2(double b, double c, bool replace_one)
{
	if (!dpem_is_nonnegative(b) || !dpem_is_nonnegative(c))
		return NAN;
	return dpem_round_up((replace_one ? 4 : 1) * b * b + c * c);
}

/* ---- objective perturbation ---- */

#define ROOT_HALF_PI 1.2533141373155002512

static bool
is_objective(const DpemObjective *o)
{
	return dpem_is_positive(o->ridge) && dpem_is_positive(o->slope) && dpem_is_positive(o->least) && o->most >= o->least &&
		dpem_is_positive(o->most) && dpem_is_positive(o->reach) && o->part > 0 && o->part <= 1 && o->passes >= 1;
}

double
dpem_objective_sensitivity(const DpemObjective *o, bool replace_one)
{
	return is_objective(o) ? dpem_round_up((replace_one ? 2 : 1) * o->slope / o->part) : NAN;
}

double
dpem_objective_curvature_mu(double most, double ridge)
{
	return dpem_round_up(ROOT_HALF_PI * log1p(most / ridge));
}

double
dpem_objective_ridge(double most, double mu)
{
	return dpem_round_up(most / expm1(mu * (1 - 1e-9) / ROOT_HALF_PI));
}

double
dpem_objective_rate(const DpemObjective *o, int d)
{
	return o->least / o->most / (1 + 2 * o->most * d * DPEM_OBJECTIVE_SPECTRUM * DPEM_OBJECTIVE_ROWS / o->ridge);
}

/* of a ball's radius, in a metric whose eigenvalues are from the ridge to that of all rows */
static double
spread_of(const DpemObjective *o)
{
	return sqrt(1 + o->most * DPEM_OBJECTIVE_ROWS / o->ridge);
}

double
dpem_minimum_left(const DpemObjective *o, int d)
{
	double		rate = dpem_objective_rate(o, d);

	return pow((1 - rate) / (1 + rate), o->passes) * o->reach * spread_of(o);
}

double
dpem_minimum_distance(const DpemObjective *o, int d)
{
	double		rate = dpem_objective_rate(o, d);
	double		digits = 0x1p-54 + 0x1p-48 * (1 + o->most) + o->most * (d + 2) * 0x1p-51 * o->reach;
	double		slopes = o->slope * digits * sqrt(DPEM_OBJECTIVE_ROWS / (o->most * o->ridge)) / rate;
	double		rounding = d * 0x1p-45 * o->reach * spread_of(o) / rate;

	if (!is_objective(o) || d < 1)
		return NAN;
	return dpem_round_up(dpem_minimum_left(o, d) + slopes + rounding + sqrt(d) * 0x1p-31 * (1 + 1 / o->ridge));
}
