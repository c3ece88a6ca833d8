/*
 * release_steps.c - see release_steps.h.
 */
#include "postgres.h"

#include <math.h>

#include "core/logit/class_objective.h"
#include "core/pass/features.h"
#include "scan/raw_moments.h"
#include "server/fit_memory.h"
#include "wall/release_inside.h"
#include "wall/release_steps.h"
#include "wall/tape.h"

#define COUNT_BITS	DPEM_RESPONSIBILITY_BITS
#define SUM_BITS	(DPEM_RESPONSIBILITY_BITS + DPEM_FEATURE_BITS)

/* what rows were made into, once steps have ended, and before steps to a minimum; no pass is of these kernels */
static const DpemKernel ended = {.name = "steps",.contribution = DPEM_STEPS,.max_components = 1};
static const DpemKernel perturbed = {.name = "objective",.contribution = DPEM_OBJECTIVE,.max_components = 1};
static const DpemKernel approached = {.name = "minimum",.contribution = DPEM_MINIMUM,.max_components = 1};

static const DpemMarginLoss no_loss = {DPEM_LOSS_NONE, 1};

typedef struct StepRun
{
	DpemSource *source;
	const DpemMarginLoss *loss;
	DpemPass	pass;
	DpemPassPart part;
	int			d;
	double	   *theta;			/* DPEM_CLASS_HEAD, then the coefficients */
	double	   *at;				/* d: these */
	double	   *sum;			/* d: of the last pass */
	double		rows;			/* that counted in it */
	double		tilt;
	DpemRowsRead read;
} StepRun;

DpemSteps
dpem_release_steps_of(const DpemMarginLoss *loss, double ridge, int count)
{
	return (DpemSteps) {
		.ridge = ridge,.slope = dpem_loss_slope(loss, 0),.curvature = dpem_loss_most_curvature(loss),.count = count
	};
}

int
dpem_release_own_passes(const DpemReleaseSpec *spec)
{
	return spec->contribution == DPEM_STEPS ? spec->steps.count : spec->contribution == DPEM_MINIMUM ? spec->objective.passes : 0;
}

static void
create_run(StepRun *run, DpemSource *source, const DpemPass *pass, const DpemMarginLoss *loss, int digits)
{
	Size		d = dpem_features_dimension(&pass->map);

	*run = (StepRun) {.source = source,.loss = loss,.pass = *pass,.part = dpem_pass_part(pass, 0),.d = (int) d};
	run->theta = palloc0((DPEM_CLASS_HEAD + d) * sizeof(double));
	run->at = run->theta + DPEM_CLASS_HEAD;
	run->sum = palloc0(d * sizeof(double));
	run->part.theta = run->theta;
	run->pass.theta = run->theta;
	run->pass.part = &run->part;
	run->pass.kernel = &dpem_kernel_slopes;
	run->pass.layout = (DpemMomentLayout) {digits, (int) d, DPEM_SECOND_NONE};
}

static void
wipe_run(StepRun *run)
{
	explicit_bzero(run->theta, (DPEM_CLASS_HEAD + run->d) * sizeof(double));
	explicit_bzero(run->sum, run->d * sizeof(double));
}

/* a pass at the coefficients, whose numbers are exact; the caller wipes them */
static DpemRawMoments *
scan_rows(StepRun *run, const DpemMarginLoss *loss, const DpemPass *pass, DpemContribution contribution)
{
	DpemRawMoments *raw;

	dpem_class_write(loss, run->tilt, 0, run->theta);
	raw = dpem_source_scan(run->source, pass);
	if (!raw->exact || !dpem_raw_moments_are(raw, contribution))
		elog(ERROR, "dpem: steps over other moments");
	run->rows = (double) ldexpl((long double) raw->total[0], -COUNT_BITS);
	run->read = raw->rows;
	return raw;
}

/* a coordinate's sum of slopes times rows, from all digits */
static double
sum_of_digits(const DpemRawMoments *raw, size_t at)
{
	size_t		record = dpem_moments_record(&raw->layout);
	long double sum = 0;

	for (int k = raw->layout.k - 1; k >= 0; k--)
		sum += ldexpl((long double) raw->total[k * record + 1 + at], -SUM_BITS - k * COUNT_BITS);
	return (double) sum;
}

/* sums of slopes times rows, from their digits */
static void
scan_slopes(StepRun *run, const DpemMarginLoss *loss)
{
	DpemRawMoments *raw = scan_rows(run, loss, &run->pass, DPEM_MARKS);

	for (int j = 0; j < run->d; j++)
		run->sum[j] = sum_of_digits(raw, j);
	dpem_raw_moments_wipe(raw);
}

