/*
 * bench_sampler.c - draws per second of every sampler on one core, over a
 * SplitMix64 byte source and over the kernel's getrandom().
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "../unit/seeded_source.h"

#define DRAWS 1000000

/* a choice of ten takes 640 exponential deviates */
#define DRAWS_OF(draw) ((draw) == draw_choice ? DRAWS / 1000 : DRAWS)

static bool
kernel_fill(void *context, void *bytes, size_t n)
{
	unsigned char *out = bytes;

	(void) context;
	while (n > 0)
	{
		ssize_t		piece = getrandom(out, n, 0);

		if (piece <= 0)
			return false;
		out += piece;
		n -= piece;
	}
	return true;
}

typedef DpemStatus (*DrawFunction) (DpemSampler *sampler, int log2_sigma, uint64_t sigma);

/* sigma, or 2^log2_sigma where that is not zero */
static DpemStatus
draw_normal(DpemSampler *sampler, int log2_sigma, uint64_t sigma)
{
	DpemInt128	x;

	return dpem_sample_rounded_normal(sampler, (DpemUint128) sigma << log2_sigma, &x);
}

/* 2^52 takes the place of 2^60 */
static DpemStatus
draw_laplace(DpemSampler *sampler, int log2_sigma, uint64_t sigma)
{
	int64_t		x;

	if (log2_sigma > 52)
		return dpem_sample_discrete_laplace(sampler, DPEM_LAPLACE_SCALE_MAX, 1, &x);
	return dpem_sample_discrete_laplace(sampler, sigma, 1, &x);
}

static DpemStatus
draw_uniform(DpemSampler *sampler, int log2_sigma, uint64_t sigma)
{
	uint64_t	x;

	return dpem_sample_uniform(sampler, sigma << log2_sigma, &x);
}

static DpemStatus
draw_bernoulli(DpemSampler *sampler, int log2_sigma, uint64_t sigma)
{
	bool		x;

	return dpem_sample_bernoulli_exp(sampler, 1, sigma << log2_sigma, &x);
}

/* of ten candidates, the scores apart by as much as the law's scale; sigma 2^60 likewise */
static DpemStatus
draw_choice(DpemSampler *sampler, int log2_sigma, uint64_t sigma)
{
	DpemInt128	score[10];
	DpemChoiceLevel level[10];
	size_t		x;

	for (int i = 0; i < 10; i++)
		score[i] = (DpemInt128) i * sigma << log2_sigma;
	return dpem_sample_exponential_choice(sampler, score, 10, 1, (DpemUint128) sigma << log2_sigma,
										  level, &x);
}

static double
seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* million draws per second; the best of three */
static double
rate(const DpemByteSource *source, DrawFunction draw, int log2_sigma, uint64_t sigma)
{
	double		best = 0;
	DpemSampler sampler;

	dpem_sampler_init(&sampler, source);
	for (int i = 0; i < 3; i++)
	{
		double		start = seconds();
		double		mega;

		for (int j = 0; j < DRAWS_OF(draw); j++)
			if (draw(&sampler, log2_sigma, sigma) != DPEM_OK)
				return 0;
		mega = DRAWS_OF(draw) / 1e6 / (seconds() - start);
		best = mega > best ? mega : best;
	}
	dpem_sampler_wipe(&sampler);
	return best;
}

int
main(void)
{
	static const struct
	{
		const char *name;
		DrawFunction draw;
	}			samplers[] = {
		{"rounded normal", draw_normal},
		{"discrete Laplace", draw_laplace}, {"uniform", draw_uniform},
		{"Bernoulli(exp(-1/sigma))", draw_bernoulli}, {"choice of 10", draw_choice}
	};
	const DpemByteSource kernel = {kernel_fill, NULL};
	SeededSource seeded;

	seeded_init(&seeded, 1);
	printf("million draws/s at sigma = %14s %8s %8s %8s\n", "1", "1e3", "1e6", "2^60");
	for (size_t i = 0; i < 2 * sizeof samplers / sizeof *samplers; i++)
	{
		const DpemByteSource *source = i % 2 == 0 ? &seeded.source : &kernel;
		DrawFunction draw = samplers[i / 2].draw;

		printf("%-26s %-12s %8.3g %8.3g %8.3g %8.3g\n", samplers[i / 2].name,
			   i % 2 == 0 ? "SplitMix64" : "getrandom", rate(source, draw, 0, 1),
			   rate(source, draw, 0, 1000), rate(source, draw, 0, 1000000),
			   rate(source, draw, 60, 1));
	}
	printf("(for 2^60: discrete Laplace at its limit 2^52)\n");
	return 0;
}
