/*
 * test_gam_place.c - where a number's bins go, and where it is said to be, by noisy margins.  Rows and noise are the same in every run.
 */
#include "core/gam/gam_bins.h"
#include "core/gam/gam_place.h"
#include "core/gam/gam_rules.h"
#include "gam_fixture.h"

#define MOST_MARGINS	5000

/* one mark of each level where the number is, beyond its ends in the last bins; none of a null row */
static void
check_margins(Rng *rng)
{
	Fixture		f = make_fixture(1, 64, 0);
	double		x[MOST_D];
	int			bad = 0;

	set_coefficients(&f, NULL);
	for (int round = 0; round < 500; round++)
	{
		const double *sums;
		int			first = 0;

		random_row(rng, &f, x);
		put_row(&f, 0, x, round % 7 != 0);
		sums = sums_of(&f, 2);
		for (int l = 0; l < f.shape.margins.levels; l++)
		{
			int			bins = dpem_margin_level_bins(&f.shape.margins, l);
			double		at = fmin(fmax((x[10] + 1) / 2 * bins, 0), bins - 1);
			double		all = 0;

			for (int i = 0; i < bins; i++)
				all += sums[first + i];
			bad += fabs(all - (round % 7 != 0) * dpem_margin_mark(&f.shape.margins, l)) > 1e-12;
			bad += round % 7 != 0 && fabs(at - rint(at)) > 1e-6 && sums[first + (int) at] == 0;
			first += bins;
		}
	}
	CHECK(bad == 0, "%d marks are not where rows are", bad);
	f.shape.margins.parts = 3;
	set_coefficients(&f, NULL);
	CHECK(dpem_gam_check_target(&f.layout[2], f.theta, dpem_gam_theta_length(&f.shape)) == 0, "three parts");
	f.shape.margins = (DpemMarginGrid) {0};
	set_coefficients(&f, NULL);
	CHECK(dpem_gam_check_target(&f.layout[2], f.theta, dpem_gam_theta_length(&f.shape)) == 0, "no margins");
	free_fixture(&f);
}

/* margins of rows, of which a part is at `middle` and normal, with that deviation, and the others at `other` */
typedef struct Rows
{
	int			n;
	double		middle;
	double		sd;
	double		part;
	double		other;
} Rows;

static void
add_row(const DpemMarginGrid *grid, double at, double *count)
{
	for (int l = 0; l < grid->levels; l++)
	{
		int			bins = dpem_margin_level_bins(grid, l);

		count[(int) fmin(fmax((at + 1) / 2 * bins, 0), bins - 1)] += dpem_margin_mark(grid, l);
		count += bins;
	}
}

/* noise: standard deviation of every mark's sum */
static DpemGamWindow
locate(Rng *rng, const Rows *rows, double noise, double public_rows)
{
	static double count[MOST_MARGINS];
	static double work[10 * MOST_MARGINS];
	DpemMarginGrid grid = dpem_margin_grid(1, 1, 1);
	DpemNoisyMoments m = {.layout = {dpem_margin_bins(&grid), 1, DPEM_COUNTS_ALONE},.value = count,.count_sd = noise};

	memset(count, 0, sizeof count);
	for (int i = 0; i < rows->n; i++)
		add_row(&grid, i < rows->part * rows->n ? rows->middle + rows->sd * rng_normal(rng) : rows->other, count);
	for (int i = 0; i < m.layout.k; i++)
		count[i] += noise * rng_normal(rng);
	return dpem_gam_locate(&m, &grid, public_rows, DPEM_VALUES_TAIL, (DpemWorkspace) {work, work + sizeof work / sizeof *work});
}

static bool
covers(const DpemGamWindow *window, double least, double most)
{
	return window->middle - window->half <= least && window->middle + window->half >= most;
}

/* as narrow as the number is, or margins can tell, and within the domain */
static void
check_window(Rng *rng, double middle, double sd, double most_half)
{
	Rows		rows = {.n = 10000,.middle = middle,.sd = sd,.part = 1};

	for (int run = 0; run < 20; run++)
	{
		DpemGamWindow window = locate(rng, &rows, 20, run % 2 * rows.n);
		double		all = 0;

		for (int i = 0; i < window.parts; i++)
			all += window.count[i];
		CHECK(covers(&window, fmax(middle - 3 * sd, -1), fmin(middle + 3 * sd, 1)) && covers(&(DpemGamWindow) {.half = 1 + 1e-12}, window.middle - window.half, window.middle + window.half),
			  "%g +- %g: bins about %g, %g to either side", middle, sd, window.middle, window.half);
		CHECK(window.half <= most_half, "%g +- %g: bins go %g to either side", middle, sd, window.half);
		CHECK(window.parts == 0 || fabs(all - rows.n) < 0.1 * rows.n + 6 * window.sd * sqrt(window.parts), "%g +- %g: %g rows in parts", middle, sd, all);
	}
}

