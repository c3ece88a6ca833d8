/*
 * synth_model.h - one distribution from noisy tables: a graphical model.
 *
 * Of all distributions that fit the released tables by weighted least squares,
 *     sum over tables |M(p) - y|^2 / (2 sd^2),
 * the one of most entropy is p(x) proportional to exp(sum of theta_t(x_t)), t over
 * the tables (McKenna, Sheldon, Miklau 2019, ICML, "Graphical-model based
 * estimation and inference for differential privacy").  theta is found by mirror
 * descent; marginals by belief propagation in a junction tree, whose cells are
 * bounded beforehand.  Everything read here is public.
 *
 * A fit: dpem_synth_model_init, then for every table dpem_synth_admits,
 * dpem_synth_add, and after each round dpem_synth_fit; then whatever is asked.  All
 * functions that read a model need it fitted (or calibrated: dpem_synth_calibrate
 * after theta was put back), and leave it as it is unless they say otherwise.
 */
#ifndef DPEM_CORE_SYNTH_MODEL_H
#define DPEM_CORE_SYNTH_MODEL_H

#include "core/synth/synth_domain.h"

/* limits decided beforehand, from which memory follows */
typedef struct DpemSynthShape
{
	int			columns;
	int			tables;			/* most measured tables, single columns included; 1 .. DPEM_SYNTH_TABLES */
	double		table_cells;	/* most cells of all measured tables together, at level 1 whatever their level */
	double		tree_cells;		/* most cells of the junction tree */
} DpemSynthShape;

typedef struct DpemSynthMeasured
{
	DpemSynthTable table;		/* level >= 1 */
	size_t		first;			/* cell, among those of all tables one after the other */
	size_t		cells;
	double	   *value;			/* cells: as released, in rows */
	double	   *variance;		/* cells: of the noise in value */
	double	   *theta;			/* cells: the model's potential */
	double		ridge;			/* weight of the entropy that its cells are fitted with, dpem_synth_ridge unless learnt */
	size_t		fine_cells;		/* at level 1 */
	int		   *place;			/* fine_cells, in the model's order of columns: of which cell each is a part */
	int			home;			/* the clique that theta is part of */
} DpemSynthMeasured;

typedef struct DpemSynthClique
{
	DpemSynthSet set;
	int			parent;			/* -1: the root, which is the first.  A parent stands before its children */
	DpemSynthSet separator;		/* set & the parent's set */
	size_t		cells;
	double	   *potential;		/* cells: logarithms */
	double	   *belief;			/* cells: the table, in rows, in the model's order of columns */
	double	   *shared;			/* the separator's table */
} DpemSynthClique;

typedef struct DpemSynthModel
{
	const DpemSynthLevels *levels;
	DpemSynthShape shape;
	int			order[DPEM_SYNTH_COLUMNS];	/* columns by size, the largest last: it is the fastest in cliques */
	double		total;			/* rows: estimated, or put in by dpem_synth_set_total */
	bool		total_known;
	double		log_partition;	/* of exp(sum of theta) */
	int			tables;
	DpemSynthMeasured *table;	/* shape.tables */
	DpemSynthSet near[DPEM_SYNTH_COLUMNS];	/* of each column, it and those that stand in a table with it */
	int			cliques;
	DpemSynthClique clique[DPEM_SYNTH_COLUMNS];
	bool		tree_current;	/* the junction tree contains all tables */
	double		tree_cells;		/* of the present tree */
	void		(*between) (void);	/* NULL, or called before every propagation; it need not return */
	const double *evidence;		/* NULL, or logarithms to be added, of every group of level 1 of every column */
	DpemWorkspace memory;		/* for tables: what is left of it */
	double	   *tree_memory;	/* 3 times shape.tree_cells: potentials, beliefs, separators */
	double	   *vectors;		/* DPEM_SYNTH_VECTORS times shape.table_cells, of dpem_synth_fit */
	DpemWorkspace scratch;		/* 4 times shape.tree_cells and more */
} DpemSynthModel;

/* Doubles for a model of that shape; work has to live as long as the model.  levels is kept, not copied. */
extern size_t dpem_synth_model_work(const DpemSynthShape *shape);
extern DpemStatus dpem_synth_model_init(const DpemSynthShape *shape, const DpemSynthLevels *levels,
										DpemSynthModel *model, DpemWorkspace work);

/* the number of rows is public, or known better than the tables say */
extern void dpem_synth_set_total(DpemSynthModel *model, double total);

/* cells of the junction tree of n tables and of all single columns: shape.tree_cells to load them with; n <= DPEM_SYNTH_TABLES */
#define DPEM_SYNTH_TABLES	1024
extern double dpem_synth_union_cells(const DpemSynthLevels *levels, const DpemSynthTable *table, int n);

/*
 * Cells of the junction tree if tables of these sets were added; elimination by
 * least weight, then least fill.  dpem_synth_admits: at most `limit` cells, and
 * within the shape.
 */
extern double dpem_synth_tree_cells(const DpemSynthModel *model, DpemSynthSet set);
extern bool dpem_synth_admits(const DpemSynthModel *model, DpemSynthTable table, double limit);

/*
 * Adds a released table: value (dpem_synth_table_cells numbers) is copied.  A table
 * that is there already counts twice, as it should.  Level 0 is summed to level 1,
 * with the noise that this has.  theta: NULL, or what was stored of it; then the tree, which may have been larger
 * on the way, is checked by dpem_synth_calibrate.
 * DPEM_BAD_ARGUMENT if it exceeds the shape.
 */
extern DpemStatus dpem_synth_add(DpemSynthModel *model, DpemSynthTable table, const double *value, double sd,
								 const double *theta);

/*
 * The table added last: what the model had said of it, in rows, from which follows how much more there is in it than noise, and
 * the weight of the entropy it is fitted with.  Not for tables whose theta is put back.
 */
extern void dpem_synth_learn_ridge(DpemSynthModel *model, const double *expected);

/*
 * Mirror descent from where the model is, `iterations` steps (or fewer, once they
 * change nothing).  *loss: NULL, or the weighted squares per measured cell.
 * May be called again for more.  DPEM_BAD_ARGUMENT without tables.
 */
extern DpemStatus dpem_synth_fit(DpemSynthModel *model, int iterations, double *loss);

/* The tree and its beliefs from theta and total as they are, with no step.  DPEM_BAD_ARGUMENT if the tree exceeds the shape. */
extern DpemStatus dpem_synth_calibrate(DpemSynthModel *model);

/*
 * The model's table in rows, at any level, out: dpem_synth_table_cells.  Any set:
 * by elimination along the tree if it is in no clique.  DPEM_NO_SOLUTION if that
 * would take more memory than the model has.
 */
extern DpemStatus dpem_synth_table(const DpemSynthModel *model, DpemSynthTable table, double *out);

/*
 * The tables of many sets at level 1, sharing work among them: out[i] points to
 * dpem_synth_table_cells numbers.
 */
extern DpemStatus dpem_synth_tables(const DpemSynthModel *model, int n, const DpemSynthSet *set, double *const *out);

#endif							/* DPEM_CORE_SYNTH_MODEL_H */