/* the first pass has no coefficients yet: it counts rows and adds them up; later ones send no query */
static void
descend(StepRun *run, const DpemSteps *steps)
{
	DpemDescent descent = {.steps = *steps,.d = run->d,.at = run->at};

	scan_slopes(run, &no_loss);
	dpem_descent_first(&descent, run->rows, run->sum);
	for (int step = 1; step < steps->count; step++)
	{
		CHECK_FOR_INTERRUPTS();
		scan_slopes(run, run->loss);
		dpem_descent_next(&descent, run->sum);
	}
}

static DpemRawMoments *
moments_of(const StepRun *run, const DpemKernel *kernel, const double *number)
{
	DpemMomentLayout layout = {1, run->d, DPEM_SECOND_NONE};
	DpemRawMoments *raw = dpem_raw_moments_create(kernel, &layout, true);

	for (int j = 0; j < layout.d; j++)
		raw->total[1 + j] = (DpemInt128) rintl(ldexpl((long double) number[j], SUM_BITS));
	dpem_raw_moments_set_rows(raw, &run->read);
	return raw;
}

static void
check_rows(const DpemSource *source, const DpemPass *pass)
{
	if (pass->groups > 1 || pass->classes != 2 || pass->map.bits == 0 || !dpem_source_keeps_rows(source))
		elog(ERROR, "dpem: steps that cannot be released");
}

static void
check_steps(const DpemMarginLoss *loss, const DpemReleaseSpec *spec)
{
	DpemSteps	steps = dpem_release_steps_of(loss, spec->steps.ridge, spec->steps.count);

	if (spec->contribution != DPEM_STEPS || steps.slope != spec->steps.slope || steps.curvature != spec->steps.curvature)
		elog(ERROR, "dpem: steps that cannot be released");
}

DpemNoisyMoments *
dpem_release_steps(DpemCharge *charge, int line, DpemSource *source, const DpemPass *pass, const DpemMarginLoss *loss,
				   const DpemReleaseSpec *spec)
{
	StepRun		run;
	DpemRawMoments *raw;

	check_rows(source, pass);
	check_steps(loss, spec);
	create_run(&run, source, pass, loss, 2);
	descend(&run, &spec->steps);
	raw = moments_of(&run, &ended, run.at);
	wipe_run(&run);
	return dpem_release(charge, line, raw, spec);
}

/* ---- steps to a minimum ---------------------------------------------------------- */

/* sum z z', d x d; its numbers are exact */
static double *
scan_products(StepRun *run)
{
	size_t		d = (size_t) run->d;
	DpemPass	pass = run->pass;
	double	   *second = palloc(d * d * sizeof(double));
	DpemRawMoments *raw;

	pass.kernel = &dpem_kernel_class_curvature;
	pass.layout = (DpemMomentLayout) {1, (int) d, DPEM_SECOND_FULL};
	raw = scan_rows(run, &no_loss, &pass, DPEM_ON_SIMPLEX);
	for (size_t i = 0, at = 1 + d; i < d; i++)
		for (size_t j = 0; j <= i; j++, at++)
			second[i * d + j] = second[j * d + i] = (double) ldexpl((long double) raw->total[at], -COUNT_BITS - 2 * DPEM_FEATURE_BITS);
	dpem_raw_moments_wipe(raw);
	return second;
}

/* the sum of -l'(w'z) z where the steps are, into run->sum: digits are of slopes in parts of the greatest */
static void
scan_gradient(StepRun *run, const DpemObjective *o)
{
	scan_slopes(run, run->loss);
	for (int j = 0; j < run->d; j++)
		run->sum[j] *= o->slope;
}

static void
approach(StepRun *run, DpemMinimiser *m)
{
	memset(m->at, 0, m->d * sizeof(double));
	for (int pass = 0; pass < m->objective.passes; pass++)
	{
		CHECK_FOR_INTERRUPTS();
		scan_gradient(run, &m->objective);
		dpem_minimiser_step(m, run->sum);
	}
}

/*
 * Made-up rows of dp_selftest: the recorded run has no noise in its objective.  Where its steps end, neighbouring rows
 * have another sum of slopes, which is compared, and noise that differs by as much has them end there, too.
 */
