/*
 * release.c - the privacy wall.
 *
 * Two ways through it: all statistics as one weighted stack (dpem_release),
 * or each as a release of its own (dpem_release_separate).
 *
 * What has a price, and which, stands in core/accounting/stack_price.h.  Moments carry what
 * the rows were made into (their kernel) and how they were read (adjacency, rows
 * per unit, groups, sample): a caller who says otherwise is refused, and so is a
 * charge for another sampling.
 *
 * Noise: sigma in units of the statistic's last bit, rounded up to an
 * integer; round(sigma X) with X an exact normal deviate is added to the
 * exact integer, which is a post-processing of the Gaussian mechanism.  Laplace
 * noise is the discrete law on the same integers, its scale rounded up
 * likewise.
 */
#include "postgres.h"

#include <math.h>

#include "core/noise/sampler.h"
#include "core/pass/features.h"
#include "scan/raw_moments.h"
#include "wall/draw.h"
#include "wall/release_inside.h"
#include "wall/tape.h"

double
dpem_release_sensitivity(const DpemReleaseSpec *spec, int k, int d)
{
	double		sensitivity;

	if (dpem_stack_sensitivity(spec, k, d, &sensitivity) != DPEM_OK)
		elog(ERROR, "dpem: a release that has no price");
	return sensitivity;
}

/* noise of a statistic: its kind and its standard deviation or (Laplace) scale, in units of rows */
typedef struct StatisticNoise
{
	DpemNoiseKind kind;
	double		scale;			/* 0: not released */
} StatisticNoise;

static void
joint_noise(const DpemReleaseSpec *spec, int k, int d, double z, StatisticNoise noise[DPEM_PAPER_STATISTICS])
{
	double		scale = z * dpem_release_sensitivity(spec, k, d);
	double		weight[DPEM_PAPER_STATISTICS] = {
		[DPEM_PAPER_WEIGHTS] = spec->count_weight,[DPEM_PAPER_MEANS] = spec->sum_weight,
		[DPEM_PAPER_COVARIANCES] = spec->second_weight
	};

	for (int s = 0; s < DPEM_PAPER_STATISTICS; s++)
		noise[s] = (StatisticNoise) {spec->noise, weight[s] > 0 ? scale / weight[s] : 0};
}

/* standard deviation of an entry, the same whatever the layout but for one-sided noise */
static double
deviation(const StatisticNoise *noise, const DpemMomentLayout *layout)
{
	return noise->scale > 0 ? dpem_noise_deviation(noise->kind, layout, 1, noise->scale) : 0;
}

void
dpem_release_noise(const DpemReleaseSpec *spec, int k, int d, double z, double *count_sd,
				   double *sum_sd, double *second_sd)
{
	DpemMomentLayout layout = {k, d, DPEM_SECOND_NONE};
	StatisticNoise noise[DPEM_PAPER_STATISTICS];

	joint_noise(spec, k, d, z, noise);
	*count_sd = deviation(&noise[DPEM_PAPER_WEIGHTS], &layout);
	*sum_sd = deviation(&noise[DPEM_PAPER_MEANS], &layout);
	*second_sd = deviation(&noise[DPEM_PAPER_COVARIANCES], &layout);
}

#define COUNT_BITS	DPEM_RESPONSIBILITY_BITS
#define SUM_BITS	(DPEM_RESPONSIBILITY_BITS + DPEM_FEATURE_BITS)
#define SECOND_BITS (DPEM_RESPONSIBILITY_BITS + 2 * DPEM_FEATURE_BITS)

static DpemEntryNoise
record_entry(const StatisticNoise *noise, double factor, int bits)
{
	DpemEntryNoise entry = {0, noise->kind, bits};

	if (noise->kind == DPEM_NOISE_ONE_SIDED)
		elog(ERROR, "dpem: noise that protects nobody");
	if (!(noise->scale > 0))
		return entry;
	entry.scale = dpem_noise_drawable_scale(noise->kind, noise->scale * factor, bits, DPEM_ANY_SCALE);
	return entry;
}

/*
 * The noise of a whole record.  Off-diagonal products stand in svec with a
 * factor sqrt(2): noise sd / sqrt(2) on the product itself.
 */
typedef struct RecordNoise
{
	const DpemMomentLayout *layout;
	DpemEntryNoise count;
	DpemEntryNoise sum;
	DpemEntryNoise second;
	DpemEntryNoise product;		/* x_i x_j, i != j */
} RecordNoise;

static RecordNoise
record_noise(const DpemMomentLayout *layout, const StatisticNoise noise[DPEM_PAPER_STATISTICS])
{
	const StatisticNoise *second = &noise[DPEM_PAPER_COVARIANCES];

	return (RecordNoise) {
		.layout = layout,
			.count = record_entry(&noise[DPEM_PAPER_WEIGHTS], 1, COUNT_BITS),
			.sum = record_entry(&noise[DPEM_PAPER_MEANS], 1, SUM_BITS),
			.second = record_entry(second, 1, SECOND_BITS),
			.product = record_entry(second, (1 + 1e-15) / sqrt(2.0), SECOND_BITS)
	};
}

