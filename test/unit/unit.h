/*
 * unit.h - the whole test framework of test/unit.
 *
 * Every test program counts its checks and ends with unit_report(), which
 * prints "N passed, N failed" (and ", N skipped" if any) and gives the exit
 * status.  Only failures and skips print a line of their own.
 */
#ifndef DPEM_TEST_UNIT_H
#define DPEM_TEST_UNIT_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static int	unit_passed;
static int	unit_failed;
static int	unit_skipped;

/* CHECK(condition, format, ...): the rest says what was expected of what */
#define CHECK(condition, ...) \
	do { \
		if (condition) \
			unit_passed++; \
		else \
		{ \
			unit_failed++; \
			printf("FAIL %s:%d: %s: ", __FILE__, __LINE__, #condition); \
			printf(__VA_ARGS__); \
			printf("\n"); \
		} \
	} while (0)

#define SKIP(...) \
	do { \
		unit_skipped++; \
		printf("SKIP "); \
		printf(__VA_ARGS__); \
		printf("\n"); \
	} while (0)

/* |actual - expected| <= relative * |expected|; false for NaN, true for equal infinities */
static inline bool
unit_close(double actual, double expected, double relative)
{
	return actual == expected || fabs(actual - expected) <= relative * fabs(expected);
}

#define CHECK_CLOSE(actual, expected, relative, ...) \
	do { \
		double		actual_ = (actual); \
		double		expected_ = (expected); \
		if (unit_close(actual_, expected_, relative)) \
			unit_passed++; \
		else \
		{ \
			unit_failed++; \
			printf("FAIL %s:%d: %s is %.17g, expected %.17g: ", __FILE__, __LINE__, \
				   #actual, actual_, expected_); \
			printf(__VA_ARGS__); \
			printf("\n"); \
		} \
	} while (0)

static inline int
unit_report(void)
{
	printf("%d passed, %d failed", unit_passed, unit_failed);
	if (unit_skipped > 0)
		printf(", %d skipped", unit_skipped);
	printf("\n");
	return unit_failed > 0;
}

#endif							/* DPEM_TEST_UNIT_H */
