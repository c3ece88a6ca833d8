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
	bool	   *noisy;			/* which numbers got noise */
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

/* notes how far the numbers of a release moved: sum of |x| / scale (Laplace), or of x^2 / variance */
extern void dpem_tape_note(DpemTape *tape, const DpemDeclared *declared, DpemNoiseKind kind, double sum);

#endif							/* DPEM_WALL_TAPE_INSIDE_H */
