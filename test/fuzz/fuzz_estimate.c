/*
 * fuzz_estimate.c - M-steps on released moments that no rows ever had.
 *
 * Up to the size that rows and noise can give them moments must turn into a
 * mixture: weights on the simplex, finite means, covariances that factorise.
 * Beyond it everything is an answer but a crash, and numbers are checked where
 * a model is stored.
 */
#include "fuzz.h"

#include "core/gmm/affine.h"
#include "core/gmm/gmm_density.h"
#include "core/gmm/gmm_noise.h"
#include "core/gmm/gmm_paper.h"
#include "core/gmm/gmm_rules.h"
#include "core/gmm/gmm_whiten.h"

#define ROWS_MOST 1e12
#define NOISE_MOST 0x1p66		/* sampler.h's DPEM_SIGMA_MAX in units of second moments */

typedef struct Memory
{
	double	   *start;
	double	   *next;
	double	   *end;
} Memory;

static double *
take(Memory *memory, size_t n)
{
	double	   *piece = memory->next;

	memory->next += n;
	if (memory->next > memory->end)
		abort();
	return piece;
}

static DpemWorkspace
workspace(Memory *memory, size_t n)
{
	double	   *start = take(memory, n);

	return (DpemWorkspace) {start, start + n};
}

/*
 * Moments of at most ROWS_MOST rows in the unit ball, under noise of up to 40
 * deviations; or, if `any`, no such thing.
 */
static DpemNoisyMoments
release(FuzzInput *in, Memory *memory, DpemMomentLayout layout, const double sd[3], bool any)
{
	DpemNoisyMoments m = {layout, sd[0], sd[1], sd[2], take(memory, dpem_moments_length(&layout))};
	size_t		record = dpem_moments_record(&layout);
	double		rows = 0;

	for (size_t i = 0; i < dpem_moments_length(&layout); i++)
	{
		size_t		field = i % record;

		if (field == 0)
			rows = fuzz_positive(in, 0, ROWS_MOST);
		m.value[i] = any ? fuzz_double(in) : rows * (field == 0 ? 1 : fuzz_number(in, 1)) +
			sd[field == 0 ? 0 : field <= (size_t) layout.d ? 1 : 2] * fuzz_number(in, 40);
	}
	return m;
}

static void
check_mixture(const DpemGmm *gmm, Memory *memory)
{
	size_t		k = gmm->k;
	size_t		d = gmm->d;
	DpemGmmDensity density = {gmm->k, gmm->d, take(memory, k), take(memory, k * d * (d + 1) / 2), take(memory, k * d * d)};
	double	   *theta = take(memory, k * (1 + d + d * (d + 1) / 2));
	double		sum = 0;

	for (size_t i = 0; i < k; i++)
	{
		REQUIRE(gmm->weight[i] >= 0 && gmm->weight[i] <= 1 + 1e-9);
		sum += gmm->weight[i];
	}
	REQUIRE(fabs(sum - 1) < 1e-9);
	REQUIRE(fuzz_all_finite(gmm->mean, k * d));
	REQUIRE(fuzz_all_finite(gmm->covariance, k * d * d));
	REQUIRE(dpem_gmm_theta(gmm, theta, workspace(memory, dpem_gmm_theta_work(gmm->d))) == DPEM_OK);
	REQUIRE(dpem_gmm_density_prepare(gmm, &density, take(memory, d * d)) == DPEM_OK);
}

static DpemGmmRule
choose_rule(FuzzInput *in, int d)
{
	DpemGmmRule rule = dpem_gmm_default_rule(d, fuzz_one_in(in, 2));

	if (fuzz_one_in(in, 3))
	{
		rule.dirichlet = 1 + fuzz_positive(in, 0, 1e6);
		rule.kappa0 = fuzz_positive(in, 0, 1e6);
		rule.nu0 = d + fuzz_positive(in, 0, 1e6);
		rule.scale0 = fuzz_positive(in, 1e-6, 1e6);
	}
	return rule;
}

static void
run_joint(FuzzInput *in, Memory *memory, DpemGmm *gmm, DpemMomentLayout layout, const double sd[3], bool any)
{
	DpemGmmHistory history = {.least_step = fuzz_positive(in, 0, 1),.public_rows = fuzz_one_in(in, 2) ? fuzz_positive(in, 1, 1e9) : 0};
	DpemGmmRule rule = choose_rule(in, layout.d);
	DpemMomentLayout one = {1, layout.d, layout.second};
	int			passes = 1 + fuzz_below(in, 3);

	history.average.layout = layout;
	history.average.value = take(memory, dpem_moments_length(&layout));
	history.total = take(memory, dpem_moments_record(&layout));
	if (fuzz_one_in(in, 2))
	{
		DpemNoisyMoments m = release(in, memory, one, sd, any);

		dpem_gmm_history_add_total(&history, &m);
		if (dpem_gmm_history_start(&history, gmm, workspace(memory, dpem_gmm_maximize_work(gmm->k, gmm->d))) == DPEM_OK && !any)
			check_mixture(gmm, memory);
	}
	while (passes-- > 0)
	{
		DpemNoisyMoments m = release(in, memory, layout, sd, any);
		DpemStatus	status;

		dpem_gmm_history_add(&history, &m);
		status = dpem_gmm_maximize(&history, &rule, gmm, workspace(memory, dpem_gmm_maximize_work(gmm->k, gmm->d)));
		REQUIRE(status == DPEM_OK || any);
		if (!any)
			check_mixture(gmm, memory);
	}
}

