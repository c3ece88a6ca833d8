/*
 * gmm_atoms.c - see gmm_atoms.h.
 */
#include <math.h>
#include <string.h>

#include "core/density/gmm_atoms.h"
#include "core/numeric/linalg.h"

#define KEPT_PARTS 10			/* steps in which correlations of the rest are tried */

size_t
dpem_gmm_atom_shares_work(int k, int d)
{
	return (size_t) k * d + (size_t) d * d + 4 * (size_t) k;
}

/* variance of each column given the others, of every component */
static DpemStatus
given_others(const DpemGmm *gmm, double *given, double *square)
{
	size_t		d = (size_t) gmm->d;

	for (int k = 0; k < gmm->k; k++)
	{
		double		log_det;
		DpemStatus	status;

		memcpy(square, gmm->covariance + k * d * d, d * d * sizeof(double));
		status = dpem_linalg_inverse(gmm->d, square, &log_det);
		if (status != DPEM_OK)
			return status;
		for (size_t j = 0; j < d; j++)
			given[j * gmm->k + k] = 1 / square[j * d + j];
	}
	return DPEM_OK;
}

static void
share_column(const DpemGmm *gmm, int j, const DpemColumnAtom *atom, const DpemAtomLaw *law, const double *given, double *share,
			 DpemWorkspace work)
{
	size_t		d = (size_t) gmm->d;
	double	   *mean = dpem_workspace_take(&work, gmm->k);
	double	   *variance = dpem_workspace_take(&work, gmm->k);
	double	   *own = dpem_workspace_take(&work, gmm->k);

	for (int k = 0; k < gmm->k; k++)
	{
		mean[k] = gmm->mean[k * d + j];
		variance[k] = gmm->covariance[(k * d + j) * d + j];
	}
	dpem_atom_shares(atom, law, gmm->k, gmm->weight, mean, variance, given, own, dpem_workspace_take(&work, gmm->k));
	for (int k = 0; k < gmm->k; k++)
		share[k * d + j] = own[k];
}

DpemStatus
dpem_gmm_atom_shares(const DpemGmm *gmm, const DpemColumnAtom *atom, const double *lower, const double *upper, double *share,
					 DpemWorkspace work)
{
	size_t		d = (size_t) gmm->d;
	double	   *given = dpem_workspace_take(&work, gmm->k * d);
	DpemStatus	status = given_others(gmm, given, dpem_workspace_take(&work, d * d));

	memset(share, 0, gmm->k * d * sizeof(double));
	for (int j = 0; j < gmm->d && status == DPEM_OK; j++)
	{
		DpemAtomLaw law = dpem_atom_law(atom[j].lower, atom[j].upper, lower[j], upper[j]);

		if (atom[j].share > 0)
			share_column(gmm, j, &atom[j], &law, given + (size_t) j * gmm->k, share, work);
	}
	return status;
}

/*
 * A column of a component in rows that are not at its atom, beside all rows: the other columns explain the part `told` of its
 * variance, in proportion to where the column is, at the atom as elsewhere (they are as in a joint normal law, given the column).
 */
typedef struct Rest
{
	double		told;
	double		narrower;		/* deviation over that of all rows */
	double		moved;			/* square of what is between the means, in variances of all rows */
} Rest;

/* twice the mean negative log-density of the column in these rows, given the others, up to a constant: by the law of all rows, */
static double
loss_of_all(const Rest *r)
{
	return log(1 - r->told) + (1 - r->told) * (r->narrower * r->narrower + r->moved) + r->told;
}

/* and by one of its own, in which the part `kept` of its correlations remains */
static double
loss_of_own(const Rest *r, double kept)
{
	double		left = 1 - kept * kept * r->told;
	double		off = r->told * r->narrower;
	double		square = 1 - 2 * kept * off + kept * kept * (off * off + r->told * (1 - r->told) + r->told * r->told * r->moved);

	return log(r->narrower * r->narrower * left) + square / left;
}

/* part of the correlations that remains; -1: the law of all rows is as good */
static double
choose_kept(const Rest *r)
{
	double		least = loss_of_all(r);
	double		kept = -1;

	for (int part = 0; part <= KEPT_PARTS; part++)
	{
		double		loss = loss_of_own(r, (double) part / KEPT_PARTS);

		if (loss < least)
		{
			least = loss;
			kept = (double) part / KEPT_PARTS;
		}
	}
	return kept;
}

/* column j of component k, of mean and variance of the rest; given: its variance where the others are known; returns the factor */
static double
take_rest(DpemGmm *gmm, size_t k, size_t j, double mean, double variance, double given)
{
	size_t		d = (size_t) gmm->d;
	double	   *covariance = gmm->covariance + k * d * d;
	double		all = covariance[j * d + j];
	double		moved = mean - gmm->mean[k * d + j];
	Rest		rest = {fmax(1 - given / all, 0), sqrt(variance / all), moved * moved / all};
	double		kept = choose_kept(&rest);

	if (kept < 0)
		return 1;
	gmm->mean[k * d + j] = mean;
	for (size_t other = 0; other < d; other++)
	{
		covariance[j * d + other] *= rest.narrower * kept;
		covariance[other * d + j] = covariance[j * d + other];
	}
	covariance[j * d + j] = variance;
	return rest.narrower * kept;
}

DpemStatus
dpem_gmm_without_atoms(const double *share, const DpemAtomLaw *atom, const double *scale, const double *lower, const double *upper, DpemGmm *gmm,
					   double *factor, DpemWorkspace work)
{
	size_t		d = (size_t) gmm->d;
	double	   *given = dpem_workspace_take(&work, gmm->k * d);
	DpemStatus	status = given_others(gmm, given, dpem_workspace_take(&work, d * d));

	for (size_t i = 0; i < gmm->k * d && status == DPEM_OK; i++)
	{
		size_t		k = i / d;
		size_t		j = i % d;
		double		mean = gmm->mean[i];
		double		variance = gmm->covariance[(k * d + j) * d + j];
		double		own = 1;

		dpem_atom_rest(&atom[j], share[i], &mean, &variance);
		if (share[i] > 0)
			own = take_rest(gmm, k, j, fmin(fmax(mean, lower[j]), upper[j]), variance * scale[j] * scale[j], given[j * gmm->k + k]);
		if (factor != NULL)
			factor[i] = own;
	}
	return status;
}
