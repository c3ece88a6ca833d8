/*
 * linalg.c - see linalg.h.  LAPACK is called column-major: for symmetric
 * matrices that is the same matrix, and its eigenvector columns are our rows.
 */
#include <math.h>
#include <string.h>

#include "core/numeric/blas.h"
#include "core/numeric/linalg.h"
#include "core/numeric/workspace.h"

size_t
dpem_linalg_eigen_work(int n)
{
	return 34 * (size_t) n;		/* dsyev: (block size + 2) n */
}

DpemStatus
dpem_linalg_eigen(int n, double *a, double *value, double *work)
{
	return dpem_blas()->syev(n, a, value, work, (int) dpem_linalg_eigen_work(n)) == 0 ? DPEM_OK : DPEM_LAPACK_FAILED;
}

#define REDUCTION 66			/* of dsyevr's blocked reduction: numbers a row */
#define BISECTION 10			/* of its bisection: integers a row */

/* of dsyevr */
typedef struct Spectrum
{
	double	   *reduction;
	int		   *bisection;
	int		   *support;		/* of the vectors: 2 n */
} Spectrum;

static int *
take_integers(DpemWorkspace *work, size_t n)
{
	return (int *) dpem_workspace_take(work, (n * sizeof(int) + sizeof(double) - 1) / sizeof(double));
}

static Spectrum
take_spectrum(int n, DpemWorkspace *work)
{
	return (Spectrum) {
		.reduction = dpem_workspace_take(work, REDUCTION * (size_t) n),
			.bisection = take_integers(work, BISECTION * (size_t) n),.support = take_integers(work, 2 * (size_t) n)
	};
}

size_t
dpem_linalg_spectrum_work(int n)
{
	DpemWorkspace dry = {NULL, NULL};

	take_spectrum(n, &dry);
	return dpem_workspace_taken(&dry);
}

/* eigenvalues from the k-th largest up, ascending, as LAPACK gives them; vectors may be NULL */
static DpemStatus
top_ascending(int n, int k, double *a, double *value, double *vectors, double *work)
{
	DpemWorkspace room = {work, work + dpem_linalg_spectrum_work(n)};
	Spectrum	s = take_spectrum(n, &room);
	int			found = 0;
	int			info = dpem_blas()->syevr(n, a, n - k + 1, n, &found, value, vectors, s.support,
										  s.reduction, REDUCTION * n, s.bisection, BISECTION * n);

	return info == 0 && found == k ? DPEM_OK : DPEM_LAPACK_FAILED;
}

static void
swap(double *a, double *b)
{
	double		c = *a;

	*a = *b;
	*b = c;
}

DpemStatus
dpem_linalg_eigenvalues(int n, double *a, double *value, double *work)
{
	DpemStatus	status = top_ascending(n, n, a, value, NULL, work);

	for (int i = 0; i < n / 2; i++)
		swap(&value[i], &value[n - 1 - i]);
	return status;
}

void
dpem_linalg_make_largest_positive(int n, double *vector)
{
	int			largest = 0;

	for (int j = 1; j < n; j++)
		if (fabs(vector[j]) > fabs(vector[largest]))
			largest = j;
	if (vector[largest] < 0)
		for (int j = 0; j < n; j++)
			vector[j] = -vector[j];
}

DpemStatus
dpem_linalg_eigen_top(int n, int k, double *a, double *value, double *vectors, double *work)
{
	DpemStatus	status = top_ascending(n, k, a, value, vectors, work);

	for (int i = 0; i < k / 2; i++)
	{
		swap(&value[i], &value[k - 1 - i]);
		for (int j = 0; j < n; j++)
			swap(&vectors[i * (size_t) n + j], &vectors[(k - 1 - i) * (size_t) n + j]);
	}
	for (int i = 0; i < k && status == DPEM_OK; i++)
		dpem_linalg_make_largest_positive(n, vectors + i * (size_t) n);
	return status;
}

void
dpem_linalg_rebuild(int n, const double *vectors, const double *value, double *out,
					double *scratch)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			scratch[i * (size_t) n + j] = value[i] * vectors[i * (size_t) n + j];
	dpem_linalg_multiply_tn(n, vectors, scratch, out);
}

size_t
dpem_linalg_drop_negative_work(int n)
{
	return (size_t) n * n + dpem_linalg_spectrum_work(n);
}

/* a -= sum of value_i v_i v_i', value_i <= 0; v_i, the k rows of vectors, are destroyed; sum: n * n */
static void
take_away(int n, int k, const double *value, double *vectors, double *a, double *sum)
{
	if (k == 0)
		return;
	for (int i = 0; i < k; i++)
		for (int j = 0; j < n; j++)
			vectors[i * (size_t) n + j] *= sqrt(fmax(-value[i], 0));
	dpem_blas()->syrk(k, n, vectors, sum);
	for (size_t i = 0; i < (size_t) n; i++)
		for (size_t j = 0; j <= i; j++)
		{
			a[i * n + j] += sum[i * n + j];
			a[j * n + i] = a[i * n + j];
		}
}

/* by all eigenvalues; scratch: n * (n + 1), product: n * n, work: dpem_linalg_spectrum_work(n) */
static DpemStatus
keep_positive(int n, double *a, double *scratch, double *product, double *work)
{
	double	   *value = scratch + (size_t) n * n;

	if (top_ascending(n, n, a, value, scratch, work) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < n; i++)
		value[i] = fmax(value[i], 0);
	dpem_linalg_rebuild(n, scratch, value, a, product);
	return DPEM_OK;
}

