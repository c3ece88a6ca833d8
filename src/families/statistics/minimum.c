/*
 * minimum.c - see minimum.h.
 */
#include "postgres.h"

#include "families/statistics/minimum.h"

const char *
dpem_minimum_text(int minimum)
{
	return minimum > 0 ? psprintf(", minimum %d", minimum) : "";
}
