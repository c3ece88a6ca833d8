/*
 * plot_models.c - dp_plot, family by family: numbers from the views, drawn by src/core/svg_*.
 */
#include "postgres.h"

#include "storage/shmem.h"

#include "core/svg/svg_clusters.h"
#include "fit/plot.h"

/* fields of a query for components, as they stand in DpemSvgComponent */
#define COMPONENT_FIELDS 9

StaticAssertDecl(sizeof(DpemSvgComponent) == COMPONENT_FIELDS * sizeof(double),
				 "a component is its fields");
StaticAssertDecl(sizeof(DpemSvgDirection) == 2 * sizeof(double), "a direction is its fields");

/* a query of $1 model, $2 and $3 columns */
static DpemPlotRows
rows_of(const DpemPlot *plot, const char *sql, int fields)
{
	const char *args[] = {plot->model, plot->column[0], plot->column[1]};

	return dpem_plot_rows(sql, lengthof(args), args, false, fields);
}

static DpemSvgComponent *
components(const DpemPlot *plot, const char *sql, int *n)
{
	DpemPlotRows rows = rows_of(plot, sql, COMPONENT_FIELDS);

	if (rows.n == 0)
		elog(ERROR, "dpem: a model without parameters");
	*n = rows.n;
	return (DpemSvgComponent *) rows.number;
}

static DpemSvgDirection *
directions(const DpemPlot *plot, const char *sql, int *n)
{
	DpemPlotRows rows = rows_of(plot, sql, 2);

	*n = rows.n;
	return (DpemSvgDirection *) rows.number;
}

static DpemSvgMixture
mixture(const DpemPlot *plot, const char *sql)
{
	DpemSvgMixture m = {.caption = plot->caption, .column = {plot->axis[0], plot->axis[1]}};

	m.component = components(plot, sql, &m.n);
	return m;
}

static void
draw_mixture(const DpemPlot *plot, const DpemSvgMixture *m)
{
	if (plot->columns == 2)
		dpem_svg_mixture(&plot->svg, m);
	else
		dpem_svg_density(&plot->svg, m,
						 palloc(mul_size(dpem_svg_density_workspace(m->n), sizeof(double))));
}

void
dpem_plot_gmm(DpemPlot *plot)
{
	DpemSvgMixture m =
		mixture(plot,
				"SELECT c.weight, c.noise_stddev, x.mean, y.mean, x.noise_stddev, y.noise_stddev,"
				" xx.covariance, xy.covariance, yy.covariance"
				" FROM dpem.gmm_components c"
				" JOIN dpem.gmm_means x USING (model, component)"
				" JOIN dpem.gmm_means y USING (model, component)"
				" JOIN dpem.gmm_covariances xx USING (model, component)"
				" JOIN dpem.gmm_covariances xy USING (model, component)"
				" JOIN dpem.gmm_covariances yy USING (model, component)"
				" WHERE model = $1 AND x.column_name = $2 AND y.column_name = $3"
				" AND xx.column_name = $2 AND xx.other_column = $2"
				" AND xy.column_name = $2 AND xy.other_column = $3"
				" AND yy.column_name = $3 AND yy.other_column = $3 ORDER BY component");

	draw_mixture(plot, &m);
}

void
dpem_plot_kmeans(DpemPlot *plot)
{
	DpemSvgClusters m = {.caption = plot->caption,
						 .column = {plot->axis[0], plot->axis[1]},
						 .columns = plot->columns,
						 .all = plot->d == 2,
						 .lower = {plot->lower[0], plot->lower[1]},
						 .upper = {plot->upper[0], plot->upper[1]}};

	m.component = components(
		plot,
		"SELECT c.weight, c.noise_stddev, x.center, y.center, x.noise_stddev, y.noise_stddev,"
		" 0::float8, 0::float8, 0::float8"
		" FROM dpem.kmeans_clusters c JOIN dpem.kmeans_centers x USING (model, component)"
		" JOIN dpem.kmeans_centers y USING (model, component)"
		" WHERE model = $1 AND x.column_name = $2 AND y.column_name = $3 ORDER BY component",
		&m.n);
	dpem_svg_clusters(&plot->svg, &m,
					  palloc(mul_size(dpem_svg_clusters_workspace(m.n), sizeof(double))));
}

/* the Gaussian that a factor model is: loadings times their transpose, and what is the columns' own */
void
dpem_plot_fa(DpemPlot *plot)
{
	DpemSvgMixture m = mixture(
		plot,
		"SELECT NULL::float8, NULL::float8, x.mean, y.mean, x.mean_noise_stddev, y.mean_noise_stddev,"
		" x.noise_variance + s.xx, s.xy, y.noise_variance + s.yy"
		" FROM dpem.fa_noise x JOIN dpem.fa_noise y USING (model), LATERAL"
		" (SELECT sum(a.loading * a.loading) AS xx, sum(a.loading * b.loading) AS xy,"
		"  sum(b.loading * b.loading) AS yy"
		"  FROM dpem.fa_loadings a JOIN dpem.fa_loadings b USING (model, factor)"
		"  WHERE model = $1 AND a.column_name = $2 AND b.column_name = $3) s"
		" WHERE model = $1 AND x.column_name = $2 AND y.column_name = $3");

	m.direction_name = "factor";
	if (plot->columns == 2)
		m.direction = directions(
			plot,
			"SELECT a.loading, b.loading FROM dpem.fa_loadings a"
			" JOIN dpem.fa_loadings b USING (model, factor)"
			" WHERE model = $1 AND a.column_name = $2 AND b.column_name = $3 ORDER BY factor LIMIT 8",
			&m.directions);
	draw_mixture(plot, &m);
}

void
dpem_plot_pca(DpemPlot *plot)
{
	DpemSvgMixture m;

	if (plot->columns == 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("y must be a second column for principal components, not NULL"),
						errhint("A direction takes two columns to be seen.")));
	m = mixture(
		plot,
		"SELECT NULL::float8, NULL::float8, x.mean, y.mean, x.noise_stddev, y.noise_stddev,"
		" 0::float8, 0::float8, 0::float8 FROM dpem.pca_means x JOIN dpem.pca_means y USING (model)"
		" WHERE model = $1 AND x.column_name = $2 AND y.column_name = $3");
	m.direction_name = "component";
	m.direction = directions(
		plot,
		"SELECT a.loading, b.loading FROM dpem.pca_directions a"
		" JOIN dpem.pca_directions b USING (model, component)"
		" WHERE model = $1 AND a.column_name = $2 AND b.column_name = $3 ORDER BY component LIMIT 8",
		&m.directions);
	draw_mixture(plot, &m);
}
