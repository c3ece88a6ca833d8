/*
 * factors_atoms.c - values that many rows have, in a factor model (core/columns/column_atom.h).
 */
#include "postgres.h"

#include "families/factors/factors_run.h"
#include "server/fit_memory.h"

/* a mean that is not the rows' says nothing of those that are not at the atom */
static bool
are_wanted(const DpemFactorsPlan *plan)
{
	return plan->fit.noisy && plan->request->centered;
}

void
dpem_factors_share_atoms(const DpemFitRun *run, const DpemFactorsTotal *total, const DpemFactors *factors, const double *mean,
						 DpemModel *model)
{
	const DpemColumnAtom *atom = total->atom;
	DpemGmm		gmm = {.k = 1,.d = factors->d};

	if (!are_wanted((const DpemFactorsPlan *) run->plan))
		atom = NULL;
	if (atom != NULL)
		gmm = dpem_factors_gaussian(factors, mean);
	dpem_fit_store_atoms(run, total->margins, atom, &gmm, &model->value[DPEM_FA_ATOM]);
	if (atom != NULL)
		pfree(gmm.covariance);
}

DpemGmm
dpem_factors_gaussian(const DpemFactors *factors, const double *mean)
{
	size_t		d = (size_t) factors->d;
	DpemGmm		gmm = {1, factors->d, DPEM_SECOND_FULL, dpem_fit_allocate(1), dpem_fit_allocate(d), dpem_fit_allocate(d * d)};

	gmm.weight[0] = 1;
	memcpy(gmm.mean, mean, d * sizeof(double));
	for (size_t i = 0; i < d * d; i++)
	{
		gmm.covariance[i] = i % (d + 1) == 0 ? factors->noise[i % d] : 0;
		for (int f = 0; f < factors->k; f++)
			gmm.covariance[i] += factors->loading[f * d + i / d] * factors->loading[f * d + i % d];
	}
	return gmm;
}
