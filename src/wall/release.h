/*
 * release.h - the privacy wall.
 *
 * dpem_release is the only function that turns raw moments into numbers
 * anything else can read.  It takes a committed charge and adds exact noise
 * of the multiplier that was charged.  The M-step, the model store and the
 * results see only DpemNoisyMoments, which no other function makes.
 */
#ifndef DPEM_WALL_RELEASE_H
#define DPEM_WALL_RELEASE_H

#include "core/accounting/paper_mechanism.h"
#include "core/accounting/stack_price.h"
#include "core/kernels/kernel.h"
#include "core/pass/noisy_moments.h"
#include "ledger/charge.h"
#include "scan/moments.h"
#include "scan/query/source.h"

/* dpem_stack_sensitivity; internal error for a release that has no price */
extern double dpem_release_sensitivity(const DpemReleaseSpec *spec, int k, int d);

/* standard deviations of the noise at a noise multiplier, in units of rows */
extern void dpem_release_noise(const DpemReleaseSpec *spec, int k, int d, double noise_multiplier,
							   double *count_sd, double *sum_sd, double *second_sd);

/* raises 22023 if noise at this multiplier is too large to be drawn; called before the charge */
extern void dpem_release_check(const DpemReleaseSpec *spec, const DpemMomentLayout *layout,
							   double noise_multiplier);

/*
 * Adds noise for one of the releases that line `line` of the charge paid for
 * and erases the raw moments.
 */
extern DpemNoisyMoments *dpem_release(DpemCharge *charge, int line, DpemRawMoments *raw,
									  const DpemReleaseSpec *spec);

/*
 * The papers' mechanisms: counts, and the sums and (if the layout has them)
 * second moments of each component, are separate releases, each kind of
 * statistic with its own noise (Gaussian or Laplace) and line of the charge.
 */
typedef struct DpemSeparateSpec
{
	DpemNoiseKind noise[DPEM_PAPER_STATISTICS];
	int			line[DPEM_PAPER_STATISTICS];	/* of the charge */
	bool		replace_one;
	int			rows_per_unit;
} DpemSeparateSpec;

/* sensitivity of one such release, per unit (core/accounting/paper_mechanism.h) */
extern double dpem_release_separate_sensitivity(const DpemSeparateSpec *spec,
												const DpemMomentLayout *layout,
												DpemPaperStatistic statistic);

/* raises 22023 if noise at these multipliers is too large to be drawn; called before the charge */
extern void dpem_release_separate_check(const DpemSeparateSpec *spec, const DpemMomentLayout *layout,
										const double noise_multiplier[DPEM_PAPER_STATISTICS]);

/* Takes one release from the counts' line and one per component from the other lines. */
extern DpemNoisyMoments *dpem_release_separate(DpemCharge *charge, DpemRawMoments *raw,
											   const DpemSeparateSpec *spec);

/* No noise: for a caller who has been shown to have the right to read the rows. */
extern DpemNoisyMoments *dpem_release_to_reader(const DpemReader *reader, DpemRawMoments *raw);

#endif							/* DPEM_WALL_RELEASE_H */
