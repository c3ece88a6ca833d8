/*
 * test_evolution.c - generations of candidates: who survives, where variations lie,
 * and that votes without noise lead to the clusters.  Random numbers are seeded: the
 * outcome is the same on every run.
 */
#include "core/kmeans/evolution.h"
#include "core/kmeans/kmeans_estimate.h"
#include "kernel_fixture.h"

static DpemCandidates
make_candidates(int n, int d)
{
	return (DpemCandidates) {n, d, 1 / sqrt(d), numbers((size_t) n * d), numbers(n)};
}

static void
free_candidates(DpemCandidates *of)
{
	free(of->x);
	free(of->scale);
}

static void
breed(const DpemCandidates *from, const double *votes, double threshold, int k, uint64_t seed, DpemCandidates *to)
{
	size_t		length = dpem_evolution_work(from->n, k, from->d);
	double	   *memory = numbers(length);
	DpemPublicRandom random = {seed};

	dpem_evolution_breed(from, votes, threshold, k, &random, to, (DpemWorkspace) {memory, memory + length});
	free(memory);
}

/* candidates outside of box and ball, or that are no numbers */
static int
count_outside(const DpemCandidates *of)
{
	int			outside = 0;

	for (int i = 0; i < of->n; i++)
	{
		double		square = 0;
		bool		within = isfinite(of->scale[i]) && of->scale[i] >= 0;

		for (int j = 0; j < of->d; j++)
		{
			double		x = of->x[(size_t) i * of->d + j];

			within = within && fabs(x) <= of->half_width * (1 + 1e-12);
			square += x * x;
		}
		outside += !(within && square <= 1 + 1e-9);
	}
	return outside;
}

static bool
is_candidate(const DpemCandidates *of, const double *x)
{
	for (int i = 0; i < of->n; i++)
		if (memcmp(of->x + (size_t) i * of->d, x, of->d * sizeof(double)) == 0)
			return true;
	return false;
}

static void
test_survivors(void)
{
	Rng			rng = {1};

	for (int test = 0; test < 50; test++)
	{
		int			d = 1 + rng_below(&rng, 6);
		int			k = 1 + rng_below(&rng, 4);
		DpemCandidates from = make_candidates(60, d);
		DpemCandidates to = make_candidates(60, d);
		DpemCandidates again = make_candidates(60, d);
		DpemPublicRandom random = {test};
		double		votes[60];

		dpem_evolution_begin(&from, &random);
		CHECK(count_outside(&from) == 0, "the first generation");
		for (int i = 0; i < 60; i++)
			votes[i] = i % 10 == 0 ? 100 + i : rng_uniform(&rng, -20, 20);
		breed(&from, votes, 50, k, 7, &to);
		breed(&from, votes, 50, k, 7, &again);
		CHECK(count_outside(&to) == 0, "test %d: candidates outside", test);
		for (int i = 0; i < 60; i += 10)
			CHECK(is_candidate(&to, from.x + i * d), "test %d: candidate %d had votes", test, i);
		CHECK(memcmp(to.x, again.x, 60 * d * sizeof(double)) == 0, "a function of the votes");
		free_candidates(&from);
		free_candidates(&to);
		free_candidates(&again);
	}
}

/* without votes, with a vote for one alone, and with votes for all */
static void
test_extremes(void)
{
	DpemCandidates from = make_candidates(40, 3);
	DpemCandidates to = make_candidates(40, 3);
	DpemPublicRandom random = {3};
	double		votes[40] = {0};
	double		most = 0;
	int			kept = 0;

	dpem_evolution_begin(&from, &random);
	breed(&from, votes, 0, 4, 5, &to);
	CHECK(count_outside(&to) == 0 && !is_candidate(&to, from.x), "no votes: another first generation");
	votes[17] = 5;
	breed(&from, votes, 1, 4, 5, &to);
	CHECK(count_outside(&to) == 0 && is_candidate(&to, from.x + 17 * 3), "one of them");
	for (int i = 0; i < 40; i++)
	{
		double		distance;

		(void) dpem_nearest_center(1, 3, from.x + 17 * 3, to.x + i * 3, &distance);
		most = fmax(most, sqrt(distance));
	}
	CHECK(most < 5 * dpem_evolution_step * from.scale[17], "variations are %g away, of scale %g", most, from.scale[17]);
	for (int i = 0; i < 40; i++)
		votes[i] = 100 - i;
	breed(&from, votes, 0, 4, 5, &to);
	for (int i = 0; i < 40; i++)
		kept += is_candidate(&to, from.x + i * 3);
	CHECK(kept == 10 && is_candidate(&to, from.x) && !is_candidate(&to, from.x + 39 * 3), "%d of 40 survive", kept);
	free_candidates(&from);
	free_candidates(&to);
}

/* mean squared distance of 300 rows in three clusters to the nearest candidate, and their votes */
static double
vote(const DpemCandidates *c, const double *row, double *votes)
{
	double		sum = 0;

	for (int i = 0; i < c->n; i++)
		votes[i] = 0;
	for (int i = 0; i < 300; i++)
	{
		double		distance;

		votes[dpem_nearest_center(c->n, c->d, c->x, row + 4 * i, &distance)]++;
		sum += distance / 300;
	}
	return sum;
}

static void
test_clusters(void)
{
	Rng			rng = {4};
	DpemCandidates now = make_candidates(100, 4);
	DpemCandidates next = make_candidates(100, 4);
	DpemPublicRandom random = {1};
	double		row[1200];
	double		votes[100];
	double		first;
	double		last;

	for (int i = 0; i < 300; i++)
		for (int j = 0; j < 4; j++)
			row[4 * i + j] = 0.3 * (i % 3 == j) - 0.1 * (i % 3) + 0.01 * rng_normal(&rng);
	dpem_evolution_begin(&now, &random);
	first = last = vote(&now, row, votes);
	for (int round = 0; round < 8; round++)
	{
		DpemCandidates parents = now;

		breed(&now, votes, 0, 3, 100 + round, &next);
		now = next;
		next = parents;
		last = vote(&now, row, votes);
	}
	CHECK(last < 0.05 * first && last < 2 * 4 * 1e-4, "from %g to %g", first, last);
	free_candidates(&now);
	free_candidates(&next);
}

static void
test_rules(void)
{
	CHECK(dpem_evolution_rounds >= 2, "votes for variations");
	CHECK(dpem_evolution_candidates(5, 1e9, 0) >= 5 && dpem_evolution_candidates(5, 1e9, 1) >= 40, "many where noise allows");
	CHECK(dpem_evolution_candidates(900, -3, 100) >= 900 && dpem_evolution_candidates(1, 0, 1e6) >= 1, "enough for k centers");
	CHECK(dpem_evolution_candidates(5, 20000, 10) < dpem_evolution_candidates(5, 20000, 5), "fewer with more noise");
}

int
main(void)
{
	test_survivors();
	test_extremes();
	test_clusters();
	test_rules();
	return unit_report();
}
