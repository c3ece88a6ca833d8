/*
 * fuzz.h - what the fuzz targets share: values out of bytes, and requirements.
 *
 * A target is LLVMFuzzerTestOneInput, linked with libFuzzer (`make fuzz`) or
 * with driver.c, which feeds it random bytes (`make check`).  It reads what it
 * needs through a FuzzInput, which goes on with pseudo-random words after the
 * last byte, so that short inputs make whole matrices.
 */
#ifndef DPEM_FUZZ_H
#define DPEM_FUZZ_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* a statement about the code under test; its failure is a finding */
#define REQUIRE(condition) \
	do { \
		if (!(condition)) \
			fuzz_fail(__FILE__, __LINE__, #condition); \
	} while (0)

static inline void
fuzz_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: %s does not hold\n", file, line, condition);
	abort();
}

typedef struct FuzzInput
{
	const uint8_t *at;
	const uint8_t *end;
	uint64_t	state;			/* of the words after the end */
} FuzzInput;

static inline FuzzInput
fuzz_input(const uint8_t *data, size_t size)
{
	FuzzInput	in = {data, data + size, size};

	for (size_t i = 0; i < size; i++)
		in.state = (in.state ^ data[i]) * UINT64_C(0x100000001B3);
	return in;
}

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) */
static inline uint64_t
fuzz_mix(uint64_t *state)
{
	uint64_t	z = *state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

static inline uint64_t
fuzz_bytes(FuzzInput *in, size_t n)
{
	uint64_t	word = 0;

	if ((size_t) (in->end - in->at) < n)
		return fuzz_mix(&in->state) >> (64 - 8 * n);
	memcpy(&word, in->at, n);
	in->at += n;
	return word;
}

/* 0 .. n - 1 */
static inline int
fuzz_below(FuzzInput *in, int n)
{
	return (int) (fuzz_bytes(in, n <= 256 ? 1 : 4) % (uint64_t) n);
}

static inline bool
fuzz_one_in(FuzzInput *in, int n)
{
	return fuzz_below(in, n) == 0;
}

/* any double, with a liking for the ends of the range and for ordinary ones */
static inline double
fuzz_double(FuzzInput *in)
{
	static const double odd[] = {
		0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-300, 1e-16, 1e16,
		1e300, 1.7976931348623157e308, -1.7976931348623157e308, INFINITY, -INFINITY, NAN,
		0.99999999999999989, 1.0000000000000002, 8192, 262144, 9007199254740992
	};
	double		value;
	uint64_t	bits;

	switch (fuzz_below(in, 4))
	{
		case 0:
			return odd[fuzz_below(in, sizeof(odd) / sizeof(odd[0]))];
		case 1:
			bits = fuzz_bytes(in, 8);
			memcpy(&value, &bits, sizeof(value));
			return value;
		case 2:
			return ((double) fuzz_bytes(in, 4) - 0x1p31) * 0x1p-31;
		default:
			return ((double) fuzz_bytes(in, 4) - 0x1p31) * pow(10, fuzz_below(in, 40) - 25);
	}
}

/* finite, and at most `most` in size */
static inline double
fuzz_number(FuzzInput *in, double most)
{
	double		value = fuzz_double(in);

	return isfinite(value) ? fmax(-most, fmin(most, value)) : 0.25;
}

static inline double
fuzz_positive(FuzzInput *in, double least, double most)
{
	return fmax(least, fabs(fuzz_number(in, most)));
}

static inline double *
fuzz_allocate(size_t n)
{
	double	   *memory = malloc((n > 0 ? n : 1) * sizeof(double));

	if (memory == NULL)
		abort();
	memset(memory, 0, n * sizeof(double));
	return memory;
}

static inline bool
fuzz_all_finite(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
	{
		if (!isfinite(x[i]))
			return false;
	}
	return true;
}

#endif							/* DPEM_FUZZ_H */
