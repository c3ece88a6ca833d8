/*
 * svg_mixture.h - pictures of Gaussian components and of directions through a mean.
 */
#ifndef DPEM_CORE_SVG_MIXTURE_H
#define DPEM_CORE_SVG_MIXTURE_H

#include "core/svg/svg_axis.h"
#include "core/svg/svg_labels.h"

/*
 * A component in the coordinates of two columns' scales, or (its first) of one's;
 * NaN where a weight or a noise is not known.
 */
typedef struct DpemSvgComponent
{
	double		weight;
	double		weight_noise;	/* standard deviations of the privacy noise */
	double		mean[2];
	double		mean_noise[2];
	double		covariance[3];	/* xx, xy, yy; zeros: no ellipse */
} DpemSvgComponent;

/* from the first component's mean; drawn to both sides of it */
typedef struct DpemSvgDirection
{
	double		delta[2];
} DpemSvgDirection;

typedef struct DpemSvgMixture
{
	DpemCaption caption;
	const char *column[2];
	DpemColumnScale scale[2];
	int			n;
	const DpemSvgComponent *component;
	int			directions;
	const DpemSvgDirection *direction;
	const char *direction_name; /* what directions are numbered as */
} DpemSvgMixture;

typedef struct DpemEllipse
{
	double		radius[2];		/* the larger one first */
	double		degrees;		/* from the x axis to it, clockwise where y points down */
} DpemEllipse;

/*
 * Points one standard deviation from the mean of a Gaussian whose covariance
 * is xx, xy, yy; what is not positive semidefinite is taken as the nearest
 * that is.
 */
extern DpemEllipse dpem_ellipse(double xx, double xy, double yy);

/* n >= 1: ellipses of one and two standard deviations, means with 95 % of their noise, weights */
extern void dpem_svg_mixture(const DpemSvg *svg, const DpemSvgMixture *mixture);

/*
 * n >= 1, of the first column alone: densities of the components and (weights
 * known) of the whole; work: dpem_svg_density_workspace(n) doubles.
 */
extern size_t dpem_svg_density_workspace(int n);
extern void dpem_svg_density(const DpemSvg *svg, const DpemSvgMixture *mixture, double *work);

/* a sentence about each of the first few components, for the description, in the columns' own units */
extern void dpem_svg_describe(const DpemSvg *svg, const char *const *column, const DpemColumnScale *scale,
							  int columns, int n, const DpemSvgComponent *component);

/*
 * "1" or, for few components of known weight, "1 37 %", beside the point x, y;
 * for more than DPEM_SVG_LABELS components nothing.
 */
extern void dpem_svg_component_label(const DpemSvg *svg, DpemSvgLabels *labels, int i, int n,
									 double weight, double x, double y);

/* 1.96 standard deviations of the noise in a mean, as a cross, which labels to come keep off; nothing where they are not known */
extern void dpem_svg_noise_cross(const DpemSvg *svg, DpemSvgLabels *labels, const DpemFrame *frame, const DpemSvgComponent *c);

/* hover text: weight and mean of a component with their noise, in the columns' own units */
extern void dpem_svg_component_title(const DpemSvg *svg, const char *const *column, const DpemColumnScale *scale,
									 int columns, int i, const DpemSvgComponent *c);

#endif /* DPEM_CORE_SVG_MIXTURE_H */