/* LAPACK's method for the negative ones alone may give up where many are equal */
DpemStatus
dpem_linalg_drop_negative(int n, double *a, double *scratch, double *work)
{
	DpemWorkspace room = {work, work + dpem_linalg_drop_negative_work(n)};
	double	   *copy = dpem_workspace_take(&room, (size_t) n * n);
	Spectrum	s = take_spectrum(n, &room);
	double	   *vectors = scratch;
	double	   *value = scratch + (size_t) n * n;
	int			found;

	memcpy(copy, a, (size_t) n * n * sizeof(double));
	if (dpem_blas()->negative(n, copy, &found, value, vectors, s.support, s.reduction, REDUCTION * n, s.bisection,
							  BISECTION * n) != 0)
		return keep_positive(n, a, scratch, copy, work + (size_t) n * n);
	take_away(n, found, value, vectors, a, copy);
	return DPEM_OK;
}

DpemStatus
dpem_linalg_inverse_cholesky(int n, const double *a, double *packed, double *log_det,
							 double *scratch)
{
	double		sum = 0;

	memcpy(scratch, a, (size_t) n * n * sizeof(double));
	/* row-major lower is column-major upper: a = U'U with U = L' */
	if (dpem_blas()->potrf(n, scratch) != 0)
		return DPEM_NOT_POSITIVE_DEFINITE;
	for (int i = 0; i < n; i++)
		sum += log(scratch[i * (size_t) n + i]);
	if (dpem_blas()->trtri(n, scratch) != 0)
		return DPEM_NOT_POSITIVE_DEFINITE;
	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++)
			*packed++ = scratch[i * (size_t) n + j];
	*log_det = 2 * sum;
	return DPEM_OK;
}

void
dpem_linalg_unpack(int n, const double *packed, double *a)
{
	for (size_t i = 0; i < (size_t) n; i++)
		for (size_t j = 0; j <= i; j++)
			a[i * n + j] = a[j * n + i] = *packed++;
}

/* row-major lower is column-major upper: a = U'U with U = L' */
DpemStatus
dpem_linalg_factorise(int n, double *a)
{
	return dpem_blas()->potrf(n, a) == 0 ? DPEM_OK : DPEM_NOT_POSITIVE_DEFINITE;
}

void
dpem_linalg_solve_lower(int n, const double *lower, bool transposed, int m, double *x)
{
	dpem_blas()->trsm(transposed, n, m, lower, x);
}

DpemStatus
dpem_linalg_cholesky(int n, const double *a, double *out)
{
	memcpy(out, a, (size_t) n * n * sizeof(double));
	if (dpem_blas()->potrf(n, out) != 0)
		return DPEM_NOT_POSITIVE_DEFINITE;
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++)
			out[i * (size_t) n + j] = 0;
	return DPEM_OK;
}

DpemStatus
dpem_linalg_invert_factored(int n, double *a)
{
	if (dpem_blas()->potri(n, a) != 0)
		return DPEM_NOT_POSITIVE_DEFINITE;
	/* column-major upper is row-major lower */
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			a[j * (size_t) n + i] = a[i * (size_t) n + j];
	return DPEM_OK;
}

DpemStatus
dpem_linalg_inverse(int n, double *a, double *log_det)
{
	*log_det = 0;
	if (dpem_blas()->potrf(n, a) != 0)
		return DPEM_NOT_POSITIVE_DEFINITE;
	for (int i = 0; i < n; i++)
		*log_det += 2 * log(a[i * (size_t) n + i]);
	return dpem_linalg_invert_factored(n, a);
}

/* row-major a is column-major a': solve the transposed system */
DpemStatus
dpem_linalg_solve(int n, double *a, double *x, double *pivots)
{
	int		   *pivot = (int *) pivots;

	if (dpem_blas()->getrf(n, a, pivot) != 0 || dpem_blas()->getrs(n, a, pivot, x) != 0)
		return DPEM_LAPACK_FAILED;
	return DPEM_OK;
}

void
dpem_linalg_multiply(int n, const double *a, const double *b, double *out)
{
	dpem_blas()->gemm(false, false, n, n, n, a, n, b, n, out, n);
}

void
dpem_linalg_multiply_nt(int n, const double *a, const double *b, double *out)
{
	dpem_blas()->gemm(false, true, n, n, n, a, n, b, n, out, n);
}

void
dpem_linalg_multiply_tn(int n, const double *a, const double *b, double *out)
{
	dpem_blas()->gemm(true, false, n, n, n, a, n, b, n, out, n);
}

/* of a triangle, panels of rows up to its edge: little more than half of the work */
#define PANEL 64

void
dpem_linalg_lower_nt(int n, const double *a, const double *b, double *out)
{
	for (int i = 0; i < n; i += PANEL)
	{
		int			end = i + PANEL < n ? i + PANEL : n;

		dpem_blas()->gemm(false, true, end - i, end, n, a + i * (size_t) n, n, b, n, out + i * (size_t) n, n);
	}
}

void
dpem_linalg_product(int m, int n, int k, const double *a, const double *b, double *out)
{
	dpem_blas()->gemm(false, false, m, n, k, a, k, b, n, out, n);
}

double
dpem_linalg_dot(int n, const double *a, const double *b)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

double
dpem_linalg_form(int n, const double *a, const double *x, double *product)
{
	dpem_linalg_product(n, 1, n, a, x, product);
	return dpem_linalg_dot(n, x, product);
}

void
dpem_linalg_product_nt(int m, int n, int k, const double *a, int lda, const double *b, int ldb,
					   double *out, int ldo)
{
	dpem_blas()->gemm(false, true, m, n, k, a, lda, b, ldb, out, ldo);
}

void
dpem_linalg_gram(int k, int n, const double *a, double *out)
{
	dpem_blas()->syrk(k, n, a, out);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			out[j * (size_t) n + i] = out[i * (size_t) n + j];
}

void
dpem_linalg_prepare(void)
{
	(void) dpem_blas();
}
