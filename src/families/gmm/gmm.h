/*
 * gmm.h - request, plan and model fields of a mixture fit.
 *
 * The request holds the arguments of dp_gmm_fit, checked for form.  The plan
 * is made from the request and public facts alone: it reads no rows, spends
 * nothing, and determines everything the fit will do.
 */
#ifndef DPEM_FAMILY_GMM_H
#define DPEM_FAMILY_GMM_H

#include "core/accounting/paper_mechanism.h"
#include "core/density/gmm_whole.h"
#include "core/gmm/gmm_estimate.h"
#include "core/gmm/gmm_rules.h"
#include "fit/family.h"
#include "fit/fit_margins.h"

/* the caller's priors; NaN: the default */
typedef struct DpemGmmPrior
{
	double		dirichlet;
	double		kappa0;
	double		nu0;
	double		scale0;
	double		floor;
} DpemGmmPrior;

typedef struct DpemGmmRequest
{
	DpemFitRequest fit;
	int			k;
	DpemSecondMoment shape;
	bool		tied;			/* one full covariance for all components */
	bool		map;
	char	   *mechanism;
	bool		whiten;
	double	   *init_means;		/* n_init numbers in the columns' units, or NULL */
	int			n_init;
	double		init_variance;	/* 0: the default */
	const DpemPaperMechanism *paper;	/* NULL: the joint mechanism */
	DpemGmmPrior prior;
	double		step_delta;		/* of a Gaussian release of a paper's mechanism; 0: the default */
} DpemGmmRequest;

typedef enum DpemGmmStage
{
	DPEM_STAGE_CENTER,			/* sums and squared norms: center and radius */
	DPEM_STAGE_WHITEN,			/* second moment of re-centered rows */
	DPEM_STAGE_MIXTURE,			/* the EM passes */
	DPEM_STAGE_COMPARE,			/* of what they have found with one component */
	DPEM_STAGES
} DpemGmmStage;

/* the releases of a paper's mechanism in each iteration */
typedef struct DpemGmmPaperPlan
{
	DpemSeparateSpec spec;
	double		noise_multiplier[DPEM_PAPER_STATISTICS];	/* 0: without noise */
	double		step_epsilon;	/* of every release */
	double		step_delta;		/* of a Gaussian one */
} DpemGmmPaperPlan;

typedef struct DpemGmmPlan
{
	DpemFitPlan fit;
	const DpemGmmRequest *request;
	int			line[DPEM_STAGES];	/* of the charge; -1: stage not run */
	double		noise_multiplier[DPEM_STAGES];
	DpemReleaseSpec spec[DPEM_STAGES];
	DpemGmmMethod method;		/* of the mixture stage */
	int			first_passes;	/* EM passes before those in components' own frames */
	bool		cells_first;	/* whether EM passes without noise start from a mixture found in cells */
	bool		probes;			/* whether the first of the passes asks cells if there are components at all: if not, the others measure the total */
	bool		blurred;		/* whether cells' counts have so much noise that stages before them get more */
	bool		compares;		/* whether there is a stage that compares */
	bool		margins;		/* whether the center stage is one release of margins */
	DpemMarginGrid grid;
	DpemFitStage margins_stage;
	DpemGmmPaperPlan paper;		/* instead of stages, if the request asks for it */
} DpemGmmPlan;

/* of cells, whose counts are all that is released */
extern DpemReleaseSpec dpem_gmm_counts_spec(const DpemGmmPlan *plan);

/* shares of the stages */
extern const DpemGmmSchedule *dpem_gmm_schedule(const DpemGmmPlan *plan);

/* number of components in a release of that stage */
extern int	dpem_gmm_stage_components(const DpemGmmPlan *plan, DpemGmmStage stage);

/* predicted noise of a mixture pass at a noise multiplier, for the rules of core/gmm/gmm_rules.h */
extern DpemGmmPrediction dpem_gmm_expected_noise(const DpemGmmPlan *plan, double noise_multiplier);

/* whether components found in cells, by the plan's method, of so many rows would be made of noise */
extern bool dpem_gmm_drowns(const DpemGmmPlan *plan, double rows);

/* whether the call says how EM is to go: who does asks for EM passes as they are in books */
extern bool dpem_gmm_says_how(const DpemGmmRequest *request);

/*
 * plan->method, and what of cells goes with it; whether there is a comparison; the number of passes, and how many
 * come before those in components' own frames (gmm_method.c)
 */
extern void dpem_gmm_choose_method(DpemGmmPlan *plan);
extern void dpem_gmm_choose_comparison(DpemGmmPlan *plan);
extern int	dpem_gmm_choose_iterations(const DpemGmmPlan *plan, int *first);

/* whether the last passes may measure components in frames of their own */
extern bool dpem_gmm_can_refine(const DpemGmmPlan *plan);

/* noise of the comparison's sum at a noise multiplier (core/density/compare_kernel.h) */
extern double dpem_gmm_compare_noise(const DpemGmmPlan *plan, double noise_multiplier);

/* noise of the same in the mean of that many rows, nats; 0 where the call rules a comparison out */
extern double dpem_gmm_comparison_noise(const DpemGmmPlan *plan, double rows);

/* priors and eigenvalue floor of the M-step */
extern DpemGmmRule dpem_gmm_rule(const DpemGmmPlan *plan);

/* sets iterations, noise and lines of the charge of a paper's mechanism; raises 22023 */
extern void dpem_gmm_plan_paper(DpemGmmPlan *plan);

/* fields of the model's table, component by component, in the columns' own units; noise: standard deviations */
enum
{
	DPEM_GMM_WEIGHT, DPEM_GMM_WEIGHT_NOISE, DPEM_GMM_MEAN, DPEM_GMM_MEAN_NOISE, DPEM_GMM_COVARIANCE, DPEM_GMM_COVARIANCE_NOISE,
	DPEM_GMM_ATOM, DPEM_GMM_ATOM_LOWER, DPEM_GMM_ATOM_UPPER,	/* core/density/gmm_apart.h: shares of a component, 0 for none; ends, the same in every row */
	DPEM_GMM_REST_SCALE			/* core/density/atom_rest.h: factors of the deviations beside atoms, the same in every row; 1 without one */
};

/*
 * Fills a placed density of the model's first components, within these bounds: all of them, or of equal ones a single one.  In the current
 * memory context; fails for covariances that are not positive definite.
 */
extern DpemStatus dpem_gmm_fill_whole(const DpemModel *model, const double *lower, const double *upper, DpemGmmWhole *whole);

/* reads the arguments that are not common to all fits */
extern void dpem_gmm_read(const DpemArguments *arguments, DpemFitRequest *request);

/* members of DpemFamily */
extern DpemFitPlan *dpem_gmm_plan(const DpemFitRequest *request);
extern void dpem_gmm_forecast(const DpemFitPlan *plan, DpemForecast *forecast);
extern void dpem_gmm_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_gmm_load(DpemModel *model);
extern void dpem_gmm_predictor(void *ready, struct DpemPredictor *predictor);
extern int	dpem_gmm_predict(void *ready, const double *x);
extern const double *dpem_gmm_posterior(void *ready, const double *x, int *n);
extern double dpem_gmm_log_density(void *ready, const double *x);
extern void dpem_gmm_sample(void *ready, DpemSampler *sampler, double *x);
extern void dpem_gmm_plot(DpemPlot *plot);

extern const DpemFamily dpem_family_gmm;

#endif							/* DPEM_FAMILY_GMM_H */
