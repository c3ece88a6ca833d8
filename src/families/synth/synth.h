/*
 * synth.h - request, plan and model fields of marginals and synthetic rows.
 *
 * Where numbers may be in a small part of their domains, looks at them say first where bins are to be (core/synth/synth_place.h).
 * One pass counts all tables that may be asked for; they stay behind the wall
 * (wall/release_tables.h).  All one-way tables are released; then tables are chosen
 * and released, round by round, by how badly the model so far explains them
 * (core/synth/synth_plan.h).  Budget, rounds and what is read are public facts.
 */
#ifndef DPEM_FAMILY_SYNTH_H
#define DPEM_FAMILY_SYNTH_H

#include "core/synth/tables.h"
#include "core/synth/synth_model.h"
#include "core/synth/synth_plan.h"
#include "fit/family.h"
#include "wall/release_tables.h"

typedef struct DpemSynthRequest
{
	DpemFitRequest fit;
	List	   *workload;		/* of char *: names of columns with commas between them; NIL: the default */
	char	   *label;			/* NULL: none */
	int			bins;			/* equal ones; 0: the fit places them */
	int			rounds;			/* 0: chosen by the plan */
} DpemSynthRequest;

/* a column of the model, in the columns' own order of coordinates; labels of a single category are none */
typedef struct DpemSynthColumn
{
	int			first;			/* coordinate of the model */
	int			length;			/* coordinates: categories of a label; 1 of a number */
	int			bins;			/* of a number; 0 of a label */
	int			cells;			/* with that of what is unknown, if that may be */
	double		lower;			/* of a number: outer edges of its bins, in the coordinate of its scale */
	double		upper;
	double		whole;			/* whole numbers in a bin; 0: numbers may have fractions */
	double		last;			/* the last whole number of the domain */
	const double *edge;			/* bins + 1, ascending, the outer ones among them; NULL: bins are equal */
} DpemSynthColumn;

/* looks at numbers: passes that count them in a few bins, and releases of these */
typedef struct DpemSynthLooks
{
	int			columns;		/* 0: there are none */
	int		   *column;			/* of the model */
	DpemSynthColumn *fine;		/* the same columns, of bins that are the parts between which edges may be */
	DpemTableSet set;
	int			bins;			/* of a number, at most */
	int			cells;
	double		share;			/* of the budget */
} DpemSynthLooks;

/* memory of a model beyond its junction tree, for tables of columns that are far apart in it */
#define DPEM_SYNTH_ROOM	4

/* lines of the charge */
enum
{
	DPEM_SYNTH_LOOKS, DPEM_SYNTH_ONE_WAY, DPEM_SYNTH_CHOICE, DPEM_SYNTH_MEASURE, DPEM_SYNTH_LINES
};

typedef struct DpemSynthPlan
{
	DpemFitPlan fit;
	int			label;			/* its column; -1: none */
	int			columns;
	int			bins;			/* of a number by default, as many as there is room for */
	DpemSynthColumn *column;
	DpemSynthLooks looks;
	DpemSynthDomain domain;
	double	   *column_weight;	/* of each column's one-way table in their release */
	DpemTableSet set;			/* one-way tables first, then those of the candidates */
	DpemTable  *table;
	int			cells;			/* of all tables */
	int			candidates;		/* sets of two columns and more */
	DpemSynthSet *candidate;
	int64	   *weight;			/* of each candidate's score */
	int64		most_weight;
	DpemSynthSchedule schedule;
	DpemSynthShape shape;
	DpemTablesSpec spec;
	int			line[DPEM_SYNTH_LINES]; /* -1: none */
} DpemSynthPlan;

/* without noise the model is as sure of all tables alike */
#define DPEM_SYNTH_EXACT_SD 1e-3

/* standard deviations of the noise in a cell of a column's one-way table and of tables that were chosen; without noise nominal ones */
extern double dpem_synth_one_way_sd(const DpemSynthPlan *plan, int column);
extern double dpem_synth_measure_sd(const DpemSynthPlan *plan);

/* tables of a model that are released, at most */
extern int	dpem_synth_most_released(const DpemSynthPlan *plan);

/* the tables that were released, from which the model's fields are made: those in the graph first */
typedef struct DpemSynthReleased
{
	int			n;
	int			in_graph;
	double	   *sums;			/* of every category, on which tables released beside the graph agree; NULL: there are none */
	DpemSynthTable *table;
	double	   *sd;
	DpemFieldArray *value;
} DpemSynthReleased;

/* fields of the model: one row, then one for each released table */
enum
{
	DPEM_SYNTH_LABEL,			/* number of the column, from 1; 0: none */
	DPEM_SYNTH_TOTAL,			/* rows, estimated */
	DPEM_SYNTH_COLUMN,			/* DPEM_SYNTH_COLUMN_NUMBERS of each column */
	DPEM_SYNTH_GROUP,			/* groups of categories at all levels, and shares (DpemSynthLevels) */
	DPEM_SYNTH_ASSOCIATION,		/* columns x columns, mutual information in nats, entropies on the diagonal */
	DPEM_SYNTH_EDGE,			/* edges of all numbers' bins, a column's after another's; empty: all are equal */
	DPEM_SYNTH_TABLE2,
	DPEM_SYNTH_MEMBERS = DPEM_SYNTH_TABLE2, /* numbers of the table's columns, from 1 */
	DPEM_SYNTH_LEVEL,
	DPEM_SYNTH_NOISE,
	DPEM_SYNTH_VALUE,			/* as released */
	DPEM_SYNTH_THETA			/* the model's potential; empty: the graph is without the table */
};

