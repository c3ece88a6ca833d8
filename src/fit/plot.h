/*
 * plot.h - pictures of released models.
 *
 * Pictures are made only from what the views show to the calling role, so they
 * cost nothing.
 */
#ifndef DPEM_FIT_PLOT_H
#define DPEM_FIT_PLOT_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "core/svg/svg_mixture.h"
#include "core/svg/svg_table.h"

typedef struct DpemPlot
{
	char	   *model;			/* in the server's encoding */
	DpemCaption caption;
	int			d;				/* columns of the model */
	int			columns;		/* columns of the picture: 1 or 2 */
	char	   *column[2];		/* in the server's encoding; both the same if there is one */
	const char *axis[2];		/* UTF-8 */
	DpemColumnScale scale[2];	/* of the columns: pictures are drawn in their coordinates */
	double		lower[2];		/* domains, on the scales */
	double		upper[2];
	DpemSvg		svg;
	StringInfoData text;		/* UTF-8 */
} DpemPlot;

/* pictures drawn from queries with $1, the model (api/plot_lists.c) */
typedef enum DpemPictureKind
{
	DPEM_PICTURE_LOADINGS,		/* column_name, v: one number for each column and head */
	DPEM_PICTURE_COEFFICIENTS,	/* column_name, across, across_stddev, mean, stddev */
	DPEM_PICTURE_TOPICS,		/* term, topic, the topic's weight, the term's weight; topic by topic */
	DPEM_PICTURE_BATCHES,		/* column_name, across, across_noise_stddev: coefficient by coefficient, batch by batch */
	DPEM_PICTURES
} DpemPictureKind;

typedef struct DpemPicture
{
	const char *sql;			/* rows in drawing order; NULL: the family has no such picture */
	const char *note;			/* a note in words; for coefficients, a query for it */
	const char *head;			/* of a column of the picture */
} DpemPicture;

#define DPEM_PICTURE_HEADS "12"	/* at most */
#define DPEM_PICTURE_LISTS "24"
#define DPEM_PICTURE_TERMS "8"

/*
 * The lines with the largest |v|, in the order of the model's columns.  values:
 * a query for column_name, position, head, v.
 */
#define DPEM_LARGEST_LINES(values) \
	"SELECT column_name, v FROM (SELECT q.*, dense_rank() OVER (ORDER BY m DESC, position) AS line" \
	" FROM (SELECT p.*, max(abs(v)) OVER (PARTITION BY position) AS m FROM (" values ") p) q) r" \
	" WHERE line <= " CppAsString2(DPEM_SVG_LINES) " ORDER BY position, head"

/*
 * Coefficients batch by batch from a view of trajectories: those of the largest, or, where $2 is not empty, of that column; `name` is a
 * coordinate's in dpem.model_columns.
 */
#define DPEM_BATCH_LINES(view, name) \
	"SELECT name, across, noise FROM (SELECT q.*, dense_rank() OVER (ORDER BY most DESC, name) AS line FROM (" \
	" SELECT n.name, c.position, t.batch, t.coefficient * w AS across, t.noise_stddev * w AS noise," \
	"  max(abs(t.coefficient) * w) OVER (PARTITION BY n.name) AS most FROM " view " t CROSS JOIN LATERAL (SELECT " name " AS name) n" \
	" LEFT JOIN dpem.model_columns c ON c.model = t.model AND c.column_name = n.name CROSS JOIN" \
	" LATERAL (SELECT coalesce(dpem.to_scale(c.scale, c.upper) - dpem.to_scale(c.scale, c.lower), 1) AS w) s" \
	" WHERE t.model = $1 AND CASE WHEN $2 = '' THEN n.name <> '(intercept)' ELSE n.name = $2 OR starts_with(n.name, $2 || '=') END) q) r" \
	" WHERE line <= " DPEM_PICTURE_LISTS " ORDER BY position, name, batch"

/*
 * Components and directions from a query for the fields of DpemSvgComponent,
 * DpemSvgDirection; $1: the model, $2 and $3: the columns.
 */
extern DpemSvgComponent *dpem_plot_components(const DpemPlot *plot, const char *sql, int *n);
extern DpemSvgDirection *dpem_plot_directions(const DpemPlot *plot, const char *sql, int *n);

/* a mixture of such components; drawn as ellipses in the plane, or as a density along one column */
extern DpemSvgMixture dpem_plot_mixture(const DpemPlot *plot, const char *sql);
extern void dpem_plot_draw_mixture(const DpemPlot *plot, const DpemSvgMixture *mixture);

/* starts the picture's text; returns it, in the server's encoding */
extern void dpem_plot_start(DpemPlot *plot);
extern text *dpem_plot_finish(const DpemPlot *plot);

/* a text in the server's encoding, converted to UTF-8 */
extern const char *dpem_plot_utf8(const char *name);

/* rows of a query: a name (UTF-8) if asked for, then numbers */
typedef struct DpemPlotRows
{
	int			n;
	const char **name;			/* n; NULL: no names were asked for */
	double	   *number;			/* n * fields; NaN for NULL */
} DpemPlotRows;

/* runs the query as the caller, with texts as $1, $2, ...; every field but the name is a float8 */
extern DpemPlotRows dpem_plot_rows(const char *sql, int nargs, const char *const *args, bool named,
								   int fields);

/*
 * "A mixture fitted to patients with epsilon 1 and delta 1e-06" in UTF-8, for a
 * model that the caller may read; title as in DpemFamily.
 */
extern const char *dpem_plot_subtitle(const char *title, const char *model);

#endif /* DPEM_FIT_PLOT_H */
