/*
 * blas_library.h - BLAS and LAPACK in a server process.
 */
#ifndef DPEM_SERVER_BLAS_LIBRARY_H
#define DPEM_SERVER_BLAS_LIBRARY_H

/*
 * A preloaded dpem loads the library once, in the postmaster, for all
 * processes.  If that fails, the log says so, and using the library is an error.
 */
extern void dpem_blas_library_init(void);

#endif							/* DPEM_SERVER_BLAS_LIBRARY_H */
