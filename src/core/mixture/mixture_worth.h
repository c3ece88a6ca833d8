/*
 * mixture_worth.h - whether the components of a released mixture say more about rows than their noise takes away.
 *
 * A mixture that is nothing but the noise of its moments differs from all rows' one component by about as
 * much as from itself with the same noise once more (parametric bootstrap; Efron 1979).  Reads released numbers
 * only, and draws with public random numbers: post-processing.
 */
#ifndef DPEM_CORE_MIXTURE_WORTH_H
#define DPEM_CORE_MIXTURE_WORTH_H

#include "core/mixture/mixture_estimate.h"

/*
 * Over rows drawn from the mixture, the mean of ln(its density / that of total), by how much the same
 * falls when the moments behind it have their noise once more.  mixture: as dpem_mixture_maximize
 * made it of these moments, total and prior.  work: dpem_mixture_worth_work of its components.
 */
extern size_t dpem_mixture_worth_work(const DpemMixtureRows *rows, int k);
extern double dpem_mixture_worth(const DpemMixtureRows *rows, const DpemMixtureMoments *moments, const DpemMixture *total,
								 DpemMixturePrior prior, const DpemMixture *mixture, DpemWorkspace work);

#endif							/* DPEM_CORE_MIXTURE_WORTH_H */
