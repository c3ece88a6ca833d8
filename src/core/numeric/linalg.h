/*
 * linalg.h - dense symmetric linear algebra, on BLAS and LAPACK (blas.h), one
 * thread a process: PostgreSQL's workers are the parallelism.  Matrices are n x n
 * doubles, row-major; nothing is allocated.
 */
#ifndef DPEM_CORE_LINALG_H
#define DPEM_CORE_LINALG_H

#include <stdbool.h>
#include <stddef.h>

#include "core/numeric/status.h"

/*
 * Eigenvalues (ascending) and eigenvectors of the symmetric matrix a, which
 * is overwritten: row i of a becomes the unit eigenvector of value[i].
 * work: dpem_linalg_eigen_work(n) doubles.
 */
extern size_t dpem_linalg_eigen_work(int n);
extern DpemStatus dpem_linalg_eigen(int n, double *a, double *value, double *work);

/*
 * Eigenvalues of the symmetric matrix a alone, largest first; a is destroyed.
 * work: dpem_linalg_spectrum_work(n) doubles.
 */
extern size_t dpem_linalg_spectrum_work(int n);
extern DpemStatus dpem_linalg_eigenvalues(int n, double *a, double *value, double *work);

/*
 * The k largest eigenvalues, largest first, and row i of vectors (k x n) the
 * unit eigenvector of the i-th, its largest coordinate positive.  a is
 * destroyed; value has room for n numbers.
 */
extern DpemStatus dpem_linalg_eigen_top(int n, int k, double *a, double *value, double *vectors,
										double *work);

/* v or -v, whichever makes its largest coordinate positive */
extern void dpem_linalg_make_largest_positive(int n, double *vector);

/* out = sum_i value[i] v_i v_i', v_i the rows of vectors; scratch: n * n */
extern void dpem_linalg_rebuild(int n, const double *vectors, const double *value,
								double *out, double *scratch);

/* a := symmetric a without its negative eigenvalues; scratch: n * (n + 1), work: dpem_linalg_drop_negative_work(n) doubles */
extern size_t dpem_linalg_drop_negative_work(int n);
extern DpemStatus dpem_linalg_drop_negative(int n, double *a, double *scratch, double *work);

/*
 * Inverse of the lower Cholesky factor of the symmetric matrix a, packed in
 * row order (n(n+1)/2 numbers), and log det a.  scratch: n * n.
 */
extern DpemStatus dpem_linalg_inverse_cholesky(int n, const double *a, double *packed,
											   double *log_det, double *scratch);

/* a (n x n) := the symmetric matrix of that lower triangle, in row order */
extern void dpem_linalg_unpack(int n, const double *packed, double *a);

/* a := its lower Cholesky factor, of a's lower triangle; the rest is left alone */
extern DpemStatus dpem_linalg_factorise(int n, double *a);

/* x (n x m) := lower^-1 x, or lower'^-1 x, for a lower triangular matrix, whose other triangle is not read */
extern void dpem_linalg_solve_lower(int n, const double *lower, bool transposed, int m, double *x);

/* lower Cholesky factor of a, zeros above the diagonal; out differs from a */
extern DpemStatus dpem_linalg_cholesky(int n, const double *a, double *out);

/* the inverse, both triangles, of what dpem_linalg_factorise has made of a */
extern DpemStatus dpem_linalg_invert_factored(int n, double *a);

/* a := a^-1 for a positive definite a, and log det of the a given */
extern DpemStatus dpem_linalg_inverse(int n, double *a, double *log_det);

/* x := a^-1 x; a is overwritten; DPEM_LAPACK_FAILED if singular; pivots: n doubles of scratch */
extern DpemStatus dpem_linalg_solve(int n, double *a, double *x, double *pivots);

/* out = a b, out = a b', out = a' b; out differs from a and b */
extern void dpem_linalg_multiply(int n, const double *a, const double *b, double *out);
extern void dpem_linalg_multiply_nt(int n, const double *a, const double *b, double *out);
extern void dpem_linalg_multiply_tn(int n, const double *a, const double *b, double *out);

/* lower triangle of out = a b'; the rest is undefined; out differs from a and b */
extern void dpem_linalg_lower_nt(int n, const double *a, const double *b, double *out);

/* out (m x n) = a (m x k) b (k x n) */
extern void dpem_linalg_product(int m, int n, int k, const double *a, const double *b, double *out);

/* a'b, summed up from the first number on */
extern double dpem_linalg_dot(int n, const double *a, const double *b);

/* x'a x for a (n x n), and a x in product */
extern double dpem_linalg_form(int n, const double *a, const double *x, double *product);

/* out (m x n) = a (m x k) b' for b (n x k); rows of each stand lda, ldb, ldo numbers apart */
extern void dpem_linalg_product_nt(int m, int n, int k, const double *a, int lda, const double *b,
								   int ldb, double *out, int ldo);

/* out (n x n) = a' a for a (k x n) */
extern void dpem_linalg_gram(int k, int n, const double *a, double *out);

/* loads BLAS and LAPACK, so that a failure to load occurs while planning, before anything is charged */
extern void dpem_linalg_prepare(void);

#endif							/* DPEM_CORE_LINALG_H */
