/*
 * gam_fixture.h - made-up rows as cells.
 */
#ifndef GAM_FIXTURE_H
#define GAM_FIXTURE_H

#include "core/gam/gam_join.h"
#include "core/gam/gam_kernel.h"
#include "core/kernels/kernel.h"
#include "kernel_fixture.h"

#define MOST_D		16

/* three numbers, the second of which may be unknown, two labels, and a target; three pairs or none; bins are no equal parts where targets are even */
typedef struct Fixture
{
	DpemGamColumn column[5];
	DpemGamPair pair[3];
	double		part[21];		/* of each of the columns' cells */
	double		edge[9];		/* between bins of the numbers */
	double		joined[21];		/* of each of the columns' cells */
	bool		joins;			/* gradients see these: the second number has two bins of three, the third is not seen */
	int			offset[9];
	DpemGamShape shape;
	DpemMomentLayout layout[3];	/* moments, gradient, target */
	int			d;
	int			n;
	int			bits;			/* p, or 0 */
	size_t		scratch[2];		/* numbers of workspace of both, one after the other in w */
	double	   *theta;
	double	   *sums;
	int16_t    *code;
	Work		w;
} Fixture;

static Fixture
make_fixture_of(int targets, int classes, int bits, int pairs)
{
	Fixture		f = {
		.column = {{0, 0, 4, -1, 2, 0}, {1, 0, 3, 9, 3, 0}, {2, 0, 5, -1, 5, 0}, {3, 2, 2, -1, 0, 0}, {5, 4, 4, -1, 3, 0}},.d = 10 + targets,.bits = bits,
		.pair = {{0, 1}, {0, 2}, {2, 4}},
		.part = {0, 0, 1, 1, 0, 0, 1, 2, 0, 1, 2, 3, 4, 0, 0, 0, 1, 0, 1, 1, 2},
		.edge = {-0.75, 0, 0.25, -0.4, 0.6, -0.8, -0.6, 0.2, 0.4},
		.joined = {0, 0, 1, 1, 0, 1, 1, 2, -1, NAN, 0, 0, 0, 0, 1, 2, 0, 1, 2, 3, 4}
	};

	f.shape = (DpemGamShape) {
		.radius = sqrt(7),.columns = 5,.pairs = pairs,.targets = targets,.classes = classes,.pair_share = 0.4,.middle = 0.1,.reach = 0.7
	};
	f.shape.margins = dpem_margin_grid(1, 400, 1);
	f.shape.column = f.column;
	f.shape.pair = f.pair;
	f.shape.part = f.part;
	f.shape.edge = targets % 2 == 0 ? f.edge : NULL;
	f.n = dpem_gam_cells(&f.shape);
	f.layout[0] = (DpemMomentLayout) {dpem_gam_moments_length(&f.shape), f.d, DPEM_COUNTS_ALONE};
	f.layout[1] = (DpemMomentLayout) {dpem_gam_gradient_length(&f.shape), f.d, DPEM_COUNTS_ALONE};
	f.layout[2] = (DpemMomentLayout) {dpem_gam_target_length(&f.shape), f.d, DPEM_COUNTS_ALONE};
	for (int c = 0; c < 5 + pairs; c++)
		f.offset[c + 1] = f.offset[c] + dpem_gam_term_cells(&f.shape, c);
	f.theta = numbers(dpem_gam_theta_length(&f.shape));
	f.sums = numbers(f.layout[0].k + f.layout[1].k + f.layout[2].k);
	f.code = (int16_t *) numbers((size_t) dpem_gam_shape_codes(&f.shape) * DPEM_BLOCK_ROWS);
	f.w = work_make(f.d, 1);
	free(f.w.scratch);
	f.scratch[0] = dpem_gam_moments_scratch(&f.layout[0]);
	f.scratch[1] = dpem_gam_gradient_scratch(&f.layout[1]);
	f.w.scratch = numbers(f.scratch[0] + f.scratch[1]);
	memset(f.w.scratch, 0, (f.scratch[0] + f.scratch[1]) * sizeof(double));
	return f;
}

static inline Fixture
make_fixture(int targets, int classes, int bits)
{
	return make_fixture_of(targets, classes, bits, 0);
}

/* from here on gradients see joined cells; counts are refused */
static inline void
join_fixture(Fixture *f)
{
	static const int left[] = {2, 3, 0, 3, 5};

	f->joins = true;
	for (int c = 0; c < 5; c++)
		f->column[c].joined = left[c];
	f->shape.column = f->column;
	f->shape.joined = f->joined;
	f->layout[1].k = dpem_gam_gradient_length(&f->shape);
	free(f->theta);
	f->theta = numbers(dpem_gam_theta_length(&f->shape));
}

