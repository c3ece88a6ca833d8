/*
 * summary_kernel.c - the vectors of rows; see summary.h.
 *
 * On the wire a summary is: radius, constant, rows, levels, number of columns, then the fields of every column.
 */
#include <math.h>
#include <string.h>

#include "core/kernels/kernel.h"
#include "core/numeric/bisect.h"
#include "core/numeric/fpenv.h"
#include "core/statistics/summary.h"

#define MOST_CATEGORIES	4096

enum
{
	T_RADIUS, T_CONSTANT, T_ROWS, T_LEVELS, T_COLUMNS, T_HEADER
};

enum
{
	C_FIRST, C_LENGTH, C_OBSERVED, C_KNOWN, C_SUM, C_SQUARE, C_BINS, C_FIELDS
};

int
dpem_summary_level_bins(int level)
{
	int			n = DPEM_SUMMARY_PARTS;

	for (int l = 0; l < level; l++)
		n *= DPEM_SUMMARY_PARTS;
	return n;
}

static int
all_bins(int levels)
{
	int			n = 0;

	for (int l = 0; l < levels; l++)
		n += dpem_summary_level_bins(l);
	return n;
}

int
dpem_summary_components(const DpemSummary *summary)
{
	return DPEM_SUMMARY_BINS + all_bins(summary->levels);
}

static double
squares_of(const DpemSummaryColumn *c)
{
	return c->known * c->known + c->sum * c->sum + c->square * c->square + c->bins * c->bins;
}

static double
norm2_of(const DpemSummary *summary)
{
	double		sum = summary->rows * summary->rows;

	for (int i = 0; i < summary->columns; i++)
		sum += squares_of(&summary->column[i]);
	return sum;
}

bool
dpem_summary_normalise(DpemSummary *summary)
{
	double		norm = sqrt(norm2_of(summary));

	if (!(norm > 0) || !isfinite(norm))
		return false;
	summary->rows /= norm;
	for (int i = 0; i < summary->columns; i++)
	{
		DpemSummaryColumn *c = &summary->column[i];

		c->known /= norm;
		c->sum /= norm;
		c->square /= norm;
		c->bins /= norm;
	}
	return true;
}

/* ---- parameters ---- */

size_t
dpem_summary_theta_length(const DpemSummary *summary)
{
	return T_HEADER + C_FIELDS * (size_t) summary->columns;
}

void
dpem_summary_write(const DpemSummary *summary, double *theta)
{
	theta[T_RADIUS] = summary->radius;
	theta[T_CONSTANT] = summary->constant;
	theta[T_ROWS] = summary->rows;
	theta[T_LEVELS] = summary->levels;
	theta[T_COLUMNS] = summary->columns;
	for (int i = 0; i < summary->columns; i++)
	{
		const DpemSummaryColumn *c = &summary->column[i];
		double	   *field = theta + T_HEADER + C_FIELDS * (size_t) i;

		field[C_FIRST] = c->first;
		field[C_LENGTH] = c->length;
		field[C_OBSERVED] = c->observed;
		field[C_KNOWN] = c->known;
		field[C_SUM] = c->sum;
		field[C_SQUARE] = c->square;
		field[C_BINS] = c->bins;
	}
}

static bool
is_weight(double value)
{
	return value >= 0 && value <= 1;
}

static bool
is_column(const double *field, int d, bool bins)
{
	return dpem_is_whole(field[C_FIRST], 0, d - 1) && dpem_is_whole(field[C_LENGTH], 0, d - field[C_FIRST]) &&
		field[C_LENGTH] <= MOST_CATEGORIES && dpem_is_whole(field[C_OBSERVED], -1, d - 1) && is_weight(field[C_KNOWN]) &&
		is_weight(field[C_SUM]) && is_weight(field[C_SQUARE]) && is_weight(field[C_BINS]) && (bins || field[C_BINS] == 0);
}

static void
read_summary(const double *theta, DpemSummary *s)
{
	s->radius = theta[T_RADIUS];
	s->constant = (int) theta[T_CONSTANT];
	s->rows = theta[T_ROWS];
	s->levels = (int) theta[T_LEVELS];
	s->columns = (int) theta[T_COLUMNS];
	for (int i = 0; i < s->columns; i++)
	{
		const double *field = theta + T_HEADER + C_FIELDS * (size_t) i;

		s->column[i] = (DpemSummaryColumn) {
			(int) field[C_FIRST], (int) field[C_LENGTH], (int) field[C_OBSERVED], field[C_KNOWN], field[C_SUM],
			field[C_SQUARE], field[C_BINS]
		};
	}
}

/* do no two of the summary's columns write to the same number?  Each has its own first coordinate, and so has the constant */
static bool
are_apart(const DpemSummary *s)
{
	for (int i = 0; i < s->columns; i++)
	{
		const DpemSummaryColumn *a = &s->column[i];
		int			last = a->first + (a->length > 0 ? a->length : 1);

		if (s->constant >= a->first && s->constant < last)
			return false;
		for (int j = 0; j < s->columns; j++)
		{
			if (j != i && s->column[j].first >= a->first && s->column[j].first < last)
				return false;
		}
	}
	return true;
}

