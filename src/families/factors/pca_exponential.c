/*
 * pca_exponential.c - principal directions chosen one after the other by the
 * exponential mechanism with score v'Sv (Chaudhuri, Sarwate, Sinha 2013), from
 * finite nets, so that the choice is exact.
 *
 * About a private center the rows are moved before they are summed; the ball
 * grows by the length of the center, so that no row is clipped more than
 * before.  The variance along the chosen directions is a release of its own.
 */
#include "postgres.h"

#include <math.h>

#include "storage/shmem.h"
#include "utils/memutils.h"

#include "core/accounting/choice.h"
#include "core/factors/direction_net.h"
#include "families/factors/pca_algorithm.h"
#include "server/fit_memory.h"
#include "wall/release_choice.h"

/* shares of the squared mu */
#define CENTER_SHARE	0.1
#define CHOICES_SHARE	0.7
#define PRODUCTS_SHARE	0.2

/* directions to choose: the last one of a whole basis is left over */
static int
choices(const DpemFactorsPlan *plan)
{
	return Min(plan->request->k, plan->fit.d - 1);
}

static DpemChoiceSpec
choice_spec(const DpemFactorsPlan *plan, const int32_t *directions, size_t n)
{
	return (DpemChoiceSpec) {
		.directions = directions,.n = n,.replace_one = plan->fit.dataset->replace_one,
			.rows_per_unit = plan->fit.dataset->max_rows_per_unit
	};
}

static double
root_sum(void)
{
	return sqrt(CENTER_SHARE) + sqrt(CHOICES_SHARE) + sqrt(PRODUCTS_SHARE);
}

/*
 * 1 / epsilon of a choice: all of them cost what as many Gaussian releases of
 * that share would.  Under linear and advanced composition their epsilons add
 * up to the stage's.
 */
static double
choice_multiplier(const DpemFactorsPlan *plan, int n)
{
	double		z = dpem_fit_noise_multiplier(&plan->fit, CHOICES_SHARE, root_sum(), n);

	switch (plan->fit.composition)
	{
		case DPEM_COMPOSE_LINEAR:
		case DPEM_COMPOSE_ADVANCED:
			return n / (plan->request->fit.epsilon * sqrt(CHOICES_SHARE) / root_sum());
		case DPEM_COMPOSE_EXACT:
			return 1 / dpem_choice_epsilon(1 / z);
		default:
			return z / 2;		/* epsilon^2 / 8 = 1 / (2 z^2) */
	}
}

/* a choice that is too noisy to be drawn is refused before it is paid for */
static void
check_choices(const DpemFactorsPlan *plan, double noise_multiplier)
{
	int			d = plan->fit.d;
	size_t		n = dpem_direction_net_size(d);
	DpemMomentLayout layout = {1, d, DPEM_SECOND_FULL};
	int32_t    *direction = palloc(mul_size(n * d, sizeof(int32_t)));
	DpemChoiceSpec spec = choice_spec(plan, direction, n);

	dpem_direction_net(d, 0, dpem_fit_allocate((size_t) d * d), direction);
	dpem_release_choice_check(&spec, &layout, noise_multiplier);
	pfree(direction);
}

static void
add_choices(DpemFactorsPlan *plan)
{
	int			n = choices(plan);
	DpemCostLine cost = dpem_cost_line(DPEM_COST_CHOICE, 0, n);

	if (!plan->fit.noisy || n < 1)
		return;
	cost.noise_multiplier = choice_multiplier(plan, n);
	check_choices(plan, cost.noise_multiplier);
	plan->line[DPEM_FACTORS_CHOICES] = dpem_fit_add_line(&plan->fit, "directions",
														 DPEM_MECHANISM_EXPONENTIAL, &cost);
}

static void
plan_exponential(DpemFactorsPlan *plan)
{
	plan->fit.iterations = plan->request->k;
	plan->spec[DPEM_FACTORS_MOMENTS] = dpem_factors_center_spec(plan);
	plan->spec[DPEM_FACTORS_PASSES] = dpem_factors_projection_spec(plan);
	dpem_factors_add_stage(plan, DPEM_FACTORS_MOMENTS, "center", CENTER_SHARE, DPEM_SECOND_NORM, root_sum(), 1);
	add_choices(plan);
	dpem_factors_add_stage(plan, DPEM_FACTORS_PASSES, "products", PRODUCTS_SHARE, DPEM_SECOND_NONE,
						   root_sum(), 1);
}

