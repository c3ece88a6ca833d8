/*
 * fit_margins.h - early stages of a fit, from which later passes take center, scales, axes and
 * radius: histograms of all columns (core/kernels/margins.h), looks at the rows, and their second moments.
 */
#ifndef DPEM_FIT_FIT_MARGINS_H
#define DPEM_FIT_FIT_MARGINS_H

#include "core/columns/column_atom.h"
#include "core/columns/column_spread.h"
#include "core/gmm/gmm_estimate.h"
#include "core/gmm/gmm_whiten.h"
#include "fit/fit_stages.h"

/* margins of the first `columns` coordinates, for `share` of the budget */
extern DpemFitStage dpem_fit_margins_stage(const DpemFitPlan *plan, const DpemMarginGrid *grid, double share);

/* the noise of such a stage in a bin of the first level, in parts of so many rows */
extern double dpem_fit_margins_noise(const DpemFitPlan *plan, const DpemMarginGrid *grid, double share, double rows);

/*
 * Releases the stage, which must be the fit's first, before dpem_fit_set_frame.
 * Returns the margins of each of plan->groups, where numbers may be unknown of rows in which the column is known.
 */
extern DpemMargins *dpem_fit_release_margins(DpemFitRun *run, const DpemFitStage *stage, const DpemMarginGrid *grid);

/* the same of all rows that count, as they are seen now, unknown numbers (bind.imputed) at the centers */
extern DpemMargins *dpem_fit_release_margins_of_rows(DpemFitRun *run, const DpemFitStage *stage, const DpemMarginGrid *grid);

/* margins of one number alone, the target, and their stage, for `share` of the budget */
extern DpemMarginGrid dpem_fit_number_grid(const DpemFitPlan *plan);
extern DpemFitStage dpem_fit_number_stage(const DpemFitPlan *plan, double share);

/* releases that stage of coordinate j, of all rows that count; each group's frame is the box again */
extern DpemMargins *dpem_fit_release_number(DpemFitRun *run, const DpemFitStage *stage, int j);

/*
 * Rows of the group are seen as one number from here on, (x_j - center) / deviation of box coordinates, clipped at
 * radius: their coordinate `place`, all others being zero.
 */
extern void dpem_fit_see_number(DpemFitRun *run, int group, int place, int j, double center, double deviation, double radius);

/*
 * Without noise, where bind.imputed is asked for and some number is unknown in a row: rows are about
 * the columns' means from here on, as margins give them, so that unknown numbers are there.  Does nothing
 * otherwise, and with noise.
 */
extern void dpem_fit_center_unknown(DpemFitRun *run);

/* where coordinate j of the map's center is, on the column's scale; without a center the middle of the domain */
extern double dpem_fit_middle(const DpemFeatureMap *map, int j);

/* what 1 of coordinate j of d in the ball is, in halves of its domain */
extern double dpem_fit_unit(const DpemFeatureMap *map, int d, int j);

/* of the fit's first `columns` coordinates, for dpem_column_spread */
extern DpemColumnValues *dpem_fit_column_values(const DpemFitPlan *plan, int columns);

/*
 * The same for a fit of densities, to which a long tail costs less clipped than a column that is seen too wide, in which all its rows
 * drown in noise.
 */
extern DpemColumnValues *dpem_fit_density_values(int columns);

/*
 * Centers and deviations of a density's columns in a group, by margins of such values.  If `clamped`, later passes see numbers of
 * one value in the range of dpem_column_spikes: a pass has one for every group or for none.
 */
extern void dpem_fit_density_spread(DpemFitRun *run, int group, const DpemMargins *margins, bool clamped, double *center,
									double *deviation);

/* room for the laws of margins of that grid, in the current memory context; one group's at a time (dpem_laws_forget) */
extern DpemKeptLaws *dpem_fit_keep_laws(const DpemMarginGrid *grid);

/*
 * What the first `columns` coordinates are clamped to, in a group (core/columns/column_range.h): rows of a tail that noise hides would
 * be clipped as a whole, and slopes learnt from clipped rows be used for whole ones.  NULL: there is nothing to be clamped, which is public.
 */
