/*
 * svg_clusters.h - pictures of cluster centers.
 */
#ifndef DPEM_CORE_SVG_CLUSTERS_H
#define DPEM_CORE_SVG_CLUSTERS_H

#include <stdbool.h>

#include "core/svg/svg_mixture.h"

typedef struct DpemSvgClusters
{
	DpemCaption caption;
	const char *column[2];
	DpemColumnScale scale[2];	/* centers and domains are in its coordinates */
	int			columns;		/* drawn: 1 or 2 */
	bool		all;			/* the model has no other columns: regions are drawn */
	double		lower[2];		/* domains, in units of which distances are taken */
	double		upper[2];
	int			n;
	const DpemSvgComponent *component; /* without covariance */
} DpemSvgClusters;

/*
 * n >= 1: discs whose area is the cluster's weight, with 95 % of the noise of
 * the centers, and the regions of points that are nearest to each; of one
 * column, stems.  work: dpem_svg_clusters_workspace(n) doubles.
 */
extern size_t dpem_svg_clusters_workspace(int n);
extern void dpem_svg_clusters(const DpemSvg *svg, const DpemSvgClusters *clusters, double *work);

#endif /* DPEM_CORE_SVG_CLUSTERS_H */
