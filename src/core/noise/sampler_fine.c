/*
 * sampler_fine.c - the exponential mechanism among many candidates.
 *
 * With g_i = whole_i + part_i / scale, candidate i has to be kept with probability
 * exp(-g_i).  Where candidates are proposed uniformly (sampler_choice.c) it takes many
 * draws for each.  Here they are proposed in proportion to integers c_i that are at most
 * 1 above 2^96 exp(-whole_i): a uniform integer below their sum is in the i-th one's part,
 * at a place v.  The place is kept for certain where v + 1 is at most 2^96 exp(-whole_i); at
 * the last one, further binary digits of exp(-whole_i) decide.  What is left, exp(-part_i /
 * scale), is whether an exponential deviate exceeds it.  So the law is exact, with the
 * exception that sampler.h states.
 *
 * There are always DPEM_FINE_ROUNDS proposals, and of them the first kept one counts.  One
 * of them is kept with probability at least exp(-1) / 2, less 2^-38.
 */
#include "core/noise/sampler.h"

#define ONE ((DpemUint128) 1 << 96)
#define DIGITS 6

/* the leading 384 binary digits of exp(-k), k = 1, 2, ..., DPEM_FINE_MOST */
static const uint64_t power[DPEM_FINE_MOST][DIGITS] = {
	{UINT64_C(0x5e2d58d8b3bcdf1a), UINT64_C(0xbadec7829054f90d), UINT64_C(0xda9805aab56c7733),
	 UINT64_C(0x3024b9d0a507daed), UINT64_C(0xb16400bf472b4215), UINT64_C(0xb8245b669d90d27a)},
	{UINT64_C(0x22a555477f03973f), UINT64_C(0xb6edd5c25a052ae3), UINT64_C(0xf0dd961da28ac995),
	 UINT64_C(0x9e1329cdbcb21c09), UINT64_C(0x4d7bca60255021aa), UINT64_C(0x3595a5cd0912898c)},
	{UINT64_C(0x0cbed86667585764), UINT64_C(0xa4130191c8408680), UINT64_C(0x3a08ae39cdc318c6),
	 UINT64_C(0x1477227b8fee43f1), UINT64_C(0x23adf23662f350c1), UINT64_C(0xb9d3bc9fd3f08e58)},
	{UINT64_C(0x04b0556e084f3d1d), UINT64_C(0xfa2bc04cb0ab88f5), UINT64_C(0x28f9435387c7dd33),
	 UINT64_C(0x793561a4b342b9b4), UINT64_C(0xd0a972d8d7cf1858), UINT64_C(0xb56571fceff5b55a)},
	{UINT64_C(0x01b993fe00d53761), UINT64_C(0xc45c249149a5b95d), UINT64_C(0xc61840d80f80a271),
	 UINT64_C(0x42e2472eb7e84e32), UINT64_C(0x5312f33d1e455c6c), UINT64_C(0x8119fef70b9f35ae)},
	{UINT64_C(0x00a2728f889ea6ae), UINT64_C(0xc05d023e000435e6), UINT64_C(0x089ac958e6ec137b),
	 UINT64_C(0x49e9642d82cd4b0b), UINT64_C(0x028b9f3cb99f0ad7), UINT64_C(0x1a23ac892d275481)},
	{UINT64_C(0x003bc2d73849531d), UINT64_C(0x57332efd57ef4a2b), UINT64_C(0x8a392cd9a929a15f),
	 UINT64_C(0x79a65fe80bf20657), UINT64_C(0x6f0166725be4029a), UINT64_C(0xaee30bde3c8d2c68)},
	{UINT64_C(0x0015fc21041027ac), UINT64_C(0xbbfcd46780fee71e), UINT64_C(0xad23fbcb7f4a81e5),
	 UINT64_C(0x8767ef801a32c2ef), UINT64_C(0x2b457c221049ec47), UINT64_C(0xb888d35ad4a1243e)},
	{UINT64_C(0x0008167912932a2c), UINT64_C(0xc8ab6d9e082ec1b6), UINT64_C(0x425d25498fb1c77e),
	 UINT64_C(0x9d07095552994807), UINT64_C(0xe813f716ded7b4c1), UINT64_C(0x463be586920e7527)},
	{UINT64_C(0x0002f9af36ac8f93), UINT64_C(0x538b648eaa1310e5), UINT64_C(0xf2bdf1d29cb28266),
	 UINT64_C(0x8b9a7147cc4dc89a), UINT64_C(0xd32fecc1adbf947b), UINT64_C(0x210baceb7b7198a8)},
	{UINT64_C(0x000118354238f676), UINT64_C(0x403c9efcef2efaad), UINT64_C(0xccd93da5c8a515a8),
	 UINT64_C(0x151c06761d030c2a), UINT64_C(0x49b52711cecf6c53), UINT64_C(0xe6b61d636341bc5a)},
	{UINT64_C(0x0000671530ed0ef2), UINT64_C(0x2bc643b06cff1c8f), UINT64_C(0x4e47927a5a92698c),
	 UINT64_C(0x9cae1f7e4c17b7a9), UINT64_C(0x9620a98b531a923b), UINT64_C(0xf6ea647893f4a745)},
	{UINT64_C(0x000025ec0a77303b), UINT64_C(0x306842a4a5658da8), UINT64_C(0xb172d25d79f14174),
	 UINT64_C(0x4a6d7f24183c7ecf), UINT64_C(0xd7a489caaa966e80), UINT64_C(0x3eae5cafe1ce5be8)},
	{UINT64_C(0x00000df3637ed80b), UINT64_C(0x09086e670bd598c4), UINT64_C(0x4323e07de349c8f8),
	 UINT64_C(0xe1d285dc8f15a6a0), UINT64_C(0x720cce3c40ff6b87), UINT64_C(0x5b93332e494f2f62)},
	{UINT64_C(0x00000521d72889fb), UINT64_C(0x0e02fe38b63eebcc), UINT64_C(0xbfc016352bc1c88d),
	 UINT64_C(0xfe46313f3a94c3f9), UINT64_C(0x2713538ea74b0158), UINT64_C(0x1ac993666d3c366d)},
	{UINT64_C(0x000001e355bbaee8), UINT64_C(0x5cada65f73f32e88), UINT64_C(0xfb3cc629b709109f),
	 UINT64_C(0x57564d7e0b35f378), UINT64_C(0x416c10d40ba24086), UINT64_C(0x60ae4911e22543e9)},
	{UINT64_C(0x000000b1cf18bad3), UINT64_C(0x44e5ecce1dd4e867), UINT64_C(0xf102f83afa076aee),
	 UINT64_C(0xac5cd56b62cc220b), UINT64_C(0x8191421e2b66c51d), UINT64_C(0x6ed5b03e5dd8d5bb)},
	{UINT64_C(0x00000041698a31a6), UINT64_C(0x7e832211c55e95af), UINT64_C(0xd5b86789e02e85a6),
	 UINT64_C(0xe3509c9c716680e1), UINT64_C(0xe9f943ee6a5c018a), UINT64_C(0xdce76e16b6c0341a)},
	{UINT64_C(0x000000181056ff2c), UINT64_C(0x5771a77f0f91dbfb), UINT64_C(0x5dd8a9f21002076f),
	 UINT64_C(0x8f632aa7a95d7e44), UINT64_C(0xbe7b760c2affb8cd), UINT64_C(0xaee3277b98db93ee)},
	{UINT64_C(0x00000008da432af9), UINT64_C(0xb93373025a28a80b), UINT64_C(0xf7ad59425a48361f),
	 UINT64_C(0xc73351aeb79f6298), UINT64_C(0x14fbe54c85f1a053), UINT64_C(0x57fdfc66184062f8)},
	{UINT64_C(0x0000000341b61a1b), UINT64_C(0xb67d841156e47a5e), UINT64_C(0x75a3668effc3d2ef),
	 UINT64_C(0x4c8af0e8be5c2e99), UINT64_C(0xdc41281195b2e44b), UINT64_C(0xcef0effec6f00257)},
	{UINT64_C(0x0000000132b48bf1), UINT64_C(0x17da253cef05f685), UINT64_C(0x915be4957c71bacf),
	 UINT64_C(0x2bc073fb3c357f05), UINT64_C(0x3a0132a5c91c1193), UINT64_C(0x2127b5899b43856e)},
	{UINT64_C(0x0000000070d49f90), UINT64_C(0xcfeac45fad30edea), UINT64_C(0xcce2ca7233162f26),
	 UINT64_C(0x5f307a805b323f86), UINT64_C(0x92e8fba613eade1a), UINT64_C(0x46f31daa0abd037f)},
	{UINT64_C(0x0000000029820f1f), UINT64_C(0xd245141436addb03), UINT64_C(0x221af555132c10c3),
	 UINT64_C(0x80e90b50d6dfde3f), UINT64_C(0x7187665003b3fed8), UINT64_C(0xd3a80eb9f7d0995d)},
	{UINT64_C(0x000000000f451bd2), UINT64_C(0x2fe196e818e4ee1e), UINT64_C(0x7635035a9e14476a),
	 UINT64_C(0xe4759b3bfc40bfcd), UINT64_C(0x83bcc82ac74c2bf3), UINT64_C(0xc89d125ef361cb56)},
	{UINT64_C(0x00000000059e14a9), UINT64_C(0xc01f9061e363dd59), UINT64_C(0x92615f2b844927e3),
	 UINT64_C(0x599a50da91d0f26a), UINT64_C(0x576ee996742bd950), UINT64_C(0x27eef5bc629918ca)},
	{UINT64_C(0x0000000002110a53), UINT64_C(0x0ecfd3446f1dfbcc), UINT64_C(0x79008fddb63d86e4),
	 UINT64_C(0xf12c4713084460fc), UINT64_C(0x2f7354f31b95ade2), UINT64_C(0x33cc0ba84b477feb)},
	{UINT64_C(0x0000000000c29f80), UINT64_C(0xeb6a9dcfeb64183c), UINT64_C(0x8af3c6b113119aed),
	 UINT64_C(0x14cfb4dca38f9709), UINT64_C(0x17740af1cc3116fd), UINT64_C(0x65a559b0550ef52d)},
	{UINT64_C(0x000000000047990a), UINT64_C(0xebae128142bbc1e7), UINT64_C(0x3b1ec02dc18e8abd),
	 UINT64_C(0x2838979b27af4315), UINT64_C(0x74fda3f275ab04db), UINT64_C(0xf0ba75e39b58eee0)},
	{UINT64_C(0x00000000001a56e0), UINT64_C(0xc2ac7f74d50fd4e3), UINT64_C(0xd400f81e6b7e3875),
	 UINT64_C(0xe1b3df521ae26f4f), UINT64_C(0xc7cfc8aa1964396d), UINT64_C(0x493e3498d51ec7a8)},
	{UINT64_C(0x000000000009b090), UINT64_C(0xf1269ddcc4bc6204), UINT64_C(0xc912a698fd80bb97),
	 UINT64_C(0x92c5b0e2f8e848d2), UINT64_C(0xfa033afa38534e35), UINT64_C(0xe211e8a741ad7cc6)},
	{UINT64_C(0x000000000003908c), UINT64_C(0x9eec2c8d03c53340), UINT64_C(0x24890f109ac923ad),
	 UINT64_C(0xd94bd6d745bc3238), UINT64_C(0xd9572b17e310e703), UINT64_C(0x24310d1a529406b0)},
	{UINT64_C(0x0000000000014fb5), UINT64_C(0x47c775da786fc232), UINT64_C(0x0447312db6d02b78),
	 UINT64_C(0x41aeb046c845ab69), UINT64_C(0xf3330c02e7da7623), UINT64_C(0x587828a5a8d7af9d)},
	{UINT64_C(0x0000000000007b80), UINT64_C(0x07bb58aa7f51e38f), UINT64_C(0xbcf81aec83b08c6e),
	 UINT64_C(0xd9e1ff7564048f1f), UINT64_C(0x328a6fc0c28b7b70), UINT64_C(0xb0f5d3b084cfb842)},
	{UINT64_C(0x0000000000002d6e), UINT64_C(0xe334b3e1c054f70b), UINT64_C(0x295c59c086af2b63),
	 UINT64_C(0xb73961f1775066da), UINT64_C(0x7119ecf9e3aaabf9), UINT64_C(0x2f29f3c39468640c)},
	{UINT64_C(0x00000000000010b6), UINT64_C(0xc3afdde063806d10), UINT64_C(0x0cb8b95db381876b),
	 UINT64_C(0x8bc85542ea3077a4), UINT64_C(0x67d386eb5d1c13b3), UINT64_C(0xa56b34eb17d42cf9)},
	{UINT64_C(0x0000000000000626), UINT64_C(0x11c7f298153f9dab), UINT64_C(0x68888a8d63a8ca8b),
	 UINT64_C(0x4da661fa3ddb6867), UINT64_C(0xb14dbadb08fbe9b4), UINT64_C(0x8daeeab70e9941b4)},
	{UINT64_C(0x0000000000000243), UINT64_C(0x115ad5c66061bb01), UINT64_C(0xef4917a067f84b3b),
	 UINT64_C(0x246dcdd21d093809), UINT64_C(0xe231a8e856d1850b), UINT64_C(0xe914500c806e7f39)},
	{UINT64_C(0x00000000000000d5), UINT64_C(0x06f25f9ad9bf4f1e), UINT64_C(0xc8ff51f6190e87bd),
	 UINT64_C(0x68a9952d8fd6c855), UINT64_C(0x6d1bcf33d8f96fee), UINT64_C(0xc0b0db1d0114235e)},
	{UINT64_C(0x000000000000004e), UINT64_C(0x5e49266c6890a552), UINT64_C(0x8520d6f4fa11158e),
	 UINT64_C(0x5f9e4010a95cd5cb), UINT64_C(0x36fe9b6550f10f43), UINT64_C(0x8fe854014e8735ff)}
};

