/*
 * mixture_atoms.c - values that many rows have, in the components of a mixture (core/columns/column_atom.h).
 */
#include "postgres.h"

#include "miscadmin.h"

#include "core/density/atom_rest.h"
#include "families/mixture/mixture_run.h"
#include "server/fit_memory.h"

/* of number j, whose domain is from lower to upper; share: k * d; returns the factor of the deviations of rows that are not at the atom */
static double
share_number(const MixtureRun *run, int j, const DpemAtomLaw *law, double lower, double upper, double *share)
{
	const DpemMixture *mixture = &run->mixture;
	int			k = mixture->k;
	DpemWorkspace work = dpem_fit_workspace(4 * (size_t) k + dpem_atom_rest_work(&run->margins->grid, k));
	double	   *memory = work.next;
	double	   *mean = dpem_workspace_take(&work, k);
	double	   *variance = dpem_workspace_take(&work, k);
	double	   *own = dpem_workspace_take(&work, k);
	DpemAtomNumber number = {k, mixture->weight, mean, variance, own, law, lower, upper};
	double		scale;

	CHECK_FOR_INTERRUPTS();
	for (int c = 0; c < k; c++)
	{
		mean[c] = mixture->mean[(size_t) c * mixture->d + j];
		variance[c] = mixture->variance[(size_t) c * mixture->d + j];
	}
	/* columns are independent within a component */
	dpem_atom_shares(&run->atom[j], law, k, mixture->weight, mean, variance, variance, own, dpem_workspace_take(&work, k));
	scale = dpem_atom_rest_scale(run->margins, j, &number, work);
	for (int c = 0; c < k; c++)
		share[(size_t) c * mixture->d + j] = own[c];
	pfree(memory);
	return scale;
}

void
dpem_mixture_find_atoms(const DpemFitRun *fit, const MixtureRun *run, DpemModel *model)
{
	const DpemFeatureMap *map = &fit->pass.map;
	size_t		d = (size_t) run->rows.d;
	double	   *share = dpem_fit_allocate(run->mixture.k * d);
	double	   *lower = dpem_fit_allocate(d);
	double	   *upper = dpem_fit_allocate(d);
	double	   *scale = dpem_fit_allocate(d);

	for (size_t j = 0; j < d; j++)
		scale[j] = 1;
	for (int j = 0; run->atom != NULL && j < run->rows.numbers; j++)
	{
		DpemAtomLaw law = dpem_atom_law(run->atom[j].lower, run->atom[j].upper, map->lower[j], map->upper[j]);

		lower[j] = law.lower;
		upper[j] = law.upper;
		if (run->rows.law[j] == DPEM_LAW_NORMAL)
			scale[j] = share_number(run, j, &law, map->lower[j], map->upper[j], share);
	}
	model->value[DPEM_MIXTURE_ATOM] = share;
	model->value[DPEM_MIXTURE_ATOM_LOWER] = lower;
	model->value[DPEM_MIXTURE_ATOM_UPPER] = upper;
	model->value[DPEM_MIXTURE_REST_SCALE] = scale;
}
