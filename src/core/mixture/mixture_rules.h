/*
 * mixture_rules.h - rules of mixed mixtures that public facts decide.
 */
#ifndef DPEM_CORE_MIXTURE_RULES_H
#define DPEM_CORE_MIXTURE_RULES_H

#include <stdbool.h>

#include "core/mixture/mixture_estimate.h"

/*
 * Parts of the budget's squared mu.  Constants here were chosen by test/bench/bench_mixture.c and
 * test/bench/utility_mixture.pl.
 */
typedef struct DpemMixtureShares
{
	double		margins;		/* 0 without numbers */
	double		total;
	double		components;
} DpemMixtureShares;

extern const DpemMixtureShares dpem_mixture_shares;

/*
 * The margins' share, more than usual where noise would hide which bins a column is in: bin_sd is the
 * noise in a first-level bin, in rows, if margins had the whole budget; rows their number, 0 if it is not public.
 * What is more is taken from the components (test/bench/bench_mixture.c, at epsilon 0.1 and 0.3: for a quarter of the noise
 * components of classes, held_twenty and tails have too little left, at five times the noise held_weibull's columns are lost).
 */
extern double dpem_mixture_margins_share(double rows, double bin_sd);

/* passes over the components */
extern int	dpem_mixture_iterations(int k);

/* of the passes, those over more components than are wanted in the end */
extern int	dpem_mixture_early_passes(int passes);

/*
 * How many components these passes have: up to three times k, as far as the noise in
 * a coordinate's sum (in rows, where it is of variance 1) lets them be told apart.
 */
extern int	dpem_mixture_early_components(int k, double rows, double sum_sd);

/* part that pass `pass` since the last merging, from 1, has in the average of passes */
extern double dpem_mixture_step(int pass);

/* passes since the last merging before components are measured in frames of their own (core/refine/column_frames.h) */
#define DPEM_MIXTURE_BEFORE_FRAMES 1

/* are they?  square_sd: noise in a pass's sum of squares, where a number's variance is 1 */
extern bool dpem_mixture_frames_pay(int k, double rows, double square_sd);

/* does noise hide whatever k components of so many rows could differ by? */
extern bool dpem_mixture_is_hidden(int k, double rows, double sum_sd);

/*
 * Least worth (mixture_worth.h; inputs: released numbers) of components that are kept, and how often their moments are
 * disturbed to find it.  test/bench/bench_mixture.c: at 1.5 noise passes for groups, at 3 small groups are lost.
 */
#define DPEM_MIXTURE_LEAST_WORTH 2.0
#define DPEM_MIXTURE_DISTURBED 4

/*
 * Components are kept whose gain is more than chance makes of it: DPEM_MIXTURE_APART deviations, of logarithms, above the median of what
 * the same passes find in rows without groups, in so many trials, but between DPEM_MIXTURE_LEAST_CHANCE and DPEM_MIXTURE_CHANCE
 * times it.  One trial is enough where the gain is DPEM_MIXTURE_CLEARLY times as much.  test/bench/bench_mixture.c: of 303 fits of `nothing` at
 * epsilon 0.5, 1 and 4, 4 end with components at 2 for DPEM_MIXTURE_CHANCE, 2 at 2.5; trials of `many` differ by 7 %, and
 * its gain is 2 to 3 times theirs.
 */
#define DPEM_MIXTURE_APART	4.0
#define DPEM_MIXTURE_LEAST_CHANCE 1.5
#define DPEM_MIXTURE_CHANCE 2.5
#define DPEM_MIXTURE_TRIALS 7
#define DPEM_MIXTURE_CLEARLY 8.0

/* norm at which rows of so many numbers of variance 1 and so many labels are clipped */
extern double dpem_mixture_radius(int numbers, int labels, int known);

/*
 * That of passes over the components.  Norms of rows whose numbers go up and down together vary more than those of independent ones:
 * clipping would heap rows up at both ends, where components without noise are narrow then.  It is larger only if clipping has left
 * less than DPEM_MIXTURE_WHOLE of the variances that margins found, or if margins found less than that of these.  second: released moments of all
 * rows, layout DPEM_SECOND_FULL, at the rows' radius, which is the least; noise: standard deviation in a component's mean, at that radius, to
 * which a larger one adds in proportion.  The squared norm's law is that of so many independent numbers (Satterthwaite 1946).
 */
#define DPEM_MIXTURE_WIDENED 0.05
#define DPEM_MIXTURE_WHOLE	0.95	/* groups that are apart make numbers go together, too, but no long rows: of fifty numbers in three groups 1.01 is left, of a chain 0.92, of shells 0.65 */
extern double dpem_mixture_found_radius(const DpemMixtureRows *rows, const DpemNoisyMoments *second, double noise);

/*
 * Margins leave out what noise hides: of a column that is a few bins wide half of the rows may be missing, which would be
 * clipped.  A normal number that has clearly more variance than margins say has as much in its new units; factor
 * (numbers): new units over old ones.  Then m (second moments of all rows, layout DPEM_SECOND_FULL), all and total are in the new
 * units, and what was clipped in m is forgotten as soon as passes, which see the rows in the new ones, tell more: unless noise in
 * squares exceeds DPEM_MIXTURE_REPLACED, or they see a sample of the rows alone.  bins: how many of the finest bins the old unit of each number
 * takes.  Returns whether any unit has changed.
 */
#define DPEM_MIXTURE_REPLACED 0.1
extern bool dpem_mixture_widen(const DpemMixtureRows *rows, const double *bins, bool sampled, DpemNoisyMoments *m,
							   DpemMixtureMoments *all, DpemMixture *total, double *factor);

/* weights of counts, sums and squares in a joint release */
extern void dpem_mixture_weights(double *count, double *sum, double *square);

#endif							/* DPEM_CORE_MIXTURE_RULES_H */
