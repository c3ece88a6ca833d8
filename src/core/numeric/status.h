/*
 * status.h - return codes of the pure functions of src/core.
 *
 * Nothing in src/core raises, prints or allocates: every function returns one of
 * these and leaves messages to its caller.
 */
#ifndef DPEM_CORE_STATUS_H
#define DPEM_CORE_STATUS_H

typedef enum DpemStatus
{
	DPEM_OK = 0,
	DPEM_BAD_ARGUMENT,			/* outside the function's stated domain */
	DPEM_NO_SOLUTION,			/* well posed, but nothing satisfies it */
	DPEM_NOT_POSITIVE_DEFINITE, /* a factorisation met a non-positive pivot */
	DPEM_LAPACK_FAILED,			/* info != 0 that no valid input explains */
	DPEM_ENTROPY_FAILED			/* the byte source could not deliver */
} DpemStatus;

#endif							/* DPEM_CORE_STATUS_H */
