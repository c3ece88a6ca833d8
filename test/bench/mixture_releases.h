/*
 * mixture_releases.h - made-up tables and what a mixture's fit releases of them, for bench_mixture.c.
 */
#ifndef MIXTURE_RELEASES_H
#define MIXTURE_RELEASES_H

#include "../unit/kernel_fixture.h"
#include "../unit/mixture_memory.h"
#include "core/accounting/accountant.h"
#include "core/accounting/sensitivity.h"
#include "core/columns/column_range.h"
#include "core/kernels/kernel.h"
#include "core/gmm/gmm_rules.h"
#include "core/mixture/mixture_estimate.h"
#include "core/mixture/mixture_rules.h"
#include "core/mixture/mixture_worth.h"
#include "core/numeric/public_random.h"
#include "mixture_tables.h"

#define MOST_COORDINATES 512

static DpemPublicRandom noise_rng = {1};

typedef struct Table
{
	const TableSpec *spec;
	int			n;				/* and as many as `held` rows after them */
	int			held;
	double	   *x;				/* in box coordinates, NaN where missing */
	int		   *category;
	DpemMixtureLaw law[MOST_COORDINATES];
	int			label[MOST_COORDINATES];
	int			d;
} Table;

typedef struct Fit
{
	const Table *table;
	DpemMixtureRows rows;
	int			coordinates;
	double		mu;
	double		middle[MOST_COORDINATES];
	double		unit[MOST_COORDINATES];
	double		center[MOST_COORDINATES];	/* of margins, in box coordinates */
	double		deviation[MOST_COORDINATES];
	double		range[2 * MOST_NUMBERS];	/* least and greatest values */
	double	   *feature;		/* in the unit ball, a row after the other */
	DpemMixture total;
	DpemMixture mixture;
	DpemMixtureMoments all;
	DpemMixtureMoments moments;
} Fit;

static DpemWorkspace
workspace(double **memory, size_t n)
{
	*memory = zeros(n);
	return (DpemWorkspace) {*memory, *memory + n};
}

/* ---- a table ---- */

static void
describe(Table *t)
{
	const TableSpec *s = t->spec;

	for (int j = 0; j < s->numbers; j++)
	{
		t->law[j] = j == s->poisson - 1 ? DPEM_LAW_POISSON : DPEM_LAW_NORMAL;
		t->label[j] = j;
	}
	t->d = s->numbers;
	for (int l = 0; l < s->labels; l++)
	{
		int			first = t->d;

		for (int i = 0; i < s->categories[l]; i++, t->d++)
		{
			t->law[t->d] = DPEM_LAW_CATEGORY;
			t->label[t->d] = first;
		}
	}
}

static Table
make_table(const TableSpec *s)
{
	Table		t = {.spec = s,.n = s->rows,.held = 2000};
	DpemPublicRandom random = {77};
	int			all = t.n + t.held;

	t.x = zeros((size_t) all * s->numbers);
	t.category = calloc((size_t) all * (s->labels + 1), sizeof(int));
	describe(&t);
	for (int i = 0; i < all; i++)
	{
		double	   *x = t.x + (size_t) i * s->numbers;

		s->row(&random, i, x, t.category + (size_t) i * s->labels);
		for (int j = 0; j < s->numbers; j++)
			x[j] = isnan(x[j]) ? NAN
				: 2 * (fmin(fmax(x[j], s->lower[j]), s->upper[j]) - s->lower[j]) / (s->upper[j] - s->lower[j]) - 1;
	}
	return t;
}

/* ---- releases ---- */

static double
noise(double sd)
{
	return sd * dpem_public_normal(&noise_rng);
}

/* noise of counts, sums and squares with such a share of the budget */
static void
noise_of(const Fit *f, int k, double share, int releases, double sd[3])
{
	double		w[3];
	double		z = sqrt(releases / share) / f->mu;

	dpem_mixture_weights(&w[0], &w[1], &w[2]);
	for (int i = 0; i < 3; i++)
		sd[i] = z * sqrt(dpem_joint_sensitivity2(k, w[0], w[1], w[2], true)) / w[i];
}

static double
margin_noise(const Fit *f, double share)
{
	return sqrt(dpem_document_sensitivity2(true) / share) / f->mu;
}