size_t
dpem_summary_check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	DpemSummary s;
	size_t		length;

	if (available < T_HEADER || layout->second != DPEM_SECOND_NONE || !(theta[T_RADIUS] > 0) || !isfinite(theta[T_RADIUS]) ||
		!dpem_is_whole(theta[T_CONSTANT], 0, layout->d - 1) || !is_weight(theta[T_ROWS]) ||
		!dpem_is_whole(theta[T_LEVELS], 0, DPEM_SUMMARY_LEVELS) || !dpem_is_whole(theta[T_COLUMNS], 0, DPEM_SUMMARY_COLUMNS))
		return 0;
	length = T_HEADER + C_FIELDS * (size_t) theta[T_COLUMNS];
	if (available < length)
		return 0;
	for (size_t i = 0; i < (size_t) theta[T_COLUMNS]; i++)
	{
		if (!is_column(theta + T_HEADER + C_FIELDS * i, layout->d, theta[T_LEVELS] > 0))
			return 0;
	}
	read_summary(theta, &s);
	return layout->k == dpem_summary_components(&s) && norm2_of(&s) <= 1 + 0x1p-40 && are_apart(&s) ? length : 0;
}

/* ---- rows ---- */

/* what is left of the norm after what roundings of square roots, products and sums may have added */
#define KEPT	(1 - 0x1p-30)

typedef struct Target
{
	double	   *sums;
	size_t		record;
	int			bits;			/* 0: real numbers */
} Target;

static void
add(const Target *t, int component, int coordinate, double value)
{
	t->sums[(size_t) component * t->record + 1 + coordinate] += t->bits > 0 ? floor(ldexp(value * KEPT, t->bits)) : value;
}

/* u in [0, 1]; 0 for what is no number */
static void
add_number(const Target *t, const DpemSummary *s, const DpemSummaryColumn *c, double u)
{
	int			first = DPEM_SUMMARY_BINS;
	double		mark = s->levels > 0 ? c->bins / sqrt(s->levels) : 0;

	add(t, DPEM_SUMMARY_KNOWN, c->first, c->known);
	add(t, DPEM_SUMMARY_SUM, c->first, c->sum * u);
	add(t, DPEM_SUMMARY_SQUARE, c->first, c->square * u * u);
	for (int l = 0; l < s->levels; l++)
	{
		int			bins = dpem_summary_level_bins(l);
		int			bin = (int) (u * bins);

		add(t, first + (bin < bins ? bin : bins - 1), c->first, mark);
		first += bins;
	}
}

static double
feature(const DpemBlock *block, int row, int coordinate)
{
	return block->x[(size_t) coordinate * DPEM_BLOCK_STRIDE + row];
}

static void
add_label(const Target *t, const DpemSummaryColumn *c, const DpemBlock *block, int row)
{
	for (int i = 0; i < c->length; i++)
	{
		if (feature(block, row, c->first + i) > 0)
		{
			add(t, DPEM_SUMMARY_KNOWN, c->first + i, c->known);
			return;
		}
	}
}

static void
add_row(const Target *t, const DpemSummary *s, const DpemBlock *block, int row, double unit)
{
	add(t, DPEM_SUMMARY_KNOWN, s->constant, s->rows);
	for (int i = 0; i < s->columns; i++)
	{
		const DpemSummaryColumn *c = &s->column[i];
		double		u = (feature(block, row, c->first) * unit + 1) / 2;

		if (c->length > 0)
			add_label(t, c, block, row);
		else if (c->observed < 0 || feature(block, row, c->observed) > 0)
			add_number(t, s, c, u > 0 ? fmin(u, 1) : 0);
	}
}

void
dpem_summary_accumulate(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
						int feature_bits, int responsibility_bits, double *sums, double *scratch)
{
	Target		target = {sums, dpem_moments_record(layout), dpem_summed_bits(feature_bits, responsibility_bits)};
	DpemSummary summary;
	DpemFpenv	fpenv;

	(void) scratch;
	dpem_fpenv_enter(&fpenv);
	read_summary(theta, &summary);
	memset(sums, 0, dpem_moments_length(layout) * sizeof(double));
	for (int row = 0; row < block->rows; row++)
	{
		if (block->keep[row] != 0)
			add_row(&target, &summary, block, row, ldexp(summary.radius, -feature_bits));
	}
	dpem_fpenv_leave(&fpenv);
}

const DpemKernel dpem_kernel_summary = {
	.name = "summary",.code = 42,.contribution = DPEM_DOCUMENT,.max_components = 1 << 13,.theta_check = dpem_summary_check,
	.scratch_length = dpem_kernel_no_length,.accumulate = dpem_summary_accumulate
};