/* the pass's feature map takes rows about the center */
static double
move_center(DpemPcaRun *run)
{
	int			d = run->plan->fit.d;
	double		radius = run->plan->fit.clip_norm;
	double	   *center = dpem_fit_allocate(d);
	double		norm2 = 0;

	for (int j = 0; j < d; j++)
	{
		center[j] = radius * run->mean[j];
		norm2 += run->mean[j] * run->mean[j];
	}
	run->fit->pass.map.center = center;
	run->fit->pass.map.radius = radius * (1 + sqrt(norm2));
	return run->fit->pass.map.radius / radius;
}

/* without noise: the first of the best */
static size_t
best_direction(const DpemNoisyMoments *m, const int32_t *direction, size_t n)
{
	int			d = m->layout.d;
	size_t		best = 0;
	double		most = -INFINITY;

	for (size_t c = 0; c < n; c++)
	{
		const double *second = m->value + 1 + d;
		double		score = 0;

		for (int i = 0; i < d; i++)
			for (int j = 0; j <= i; j++)
				score += (i == j ? 1 : 2) * *second++ * direction[c * d + i] * direction[c * d + j];
		if (score > most)
		{
			most = score;
			best = c;
		}
	}
	return best;
}

static size_t
choose(DpemPcaRun *run, const int32_t *direction, size_t n)
{
	DpemMomentLayout layout = {1, run->plan->fit.d, DPEM_SECOND_FULL};
	DpemChoiceSpec spec = choice_spec(run->plan, direction, n);
	DpemRawMoments *raw = dpem_fit_scan(run->fit, &dpem_kernel_sums, &layout, NULL);

	if (run->plan->fit.noisy)
		return dpem_release_choice(run->fit->charge, run->plan->line[DPEM_FACTORS_CHOICES], raw, &spec);
	return best_direction(dpem_release_to_reader(run->fit->reader, raw), direction, n);
}

/* direction `taken` of the basis, among those orthogonal to the ones before it */
static void
choose_direction(DpemPcaRun *run, int taken, double *basis)
{
	int			d = run->plan->fit.d;
	size_t		n = dpem_direction_net_size(d - taken);
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	int32_t    *direction = palloc(mul_size(n * d, sizeof(int32_t)));
	size_t		chosen = 0;

	dpem_direction_net(d, taken, basis, direction);
	if (n > 1)
	{
		dpem_fit_report(run->fit, "direction", taken + 1);
		chosen = choose(run, direction, n);
	}
	for (int j = 0; j < d; j++)
		basis[(size_t) taken * d + j] = direction[chosen * d + j];
	dpem_pca_orthonormalize(taken + 1, d, basis);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

/* what the rows have along the directions, in units of the ball before it grew */
static void
release_variances(DpemPcaRun *run, double growth)
{
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	int			d = run->pca.d;
	double		sd;
	double	   *product;

	dpem_fit_report(run->fit, "products", 0);
	product = dpem_pca_product(run, NULL, &sd);
	for (int i = 0; i < run->pca.k; i++)
	{
		double		along = 0;

		for (int j = 0; j < d; j++)
			along += run->pca.direction[(size_t) i * d + j] * product[(size_t) i * d + j];
		run->pca.variance[i] = fmin(fmax(along, 0) * growth * growth, 1);
		run->pca.variance_sd[i] = sd * growth * growth;
		run->pca.alignment[i] = NAN;
	}
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

/* noise may have chosen a lesser direction first */
static void
sort_components(DpemPca *pca)
{
	size_t		size = pca->d * sizeof(double);
	double	   *swap = palloc(size);

	for (int i = 1; i < pca->k; i++)
		for (int j = i; j > 0 && pca->variance[j] > pca->variance[j - 1]; j--)
		{
			double	   *row = pca->direction + (size_t) j * pca->d;
			double		variance = pca->variance[j];

			pca->variance[j] = pca->variance[j - 1];
			pca->variance[j - 1] = variance;
			memcpy(swap, row, size);
			memcpy(row, row - pca->d, size);
			memcpy(row - pca->d, swap, size);
		}
	pfree(swap);
}

static void
run_exponential(DpemPcaRun *run)
{
	int			d = run->pca.d;
	double	   *basis = dpem_fit_allocate((size_t) d * d);
	double		growth;

	dpem_pca_run_center(run);
	growth = move_center(run);
	for (int i = 0; i < run->pca.k; i++)
		choose_direction(run, i, basis);
	memcpy(run->pca.direction, basis, (size_t) run->pca.k * d * sizeof(double));
	release_variances(run, growth);
	sort_components(&run->pca);
}

const DpemPcaAlgorithm dpem_pca_exponential = {
	.name = "exponential",.max_dimensions = DPEM_NET_MAX_DIMENSIONS,
	.limit_hint = "In more dimensions no set of directions that can be chosen from exactly is fine enough;"
	" use analyze_gauss or power.",.plan = plan_exponential,.run = run_exponential
};
