/*
 * fuzz_sampler.c - exact samplers with arguments and random bytes of any
 * kind: an answer within the range that the noise can have, or a status with
 * zero; sources that fail or are stuck end the draw.
 */
#include "fuzz.h"

#include "core/noise/sampler.h"

typedef struct FuzzSource
{
	FuzzInput  *in;
	int			calls;			/* fills that succeed */
	bool		stuck;
} FuzzSource;

static bool
fill(void *context, void *bytes, size_t n)
{
	FuzzSource *source = context;

	if (source->calls-- <= 0)
		return false;
	memset(bytes, 0, n);
	for (size_t i = 0; i + 8 <= n && !source->stuck; i += 8)
	{
		uint64_t	word = fuzz_bytes(source->in, 8);

		memcpy((char *) bytes + i, &word, sizeof(word));
	}
	return true;
}

static uint64_t
any_word(FuzzInput *in)
{
	return fuzz_bytes(in, 8) >> fuzz_below(in, 64);
}

static void
draw(FuzzInput *in, DpemSampler *sampler)
{
	DpemInt128	wide = 1;
	int64_t		narrow = 1;
	uint64_t	whole = 1;
	bool		bit = true;
	DpemStatus	status;
	uint64_t	a = any_word(in);
	uint64_t	b = any_word(in);

	switch (fuzz_below(in, 4))
	{
		case 0:
			{
				DpemUint128 sigma = (DpemUint128) a << fuzz_below(in, 64);

				status = dpem_sample_rounded_normal(sampler, sigma, &wide);
				REQUIRE(status != DPEM_OK || (sigma >= 1 && sigma <= DPEM_SIGMA_MAX));
				REQUIRE(status == DPEM_OK || wide == 0);
				break;
			}
		case 1:
			status = dpem_sample_discrete_laplace(sampler, a, b, &narrow);
			REQUIRE(status == DPEM_OK || narrow == 0);
			break;
		case 2:
			status = dpem_sample_uniform(sampler, a, &whole);
			REQUIRE(status == DPEM_OK ? whole < a : whole == 0);
			break;
		default:
			status = dpem_sample_bernoulli_exp(sampler, a, b, &bit);
			REQUIRE(status == DPEM_OK || !bit);
	}
	REQUIRE(status == DPEM_OK || status == DPEM_BAD_ARGUMENT || status == DPEM_ENTROPY_FAILED);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	in = fuzz_input(data, size);
	FuzzSource	source = {&in, fuzz_one_in(&in, 4) ? fuzz_below(&in, 3) : 1000, fuzz_one_in(&in, 10)};
	DpemByteSource bytes = {fill, &source};
	DpemSampler sampler;
	int			draws = 1 + fuzz_below(&in, 8);

	dpem_sampler_init(&sampler, &bytes);
	for (int i = 0; i < draws; i++)
		draw(&in, &sampler);
	dpem_sampler_wipe(&sampler);
	for (size_t i = 0; i < sizeof(sampler.pool) / sizeof(sampler.pool[0]); i++)
		REQUIRE(sampler.pool[i] == 0);
	return 0;
}
