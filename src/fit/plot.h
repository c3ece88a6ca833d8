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
#include "core/svg/svg_table.h"

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

/* pictures that are queries of $1 model (api/plot_lists.c) */
typedef enum DpemPictureKind
{
	DPEM_PICTURE_LOADINGS,		/* column_name, v: as many numbers for each column as there are heads */
	DPEM_PICTURE_COEFFICIENTS,	/* column_name, across, across_stddev, mean, stddev */
	DPEM_PICTURE_TOPICS,		/* term, topic, weight of the topic, weight of the term; topic by topic */
	DPEM_PICTURES
} DpemPictureKind;

typedef struct DpemPicture
{
	const char *sql;			/* rows in the order of the picture; NULL: the family has no such picture */
	const char *note;			/* words about it; of coefficients a query of them */
	const char *head;			/* of a column of the picture */
} DpemPicture;

#define DPEM_PICTURE_HEADS "12"	/* at most */
#define DPEM_PICTURE_LISTS "24"
#define DPEM_PICTURE_TERMS "8"

/* the lines with the largest values `v`, in the order of the model's columns: of a query of column_name, position, head, v */
#define DPEM_LARGEST_LINES(values) \
	"SELECT column_name, v FROM (SELECT q.*, dense_rank() OVER (ORDER BY m DESC, position) AS line" \
	" FROM (SELECT p.*, max(abs(v)) OVER (PARTITION BY position) AS m FROM (" values ") p) q) r" \
	" WHERE line <= " CppAsString2(DPEM_SVG_LINES) " ORDER BY position, head"

/* components and directions of a query of $1 model, $2 and $3 columns: the fields of DpemSvgComponent, DpemSvgDirection */
extern DpemSvgComponent *dpem_plot_components(const DpemPlot *plot, const char *sql, int *n);
extern DpemSvgDirection *dpem_plot_directions(const DpemPlot *plot, const char *sql, int *n);

/* a mixture of such components; ellipses in the plane, a density along one column */
extern DpemSvgMixture dpem_plot_mixture(const DpemPlot *plot, const char *sql);
extern void dpem_plot_draw_mixture(const DpemPlot *plot, const DpemSvgMixture *mixture);

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
