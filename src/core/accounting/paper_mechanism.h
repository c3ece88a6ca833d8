/*
 * paper_mechanism.h - the mechanisms of the DP-EM papers: one release per
 * kind of statistic and component, instead of one for all of them.
 *
 * In every iteration [DPEM] section 4 releases the weights, then the mean of each
 * component, then its uncentered second moment, with Laplace (L) or Gaussian (G)
 * noise as the mechanism's three letters say.  All divisions are by the *released*
 * count, so noise is needed only on counts, sums and second moments.  In 'lll',
 * of the first version, the last letter stands for Gamma noise on variances and
 * Wishart noise on covariances ([CDPEM] equations 16 to 18), which is one-sided
 * and hence not differentially private.
 */
#ifndef DPEM_CORE_PAPER_MECHANISM_H
#define DPEM_CORE_PAPER_MECHANISM_H

#include <stdbool.h>

#include "core/accounting/accountant.h"
#include "core/accounting/mechanism.h"
#include "core/noise/noise.h"
#include "core/pass/moments.h"

typedef enum DpemPaperStatistic
{
	DPEM_PAPER_WEIGHTS,			/* all counts: one release an iteration */
	DPEM_PAPER_MEANS,			/* sums: one release per component */
	DPEM_PAPER_COVARIANCES,		/* second moments: one release per component */
	DPEM_PAPER_STATISTICS
} DpemPaperStatistic;

extern const char *const dpem_paper_statistic_names[DPEM_PAPER_STATISTICS];

typedef struct DpemPaperMechanism
{
	const char *name;
	DpemScenario scenario;
	DpemNoiseKind noise[DPEM_PAPER_STATISTICS];
	bool		is_private;
} DpemPaperMechanism;

/* NULL if there is none of that name */
extern const DpemPaperMechanism *dpem_paper_mechanism(const char *name);

/* the mechanism of that kind of noise on moments of that shape */
extern DpemMechanism dpem_noise_mechanism(DpemNoiseKind noise, DpemSecondMoment shape);

/* releases of a statistic in one iteration: 1, K, K */
extern int	dpem_paper_releases(DpemPaperStatistic statistic, int k);

/*
 * How far one row moves a release, in rows and unit-ball coordinates, rounded
 * up: L2 norm (of svec) for Gaussian noise, L1 norm for Laplace noise
 * (docs/proofs.md, "the papers' mechanisms").
 *
 *                    replace_one           add_remove
 *   counts           L2 sqrt 2, L1 2       L2 1, L1 1
 *   a sum            L2 2, L1 2 sqrt d     L2 1, L1 sqrt d
 *   a second moment  L2 sqrt 2             L2 1
 *   ... of one number (d = 1, or |x|^2)    1 in both
 *
 * One-sided noise: 1, the largest |x|^2, the only quantity in its law.  NaN for
 * Laplace noise on second moments, which no mechanism uses.
 */
extern double dpem_paper_sensitivity(DpemPaperStatistic statistic, DpemNoiseKind noise,
									 const DpemMomentLayout *layout, bool replace_one);

/*
 * Standard deviation of the noise on an entry (an svec entry of a second
 * moment) for a noise multiplier and a sensitivity.  The multiplier is the
 * standard deviation (Gaussian) or the scale (Laplace) over the sensitivity; for
 * one-sided noise the scale of the Gamma law, or twice the scale of the Wishart
 * law with d + 1 degrees of freedom, over it.
 */
extern double dpem_noise_deviation(DpemNoiseKind noise, const DpemMomentLayout *layout,
								   double multiplier, double sensitivity);

#endif							/* DPEM_CORE_PAPER_MECHANISM_H */