/* a walk through the numbers of all records */
typedef struct RecordCursor
{
	size_t		at;				/* in the record */
	int			row;			/* of the triangle of second moments */
	int			column;
} RecordCursor;

static const DpemEntryNoise *
next_entry(const RecordNoise *noise, RecordCursor *cursor)
{
	const DpemMomentLayout *layout = noise->layout;
	size_t		at = cursor->at++;

	if (cursor->at == dpem_moments_record(layout))
		cursor->at = 0;
	if (at == 0)
	{
		cursor->row = cursor->column = 0;
		return &noise->count;
	}
	if (at <= (size_t) layout->d)
		return &noise->sum;
	if (layout->second != DPEM_SECOND_FULL || cursor->column == cursor->row)
	{
		cursor->row++;
		cursor->column = 0;
		return &noise->second;
	}
	cursor->column++;
	return &noise->product;
}

/* all noise of a release is drawn before any is added: its timing is then the rows' business in no way */
static DpemInt128 *
draw_noise(const RecordNoise *record, size_t length)
{
	RecordCursor cursor = {0, 0, 0};
	DpemInt128 *noise = palloc0(length * sizeof(DpemInt128));
	DpemSampler *sampler = dpem_draw_begin();
	DpemStatus	status = DPEM_OK;

	for (size_t i = 0; i < length && status == DPEM_OK; i++)
	{
		const DpemEntryNoise *entry = next_entry(record, &cursor);

		if (entry->scale > 0)
			status = dpem_noise_draw(sampler, entry->kind, entry->scale, &noise[i]);
	}
	dpem_draw_end(sampler, status, DPEM_NOISE_OUTSIDE);
	return noise;
}

static DpemNoisyMoments *
create_noisy(const DpemMomentLayout *layout)
{
	DpemNoisyMoments *noisy = palloc0(sizeof(DpemNoisyMoments));

	noisy->layout = *layout;
	noisy->value = palloc0(dpem_moments_length(layout) * sizeof(double));
	return noisy;
}

/* made-up rows of dp_selftest: what they moved, beside the noise that is about to be added */
static void
compare_rehearsed(const DpemRawMoments *raw, const RecordNoise *record,
				  const DpemDeclared *declared, int ndeclared)
{
	size_t		length = dpem_moments_record(&raw->layout);
	DpemEntryNoise *entry = palloc(length * sizeof(DpemEntryNoise));
	RecordCursor cursor = {0, 0, 0};

	for (size_t i = 0; i < length; i++)
		entry[i] = *next_entry(record, &cursor);
	dpem_tape_compare(raw, entry, declared, ndeclared);
	pfree(entry);
}

/*
 * value = total + noise, then nothing is left of either; 0 for what is not
 * released.  declared: as for dpem_tape_compare.
 */
static void
add_noise(DpemRawMoments *raw, const StatisticNoise noise[DPEM_PAPER_STATISTICS],
		  const DpemDeclared *declared, int ndeclared, DpemNoisyMoments *noisy)
{
	RecordNoise record = record_noise(&raw->layout, noise);
	DpemInt128 *drawn = draw_noise(&record, raw->length);
	RecordCursor cursor = {0, 0, 0};

	if (raw->rows.rehearsed)
		compare_rehearsed(raw, &record, declared, ndeclared);
	for (size_t i = 0; i < raw->length; i++)
	{
		const DpemEntryNoise *entry = next_entry(&record, &cursor);

		if (entry->scale > 0)
			noisy->value[i] = (double) ldexpl((long double) (raw->total[i] + drawn[i]), -entry->bits);
	}
	if (raw->rows.rehearsed)
		dpem_tape_exchange(noisy);
	explicit_bzero(drawn, raw->length * sizeof(DpemInt128));
	pfree(drawn);
	dpem_raw_moments_wipe(raw);
}

/* what both ways through the wall end with */
static DpemNoisyMoments *
release_with(DpemRawMoments *raw, const StatisticNoise noise[DPEM_PAPER_STATISTICS],
			 const DpemDeclared *declared, int ndeclared)
{
	DpemNoisyMoments *noisy = create_noisy(&raw->layout);

	noisy->count_sd = deviation(&noise[DPEM_PAPER_WEIGHTS], &raw->layout);
	noisy->sum_sd = deviation(&noise[DPEM_PAPER_MEANS], &raw->layout);
	noisy->second_sd = deviation(&noise[DPEM_PAPER_COVARIANCES], &raw->layout);
	add_noise(raw, noise, declared, ndeclared, noisy);
	return noisy;
}

void
dpem_release_check(const DpemReleaseSpec *spec, const DpemMomentLayout *layout, double noise_multiplier)
{
	StatisticNoise noise[DPEM_PAPER_STATISTICS];

	if (!dpem_stack_covers(spec, layout, 1))
		elog(ERROR, "dpem: these moments cannot be released");
	joint_noise(spec, layout->k, layout->d, noise_multiplier, noise);
	(void) record_noise(layout, noise);
}

