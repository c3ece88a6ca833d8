/*
 * test_sampler_discrete.c - the law of discrete Laplace deviates.
 */
#include "sampler_fixture.h"

int
main(void)
{
	static const KnownProbability known[] = {
		{{LAPLACE, 1, 2, 0}, 0, 0.7615941559557648881194583L},
		{{LAPLACE, 1, 1, 0}, 1, 0.1700034015685479199021577L},
		{{LAPLACE, 10, 1, 0}, 7, 0.02480859480538397151262350L}
	};
	static const Law small[] = {
		{LAPLACE, 1, 2, 0}, {LAPLACE, 1, 1, 0}, {LAPLACE, 7, 3, 0}, {LAPLACE, 10, 1, 0},
		{LAPLACE, UINT64_MAX, UINT64_MAX / 5 - 7, 0}
	};
	static const Law large[] = {
		{LAPLACE, 1000000, 1, 0}, {LAPLACE, UINT64_C(1) << 52, 1, 0}, {LAPLACE, UINT64_MAX, 4099, 0}
	};

	check_known(known, sizeof(known) / sizeof(*known));
	for (size_t i = 0; i < sizeof(small) / sizeof(*small); i++)
		check_small_law(&small[i]);
	for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++)
		check_large_law(&large[i]);
	check_likeliest(LAPLACE);
	return sampler_report();
}
