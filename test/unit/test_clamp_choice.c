/*
 * test_clamp_choice.c - rows expected in the tails of a column, and the clamps of statistics that follow.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/columns/column_tails.h"
#include "core/numeric/vector.h"
#include "core/statistics/clamp_choice.h"
#include "clamp_values.h"

#define ROUNDS	100
#define MOST	(ROUNDS * 9 / 10)

/* a column of which a statistic is asked for; sd: of the noise in a sum of marks, and about that in the moments that are released then */
typedef struct Kind
{
	const char *name;
	int			rows;
	double		(*value) (Rng *rng, int j);
	double		widest;			/* that nine in ten clamps are at most, of 2 */
	double		cut;			/* what they cut off of the sum, at most, in deviations of its noise without clamps */
	double		sd;
	DpemColumnValues values;
} Kind;

/* visits from 0 to 130: no bin beyond 30 is seen by itself, and the tail goes on to 90 */
static double
visits(Rng *rng, int j)
{
	(void) j;
	return rng_below(rng, 3) == 0 ? -1 : fmin(floor(exp(1.2 + 1.1 * rng_normal(rng))) / 65 - 1, 1);
}

/* zeros, and one row in fourteen anywhere in a fifth of the domain */
static double
zeros(Rng *rng, int j)
{
	(void) j;
	return rng_below(rng, 14) > 0 ? -1 : rng_uniform(rng, -1, -0.6);
}

static double
rare_ones(Rng *rng, int j)
{
	(void) j;
	return rng_below(rng, 1000) < 9 ? 1 : -1;
}

static const Kind kinds[] = {
	{"narrow, next to an end of bins", 2000, narrow, 0.02, 0.1, 0.5, DPEM_VALUES_ANY},
	{"constant", 2000, constant, 0.02, 0.1, 5, DPEM_VALUES_ANY},
	{"a tail in a narrow domain", 4400, visits, 2, 1, 20, DPEM_VALUES_ANY},
	{"zeros and some more", 5000, zeros, 2, 1, 10, DPEM_VALUES_ANY},
	{"uniform", 5000, uniform, 2, 0.2, 5, DPEM_VALUES_ANY},
	{"rare ones", 5000, rare_ones, 2, 0, 30, DPEM_VALUES_ONES},
	{"whole numbers", 5000, rare_ones, 2, 0, 30, DPEM_VALUES_TWO}
};

static const DpemStatisticScale box = {{0}, {1}};

static double
cut_off(const double *x, int n, double low, double high)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += fmin(fmax(x[i], low), high) - x[i];
	return fabs(sum);
}

/* clamps by fresh noise on the exact margins */
static void
check_clamps(Rng *rng, const Kind *kind, const DpemStatistic *statistic, const Fixture *f, const DpemNoisyMoments *exact, const double *x)
{
	DpemWorkspace work = workspace(dpem_statistic_clamp_work(&f->grid));
	double		sd[DPEM_STATISTIC_PARTS] = {kind->sd, kind->sd, kind->sd};
	double		cut[ROUNDS];
	double		length[ROUNDS];
	DpemNoisyMoments m = {.layout = f->layout,.value = numbers(f->length),.sum_sd = kind->sd};

	for (int round = 0; round < ROUNDS; round++)
	{
		DpemMargins margins;
		DpemClamp	clamp;

		for (size_t i = 0; i < f->length; i++)
			m.value[i] = exact->value[i] + (i % 2 > 0 ? m.sum_sd * rng_normal(rng) : 0);
		margins = dpem_margins_take(&f->grid, &m, kind->rows);
		margins.values = &kind->values;
		clamp = dpem_statistic_clamp(&margins, statistic, &box, sd, work);
		CHECK(clamp.low >= -1 && clamp.low < clamp.high && clamp.high <= 1, "%s: from %g to %g", kind->name, clamp.low, clamp.high);
		cut[round] = cut_off(x, kind->rows, clamp.low, clamp.high);
		length[round] = clamp.high - clamp.low;
	}
	qsort(cut, ROUNDS, sizeof(double), dpem_ascending);
	qsort(length, ROUNDS, sizeof(double), dpem_ascending);
	/* of a sum it may reach to 0, as the noise of the count is multiplied by how far its middle is from there */
	CHECK(length[MOST] <= fmax(kind->widest, strcmp(statistic->name, "sum") == 0 ? 1 : 0), "%s, %s: clamps are up to %g long", kind->name, statistic->name, length[MOST]);
	CHECK(cut[MOST] <= kind->cut * kind->sd, "%s, %s: up to %g are cut off", kind->name, statistic->name, cut[MOST]);
	free(m.value);
	free(work.next);
}

