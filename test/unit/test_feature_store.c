/*
 * test_feature_store.c - features between two passes: the very bits, on every clone.
 */
#include "kernel_fixture.h"

#include "core/pass/feature_store.h"

typedef struct Stored
{
	int16_t	   *feature;
	int8_t		keep[DPEM_BLOCK_ROWS];
} Stored;

/* features of random rows, some of them null, some clipped, some next to zero */
static void
make_features(Rng *rng, Work *w, int rows, const double *bounds)
{
	DpemFeatureMap map = {w->d, Q,	 rng_uniform(rng, 0.3, 1.5) * sqrt(w->d), bounds, bounds + w->d,
						  NULL, NULL, NULL, 0, 0, 0, NULL, 0, 0};

	w->block.rows = rows;
	for (int i = 0; i < rows; i++)
	{
		double		size = rng_below(rng, 3) == 0 ? 1e-5 : 1;

		w->block.keep[i] = rng_below(rng, 5) > 0;
		for (int j = 0; j < w->d; j++)
			w->block.x[j * DPEM_BLOCK_STRIDE + i] =
				rng_below(rng, 40) == 0 ? NAN : rng_uniform(rng, -size, size);
	}
	dpem_features_apply(&map, &w->block, w->whitened);
}

/* numbers of the block, padding included, whose bits differ */
static int
differences(const Work *a, const Work *b)
{
	int			padded = DPEM_BLOCK_PADDED(a->block.rows);
	int			n = memcmp(a->block.keep, b->block.keep, padded * sizeof(double)) != 0;

	for (int j = 0; j < a->d; j++)
		n += memcmp(a->block.x + j * DPEM_BLOCK_STRIDE, b->block.x + j * DPEM_BLOCK_STRIDE,
					padded * sizeof(double)) != 0;
	return n;
}

static void
test_clone(DpemClone clone, int d, int rows, Rng *rng)
{
	Work		made = work_make(d, 1);
	Work		back = work_make(d, 1);
	double	   *bounds = numbers(2 * d);
	Stored		stored = {malloc(DPEM_FEATURE_STORE_LENGTH(d) * sizeof(int16_t)), {0}};
	int			kept = 0;

	for (int j = 0; j < d; j++)
	{
		bounds[j] = -1;
		bounds[d + j] = 1;
	}
	make_features(rng, &made, rows, bounds);
	dpem_features_store_clone(clone, &made.block, stored.feature, stored.keep);
	back.block.rows = rows;
	dpem_features_restore_clone(clone, stored.feature, stored.keep, &back.block);
	for (int i = 0; i < rows; i++)
		kept += made.block.keep[i] != 0;
	CHECK(differences(&made, &back) == 0, "%s, %d rows of %d coordinates", dpem_clone_name(clone),
		  rows, d);
	CHECK(rows < 30 || (kept > 0 && kept < rows), "null rows and others: %d of %d kept", kept,
		  rows);
	work_free(&made);
	work_free(&back);
	free(bounds);
	free(stored.feature);
}

/* the ends of the range: the greatest features there are */
static void
test_range(void)
{
	const int	greatest = 1 << DPEM_FEATURE_STORE_BITS;

	FOR_CLONES(clone)
	{
		Work		made = work_make(1, 1);
		Work		back = work_make(1, 1);
		Stored		stored = {malloc(DPEM_FEATURE_STORE_LENGTH(1) * sizeof(int16_t)), {0}};

		made.block.rows = back.block.rows = DPEM_BLOCK_GROUP;
		for (int i = 0; i < DPEM_BLOCK_GROUP; i++)
		{
			made.block.keep[i] = 1;
			made.block.x[i] = i % 2 == 0 ? greatest - i : i - greatest;
		}
		dpem_features_store_clone(clone, &made.block, stored.feature, stored.keep);
		dpem_features_restore_clone(clone, stored.feature, stored.keep, &back.block);
		CHECK(differences(&made, &back) == 0, "%s: features of %d bits", dpem_clone_name(clone),
			  DPEM_FEATURE_STORE_BITS);
		work_free(&made);
		work_free(&back);
		free(stored.feature);
	}
	CHECK(Q <= DPEM_FEATURE_STORE_BITS, "features of %d bits cannot be stored", Q);
}

int
main(void)
{
	static const int rows[] = {1, 7, 31, 32, 33, 500, 511, DPEM_BLOCK_ROWS};
	Rng			rng = {44};

	FOR_CLONES(clone)
	for (int d = 1; d <= 12; d++)
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			test_clone(clone, d, rows[i], &rng);
	test_range();
	return unit_report();
}
