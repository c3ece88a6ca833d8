/*
 * online_rules.c - see online_rules.h.
 */
#include "core/online/online_learner.h"
#include "core/online/online_rules.h"

/* 2^h - 1: as many batches as cost no more noise than 2^(h - 1) */
const int	dpem_online_batches = 63;

double
dpem_online_reach(double radius)
{
	return 0.4 * radius;
}
