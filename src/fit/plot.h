/*
 * plot.h - a picture of a released model under way: what is drawn, and the text so far.
 *
 * Pictures are made of what the views show to the role that asks; they cost
 * nothing and know nothing else.
 */
#ifndef DPEM_FIT_PLOT_H
#define DPEM_FIT_PLOT_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "core/svg/svg_mixture.h"

typedef struct DpemPlot
{
	char	   *model;			/* as the server writes it */
	DpemCaption caption;
	int			d;				/* columns of the model */
	int			columns;		/* and of the picture: 1 or 2 */
	char	   *column[2];		/* as the server writes them; both the same if there is one */
	const char *axis[2];		/* UTF-8 */
	double		lower[2];		/* domains */
	double		upper[2];
	DpemSvg		svg;
	StringInfoData text;		/* UTF-8 */
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

/* rows of a query: a name first, where it was asked for one, in UTF-8, then numbers */
typedef struct DpemPlotRows
{
	int			n;
	const char **name;			/* n; NULL: no names were asked for */
	double	   *number;			/* n * fields; NaN for NULL */
} DpemPlotRows;

/* asks as the caller, with texts as $1, $2, ...; every field but a name is a float8 */
extern DpemPlotRows dpem_plot_rows(const char *sql, int nargs, const char *const *args, bool named,
								   int fields);

/*
 * "A mixture fitted to patients with epsilon 1 and delta 1e-06", of a model
 * that the caller may read, in UTF-8; title as in DpemFamily.
 */
extern const char *dpem_plot_subtitle(const char *title, const char *model);

#endif /* DPEM_FIT_PLOT_H */
