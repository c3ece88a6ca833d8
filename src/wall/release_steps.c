/*
 * release_steps.c - see release_steps.h.
 */
#include "postgres.h"

#include <math.h>

#include "core/kernels/logit_kernel.h"
#include "core/pass/features.h"
#include "scan/raw_moments.h"
#include "wall/release_steps.h"

#define COUNT_BITS	DPEM_RESPONSIBILITY_BITS
#define SUM_BITS	(DPEM_RESPONSIBILITY_BITS + DPEM_FEATURE_BITS)

/* what rows were made into, once steps have ended; no pass is of this kernel */
static const DpemKernel ended = {.name = "steps",.contribution = DPEM_STEPS,.max_components = 1};

typedef struct StepRun
{
	DpemSource *source;
	DpemPass	pass;
	DpemPassPart part;
	double	   *theta;			/* DPEM_CLASS_HEAD, then the coefficients */
	double	   *sum;			/* d: of the last pass */
	double		rows;
	DpemRowsRead read;
	DpemDescent descent;
} StepRun;

DpemSteps
dpem_release_steps_of(const DpemMarginLoss *loss, double ridge, int count)
{
	return (DpemSteps) {
		.ridge = ridge,.slope = dpem_loss_slope(loss, 0),.curvature = dpem_loss_most_curvature(loss),.count = count
	};
}

static void
create_run(StepRun *run, DpemSource *source, const DpemPass *pass, const DpemSteps *steps)
{
	Size		d = dpem_features_dimension(&pass->map);

	run->source = source;
	run->pass = *pass;
	run->part = dpem_pass_part(pass, 0);
	run->theta = palloc0((DPEM_CLASS_HEAD + d) * sizeof(double));
	run->sum = palloc0(d * sizeof(double));
	run->descent = (DpemDescent) {.steps = *steps,.d = (int) d,.at = run->theta + DPEM_CLASS_HEAD};
	run->part.theta = run->theta;
	run->pass.theta = run->theta;
	run->pass.part = &run->part;
	run->pass.kernel = &dpem_kernel_slopes;
	run->pass.layout = (DpemMomentLayout) {2, (int) d, DPEM_SECOND_NONE};
}

/* sums of slopes and of slopes times rows, from their two digits */
static void
scan(StepRun *run, const DpemMarginLoss *loss)
{
	DpemRawMoments *raw;
	Size		record = dpem_moments_record(&run->pass.layout);

	dpem_class_write(loss, 0, run->theta);
	raw = dpem_source_scan(run->source, &run->pass);
	if (!raw->exact || !dpem_raw_moments_are(raw, DPEM_MARKS))
		elog(ERROR, "dpem: steps over other moments");
	run->rows = (double) ldexpl((long double) raw->total[0], -COUNT_BITS);
	for (int j = 0; j < run->descent.d; j++)
		run->sum[j] = (double) (ldexpl((long double) raw->total[1 + j], -SUM_BITS) +
								ldexpl((long double) raw->total[record + 1 + j], -SUM_BITS - COUNT_BITS));
	run->read = raw->rows;
	dpem_raw_moments_wipe(raw);
}

/* the first pass has no coefficients yet: it counts rows and adds them up; later ones send no query */
static void
descend(StepRun *run, const DpemMarginLoss *loss)
{
	const DpemMarginLoss none = {DPEM_LOSS_NONE, 1};

	scan(run, &none);
	dpem_descent_first(&run->descent, run->rows, run->sum);
	for (int step = 1; step < run->descent.steps.count; step++)
	{
		CHECK_FOR_INTERRUPTS();
		scan(run, loss);
		dpem_descent_next(&run->descent, run->sum);
	}
}

static DpemRawMoments *
end_of(const StepRun *run)
{
	DpemMomentLayout layout = {1, run->descent.d, DPEM_SECOND_NONE};
	DpemRawMoments *raw = dpem_raw_moments_create(&ended, &layout, true);

	for (int j = 0; j < layout.d; j++)
		raw->total[1 + j] = (DpemInt128) rintl(ldexpl((long double) run->descent.at[j], SUM_BITS));
	dpem_raw_moments_set_rows(raw, &run->read);
	return raw;
}

static void
check(const DpemSource *source, const DpemPass *pass, const DpemMarginLoss *loss, const DpemReleaseSpec *spec)
{
	DpemSteps	steps = dpem_release_steps_of(loss, spec->steps.ridge, spec->steps.count);

	if (spec->contribution != DPEM_STEPS || steps.slope != spec->steps.slope || steps.curvature != spec->steps.curvature ||
		pass->groups > 1 || pass->classes != 2 || pass->map.bits == 0 || !dpem_source_keeps_rows(source))
		elog(ERROR, "dpem: steps that cannot be released");
}

DpemNoisyMoments *
dpem_release_steps(DpemCharge *charge, int line, DpemSource *source, const DpemPass *pass, const DpemMarginLoss *loss,
				   const DpemReleaseSpec *spec)
{
	StepRun		run;
	DpemRawMoments *raw;

	check(source, pass, loss, spec);
	create_run(&run, source, pass, &spec->steps);
	descend(&run, loss);
	raw = end_of(&run);
	explicit_bzero(run.theta, (DPEM_CLASS_HEAD + run.descent.d) * sizeof(double));
	explicit_bzero(run.sum, run.descent.d * sizeof(double));
	return dpem_release(charge, line, raw, spec);
}
