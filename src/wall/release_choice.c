/*
 * release_choice.c - the wall's door for a choice.
 *
 * Scores are the raw moments' own integers and the range that one unit gives
 * them is an exact integer too (docs/proofs.md, "the exponential mechanism"),
 * so that nothing is rounded but the scale, upwards.
 */
#include "postgres.h"

#include "core/accounting/choice.h"
#include "core/pass/features.h"
#include "core/statistics/quantile.h"
#include "scan/raw_moments.h"
#include "wall/choice_draw.h"
#include "wall/release_choice.h"
#include "wall/tape.h"

/* a kind of scores: what is chosen from, how far a unit moves it, and how it is read from raw moments */
typedef struct ChoiceKind
{
	bool		of_marks;		/* marks will do as well as responsibilities */
	size_t		(*candidates) (const DpemChoiceSpec *spec, const DpemMomentLayout *layout);

	/* the range in the scores' own units, 0 if these are no scores, and in rows */
	DpemUint128 (*range) (const DpemChoiceSpec *spec, const DpemMomentLayout *layout);
	double		(*range_in_rows) (const DpemChoiceSpec *spec);
	void		(*fill) (const DpemRawMoments *raw, const DpemChoiceSpec *spec, DpemInt128 *score, size_t n);
} ChoiceKind;

static const DpemUint128 one_row = (DpemUint128) 1 << DPEM_RESPONSIBILITY_BITS;

/* ---- counts ---- */

static size_t
count_components(const DpemChoiceSpec *spec, const DpemMomentLayout *layout)
{
	return (size_t) layout->k;
}

static DpemUint128
range_of_counts(const DpemChoiceSpec *spec, const DpemMomentLayout *layout)
{
	return dpem_choice_range(one_row, spec->replace_one, spec->rows_per_unit);
}

static double
rows_of_counts(const DpemChoiceSpec *spec)
{
	return (double) dpem_choice_range(1, spec->replace_one, spec->rows_per_unit);
}

static void
fill_counts(const DpemRawMoments *raw, const DpemChoiceSpec *spec, DpemInt128 *score, size_t n)
{
	size_t		record = dpem_moments_record(&raw->layout);

	for (size_t i = 0; i < n; i++)
		score[i] = raw->total[i * record];
}

/* ---- quadratic forms ---- */

static size_t
count_directions(const DpemChoiceSpec *spec, const DpemMomentLayout *layout)
{
	return spec->n;
}

static DpemUint128
range_of_forms(const DpemChoiceSpec *spec, const DpemMomentLayout *layout)
{
	int64_t		norm2;

	if (layout->k != 1 || layout->second != DPEM_SECOND_FULL)
		return 0;
	norm2 = dpem_directions_norm2(spec->directions, spec->n, layout->d);
	if (norm2 <= 0)
		return 0;
	return dpem_choice_range((one_row << (2 * DPEM_FEATURE_BITS)) * (DpemUint128) norm2,
							 spec->replace_one, spec->rows_per_unit);
}

static void
fill_forms(const DpemRawMoments *raw, const DpemChoiceSpec *spec, DpemInt128 *score, size_t n)
{
	int			d = raw->layout.d;

	for (size_t i = 0; i < n; i++)
		score[i] = dpem_quadratic_form(raw->total + 1 + d, spec->directions + i * d, d);
}

/* ---- ranks ---- */

static DpemUint128
range_of_ranks(const DpemChoiceSpec *spec, const DpemMomentLayout *layout)
{
	return one_row * dpem_quantile_range(spec->quantile_level, spec->replace_one, spec->rows_per_unit);
}

static double
rows_of_ranks(const DpemChoiceSpec *spec)
{
	return (double) dpem_quantile_range(spec->quantile_level, spec->replace_one, spec->rows_per_unit) /
		(double) DPEM_QUANTILE_PARTS;
}

static void
fill_ranks(const DpemRawMoments *raw, const DpemChoiceSpec *spec, DpemInt128 *score, size_t n)
{
	dpem_quantile_scores(raw->total, dpem_moments_record(&raw->layout), n, spec->quantile_level, score);
}

