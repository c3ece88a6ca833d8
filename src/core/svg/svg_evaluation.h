/*
 * svg_evaluation.h - pictures of how good a model is: ROC curve and calibration, or a histogram of residuals.
 */
#ifndef DPEM_CORE_SVG_EVALUATION_H
#define DPEM_CORE_SVG_EVALUATION_H

#include "core/svg/svg_axis.h"

/* a threshold of a classifier, from the lowest; NaN: noise leaves no such rate */
typedef struct DpemSvgRate
{
	double		true_positive;
	double		false_positive;
	double		predicted;		/* probability in the bin above the threshold; NaN: the model has none */
	double		observed;
	double		rows;			/* in that bin, noise included */
	double		noise;			/* its standard deviation */
} DpemSvgRate;

/* left the ROC curve, right observed rates by predicted ones, where rows are more than twice their noise */
extern void dpem_svg_rates(const DpemSvg *svg, const DpemCaption *caption, const DpemSvgRate *rate, int n);

/* a bin of residuals */
typedef struct DpemSvgBin
{
	double		low;
	double		high;
	double		rows;
	double		noise;
} DpemSvgBin;

/* bars with the range of their noise, twice its standard deviation either way */
extern void dpem_svg_bins(const DpemSvg *svg, const DpemCaption *caption, const char *axis, const DpemSvgBin *bin, int n);

#endif							/* DPEM_CORE_SVG_EVALUATION_H */
