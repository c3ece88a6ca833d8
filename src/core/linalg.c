/*
 * linalg.c - see linalg.h.  LAPACK is called column-major: for symmetric
 * matrices that is the same matrix, and its eigenvector columns are our rows.
 */
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
dpem_linalg_single_thread(void)
{
	openblas_set_num_threads(1);
}