DpemDeclared
dpem_release_take(DpemCharge *charge, int line, DpemMechanism mechanism, const DpemRowsRead *rows, double sensitivity)
{
	double		z = dpem_charge_take(charge, line, mechanism, rows);

	return (DpemDeclared) {dpem_charge_statistic(charge, line), sensitivity, z};
}

DpemNoisyMoments *
dpem_release_paid(const char *statistic, double z, DpemRawMoments *raw, const DpemReleaseSpec *spec)
{
	DpemDeclared declared = {statistic, dpem_release_sensitivity(spec, raw->layout.k, raw->layout.d), z};
	StatisticNoise noise[DPEM_PAPER_STATISTICS];

	if (!raw->exact || !dpem_raw_moments_are(raw, spec->contribution) || !(z > 0) ||
		!dpem_raw_moments_of(raw, spec->replace_one, spec->rows_per_unit) ||
		!dpem_stack_covers(spec, &raw->layout, raw->rows.groups))
		elog(ERROR, "dpem: these moments cannot be released");
	joint_noise(spec, raw->layout.k, raw->layout.d, z, noise);
	return release_with(raw, noise, &declared, 1);
}

DpemNoisyMoments *
dpem_release(DpemCharge *charge, int line, DpemRawMoments *raw, const DpemReleaseSpec *spec)
{
	double		z = dpem_charge_take(charge, line, dpem_noise_mechanism(spec->noise, raw->layout.second),
									 &raw->rows);

	return dpem_release_paid(dpem_charge_statistic(charge, line), z, raw, spec);
}

double
dpem_release_separate_sensitivity(const DpemSeparateSpec *spec, const DpemMomentLayout *layout,
								  DpemPaperStatistic statistic)
{
	return spec->rows_per_unit * (1 + 1e-15) *
		dpem_paper_sensitivity(statistic, spec->noise[statistic], layout, spec->replace_one);
}

/* second moments are a statistic where the layout has them */
static int
statistics_of(const DpemMomentLayout *layout)
{
	return layout->second == DPEM_SECOND_NONE ? DPEM_PAPER_COVARIANCES : DPEM_PAPER_STATISTICS;
}

static void
separate_noise(const DpemSeparateSpec *spec, const DpemMomentLayout *layout, const double *z,
			   StatisticNoise noise[DPEM_PAPER_STATISTICS])
{
	noise[DPEM_PAPER_COVARIANCES] = (StatisticNoise) {DPEM_NOISE_GAUSSIAN, 0};
	for (int s = 0; s < statistics_of(layout); s++)
	{
		noise[s].kind = spec->noise[s];
		noise[s].scale = z[s] * dpem_release_separate_sensitivity(spec, layout, s);
		if (!(noise[s].scale > 0))
			elog(ERROR, "dpem: these moments cannot be released");
	}
}

void
dpem_release_separate_check(const DpemSeparateSpec *spec, const DpemMomentLayout *layout,
							const double noise_multiplier[DPEM_PAPER_STATISTICS])
{
	StatisticNoise noise[DPEM_PAPER_STATISTICS];

	separate_noise(spec, layout, noise_multiplier, noise);
	(void) record_noise(layout, noise);
}

DpemNoisyMoments *
dpem_release_separate(DpemCharge *charge, DpemRawMoments *raw, const DpemSeparateSpec *spec)
{
	StatisticNoise noise[DPEM_PAPER_STATISTICS];
	double		z[DPEM_PAPER_STATISTICS];
	DpemDeclared declared[DPEM_PAPER_STATISTICS];

	if (!raw->exact || !dpem_raw_moments_are(raw, DPEM_ON_SIMPLEX) ||
		!dpem_raw_moments_of(raw, spec->replace_one, spec->rows_per_unit) ||
		raw->layout.second == DPEM_COUNTS_ALONE || raw->layout.second == DPEM_SECOND_COMPONENTS)
		elog(ERROR, "dpem: these moments cannot be released");
	for (int s = 0; s < statistics_of(&raw->layout); s++)
		for (int i = 0; i < dpem_paper_releases(s, raw->layout.k); i++)
			z[s] = dpem_charge_take(charge, spec->line[s],
									dpem_noise_mechanism(spec->noise[s], raw->layout.second),
									&raw->rows);
	separate_noise(spec, &raw->layout, z, noise);
	for (int s = 0; s < statistics_of(&raw->layout); s++)
		declared[s] = (DpemDeclared) {
		dpem_charge_statistic(charge, spec->line[s]),
			dpem_release_separate_sensitivity(spec, &raw->layout, s), z[s]
	};
	return release_with(raw, noise, declared, statistics_of(&raw->layout));
}

DpemNoisyMoments *
dpem_release_to_reader(const DpemReader *reader, DpemRawMoments *raw)
{
	DpemNoisyMoments *noisy = create_noisy(&raw->layout);

	if (reader == NULL || raw->exact)
		elog(ERROR, "dpem: these moments cannot be released without noise");
	memcpy(noisy->value, raw->real, raw->length * sizeof(double));
	return noisy;
}
