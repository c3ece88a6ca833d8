/*
 * fpenv.c - set and restore the floating-point environment.
 *
 * These are functions of a file of their own, never inlined: a compiler may
 * move arithmetic across an inlined write to the control register, but not
 * across a call that it cannot see through.
 */
#include "core/numeric/fpenv.h"

#if defined(__x86_64__) || defined(__SSE2_MATH__)

#include <xmmintrin.h>

/* MXCSR: Intel SDM volume 1, section 10.2.3 */
#define MXCSR_ALL_MASKED	0x1f80u /* six exception masks */
#define MXCSR_CLEARED		(0x8000u	/* flush to zero */ \
							 | 0x6000u	/* rounding control: 0 is to nearest */ \
							 | 0x0040u)	/* denormals are zero */

void
dpem_fpenv_enter(DpemFpenv *saved)
{
	unsigned int control = _mm_getcsr();

	saved->control = control;
	_mm_setcsr((control & ~MXCSR_CLEARED) | MXCSR_ALL_MASKED);
}

/* Also restores the sticky exception flags: callers see none of ours. */
void
dpem_fpenv_leave(const DpemFpenv *saved)
{
	_mm_setcsr((unsigned int) saved->control);
}

#elif defined(__aarch64__)

/* FPCR: Arm Architecture Reference Manual, section C5.2.7 */
#define FPCR_CLEARED	((uint64_t) ((1u << 24)		/* FZ */ \
									 | (3u << 22)	/* RMode: 0 is to nearest */ \
									 | (1u << 19)	/* FZ16 */ \
									 | 0x9f00u		/* trap enables */ \
									 | 3u))			/* FIZ, AH */

void
dpem_fpenv_enter(DpemFpenv *saved)
{
	uint64_t	control;

	__asm__ volatile ("mrs %0, fpcr":"=r" (control)::"memory");
	saved->control = control;
	__asm__ volatile ("msr fpcr, %0"::"r" (control & ~FPCR_CLEARED):"memory");
}

void
dpem_fpenv_leave(const DpemFpenv *saved)
{
	__asm__ volatile ("msr fpcr, %0"::"r" (saved->control):"memory");
}

#else

/* The C standard has no word for flush-to-zero: off is every libc's default. */
void
dpem_fpenv_enter(DpemFpenv *saved)
{
	(void) feholdexcept(&saved->host);
	(void) fesetround(FE_TONEAREST);
}

void
dpem_fpenv_leave(const DpemFpenv *saved)
{
	(void) fesetenv(&saved->host);
}

#endif
