/*
 * test_gam_copies.c - additive models of columns that all tell the same, where noise hides each pair of them (gam_scale.c).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_fixture.h"
#include "core/gam/gam_estimate.h"

enum { COLUMNS = 20, BINS = 6, CELLS = COLUMNS * BINS, ROWS = 4000, PASSES = 6, TARGETS = 64 };

typedef struct Data
{
	int			cell[ROWS][COLUMNS];
	double		y[ROWS];		/* box coordinates */
} Data;

static double *
zeros(size_t n)
{
	return calloc(n, sizeof(double));
}

static int
bin_of(double x, int bins)
{
	return (int) fmin(fmax((x + 1) / 2 * bins, 0), bins - 1);
}

/* copies of one number, or as many independent ones, of which the target is the sum */
static void
make_data(Rng *rng, bool copies, Data *data)
{
	for (int r = 0; r < ROWS; r++)
	{
		double		one = 0.4 * rng_normal(rng);
		double		sum = 0;

		for (int c = 0; c < COLUMNS; c++)
		{
			double		x = copies ? one + 0.05 * rng_normal(rng) : 0.4 * rng_normal(rng);

			data->cell[r][c] = c * BINS + bin_of(x, BINS);
			sum += x;
		}
		data->y[r] = sum / (copies ? COLUMNS : sqrt(COLUMNS)) / 2 + 0.05 * rng_normal(rng);
	}
}

static DpemNoisyMoments
counts_of(Rng *rng, const DpemGamShape *shape, const Data *data, double sd)
{
	size_t		n = (size_t) dpem_gam_moments_length(shape);
	DpemNoisyMoments m = {.layout = {(int) n, COLUMNS + 1, DPEM_COUNTS_ALONE},.count_sd = sd,.value = zeros(n)};

	for (int r = 0; r < ROWS; r++)
		for (int c = 0; c < COLUMNS; c++)
		{
			int			own = data->cell[r][c];

			m.value[bin_of(data->y[r], TARGETS) * CELLS + own] += dpem_gam_single_mark(shape);
			for (int e = 0; e < c; e++)
				m.value[dpem_gam_pair(shape, own, data->cell[r][e])] += dpem_gam_pair_mark(shape);
		}
	for (size_t i = 0; i < n; i++)
		m.value[i] += sd * rng_normal(rng);
	return m;
}

static double
score_of(const Data *data, int r, const double *mean)
{
	double		sum = 0;

	for (int c = 0; c < COLUMNS; c++)
		sum += mean[data->cell[r][c]];
	return sum;
}

static DpemNoisyMoments
gradient_of(Rng *rng, const DpemGamShape *shape, const Data *data, const double *mean, double sd)
{
	DpemNoisyMoments m = {.layout = {CELLS, COLUMNS + 1, DPEM_COUNTS_ALONE},.count_sd = sd,.value = zeros(CELLS)};

	for (int r = 0; r < ROWS; r++)
	{
		double		residual = fmin(fmax((data->y[r] - shape->middle - score_of(data, r, mean)) / shape->reach, -1), 1);

		for (int c = 0; c < COLUMNS; c++)
			m.value[data->cell[r][c]] += residual * dpem_gam_gradient_mark(shape);
	}
	for (int i = 0; i < CELLS; i++)
		m.value[i] += sd * rng_normal(rng);
	return m;
}

/* part of the target's variance that the scores explain */
static double
explained(const Data *data, const DpemGamShape *shape, const double *mean)
{
	double		sum = 0;
	double		square = 0;
	double		left = 0;

	for (int r = 0; r < ROWS; r++)
	{
		sum += data->y[r] / ROWS;
		square += data->y[r] * data->y[r] / ROWS;
		left += pow(data->y[r] - shape->middle - score_of(data, r, mean), 2) / ROWS;
	}
	return 1 - left / (square - sum * sum);
}