extern double *dpem_fit_find_range(const DpemFitPlan *plan, int columns, const DpemMargins *margins, const double *center,
								   const double *deviation, DpemWorkspace work);

/*
 * Sets the coordinates of a group's rows in later passes: relative to center, in
 * units of scale (d numbers each; not copied), clipped at radius.
 */
extern void dpem_fit_set_frame(DpemFitRun *run, int group, const double *center, const double *scale, double radius);

/*
 * One release of counts, sums and second moments of the rows as they are seen now, each group's apart.  Of rows of which
 * only some coordinates are known (bind.marginal) it is what core/mixture/observed.h expects of rows about the center
 * with standard deviation `spread` along the axes of the feature map.  inverse: of each group's whitening matrix; NULL:
 * these are diagonal, or there are none.
 */
extern DpemNoisyMoments *dpem_fit_release_total(DpemFitRun *run, int line, const DpemReleaseSpec *spec, DpemSecondMoment second,
												double spread, double *const *inverse);

/* the spread of rows that are anywhere in the box */
#define DPEM_FIT_ANYWHERE	0.57735026918962576

/*
 * Rows of later passes are Fourier features of their leading `waves` coordinates, of frequencies of that
 * width, and their other coordinates; the groups have these radii (NULL: 1).
 */
extern void dpem_fit_use_fourier(DpemFitRun *run, const DpemFitFourier *fourier, int waves, double width, const double *radius);

/* ---- frames (core/gmm/gmm_frame.h): each function also makes them the feature maps of the groups' rows ---- */

/* the whole box, for every group; an array of plan->groups, in the current memory context */
extern DpemGmmFrame *dpem_fit_begin_frames(DpemFitRun *run);

/*
 * Center and scales of all columns from their margins, as dpem_fit_density_spread gives them; later rows are clipped at `radius`.  Returns the margins of
 * each group.
 */
extern DpemMargins *dpem_fit_locate_frames(DpemFitRun *run, const DpemFitStage *margins, const DpemMarginGrid *grid, double radius,
										   DpemGmmFrame *frame);

/*
 * One release of counts, sums and squares at that line of the charge, which narrows the frames.
 * second: DPEM_SECOND_DIAGONAL, or DPEM_SECOND_NORM for one scale for all axes.
 */
extern void dpem_fit_zoom_frames(DpemFitRun *run, int line, const DpemReleaseSpec *spec, DpemSecondMoment second,
								 DpemGmmFrame *frame);

/* the atoms of columns in a group's margins (core/columns/column_atom.h), in the columns' own units */
extern DpemColumnAtom *dpem_fit_column_atoms(const DpemFitRun *run, const DpemMargins *margins);

/*
 * What a model keeps of them, in four fields from stored on: k * d shares of a mixture's components in the columns' own units, 0 for none, d lower and
 * d upper ends, and d factors of the deviations of rows that are at none (core/density/atom_rest.h).  atom: NULL for none.
 */
extern void dpem_fit_store_atoms(const DpemFitRun *run, const DpemMargins *margins, const DpemColumnAtom *atom, const DpemGmm *gmm,
								 const void **stored);

/* axes of unit variance of each group's rows */
typedef struct DpemFitAxes
{
	double	  **inverse;		/* d x d: of the whitening matrix, which the groups' parts have */
	DpemGmmSeen *seen;			/* what was released of the rows in these axes */
	double	   *rows;			/* their number */
} DpemFitAxes;

/* in how many looks rows are whitened, by public facts: of those of which some coordinates are unknown the first alone is an estimate */
extern int	dpem_fit_whiten_looks(const DpemFitPlan *plan, DpemSecondMoment shape);

/*
 * So many releases of second moments of that shape, the first of rows in the frames, each of the others of rows in the axes that those before it have found
 * (core/gmm/gmm_whiten.h), clipped at the frames' radius.  The caller sets the radius of later passes.
 */
extern DpemFitAxes dpem_fit_whiten_frames(DpemFitRun *run, int line, const DpemReleaseSpec *spec, DpemSecondMoment shape,
										  DpemGmmFrame *frame);

#endif							/* DPEM_FIT_FIT_MARGINS_H */
