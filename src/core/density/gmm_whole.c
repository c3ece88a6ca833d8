/*
 * gmm_whole.c - see gmm_whole.h.
 */
#include <string.h>

#include "core/density/gmm_atoms.h"
#include "core/density/gmm_whole.h"

#define ATOM_NUMBERS (sizeof(DpemAtomLaw) / sizeof(double))

static DpemGmmWhole
take(int k, int d, DpemWorkspace *memory)
{
	size_t		n = (size_t) d;
	size_t		kn = (size_t) k * n;
	DpemGmmWhole w = {.lower = dpem_workspace_take(memory, n)};

	w.upper = dpem_workspace_take(memory, n);
	w.share = dpem_workspace_take(memory, kn);
	w.gmm = (DpemGmm) {
		k, d, DPEM_SECOND_FULL, dpem_workspace_take(memory, k), dpem_workspace_take(memory, kn), dpem_workspace_take(memory, kn * n)
	};
	w.rest = (DpemGmm) {
		k, d, DPEM_SECOND_FULL, w.gmm.weight, dpem_workspace_take(memory, kn), dpem_workspace_take(memory, kn * n)
	};
	w.rest_density = (DpemGmmDensity) {
		k, d, dpem_workspace_take(memory, k), dpem_workspace_take(memory, kn * (n + 1) / 2), dpem_workspace_take(memory, kn * n)
	};
	w.background = (DpemGmmBackground) {
		d, dpem_workspace_take(memory, n), dpem_workspace_take(memory, n), dpem_workspace_take(memory, n)
	};
	w.atom = (DpemAtomLaw *) dpem_workspace_take(memory, ATOM_NUMBERS * n);
	return w;
}

size_t
dpem_gmm_whole_length(int k, int d)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) take(k, d, &dry);
	return dpem_workspace_taken(&dry);
}

void
dpem_gmm_whole_place(int k, int d, double *memory, DpemGmmWhole *whole)
{
	*whole = take(k, d, &(DpemWorkspace) {memory, memory + dpem_gmm_whole_length(k, d)});
}

DpemGmmApart
dpem_gmm_whole_apart(const DpemGmmWhole *whole, double *logs)
{
	DpemGmmApart apart = {
		.gmm = &whole->rest,.density = &whole->rest_density,.share = whole->share,.atom = whole->atom,
		.tail = dpem_gmm_background_tail(whole->gmm.d)
	};

	dpem_gmm_apart_prepare(&apart, logs);
	return apart;
}

size_t
dpem_gmm_whole_prepare_work(int k, int d)
{
	return dpem_gmm_atom_shares_work(k, d);
}

DpemStatus
dpem_gmm_whole_prepare(const double *atom_lower, const double *atom_upper, const double *scale, DpemGmmWhole *w, DpemWorkspace work)
{
	int			d = w->gmm.d;
	DpemStatus	status;

	dpem_gmm_background_init(&w->gmm, w->lower, w->upper, &w->background);
	dpem_atom_laws(d, atom_lower, atom_upper, w->lower, w->upper, w->atom);
	memcpy(w->rest.mean, w->gmm.mean, (size_t) w->gmm.k * d * sizeof(double));
	memcpy(w->rest.covariance, w->gmm.covariance, (size_t) w->gmm.k * d * d * sizeof(double));
	status = dpem_gmm_without_atoms(w->share, w->atom, scale, w->lower, w->upper, &w->rest, NULL, work);
	return status == DPEM_OK ? dpem_gmm_density_prepare(&w->rest, &w->rest_density, work.next) : status;
}

size_t
dpem_gmm_whole_work(int k, int d)
{
	return dpem_gmm_apart_work(k, d) + d;
}

double
dpem_gmm_whole_log_density(const DpemGmmWhole *whole, const DpemGmmApart *apart, const double *x, DpemWorkspace work)
{
	double	   *far = dpem_workspace_take(&work, whole->gmm.d);

	return dpem_gmm_background_apart(&whole->background, apart, x, far, work);
}
