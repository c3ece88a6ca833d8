/*
 * linalg.c - see linalg.h.  LAPACK is called column-major: for symmetric
 * matrices that is the same matrix, and its eigenvector columns are our rows.
 */
#if defined(__has_include)
#if !__has_include(<cblas.h>) || !__has_include(<lapacke.h>)
#error "install libopenblas-dev and liblapacke-dev, or whatever has cblas.h and lapacke.h here"
#endif
#endif
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "linalg.h"

size_t
dpem_linalg_eigen_work(int n)
{
	return 34 * (size_t) n;		/* dsyev: (block size + 2) n */
}

DpemStatus
dpem_linalg_eigen(int n, double *a, double *value, double *work)
{
	lapack_int	info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, value, work,
										  (lapack_int) dpem_linalg_eigen_work(n));

	return info == 0 ? DPEM_OK : DPEM_LAPACK_FAILED;
}

/* dsyevr: room for its blocked reduction, 12 n integers, and the support of the vectors */
size_t
dpem_linalg_spectrum_work(int n)
{
	return 66 * (size_t) n + 12 * (size_t) n * sizeof(lapack_int) / sizeof(double) + 8;
}

/* eigenvalues from the k-th largest up, ascending, as LAPACK gives them */
static DpemStatus
top_ascending(char job, int n, int k, double *a, double *value, double *vectors, double *work)
{
	lapack_int *integers = (lapack_int *) (work + 66 * (size_t) n);
	lapack_int	found = 0;
	lapack_int	info = LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, job, k == n ? 'A' : 'I', 'L', n, a, n, 0, 0,
										   n - k + 1, n, 0, &found, value, vectors, n, integers + 10 * (size_t) n,
										   work, 66 * n, integers, 10 * n);

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
	double		none;
	DpemStatus	status = top_ascending('N', n, n, a, value, &none, work);

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
	DpemStatus	status = top_ascending('V', n, k, a, value, vectors, work);

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

DpemStatus
dpem_linalg_inverse_cholesky(int n, const double *a, double *packed, double *log_det,
							 double *scratch)
{
	double		sum = 0;

	memcpy(scratch, a, (size_t) n * n * sizeof(double));
	/* row-major lower is column-major upper: a = U'U with U = L' */
	if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, scratch, n) != 0)
		return DPEM_NOT_POSITIVE_DEFINITE;
	for (int i = 0; i < n; i++)
		sum += log(scratch[i * (size_t) n + i]);
	if (LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'U', 'N', n, scratch, n) != 0)
		return DPEM_NOT_POSITIVE_DEFINITE;
	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++)
			*packed++ = scratch[i * (size_t) n + j];
	*log_det = 2 * sum;
	return DPEM_OK;
}

DpemStatus
dpem_linalg_cholesky(int n, const double *a, double *out)
{
	memcpy(out, a, (size_t) n * n * sizeof(double));
	if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, out, n) != 0)
		return DPEM_NOT_POSITIVE_DEFINITE;
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++)
			out[i * (size_t) n + j] = 0;
	return DPEM_OK;
}

DpemStatus
dpem_linalg_inverse(int n, double *a, double *log_det)
{
	*log_det = 0;
	if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, a, n) != 0)
		return DPEM_NOT_POSITIVE_DEFINITE;
	for (int i = 0; i < n; i++)
		*log_det += 2 * log(a[i * (size_t) n + i]);
	if (LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'U', n, a, n) != 0)
		return DPEM_NOT_POSITIVE_DEFINITE;
	/* column-major upper is row-major lower */
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			a[j * (size_t) n + i] = a[i * (size_t) n + j];
	return DPEM_OK;
}

/* row-major a is column-major a': solve the transposed system */
DpemStatus
dpem_linalg_solve(int n, double *a, double *x, double *pivots)
{
	lapack_int *pivot = (lapack_int *) pivots;

	if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, pivot) != 0 ||
		LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, a, n, pivot, x, n) != 0)
		return DPEM_LAPACK_FAILED;
	return DPEM_OK;
}

static void
multiply(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int n, const double *a, const double *b,
		 double *out)
{
	cblas_dgemm(CblasRowMajor, ta, tb, n, n, n, 1.0, a, n, b, n, 0.0, out, n);
}

void
dpem_linalg_multiply(int n, const double *a, const double *b, double *out)
{
	multiply(CblasNoTrans, CblasNoTrans, n, a, b, out);
}

void
dpem_linalg_multiply_nt(int n, const double *a, const double *b, double *out)
{
	multiply(CblasNoTrans, CblasTrans, n, a, b, out);
}

void
dpem_linalg_multiply_tn(int n, const double *a, const double *b, double *out)
{
	multiply(CblasTrans, CblasNoTrans, n, a, b, out);
}

void
dpem_linalg_product(int m, int n, int k, const double *a, const double *b, double *out)
{
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0, a, k, b, n, 0.0, out, n);
}

void
dpem_linalg_product_nt(int m, int n, int k, const double *a, int lda, const double *b, int ldb,
					   double *out, int ldo)
{
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1.0, a, lda, b, ldb, 0.0, out, ldo);
}

void
dpem_linalg_gram(int k, int n, const double *a, double *out)
{
	cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, n, k, 1.0, a, n, 0.0, out, n);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			out[j * (size_t) n + i] = out[i * (size_t) n + j];
}

void
dpem_linalg_single_thread(void)
{
	openblas_set_num_threads(1);
}
