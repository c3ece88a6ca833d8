/*
 * blas.h - the routines of BLAS and LAPACK that linalg.c is made of, as a
 * table.
 *
 * BLAS and LAPACK are tens of megabytes with many thousands of symbols, and
 * OpenBLAS starts threads when it is loaded.  Most processes that load dpem
 * never solve anything: the worker that commits a charge, above all.  So the
 * table is in a library of its own (src/blas/blas.c), which is loaded at first
 * use (src/server/blas_library.c); programs without a server are linked with it.
 *
 * Matrices of the factorisations are column-major, n x n, their upper triangle
 * read or written; answers are LAPACK's info, 0 if all is well.
 */
#ifndef DPEM_CORE_BLAS_H
#define DPEM_CORE_BLAS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct DpemBlas
{
	size_t		size;			/* of this struct: a table of another version is refused */
	void		(*single_thread) (void);

	/* out (m x n) = op(a) op(b), all row-major, rows lda, ldb, ldo numbers apart */
	void		(*gemm) (bool transpose_a, bool transpose_b, int m, int n, int k, const double *a, int lda,
						 const double *b, int ldb, double *out, int ldo);

	/* lower triangle of out (n x n) = a' a, a (k x n), row-major */
	void		(*syrk) (int k, int n, const double *a, double *out);

	/* x (n x m) := l^-1 x or l'^-1 x for the lower triangular l (n x n), both row-major */
	void		(*trsm) (bool transpose, int n, int m, const double *l, double *x);

	int			(*potrf) (int n, double *a);
	int			(*potri) (int n, double *a);
	int			(*trtri) (int n, double *a);
	int			(*getrf) (int n, double *a, int *pivot);

	/* x := a'^-1 x from what getrf left */
	int			(*getrs) (int n, const double *a, const int *pivot, double *x);

	/* lower triangle read; eigenvectors into a; work: size doubles */
	int			(*syev) (int n, double *a, double *value, double *work, int size);

	/*
	 * The eigenvalues first to last (from 1, ascending) and, if vectors is not
	 * NULL, eigenvectors; lower triangle read and destroyed.  support: 2 n
	 * ints; work, integers: size doubles, integer_size ints.
	 */
	int			(*syevr) (int n, double *a, int first, int last, int *found, double *value, double *vectors,
						  int *support, double *work, int size, int *integers, int integer_size);

	/*
	 * All eigenvalues <= 0, ascending, and their vectors, for which there is room
	 * for n; the rest as of syevr, with 21 n doubles and 10 n ints at least.
	 */
	int			(*negative) (int n, double *a, int *found, double *value, double *vectors, int *support,
							 double *work, int size, int *integers, int integer_size);
} DpemBlas;

/* the table of src/blas/blas.c */
extern const DpemBlas dpem_blas_table;

/*
 * Where linalg.c gets it.  In a server this raises if the library cannot be
 * loaded; dpem_linalg_prepare (linalg.h) has it raised at a better time.
 */
extern const DpemBlas *dpem_blas(void);

#endif							/* DPEM_CORE_BLAS_H */
