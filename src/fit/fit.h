/*
 * fit.h - what every fit is made of, whatever its family.
 *
 * A family's request and plan begin with these structs.  The request holds
 * arguments checked for form; the plan is made of the request and public
 * facts alone, touches no row and spends nothing, and says everything a fit
 * will do; the run charges first, then reads, then releases.
 */
#ifndef DPEM_FIT_FIT_H
#define DPEM_FIT_FIT_H

#include "core/accounting/accountant.h"
#include "core/accounting/fit_cost.h"
#include "core/statistics/signal.h"
#include "ledger/charge.h"
#include "registry/binding.h"
#include "scan/query/source.h"
#include "server/version_shims.h"
#include "wall/release.h"

typedef struct DpemFitRequest
{
	const char *function;		/* what the ledger and the messages call it */
	char	   *dataset;
	double		epsilon;		/* infinity: without noise, for a reader of the rows */
	double		delta;
	DpemBindingRequest bind;	/* of the dataset: columns, label, filter, groups */
	int			iterations;		/* 0: chosen by the plan */
	char	   *composition;	/* NULL: the dataset's accountant's */
	double		clip_norm;		/* 0: the default */
	char	   *model;			/* NULL: generated */
	bool		nominal;		/* epsilon is a number only: for a reader of the rows */
	double		sampling_rate;	/* part of the units that a sampled pass reads; 0: no sampling */
} DpemFitRequest;

#define DPEM_FIT_MAX_STAGES 4

/* releases of one kind that get a part of a fit's budget (fit_stages.h) */
typedef struct DpemFitStage
{
	const char *statistic;		/* what the ledger and the forecast call it */
	double		share;			/* of the budget's squared mu, as part of what all stages have; 0: not run */
	int			releases;
	DpemReleaseSpec spec;
	DpemMomentLayout layout;	/* of a release, as far as noise depends on it */
	int			line;			/* result: of the charge; -1: none */
	bool		sampled;		/* as of dpem_fit_gaussian_cost: the last stage only */
} DpemFitStage;

typedef struct DpemFitPlan
{
	const DpemFitRequest *request;
	const DpemDataset *dataset;
	DpemBinding *binding;		/* what the fit reads of it */
	int			d;
	bool		noisy;			/* private: charged, quantised, stored */
	DpemComposition composition;
	int			iterations;
	double		clip_norm;
	double		public_rows;	/* rows that count, if public; else 0 */
	int			groups;			/* of rows, with moments of their own; at least 1; while keys are sought 2,
								 * as one row moves no number of groups further */
	double		failure;		/* part of the request's delta that is none of the noise's; 0: none */
	DpemSample	sample;			/* of sampled passes */
	DpemChargeRequest charge;	/* lines are added by the family */
	DpemFitStage stage[DPEM_FIT_MAX_STAGES];	/* of a family that says its releases so */
	int			stages;
	char	   *model;			/* stem of its models' names (fit/model_name.h); NULL until it is claimed */
} DpemFitPlan;

/* loads and binds the dataset; raises for what cannot be done with it */
extern void dpem_fit_plan_init(DpemFitPlan *plan, const DpemFitRequest *request);

/*
 * Raises 22023 if the call would cost less than a call must (budget_rule.h):
 * by its epsilon and delta, and by the lines it has.  For every plan and
 * before every charge.  Returns the part of the dataset's budget that it takes,
 * 0 for a plan without lines.
 */
extern double dpem_fit_require_cost(const DpemFitPlan *plan);

/*
 * Noise multiplier of a Gaussian stage of `releases` releases that gets
 * `share` of the request's budget, as parts of squared mu; root_sum is the sum
 * of the square roots of all stages' shares.  For linear and advanced
 * composition, whose costs are not quadratic in the noise, stages split
 * epsilon and delta by the root.  Raises 22023 where the composition has no
 * such noise level.
 */
extern double dpem_fit_noise_multiplier(const DpemFitPlan *plan, double share, double root_sum,
										int releases);

/* of so many Laplace releases, or choices, that get the whole budget, each by itself; raises 22023 */
extern double dpem_fit_pure_multiplier(const DpemFitPlan *plan, DpemCostKind kind, int releases);

/*
 * Multiplies the noise multipliers of all releases of a fit by the factor that
 * makes them cost its budget; for stages of unlike shares with Laplace noise.
 * Raises 22023.
 */
extern void dpem_fit_scale_lines(const DpemFitPlan *plan, DpemCostLine *lines, int n);

/* that of a Gaussian release with exact accounting, whatever the composition: a public quantity for rules to choose by */
extern double dpem_fit_exact_multiplier(const DpemFitPlan *plan, double share);