static void
check_kind(const Kind *kind)
{
	Rng			rng = {2026};
	Rng			again = {2026};
	Fixture		f = make_fixture(1, 1);
	double	   *x = numbers(kind->rows);
	DpemNoisyMoments exact;

	for (int i = 0; i < kind->rows; i++)
		x[i] = kind->value(&again, 0);
	release(&rng, &f, kind->rows, kind->value, 0, &exact);
	check_clamps(&rng, kind, dpem_statistic_from_name("avg"), &f, &exact, x);
	check_clamps(&rng, kind, dpem_statistic_from_name("variance"), &f, &exact, x);
	check_clamps(&rng, kind, dpem_statistic_from_name("sum"), &f, &exact, x);
	free(x);
	free(exact.value);
	free_fixture(&f);
}

/* what is expected is what there is, next to no noise; windows are joined, from the same bin to both ends */
static void
check_tails(void)
{
	Rng			rng = {7};
	Fixture		f = make_fixture(1, 1);
	DpemWorkspace work = workspace(dpem_column_tails_work(&f.grid));
	DpemNoisyMoments m;
	DpemMargins margins;
	DpemColumnTail tail[2];

	release(&rng, &f, 4000, visits, 0.01, &m);
	margins = dpem_margins_take(&f.grid, &m, 4000);
	CHECK(dpem_column_tails(&margins, 0, 1, tail, work), "a column is not seen");
	CHECK(tail[0].edge[0] == -tail[1].edge[1] && tail[0].edge[1] == -tail[1].edge[0], "tails begin apart");
	for (int t = 0; t < 2; t++)
	{
		double		sum = 0;

		CHECK(tail[t].edge[tail[t].windows] == 1, "tail %d ends at %g", t, tail[t].edge[tail[t].windows]);
		for (int k = 0; k < tail[t].windows; k++)
		{
			CHECK(tail[t].edge[k] < tail[t].edge[k + 1] && tail[t].rows[k] >= 0, "window %d of tail %d", k, t);
			sum += tail[t].rows[k];
		}
		tail[t].rows[0] = t == 0 ? sum : sum - tail[t].rows[0];
	}
	CHECK(fabs(tail[0].rows[0] + tail[1].rows[0] - 4000) < 5, "%g rows are expected of 4000", tail[0].rows[0] + tail[1].rows[0]);
	free(m.value);
	free(work.next);
	free_fixture(&f);
}

/* nothing is seen: the whole box */
static void
check_nothing(void)
{
	Rng			rng = {11};
	Fixture		f = make_fixture(1, 1);
	DpemWorkspace work = workspace(dpem_statistic_clamp_work(&f.grid));
	double		sd[DPEM_STATISTIC_PARTS] = {1e6, 1e6, 1e6};
	int			whole = 0;

	for (int i = 0; i < ROUNDS; i++)
	{
		DpemNoisyMoments m;
		DpemMargins margins;
		DpemClamp	clamp;

		release(&rng, &f, 1, constant, 1e6, &m);
		margins = dpem_margins_take(&f.grid, &m, 1);
		clamp = dpem_statistic_clamp(&margins, dpem_statistic_from_name("avg"), &box, sd, work);
		whole += clamp.low == -1 && clamp.high == 1 && clamp.bias == 0;
		free(m.value);
	}
	CHECK(whole > ROUNDS * 8 / 10, "of noise alone %d of %d clamps are the whole box", whole, ROUNDS);
	free(work.next);
	free_fixture(&f);
}

/* where margins tell the tails, what is expected beyond the ends is what is there */
static void
check_bias(void)
{
	Rng			rng = {13};
	Rng			again = {13};
	Fixture		f = make_fixture(1, 1);
	DpemWorkspace work = workspace(dpem_statistic_clamp_work(&f.grid));
	double		sd[DPEM_STATISTIC_PARTS] = {300, 300, 300};
	double	   *x = numbers(4000);
	DpemNoisyMoments m;
	DpemMargins margins;

	for (int i = 0; i < 4000; i++)
		x[i] = visits(&again, 0);
	release(&rng, &f, 4000, visits, 0.01, &m);
	margins = dpem_margins_take(&f.grid, &m, 4000);
	for (int s = 0; s < 2; s++)
	{
		DpemClamp	clamp = dpem_statistic_clamp(&margins, dpem_statistic_from_name(s == 0 ? "avg" : "sum"), &box, sd, work);
		double		cut = cut_off(x, 4000, clamp.low, clamp.high) / (s == 0 ? 4000 : 1);

		CHECK(cut > 0 && fabs(clamp.bias / cut - 1) < 0.2, "%g is expected to be cut off of %s, %g is", clamp.bias, s == 0 ? "an average" : "a sum", cut);
	}
	free(x);
	free(m.value);
	free(work.next);
	free_fixture(&f);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		check_kind(&kinds[i]);
	check_tails();
	check_nothing();
	check_bias();
	return unit_report();
}
