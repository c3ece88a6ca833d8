/*
 * test_mixture_choice.c - how many components of numbers and categories: as many as a mixture of more than enough was made of,
 * fewer under noise, the same for the same numbers.
 */
#include "core/mixture/mixture_choice.h"
#include "kernel_fixture.h"

#define D		5				/* a normal number, a count, a label of three categories */
#define PARTS	6

static const DpemMixtureLaw law[D] = {DPEM_LAW_NORMAL, DPEM_LAW_POISSON, DPEM_LAW_CATEGORY, DPEM_LAW_CATEGORY, DPEM_LAW_CATEGORY};
static const int label[D] = {0, 1, 2, 2, 2};
static const double middle[2] = {0, 10};
static const double unit[2] = {1, 5};
static const DpemMixtureRows rows = {.numbers = 2,.d = D,.radius = 3,.law = law,.label = label,.middle = middle,.unit = unit};

static double weight[PARTS];
static double mean[PARTS * D];
static double variance[PARTS * D];
static double count[PARTS];
static double work[1 << 20];

/* three groups apart by `apart`, each in two halves that are the same but for a little */
static DpemMixture
make_mixture(double apart)
{
	for (int k = 0; k < PARTS; k++)
	{
		int			group = k % 3;
		double	   *m = mean + k * D;

		weight[k] = 1.0 / PARTS;
		count[k] = 20000.0 / PARTS;
		m[0] = apart * (group - 1) + 0.01 * (k / 3);
		m[1] = 0.2 * apart * group;
		for (int j = 2; j < D; j++)
			m[j] = (1 + (j - 2 == group) * apart) / (3 + apart);
		for (int j = 0; j < D; j++)
			variance[k * D + j] = law[j] == DPEM_LAW_NORMAL ? 0.3 : 0;
	}
	return (DpemMixture) {.k = PARTS,.d = D,.weight = weight,.mean = mean,.variance = variance};
}

static DpemSizes
choose(double apart, double noise, DpemMixture *mixture)
{
	DpemMixtureMoments moments = {.k = PARTS,.n = D,.count = count,.count_sd = noise,.sum_sd = noise,.square_sd = noise};
	DpemSizes	sizes = {.n = 5,.k = {1, 2, 3, 4, 6}};
	size_t		n = dpem_mixture_choice_work(&rows, &sizes, PARTS);

	*mixture = make_mixture(apart);
	CHECK(n <= sizeof(work) / sizeof(double), "room for %zu numbers", n);
	dpem_mixture_choose(&rows, &moments, &sizes, mixture, NULL, (DpemWorkspace) {work, work + n});
	return sizes;
}

static void
check_choice(void)
{
	DpemMixture m;
	DpemSizes	again;
	DpemSizes	sizes = choose(3, 1, &m);
	double		sum = 0;

	CHECK(sizes.chosen == 3 && m.k == 3, "three groups are three: %d", sizes.chosen);
	for (int k = 0; k < m.k; k++)
	{
		sum += m.weight[k];
		CHECK(fabs(m.weight[k] - 1.0 / 3) < 0.03, "a third each: %g", m.weight[k]);
		CHECK_CLOSE(m.mean[k * D + 2] + m.mean[k * D + 3] + m.mean[k * D + 4], 1, 1e-9, "shares");
	}
	CHECK_CLOSE(sum, 1, 1e-9, "weights");
	for (int i = 0; i < sizes.n; i++)
		CHECK(sizes.score[i] <= sizes.log_likelihood[i] && sizes.score[i] <= sizes.score[2], "candidate %d: %g, %g", sizes.k[i], sizes.log_likelihood[i], sizes.score[i]);
	again = choose(3, 1, &m);
	for (int i = 0; i < sizes.n; i++)
		CHECK(again.score[i] == sizes.score[i], "the same numbers, the same scores");
	CHECK(choose(3, 1e6, &m).chosen == 1 && m.k == 1, "noise hides all");
	CHECK(choose(0, 1, &m).chosen == 1, "groups that are the same are one");
}

/* noise of the size of sampling errors halves what rows are worth */
static void
check_worth(void)
{
	DpemMixture m = make_mixture(0);
	DpemMixtureMoments moments = {.k = PARTS,.n = D,.count = count};
	double		sampling = 0;
	double		v[D] = {0.3, 10 / 25.0, 2.0 / 9, 2.0 / 9, 2.0 / 9};

	CHECK_CLOSE(dpem_mixture_effective_rows(&rows, &moments, &m, PARTS), 20000, 1e-9, "no noise");
	for (int j = 0; j < D; j++)
		sampling += v[j] * 20000 / PARTS;
	sampling += 2 * 0.09 * 20000 / PARTS;
	moments.sum_sd = moments.square_sd = sqrt(sampling / (D + 1));
	CHECK_CLOSE(dpem_mixture_effective_rows(&rows, &moments, &m, PARTS), 10000, 1e-9, "half");
}

int
main(void)
{
	check_choice();
	check_worth();
	return unit_report();
}
