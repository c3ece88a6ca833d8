/*
 * tape_inside.h - the inside of a tape; included by tape.c and tape_keys.c only.
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
	DpemNoisyMoments released;	/* not of a choice or of keys */
	bool	   *noisy;			/* which numbers got noise */
	size_t		chosen;
	DpemFoundKeys *found;		/* of keys: all, and those that were released */
	DpemReleasedKeys passed;
} TapedRelease;

struct DpemTape
{
	MemoryContext context;
	bool		recording;
	List	   *releases;		/* of TapedRelease */
	int			nmeasured;
	DpemMeasured measured[DPEM_TAPE_STATISTICS];
	DpemReplay	replay;
};

/* raises unless a tape runs */
extern DpemTape *dpem_tape_running(void);

/* the next release: a new one to be recorded, or the one recorded, NULL if there is none of that length */
extern TapedRelease *dpem_tape_next(DpemTape *tape, const DpemInt128 *raw, size_t length);

/* what a release's numbers moved: the sum of |x| over scales (Laplace), or of squares over variances */
extern void dpem_tape_note(DpemTape *tape, const DpemDeclared *declared, DpemNoiseKind kind, double sum);

#endif							/* DPEM_WALL_TAPE_INSIDE_H */
