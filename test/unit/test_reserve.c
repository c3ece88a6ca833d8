/*
 * test_reserve.c - shares that are reserved: whatever others charge, in whatever order, who holds such a share can
 * spend it in each of its periods, and nobody exceeds the dataset's budget.  A search over random courses of events.
 */
#include "unit.h"

#include "seeded_source.h"
#include "core/accounting/budget_rule.h"

#define SHARES 3

static SeededSource source = {.state = 20261122};

static double
uniform(void)
{
	return ((double) (seeded_word(&source) >> 11) + 0.5) * 0x1p-53;
}

typedef struct Share
{
	DpemLimit	limit;
	DpemTotals	spent;
	int			periods;
} Share;

typedef struct Course
{
	DpemAccountant accountant;
	DpemLimit	limit;
	DpemTotals	total;
	Share		share[SHARES];
	int			paid;			/* of reserved shares */
	int			others;
} Course;

static DpemTotals
plus(const DpemTotals *a, const DpemTotals *b)
{
	DpemTotals	sum = *a;

	sum.mu2_units += b->mu2_units;
	sum.rho_units += b->rho_units;
	sum.plain_rho_units += b->plain_rho_units;
	sum.epsilon += b->epsilon;
	sum.delta += b->delta;
	sum.epsilon2 += b->epsilon2;
	sum.failure += b->failure;
	return sum;
}

/* a call whose mechanism may cost more or less in one currency than in another */
static DpemTotals
random_cost(double size)
{
	double		mu2 = size * size * uniform() / 40;
	DpemTotals	cost = {.mu2_units = dpem_cost_units(mu2),.rho_units = dpem_cost_units(mu2 * (0.2 + uniform()))};

	cost.plain_rho_units = cost.rho_units;
	cost.epsilon = size * uniform();
	cost.epsilon2 = cost.epsilon * cost.epsilon;
	cost.delta = 1e-7 * uniform();
	cost.failure = uniform() < 0.3 ? 1e-7 * uniform() : 0;
	return cost;
}

static bool
leaves_reserved(const Course *c, const DpemTotals *total)
{
	DpemTotals	held = {0};
	DpemTotals	sum;

	for (int i = 0; i < SHARES; i++)
		dpem_budget_add_reserved(c->accountant, &held, c->share[i].limit, &c->share[i].spent, c->share[i].periods);
	sum = dpem_budget_with_reserved(total, &held);
	return dpem_budget_affords(c->accountant, &sum, c->limit);
}

/* reserved one by one, as far as the budget allows */
static void
begin(Course *c, DpemAccountant accountant)
{
	double		keys = accountant == DPEM_ACCOUNTANT_LINEAR ? 0 : 0.1;

	*c = (Course) {.accountant = accountant,.limit = {1 + 9 * uniform(), 1e-5, keys}};
	for (int i = 0; i < SHARES; i++)
	{
		c->share[i].limit = (DpemLimit) {c->limit.epsilon * (0.05 + 0.5 * uniform()), 1e-6, keys};
		for (c->share[i].periods = 1 + (int) (6 * uniform()); c->share[i].periods > 0 && !leaves_reserved(c, &c->total);)
			c->share[i].periods--;
	}
}

static void
charge_other(Course *c)
{
	DpemTotals	cost = random_cost(c->limit.epsilon / 2);
	DpemTotals	total = plus(&c->total, &cost);

	if (!leaves_reserved(c, &total))
		return;
	CHECK(dpem_budget_affords(c->accountant, &total, c->limit), "another call crosses the budget");
	c->total = total;
	c->others++;
}

static void
charge_reserved(Course *c, Share *share)
{
	DpemTotals	cost = random_cost(share->limit.epsilon);
	DpemTotals	spent = plus(&share->spent, &cost);
	DpemTotals	total = plus(&c->total, &cost);

	if (share->periods < 1 || !dpem_budget_affords(c->accountant, &spent, share->limit))
		return;
	/* sums of doubles, which the server has as decimals, may be off by roundings */
	total.epsilon *= 1 - 1e-13;
	total.delta *= 1 - 1e-13;
	total.failure *= 1 - 1e-13;
	CHECK(dpem_budget_affords(c->accountant, &total, c->limit), "a reserved share cannot be spent");
	c->total = total;
	share->spent = spent;
	c->paid++;
}

static void
end_period(Share *share)
{
	share->spent = (DpemTotals) {0};
	share->periods -= share->periods > 0;
}

static void
test_courses(DpemAccountant accountant, const char *name)
{
	int			paid = 0;
	int			others = 0;

	for (int course = 0; course < 150; course++)
	{
		Course		c;

		begin(&c, accountant);
		for (int step = 0; step < 120; step++)
		{
			Share	   *share = &c.share[(int) (SHARES * uniform())];
			double		what = uniform();

			if (what < 0.5)
				charge_other(&c);
			else if (what < 0.9)
				charge_reserved(&c, share);
			else
				end_period(share);
		}
		paid += c.paid;
		others += c.others;
	}
	CHECK(paid > 200 && others > 200, "%s: %d reserved and %d other charges", name, paid, others);
}

static void
test_part(void)
{
	DpemLimit	budget = {8, 1e-5, 0};
	DpemLimit	share = {2, 1e-6, 0};
	DpemTotals	spent = {.epsilon = 1,.delta = 1e-7};

	CHECK_CLOSE(dpem_budget_reserved_part(DPEM_ACCOUNTANT_LINEAR, share, &spent, 3, budget), 5.0 / 8, 1e-9, "two periods and a half");
	CHECK(dpem_budget_reserved_part(DPEM_ACCOUNTANT_LINEAR, share, &spent, 0, budget) < 1e-9, "no period");
	CHECK(!dpem_accountant_reserves(DPEM_ACCOUNTANT_RDP) && !dpem_accountant_reserves(DPEM_ACCOUNTANT_MA) &&
		  !dpem_accountant_reserves(DPEM_ACCOUNTANT_ADVANCED), "accountants without a largest total");
}

int
main(void)
{
	test_courses(DPEM_ACCOUNTANT_GDP, "gdp");
	test_courses(DPEM_ACCOUNTANT_ZCDP, "zcdp");
	test_courses(DPEM_ACCOUNTANT_LINEAR, "linear");
	test_part();
	return unit_report();
}
