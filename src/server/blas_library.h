/*
 * blas_library.h - BLAS and LAPACK in a server process.
 */
#ifndef DPEM_SERVER_BLAS_LIBRARY_H
#define DPEM_SERVER_BLAS_LIBRARY_H

/*
 * A preloaded dpem loads the library once, in the postmaster, for all
 * processes; what is wrong with it goes to the log, and is an error where it is used.
 */
extern void dpem_blas_library_init(void);

#endif							/* DPEM_SERVER_BLAS_LIBRARY_H */
