/*
 * release_distinct.c - see release_distinct.h.
 *
 * Numbers are integers in parts of 2^-18, as all counts are, and the noise too: nothing is rounded but its scale,
 * upwards (docs/proofs.md, "different persons and values").
 */
#include "postgres.h"

#include <math.h>

#include "core/accounting/keys.h"
#include "core/accounting/paper_mechanism.h"
#include "core/pass/features.h"
#include "scan/query/raw_keys.h"
#include "wall/draw.h"
#include "wall/release_distinct.h"
#include "wall/release_inside.h"

#define UNIT_BITS	DPEM_RESPONSIBILITY_BITS

double
dpem_release_distinct_sensitivity(const DpemDistinctSpec *spec)
{
	return dpem_distinct_sensitivity(spec->noise, spec->persons, spec->rows_per_unit, spec->groups, spec->replace_one);
}

static DpemUint128
integer_scale(const DpemDistinctSpec *spec, double z)
{
	return dpem_noise_drawable_scale(spec->noise, z * dpem_release_distinct_sensitivity(spec), UNIT_BITS, DPEM_ANY_SCALE);
}

static double
deviation_of(const DpemDistinctSpec *spec, DpemUint128 scale)
{
	DpemMomentLayout layout = {1, 1, DPEM_COUNTS_ALONE};

	return dpem_noise_deviation(spec->noise, &layout, 1, ldexp((double) scale, -UNIT_BITS));
}

double
dpem_release_distinct_noise(const DpemDistinctSpec *spec, double noise_multiplier)
{
	return deviation_of(spec, integer_scale(spec, noise_multiplier));
}

/* ---- numbers as the scan finds them ---- */

typedef struct Numbers
{
	DpemKeySink sink;			/* must be first */
	const DpemDistinctSpec *spec;
	DpemInt128 *count;
} Numbers;

/* names that are no group's are of rows in no group */
static void
take_number(DpemKeySink *sink, const char *group, int64 number)
{
	Numbers    *n = (Numbers *) sink;
	const DpemDistinctSpec *spec = n->spec;

	for (int g = 0; g < spec->groups; g++)
	{
		if (spec->category == NULL || strcmp(spec->category[g], group) == 0)
			n->count[g] = (DpemInt128) number << UNIT_BITS;
	}
}

static DpemInt128 *
count_all(DpemSource *source, const DpemDistinctSpec *spec)
{
	Numbers		numbers = {{take_number}, spec, palloc0(spec->groups * sizeof(DpemInt128))};

	if (dpem_source_distinct(source) != (spec->persons ? DPEM_DISTINCT_PERSONS : DPEM_DISTINCT_VALUES) ||
		(spec->category == NULL && spec->groups != 1))
		elog(ERROR, "dpem: other numbers than this source counts");
	dpem_source_scan_keys(source, &numbers.sink);
	return numbers.count;
}

/* erases the counts */
static DpemNoisyMoments *
make_public(DpemInt128 *count, const DpemDistinctSpec *spec, double sd)
{
	DpemNoisyMoments *all = palloc0(sizeof(DpemNoisyMoments));

	all->layout = (DpemMomentLayout) {spec->groups, 1, DPEM_COUNTS_ALONE};
	all->count_sd = sd;
	all->value = palloc(spec->groups * sizeof(double));
	for (int g = 0; g < spec->groups; g++)
		all->value[g] = (double) ldexpl((long double) count[g], -UNIT_BITS);
	explicit_bzero(count, spec->groups * sizeof(DpemInt128));
	pfree(count);
	return all;
}

/* ---- noise ---- */

/* drawn for every group before any number is changed */
static void
add_noise(DpemInt128 *count, const DpemDistinctSpec *spec, DpemUint128 scale)
{
	DpemSampler *sampler = dpem_draw_begin();
	DpemInt128 *noise = palloc0(spec->groups * sizeof(DpemInt128));
	DpemStatus	status = DPEM_OK;

	for (int g = 0; g < spec->groups && status == DPEM_OK; g++)
		status = dpem_noise_draw(sampler, spec->noise, scale, &noise[g]);
	dpem_draw_end(sampler, status, DPEM_NOISE_OUTSIDE);
	for (int g = 0; g < spec->groups; g++)
		count[g] += noise[g];
	explicit_bzero(noise, spec->groups * sizeof(DpemInt128));
	pfree(noise);
}

/* made-up rows of dp_selftest: the exact numbers beside the noise */
static void
rehearse(const DpemInt128 *count, const DpemDistinctSpec *spec, DpemUint128 scale, const DpemDeclared *declared)
{
	DpemUint128 *scales = palloc(spec->groups * sizeof(DpemUint128));

	for (int g = 0; g < spec->groups; g++)
		scales[g] = scale;
	dpem_tape_compare_cells(count, scales, spec->groups, spec->noise, declared);
	pfree(scales);
}

DpemNoisyMoments *
dpem_release_distinct(DpemCharge *charge, int line, DpemSource *source, const DpemDistinctSpec *spec)
{
	const DpemRowsRead *rows = dpem_source_rows(source);
	DpemDeclared declared = dpem_release_take(charge, line, dpem_noise_mechanism(spec->noise, DPEM_COUNTS_ALONE), rows,
											  dpem_release_distinct_sensitivity(spec));
	DpemUint128 scale = integer_scale(spec, declared.noise_multiplier);
	DpemInt128 *count;
	DpemNoisyMoments *all;

	if (rows->replace_one != spec->replace_one || rows->rows_per_unit != spec->rows_per_unit || rows->groups != spec->groups)
		elog(ERROR, "dpem: these numbers cannot be released");
	count = count_all(source, spec);
	if (rows->rehearsed)
		rehearse(count, spec, scale, &declared);
	add_noise(count, spec, scale);
	all = make_public(count, spec, deviation_of(spec, scale));
	if (rows->rehearsed)
		dpem_tape_exchange(all);
	return all;
}

DpemNoisyMoments *
dpem_release_distinct_to_reader(const DpemReader *reader, DpemSource *source, const DpemDistinctSpec *spec)
{
	if (reader == NULL)
		elog(ERROR, "dpem: numbers cannot be released without noise");
	return make_public(count_all(source, spec), spec, 0);
}
