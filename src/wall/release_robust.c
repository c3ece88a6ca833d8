/*
 * release_robust.c - see release_robust.h.
 *
 * The distance is an integer number of units and the value one of cells, both in parts of 2^-18 as all counts are, and
 * their noise too: nothing is rounded but its scale and the threshold, upwards (docs/proofs.md, "Local sensitivity").
 */
#include "postgres.h"

#include <math.h>

#include "core/accounting/budget_rule.h"
#include "core/accounting/keys.h"
#include "core/accounting/paper_mechanism.h"
#include "core/kernels/kernel.h"
#include "core/numeric/bisect.h"
#include "core/pass/features.h"
#include "core/pass/noisy_moments.h"
#include "core/statistics/quantile.h"
#include "scan/raw_moments.h"
#include "wall/choice_draw.h"
#include "wall/draw.h"
#include "wall/release_inside.h"
#include "wall/release_robust.h"

#define UNIT_BITS	DPEM_RESPONSIBILITY_BITS

/* thresholds are at most 700 scales, so that as doubles they and all numbers about them are exact */
#define MOST_SCALE	((DpemUint128) 1 << 42)

/* ---- the table ---- */

typedef struct PrivateTable
{
	int			n;
	DpemRobustTable *table;
	DpemInt128 *excess;
	Size		bytes;
} PrivateTable;

/* blocks are replaced, whatever happens to rows, and a unit whose rows are together is in one of them */
static DpemRobustRows
rows_of(const DpemRobustSpec *spec, bool together)
{
	const DpemInt128 one = (DpemInt128) 1 << DPEM_RESPONSIBILITY_BITS;

	if (spec->blocks == 0)
		return (DpemRobustRows) {one, spec->replace_one, spec->rows_per_unit};
	return (DpemRobustRows) {one, true, together ? 1 : spec->rows_per_unit};
}

static int
count_values(const DpemRobustSpec *spec)
{
	return Max(spec->values, 1);
}

/* of whole rows, or blocks: of rows that are divided among cells nothing is proved */
static void
require_counts(const DpemRawMoments *raw, const DpemRobustSpec *spec)
{
	const DpemKernel *kernel = spec->blocks > 0 ? &dpem_kernel_block_cells : &dpem_kernel_cells;

	if (!raw->exact || !dpem_raw_moments_of(raw, spec->replace_one, spec->rows_per_unit) || raw->rows.groups != 1 ||
		raw->kernel != kernel || raw->layout.k != count_values(spec) * spec->cells || spec->cells < 2 || spec->cells > DPEM_FINE_MAX)
		elog(ERROR, "dpem: no quantile can be found in these moments");
}

/* erases the raw moments */
static PrivateTable
read_table(DpemRawMoments *raw, const DpemRobustSpec *spec)
{
	const DpemRobustRows rows = rows_of(spec, raw->rows.together);
	Size		each = (Size) spec->cells * DPEM_ROBUST_QUANTILES;
	size_t		record = dpem_moments_record(&raw->layout);
	PrivateTable t = {.n = count_values(spec)};

	require_counts(raw, spec);
	/* of rows, whose number one of them changes, no center of attention is proved */
	if (spec->statistic == DPEM_ROBUST_ATTENTION && spec->blocks == 0)
		elog(ERROR, "dpem: a center of attention is of blocks");
	t.table = palloc(t.n * sizeof(DpemRobustTable));
	t.bytes = t.n * each * sizeof(DpemInt128);
	t.excess = palloc(t.bytes);
	for (int i = 0; i < t.n; i++)
		dpem_robust_table(&t.table[i], spec->statistic, raw->total + (Size) i * spec->cells * record, record, spec->cells, &rows,
						  t.excess + i * each);
	dpem_raw_moments_wipe(raw);
	return t;
}

static void
forget_table(PrivateTable *t)
{
	explicit_bzero(t->excess, t->bytes);
	pfree(t->excess);
	pfree(t->table);
}