static void
release_margins(Fit *f, const DpemMarginGrid *grid, double share)
{
	const Table *t = f->table;
	int			columns = t->spec->numbers;
	DpemNoisyMoments m = {.layout = {dpem_margin_bins(grid), columns, DPEM_SECOND_NONE},.sum_sd = margin_noise(f, share)};
	size_t		length = dpem_moments_length(&m.layout);
	DpemMargins margins;
	DpemColumnValues values[MOST_NUMBERS];
	DpemWorkspace work;
	double	   *memory;

	for (int j = 0; j < columns; j++)
		values[j] = t->law[j] == DPEM_LAW_POISSON ? DPEM_VALUES_ANY : DPEM_VALUES_DENSITY;
	m.value = zeros(length);
	for (int j = 0; j < columns; j++)
		for (int i = 0; i < t->n; i++)
		{
			double		x = t->x[(size_t) i * columns + j];
			int			first = 0;

			for (int l = 0; l < grid->levels && !isnan(x); l++)
			{
				int			bins = dpem_margin_level_bins(grid, l);
				int			bin = (int) fmin(floor((x + 1) / 2 * bins), bins - 1);

				m.value[(size_t) (first + bin) * (columns + 1) + 1 + j] += dpem_margin_mark(grid, l);
				first += bins;
			}
		}
	for (size_t i = 0; i < length; i++)
		m.value[i] += i % (columns + 1) > 0 ? noise(m.sum_sd) : 0;
	margins = dpem_margins_take(grid, &m, t->n);
	margins.values = values;
	work = workspace(&memory, dpem_column_spread_work(grid));
	dpem_column_spread(&margins, true, f->center, f->deviation, work);
	dpem_column_spikes(&margins, columns, f->center, f->deviation, f->range, work);
	free(memory);
	free(m.value);
}

/* rows as the passes see them */
static void
set_features(Fit *f)
{
	const Table *t = f->table;
	const TableSpec *s = t->spec;

	for (int i = 0; i < t->n; i++)
	{
		double	   *x = f->feature + (size_t) i * f->coordinates;
		double		norm = 0;
		int			first = s->numbers;

		memset(x, 0, f->coordinates * sizeof(double));
		for (int j = 0; j < s->numbers; j++)
		{
			double		value = t->x[(size_t) i * s->numbers + j];

			x[j] = isnan(value) ? 0
				: (fmin(fmax(value, f->range[j]), f->range[s->numbers + j]) - f->center[j]) / f->deviation[j];
			if (f->rows.missing)
				x[t->d + j] = isnan(value) ? 0 : DPEM_MIXTURE_KNOWN;
		}
		for (int l = 0; l < s->labels; first += s->categories[l++])
			x[first + t->category[(size_t) i * s->labels + l]] = 1;
		for (int j = 0; j < f->coordinates; j++)
			norm += x[j] * x[j];
		for (int j = 0; j < f->coordinates; j++)
			x[j] /= fmax(sqrt(norm), f->rows.radius);
	}
}

/* the margins' share of a fit with passes */
static double
share_of_margins(const Fit *f)
{
	const TableSpec *s = f->table->spec;
	DpemMarginGrid grid;

	if (s->numbers == 0)
		return dpem_mixture_shares.margins;
	grid = dpem_margin_grid(s->numbers, 1, sqrt(s->numbers));
	return dpem_mixture_margins_share(f->table->n, margin_noise(f, 1) / dpem_margin_mark(&grid, 0));
}

static void
find_frame(Fit *f, double share)
{
	const TableSpec *s = f->table->spec;
	DpemMarginGrid grid = dpem_margin_grid(s->numbers, 1, sqrt(s->numbers));

	release_margins(f, &grid, share);
	for (int j = 0; j < s->numbers; j++)
	{
		double		half = (s->upper[j] - s->lower[j]) / 2;

		f->middle[j] = (s->upper[j] + s->lower[j]) / 2 + half * f->center[j];
		f->unit[j] = half * f->deviation[j];
	}
	f->rows.middle = f->middle;
	f->rows.unit = f->unit;
	set_features(f);
}

static DpemNoisyMoments
add_noise(DpemMomentLayout layout, double *value, const double sd[3])
{
	DpemNoisyMoments m = {layout, sd[0], sd[1], sd[2], value};
	size_t		record = dpem_moments_record(&layout);

	for (int c = 0; c < layout.k; c++)
	{
		double	   *at = value + c * record;

		at[0] += noise(sd[0]);
		for (int j = 0; j < layout.d; j++)
			at[1 + j] += noise(sd[1]);
		at += 1 + layout.d;
		for (int i = 0; i < layout.d; i++)
			for (int j = layout.second == DPEM_SECOND_FULL ? 0 : i; j <= i; j++)
				*at++ += noise(j < i ? sd[2] / sqrt(2) : sd[2]);
	}
	return m;
}