static DpemUint128
weight_of(int whole)
{
	if (whole == 0)
		return ONE;
	return ((DpemUint128) power[whole - 1][0] << 32 | power[whole - 1][1] >> 32) + 1;
}

/* whether the place v of a weight is below 2^96 exp(-whole) */
static bool
keeps_place(DpemSampler *sampler, int whole, DpemUint128 v)
{
	const uint64_t *digit = power[whole > 0 ? whole - 1 : 0];
	uint64_t	drawn = dpem_sampler_word(sampler) >> 32;

	if (whole == 0 || v + 1 < weight_of(whole))
		return true;
	if (drawn != (uint32_t) digit[1])
		return drawn < (uint32_t) digit[1];
	for (int i = 2; i < DIGITS; i++)
	{
		drawn = dpem_sampler_word(sampler);
		if (drawn != digit[i])
			return drawn < digit[i];
	}
	return dpem_sampler_give_up(sampler);
}

/* differences are exact modulo 2^128, where they are below 2^128 */
static void
fill_room(const DpemInt128 *score, size_t n, DpemUint128 scale, DpemFineRoom *room)
{
	DpemInt128	best = score[0];
	DpemUint128 sum = 0;

	for (size_t i = 1; i < n; i++)
		best = score[i] > best ? score[i] : best;
	for (size_t i = 0; i < n; i++)
	{
		DpemUint128 distance = (DpemUint128) best - (DpemUint128) score[i];
		DpemUint128 whole = distance / scale;

		room[i].whole = whole < DPEM_FINE_MOST ? (int) whole : DPEM_FINE_MOST;
		room[i].part = whole < DPEM_FINE_MOST ? distance - whole * scale : 0;
		sum += weight_of(room[i].whole);
		room[i].upto = sum;
	}
}

