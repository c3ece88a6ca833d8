/*
 * column_atom.c - see column_atom.h.
 */
#include <math.h>

#include "core/columns/column_atom.h"
#include "core/columns/column_range.h"

/* PRICE: test_column_atom.c, and 33 tables of two and three columns at epsilon 0.1, whose worst runs of one normal gain .46 nats.  Beyond what is
   likely in bins of a single column, 60 have an atom of noise in every tenth fit at epsilon 0.1, which costs 8 nats (sixty_columns).
   AT_VALUE: test/bench/utility_gmm.pl, heavy_counts, which loses 2 nats at 0.3; no bench has compared others of the rest */
#define LEAST_SHARE	0.1			/* of the rows in an atom */
#define PRICE		2.0			/* log-likelihood of an atom beyond what noise in as many bins of all columns has */
#define ALONE		0.15		/* of them in a bin beside it */
#define AT_VALUE	0.15			/* of a bin: so far from its public value, at most, is the mean of an atom that is there */
#define NARROW		32			/* parts of the bin about a public value */
#define EDGE		1e-9		/* of the bin: what rounding of its ends may leave outside */
#define MOST_SHARE	0.999		/* of a component */
#define LEAST_REST	0.05		/* of its rows, by which moments are divided at least, */
#define LEAST_VARIANCE 0.05		/* and of its variance that the others have at least */
#define LEAST_GAIN	0.05		/* nats a row */
#define ROUNDS		20
#define LOG_2PI		1.8378770664093454836

/* ---- which there are ---- */

size_t
dpem_column_atoms_work(const DpemMarginGrid *grid)
{
	return dpem_margin_level_bins(grid, grid->levels - 1) + dpem_margin_bins(grid) + dpem_margins_law_work(grid);
}

/* rows of a smooth law that is narrow in its domain would be in the bins beside it, too */
static bool
is_alone(const double *count, int bins, int bin, double rows, double sd)
{
	double		beside = fmax(bin > 0 ? count[bin - 1] : 0, bin < bins - 1 ? count[bin + 1] : 0);

	return beside + sd < ALONE * rows;
}

/* mean of a law but for one bin, clipped at two deviations; without others, of the bin beside it that is nearer to the middle */
static double
rest_of(const double *p, int bins, int bin)
{
	double		width = 2.0 / bins;
	double		share = 0;
	double		mean = 0;
	double		square = 0;
	double		rest = 0;

	for (int b = 0; b < bins; b++)
	{
		double		x = (b + 0.5) * width - 1;

		mean += p[b] * x;
		square += p[b] * x * x;
		share += b != bin ? p[b] : 0;
	}
	if (share < 1e-6)
		return (bin + (bin < bins / 2 ? 1 : 0)) * width - 1;
	for (int b = 0; b < bins; b++)
	{
		double		reach = 2 * sqrt(fmax(square - mean * mean, 0));

		if (b != bin)
			rest += p[b] / share * fmin(fmax((b + 0.5) * width - 1, mean - reach), mean + reach);
	}
	return rest;
}

/* a bin of the last level as an atom: the share of the rows that the last two levels say together, and what it is worth */
typedef struct Path
{
	int			bin;
	double		share;
	double		gain;			/* log-likelihood beside rows that lie evenly in the bins above, of both levels, */
	double		last;			/* and of the last alone */
} Path;

/* the last level and the one above it, if there is one; count: rows of all levels' bins */
typedef struct LastLevels
{
	int			n;
	int			parts;			/* of a bin above */
	double		rows;
	const double *count[2];
	const double *above[2];		/* in the bins above; NULL: all are one */
	double		precision[2];	/* of the share of a bin */
} LastLevels;

static LastLevels
last_levels(const DpemMargins *m, const double *count, const double *variance, double rows)
{
	const DpemMarginGrid *grid = &m->grid;
	LastLevels	levels = {.n = grid->levels > 1 ? 2 : 1,.parts = grid->parts,.rows = rows};

	for (int i = 0; i < levels.n; i++)
	{
		int			l = grid->levels - 1 - i;

		levels.count[i] = count + dpem_margin_level_first(grid, l);
		levels.above[i] = l > 0 ? count + dpem_margin_level_first(grid, l - 1) : NULL;
		levels.precision[i] = rows * rows / variance[l];
	}
	return levels;
}

static Path
path_to(const LastLevels *levels, int bin)
{
	double		others = (levels->parts - 1.0) / levels->parts;
	double		over[2];		/* how many more rows the bin has than an even part of the bin above, in parts of all */
	double		sum = 0;
	double		weight = 0;
	Path		path = {.bin = bin};

	for (int i = 0; i < levels->n; i++, bin /= levels->parts)
	{
		double		above = levels->above[i] ? levels->above[i][bin / levels->parts] : levels->rows;

		over[i] = (levels->count[i][bin] - above / levels->parts) / levels->rows;
		sum += levels->precision[i] * over[i];
		weight += levels->precision[i];
	}
	path.share = fmin(sum / weight / others, 1);
	for (int i = levels->n - 1; i >= 0; i--)
	{
		double		more = path.share * others;

		path.last = levels->precision[i] * more * (over[i] - more / 2);
		path.gain += path.last;
	}
	return path;
}

