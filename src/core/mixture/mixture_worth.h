/*
 * mixture_worth.h - whether the components of a released mixture say more about rows than their noise takes away.
 *
 * A mixture that is nothing but the noise of its moments differs from all rows' one component by about as
 * much as from itself with the same noise once more (parametric bootstrap; Efron 1979).  Reads released numbers
 * only, and draws with public random numbers: post-processing.
 *
 * That is the noise of the last step.  Where groups are none or close to each other, each step goes on from what noise
 * did to those before it, and clipped rows are no normal ones: what the passes make of both is seen when the same
 * passes are made over rows that are drawn from the one component.
 */
#ifndef DPEM_CORE_MIXTURE_WORTH_H
#define DPEM_CORE_MIXTURE_WORTH_H

#include <stdbool.h>

#include "core/mixture/mixture_estimate.h"
#include "core/numeric/public_random.h"

/*
 * Over rows drawn from the mixture, the mean of ln(its density / that of total), by how much the same
 * falls when the moments behind it have their noise once more.  mixture: as dpem_mixture_maximize
 * made it of these moments, total and prior.  work: dpem_mixture_worth_work of its components.
 */
extern size_t dpem_mixture_worth_work(const DpemMixtureRows *rows, int k);
extern double dpem_mixture_worth(const DpemMixtureRows *rows, const DpemMixtureMoments *moments, const DpemMixture *total,
								 DpemMixturePrior prior, const DpemMixture *mixture, DpemWorkspace work);

/* the first of these means, by itself; same workspace */
extern double dpem_mixture_gain(const DpemMixtureRows *rows, const DpemMixture *total, const DpemMixture *mixture,
								DpemWorkspace work);

/* a row drawn from a mixture: d coordinates, NaN where not known; known: share of the rows in which each is (d) */
extern void dpem_mixture_draw(const DpemMixtureRows *rows, const DpemMixture *mixture, const double *known,
							  DpemPublicRandom *random, double *x);

/* passes that have been made */
typedef struct DpemMixtureSearch
{
	const DpemMixture *start;	/* what the first began with */
	int			passes;
	double		rate;			/* part of the rows that each saw */
	double		count_sd;		/* noise of each, in rows of the whole table and the unit ball */
	double		sum_sd;
	double		square_sd;
	void		(*pause) (void);	/* called from time to time, may not return; NULL: never */
} DpemMixtureSearch;

/*
 * Is a gain (dpem_mixture_gain) no more than chance makes of what the same search finds where rows are drawn from total alone
 * (mixture_rules.h)?  all: the moments that total is made of.  work: dpem_mixture_chance_work.
 */
extern size_t dpem_mixture_chance_work(const DpemMixtureRows *rows, const DpemMixtureSearch *search,
									   const DpemMixtureMoments *all);
extern bool dpem_mixture_is_chance(const DpemMixtureRows *rows, const DpemMixtureSearch *search, const DpemMixtureMoments *all,
								   const DpemMixture *total, double gain, DpemWorkspace work);

#endif							/* DPEM_CORE_MIXTURE_WORTH_H */