static void
run_paper(FuzzInput *in, Memory *memory, DpemGmm *gmm, DpemMomentLayout layout, const double sd[3], bool any)
{
	DpemGmmRule rule = choose_rule(in, layout.d);
	DpemNoisyMoments m = release(in, memory, layout, sd, any);
	DpemStatus	status = dpem_gmm_paper_maximize(&m, &rule, gmm, workspace(memory, dpem_gmm_paper_work(gmm->d)));

	REQUIRE(status == DPEM_OK || any);
	if (!any)
		check_mixture(gmm, memory);
}

static void
run_whitening(FuzzInput *in, Memory *memory, DpemMomentLayout layout, const double sd[3], bool any)
{
	size_t		n = (size_t) layout.d * layout.d;
	DpemGmmCenter ball = {.center = take(memory, layout.d)};
	DpemGmmFrame frame = {
		.d = layout.d,.center = take(memory, layout.d),.scale = take(memory, layout.d),
			.spread2 = take(memory, layout.d),.spread2_sd = take(memory, layout.d)
	};
	double	   *whitening = take(memory, n);
	double	   *inverse = take(memory, n);
	double		rows = fuzz_one_in(in, 2) ? fuzz_positive(in, 1, 1e9) : 0;
	DpemNoisyMoments m = release(in, memory, (DpemMomentLayout) {1, layout.d, DPEM_SECOND_NORM}, sd, any);
	DpemStatus	status;

	dpem_gmm_center(&m, rows, sqrt(layout.d), &ball);
	dpem_gmm_frame_begin(&frame, sqrt(layout.d));
	dpem_gmm_frame_zoom(&m, rows, &frame, take(memory, layout.d));
	if (layout.second != DPEM_SECOND_NORM)
	{
		m = release(in, memory, (DpemMomentLayout) {1, layout.d, DPEM_SECOND_DIAGONAL}, sd, any);
		dpem_gmm_frame_zoom(&m, rows, &frame, take(memory, layout.d));
	}
	if (!any)
	{
		REQUIRE(ball.radius > 0 && isfinite(ball.radius) && fuzz_all_finite(ball.center, layout.d));
		REQUIRE(frame.radius > 0 && isfinite(frame.radius) && fuzz_all_finite(frame.center, layout.d));
		for (int j = 0; j < layout.d; j++)
			REQUIRE(frame.scale[j] > 0 && isfinite(1 / frame.scale[j]));
	}
	m = release(in, memory, (DpemMomentLayout) {1, layout.d, layout.second}, sd, any);
	status = dpem_gmm_whitening(&m, rows, &frame, whitening, inverse, workspace(memory, dpem_gmm_whitening_work(layout.d)));
	REQUIRE(status == DPEM_OK || any);
	if (!any)
		REQUIRE(fuzz_all_finite(whitening, n) && fuzz_all_finite(inverse, n) && fuzz_all_finite(frame.center, layout.d));
}

#define MOST_DOUBLES (1 << 18)

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static double *doubles;
	FuzzInput	in = fuzz_input(data, size);
	double		base = fuzz_one_in(&in, 4) ? 0 : fuzz_positive(&in, 1e-3, NOISE_MOST);
	bool		any = fuzz_one_in(&in, 4);
	DpemMomentLayout layout = {1 + fuzz_below(&in, 6), 1 + fuzz_below(&in, 6), 1 + fuzz_below(&in, 3)};
	double		sd[3] = {0};
	Memory		memory;
	DpemGmm		gmm;

	if (doubles == NULL)
		doubles = fuzz_allocate(MOST_DOUBLES);
	memory = (Memory) {doubles, doubles, doubles + MOST_DOUBLES};
	memset(doubles, 0, MOST_DOUBLES * sizeof(double));
	for (int i = 0; i < 3; i++)
		sd[i] = base * (0.1 + fuzz_below(&in, 100) / 10.0);
	gmm = (DpemGmm) {
		layout.k, layout.d, layout.second, take(&memory, layout.k), take(&memory, (size_t) layout.k * layout.d),
			take(&memory, (size_t) layout.k * layout.d * layout.d)
	};
	switch (fuzz_below(&in, 3))
	{
		case 0:
			run_joint(&in, &memory, &gmm, layout, sd, any);
			break;
		case 1:
			run_paper(&in, &memory, &gmm, layout, sd, any);
			break;
		default:
			run_whitening(&in, &memory, layout, sd, any);
	}
	return 0;
}
