/*
 * paper_mechanism.c - see paper_mechanism.h.
 */
#include "core/accounting/paper_mechanism.h"

#include <string.h>

#include "core/numeric/bisect.h"

const char *const dpem_paper_statistic_names[DPEM_PAPER_STATISTICS] = {
	"weights", "means", "covariances"
};

static const DpemPaperMechanism mechanisms[] = {
	{"ggg", DPEM_SCENARIO_GGG, {DPEM_NOISE_GAUSSIAN, DPEM_NOISE_GAUSSIAN, DPEM_NOISE_GAUSSIAN}, true},
	{"llg", DPEM_SCENARIO_LLG, {DPEM_NOISE_LAPLACE, DPEM_NOISE_LAPLACE, DPEM_NOISE_GAUSSIAN}, true},
	{"lll", DPEM_SCENARIO_LLL, {DPEM_NOISE_LAPLACE, DPEM_NOISE_LAPLACE, DPEM_NOISE_ONE_SIDED}, false}
};

const DpemPaperMechanism *
dpem_paper_mechanism(const char *name)
{
	for (size_t i = 0; i < sizeof(mechanisms) / sizeof(mechanisms[0]); i++)
		if (strcmp(mechanisms[i].name, name) == 0)
			return &mechanisms[i];
	return NULL;
}

DpemMechanism
dpem_noise_mechanism(DpemNoiseKind noise, DpemSecondMoment shape)
{
	if (noise == DPEM_NOISE_ONE_SIDED)
		return shape == DPEM_SECOND_FULL ? DPEM_MECHANISM_WISHART : DPEM_MECHANISM_GAMMA;
	return noise == DPEM_NOISE_LAPLACE ? DPEM_MECHANISM_LAPLACE : DPEM_MECHANISM_GAUSSIAN;
}

int
dpem_paper_releases(DpemPaperStatistic statistic, int k)
{
	return statistic == DPEM_PAPER_WEIGHTS ? 1 : k;
}

/* of svec(x x'), x o x or |x|^2 within one component: see docs/proofs.md */
static double
second_sensitivity(const DpemMomentLayout *layout, bool replace_one)
{
	bool		one_number = layout->second == DPEM_SECOND_NORM || layout->d == 1;

	return replace_one && !one_number ? M_SQRT2 : 1;
}

double
dpem_paper_sensitivity(DpemPaperStatistic statistic, DpemNoiseKind noise,
					   const DpemMomentLayout *layout, bool replace_one)
{
	bool		l1 = noise == DPEM_NOISE_LAPLACE;
	double		value = NAN;

	if (noise == DPEM_NOISE_ONE_SIDED)
		return 1;
	if (statistic == DPEM_PAPER_WEIGHTS)
		value = !replace_one ? 1 : l1 ? 2 : M_SQRT2;
	else if (statistic == DPEM_PAPER_MEANS)
		value = (replace_one ? 2 : 1) * (l1 ? sqrt(layout->d) : 1);
	else if (!l1)
		value = second_sensitivity(layout, replace_one);
	return dpem_round_up(value);
}

double
dpem_noise_deviation(DpemNoiseKind noise, const DpemMomentLayout *layout, double multiplier,
					 double sensitivity)
{
	double		scale = multiplier * sensitivity;

	if (noise == DPEM_NOISE_LAPLACE)
		return M_SQRT2 * scale;
	if (noise == DPEM_NOISE_ONE_SIDED && layout->second == DPEM_SECOND_FULL)
		return sqrt((layout->d + 1) / 2.0) * scale;
	return scale;
}
