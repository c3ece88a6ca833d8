/*
 * fit_stages.h - a fit of several releases that get shares of its budget.
 */
#ifndef DPEM_FIT_FIT_STAGES_H
#define DPEM_FIT_FIT_STAGES_H

#include "fit/fit.h"

#define DPEM_FIT_MAX_STAGES 4

typedef struct DpemFitStage
{
	const char *statistic;		/* what the ledger and the forecast call it */
	double		share;			/* > 0, of the budget's squared mu; of what all stages have */
	int			releases;
	DpemReleaseSpec spec;
	DpemMomentLayout layout;	/* of a release, as far as noise depends on it */
	int			line;			/* result: of the charge */
	bool		sampled;		/* as of dpem_fit_gaussian_cost: the last stage only */
} DpemFitStage;

/*
 * Adds a line for each stage to the plan's charge; all have the same kind of
 * noise.  Raises 22023 where the composition has no such noise level, 22003
 * where it is too large to be drawn.  No more than DPEM_FIT_MAX_STAGES stages.
 */
extern void dpem_fit_add_stages(DpemFitPlan *plan, DpemFitStage *stages, int n);

#endif							/* DPEM_FIT_FIT_STAGES_H */