/* a cell by its scores, which are erased and freed */
static int
draw_cell(DpemInt128 *score, int cells, DpemUint128 scale, const DpemDeclared *rehearsed)
{
	DpemFineRoom *room = palloc(cells * sizeof(DpemFineRoom));
	size_t		chosen = dpem_choice_draw_fine(score, cells, scale, room, rehearsed);

	explicit_bzero(score, cells * sizeof(DpemInt128));
	explicit_bzero(room, cells * sizeof(DpemFineRoom));
	pfree(score);
	pfree(room);
	return (int) chosen;
}

/* ---- smooth sensitivity ---- */

static DpemSmoothLaw
smooth_law(double noise_multiplier)
{
	DpemSmoothLaw law = dpem_smooth_law(noise_multiplier);

	if (law.scale == 0)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE), errmsg("the choice is too noisy to be drawn, or too sharp"),
				 errhint("Ask for another epsilon.")));
	return law;
}

void
dpem_release_smooth_check(double noise_multiplier)
{
	(void) smooth_law(noise_multiplier);
}

static int
choose_smoothly(DpemCharge *charge, int line, const DpemRobustTable *table, const DpemRowsRead *rows)
{
	DpemDeclared declared = dpem_release_take(charge, line, DPEM_MECHANISM_EXPONENTIAL, rows, 1);
	DpemSmoothLaw law = smooth_law(declared.noise_multiplier);
	DpemInt128 *score = palloc(table->cells * sizeof(DpemInt128));

	dpem_smooth_scores(dpem_robust_value(table), dpem_smooth_sensitivity(table, &law), &law, table->cells, score);
	return draw_cell(score, table->cells, law.scale, rows->rehearsed ? &declared : NULL);
}

void
dpem_release_smooth(DpemCharge *charge, int line, DpemRawMoments *raw, const DpemRobustSpec *spec, int *chosen)
{
	DpemRowsRead rows = raw->rows;
	PrivateTable t = read_table(raw, spec);

	for (int i = 0; i < t.n; i++)
		chosen[i] = choose_smoothly(charge, line, &t.table[i], &rows);
	forget_table(&t);
}

/* ---- propose-test-release ---- */

void
dpem_release_tested_require(const DpemDataset *ds, const char *instead)
{
	if (ds->keys_share == 0 && dpem_accountant_has_failures(dpem_accountant_from_name(ds->accountant)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s: dataset \"%s\" has no part of its delta for tests that fail", instead, ds->name),
				 errhint("Its owner sets one aside when the source is registered: dp_register_dataset(..., keys_share => 0.1).")));
}

static DpemUint128
noise_scale(const DpemRobustSpec *spec, double z, double sensitivity)
{
	return dpem_noise_drawable_scale(spec->noise, z * sensitivity, UNIT_BITS, MOST_SCALE);
}

/* the least noisy distance, in parts, that a distance of 0 reaches with at most that probability */
static int64
threshold_of(const DpemRobustSpec *spec, DpemUint128 scale, double failure)
{
	int64		above_one = dpem_keys_threshold(spec->noise, scale, 1, 1, failure);

	if (above_one == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("delta is too small for a test: no threshold is large enough"),
				 errhint("Ask for a larger delta, such as 1e-6.")));
	return above_one - 1;
}

static double
deviation_of(const DpemRobustSpec *spec, DpemUint128 scale)
{
	DpemMomentLayout layout = {1, 1, DPEM_COUNTS_ALONE};

	return dpem_noise_deviation(spec->noise, &layout, 1, ldexp((double) scale, -UNIT_BITS));
}

/* of all values together, of which each moves by at most what was proposed */
static double
values_sensitivity(const DpemRobustSpec *spec)
{
	double		n = count_values(spec);

	return dpem_round_up(spec->proposal * (spec->noise == DPEM_NOISE_LAPLACE ? n : sqrt(n)));
}

DpemTestLaw
dpem_release_tested_law(const DpemRobustSpec *spec, double distance_multiplier, double value_multiplier, double failure)
{
	DpemUint128 scale = noise_scale(spec, distance_multiplier, 1);

	return (DpemTestLaw) {
		.distance_sd = deviation_of(spec, scale),.threshold = ldexp((double) threshold_of(spec, scale, failure), -UNIT_BITS),
			.value_sd = deviation_of(spec, noise_scale(spec, value_multiplier, values_sensitivity(spec)))
	};
}

