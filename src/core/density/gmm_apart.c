/*
 * gmm_apart.c - see gmm_apart.h.
 */
#include <math.h>

#include "core/density/gmm_apart.h"
#include "core/numeric/linalg.h"
#include "core/numeric/log_sum.h"

#define LOG_2PI 1.8378770664093454836

size_t
dpem_gmm_apart_logs(int k, int d)
{
	return (size_t) k * (1 + 3 * (size_t) d) + 2 * (size_t) d;
}

void
dpem_gmm_apart_prepare(DpemGmmApart *a, double *memory)
{
	size_t		k = (size_t) a->gmm->k;
	size_t		d = (size_t) a->gmm->d;
	size_t		n = k * d;
	DpemGmmApartLogs logs = {memory, memory + k, memory + k + n, memory + k + 2 * n, memory + k + 3 * n, memory + k + 3 * n + d, log(a->tail)};

	for (size_t j = 0; j < d; j++)
	{
		double		all = 0;

		for (size_t i = 0; i < k; i++)
			all += a->gmm->weight[i] * a->share[i * d + j];
		logs.all_share[j] = log(all);
		logs.all_others[j] = log1p(-all);
	}
	for (size_t i = 0; i < n; i++)
	{
		logs.weight[i / d] = log(a->gmm->weight[i / d]);
		logs.variance[i] = log(a->gmm->covariance[i * d + i % d]);
		logs.share[i] = log(a->share[i]);
		logs.others[i] = log1p(-a->share[i]);
	}
	a->logs = logs;
}

size_t
dpem_gmm_apart_work(int k, int d)
{
	return (size_t) d * d + 5 * (size_t) d + k;
}

/* log-density of a component's columns that are not apart; rest: their differences from the mean */
static double
log_normal(const DpemGmm *gmm, int k, const double *apart, const double *x, DpemWorkspace work)
{
	size_t		d = (size_t) gmm->d;
	double	   *square = dpem_workspace_take(&work, d * d);
	double	   *rest = dpem_workspace_take(&work, d);
	int			n = 0;
	double		log_density;

	for (size_t i = 0; i < d; i++)
		if (apart[i] == 0)
			rest[n++] = x[i] - gmm->mean[k * d + i];
	for (size_t i = 0, at = 0; i < d; i++)
		for (size_t j = 0; j < d && apart[i] == 0; j++)
			if (apart[j] == 0)
				square[at++] = gmm->covariance[(k * d + i) * d + j];
	if (n == 0)
		return 0;
	/* principal minors of a positive definite matrix are positive definite */
	if (dpem_linalg_factorise(n, square) != DPEM_OK)
		return -INFINITY;
	dpem_linalg_solve_lower(n, square, false, 1, rest);
	log_density = -n * LOG_2PI / 2;
	for (int i = 0; i < n; i++)
		log_density -= log(square[(size_t) i * n + i]) + rest[i] * rest[i] / 2;
	return log_density;
}

/* log of weight and density of a component's columns but those n that are apart; terms: of all columns, by component */
static double
log_others(const DpemGmmApart *a, int k, int n, const double *apart, const double *x, const double *terms, DpemWorkspace work)
{
	if (a->columns_law != NULL)
		return a->logs.weight[k] + a->columns_law(a->law, k, apart, x);
	return n > 0 ? a->logs.weight[k] + log_normal(a->gmm, k, apart, x, work) : terms[k];
}

/*
 * Of the set of columns that `apart` (d) marks, those at atoms by 1 and those in tails by 2; cell: d, log-densities of these;
 * terms: k, of the mixture's components where the set is empty
 */
static double
log_term(const DpemGmmApart *a, int n, const double *apart, const double *cell, const double *x, const double *terms, DpemWorkspace work)
{
	size_t		d = (size_t) a->gmm->d;
	double		sum = -INFINITY;

	for (int k = 0; k < a->gmm->k; k++)
	{
		double		term = log_others(a, k, n, apart, x, terms, work);

		for (size_t j = 0; j < d; j++)
		{
			term += apart[j] == 1 ? a->logs.share[k * d + j] + cell[j] : a->logs.others[k * d + j];
			term += apart[j] == 2 ? cell[j] : 0;
		}
		sum = dpem_log_sum(sum, term);
	}
	return sum;
}

