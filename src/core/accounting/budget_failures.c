/*
 * budget_failures.c - which part of a budget's delta is for failures, and
 * which for noise; see budget_rule.h.
 */
#include <math.h>

#include "core/accounting/budget_rule.h"
#include "core/numeric/bisect.h"

bool
dpem_accountant_has_failures(DpemAccountant accountant)
{
	return accountant != DPEM_ACCOUNTANT_ADVANCED && accountant != DPEM_ACCOUNTANT_LINEAR;
}

double
dpem_budget_failure_limit(DpemAccountant accountant, DpemLimit limit)
{
	if (!dpem_accountant_has_failures(accountant))
		return limit.delta;
	if (!(limit.keys_share >= 0 && limit.keys_share <= DPEM_KEYS_SHARE_MAX))
		return NAN;
	return dpem_round_up(limit.keys_share * limit.delta);
}

double
dpem_budget_noise_delta(DpemAccountant accountant, DpemLimit limit)
{
	return dpem_accountant_has_failures(accountant) ? limit.delta - dpem_budget_failure_limit(accountant, limit)
		: limit.delta;
}