static DpemInt128
draw_noise(DpemNoiseKind kind, DpemUint128 scale)
{
	DpemSampler *sampler = dpem_draw_begin();
	DpemInt128	noise = 0;
	DpemStatus	status;

	status = dpem_noise_draw(sampler, kind, scale, &noise);
	dpem_draw_end(sampler, status, DPEM_NOISE_OUTSIDE);
	return noise;
}

/* n numbers, in parts, each with noise of that scale, as one release; rehearsed: what made-up rows declare, else NULL */
static void
release_numbers(DpemInt128 *total, int n, DpemNoiseKind kind, DpemUint128 scale, const DpemDeclared *rehearsed, double *value)
{
	DpemNoisyMoments noisy = {.layout = {n, 1, DPEM_COUNTS_ALONE},.value = value};
	DpemUint128 *scales = palloc(n * sizeof(DpemUint128));

	for (int i = 0; i < n; i++)
		scales[i] = scale;
	if (rehearsed)
		dpem_tape_compare_cells(total, scales, n, kind, rehearsed);
	for (int i = 0; i < n; i++)
		value[i] = (double) ldexpl((long double) (total[i] + draw_noise(kind, scale)), -UNIT_BITS);
	if (rehearsed)
		dpem_tape_exchange(&noisy);
	explicit_bzero(total, n * sizeof(DpemInt128));
	pfree(scales);
}

static double
release_number(DpemInt128 total, DpemNoiseKind kind, DpemUint128 scale, const DpemDeclared *rehearsed)
{
	double		value;

	release_numbers(&total, 1, kind, scale, rehearsed, &value);
	return value;
}

/* does the distance, with the noise that its line paid for, reach the threshold? */
static bool
passes(DpemCharge *charge, int line, const DpemRobustSpec *spec, int64 distance, const DpemRowsRead *rows)
{
	DpemDeclared declared = dpem_release_take(charge, line, dpem_noise_mechanism(spec->noise, DPEM_COUNTS_ALONE), rows, 1);
	DpemUint128 scale = noise_scale(spec, declared.noise_multiplier, 1);
	int64		threshold = threshold_of(spec, scale, dpem_charge_failure(charge, line));
	double		noisy = release_number((DpemInt128) distance << UNIT_BITS, spec->noise, scale, rows->rehearsed ? &declared : NULL);

	if (rows->rehearsed)
		dpem_tape_note_test(distance, dpem_keys_failure(spec->noise, scale, threshold, 1));
	return noisy >= ldexp((double) threshold, -UNIT_BITS);
}

static int64
least_distance(const PrivateTable *t, int proposal)
{
	int64		least = DPEM_ROBUST_FARTHEST;

	for (int i = 0; i < t->n; i++)
		least = Min(least, dpem_robust_distance(&t->table[i], proposal));
	return least;
}

static void
release_values(DpemCharge *charge, int line, const PrivateTable *t, const DpemRobustSpec *spec, const DpemRowsRead *rows, double *value)
{
	DpemDeclared declared = dpem_release_take(charge, line, dpem_noise_mechanism(spec->noise, DPEM_COUNTS_ALONE), rows, values_sensitivity(spec));
	DpemUint128 scale = noise_scale(spec, declared.noise_multiplier, declared.sensitivity);
	DpemInt128 *total = palloc(t->n * sizeof(DpemInt128));

	for (int i = 0; i < t->n; i++)
		total[i] = (DpemInt128) dpem_robust_value(&t->table[i]) << UNIT_BITS;
	release_numbers(total, t->n, spec->noise, scale, rows->rehearsed ? &declared : NULL, value);
	pfree(total);
}

