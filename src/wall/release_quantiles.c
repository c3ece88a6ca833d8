/*
 * release_quantiles.c - the wall's door for quantiles of groups.
 *
 * What is read is the counts of all bins, once; which of them a choice looks at follows from
 * cuts that were released at the depth before.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "core/accounting/choice.h"
#include "core/pass/features.h"
#include "core/statistics/quantile.h"
#include "scan/raw_moments.h"
#include "wall/choice_draw.h"
#include "wall/release_inside.h"
#include "wall/release_quantiles.h"

static const DpemUint128 one_row = (DpemUint128) 1 << DPEM_RESPONSIBILITY_BITS;

/* room for a choice among all cuts; private */
typedef struct Desk
{
	DpemInt128 *score;
	DpemFineRoom *room;
	Size		n;
} Desk;

static size_t
all_cuts(const DpemQuantilesSpec *spec)
{
	return (size_t) spec->bins * spec->pieces + 1;
}

double
dpem_release_quantiles_range(const DpemQuantilesSpec *spec, int depth)
{
	return (double) dpem_quantile_tree_range(spec->tree, depth, spec->groups, spec->replace_one, spec->rows_per_unit) /
		(double) DPEM_QUANTILE_PARTS;
}

/* t of choice.h, in the scores' own units */
static DpemUint128
scale_at(const DpemQuantilesSpec *spec, int depth, double noise_multiplier)
{
	DpemUint128 parts = dpem_quantile_tree_range(spec->tree, depth, spec->groups, spec->replace_one, spec->rows_per_unit);

	if (spec->groups < 1 || spec->bins < 1 || spec->pieces < 1 || spec->rows_per_unit < 1 || all_cuts(spec) > DPEM_QUANTILE_CUTS + 1)
		elog(ERROR, "dpem: quantiles of no bins");
	return dpem_choice_drawable_scale(noise_multiplier, parts * one_row * 2 * (unsigned int) spec->pieces);
}

void
dpem_release_quantiles_check(const DpemQuantilesSpec *spec, double noise_multiplier)
{
	for (int depth = 0; depth < spec->tree->depths; depth++)
		(void) scale_at(spec, depth, noise_multiplier);
}

/* of one part, whose first and last cut were released before */
static int
choose(const DpemQuantilesSpec *spec, const DpemInt128 *count, size_t stride, const DpemQuantileNode *node, const int *cut,
	   DpemUint128 scale, const DpemDeclared *rehearsed, Desk *desk)
{
	size_t		first = node->lower < 0 ? 0 : (size_t) cut[node->lower];
	size_t		last = node->upper == spec->tree->n ? all_cuts(spec) - 1 : (size_t) cut[node->upper];

	dpem_quantile_cut_scores(count, stride, spec->pieces, first, last, node->level, desk->score);
	return (int) (first + dpem_choice_draw_fine(desk->score, last - first + 1, scale, desk->room, rehearsed));
}

/* all choices of a depth: one release */
static void
choose_depth(DpemCharge *charge, int line, const DpemRawMoments *raw, const DpemQuantilesSpec *spec, int depth, int *cut, Desk *desk)
{
	DpemDeclared declared = dpem_release_take(charge, line, DPEM_MECHANISM_EXPONENTIAL, &raw->rows, dpem_release_quantiles_range(spec, depth));
	DpemUint128 scale = scale_at(spec, depth, declared.noise_multiplier);
	size_t		stride = dpem_moments_record(&raw->layout);

	for (int g = 0; g < spec->groups; g++)
	{
		const DpemInt128 *count = raw->total + (size_t) g * spec->bins * stride;
		int		   *own = cut + (size_t) g * spec->tree->n;

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < spec->tree->n; i++)
		{
			if (spec->tree->node[i].depth == depth)
				own[i] = choose(spec, count, stride, &spec->tree->node[i], own, scale, raw->rows.rehearsed ? &declared : NULL, desk);
		}
	}
}

void
dpem_release_quantiles(DpemCharge *charge, int line, DpemRawMoments *raw, const DpemQuantilesSpec *spec, int *cut)
{
	Desk		desk = {.n = all_cuts(spec)};

	if (!raw->exact || !dpem_raw_moments_of(raw, spec->replace_one, spec->rows_per_unit) || raw->rows.groups != spec->groups ||
		!dpem_raw_moments_are(raw, DPEM_ON_SIMPLEX) || (int64) spec->groups * spec->bins != raw->layout.k)
		elog(ERROR, "dpem: no quantiles can be chosen from these moments");
	desk.score = palloc(desk.n * sizeof(DpemInt128));
	desk.room = palloc(desk.n * sizeof(DpemFineRoom));
	for (int depth = 0; depth < spec->tree->depths; depth++)
		choose_depth(charge, line, raw, spec, depth, cut, &desk);
	dpem_raw_moments_wipe(raw);
	explicit_bzero(desk.score, desk.n * sizeof(DpemInt128));
	explicit_bzero(desk.room, desk.n * sizeof(DpemFineRoom));
	pfree(desk.score);
	pfree(desk.room);
}
