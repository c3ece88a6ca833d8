/*
 * mixture_atoms.c - values that many rows have, in the components of a mixture (core/columns/column_atom.h).
 */
#include "postgres.h"

#include "families/mixture/mixture_run.h"
#include "server/fit_memory.h"

/* of number j; share: k * d */
static void
share_number(const DpemMixture *mixture, int j, const DpemColumnAtom *atom, const DpemAtomLaw *law, double *share)
{
	int			k = mixture->k;
	DpemWorkspace work = dpem_fit_workspace(4 * (size_t) k);
	double	   *memory = work.next;
	double	   *mean = dpem_workspace_take(&work, k);
	double	   *variance = dpem_workspace_take(&work, k);
	double	   *own = dpem_workspace_take(&work, k);

	for (int c = 0; c < k; c++)
	{
		mean[c] = mixture->mean[(size_t) c * mixture->d + j];
		variance[c] = mixture->variance[(size_t) c * mixture->d + j];
	}
	/* columns are independent within a component */
	dpem_atom_shares(atom, law, k, mixture->weight, mean, variance, variance, own, dpem_workspace_take(&work, k));
	for (int c = 0; c < k; c++)
		share[(size_t) c * mixture->d + j] = own[c];
	pfree(memory);
}

void
dpem_mixture_find_atoms(const DpemFitRun *fit, const MixtureRun *run, DpemModel *model)
{
	const DpemFeatureMap *map = &fit->pass.map;
	size_t		d = (size_t) run->rows.d;
	double	   *share = dpem_fit_allocate(run->mixture.k * d);
	double	   *lower = dpem_fit_allocate(d);
	double	   *upper = dpem_fit_allocate(d);

	for (int j = 0; run->atom != NULL && j < run->rows.numbers; j++)
	{
		DpemAtomLaw law = dpem_atom_law(run->atom[j].lower, run->atom[j].upper, map->lower[j], map->upper[j]);

		lower[j] = law.lower;
		upper[j] = law.upper;
		if (run->rows.law[j] == DPEM_LAW_NORMAL)
			share_number(&run->mixture, j, &run->atom[j], &law, share);
	}
	model->value[DPEM_MIXTURE_ATOM] = share;
	model->value[DPEM_MIXTURE_ATOM_LOWER] = lower;
	model->value[DPEM_MIXTURE_ATOM_UPPER] = upper;
}