/* log-likelihood of an atom beyond what noise in the bins of one column has, as any of the columns may have one by chance */
static double
least_price(const DpemMargins *m)
{
	return log(dpem_margin_marks(&m->grid)) + PRICE;
}

/* the likeliest atom, where chance among as many bins does not make one of its kind; else of share 0 */
static Path
likeliest(const DpemMargins *m, const double *count, const double *variance, double rows)
{
	int			bins = dpem_margin_level_bins(&m->grid, m->grid.levels - 1);
	LastLevels	levels = last_levels(m, count, variance, rows);
	double		least = least_price(m);
	Path		best = {.gain = log(bins) + least};

	for (int b = 0; b < bins && variance[m->grid.levels - 1] > 0; b++)
	{
		Path		path = path_to(&levels, b);

		if (path.share >= LEAST_SHARE && path.gain > best.gain && path.last > log(levels.parts) + least)
			best = path;
	}
	return best;
}

static DpemColumnAtom
find_atom(const DpemMargins *m, int column, DpemWorkspace work)
{
	int			bins = dpem_margin_level_bins(&m->grid, m->grid.levels - 1);
	double	   *p = dpem_workspace_take(&work, bins);
	double	   *count = dpem_workspace_take(&work, dpem_margin_bins(&m->grid));
	double		variance[DPEM_MARGINS_MAX_LEVELS];
	double		rows = dpem_margins_rows(m, column);
	double		sd;
	double		share;
	DpemColumnAtom atom = {0};
	int			most = 0;

	if (m->values != NULL && m->values[column] > DPEM_VALUES_TAIL)
		return atom;
	dpem_margins_law(m, column, p, work);
	dpem_margins_counts(m, column, count, variance);
	sd = sqrt(variance[m->grid.levels - 1]) / rows;
	for (int b = 1; b < bins; b++)
		most = p[b] > p[most] ? b : most;
	share = count[dpem_margin_bins(&m->grid) - bins + most] / rows;
	/* of thousands of bins noise makes one of many rows, which the law may not see, or see as all that there is; nor some that it hides */
	if (p[most] <= DPEM_COLUMN_SPIKE && (fmin(share, p[most]) < LEAST_SHARE || share * share < 2 * sd * sd * (log(m->grid.parts) + least_price(m))))
	{
		Path		path = likeliest(m, count, variance, rows);

		most = path.share > 0 ? path.bin : most;
		share = fmin(path.share, count[dpem_margin_bins(&m->grid) - bins + most] / rows + sd);
	}
	if (p[most] > DPEM_COLUMN_SPIKE || share < LEAST_SHARE)
		share = 0;
	atom.alone = is_alone(count + dpem_margin_bins(&m->grid) - bins, bins, most, share * rows, sd * rows);
	atom.rest = rest_of(p, bins, most);
	atom.share = fmin(share, fmax(1 - sd, 0));
	dpem_margins_bin(&m->grid, most, &atom.lower, &atom.upper);
	return atom;
}

void
dpem_column_atoms(const DpemMargins *m, const double *lower, const double *upper, DpemColumnAtom *atom, DpemWorkspace work)
{
	for (int j = 0; j < m->grid.columns; j++)
	{
		double		half = upper[j] / 2 - lower[j] / 2;
		double		middle = upper[j] / 2 + lower[j] / 2;

		atom[j] = find_atom(m, j, work);
		atom[j].lower = middle + half * atom[j].lower;
		atom[j].upper = middle + half * atom[j].upper;
		atom[j].rest = middle + half * atom[j].rest;
	}
}

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
is_at_value(const DpemColumnAtom *atom, const DpemAtomLaw *law, int k, const double *weight, const double *mean)
{
	double		sum = 0;

	if (!atom->alone || !has_value(law))
		return false;
	for (int c = 0; c < k; c++)
		sum += weight[c] * mean[c];
	sum -= (1 - atom->share) * atom->rest + atom->share * (law->value_lower + law->value_upper) / 2;
	return fabs(sum) < AT_VALUE * atom->share * (law->upper - law->lower);
}

void
dpem_atom_shares(const DpemColumnAtom *atom, const DpemAtomLaw *law, int k, const double *weight, const double *mean,
				 const double *variance, const double *given, double *share, double *part)
{
	double		left = atom->share;
	double		density = is_at_value(atom, law, k, weight, mean) ? dpem_atom_log_density(law, law->value_lower) : least_density(law);

	for (int c = 0; c < k; c++)
		share[c] = 0;
	if (left <= 0)
		return;
	weigh(atom, k, weight, mean, variance, part);
	for (int round = 0; round < ROUNDS && left > 1e-9; round++)
		left = share_out(k, weight, part, left, share);
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
