/*
 * gam_ready.h - for gam_ready.c and gam_use.c: a loaded additive model, and where a point is in it.
 */
#ifndef DPEM_FAMILY_GAM_READY_H
#define DPEM_FAMILY_GAM_READY_H

#include "families/gam/gam.h"

/* a column's rows of cells, within those of a score */
typedef struct DpemReadyColumn
{
	int			coordinate;
	int			row;			/* of its first cell */
	int			bins;
	double	   *edge;			/* of a number: between bins, bins - 1 coordinates from which on a point is in the next */
	bool		unknown;		/* a cell more, for rows without a value */
	bool		label;
} DpemReadyColumn;

/* a pair's rows: a grid of parts, those of the second column fastest */
typedef struct DpemReadyPair
{
	int			row;
	int			column[2];
	int			parts[2];
	int		   *bin[2];			/* of each part: its first, of several categories DPEM_GAM_OTHERS, of rows without a value 0 */
} DpemReadyPair;

typedef struct DpemReadyGam
{
	const DpemModel *model;
	int			scores;
	int			rows;			/* of each score */
	int			columns;
	DpemReadyColumn *column;
	int			pairs;
	DpemReadyPair *pair;
	bool		number;			/* the target is one */
	DpemScaledDomain domain;	/* of a number */
	double	   *probability;	/* classes */
	const double *contribution;
	const double *error;
	char	  **class;
	char	   *negative;
	char	   *target;
} DpemReadyGam;

/* the row of the cell that x is in, within a score; -1: there is none, and x says nothing */
extern int	dpem_gam_column_row(const DpemReadyGam *ready, const DpemReadyColumn *column, const double *x);
extern int	dpem_gam_pair_row(const DpemReadyGam *ready, const DpemReadyPair *pair, const double *x);

/* which part of side 0 or 1 of a pair bin number `bin` is in, 0 for no value; -1: none */
extern int	dpem_gam_part_of(const DpemReadyGam *ready, const DpemReadyPair *pair, int side, int bin);

#endif							/* DPEM_FAMILY_GAM_READY_H */
