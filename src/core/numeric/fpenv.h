/*
 * fpenv.h - the floating-point environment that the kernels are proved in.
 *
 * Round to nearest, subnormals kept (flush-to-zero and denormals-are-zero
 * off), no exception trapped.  A library loaded into the same process may
 * have changed any of these, and a leader and its workers must agree on the
 * bits of every row.  The kernels enter and leave by themselves; callers with
 * floating-point work of their own on private rows bracket it likewise.
 */
#ifndef DPEM_CORE_FPENV_H
#define DPEM_CORE_FPENV_H

#include <fenv.h>
#include <stdint.h>

typedef struct DpemFpenv
{
	uint64_t	control;		/* control register, where we set it ourselves */
	fenv_t		host;			/* elsewhere */
} DpemFpenv;

extern void dpem_fpenv_enter(DpemFpenv *saved);
extern void dpem_fpenv_leave(const DpemFpenv *saved);

#endif							/* DPEM_CORE_FPENV_H */
