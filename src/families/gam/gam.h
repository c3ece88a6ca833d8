/*
 * gam.h - additive models.
 *
 * A pass of margins locates a target that is a number.  One counts rows by cell and class and by pairs of cells; each later pass
 * releases the gradient of the log-likelihood at the coefficients so far (core/gam/gam_estimate.h).
 * Where noise hides a number's model it is the mean, and of classes their shares (gam_mean.c).  Without noise passes go on until they change nothing.
 */
#ifndef DPEM_FAMILY_GAM_H
#define DPEM_FAMILY_GAM_H

#include "core/gam/gam_estimate.h"
#include "fit/family.h"
#include "fit/fit_stages.h"

typedef struct DpemGamRequest
{
	DpemFitRequest fit;			/* bind.target: a number or a label, the last coordinates */
	int			bins;			/* of a number; 0: as many as there is room for, at most 32 */
	double		prior_variance; /* between neighbouring bins, and of a category or a pair's cell; 0: learnt */
	int			pairs;			/* to be chosen; where some are named as many as these */
	List	   *pair;			/* their names, "one:other"; NIL: none are */
} DpemGamRequest;

enum
{
	DPEM_GAM_LOCATION, DPEM_GAM_COUNTS, DPEM_GAM_CHOICE, DPEM_GAM_GRADIENTS, DPEM_GAM_STAGES
};

typedef struct DpemGamPlan
{
	DpemFitPlan fit;
	DpemGamShape shape;			/* without pairs; where a number's bins are, middle and reach: found by the fit */
	DpemGamShape seen;			/* by passes: that shape, or one cell of all rows, where noise would hide a number in more of them */
	const DpemColumn **column;	/* of the shape */
	int			n;				/* cells */
	int		   *offset;			/* of each column's first cell; columns + 1 */
	int			scores;
	int			pairs;
	const DpemGamPair *pair;	/* as named; NULL: the fit chooses */
	DpemGamShape choice;		/* of the release that it chooses by: all pairs */
	int			most;			/* cells with those of pairs, at most */
} DpemGamPlan;

/*
 * Fields of the model's tables.  Rows of cells: for each score the intercept (place 0), then the
 * columns' cells; place: a column's first coordinate, from 1; bin: from 1, of a label the
 * category's place, 0 for rows without a value; bounds in the column's own units.  A pair's rows come after those, each of
 * two parts, of `place` and of `other place`, which is 0 of all other rows: bin is a part's first, -1 of
 * categories together.  Contributions are log-odds, or on the target's scale.
 */
enum
{
	DPEM_GAM_TARGET, DPEM_GAM_SCALE, DPEM_GAM_NEGATIVE, DPEM_GAM_RESIDUAL, DPEM_GAM_TARGET_LOWER, DPEM_GAM_TARGET_UPPER,
	DPEM_GAM_CLASS, DPEM_GAM_PLACE, DPEM_GAM_BIN, DPEM_GAM_LOWER, DPEM_GAM_UPPER, DPEM_GAM_CONTRIBUTION, DPEM_GAM_ERROR, DPEM_GAM_NOISE,
	DPEM_GAM_OTHER_PLACE, DPEM_GAM_OTHER_BIN, DPEM_GAM_OTHER_LOWER, DPEM_GAM_OTHER_UPPER
};

/* SQL: what a row of dpem.gam_shapes, s, says of its cell in the first or second column */
#define DPEM_GAM_CELL_NAME(side) \
	" CASE WHEN s." side "category IS NOT NULL THEN ' = ' || s." side "category WHEN s." side "bin = 0 THEN ' unknown'" \
	" WHEN s." side "bin < 0 THEN ' = others' ELSE ' from ' || to_char(s." side "lower, 'FM9999999999990.0999') END"

#define DPEM_GAM_OTHERS	(-1)	/* bin of categories that are one part of a pair */

/* members of DpemFamily */
extern DpemFitPlan *dpem_gam_plan(const DpemFitRequest *request);
extern void dpem_gam_forecast(const DpemFitPlan *plan, DpemForecast *forecast);
extern void dpem_gam_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_gam_load(DpemModel *model);
extern void dpem_gam_predictor(void *ready, struct DpemPredictor *predictor);
extern int	dpem_gam_predict(void *ready, const double *x);
extern double dpem_gam_value(void *ready, const double *x);
extern const DpemScaledDomain *dpem_gam_domain(void *ready);
extern void dpem_gam_interval(void *ready, const double *x, double reach, double *bounds);
extern const char *dpem_gam_label(void *ready, const double *x);
extern bool dpem_gam_is_number(void *ready);
extern const char *dpem_gam_target(void *ready);
extern const char *dpem_gam_category(void *ready, int class);
extern const double *dpem_gam_posterior(void *ready, const double *x, int *n);

/* the model is the mean of a number, as public facts say; */
extern bool dpem_gam_is_mean(const DpemGamPlan *plan);

/* or may become it, as margins tell: noise in a bin of the number; 0 where something was asked for that a mean does not have */
extern double dpem_gam_hiding_noise(const DpemGamPlan *plan);

/* pairs as `pairs` has them: a number, or names as text '{one:other,...}' or text[]; 0 and NIL for NULL; raises 22023 */
extern void dpem_gam_read_pairs(const DpemArguments *arguments, DpemGamRequest *request);

/* pairs of the plan, whose columns are there; raises 22023 for names and numbers that are none, 54000 */
extern void dpem_gam_plan_pairs(DpemGamPlan *plan);

/* the shape with these of its pairs, whose columns are divided by these counts of their cells; chosen: n places */
extern DpemGamShape dpem_gam_with_pairs(const DpemGamShape *mains, const DpemGamPair *pair, int n, int parts, const double *count);

/* the first cell of each of a shape's terms, and the end */
extern int *dpem_gam_offsets(const DpemGamShape *shape);

/* the model's rows of cells from what was estimated, a result for each score */
extern void dpem_gam_store(const DpemGamPlan *plan, const DpemGamRows *rows, const DpemGamResult *result, DpemModel *model);

/* member of DpemModelUse: the shape of a column, of a pair, or of all; raises 22023 */
extern void dpem_gam_draw(DpemPlot *plot, const char *x, const char *y);

extern const DpemFamily dpem_family_gam;

#endif							/* DPEM_FAMILY_GAM_H */