/* whether the request asks for sampled passes, and the rows one of them reads: 0 unless that is public */
extern bool dpem_fit_is_sampled(const DpemFitPlan *plan);
extern double dpem_fit_sample_rows(const DpemFitPlan *plan);

/*
 * Cost of a Gaussian stage as of dpem_fit_noise_multiplier, or, where its
 * passes are sampled (which counts only if the request asks for it), of one
 * that gets what the charge's lines so far have left of the budget: such a
 * stage is added last.  Raises 22023 where there is no such noise level.
 */
extern DpemCostLine dpem_fit_gaussian_cost(const DpemFitPlan *plan, bool sampled, double share,
										   double root_sum, int releases);

/* the delta that noise is made for */
extern double dpem_fit_noise_delta(const DpemFitPlan *plan);

/* a line of a charge as the accountants read it */
extern DpemCostLine dpem_fit_cost_of_line(const DpemChargeLine *line);

/*
 * Adds a line to the plan's charge: releases of one mechanism.  Returns its
 * number, which the releases name.
 */
extern int	dpem_fit_add_line(DpemFitPlan *plan, const char *statistic, DpemMechanism mechanism,
							  const DpemCostLine *cost);

/* raises 22023: name must be allowed, not value */
pg_noreturn extern void dpem_fit_bad_argument(const char *name, const char *value, const char *allowed);

/* a fit under way */
typedef struct DpemFitRun
{
	const DpemFitPlan *plan;
	DpemCharge *charge;			/* NULL without noise */
	DpemReader *reader;			/* NULL with noise */
	DpemSource *source;
	DpemSource *sampled_source; /* NULL without sampling */
	bool		sampled;		/* passes from now on read a sample; the family sets it */
	DpemPass	pass;			/* domain and clip norm of the plan; center and whitening are the family's */
	DpemSignal *signal;			/* of each of plan->groups: what was seen in the releases */
	DpemPassPart *part;			/* the same of each of plan->groups, for dpem_fit_release_groups */
	MemoryContext per_pass;		/* for what need not outlive a pass; the family resets it */
	bool		ended;
} DpemFitRun;

/* commits the charge (or shows that the caller may read the rows) and opens the source */
extern void dpem_fit_begin(DpemFitRun *run, const DpemFitPlan *plan);

/* from now on rows are read by the groups that the dataset has by now: of a key, those that were released */
extern void dpem_fit_regroup(DpemFitRun *run);

/*
 * After the last pass: gives back workers, memory and file of kept rows, and
 * raises a WARNING where released numbers say that a model is made of noise.
 * Again it does nothing.
 */
extern void dpem_fit_end(DpemFitRun *run);

/* number of the charge, and who paid, in dpem.role_number; 0 without noise */
extern void dpem_fit_payment(const DpemFitRun *run, int64 *charge, int64 *maker);

/* one pass over the rows; its moments are still on the private side */
extern DpemRawMoments *dpem_fit_scan(DpemFitRun *run, const DpemKernel *kernel,
									 const DpemMomentLayout *layout, const double *theta);

/* one pass and its joint release, paid for by that line; no noise for a reader */
extern DpemNoisyMoments *dpem_fit_release(DpemFitRun *run, int line, const DpemReleaseSpec *spec,
										  const DpemKernel *kernel, const DpemMomentLayout *layout,
										  const double *theta);

/*
 * The same for each of plan->groups, by run->part and with one release of all
 * moments as one stack: an array of the groups' moments.
 */
extern DpemNoisyMoments *dpem_fit_release_groups(DpemFitRun *run, int line, const DpemReleaseSpec *spec,
												 const DpemKernel *kernel, const DpemMomentLayout *layout);

/* the papers' mechanisms, each statistic a release of its own: dpem_release_separate of rows that were scanned */
extern DpemNoisyMoments *dpem_fit_release_separate(DpemFitRun *run, DpemRawMoments *raw, const DpemSeparateSpec *spec);

/* from the columns' units to the features of a group's rows */
extern DpemFeatureMap dpem_fit_map(const DpemFitRun *run, int group);

/* INFO for a session that asked for it (dpem.progress); a chance to cancel.  iteration 0: not counted */
extern void dpem_fit_report(const DpemFitRun *run, const char *phase, int iteration);

/* raises 22003 with one constant message unless DPEM_OK: released moments have no model */
extern void dpem_fit_require_ok(DpemStatus status);

extern void dpem_fit_init(void);

#endif							/* DPEM_FIT_FIT_H */
