/*
 * release_keys.c - see release_keys.h.
 *
 * Numbers of units are integers, in parts of 2^-18 as all counts are, and the
 * noise too, so that nothing is rounded but its scale and the threshold, upwards
 * (docs/proofs.md, "keys that are not public").
 */
#include "postgres.h"

#include <limits.h>
#include <math.h>

#include "core/accounting/keys.h"
#include "core/pass/features.h"
#include "scan/query/raw_keys.h"
#include "wall/draw.h"
#include "wall/release_keys.h"
#include "wall/tape.h"

#define UNIT_BITS	DPEM_RESPONSIBILITY_BITS

/* ---- noise and threshold ---- */

/* the same in parts of a unit */
typedef struct IntegerLaw
{
	DpemUint128 scale;			/* 0: no noise and no threshold */
	int64		threshold;
} IntegerLaw;

static IntegerLaw
integer_law(const DpemKeySpec *spec, double z, double failure)
{
	double		sensitivity = dpem_keys_sensitivity(spec->noise, spec->rows_per_unit, spec->replace_one);
	IntegerLaw	law = {dpem_noise_drawable_scale(spec->noise, z * sensitivity, UNIT_BITS, DPEM_KEYS_SCALE_MAX), 0};

	law.threshold = dpem_keys_threshold(spec->noise, law.scale, INT64_C(1) << UNIT_BITS, spec->rows_per_unit, failure);
	if (law.threshold == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("delta is too small for private keys: no threshold is large enough"),
				 errhint("Ask for a larger delta, such as 1e-6.")));
	return law;
}

static double
deviation(const DpemKeySpec *spec, const IntegerLaw *law)
{
	DpemMomentLayout layout = {1, 1, DPEM_COUNTS_ALONE};

	return dpem_noise_deviation(spec->noise, &layout, 1, ldexp((double) law->scale, -UNIT_BITS));
}

DpemKeyLaw
dpem_release_keys_law(const DpemKeySpec *spec, double noise_multiplier, double failure)
{
	IntegerLaw	law = integer_law(spec, noise_multiplier, failure);

	return (DpemKeyLaw) {
		.sensitivity = dpem_keys_sensitivity(spec->noise, spec->rows_per_unit, spec->replace_one),
			.sd = deviation(spec, &law),.threshold = ldexp((double) law.threshold, -UNIT_BITS)
	};
}

/* ---- keys that pass ---- */

typedef struct Selection
{
	DpemKeySink sink;			/* must be first */
	DpemNoiseKind noise;
	IntegerLaw	law;
	DpemSampler *sampler;
	DpemStatus	status;			/* of the draws; after a failure no key passes */
	MemoryContext where;		/* for what passes */
	DpemReleasedKeys *passed;
	int			room;
	DpemFoundKeys *found;		/* of made-up rows; else NULL */
} Selection;

static void
pass_key(Selection *s, const char *key, double units)
{
	DpemReleasedKeys *p = s->passed;

	if (p->n == s->room)
	{
		s->room *= 2;
		p->key = repalloc_huge(p->key, s->room * sizeof(char *));
		p->units = repalloc_huge(p->units, s->room * sizeof(double));
	}
	p->key[p->n] = MemoryContextStrdup(s->where, key);
	p->units[p->n++] = units;
}

/* noise is drawn for every key, whatever its number */
static void
take_key(DpemKeySink *sink, const char *key, int64 units)
{
	Selection  *s = (Selection *) sink;
	DpemInt128	total = (DpemInt128) units << UNIT_BITS;
	DpemInt128	noise = 0;

	if (s->found != NULL)
		dpem_tape_note_key(s->found, key, units);
	if (s->law.scale > 0 && s->status == DPEM_OK)
		s->status = dpem_noise_draw(s->sampler, s->noise, s->law.scale, &noise);
	total += noise;
	if (s->status == DPEM_OK && total >= s->law.threshold && s->passed->n < INT_MAX / 2)
		pass_key(s, key, (double) ldexpl((long double) total, -UNIT_BITS));
}

typedef struct KeyOrder
{
	char	   *key;
	double		units;
} KeyOrder;

static int
compare_keys(const void *a, const void *b)
{
	return strcmp(((const KeyOrder *) a)->key, ((const KeyOrder *) b)->key);
}

/* the scan's order is that of a hash table, which speaks of all keys */
static void
sort_keys(DpemReleasedKeys *keys)
{
	KeyOrder   *order = MemoryContextAllocHuge(CurrentMemoryContext, Max(keys->n, 1) * sizeof(KeyOrder));

	for (int i = 0; i < keys->n; i++)
		order[i] = (KeyOrder) {keys->key[i], keys->units[i]};
	qsort(order, keys->n, sizeof(KeyOrder), compare_keys);
	for (int i = 0; i < keys->n; i++)
	{
		keys->key[i] = order[i].key;
		keys->units[i] = order[i].units;
	}
	pfree(order);
}

static DpemReleasedKeys *
select_keys(DpemSource *source, Selection *s)
{
	s->sink.take = take_key;
	s->status = DPEM_OK;
	s->where = CurrentMemoryContext;
	s->room = 64;
	s->passed = palloc0(sizeof(DpemReleasedKeys));
	s->passed->key = palloc(s->room * sizeof(char *));
	s->passed->units = palloc(s->room * sizeof(double));
	dpem_source_scan_keys(source, &s->sink);
	if (s->sampler != NULL)
		dpem_draw_end(s->sampler, s->status, DPEM_NOISE_OUTSIDE);
	sort_keys(s->passed);
	return s->passed;
}

/* made-up rows of dp_selftest: the keys that were found, beside noise and threshold, and the recorded answer */
static void
rehearse_keys(Selection *s, DpemDeclared declared)
{
	DpemKeyNoise noise = {s->noise, s->law.scale, s->law.threshold, UNIT_BITS};

	dpem_tape_compare_keys(s->found, &noise, &declared);
	dpem_tape_exchange_keys(s->passed);
}

DpemReleasedKeys *
dpem_release_keys(DpemCharge *charge, int line, DpemSource *source, const DpemKeySpec *spec)
{
	const DpemRowsRead *rows = dpem_source_rows(source);
	double		z = dpem_charge_take(charge, line, dpem_noise_mechanism(spec->noise, DPEM_COUNTS_ALONE), rows);
	Selection	selection = {
		.noise = spec->noise,.law = integer_law(spec, z, dpem_charge_failure(charge, line)),
		.sampler = dpem_draw_begin()
	};
	DpemFoundKeys found = {.context = CurrentMemoryContext};

	if (rows->replace_one != spec->replace_one || rows->rows_per_unit != spec->rows_per_unit ||
		dpem_source_distinct(source) != DPEM_DISTINCT_NONE)
		elog(ERROR, "dpem: these keys cannot be released");
	if (rows->rehearsed)
		selection.found = &found;
	(void) select_keys(source, &selection);
	selection.passed->sd = deviation(spec, &selection.law);
	if (rows->rehearsed)
		rehearse_keys(&selection, (DpemDeclared) {dpem_charge_statistic(charge, line),
												  dpem_keys_sensitivity(spec->noise, spec->rows_per_unit, spec->replace_one), z});
	return selection.passed;
}

DpemReleasedKeys *
dpem_release_keys_to_reader(const DpemReader *reader, DpemSource *source)
{
	Selection	selection = {.sampler = NULL};

	if (reader == NULL)
		elog(ERROR, "dpem: keys cannot be released without noise");
	return select_keys(source, &selection);
}
