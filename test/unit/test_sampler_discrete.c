/*
 * test_sampler_discrete.c - discrete Gaussians and Laplace deviates: their
 * laws, and the exponent with which a Gaussian is accepted.
 */
#include "sampler_fixture.h"

static void
test_laws(void)
{
	static const KnownProbability known[] = {
		{{GAUSSIAN, 1, 4, 0}, 0, 0.7865707070419478997045906L},
		{{GAUSSIAN, 1, 4, 0}, 1, 0.1064507694231447242359381L},
		{{GAUSSIAN, 2, 1, 0}, 1, 0.2196956447338611953786347L},
		{{GAUSSIAN, 10, 1, 0}, 5, 0.03614447853363625398799512L},
		{{GAUSSIAN, 1000, 1, 0}, 2, 0.01259045649939334244090380L},
		{{LAPLACE, 1, 2, 0}, 0, 0.7615941559557648881194583L},
		{{LAPLACE, 1, 1, 0}, 1, 0.1700034015685479199021577L},
		{{LAPLACE, 10, 1, 0}, 7, 0.02480859480538397151262350L}
	};
	static const Law small[] = {
		{GAUSSIAN, 1, 100, 0}, {GAUSSIAN, 1, 4, 0}, {GAUSSIAN, 1, 1, 0}, {GAUSSIAN, 2, 1, 0},
		{GAUSSIAN, 7, 3, 0}, {GAUSSIAN, 10, 1, 0}, {GAUSSIAN, 1000, 1, 0},
		{GAUSSIAN, (UINT64_C(1) << 62) - 1, UINT64_C(1) << 62, 0},
		{LAPLACE, 1, 2, 0}, {LAPLACE, 1, 1, 0}, {LAPLACE, 7, 3, 0}, {LAPLACE, 10, 1, 0},
		{LAPLACE, UINT64_MAX, UINT64_MAX / 5 - 7, 0}
	};
	static const Law large[] = {
		{GAUSSIAN, UINT64_C(1000000000000), 1, 0}, {GAUSSIAN, UINT64_C(1) << 62, 1, 0},
		{GAUSSIAN, (UINT64_C(1) << 62) - 1, UINT64_C(1000003), 0},
		{LAPLACE, 1000000, 1, 0}, {LAPLACE, UINT64_C(1) << 52, 1, 0},
		{LAPLACE, UINT64_MAX, 4099, 0}
	};

	check_known(known, sizeof(known) / sizeof(*known));
	for (size_t i = 0; i < sizeof(small) / sizeof(*small); i++)
		check_small_law(&small[i]);
	for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++)
		check_large_law(&large[i]);
	check_tails(&(Law) {GAUSSIAN, 1000000, 1, 0});
}

/*
 * The acceptance exponent of the discrete Gaussian, to 64 bits.  The script
 * proposes y = u + t v (u by its word, v times true, once false), lets
 * `whole` factors exp(-1) pass, and then compares `word` with the fraction of
 * the exponent: one more than its leading digit accepts y, one less starts
 * the next proposal, for which there are no words.
 */
static void
check_exponent(uint64_t num, uint64_t den, uint64_t proposal, int v, int whole,
			   uint64_t word, DpemStatus status, int64_t expected)
{
	uint64_t	words[3 * 1000];
	size_t		n = 0;
	int64_t		y = 1;
	DpemSampler sampler;
	ScriptedSource scripted;

	words[n++] = proposal;
	words[n++] = UINT64_MAX;
	for (int i = 0; i < v + 1 + whole; i++)
	{
		words[n++] = 9;
		words[n++] = i == v ? 9 + 1 : 5;
		words[n++] = i == v ? 0 : 7;	/* the word of single bits, after a false */
	}
	words[n++] = word;
	words[n++] = UINT64_MAX;
	scripted_init(&scripted, words, n - (status == DPEM_OK), false);
	dpem_sampler_init(&sampler, &scripted.source);
	sampler.words = 1;
	CHECK(dpem_sample_discrete_gaussian(&sampler, num, den, &y) == status && y == expected,
		  "%llu/%llu, v = %d", (unsigned long long) num, (unsigned long long) den, v);
	CHECK(scripted.next == scripted.n, "%zu of %zu words used", scripted.next, scripted.n);
}

static void
test_scripted_gaussian(void)
{
	static const struct
	{
		uint64_t	num;
		uint64_t	den;
		uint64_t	proposal;
		int			v;
		int64_t		y;
		int			whole;		/* of (y - num/(den t))^2 den / (2 num) */
		uint64_t	digit;		/* of its fraction, in base 2^64 */
	}			known[] = {
		{DPEM_SIGMA2_TERM_MAX, 1,
		UINT64_C(0x6072FFFF3F1A), 20, INT64_C(42949685325), 180, UINT64_C(0x80072B94123AAF3B)},
		{DPEM_SIGMA2_TERM_MAX - 1, 3,
		UINT64_C(0x6ED9EBBA3D788D30), 9, INT64_C(11695523286), 35, UINT64_C(0x8ECF5EB1B6402B00)},
		{DPEM_SIGMA2_TERM_MAX, DPEM_SIGMA2_TERM_MAX,
		UINT64_C(0xC000000000000000), 15, INT64_C(31), 465, UINT64_C(0x2000000000000000)},
		{7, DPEM_SIGMA2_TERM_MAX,
		UINT64_C(0x8000000000000000), 0, INT64_C(0), 0, UINT64_C(0xE)},
		{1000003, 7,
		UINT64_C(0x4410410410410410), 6, INT64_C(2368), 13, UINT64_C(0xDC7D00718235A0DC)},
		{DPEM_SIGMA2_TERM_MAX - 5, DPEM_SIGMA2_TERM_MAX - 9,
		UINT64_C(0x4000000000000000), 20, INT64_C(40), 780, UINT64_C(0x1FFFFFFFFFFFCE01)},
		{DPEM_SIGMA2_TERM_MAX, 1,
		UINT64_C(0x8000000000000000), 41, INT64_C(89120571433), 820, UINT64_C(0x20000D4A00000D25)}
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
	{
		check_exponent(known[i].num, known[i].den, known[i].proposal, known[i].v,
					   known[i].whole, known[i].digit + 1, DPEM_OK, known[i].y);
		if (known[i].digit > 0)
			check_exponent(known[i].num, known[i].den, known[i].proposal, known[i].v,
						   known[i].whole, known[i].digit - 1, DPEM_ENTROPY_FAILED, 0);
	}
}

int
main(void)
{
	test_laws();
	test_scripted_gaussian();
	return sampler_report();
}