/* the candidate in whose part a number below the sum of all weights is */
static size_t
find_candidate(const DpemFineRoom *room, size_t n, DpemUint128 number)
{
	size_t		first = 0;
	size_t		last = n - 1;

	while (first < last)
	{
		size_t		middle = first + (last - first) / 2;

		if (number < room[middle].upto)
			last = middle;
		else
			first = middle + 1;
	}
	return first;
}

/* uniform among the numbers below the least power of two that is no less than most */
static DpemUint128
draw_number(DpemSampler *sampler, DpemUint128 most)
{
	DpemUint128 mask = most - 1;
	DpemUint128 number = (DpemUint128) dpem_sampler_word(sampler) << 64;

	for (int shift = 1; shift < 128; shift *= 2)
		mask |= mask >> shift;
	return (number | dpem_sampler_word(sampler)) & mask;
}

/* n: nothing is kept */
static size_t
propose(DpemSampler *sampler, size_t n, DpemUint128 scale, const DpemFineRoom *room)
{
	DpemUint128 number = draw_number(sampler, room[n - 1].upto);
	size_t		i = find_candidate(room, n, number);
	DpemChoiceLevel rest = {0, room[i].part};
	bool		inside = number < room[i].upto;
	DpemUint128 place = inside ? room[i].upto - 1 - number : 0;
	bool		kept = keeps_place(sampler, room[i].whole, place);

	kept &= dpem_sampler_exceeds(sampler, &rest, scale);
	return inside && kept ? i : n;
}

DpemStatus
dpem_sample_fine_choice(DpemSampler *sampler, const DpemInt128 *score, size_t n, DpemUint128 scale,
						DpemFineRoom *room, size_t *out)
{
	size_t		chosen = n;

	*out = 0;
	if (sampler->status != DPEM_OK)
		return sampler->status;
	if (n < 1 || n > DPEM_FINE_MAX || scale < 1 || scale > DPEM_CHOICE_DEN_MAX)
		return DPEM_BAD_ARGUMENT;
	fill_room(score, n, scale, room);
	for (int round = 0; round < DPEM_FINE_ROUNDS && sampler->status == DPEM_OK; round++)
	{
		size_t		proposed = propose(sampler, n, scale, room);

		chosen = chosen == n ? proposed : chosen;
	}
	if (chosen == n)
		dpem_sampler_give_up(sampler);
	if (sampler->status == DPEM_OK)
		*out = chosen;
	return sampler->status;
}
