/*
 * gam_rows.c - what the first release tells about all rows: their number, counts of cells
 * and pairs, shares of classes, and where a number's values are.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/gam/gam_estimate.h"
#include "core/gam/gam_rules.h"
#include "core/numeric/linalg.h"

#define SEEN	2.5				/* standard deviations of the noise in a count of the target's that stands for rows */
#define LEAST_ROWS	1.0
#define ANYWHERE	(1.0 / 3)		/* variance of a number that is anywhere in its domain */
#define UNREACHED	1e6			/* domains wide: without noise no residual is cut off */

static double
count_of(const DpemGamRows *rows, const DpemNoisyMoments *m, int class, int i)
{
	return m->value[(size_t) class * rows->n + i] / dpem_gam_single_mark(&rows->shape);
}

static double
pair_of(const DpemGamRows *rows, const DpemNoisyMoments *m, int i, int j)
{
	return m->value[dpem_gam_pair(&rows->shape, i, j)] / dpem_gam_pair_mark(&rows->shape);
}

/* every column's counts add up to all rows; the mean of those sums with the least noise */
static double
total_of(const DpemGamRows *rows, double *sd)
{
	double		sum = 0;
	double		weight = 0;

	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		double		total = 0;

		for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
			total += rows->count[i];
		sum += total / (rows->offset[c + 1] - rows->offset[c]);
		weight += 1.0 / (rows->offset[c + 1] - rows->offset[c]);
	}
	*sd = rows->single_sd * sqrt(rows->shape.classes / weight);
	return fmax(sum / weight, LEAST_ROWS);
}

/* the nearest numbers that are not negative and add up to all rows (Duchi et al. 2008, ICML); sorted: room for n */
static void
project(int n, double total, double *count, double *sorted)
{
	double		sum = 0;
	double		shift = 0;

	memcpy(sorted, count, n * sizeof(double));
	for (int i = 1; i < n; i++)
		for (int j = i; j > 0 && sorted[j] > sorted[j - 1]; j--)
		{
			double		larger = sorted[j];

			sorted[j] = sorted[j - 1];
			sorted[j - 1] = larger;
		}
	for (int i = 0; i < n; i++)
	{
		sum += sorted[i];
		if (sorted[i] > (sum - total) / (i + 1))
			shift = (sum - total) / (i + 1);
	}
	for (int i = 0; i < n; i++)
		count[i] = fmax(count[i] - shift, 0);
}

static void
take_counts(const DpemNoisyMoments *m, double public_rows, DpemGamRows *rows, double *sorted)
{
	for (int i = 0; i < rows->n; i++)
	{
		rows->count[i] = 0;
		for (int t = 0; t < rows->shape.classes; t++)
			rows->count[i] += count_of(rows, m, t, i);
	}
	rows->single_sd = m->count_sd / dpem_gam_single_mark(&rows->shape);
	rows->counted = rows->rows = total_of(rows, &rows->counted_sd);
	/* what is public counts all units; filters and missing targets leave fewer rows */
	if (public_rows > 0 && fabs(rows->rows - public_rows) < 6 * rows->single_sd * sqrt(rows->shape.classes * (double) rows->n) / dpem_gam_terms(&rows->shape))
		rows->rows = public_rows;
	for (int c = 0; c < dpem_gam_terms(&rows->shape) && !rows->exact; c++)
		project(rows->offset[c + 1] - rows->offset[c], rows->rows, rows->count + rows->offset[c], sorted);
}

/* ---- pairs ---- */

/* how far columns c and e are from independence, as variance of what their pairs have beyond it, noise taken away */
static double
dependence(const DpemGamRows *rows, const DpemNoisyMoments *m, int c, int e, double noise)
{
	double		sum = 0;
	double		weight = 0;

	for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
		for (int j = rows->offset[e]; j < rows->offset[e + 1]; j++)
		{
			double		scale = (rows->count[i] + 1) * (rows->count[j] + 1);
			double		off = pair_of(rows, m, i, j) - rows->count[i] * rows->count[j] / rows->rows;
			double		w = rows->count[i] * rows->count[j];

			sum += w * (off * off - noise * noise) / scale;
			weight += w;
		}
	return weight > 0 ? fmax(sum / weight, DBL_MIN) : DBL_MIN;
}

/* pairs of two columns: between the product of their margins and what was counted, by what is signal in it */
static void
take_pairs(const DpemNoisyMoments *m, int c, int e, DpemGamRows *rows)
{
	double		noise = m->count_sd / dpem_gam_pair_mark(&rows->shape);
	double		signal = rows->exact ? 1 : dependence(rows, m, c, e, noise);

	for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
		for (int j = rows->offset[e]; j < rows->offset[e + 1]; j++)
		{
			double		expected = rows->count[i] * rows->count[j] / rows->rows;
			double		variance = rows->exact ? 0 : noise * noise / ((rows->count[i] + 1) * (rows->count[j] + 1));
			double		count = expected + (pair_of(rows, m, i, j) - expected) * signal / (signal + variance);

			rows->second[(size_t) i * rows->n + j] = rows->second[(size_t) j * rows->n + i] = fmax(count, 0);
		}
}

