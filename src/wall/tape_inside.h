/*
 * tape_inside.h - the inside of a tape; included by tape*.c only.
 */
#ifndef DPEM_WALL_TAPE_INSIDE_H
#define DPEM_WALL_TAPE_INSIDE_H

#include "nodes/pg_list.h"

#include "wall/tape.h"

/* one release (or all the separate ones of a pass) */
typedef struct TapedRelease
{
	size_t		length;
	DpemInt128 *raw;
	DpemNoisyMoments released;	/* unless it is a choice or of keys */
	double	   *likeliest;		/* of each number, of keys' too, that got noise: probability of the likeliest noise, at most; else 0 */
	double	   *luck;			/* that of noise as in all recordings met so far: 1 before any is, 0 once the number differed */
	size_t		chosen;
	DpemFoundKeys *found;		/* for keys: all of them, and those that were released */
	DpemReleasedKeys passed;
} TapedRelease;

struct DpemTape
{
	MemoryContext context;
	bool		recording;
	List	   *releases;		/* of TapedRelease */
	List	   *kept;			/* of double * */
	int			taken;			/* of them */
	int			nmeasured;
	DpemMeasured measured[DPEM_TAPE_STATISTICS];
	DpemReplay	replay;
};

/* the running tape; raises if there is none */
extern DpemTape *dpem_tape_running(void);

/* the next release: a new one when recording; else the recorded one, or NULL if its length differs */
extern TapedRelease *dpem_tape_next(DpemTape *tape, const DpemInt128 *raw, size_t length);

/* so many numbers of a release that is recorded have been met by no recording, and have no noise as yet */
extern void dpem_tape_expect(DpemTape *tape, TapedRelease *release, size_t n);

/* one of them gets such noise */
extern void dpem_tape_expect_noise(TapedRelease *release, size_t i, DpemNoiseKind kind, DpemUint128 scale);

/* notes how far the numbers of a release moved: sum of |x| / scale (Laplace), or of x^2 / variance */
extern void dpem_tape_note(DpemTape *tape, const DpemDeclared *declared, DpemNoiseKind kind, double sum);

#endif							/* DPEM_WALL_TAPE_INSIDE_H */