static void
take_gradients(Rng *rng, const Data *data, double sd, DpemGamRows *rows, DpemGamScore *score, DpemWorkspace work)
{
	for (int pass = 1; pass < PASSES; pass++)
	{
		DpemNoisyMoments m = gradient_of(rng, &rows->shape, data, score->mean, sd);

		CHECK(dpem_gam_take_gradient(rows, &m, 1, 0, pass, score, work) == DPEM_OK, "gradient %d", pass);
		CHECK(dpem_gam_estimate(rows, 1, score, work) == DPEM_OK, "estimate %d", pass);
		dpem_gam_update_dispersion(rows, score, pass + 1, work.next);
		free(m.value);
	}
}

/* sd: of the noise in counts and in gradients */
static double
fit(Rng *rng, const Data *data, double counts_sd, double sd)
{
	size_t		n = CELLS;
	DpemGamColumn column[COLUMNS];
	int			offset[COLUMNS + 1];
	double	   *memory = zeros(3 * n * n + 9 * n + COLUMNS + dpem_gam_work(CELLS));
	double	   *at = memory + 3 * n * n;
	DpemGamRows rows = {.n = CELLS,.offset = offset,.second = memory,.count = at,.noise = at + n};
	DpemGamScore score = {.curvature = memory + n * n,.here = memory + 2 * n * n,.linear = at + 2 * n,.mean = at + 3 * n,.step = at + 9 * n};
	DpemWorkspace work = {at + 9 * n + COLUMNS, at + 9 * n + COLUMNS + dpem_gam_work(CELLS)};
	DpemNoisyMoments m;
	double		worth;

	dpem_gam_begin_path(CELLS, at + 4 * n, &score);
	for (int c = 0; c <= COLUMNS; c++)
		offset[c] = c * BINS;
	for (int c = 0; c < COLUMNS; c++)
	{
		column[c] = (DpemGamColumn) {.first = c,.bins = BINS,.known = -1};
		score.step[c] = 0.1;
	}
	rows.shape = (DpemGamShape) {.radius = 1,.columns = COLUMNS,.column = column,.targets = 1,.classes = TARGETS,.pair_share = 0.4};
	m = counts_of(rng, &rows.shape, data, counts_sd);
	dpem_gam_take_rows(&m, ROWS, &rows, work);
	CHECK(dpem_gam_clean_pairs(&rows, work) == DPEM_OK, "pairs");
	dpem_gam_start(&rows, &m, 0, &score);
	dpem_gam_start_curvature(&rows, &score);
	CHECK(dpem_gam_estimate(&rows, 6, &score, work) == DPEM_OK, "first estimate");
	dpem_gam_update_dispersion(&rows, &score, 1, work.next);
	take_gradients(rng, data, sd, &rows, &score, work);
	worth = explained(data, &rows.shape, score.mean);
	free(m.value);
	free(memory);
	return worth;
}

/* the median of five fits, and the worst */
static double
worth_of(Rng *rng, bool copies, double counts_sd, double sd, double *worst)
{
	Data	   *data = malloc(sizeof(Data));
	double		worth[5];

	for (int i = 0; i < 5; i++)
	{
		make_data(rng, copies, data);
		worth[i] = fit(rng, data, counts_sd, sd);
		for (int j = i; j > 0 && worth[j] < worth[j - 1]; j--)
		{
			double		own = worth[j];

			worth[j] = worth[j - 1];
			worth[j - 1] = own;
		}
	}
	free(data);
	*worst = worth[0];
	return worth[2];
}

int
main(void)
{
	Rng			rng = {31};
	double		worst;
	double		median = worth_of(&rng, true, 20, 15, &worst);

	CHECK(median > 0.6 && worst > 0, "copies with much noise: %g, at worst %g", median, worst);
	median = worth_of(&rng, true, 5, 4, &worst);
	CHECK(median > 0.8 && worst > 0.5, "copies with some noise: %g, at worst %g", median, worst);
	median = worth_of(&rng, false, 2, 1, &worst);
	CHECK(median > 0.8 && worst > 0.75, "independent columns: %g, at worst %g", median, worst);
	median = worth_of(&rng, false, 0.2, 0.2, &worst);
	CHECK(worst > 0.85, "independent columns with little noise: %g, at worst %g", median, worst);
	return unit_report();
}
