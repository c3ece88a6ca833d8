/*
 * mixture_chance.c - what passes find in rows without groups; see mixture_worth.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernels/gmm_kernel.h"
#include "core/kernels/kernel.h"
#include "core/mixture/mixture_rules.h"
#include "core/mixture/mixture_worth.h"
#include "core/numeric/vector.h"

#define MOST_ROWS	100000
#define LEAST_ROWS	1000
#define OPERATIONS	3e8			/* rows times components times coordinates times passes, about */

typedef struct Trial
{
	const DpemMixtureRows *rows;
	const DpemMixtureSearch *search;
	DpemMomentLayout layout;
	int			n;				/* rows, */
	int			blocks;			/* in blocks */
	double	   *x;				/* of which each has d * DPEM_BLOCK_STRIDE numbers */
	double	   *keep;			/* DPEM_BLOCK_STRIDE */
	double	   *row;			/* d of a mixture */
	double	   *theta;
	double	   *r;
	double	   *sums;			/* of a block */
	double	   *value;			/* of all */
	double	   *scratch;
	DpemMixtureMoments all;
	DpemMixtureMoments moments;
	DpemMixture total;
	DpemMixture mixture;
	DpemWorkspace rest;
} Trial;

/* ---- memory ---- */

/* no more than a pass saw */
static int
rows_to_draw(const DpemMomentLayout *layout, const DpemMixtureSearch *search, double all)
{
	double		most = OPERATIONS / ((double) layout->k * layout->d * search->passes);

	return (int) fmax(fmin(fmax(fmin(most, MOST_ROWS), LEAST_ROWS), all * search->rate), 1);
}

static DpemMixtureMoments
take_moments(int k, int n, DpemWorkspace *work)
{
	return (DpemMixtureMoments) {
		.k = k,.n = n,.count = dpem_workspace_take(work, k),.sum = dpem_workspace_take(work, (size_t) k * n),
			.square = dpem_workspace_take(work, (size_t) k * n)
	};
}

/* with what is known of its errors */
static DpemMixture
take_mixture(int k, int d, DpemWorkspace *work)
{
	DpemMixture m = dpem_mixture_take(k, d, work);

	m.mean_noise = dpem_workspace_take(work, (size_t) k * d);
	m.weight_noise = dpem_workspace_take(work, k);
	m.known = dpem_workspace_take(work, d);
	return m;
}

static Trial
take_trial(const DpemMixtureRows *rows, const DpemMixtureSearch *search, double count, DpemWorkspace *work)
{
	int			k = search->start->k;
	int			n = dpem_mixture_coordinates(rows);
	Trial		t = {.rows = rows,.search = search,.layout = {k, n, DPEM_SECOND_DIAGONAL}};
	size_t		length = dpem_moments_length(&t.layout);

	t.n = rows_to_draw(&t.layout, search, count);
	t.blocks = (t.n + DPEM_BLOCK_ROWS - 1) / DPEM_BLOCK_ROWS;
	t.x = dpem_workspace_take(work, (size_t) t.blocks * n * DPEM_BLOCK_STRIDE);
	t.keep = dpem_workspace_take(work, DPEM_BLOCK_STRIDE);
	t.row = dpem_workspace_take(work, rows->d);
	t.theta = dpem_workspace_take(work, (size_t) k * (1 + 2 * (size_t) n));
	t.r = dpem_workspace_take(work, (size_t) k * DPEM_BLOCK_STRIDE);
	t.sums = dpem_workspace_take(work, length);
	t.value = dpem_workspace_take(work, length);
	t.scratch = dpem_workspace_take(work, dpem_kernel_gmm.scratch_length(&t.layout) + dpem_moments_scratch(&t.layout));
	t.all = take_moments(1, n, work);
	t.moments = take_moments(k, n, work);
	t.total = take_mixture(1, rows->d, work);
	t.mixture = take_mixture(k, rows->d, work);
	t.rest = *work;
	(void) dpem_workspace_take(work, dpem_mixture_worth_work(rows, k));
	return t;
}

size_t
dpem_mixture_chance_work(const DpemMixtureRows *rows, const DpemMixtureSearch *search, const DpemMixtureMoments *all)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) take_trial(rows, search, all->count[0], &dry);
	return dpem_workspace_taken(&dry);
}

/* ---- rows of one component, as passes see them ---- */

/* coordinate j of a row, before it is clipped */
static double
coordinate(const Trial *t, int j)
{
	const DpemMixtureRows *rows = t->rows;

	if (j >= rows->d)
		return isnan(t->row[j - rows->d]) ? 0 : DPEM_MIXTURE_KNOWN;
	return isnan(t->row[j]) ? 0 : t->row[j];
}

static void
draw_rows(const Trial *t, const DpemMixture *total, DpemPublicRandom *random)
{
	int			d = t->layout.d;

	memset(t->x, 0, (size_t) t->blocks * d * DPEM_BLOCK_STRIDE * sizeof(double));
	for (int i = 0; i < t->n; i++)
	{
		double	   *to = t->x + (size_t) (i / DPEM_BLOCK_ROWS) * d * DPEM_BLOCK_STRIDE + i % DPEM_BLOCK_ROWS;
		double		norm = 0;

		dpem_mixture_draw(t->rows, total, total->known, random, t->row);
		for (int j = 0; j < d; j++)
			norm += coordinate(t, j) * coordinate(t, j);
		for (int j = 0; j < d; j++)
			to[(size_t) j * DPEM_BLOCK_STRIDE] = coordinate(t, j) / fmax(sqrt(norm), t->rows->radius);
	}
}

