/*
 * fit.h - request, plan and run of a fit, common to all families.
 *
 * A family's request and plan begin with these structs.  The request holds the
 * arguments, checked for form.  The plan is made from the request and public
 * facts alone: it reads no rows, spends nothing, and determines everything the
 * fit will do.  The run charges first, then reads, then releases.
 */
#ifndef DPEM_FIT_FIT_H
#define DPEM_FIT_FIT_H

#include "answers/kept.h"
#include "core/accounting/accountant.h"
#include "core/accounting/fit_cost.h"
#include "core/numeric/model_sizes.h"
#include "core/statistics/signal.h"
#include "ledger/charge.h"
#include "registry/binding.h"
#include "scan/query/source.h"
#include "server/version_shims.h"
#include "wall/release_steps.h"

typedef struct DpemFitRequest
{
	const char *function;		/* its name in the ledger and in messages */
	char	   *dataset;
	double		epsilon;		/* infinity: without noise, for roles that may read the rows */
	double		delta;
	DpemBindingRequest bind;	/* of the dataset: columns, label, filter, groups */
	int			iterations;		/* 0: chosen by the plan */
	char	   *composition;	/* NULL: that of the dataset's accountant */
	double		clip_norm;		/* 0: the default */
	char	   *model;			/* NULL: generated */
	bool		replace;		/* the model of that name, if there is one */
	char	   *arguments;		/* the call's, as dp_refresh_model repeats them */
	bool		nominal;		/* epsilon protects nobody: for roles that may read the rows */
	double		sampling_rate;	/* fraction of the units in a sampled pass; 0: no sampling */
	int			minimum;		/* persons that a cell which is shown stands for at least; 0: the dataset's (dpem_fit_minimum) */
	bool		answers;		/* what is released is all: no model or evaluation of it is stored */
	bool		fresh;			/* a new answer is wanted, whatever is kept (answers/kept.h) */
	DpemSizes candidates;	/* numbers of components to choose among; n 0: there is no choice */
	double		together;		/* equal parts that the budget is divided into, one of which is this request's; 0: it is alone */
} DpemFitRequest;

/* random Fourier features that a request asks for (core/pass/fourier.h) */
typedef struct DpemFitFourier
{
	int			pairs;			/* 0: none, the columns themselves */
	double		width;			/* of their kernel; 0: chosen by the plan */
	int			seed;
} DpemFitFourier;

#define DPEM_FIT_MAX_STAGES 4

/* releases of one kind that share a part of a fit's budget (fit_stages.h) */
typedef struct DpemFitStage
{
	const char *statistic;		/* its name in the ledger and the forecast */
	double		share;			/* of the budget's squared mu, relative to other stages; 0: not run */
	int			releases;
	DpemReleaseSpec spec;
	DpemMomentLayout layout;	/* of a release, as far as the noise depends on it */
	int			line;			/* result: its line of the charge; -1: none */
	bool		sampled;		/* see dpem_fit_gaussian_cost: the last stage only */
	int			batches;		/* of a tree (fit_stages.h), whose levels are its releases; else 0 */
} DpemFitStage;

typedef struct DpemFitPlan
{
	const struct DpemFamily *family;	/* that models are stored as; NULL: the function's own */
	const DpemFitRequest *request;
	const DpemDataset *dataset;
	DpemBinding *binding;		/* the parts of the dataset that the fit reads */
	int			d;
	int			features;		/* that later passes make of the d coordinates, if others; else 0 */
	int			codes;			/* that all passes make of a row (core/kernels/kernel.h, encode); else 0 */
	bool		noisy;			/* private: charged, quantised, stored */
	DpemComposition composition;
	int			iterations;
	double		clip_norm;
	bool		brings_model;	/* passes score rows by a model, which other servers do not take from everybody */
	bool		one_pass;		/* all releases are of what one pass counted: rows need not be kept */
	double		public_rows;	/* number of valid rows, if public; else 0 */
	int			groups;			/* of rows, each with its own moments; at least 1; 2 until private
								 * keys are selected: a row moves at most two groups */
	double		failure;		/* part of the request's delta not used by the noise; 0: none */
	DpemSample	sample;			/* of sampled passes; its rate is 1 without sampling */
	DpemChargeRequest charge;	/* lines are added by the family */
	DpemFitStage stage[DPEM_FIT_MAX_STAGES];	/* of families that plan by stages */
	int			stages;
	const char *hides;			/* what a minimum of persons hides by: noisy "rows" or "persons"; NULL: it hides nothing */
	int64	   *paid;			/* where the number of its charge is written; NULL: nowhere */
	DpemCharge **shared;		/* one charge for the lines of several plans, committed by the first that runs; NULL: its own */
	char	   *model;			/* stem of its models' names (model_name.h); NULL until claimed */
} DpemFitPlan;