bool
dpem_release_tested(DpemCharge *charge, int distance_line, int value_line, DpemRawMoments *raw, const DpemRobustSpec *spec,
					double *value)
{
	DpemRowsRead rows = raw->rows;
	PrivateTable t = read_table(raw, spec);
	bool		passed = passes(charge, distance_line, spec, least_distance(&t, spec->proposal), &rows);

	if (passed)
		release_values(charge, value_line, &t, spec, &rows, value);
	forget_table(&t);
	return passed;
}

/* ---- Smith's estimator ---- */

#define FIRST_QUARTILE	(DPEM_QUANTILE_PARTS / 4)
#define THIRD_QUARTILE	(3 * FIRST_QUARTILE)

/* of a choice of either quartile, whose levels are as far from their nearer ends */
static DpemUint128
end_range(const DpemRobustRows *rows)
{
	return dpem_quantile_range(FIRST_QUARTILE, rows->replace_one, rows->rows_per_unit);
}

static DpemUint128
end_scale(const DpemRobustRows *rows, double z)
{
	return dpem_choice_drawable_scale(z, (DpemUint128) rows->one * end_range(rows));
}

/* of a sum to which a block adds from 0 to `width` cells */
static DpemUint128
sum_scale(const DpemRobustSpec *spec, const DpemRobustRows *rows, double z, int width)
{
	return dpem_noise_drawable_scale(spec->noise, z * width * rows->rows_per_unit, UNIT_BITS, DPEM_ANY_SCALE);
}

void
dpem_release_winsorised_check(const DpemRobustSpec *spec, double ends_multiplier, double mean_multiplier)
{
	const DpemRobustRows rows = rows_of(spec, false);

	(void) end_scale(&rows, ends_multiplier);
	(void) sum_scale(spec, &rows, mean_multiplier, spec->cells - 1);
}

static int
release_end(DpemCharge *charge, int line, const DpemRawMoments *raw, const DpemRobustSpec *spec, int64 level)
{
	const DpemRobustRows rows = rows_of(spec, raw->rows.together);
	DpemDeclared declared = dpem_release_take(charge, line, DPEM_MECHANISM_EXPONENTIAL, &raw->rows,
											  (double) end_range(&rows) / DPEM_QUANTILE_PARTS);
	DpemInt128 *score = palloc(spec->cells * sizeof(DpemInt128));

	dpem_quantile_scores(raw->total, dpem_moments_record(&raw->layout), spec->cells, level, score);
	return draw_cell(score, spec->cells, end_scale(&rows, declared.noise_multiplier), raw->rows.rehearsed ? &declared : NULL);
}

static DpemWinsorised
release_mean(DpemCharge *charge, int line, const DpemRawMoments *raw, const DpemRobustSpec *spec, DpemWinsorRange range)
{
	const DpemRobustRows rows = rows_of(spec, raw->rows.together);
	int			width = range.high - range.low;
	DpemDeclared declared = dpem_release_take(charge, line, dpem_noise_mechanism(spec->noise, DPEM_COUNTS_ALONE), &raw->rows,
											  (double) width * rows.rows_per_unit);
	DpemUint128 scale = sum_scale(spec, &rows, declared.noise_multiplier, width);
	DpemInt128	sum = dpem_winsor_sum(raw->total, dpem_moments_record(&raw->layout), spec->cells, range);
	double		noisy = release_number(sum, spec->noise, scale, raw->rows.rehearsed ? &declared : NULL);

	return (DpemWinsorised) {range.low + noisy / spec->blocks, deviation_of(spec, scale) / spec->blocks};
}

DpemWinsorised
dpem_release_winsorised(DpemCharge *charge, int ends_line, int mean_line, DpemRawMoments *raw, const DpemRobustSpec *spec)
{
	DpemWinsorised mean;
	int			first;
	int			third;

	require_counts(raw, spec);
	first = release_end(charge, ends_line, raw, spec, FIRST_QUARTILE);
	third = release_end(charge, ends_line, raw, spec, THIRD_QUARTILE);
	mean = release_mean(charge, mean_line, raw, spec, dpem_winsor_range(first, third, spec->cells));
	dpem_raw_moments_wipe(raw);
	return mean;
}