/* log-density of one column in a component, and in the mixture */
static double
log_component_column(const DpemGmmApart *a, int k, size_t j, double x)
{
	size_t		d = (size_t) a->gmm->d;
	double		u = x - a->gmm->mean[k * d + j];

	return -(u * u / a->gmm->covariance[(k * d + j) * d + j] + a->logs.variance[k * d + j] + LOG_2PI) / 2;
}

static double
log_column(const DpemGmmApart *a, size_t j, double x)
{
	double		sum = -INFINITY;

	for (int k = 0; k < a->gmm->k; k++)
		sum = dpem_log_sum(sum, a->logs.weight[k] + log_component_column(a, k, j, x));
	return sum;
}

/* marks columns at their atoms; returns their number */
static int
mark_atoms(const DpemGmmApart *a, const double *x, double *apart, double *cell)
{
	int			d = a->gmm->d;
	int			n = 0;

	for (int j = 0; j < d; j++)
	{
		bool		any = false;

		for (int k = 0; k < a->gmm->k; k++)
			any |= a->share[(size_t) k * d + j] > 0;
		cell[j] = any ? dpem_atom_log_density(&a->atom[j], x[j]) : -INFINITY;
		apart[j] = isfinite(cell[j]);
		n += apart[j];
	}
	return n;
}

/* the same of those in their tails */
static int
mark_tails(const DpemGmmApart *a, const double *x, const double *far, double *apart, double *cell)
{
	int			n = 0;

	for (int j = 0; j < a->gmm->d; j++)
	{
		double		tail = a->logs.tail + far[j];

		if (apart[j] != 0 || tail <= log_column(a, j, x[j]))
			continue;
		apart[j] = 2;
		cell[j] = tail;
		n++;
	}
	return n;
}

double
dpem_gmm_apart_log_density(const DpemGmmApart *a, const double *x, const double *far, DpemWorkspace work)
{
	int			d = a->gmm->d;
	double	   *apart = dpem_workspace_take(&work, d);
	double	   *cell = dpem_workspace_take(&work, d);
	double	   *terms = dpem_workspace_take(&work, a->gmm->k);
	int			atoms = mark_atoms(a, x, apart, cell);
	int			tails;
	double		sum;

	if (atoms == 0 && a->density != NULL)
		(void) dpem_gmm_log_terms(a->gmm, a->density, x, terms, dpem_workspace_take(&work, d));
	sum = log_term(a, atoms, apart, cell, x, terms, work);
	tails = a->tail > 0 ? mark_tails(a, x, far, apart, cell) : 0;
	return tails > 0 ? dpem_log_sum(sum, log_term(a, atoms + tails, apart, cell, x, terms, work)) : sum;
}

/* one column at its atom, with the share of all components' rows, or else in its tail */
static double
log_far_column(const DpemGmmApart *a, size_t j, double x, double far)
{
	if (!isfinite(a->logs.all_share[j]))
		return far;
	return dpem_log_sum(a->logs.all_share[j] + dpem_atom_log_density(&a->atom[j], x), a->logs.all_others[j] + far);
}

/* one column with the mixture's own law of it */
static double
log_own_column(const DpemGmmApart *a, size_t j, double x)
{
	size_t		d = (size_t) a->gmm->d;
	double		sum = -INFINITY;
	double		atom;

	if (!isfinite(a->logs.all_share[j]))
		return log_column(a, j, x);
	atom = dpem_atom_log_density(&a->atom[j], x);
	for (int k = 0; k < a->gmm->k; k++)
	{
		double		normal = a->logs.others[k * d + j] + log_component_column(a, k, j, x);

		sum = dpem_log_sum(sum, a->logs.weight[k] + dpem_log_sum(normal, a->logs.share[k * d + j] + atom));
	}
	return sum;
}

double
dpem_gmm_apart_far(const DpemGmmApart *a, const double *x, const double *far)
{
	double		tails = 0;
	double		own = 0;

	for (int j = 0; j < a->gmm->d; j++)
	{
		tails += log_far_column(a, j, x[j], far[j]);
		own += log_own_column(a, j, x[j]);
	}
	return dpem_log_sum(tails, own) - log(2);
}