static const ChoiceKind counts_kind = {true, count_components, range_of_counts, rows_of_counts, fill_counts};
static const ChoiceKind forms_kind = {false, count_directions, range_of_forms, rows_of_counts, fill_forms};
static const ChoiceKind ranks_kind = {false, count_components, range_of_ranks, rows_of_ranks, fill_ranks};

static const ChoiceKind *
kind_of(const DpemChoiceSpec *spec)
{
	if ((spec->directions != NULL) + (spec->quantile_level != 0) > 1 || (spec->directions == NULL && spec->n != 0))
		elog(ERROR, "dpem: scores of no kind");
	if (spec->directions != NULL)
		return &forms_kind;
	return spec->quantile_level > 0 ? &ranks_kind : &counts_kind;
}

/* ---- the choice ---- */

/* t of choice.h, in the scores' own units */
static DpemUint128
choice_scale(const DpemChoiceSpec *spec, const DpemMomentLayout *layout, double noise_multiplier)
{
	size_t		n = kind_of(spec)->candidates(spec, layout);
	DpemUint128 range = spec->rows_per_unit < 1 ? 0 : kind_of(spec)->range(spec, layout);

	if (range == 0 || n < 1 || n > DPEM_CHOICE_MAX)
		elog(ERROR, "dpem: nothing can be chosen from these moments");
	return dpem_choice_drawable_scale(noise_multiplier, range);
}

double
dpem_release_choice_range(const DpemChoiceSpec *spec)
{
	return kind_of(spec)->range_in_rows(spec);
}

void
dpem_release_choice_check(const DpemChoiceSpec *spec, const DpemMomentLayout *layout,
						  double noise_multiplier)
{
	(void) choice_scale(spec, layout, noise_multiplier);
}

/*
 * Candidates are drawn and taken out; nothing is left of the scores.
 * rehearsed: what a choice from made-up rows declares, else NULL.
 */
static void
draw_choices(DpemInt128 *score, size_t n, DpemUint128 scale, size_t wanted,
			 const DpemDeclared *rehearsed, size_t *chosen)
{
	size_t	   *candidate = palloc(n * sizeof(size_t));

	for (size_t i = 0; i < n; i++)
		candidate[i] = i;
	for (size_t i = 0; i < wanted; i++)
	{
		size_t		left = n - i - 1;
		size_t		at = dpem_choice_draw(score, left + 1, scale, rehearsed);

		chosen[i] = candidate[at];
		candidate[at] = candidate[left];
		score[at] = score[left];
	}
	explicit_bzero(score, n * sizeof(DpemInt128));
	pfree(candidate);
}

void
dpem_release_choices(DpemCharge *charge, int line, DpemRawMoments *raw, const DpemChoiceSpec *spec,
					 size_t wanted, size_t *chosen)
{
	const ChoiceKind *kind = kind_of(spec);
	size_t		n = kind->candidates(spec, &raw->layout);
	double		z = 0;
	DpemDeclared declared;
	DpemInt128 *score;

	if (!raw->exact || wanted < 1 || wanted > n ||
		!dpem_raw_moments_of(raw, spec->replace_one, spec->rows_per_unit) ||
		!(dpem_raw_moments_are(raw, DPEM_ON_SIMPLEX) || (kind->of_marks && dpem_raw_moments_are(raw, DPEM_MARKS))))
		elog(ERROR, "dpem: nothing can be chosen from these moments");
	for (size_t i = 0; i < wanted; i++)
		z = dpem_charge_take(charge, line, DPEM_MECHANISM_EXPONENTIAL, &raw->rows);
	declared = (DpemDeclared) {dpem_charge_statistic(charge, line), dpem_release_choice_range(spec), z};
	score = palloc(n * sizeof(DpemInt128));
	kind->fill(raw, spec, score, n);
	dpem_raw_moments_wipe(raw);
	draw_choices(score, n, choice_scale(spec, &raw->layout, z), wanted,
				 raw->rows.rehearsed ? &declared : NULL, chosen);
	pfree(score);
}

size_t
dpem_release_choice(DpemCharge *charge, int line, DpemRawMoments *raw, const DpemChoiceSpec *spec)
{
	size_t		chosen;

	dpem_release_choices(charge, line, raw, spec, 1, &chosen);
	return chosen;
}
