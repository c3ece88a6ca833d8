/*
 * bayes.h - naive Bayes classifiers: within a class, columns are independent.
 *
 * One release counts the rows of every class, and of every class and cell of every
 * column (core/bayes/class_cells.h); probabilities follow from it.  A release before it counts rows in the parts of numbers,
 * whatever their class, and says which of these are one by class (core/bayes/cell_join.h).  One after it, of rows by what these
 * probabilities say of two classes (core/bayes/class_pairs.h), says how far columns repeat each other.
 */
#ifndef DPEM_FAMILY_BAYES_H
#define DPEM_FAMILY_BAYES_H

#include "core/bayes/bayes_estimate.h"
#include "core/bayes/class_cells.h"
#include "fit/family.h"
#include "fit/fit_stages.h"

/* stages */
enum
{
	DPEM_BAYES_BINS, DPEM_BAYES_COUNTS, DPEM_BAYES_PAIRS, DPEM_BAYES_STAGES
};

typedef struct DpemBayesPlan
{
	DpemFitPlan fit;
	DpemClassCells cells;
	DpemMomentLayout layout;	/* of one group */
	DpemClassCells bins;		/* of the numbers, rows of all classes; no columns: nothing is joined */
	bool		powered;		/* a power of the evidence is estimated: with noise and of several columns */
} DpemBayesPlan;

/*
 * Fields of the model's tables.  Of each class: its category, its share of the rows and the noise in it,
 * and the probability of each cell in its rows with the noise in a share of them.  Of
 * all classes: the label, the power of the columns' evidence, and each cell's coordinate, from 1, and bounds in the column's own unit,
 * 0 for a category.
 */
enum
{
	DPEM_BAYES_CATEGORY, DPEM_BAYES_WEIGHT, DPEM_BAYES_WEIGHT_NOISE, DPEM_BAYES_PROBABILITY, DPEM_BAYES_NOISE,
	DPEM_BAYES_TABLE2,
	DPEM_BAYES_LABEL = DPEM_BAYES_TABLE2, DPEM_BAYES_POWER, DPEM_BAYES_COORDINATE, DPEM_BAYES_LOWER, DPEM_BAYES_UPPER
};

/* a plan of counts by class alone, of which no parts are joined */
extern DpemBayesPlan *dpem_bayes_plan_counts(const DpemFitRequest *request);

/* a pass and its release of one of the stages, and each group's numbers of rows in it */
extern DpemNoisyMoments *dpem_bayes_count(DpemFitRun *run, const DpemBayesPlan *plan, int stage, const DpemClassCells *cells);
extern DpemBayesCounts dpem_bayes_counts(const DpemBayesPlan *plan, const DpemClassCells *cells, const DpemNoisyMoments *released);

/* members of DpemFamily */
extern DpemFitPlan *dpem_bayes_plan(const DpemFitRequest *request);
extern void dpem_bayes_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_bayes_load(DpemModel *model);
extern void dpem_bayes_predictor(void *ready, struct DpemPredictor *predictor);
extern int	dpem_bayes_predict(void *ready, const double *x);
extern const char *dpem_bayes_label(void *ready, const double *x);
extern const char *dpem_bayes_target(void *ready);
extern const char *dpem_bayes_category(void *ready, int class);
extern const double *dpem_bayes_probabilities(void *ready, const double *x, int *n);

extern const DpemFamily dpem_family_bayes;

#endif							/* DPEM_FAMILY_BAYES_H */