/* ---- the target ---- */

/* rows in class t, or bin t of a number: the mean of what every column's cells say, with the least noise */
static double
target_count(const DpemGamRows *rows, const DpemNoisyMoments *m, int t, double *sd)
{
	double		sum = 0;
	double		weight = 0;

	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		double		total = 0;
		int			cells = rows->offset[c + 1] - rows->offset[c];

		for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
			total += count_of(rows, m, t, i);
		sum += total / cells;
		weight += 1.0 / cells;
	}
	*sd = rows->single_sd / sqrt(weight);
	return sum / weight;
}

/* a class that noise may be all of is as rare as it can be to be seen; noise may also make more of one than there are rows */
static void
find_shares(const DpemNoisyMoments *m, DpemGamRows *rows)
{
	int			k = rows->shape.targets;
	double		total = 0;

	for (int t = 0; t < k; t++)
	{
		double		sd;
		double		count = target_count(rows, m, t, &sd);

		rows->share[t] = fmin(fmax(count, fmin(fmax(SEEN * sd, LEAST_ROWS / 2), rows->rows / k)), rows->rows);
		total += rows->share[t];
	}
	for (int t = 0; t < k; t++)
		rows->share[t] /= total;
}

/*
 * Mean and variance of all bins: counts that noise hides one by one still tell where their sums are.  Towards those of rows
 * that are anywhere in the domain by what noise is in them.
 */
static void
place_blindly(const DpemNoisyMoments *m, DpemGamRows *rows)
{
	int			bins = rows->shape.classes;
	double		sum[2] = {0};
	double		noise[2] = {0};
	double		spread;

	for (int t = 0; t < bins; t++)
	{
		double		at = -1 + (t + 0.5) * 2 / bins;
		double		sd;
		double		share = target_count(rows, m, t, &sd) / rows->rows;

		sum[0] += share * at;
		sum[1] += share * at * at;
		noise[0] += pow(sd / rows->rows * at, 2);
		noise[1] += pow(sd / rows->rows * at * at, 2);
	}
	rows->shape.middle = fmin(fmax(sum[0] / (1 + noise[0] / ANYWHERE), -1), 1);
	spread = fmin(fmax(sum[1] - sum[0] * sum[0], 0), 1);
	rows->variance = ANYWHERE + (spread - ANYWHERE) / (1 + noise[1] / (ANYWHERE * ANYWHERE));
}

/* mean and variance of the bins that more rows are in than noise makes up, if most rows are in these */
static void
place_target(const DpemNoisyMoments *m, DpemGamRows *rows)
{
	int			bins = rows->shape.classes;
	double		width = 2.0 / bins;
	double		sum[3] = {0};

	for (int t = 0; t < bins; t++)
	{
		double		at = -1 + (t + 0.5) * width;
		double		sd;
		double		count = target_count(rows, m, t, &sd);

		count = count > SEEN * sd ? count : 0;
		sum[0] += count;
		sum[1] += count * at;
		sum[2] += count * at * at;
	}
	if (sum[0] >= rows->rows / 2)
	{
		rows->shape.middle = sum[1] / sum[0];
		rows->variance = fmax(sum[2] / sum[0] - rows->shape.middle * rows->shape.middle, 0);
	}
	else
		place_blindly(m, rows);
	rows->variance += width * width / 12;
	rows->dispersion = rows->variance;
	rows->shape.reach = rows->exact ? UNREACHED : fmin(dpem_gam_rules.reach * sqrt(rows->variance) + width, 2);
}

DpemStatus
dpem_gam_take_rows(const DpemNoisyMoments *m, double public_rows, DpemGamRows *rows, DpemWorkspace work)
{
	int			n = rows->n;
	double	   *scratch;

	rows->exact = m->count_sd == 0;
	take_counts(m, public_rows, rows, work.next);
	memset(rows->second, 0, (size_t) n * n * sizeof(double));
	for (int i = 0; i < n; i++)
		rows->second[(size_t) i * (n + 1)] = rows->count[i];
	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
		for (int e = 0; e < c; e++)
			take_pairs(m, c, e, rows);
	rows->variance = rows->dispersion = 1;
	if (rows->shape.targets == 1)
		place_target(m, rows);
	else
		find_shares(m, rows);
	if (rows->exact)
		return DPEM_OK;
	scratch = dpem_workspace_take(&work, (size_t) n * (n + 1));
	return dpem_linalg_drop_negative(n, rows->second, scratch, work.next);
}