#define DPEM_SYNTH_COLUMN_NUMBERS 8

/* a loaded model: all that is asked of it */
typedef struct DpemReadySynth
{
	const DpemModel *model;
	int			label;
	int			columns;
	DpemSynthColumn *column;
	char	  **name;			/* of each column */
	DpemSynthLevels levels;
	DpemSynthModel graph;
	DpemSynthReleased released;
	const double *association;
	double	   *log_share;		/* of the background (synth_use.h): of all categories; of a model that is loaded with its graph */
	int		   *row;			/* scratch: columns */
	double	   *posterior;		/* scratch: cells of the label */
	struct DpemSynthRows *rows; /* drawn ahead, by synth_use.c */
} DpemReadySynth;

/* members of DpemFamily */
extern DpemFitPlan *dpem_synth_plan(const DpemFitRequest *request);
extern void dpem_synth_forecast(const DpemFitPlan *plan, DpemForecast *forecast);
extern void dpem_synth_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_synth_load(DpemModel *model);
extern int	dpem_synth_predict(void *ready, const double *x);
extern const char *dpem_synth_predict_label(void *ready, const double *x);
extern const double *dpem_synth_label_posterior(void *ready, const double *x, int *n);
extern double dpem_synth_row_density(void *ready, const double *x);
extern const DpemExpectedTables *dpem_synth_expected(void *ready);
extern void dpem_synth_draw(void *ready, DpemSampler *sampler, double *x);

/* columns and tables of a plan, with as many bins by default as there is room for (synth_domain_plan.c); raises 22023 and 54000 */
extern void dpem_synth_plan_domain(DpemSynthPlan *plan, const DpemSynthRequest *request);

/* looks at the columns that were listed for them, or none and equal bins, where these would tell nothing (synth_looks.c) */
extern void dpem_synth_plan_looks(DpemSynthPlan *plan);

/* of a number's domain, between which edges may be: as many as its scale's coordinate has numbers to tell them apart by, and rules want */
extern int	dpem_synth_parts(const DpemColumn *bound);

/* a number on its scale in box coordinates */
extern double dpem_synth_in_box(const DpemColumn *bound, double y);

/* a column's numbers in box coordinates, for a pass; `known`: the coordinate that tells where it is, or 0 */
extern DpemTableColumn dpem_synth_table_column(const DpemColumn *bound, const DpemSynthColumn *column, int known);

/* a number in so many equal bins, or in as many as it has values */
extern void dpem_synth_set_number(const DpemColumn *bound, int bins, DpemSynthColumn *column);

/* ---- bins of a number (synth_bins.c) ---- */

extern bool dpem_synth_is_number(const DpemSynthColumn *column);

/* edge 0 .. bins, in the coordinate of the column's scale */
extern double dpem_synth_edge(const DpemSynthColumn *column, int i);

/* edges of all numbers among n columns */
extern size_t dpem_synth_edges(const DpemSynthColumn *column, int n);

/* the bin of a value; what is beyond an outer edge is in the bin there */
extern int	dpem_synth_bin(const DpemSynthColumn *column, double x);

/* the first and the last whole number of a bin */
extern double dpem_synth_first_whole(const DpemSynthColumn *column, int bin);
extern double dpem_synth_last_whole(const DpemSynthColumn *column, int bin);

/*
 * A value of a bin, from a number in [0, 1).  Values are even in it; where bins grow in one direction they thin out in that
 * direction, as they do from bin to bin.
 */
extern double dpem_synth_value(const DpemSynthColumn *column, int bin, double u);

/*
 * A table at level 0 or 1 as a model with releases beside its graph has it, cells: single columns and pairs of what was released in its
 * categories, others as the graph says (dpem_synth_table).  Its status.  has_better: whether it is not what the graph says.
 */
extern bool dpem_synth_has_better(const DpemSynthReleased *released, DpemSynthSet set);
extern DpemStatus dpem_synth_best_table(const DpemSynthReleased *released, const DpemSynthModel *graph, DpemSynthTable table, double *cells);

/* finds the sums on which such tables agree */
extern void dpem_synth_find_sums(DpemSynthReleased *released, const DpemSynthModel *graph);

/* puts in what such pairs say of each other's columns (columns x columns) */
extern void dpem_synth_best_association(const DpemSynthReleased *released, const DpemSynthModel *graph, double *information);

/* fills a group's model (synth_store.c); the graph is fitted */
extern void dpem_synth_store(const DpemSynthPlan *plan, const DpemSynthColumn *column, DpemSynthReleased *released, const DpemSynthLevels *levels,
							 DpemSynthModel *graph, DpemModel *model);

/* raises 22003 unless ok */
extern void dpem_synth_require(DpemStatus status);

/* the model named by the first argument, as kept_models.h keeps it; with its graph or without; raises 42704, 42809 */
extern DpemReadySynth *dpem_ready_synth(FunctionCallInfo fcinfo, bool graph);

/* the categories of a point of the model's coordinates: row[], -1 where a number that cannot be unknown is not given */
extern void dpem_synth_codes(const DpemReadySynth *ready, const double *x, int *row);

/* a group of categories in words: a category, an interval of a number, unknown */
extern char *dpem_synth_key(const DpemReadySynth *ready, int column, int level, int group);

/* one flag per category, column after column, of the rows that a filter keeps (synth_filter.c); *columns: those it names */
extern bool *dpem_synth_filter(const DpemReadySynth *ready, const char *text, DpemSynthSet *columns);

extern const DpemFamily dpem_family_synth;

#endif							/* DPEM_FAMILY_SYNTH_H */