/* ---- a search among them ---- */

static void
copy_moments(const DpemMixtureMoments *from, DpemMixtureMoments *to)
{
	DpemMixtureMoments kept = *to;

	*to = *from;
	to->count = memcpy(kept.count, from->count, from->k * sizeof(double));
	to->sum = memcpy(kept.sum, from->sum, (size_t) from->k * from->n * sizeof(double));
	to->square = memcpy(kept.square, from->square, (size_t) from->k * from->n * sizeof(double));
}

static void
add_blocks(const Trial *t)
{
	size_t		length = dpem_moments_length(&t->layout);

	memset(t->value, 0, length * sizeof(double));
	for (int b = 0; b < t->blocks; b++)
	{
		int			left = t->n - b * DPEM_BLOCK_ROWS;
		DpemBlock	block = {.rows = left < DPEM_BLOCK_ROWS ? left : DPEM_BLOCK_ROWS,.d = t->layout.d,.keep = t->keep};

		block.x = t->x + (size_t) b * t->layout.d * DPEM_BLOCK_STRIDE;
		for (int i = 0; i < DPEM_BLOCK_STRIDE; i++)
			t->keep[i] = i < block.rows;
		dpem_kernel_gmm.respond(&t->layout, t->theta, &block, 0, 0, t->r, t->scratch);
		dpem_moments_block(&t->layout, &block, t->r, t->sums, t->scratch);
		for (size_t i = 0; i < length; i++)
			t->value[i] += t->sums[i];
	}
}

/* of as many rows as the table has, with the passes' noise */
static DpemNoisyMoments
release(const Trial *t, DpemPublicRandom *random)
{
	const DpemMixtureSearch *s = t->search;
	size_t		length = dpem_moments_length(&t->layout);
	size_t		record = dpem_moments_record(&t->layout);
	double		scale = fmax(t->all.count[0], 1) / t->n;

	for (size_t i = 0; i < length; i++)
	{
		size_t		at = i % record;
		double		sd = at == 0 ? s->count_sd : at <= (size_t) t->layout.d ? s->sum_sd : s->square_sd;

		t->value[i] = scale * t->value[i] + sd * dpem_public_normal(random);
	}
	return (DpemNoisyMoments) {t->layout, s->count_sd, s->sum_sd, s->square_sd, t->value};
}

/* the gain that the passes find */
static double
search_rows(Trial *t, const DpemMixtureMoments *all, const DpemMixture *total, DpemPublicRandom *random)
{
	draw_rows(t, total, random);
	dpem_mixture_copy(t->search->start, &t->mixture);
	copy_moments(all, &t->all);
	for (int pass = 1; pass <= t->search->passes; pass++)
	{
		DpemNoisyMoments m;

		if (t->search->pause != NULL)
			t->search->pause();
		dpem_mixture_prepare(t->rows, &t->mixture, t->theta);
		add_blocks(t);
		m = release(t, random);
		dpem_mixture_average(t->rows, &m, dpem_mixture_step(pass), &t->moments);
		dpem_mixture_pool(t->rows, &m, &t->all);
		dpem_mixture_total(t->rows, &t->all, &t->total);
		dpem_mixture_maximize(t->rows, &t->moments, &t->total, dpem_mixture_weak_prior, &t->mixture);
	}
	return dpem_mixture_gain(t->rows, &t->total, &t->mixture, t->rest);
}

/* ---- many searches ---- */

/*
 * How many times the median of such gains chance reaches: e^(DPEM_MIXTURE_APART s), s the standard deviation of their logarithms, but within limits.
 * The median, as of narrow columns some trials find many times as much as the others.
 */
static double
most_by_chance(double *found)
{
	double		least;
	double		mean = 0;
	double		square = 0;

	qsort(found, DPEM_MIXTURE_TRIALS, sizeof(double), dpem_ascending);
	least = 0.01 * fmax(found[DPEM_MIXTURE_TRIALS / 2], 1e-9);
	for (int i = 0; i < DPEM_MIXTURE_TRIALS; i++)
		mean += log(fmax(found[i], least)) / DPEM_MIXTURE_TRIALS;
	for (int i = 0; i < DPEM_MIXTURE_TRIALS; i++)
		square += pow(log(fmax(found[i], least)) - mean, 2) / (DPEM_MIXTURE_TRIALS - 1);
	return fmin(fmax(exp(DPEM_MIXTURE_APART * sqrt(square)), DPEM_MIXTURE_LEAST_CHANCE), DPEM_MIXTURE_CHANCE) *
		found[DPEM_MIXTURE_TRIALS / 2];
}

bool
dpem_mixture_is_chance(const DpemMixtureRows *rows, const DpemMixtureSearch *search, const DpemMixtureMoments *all,
					   const DpemMixture *total, double gain, DpemWorkspace work)
{
	Trial		t = take_trial(rows, search, all->count[0], &work);
	DpemPublicRandom random = dpem_public_seed(all->sum, (size_t) all->n);
	double		found[DPEM_MIXTURE_TRIALS];
	int			less = 0;

	for (int i = 0; i < DPEM_MIXTURE_TRIALS; i++)
	{
		found[i] = search_rows(&t, all, total, &random);
		less += gain >= DPEM_MIXTURE_CHANCE * found[i];
		/* whatever the others find */
		if (less > DPEM_MIXTURE_TRIALS / 2 || (i == 0 && gain > DPEM_MIXTURE_CLEARLY * found[i]))
			return false;
	}
	return gain < most_by_chance(found);
}
