/*
 * release.c - the privacy wall.
 *
 * Sensitivity of the weighted stack, per unit of one row (docs/proofs.md,
 * "joint moments"): responsibilities lie on the simplex and features in the
 * unit ball, both exactly, in integers.  A unit of m rows has m times that.
 *
 * Noise: sigma in units of the statistic's last bit, rounded up to an
 * integer; round(sigma X) with X an exact normal deviate is added to the
 * exact integer, which is a post-processing of the Gaussian mechanism.
 */
#include "postgres.h"

#include <math.h>

#include "core/features.h"
#include "core/sampler.h"
#include "core/sensitivity.h"
#include "engine/entropy.h"
#include "engine/raw_moments.h"
#include "engine/release.h"

/*
 * A row may also become the null row or stop being it, whose responsibilities
 * are all zero: that moves the stack by |f(x)|, the add_remove value, which
 * one component's replace_one value does not always cover.
 */
double
dpem_release_sensitivity(const DpemReleaseSpec *spec, int k)
{
	double		a = spec->count_weight;
	double		b = spec->sum_weight;
	double		c = spec->second_weight;
	double		delta2 = dpem_joint_sensitivity2(k, a, b, c, false);

	if (spec->replace_one)
		delta2 = Max(delta2, dpem_joint_sensitivity2(k, a, b, c, true));
	return spec->rows_per_unit * sqrt(delta2) * (1 + 1e-15);
}

void
dpem_release_noise(const DpemReleaseSpec *spec, int k, double z, double *count_sd,
				   double *sum_sd, double *second_sd)
{
	double		sigma = z * dpem_release_sensitivity(spec, k);

	*count_sd = spec->count_weight > 0 ? sigma / spec->count_weight : 0;
	*sum_sd = sigma / spec->sum_weight;
	*second_sd = spec->second_weight > 0 ? sigma / spec->second_weight : 0;
}

/* sd in units of 2^-bits, rounded up so that no rounding makes it smaller */
static DpemUint128
integer_sigma(double sd, int bits)
{
	double		scaled = ldexp(sd * (1 + 1e-12), bits);

	if (!(scaled < 0x1p110))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("the noise is too large to be drawn")));
	return (DpemUint128) scaled + 1;
}


#define COUNT_BITS	DPEM_RESPONSIBILITY_BITS
#define SUM_BITS	(DPEM_RESPONSIBILITY_BITS + DPEM_FEATURE_BITS)
#define SECOND_BITS (DPEM_RESPONSIBILITY_BITS + 2 * DPEM_FEATURE_BITS)

/*
 * What each number of a component's record is.  Off-diagonal products stand
 * in svec with a factor sqrt(2): noise sd / sqrt(2) on the product itself.
 */
typedef struct RecordEntry
{
	DpemUint128 sigma;			/* 0: not released */
	int			bits;
} RecordEntry;

static RecordEntry *
record_entries(const DpemMomentLayout *layout, const DpemReleaseSpec *spec,
			   const DpemNoisyMoments *noisy)
{
	RecordEntry *entry = palloc0(dpem_moments_record(layout) * sizeof(RecordEntry));
	size_t		at = 0;
	RecordEntry diagonal = {0, SECOND_BITS};
	RecordEntry off_diagonal = {0, SECOND_BITS};

	if (layout->second != DPEM_SECOND_NONE)
	{
		diagonal.sigma = integer_sigma(noisy->second_sd, SECOND_BITS);
		off_diagonal.sigma = integer_sigma(noisy->second_sd / sqrt(2.0) * (1 + 1e-15), SECOND_BITS);
	}
	if (spec->count_weight > 0)
		entry[at].sigma = integer_sigma(noisy->count_sd, COUNT_BITS);
	entry[at++].bits = COUNT_BITS;
	for (int j = 0; j < layout->d; j++)
		entry[at++] = (RecordEntry) {integer_sigma(noisy->sum_sd, SUM_BITS), SUM_BITS};
	if (layout->second == DPEM_SECOND_NORM)
		entry[at++] = diagonal;
	else if (layout->second == DPEM_SECOND_DIAGONAL)
	{
		for (int j = 0; j < layout->d; j++)
			entry[at++] = diagonal;
	}
	else if (layout->second == DPEM_SECOND_FULL)
	{
		for (int i = 0; i < layout->d; i++)
			for (int j = 0; j <= i; j++)
				entry[at++] = i == j ? diagonal : off_diagonal;
	}
	Assert(at == dpem_moments_record(layout));
	return entry;
}

/* all noise of a release is drawn before any is added: its timing is then the rows' business in no way */
static DpemInt128 *
draw_noise(const RecordEntry *entry, size_t record, size_t length)
{
	DpemInt128 *noise = palloc0(length * sizeof(DpemInt128));
	DpemSampler *sampler = palloc(sizeof(DpemSampler));
	DpemStatus	status = DPEM_OK;

	dpem_sampler_init(sampler, &dpem_strong_entropy);
	for (size_t i = 0; i < length && status == DPEM_OK; i++)
	{
		if (entry[i % record].sigma > 0)
			status = dpem_sample_rounded_normal(sampler, entry[i % record].sigma, &noise[i]);
	}
	dpem_sampler_wipe(sampler);
	pfree(sampler);
	dpem_entropy_check(status);
	return noise;
}

static DpemNoisyMoments *
create_noisy(const DpemMomentLayout *layout)
{
	DpemNoisyMoments *noisy = palloc0(sizeof(DpemNoisyMoments));

	noisy->layout = *layout;
	noisy->value = palloc0(dpem_moments_length(layout) * sizeof(double));
	return noisy;
}

DpemNoisyMoments *
dpem_release(DpemCharge *charge, int line, DpemRawMoments *raw, const DpemReleaseSpec *spec)
{
	double		z = dpem_charge_take(charge, line);
	DpemNoisyMoments *noisy = create_noisy(&raw->layout);
	size_t		record = dpem_moments_record(&raw->layout);
	RecordEntry *entry;
	DpemInt128 *noise;

	if (!raw->exact || !(z > 0) ||
		(spec->second_weight > 0) != (raw->layout.second != DPEM_SECOND_NONE))
		elog(ERROR, "dpem: these moments cannot be released");
	dpem_release_noise(spec, raw->layout.k, z, &noisy->count_sd, &noisy->sum_sd, &noisy->second_sd);
	entry = record_entries(&raw->layout, spec, noisy);
	noise = draw_noise(entry, record, raw->length);
	for (size_t i = 0; i < raw->length; i++)
	{
		if (entry[i % record].sigma > 0)
			noisy->value[i] = (double) ldexpl((long double) (raw->total[i] + noise[i]),
											  -entry[i % record].bits);
	}
	explicit_bzero(noise, raw->length * sizeof(DpemInt128));
	pfree(noise);
	pfree(entry);
	dpem_raw_moments_wipe(raw);
	return noisy;
}

DpemNoisyMoments *
dpem_release_to_reader(const DpemReader *reader, DpemRawMoments *raw)
{
	DpemNoisyMoments *noisy = create_noisy(&raw->layout);

	if (reader == NULL || raw->exact)
		elog(ERROR, "dpem: these moments cannot be released without noise");
	memcpy(noisy->value, raw->real, raw->length * sizeof(double));
	return noisy;
}