static inline void
free_fixture(Fixture *f)
{
	free(f->theta);
	free(f->sums);
	free(f->code);
	work_free(&f->w);
}

static inline void
set_coefficients(Fixture *f, const double *coefficient)
{
	f->shape.column = f->column;
	f->shape.pair = f->pair;
	f->shape.part = f->part;
	f->shape.edge = f->shape.targets % 2 == 0 ? f->edge : NULL;
	f->shape.joined = f->joins ? f->joined : NULL;
	dpem_gam_write(&f->shape, coefficient, f->theta);
}

/* box coordinates: numbers, labels with one category on or none, known or not, target */
static inline void
random_row(Rng *rng, const Fixture *f, double *x)
{
	static const double corners[] = {-1, 1, 0, -1.1, 1.1, 0.5};

	for (int j = 0; j < f->d; j++)
		x[j] = j < 3 ? rng_below(rng, 3) == 0 ? corners[rng_below(rng, 6)] : rng_uniform(rng, -1, 1) : 0;
	if (rng_below(rng, 5) > 0)
		x[3 + rng_below(rng, 2)] = 1;
	if (rng_below(rng, 5) > 0)
		x[5 + rng_below(rng, 4)] = 1;
	x[9] = rng_below(rng, 4) > 0;
	if (f->shape.targets > 1)
		x[10 + rng_below(rng, f->shape.targets)] = 1;
	else
		x[10] = rng_below(rng, 3) == 0 ? corners[rng_below(rng, 6)] : rng_uniform(rng, -1, 1);
}

static inline void
put_row(Fixture *f, int row, const double *x, double keep)
{
	for (int j = 0; j < f->d; j++)
	{
		double		value = x[j] / f->shape.radius;

		f->w.block.x[(size_t) j * DPEM_BLOCK_STRIDE + row] = f->bits ? rint(ldexp(value, FINE)) : value;
	}
	f->w.block.keep[row] = keep;
	f->w.block.rows = row + 1;
}

static inline const double *
sums_of(Fixture *f, int what)
{
	const DpemKernel *kernel = (const DpemKernel *const[]) {&dpem_kernel_gam_moments, &dpem_kernel_gam_gradient, &dpem_kernel_gam_target}[what];
	double	   *scratch = f->w.scratch + (what == 1 ? f->scratch[0] : 0);

	memset(f->sums, 0, (size_t) f->layout[what].k * sizeof(double));
	kernel->encode(f->theta, &f->w.block, f->bits ? FINE : 0, f->code);
	f->w.block.code = f->code;
	kernel->accumulate(&f->layout[what], f->theta, &f->w.block, f->bits ? FINE : 0, f->bits, f->sums, scratch);
	if (kernel->complete != NULL)
		kernel->complete(&f->layout[what], f->theta, f->bits ? FINE : 0, f->bits, f->sums, scratch);
	return f->sums;
}

/* pairs of cells of columns that are independent; cells: of each */
static inline double *
independent_pairs(int columns, const int *cells, const double *count, double rows)
{
	double	   *second;
	int			n = 0;

	for (int c = 0; c < columns; c++)
		n += cells[c];
	second = numbers((size_t) n * (size_t) n);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			second[i * n + j] = count[i] * count[j] / rows;
	for (int c = 0, at = 0; c < columns; at += cells[c++])
		for (int i = at; i < at + cells[c]; i++)
			for (int j = at; j < at + cells[c]; j++)
				second[i * n + j] = i == j ? count[i] : 0;
	return second;
}

/* the same of cells that are joined, as many as are left in all columns, *left */
static inline double *
joined_pairs(int columns, const DpemGamColumn *column, const double *joined, const double *second, int *left)
{
	int			place[DPEM_GAM_MAX_CELLS];
	int			n = 0;
	double	   *pairs;

	*left = 0;
	for (int c = 0; c < columns; *left += column[c++].joined)
		for (int end = n + dpem_gam_column_cells(&column[c]); n < end; n++)
			place[n] = *left + (int) joined[n];
	pairs = calloc((size_t) *left * (size_t) *left, sizeof(double));
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			pairs[place[i] * *left + place[j]] += second[i * n + j];
	return pairs;
}

/* both parts of what joins cells; second: their pairs; all: columns that are not worth their noise, too.  Returns whether anything was joined */
static inline bool
join_all(int columns, DpemGamColumn *column, DpemGamSeen *seen, const double *second, bool all, double *joined)
{
	double	   *pairs;
	int			left;

	dpem_gam_join_cells(columns, column, seen, joined);
	seen->pairs = pairs = joined_pairs(columns, column, joined, second, &left);
	if (!all)
		dpem_gam_leave_out(columns, column, seen, joined);
	free(pairs);
	return dpem_gam_are_joined(columns, column);
}

#endif							/* GAM_FIXTURE_H */