/* rows that noise may hide are not left out, where they may be many */
static void
check_hidden(Rng *rng)
{
	Rows		rows = {.n = 2000,.middle = -0.99,.part = 0.6,.other = 0.99};

	int			narrow = 0;

	for (int run = 0; run < 20; run++)
		narrow += locate(rng, &rows, 180, rows.n).half < 0.4;
	CHECK(narrow <= 5, "rows elsewhere: bins of %d runs of 20 leave them out", narrow);
}

/* values of two humps, which noise in a number's bins hides and noise in parts does not */
static void
check_parts(void)
{
	double		count[DPEM_GAM_TARGET_BINS] = {0};
	double		part[16] = {0};
	DpemGamBins bins = {.n = DPEM_GAM_TARGET_BINS,.count = count,.sd = 1000,.parts = 16,.part = part,.part_sd = 10,.rows = 2000,.rows_sd = 0};
	DpemGamPlace place;

	part[2] = part[3] = part[12] = part[13] = 500;
	place = dpem_gam_place(&bins);
	CHECK(fabs(place.middle) < 0.05 && fabs(sqrt(place.variance) - 0.625) < 0.05, "two humps: %g, variance %g", place.middle, place.variance);
	bins.parts = 0;
	place = dpem_gam_place(&bins);
	CHECK(place.off > 0.01, "nothing is seen: a middle off by %g", place.off);
}

/* few values far away make for a farther reach, up to twice */
static void
check_tails(void)
{
	double		count[DPEM_GAM_TARGET_BINS] = {0};
	DpemGamBins bins = {.n = DPEM_GAM_TARGET_BINS,.count = count,.sd = 1,.rows = 10000};

	count[10] = count[11] = 5000;
	CHECK(dpem_gam_place(&bins).tails == 1, "two values: %g", dpem_gam_place(&bins).tails);
	count[10] = 4900;
	count[60] = 100;
	CHECK(dpem_gam_place(&bins).tails > 1.5 && dpem_gam_place(&bins).tails <= dpem_gam_rules.tails, "a tail: %g", dpem_gam_place(&bins).tails);
}

/* too few rows, or bins that are too wide for what is seen */
static void
check_hides(void)
{
	DpemGamWindow window = {.half = 0.5,.rows = 1000,.deviation = 0.1};

	CHECK(!dpem_gam_hides(190, &window) && dpem_gam_hides(210, &window), "noise of a fifth of the rows");
	window.rows_sd = 200;
	CHECK(dpem_gam_hides(190, &window) && !dpem_gam_hides(170, &window), "rows that may be 900");
	window.deviation = 0.5 / 32 / 12.1;
	CHECK(dpem_gam_hides(1, &window), "bins twelve times as wide as values are apart");
	window.deviation = 0.5 / 32 / 11.9;
	CHECK(!dpem_gam_hides(1, &window), "not quite");
}

/* values in a bin or two are together, whatever noise stands elsewhere; those that are spread, or hidden, are not */
static void
check_together(void)
{
	double		count[DPEM_GAM_TARGET_BINS] = {[31] = 1000};
	DpemGamBins bins = {.n = DPEM_GAM_TARGET_BINS,.count = count,.sd = 10,.rows = 1000,.rows_sd = 10};

	CHECK(dpem_gam_place(&bins).together, "a single bin");
	count[2] = 32;
	CHECK(dpem_gam_place(&bins).together, "a single bin, and noise far from it");
	count[2] = 0;
	count[31] = count[32] = 500;
	CHECK(dpem_gam_place(&bins).together, "two bins");
	count[32] = 0;
	count[33] = 500;
	CHECK(!dpem_gam_place(&bins).together, "two bins with one between them");
	for (int t = 0; t < bins.n; t++)
		count[t] = 80 * exp(-0.5 * (t - 31) * (t - 31) / 25.0);
	CHECK(!dpem_gam_place(&bins).together, "a bell");
	for (int t = 0; t < bins.n; t++)
		count[t] = t == 31 ? 300 : 700.0 / 63;
	CHECK(!dpem_gam_place(&bins).together, "a bin, and as many rows in bins that cannot be told from noise");
	bins.sd = 1000;
	CHECK(!dpem_gam_place(&bins).together, "all hidden");
}

int
main(void)
{
	check_hides();
	Rng			rng = {31};

	check_margins(&rng);
	check_window(&rng, 0, 0.3, 1);
	check_window(&rng, 0.4, 0.01, 0.2);
	check_window(&rng, -0.999, 0.0005, 0.02);
	check_window(&rng, 0.123, 0, 0.005);
	check_hidden(&rng);
	check_parts();
	check_tails();
	check_together();
	return unit_report();
}