/*
 * The question of a planned call to the kept answers, with what was asked to pay: `what` as dpem_kept_question has it;
 * the release depends on the composition, on what stands before it ("gaussian noise, "; "") and on what stands after it.
 */
extern DpemKeptQuestion *dpem_fit_question(const DpemFitPlan *plan, const char *what, const char *before, const char *after);

/* loads and binds the dataset; raises an error where the request is impossible for it */
extern void dpem_fit_plan_init(DpemFitPlan *plan, const DpemFitRequest *request);

/* n points of d numbers in the columns' own units, in the coordinates of the columns' scales */
extern double *dpem_fit_coordinates(const DpemFitPlan *plan, const double *x, int n);

/*
 * Places edges between at most `bins` bins of a number (core/gam/gam_bins.h): equal ones where asked for, and of dates and
 * times, of which zero is a day like any other; else narrow where a wide domain has zero.  edge: bins - 1, ascending box
 * coordinates.  Returns how many bins there are.
 */
extern int	dpem_fit_cut_number(const DpemFitPlan *plan, const DpemColumn *column, int bins, bool equal, double *edge);

/*
 * Raises 22023 if the call would cost less than the minimum (budget_rule.h),
 * judged by its epsilon and delta and by its lines.  Called for every plan and
 * before every charge.  Returns the fraction of the dataset's budget that the
 * call takes, 0 for a plan without lines.
 */
extern double dpem_fit_require_cost(const DpemFitPlan *plan);

/*
 * Noise multiplier of a Gaussian stage of `releases` releases that gets
 * `share` of the squared mu of the request's budget; root_sum is the sum of the
 * square roots of all stages' shares.  For linear and advanced composition,
 * whose costs are not quadratic in the noise, stages split epsilon and delta in
 * proportion to the square root.  Raises 22023 where the composition allows no
 * such noise level.
 */
extern double dpem_fit_noise_multiplier(const DpemFitPlan *plan, double share, double root_sum,
										int releases);

/* noise multiplier of each of several Laplace releases, or choices, that share the budget; raises 22023 */
extern double dpem_fit_pure_multiplier(const DpemFitPlan *plan, DpemCostKind kind, int releases);

/*
 * Multiplies the noise multipliers of all releases of a fit by the factor at
 * which they cost exactly its budget; for stages of unequal shares with Laplace noise.
 * Raises 22023.
 */
extern void dpem_fit_scale_lines(const DpemFitPlan *plan, DpemCostLine *lines, int n);

/*
 * Noise multiplier of one Gaussian release under exact accounting, whatever the
 * composition: a public quantity for rules to choose by.
 */
extern double dpem_fit_exact_multiplier(const DpemFitPlan *plan, double share);

/* whether the request asks for sampled passes, and the expected rows of one: 0 unless public */
extern bool dpem_fit_is_sampled(const DpemFitPlan *plan);
extern double dpem_fit_sample_rows(const DpemFitPlan *plan);

/*
 * Cost of a Gaussian stage, with the noise of dpem_fit_noise_multiplier.  A
 * sampled stage (`sampled` has no effect unless the request asks for sampling)
 * instead gets all of the budget that the charge's lines so far have left, so
 * it must be added last.  Raises 22023 where there is no such noise level.
 */
extern DpemCostLine dpem_fit_gaussian_cost(const DpemFitPlan *plan, bool sampled, double share,
										   double root_sum, int releases);

/* the part of delta for which the noise is calibrated */
extern double dpem_fit_noise_delta(const DpemFitPlan *plan);

/* a line of a charge, in the accountants' form */
extern DpemCostLine dpem_fit_cost_of_line(const DpemChargeLine *line);

/*
 * Adds a line to the plan's charge: releases of one mechanism.  Returns the
 * line's number, which each of its releases refers to.
 */
extern int	dpem_fit_add_line(DpemFitPlan *plan, const char *statistic, DpemMechanism mechanism,
							  const DpemCostLine *cost);

/*
 * How many persons a number that is shown stands for at least, a rule of the owner's or of the call's beside epsilon: the
 * larger one; 0: everything is shown, as to readers of the rows.  Numbers are judged by what was released of
 * them, so that hiding is post-processing (docs/proofs.md, 18).
 */
extern int	dpem_fit_minimum(const DpemFitPlan *plan);

/* noisy rows that so many persons have at least: times the rows of a unit */
extern double dpem_fit_minimum_rows(const DpemFitPlan *plan);

/*
 * Raises 22023 under a minimum where a filter chooses the rows of `what` and no number of them is released: nothing
 * would say whether it is reached.  Called before the charge.
 */
extern void dpem_fit_require_counted(const DpemFitPlan *plan, const char *what);

