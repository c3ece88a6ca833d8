/*
 * entropy.c - random bytes from the operating system through pg_strong_random.
 */
#include "postgres.h"

#include <math.h>

#include "core/density/compare_kernel.h"
#include "server/entropy.h"

static bool
strong_fill(void *context, void *bytes, size_t n)
{
	(void) context;
	return pg_strong_random(bytes, n);
}

const DpemByteSource dpem_strong_entropy = {.fill = strong_fill,.context = NULL};

void
dpem_entropy_check(DpemStatus status)
{
	if (status != DPEM_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate noise"),
				 errdetail("The source of cryptographic random bytes failed; nothing was released.")));
}

double
dpem_entropy_uniform(DpemSampler *sampler)
{
	uint64_t	bits;

	dpem_entropy_check(dpem_sample_uniform(sampler, UINT64CONST(1) << 53, &bits));
	return ((double) bits + 0.5) * 0x1p-53;
}

static double
draw_for_row(void)
{
	static DpemSampler sampler;

	if (sampler.source == NULL || sampler.status != DPEM_OK)
		dpem_sampler_init(&sampler, &dpem_strong_entropy);
	return dpem_entropy_uniform(&sampler);
}

void
dpem_entropy_init(void)
{
	dpem_compare_uniform = draw_for_row;
}

double
dpem_entropy_normal(DpemSampler *sampler)
{
	double		u = dpem_entropy_uniform(sampler);
	double		v = dpem_entropy_uniform(sampler);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);	/* Box and Muller 1958 */
}

int
dpem_entropy_place(DpemSampler *sampler, const double *share, int n)
{
	double		u = dpem_entropy_uniform(sampler);
	int			i = 0;

	while (i < n - 1 && u >= share[i])
		u -= share[i++];
	return i;
}
