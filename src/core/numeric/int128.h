/*
 * int128.h - integers of 128 bits, in which sums over rows and noise are exact.
 */
#ifndef DPEM_CORE_INT128_H
#define DPEM_CORE_INT128_H

/* 8-byte alignment: PostgreSQL's allocator gives no more */
typedef __int128 DpemInt128 __attribute__((aligned(8)));
typedef unsigned __int128 DpemUint128 __attribute__((aligned(8)));

#endif							/* DPEM_CORE_INT128_H */
