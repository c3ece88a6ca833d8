/*
 * gam_places.h - for gam_counts.c and gam_kernel.c: where the rows of a block are, and what they leave there.
 */
#ifndef DPEM_CORE_GAM_PLACES_H
#define DPEM_CORE_GAM_PLACES_H

#include "core/gam/gam_kernel.h"
#include "core/pass/kernel_clone.h"

/* of a block of codes: where each row is, a term after the other */
typedef struct DpemGamPlaces
{
	int			rows;
	const int16_t *place;		/* among the cells of all terms */
	const int16_t *target;		/* the class of a label, 0 of a number, -1 of null rows */
	const double *value;		/* of a number, in box coordinates */
} DpemGamPlaces;

/* scratch: dpem_gam_places_scratch(layout) numbers; NULL: places are of no use */
extern size_t dpem_gam_places_scratch(const DpemMomentLayout *layout);
extern DpemGamPlaces dpem_gam_places(const DpemGamShape *shape, const DpemBlock *block, double *scratch);

/* of each row in that column or pair */
extern const int16_t *dpem_gam_place_of(const DpemGamPlaces *block, int term);

/*
 * Coefficients as whole numbers of a unit so small that scores, sums of one for each term, are just below 2^30 of it: such sums are
 * exact in any order, and their tables fit into registers.
 */
typedef struct DpemGamWhole
{
	double		unit;
	const int32_t *coefficient; /* dpem_gam_whole_length(shape) of each score, one after the other */
} DpemGamWhole;

extern size_t dpem_gam_whole_length(const DpemGamShape *shape);

/* to: room for those of all scores; returns the unit */
extern double dpem_gam_round_coefficients(const DpemGamShape *shape, const double *coefficient, int32_t *to);

/* score[row], of all rows up to DPEM_BLOCK_PADDED: the sum of the coefficients of a row's cells; 0 of padding */
extern void dpem_gam_score_rows(const DpemGamShape *shape, const DpemGamPlaces *block, const double *coefficient, double *score);

/*
 * What rows add to the sums of their cells, one clone's: x has DPEM_BLOCK_STRIDE numbers for each score, of class 2 or not less
 * its probability, of each of several classes, or of a number; 0 of null rows.  whole: the same coefficients, in place of which they are then, or NULL.
 * class: DPEM_BLOCK_STRIDE numbers of workspace.
 */
extern void dpem_gam_residuals_clone(DpemClone clone, const DpemGamShape *shape, const DpemGamPlaces *places, const double *coefficient, const DpemGamWhole *whole,
									 int bits, double *class, double *x);

/* to [least, most]; what is no number to least */
static inline double
dpem_gam_within(double value, double least, double most)
{
	return value >= most ? most : value > least ? value : least;
}

#endif							/* DPEM_CORE_GAM_PLACES_H */