static DpemRawMoments *
rehearse(StepRun *run, DpemMinimiser *m, double *noise)
{
	size_t		d = (size_t) m->d;
	double	   *kept = palloc(2 * d * sizeof(double));

	approach(run, m);
	scan_gradient(run, &m->objective);
	memcpy(kept, m->at, d * sizeof(double));
	memcpy(kept + d, run->sum, d * sizeof(double));
	dpem_tape_keep(kept, 2 * d);
	memcpy(m->at, kept, d * sizeof(double));
	scan_gradient(run, &m->objective);
	for (size_t j = 0; j < d; j++)
		noise[j] = run->sum[j] - kept[d + j];
	return moments_of(run, &perturbed, run->sum);
}

static void
require_paid_ridge(const DpemReleaseSpec *spec, double z)
{
	const DpemObjective *o = &spec->objective;
	double		mu = 1 / (z * spec->rows_per_unit * (spec->replace_one ? 2 : 1));

	if (!(o->part * mu + dpem_objective_curvature_mu(o->most, o->ridge) <= mu))
		elog(ERROR, "dpem: noise that does not pay for the ridge");
}

/* the noise b; of rehearsed rows the one that leads where the recorded run ended */
static void
draw(DpemCharge *charge, int line, const DpemReleaseSpec *spec, StepRun *run, DpemMinimiser *m, double *noise)
{
	bool		rehearsed = run->read.rehearsed;
	double		z = dpem_charge_take(charge, line, DPEM_MECHANISM_GAUSSIAN, &run->read);
	DpemRawMoments *raw;
	DpemNoisyMoments *drawn;

	require_paid_ridge(spec, z);
	raw = rehearsed ? rehearse(run, m, noise) : moments_of(run, &perturbed, noise);
	drawn = dpem_release_paid(dpem_charge_statistic(charge, line), z, raw, spec);
	if (!rehearsed)
		memcpy(noise, drawn->value + 1, m->d * sizeof(double));
	explicit_bzero(drawn->value, (1 + m->d) * sizeof(double));
}

static bool
is_problem(const DpemObjective *o, const DpemObjective *own)
{
	return o->ridge == own->ridge && o->slope == own->slope && o->least == own->least && o->most == own->most &&
		o->reach == own->reach && o->part == own->part && o->passes == own->passes;
}

static void
check_objective(const DpemMarginLoss *loss, int d, const DpemReleaseSpec *noise, const DpemReleaseSpec *end)
{
	const DpemObjective *o = &noise->objective;
	DpemObjective own = dpem_class_objective(loss, d, o->ridge, o->part, o->passes);

	if (noise->contribution != DPEM_OBJECTIVE || end->contribution != DPEM_MINIMUM || !is_problem(o, &own) ||
		!is_problem(&end->objective, &own) || noise->replace_one != end->replace_one ||
		noise->rows_per_unit != end->rows_per_unit)
		elog(ERROR, "dpem: a minimum that cannot be released");
}

static DpemRawMoments *
minimise(DpemCharge *charge, int line, StepRun *run, const DpemReleaseSpec *spec)
{
	size_t		d = (size_t) run->d;
	double	   *noise = palloc0(d * sizeof(double));
	double	   *second = scan_products(run);
	DpemMinimiser m = {.objective = spec->objective,.d = (int) d,.noise = noise,.at = run->at};
	DpemWorkspace work = dpem_fit_workspace(dpem_minimiser_work((int) d));
	DpemRawMoments *raw;

	if (dpem_minimiser_start(&m, run->rows, second, work) != DPEM_OK)
		elog(ERROR, "dpem: no eigenvalues");
	run->tilt = dpem_objective_tilt(run->loss, &m.objective);
	draw(charge, line, spec, run, &m, noise);
	approach(run, &m);
	raw = moments_of(run, &approached, m.at);
	explicit_bzero(second, d * d * sizeof(double));
	explicit_bzero(m.metric, d * sizeof(double));
	explicit_bzero(m.spare, 2 * d * sizeof(double));
	explicit_bzero(noise, d * sizeof(double));
	return raw;
}

DpemNoisyMoments *
dpem_release_minimum(DpemCharge *charge, const int line[2], DpemSource *source, const DpemPass *pass,
					 const DpemMarginLoss *loss, const DpemReleaseSpec *noise, const DpemReleaseSpec *end)
{
	StepRun		run;
	DpemRawMoments *raw;

	check_rows(source, pass);
	check_objective(loss, (int) dpem_features_dimension(&pass->map), noise, end);
	create_run(&run, source, pass, loss, 3);
	raw = minimise(charge, line[0], &run, noise);
	wipe_run(&run);
	return dpem_release(charge, line[1], raw, end);
}
