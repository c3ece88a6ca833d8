/*
 * factors_atoms.c - values that many rows have, in a factor model (core/columns/column_atom.h).
 */
#include "postgres.h"

#include "core/gmm/gmm_apart.h"
#include "families/factors/factors_run.h"
#include "server/fit_memory.h"

DpemColumnAtom *
dpem_factors_take_atoms(const DpemFitRun *run, const DpemMargins *margins)
{
	const DpemFactorsPlan *plan = (const DpemFactorsPlan *) run->plan;
	DpemColumnAtom *atom = palloc(plan->fit.d * sizeof(DpemColumnAtom));
	DpemWorkspace work = dpem_fit_workspace(dpem_column_atoms_work(&plan->grid));

	dpem_column_atoms(margins, run->pass.map.lower, run->pass.map.upper, atom, work);
	pfree(work.next);
	return atom;
}

/* a mean that is not the rows' says nothing of those that are not at the atom */
static bool
are_wanted(const DpemFactorsPlan *plan, const DpemColumnAtom *atom)
{
	return atom != NULL && plan->fit.noisy && plan->request->centered;
}

void
dpem_factors_share_atoms(const DpemFitRun *run, const DpemColumnAtom *atom, const DpemFactors *factors, const double *mean,
						 DpemModel *model)
{
	const DpemFeatureMap *map = &run->pass.map;
	int			d = factors->d;
	double	   *share = dpem_fit_allocate(d);
	double	   *lower = dpem_fit_allocate(d);
	double	   *upper = dpem_fit_allocate(d);
	bool		wanted = are_wanted((const DpemFactorsPlan *) run->plan, atom);

	for (int j = 0; j < d && wanted; j++)
	{
		lower[j] = atom[j].lower;
		upper[j] = atom[j].upper;
	}
	if (wanted)
	{
		DpemGmm		gmm = dpem_factors_gaussian(factors, mean);

		dpem_fit_require_ok(dpem_gmm_atom_shares(&gmm, atom, map->lower, map->upper, share,
												 dpem_fit_workspace(dpem_gmm_atom_shares_work(1, d))));
		pfree(gmm.covariance);
	}
	model->value[DPEM_FA_ATOM] = share;
	model->value[DPEM_FA_ATOM_LOWER] = lower;
	model->value[DPEM_FA_ATOM_UPPER] = upper;
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
