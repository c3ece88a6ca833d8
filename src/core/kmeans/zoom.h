/*
 * zoom.h - nested grids: a finer one where the counts of a coarser one find the rows.
 *
 * Reads released counts only: post-processing.
 */
#ifndef DPEM_CORE_ZOOM_H
#define DPEM_CORE_ZOOM_H

#include <stdbool.h>

#include "core/accounting/paper_mechanism.h"
#include "core/kernels/cells.h"
#include "core/kmeans/seeded_kmeans.h"

/* releases of counts that a grid and those within it share */
#define DPEM_ZOOM_LOOKS	3

/* n counts with the middles of their cells, noise of standard deviation sd in each */
typedef struct DpemZoomCounts
{
	int			n;
	double	   *count;			/* n */
	double	   *middle;			/* n * axes */
	double		sd;
} DpemZoomCounts;

/* when a finer grid pays (kmeans_rules.c) */
typedef struct DpemZoomRule
{
	double		chance;			/* that noise alone makes a count in a grid that is taken for rows' */
	double		deviations;		/* of noise, that rows beside such counts exceed together */
	double		least_within;	/* share of all rows that must stand there: of few, as far as so many deviations beside them tell */
	double		rare_chance;	/* the same chance, so that no count is noise's, */
	double		nearly_all;		/* and that share, where counts that may be keep rows from standing in few cells */
	double		narrow;			/* part of the domain, and */
	double		dim;			/* rows in all, in deviations of noise in a count, below which a finer grid is not looked at again, */
	double		few;			/* and below which it is not looked at once */
	double		apart;			/* mean square between the cells of a heap's rows, in variances of a row in a cell: no more of a single one */
} DpemZoomRule;

extern const DpemZoomRule dpem_zoom_rule;

/* whether a point lies in the box of a grid */
extern bool dpem_zoom_holds(const DpemCellGrid *box, const double *x);

/*
 * Whether the rows of k clusters stand in so few cells that the grid cannot tell them
 * apart: all counts that are too large for noise in a block of at most k cells, or
 * two along every axis, and few rows beside it.  If so, box = that block, with the
 * cells around it as far as rows are seen there, its axes with the numbers of cells.
 */
extern bool dpem_zoom_box(const DpemCellGrid *grid, const DpemZoomCounts *counts, DpemNoiseKind noise, int k,
						  DpemCellGrid *box);

/* whether so many rows, in such a part of the domain, in a grid whose counts have noise of deviation sd, are better looked at about centers */
extern bool dpem_zoom_is_dim(double part, double rows, double sd);

/* and whether a grid there need not even be looked at once to know that */
extern bool dpem_zoom_is_dark(double part, double rows, double sd);

/*
 * A grid of about that many cells over a box, its parts about as wide along all axes
 * (fewer where they would be finer than features),
 * and one more part beyond either end of each axis: those are for the rows outside,
 * which a grid counts at its border.
 */
extern DpemCellGrid dpem_zoom_grid(const DpemCellGrid *box, double cells);

/* moves the counts to the front whose middles are in the box (`within`), or outside it; returns their number */
extern int	dpem_zoom_keep(DpemZoomCounts *counts, const DpemCellGrid *box, bool within);

/* the variance of rows within a cell of the grid, along each axis */
extern void dpem_zoom_blur(const DpemCellGrid *grid, double *variance);

#endif							/* DPEM_CORE_ZOOM_H */
