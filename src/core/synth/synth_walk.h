/*
 * synth_walk.h - loops over the cells of tables that share columns.  Private to core/synth.
 *
 * A walk visits every cell over a set of columns, in the order of a layout, and
 * knows where up to three operands have that cell; an operand without a column
 * does not move along it.  Columns along which all operands move as one are
 * joined, and the fastest of what is left is a run, so that the inner loop is long.
 */
#ifndef DPEM_CORE_SYNTH_WALK_H
#define DPEM_CORE_SYNTH_WALK_H

#include "core/synth/synth_domain.h"

#define DPEM_SYNTH_OPERANDS 3

/* columns from the slowest to the fastest; order NULL: increasing */
typedef struct DpemSynthLayout
{
	int			columns;
	const int  *size;
	const int  *order;
} DpemSynthLayout;

/* cells that an operand moves by along each column, 0 where it has none */
typedef struct DpemSynthStride
{
	size_t		by[DPEM_SYNTH_COLUMNS];
} DpemSynthStride;

extern DpemSynthStride dpem_synth_stride(DpemSynthLayout layout, DpemSynthSet set);

typedef struct DpemSynthWalk
{
	int			dims;
	size_t		n[DPEM_SYNTH_COLUMNS];
	size_t		index[DPEM_SYNTH_COLUMNS];
	size_t		by[DPEM_SYNTH_OPERANDS][DPEM_SYNTH_COLUMNS];
	size_t		run;			/* cells of a run, */
	size_t		step[DPEM_SYNTH_OPERANDS];	/* along which the operands move by this */
	size_t		at[DPEM_SYNTH_OPERANDS];	/* first cell of the present run */
} DpemSynthWalk;

/* over `set`; operands that are NULL are not looked at */
extern void dpem_synth_walk(DpemSynthLayout layout, DpemSynthSet set, const DpemSynthStride *a,
							const DpemSynthStride *b, const DpemSynthStride *c, DpemSynthWalk *walk);

/* the next run; false after the last */
extern bool dpem_synth_walk_next(DpemSynthWalk *walk);

/*
 * With a the table of set `large` and b that of `small`, a part of it, both in one
 * layout: b = sums of a; a += b; a *= b, cell by cell of a.
 */
extern void dpem_synth_sum(DpemSynthLayout layout, DpemSynthSet large, DpemSynthSet small, const double *a, double *b);
extern void dpem_synth_add_to(DpemSynthLayout layout, DpemSynthSet large, DpemSynthSet small, double *a, const double *b);
extern void dpem_synth_multiply(DpemSynthLayout layout, DpemSynthSet large, DpemSynthSet small, double *a, const double *b);

/* to = from, from one layout to another */
extern void dpem_synth_permute(DpemSynthLayout to_layout, DpemSynthLayout from_layout, DpemSynthSet set, double *to,
							   const double *from);

/* out[i] = exp(x[i] - shift), relative error below 1e-15; 0 below -700; returns the sum.  Arguments at most 700. */
extern double dpem_synth_exp(size_t n, const double *x, double shift, double *out);

extern double dpem_synth_max(size_t n, const double *x);

#endif							/* DPEM_CORE_SYNTH_WALK_H */