static DpemNoisyMoments
release_total(const Fit *f, DpemSecondMoment second, double share)
{
	DpemMomentLayout layout = {1, f->coordinates, second};
	double	   *value = zeros(dpem_moments_length(&layout));
	double		sd[3];

	for (int i = 0; i < f->table->n; i++)
	{
		const double *x = f->feature + (size_t) i * layout.d;
		double	   *to = value + 1 + layout.d;

		value[0]++;
		for (int j = 0; j < layout.d; j++)
		{
			value[1 + j] += x[j];
			for (int l = second == DPEM_SECOND_FULL ? 0 : j; l <= j; l++)
				*to++ += x[j] * x[l];
		}
	}
	noise_of(f, 1, share, 1, sd);
	return add_noise(layout, value, sd);
}

static DpemNoisyMoments
release_pass(const Fit *f, int sensitivity_k, double share, int passes)
{
	DpemMomentLayout layout = {f->mixture.k, f->coordinates, DPEM_SECOND_DIAGONAL};
	size_t		length = dpem_moments_length(&layout);
	double	   *value = zeros(length);
	double	   *sums = zeros(length);
	double	   *theta = zeros((size_t) layout.k * (1 + 2 * layout.d));
	double	   *r = zeros((size_t) layout.k * DPEM_BLOCK_STRIDE);
	double	   *scratch = zeros(dpem_kernel_gmm.scratch_length(&layout) + dpem_moments_scratch(&layout));
	Work		w = work_make(layout.d, layout.k);
	double		sd[3];

	dpem_mixture_prepare(&f->rows, &f->mixture, theta);
	for (int i = 0; i < f->table->n; i += DPEM_BLOCK_ROWS)
	{
		int			rows = f->table->n - i < DPEM_BLOCK_ROWS ? f->table->n - i : DPEM_BLOCK_ROWS;

		memset(w.block.x, 0, (size_t) layout.d * DPEM_BLOCK_STRIDE * sizeof(double));
		memset(w.block.keep, 0, DPEM_BLOCK_STRIDE * sizeof(double));
		work_fill(&w, f->feature + (size_t) i * layout.d, NULL, rows);
		dpem_kernel_gmm.respond(&layout, theta, &w.block, 0, 0, r, scratch);
		dpem_moments_block(&layout, &w.block, r, sums, scratch);
		for (size_t j = 0; j < length; j++)
			value[j] += sums[j];
	}
	noise_of(f, sensitivity_k, share, passes, sd);
	work_free(&w);
	free(sums);
	free(theta);
	free(r);
	free(scratch);
	return add_noise(layout, value, sd);
}

/* ---- what they say of the fit ---- */

/* units of columns that are wider than margins say */
static void
reframe(Fit *f, DpemNoisyMoments *m)
{
	DpemMarginGrid grid = dpem_margin_grid(f->rows.numbers, 1, sqrt(f->rows.numbers));
	double		bins[MOST_NUMBERS];
	double		factor[MOST_NUMBERS];

	for (int j = 0; j < f->rows.numbers; j++)
		bins[j] = f->deviation[j] * dpem_margin_level_bins(&grid, grid.levels - 1) / 2;
	if (f->rows.numbers == 0 || !dpem_mixture_widen(&f->rows, bins, false, m, &f->all, &f->total, factor))
		return;
	for (int j = 0; j < f->rows.numbers; j++)
	{
		f->deviation[j] *= factor[j];
		f->unit[j] *= factor[j];
	}
	set_features(f);
}

/* do passes find as much without groups?  share: of each */
static bool
is_chance(const Fit *f, const DpemMixture *begun, int k, double share, int passes)
{
	DpemMixtureSearch search = {.start = begun,.passes = passes,.rate = 1};
	double		sd[3];
	double	   *memory;
	double		gain = dpem_mixture_gain(&f->rows, &f->total, &f->mixture, workspace(&memory, dpem_mixture_worth_work(&f->rows, f->mixture.k)));
	bool		chance;

	free(memory);
	noise_of(f, k, share, 1, sd);
	search.count_sd = sd[0];
	search.sum_sd = sd[1];
	search.square_sd = sd[2];
	chance = dpem_mixture_is_chance(&f->rows, &search, &f->all, &f->total, gain, workspace(&memory, dpem_mixture_chance_work(&f->rows, &search, &f->all)));
	free(memory);
	return chance;
}

#endif							/* MIXTURE_RELEASES_H */
