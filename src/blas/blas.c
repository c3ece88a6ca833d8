/*
 * blas.c - the table of blas.h: the only file that sees BLAS and LAPACK.
 */
#if defined(__has_include)
#if !__has_include(<cblas.h>) || !__has_include(<lapacke.h>)
#error "install libopenblas-dev and liblapacke-dev, or whatever has cblas.h and lapacke.h here"
#endif
#endif
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "core/numeric/blas.h"

#if defined(__GNUC__)
#define EXPORTED __attribute__((visibility("default")))
#else
#define EXPORTED
#endif

_Static_assert(sizeof(lapack_int) == sizeof(int), "LAPACK with 64-bit integers");

static void
single_thread(void)
{
	openblas_set_num_threads(1);
}

static CBLAS_TRANSPOSE
transposed(bool yes)
{
	return yes ? CblasTrans : CblasNoTrans;
}

static void
gemm(bool transpose_a, bool transpose_b, int m, int n, int k, const double *a, int lda,
	 const double *b, int ldb, double *out, int ldo)
{
	cblas_dgemm(CblasRowMajor, transposed(transpose_a), transposed(transpose_b), m, n, k, 1.0, a, lda, b, ldb,
				0.0, out, ldo);
}

static void
syrk(int k, int n, const double *a, double *out)
{
	cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, n, k, 1.0, a, n, 0.0, out, n);
}

static void
trsm(bool transpose, int n, int m, const double *l, double *x)
{
	cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, transposed(transpose), CblasNonUnit, n, m, 1.0, l, n, x, m);
}

static int
potrf(int n, double *a)
{
	return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, a, n);
}

static int
potri(int n, double *a)
{
	return LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'U', n, a, n);
}

static int
trtri(int n, double *a)
{
	return LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'U', 'N', n, a, n);
}

static int
getrf(int n, double *a, int *pivot)
{
	return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, pivot);
}

static int
getrs(int n, const double *a, const int *pivot, double *x)
{
	return LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, a, n, pivot, x, n);
}

static int
syev(int n, double *a, double *value, double *work, int size)
{
	return LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, value, work, size);
}

static int
syevr(int n, double *a, int first, int last, int *found, double *value, double *vectors, int *support,
	  double *work, int size, int *integers, int integer_size)
{
	double		none;

	return LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, vectors ? 'V' : 'N', first == 1 && last == n ? 'A' : 'I', 'L',
							   n, a, n, 0, 0, first, last, 0, found, value, vectors ? vectors : &none, n, support,
							   work, size, integers, integer_size);
}

/* a number below all eigenvalues of a tridiagonal matrix: twice what Gershgorin's circles reach */
static double
below_all(int n, const double *diagonal, const double *beside)
{
	double		least = 0;

	for (int i = 0; i < n; i++)
		least = fmin(least, diagonal[i] - (i > 0 ? fabs(beside[i - 1]) : 0) - (i < n - 1 ? fabs(beside[i]) : 0));
	return 2 * least;
}

/* dsyevr finds some of the eigenvalues by bisection, and their vectors by inverse iteration, which is slow for many; this does not */
static int
negative(int n, double *a, int *found, double *value, double *vectors, int *support, double *work, int size,
		 int *integers, int integer_size)
{
	double	   *diagonal = work;
	double	   *beside = work + n;
	double	   *reflected = work + 2 * n;
	lapack_logical accurate = 1;
	int			info;
	double		least;

	work += 3 * n;
	size -= 3 * n;
	*found = 0;
	info = LAPACKE_dsytrd_work(LAPACK_COL_MAJOR, 'L', n, a, n, diagonal, beside, reflected, work, size);
	least = below_all(n, diagonal, beside);
	if (info == 0 && least < 0)
		info = LAPACKE_dstemr_work(LAPACK_COL_MAJOR, 'V', 'V', n, diagonal, beside, least, 0, 0, 0, found, value,
								   vectors, n, n, support, &accurate, work, size, integers, integer_size);
	if (info == 0 && *found > 0)
		info = LAPACKE_dormtr_work(LAPACK_COL_MAJOR, 'L', 'L', 'N', n, *found, a, n, reflected, vectors, n, work, size);
	return info;
}

EXPORTED const DpemBlas dpem_blas_table = {
	.size = sizeof(DpemBlas),
	.single_thread = single_thread,
	.gemm = gemm,.syrk = syrk,.trsm = trsm,
	.potrf = potrf,.potri = potri,.trtri = trtri,.getrf = getrf,.getrs = getrs,
	.syev = syev,.syevr = syevr,.negative = negative
};
