/*
 * pca.c - see pca.h.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/factors/pca.h"
#include "core/numeric/linalg.h"
#include "core/numeric/public_random.h"
#include "core/numeric/spectrum.h"
#include "core/numeric/vector.h"

#define DEPENDENT	1e-10		/* what is left of a row that the others span, relative */

typedef struct Analysis
{
	double	   *packed;			/* d * (d + 1) / 2 */
	double	   *value;			/* d: eigenvalues */
	double	   *clean;			/* d: the same without what noise adds */
	double	   *of_lapack;
} Analysis;

static Analysis
take_analysis(int d, DpemWorkspace *work)
{
	return (Analysis) {
		.packed = dpem_workspace_take(work, (size_t) d * (d + 1) / 2),.value = dpem_workspace_take(work, d),
			.clean = dpem_workspace_take(work, d),.of_lapack = dpem_workspace_take(work, dpem_linalg_spectrum_work(d))
	};
}

size_t
dpem_pca_analyze_work(int d)
{
	DpemWorkspace dry = {NULL, NULL};

	take_analysis(d, &dry);
	return dpem_workspace_taken(&dry);
}

/* the lower triangle of a symmetric matrix, packed by rows */
static void
pack(int d, const double *a, double *packed)
{
	for (int i = 0; i < d; i++)
		for (int j = 0; j <= i; j++)
			*packed++ = a[i * (size_t) d + j];
}

/*
 * Cleaned eigenvalues, largest first, add up to the released total, which noise is in once, while of d numbers that are
 * 0 it makes half positive and the first of them largest.  Those that stand out stay; of the others the nearest
 * that are not negative and add up to what is left: all less by the same, or 0 (Duchi et al. 2008, ICML, Figure 1).
 */
static void
keep_to_total(int d, double sd, double *value)
{
	double		left = dpem_sum(value, d);
	double		sum = 0;
	double		less = INFINITY;
	int			first = 0;

	while (first < d && value[first] > dpem_pca_largest_of_noise(d) * sd)
		left -= value[first++];
	left = fmax(left, 0);
	for (int i = first; i < d; i++)
	{
		sum += value[i];
		if (value[i] - (sum - left) / (i - first + 1) > 0)
			less = (sum - left) / (i - first + 1);
	}
	for (int i = first; i < d; i++)
		value[i] = fmax(value[i] - less, 0);
}

DpemStatus
dpem_pca_analyze(double *covariance, double sd, DpemPca *pca, DpemWorkspace work)
{
	int			d = pca->d;
	Analysis	a = take_analysis(d, &work);

	pack(d, covariance, a.packed);
	if (dpem_linalg_eigenvalues(d, covariance, a.value, a.of_lapack))
		return DPEM_LAPACK_FAILED;
	dpem_spectrum_clean(d, sd, a.value, a.clean);
	if (sd > 0)
		keep_to_total(d, sd, a.clean);
	for (int i = 0; i < pca->k; i++)
	{
		pca->variance[i] = fmin(fmax(a.clean[i], 0), 1);
		pca->variance_sd[i] = sd;
		pca->alignment[i] = dpem_spectrum_alignment(d, sd, a.value, i);
	}
	dpem_linalg_unpack(d, a.packed, covariance);
	return dpem_linalg_eigen_top(d, pca->k, covariance, a.value, pca->direction, a.of_lapack);
}

void
dpem_pca_shares(const DpemPca *pca, double total, double total_sd, double *share)
{
	double		sum = 0;
	double		whole;

	for (int i = 0; i < pca->k; i++)
		sum += pca->variance[i];
	whole = fmax(fmax(total, 0) + total_sd, sum);
	for (int i = 0; i < pca->k; i++)
		share[i] = whole > 0 ? pca->variance[i] / whole : 0;
}

/* removes the first k rows' directions from the next one; what is left of its length */
static double
reject(int k, int d, double *rows)
{
	double	   *row = rows + (size_t) k * d;

	for (int i = 0; i < k; i++)
	{
		double		along = dpem_dot(row, rows + (size_t) i * d, d);

		for (int j = 0; j < d; j++)
			row[j] -= along * rows[(size_t) i * d + j];
	}
	return sqrt(dpem_dot(row, row, d));
}

/* unit length twice over, so that what the first round leaves to rounding is removed by the second */
static bool
orthonormal_row(int k, int d, double *rows)
{
	double	   *row = rows + (size_t) k * d;

	for (int round = 0; round < 2; round++)
	{
		double		before = sqrt(dpem_dot(row, row, d));
		double		left = reject(k, d, rows);

		if (!(left > DEPENDENT * before))
			return false;
		for (int j = 0; j < d; j++)
			row[j] /= left;
	}
	return true;
}

void
dpem_pca_orthonormalize(int k, int d, double *rows)
{
	for (int i = 0; i < k; i++)
		for (int axis = 0; !orthonormal_row(i, d, rows) && axis < d; axis++)
		{
			memset(rows + (size_t) i * d, 0, d * sizeof(double));
			rows[(size_t) i * d + axis] = 1;
		}
}

/* a number in (0, 1) for every n */
static double
scatter(uint64_t n)
{
	return ((double) (dpem_public_word_at(n) >> 11) + 0.5) * 0x1p-53;
}

/* normal deviates (Box, Muller 1958) have no preferred direction */
void
dpem_pca_start(int k, int d, double *direction)
{
	for (size_t i = 0; i < (size_t) k * d; i++)
		direction[i] = sqrt(-2 * log(scatter(2 * i))) * cos(2 * M_PI * scatter(2 * i + 1));
	dpem_pca_orthonormalize(k, d, direction);
}

typedef struct Power
{
	double	   *gram;			/* k * k */
	double	   *turn;			/* k * k */
	double	   *value;			/* k */
	double	   *of_lapack;
} Power;

static Power
take_power(int k, DpemWorkspace *work)
{
	return (Power) {
		.gram = dpem_workspace_take(work, (size_t) k * k),.turn = dpem_workspace_take(work, (size_t) k * k),
			.value = dpem_workspace_take(work, k),.of_lapack = dpem_workspace_take(work, dpem_linalg_spectrum_work(k))
	};
}

size_t
dpem_pca_power_work(int d, int k)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) d;
	take_power(k, &dry);
	return dpem_workspace_taken(&dry);
}

/*
 * product = U S V' has the covariance's top axes in V and its variances near
 * S; noise adds d sd^2 to every squared singular value.
 */
DpemStatus
dpem_pca_power(double *product, double sd, DpemPca *pca, DpemWorkspace work)
{
	int			d = pca->d;
	int			k = pca->k;
	Power		p = take_power(k, &work);

	dpem_linalg_product_nt(k, k, d, product, d, product, d, p.gram, k);
	if (dpem_linalg_eigen_top(k, k, p.gram, p.value, p.turn, p.of_lapack))
		return DPEM_LAPACK_FAILED;
	dpem_linalg_product(k, d, k, p.turn, product, pca->direction);
	dpem_pca_orthonormalize(k, d, pca->direction);
	for (int i = 0; i < k; i++)
	{
		double		signal = fmax(p.value[i] - d * sd * sd, 0);

		pca->variance[i] = fmin(sqrt(signal), 1);
		pca->variance_sd[i] = sd;
		pca->alignment[i] = p.value[i] > 0 ? signal / p.value[i] : 0;
		dpem_linalg_make_largest_positive(d, pca->direction + (size_t) i * d);
	}
	return DPEM_OK;
}
