/*
 * atom_law.c - see column_atom.h: the law of an atom's rows, and what components have of it.
 */
#include <math.h>

#include "core/columns/column_atom.h"

/* test/bench/utility_gmm.pl: AT_VALUE, heavy_counts, which loses 2 nats at 0.3; WHOLE, bank_like; no bench has compared others of the rest */
#define AT_VALUE	0.15			/* of a bin: so far from its public value, at most, is the mean of an atom that is there */
#define WHOLE		0.5			/* of its rows, at least, are in components that are all there, for their means to say so */
#define NARROW		32			/* parts of the bin about a public value */
#define EDGE		1e-9		/* of the bin: what rounding of its ends may leave outside */
#define MOST_SHARE	0.999		/* of a component */
#define LEAST_REST	0.05		/* of its rows, by which moments are divided at least, */
#define LEAST_VARIANCE 0.05		/* and of its variance that the others have at least */
#define LEAST_GAIN	0.05		/* nats a row */
#define ROUNDS		20
#define LOG_2PI		1.8378770664093454836

/* ---- the law of its rows ---- */

static bool
is_within(double lower, double upper, double x)
{
	double		edge = EDGE * (upper - lower);

	return x >= lower - edge && x <= upper + edge;
}

DpemAtomLaw
dpem_atom_law(double lower, double upper, double domain_lower, double domain_upper)
{
	const double public[] = {0, domain_lower, domain_upper};
	DpemAtomLaw law = {.lower = lower,.upper = upper,.value_lower = 1,.value_upper = 0};

	for (int i = 2; i >= 0; i--)
		if (is_within(lower, upper, public[i]))
		{
			law.value_lower = fmax(public[i] - (upper - lower) / NARROW, lower);
			law.value_upper = fmin(public[i] + (upper - lower) / NARROW, upper);
		}
	return law;
}

static bool
has_value(const DpemAtomLaw *law)
{
	return law->value_upper > law->value_lower;
}

static double
least_density(const DpemAtomLaw *law)
{
	return log((has_value(law) ? 0.5 : 1) / (law->upper - law->lower));
}

void
dpem_atom_laws(int d, const double *atom_lower, const double *atom_upper, const double *lower, const double *upper, DpemAtomLaw *law)
{
	for (int j = 0; j < d; j++)
		law[j] = dpem_atom_law(atom_lower[j], atom_upper[j], lower[j], upper[j]);
}

double
dpem_atom_log_density(const DpemAtomLaw *law, double x)
{
	if (!is_within(law->lower, law->upper, x))
		return -INFINITY;
	if (!has_value(law) || !is_within(law->value_lower, law->value_upper, x))
		return least_density(law);
	return log(0.5 / (law->upper - law->lower) + 0.5 / (law->value_upper - law->value_lower));
}

double
dpem_atom_draw(const DpemAtomLaw *law, double u, double v)
{
	if (has_value(law) && u < 0.5)
		return law->value_lower + v * (law->value_upper - law->value_lower);
	return law->lower + v * (law->upper - law->lower);
}

/* ---- components ---- */

/* weight times density at the atom of each component, up to a factor; where none has any, the weights */
static void
weigh(const DpemColumnAtom *atom, int k, const double *weight, const double *mean, const double *variance, double *part)
{
	double		width = atom->upper - atom->lower;
	double		most = -INFINITY;

	for (int c = 0; c < k; c++)
	{
		double		v = variance[c] + width * width / 12;
		double		u = (atom->lower + atom->upper) / 2 - mean[c];

		part[c] = log(weight[c]) - (u * u / v + log(v)) / 2;
		most = fmax(most, part[c]);
	}
	for (int c = 0; c < k; c++)
		part[c] = isfinite(most) ? exp(part[c] - most) : weight[c];
}

/* what is left of the atom's rows, to components that have room for them; returns what is left then */
static double
share_out(int k, const double *weight, const double *part, double rows, double *share)
{
	double		sum = 0;
	double		left = rows;

	for (int c = 0; c < k; c++)
		sum += share[c] < MOST_SHARE ? part[c] : 0;
	for (int c = 0; c < k && sum > 0; c++)
	{
		double		more = weight[c] > 0 ? rows * part[c] / sum / weight[c] : 0;
		double		taken = fmin(share[c] + more, MOST_SHARE) - share[c];

		share[c] += taken;
		left -= weight[c] * taken;
	}
	return left;
}

/* log-density that rows gain on average, of those at the atom with that log-density, at least over normals of those variances */
static double
least_gain(double density, int k, const double *weight, const double *share, const double *given)
{
	double		gain = 0;

	for (int c = 0; c < k; c++)
	{
		double		peak = -(LOG_2PI + log(given[c])) / 2;

		gain += weight[c] * (1 - share[c]) * log1p(-share[c]);
		if (share[c] > 0)
			gain += weight[c] * share[c] * (log(share[c]) + density - peak);
	}
	return gain;
}

/* do the components' means say that the atom's rows are at its public value? */
static bool
means_say_so(const DpemColumnAtom *atom, double value, double reach, int k, const double *weight, const double *mean)
{
	double		sum = 0;

	for (int c = 0; c < k; c++)
		sum += weight[c] * mean[c];
	return fabs(sum - (1 - atom->share) * atom->rest - atom->share * value) < reach * atom->share;
}

/* do those of components that are all at the atom, where these have most of its rows?  No tail of other rows hides it there */
static bool
whole_components_say_so(const DpemColumnAtom *atom, double value, double reach, int k, const double *weight, const double *mean,
						const double *share)
{
	double		rows = 0;
	double		sum = 0;

	for (int c = 0; c < k; c++)
		if (share[c] >= MOST_SHARE)
		{
			rows += weight[c];
			sum += weight[c] * (mean[c] - value);
		}
	return rows >= WHOLE * atom->share && fabs(sum) < reach * rows;
}

static bool
is_at_value(const DpemColumnAtom *atom, const DpemAtomLaw *law, int k, const double *weight, const double *mean, const double *share)
{
	double		value = (law->value_lower + law->value_upper) / 2;
	double		reach = AT_VALUE * (law->upper - law->lower);

	return atom->alone && has_value(law) &&
		(means_say_so(atom, value, reach, k, weight, mean) || whole_components_say_so(atom, value, reach, k, weight, mean, share));
}

void
dpem_atom_shares(const DpemColumnAtom *atom, const DpemAtomLaw *law, int k, const double *weight, const double *mean,
				 const double *variance, const double *given, double *share, double *part)
{
	double		left = atom->share;
	double		density;

	for (int c = 0; c < k; c++)
		share[c] = 0;
	if (left <= 0)
		return;
	weigh(atom, k, weight, mean, variance, part);
	for (int round = 0; round < ROUNDS && left > 1e-9; round++)
		left = share_out(k, weight, part, left, share);
	density = is_at_value(atom, law, k, weight, mean, share) ? dpem_atom_log_density(law, law->value_lower) : least_density(law);
	if (least_gain(density, k, weight, share, given) >= LEAST_GAIN)
		return;
	for (int c = 0; c < k; c++)
		share[c] = 0;
}

void
dpem_atom_rest(const DpemAtomLaw *law, double share, double *mean, double *variance)
{
	double		middle = (law->lower + law->upper) / 2;
	double		rest = fmax(1 - share, LEAST_REST);
	double		away = *mean - middle;
	double		square = (*variance + away * away) / rest;

	if (share <= 0)
		return;
	*mean = middle + away / rest;
	*variance = fmax(square - away * away / (rest * rest), LEAST_VARIANCE * *variance);
}
