/*
 * plot.h - a picture of a released model under way: what is drawn, and the text so far.
 *
 * Pictures are made of what the views show to the role that asks; they cost
 * nothing and know nothing else.
 */
#ifndef DPEM_API_PLOT_H
#define DPEM_API_PLOT_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "core/svg_mixture.h"

typedef struct DpemPlot
{
	char *model; /* as the server writes it */
	DpemCaption caption;
	int d;				 /* columns of the model */
	int columns;		 /* and of the picture: 1 or 2 */
	char *column[2];	 /* as the server writes them; both the same if there is one */
	const char *axis[2]; /* UTF-8 */
	double lower[2];	 /* domains */
	double upper[2];
	DpemSvg svg;
	StringInfoData text; /* UTF-8 */
} DpemPlot;

extern void dpem_plot_gmm(DpemPlot *plot);
extern void dpem_plot_kmeans(DpemPlot *plot);
extern void dpem_plot_fa(DpemPlot *plot);
extern void dpem_plot_pca(DpemPlot *plot);

/* starts the text of a picture; the text in the server's encoding */
extern void dpem_plot_start(DpemPlot *plot);
extern text *dpem_plot_finish(const DpemPlot *plot);

/* a text of the server in UTF-8 */
extern const char *dpem_plot_utf8(const char *name);

/*
 * Rows of a query of $1 model, $2 and $3 columns, asked as the caller, every
 * field a float8 or NULL, which becomes NaN; *rows of them, `fields` to a row.
 */
extern double *dpem_plot_numbers(const DpemPlot *plot, const char *sql, int fields, int *rows);

#endif /* DPEM_API_PLOT_H */