/* a NOTICE if any of n was hidden; things: what they are */
extern void dpem_fit_tell_hidden(const DpemFitPlan *plan, int hidden, int n, const char *things);

/* whether to tell what released numbers say of a fit (dpem.noise_warnings) */
extern bool dpem_fit_tells(void);

/* a NOTICE that a mixture's components will be equal, as public facts say that noise would hide how they differ */
extern void dpem_fit_notice_equal(const DpemFitRequest *request, int components);

/* raises 22023: argument `name` must be as `allowed` says, but is `value` */
pg_noreturn extern void dpem_fit_bad_argument(const char *name, const char *value, const char *allowed);

/* a fit under way */
typedef struct DpemFitRun
{
	const DpemFitPlan *plan;
	DpemCharge *charge;			/* NULL without noise */
	DpemReader *reader;			/* NULL with noise */
	DpemSource *source;
	DpemSource *sampled_source; /* NULL without sampling */
	bool		sampled;		/* further passes read a sample; set by the family */
	DpemPass	pass;			/* domain, clip norm: the plan's; center, whitening: the family's */
	DpemSignal *signal;			/* plan->groups: signal found in the releases of each */
	DpemPassPart *part;			/* plan->groups: the pass of each, for dpem_fit_release_groups */
	MemoryContext per_pass;		/* for data that need not outlive a pass; reset by the family */
	bool		at_least;		/* what is noted of the rows that count is that they are no fewer */
	bool		ended;
} DpemFitRun;

/* raises what dpem_fit_begin of a plan with noise would between planning and its charge; reads no row */
extern void dpem_fit_require_open(const DpemFitPlan *plan);

/* commits the charge (without noise: checks that the caller may read rows) and opens the source */
extern void dpem_fit_begin(DpemFitRun *run, const DpemFitPlan *plan);

/* rows are read by the dataset's current groups from now on: for a key, those that were released */
extern void dpem_fit_regroup(DpemFitRun *run);

/*
 * After the last pass: releases workers, memory and the file of stored rows, and
 * raises a WARNING where released numbers show that a model is mostly noise.
 * A second call does nothing.
 */
extern void dpem_fit_end(DpemFitRun *run);

/* how many rows counted, as a release of all rows of a group says, with noise sd; kernels with counts_rows say so themselves */
extern void dpem_fit_note_rows(DpemFitRun *run, int group, double rows, double sd);

/* a WARNING, for who asked for these, that so many of a statistic's values are of no more rows, as released, than noise */
extern void dpem_fit_warn_of_rows(const DpemFitPlan *plan, int few, int groups);

/* whether a model of a group is of fewer rows than the minimum, by all that was released of their number */
extern bool dpem_fit_is_hidden(const DpemFitRun *run, int group);

/* number of the charge, and who paid (a number in dpem_internal.role_number); 0 without noise */
extern void dpem_fit_payment(const DpemFitRun *run, int64 *charge, int64 *maker);

/* one pass over the rows; its moments are still on the private side */
extern DpemRawMoments *dpem_fit_scan(DpemFitRun *run, const DpemKernel *kernel,
									 const DpemMomentLayout *layout, const double *theta);

/* one pass and its joint release, paid for by that line of the charge; exact in a fit without noise */
extern DpemNoisyMoments *dpem_fit_release(DpemFitRun *run, int line, const DpemReleaseSpec *spec,
										  const DpemKernel *kernel, const DpemMomentLayout *layout,
										  const double *theta);

/*
 * The same for all of plan->groups, each with its run->part: one release of all
 * groups' moments as one stacked vector.  Returns an array of plan->groups moments.
 */
extern DpemNoisyMoments *dpem_fit_release_groups(DpemFitRun *run, int line, const DpemReleaseSpec *spec,
												 const DpemKernel *kernel, const DpemMomentLayout *layout);

/* the papers' mechanisms, one release per statistic: dpem_release_separate of scanned moments */
extern DpemNoisyMoments *dpem_fit_release_separate(DpemFitRun *run, DpemRawMoments *raw, const DpemSeparateSpec *spec);

/* notes what a release of that line says of a group's rows, for dpem_fit_end's WARNING */
extern void dpem_fit_note_signal(DpemFitRun *run, int group, int line, const DpemReleaseSpec *spec, const DpemNoisyMoments *m);

/* the map from the columns' units to the features of a group's rows */
extern DpemFeatureMap dpem_fit_map(const DpemFitRun *run, int group);

/* sends an INFO if dpem.progress is on; checks for interrupts.  iteration 0: uncounted phase */
extern void dpem_fit_report(const DpemFitRun *run, const char *phase, int iteration);

/* raises 22003 with a constant message unless DPEM_OK: the released moments give no model */
extern void dpem_fit_require_ok(DpemStatus status);

extern void dpem_fit_init(void);

#endif							/* DPEM_FIT_FIT_H */
