/*
 * evaluate_kernel.c - see evaluate_kernel.h.
 *
 * On the wire a task is: bins, values, number of bytes, then the bytes, six in a number.
 */
#include <math.h>
#include <string.h>

#include "core/evaluation/evaluate_kernel.h"
#include "core/kernels/kernel.h"
#include "core/numeric/bisect.h"
#include "core/numeric/fpenv.h"
#include "core/pass/features.h"

#define PACKED		6			/* bytes in a number: whole numbers below 2^48 are exact */
#define MOST_BYTES	0x1p31

enum
{
	T_BINS, T_VALUES, T_BYTES, T_HEADER
};

DpemRowScorer *(*dpem_make_row_scorer) (const double *theta, int d) = NULL;

static size_t
packed_length(size_t bytes)
{
	return (bytes + PACKED - 1) / PACKED;
}

size_t
dpem_evaluate_theta_length(const DpemEvaluateTask *task)
{
	return T_HEADER + packed_length(task->n);
}

void
dpem_evaluate_write(const DpemEvaluateTask *task, const unsigned char *bytes, double *theta)
{
	theta[T_BINS] = task->bins;
	theta[T_VALUES] = task->values;
	theta[T_BYTES] = (double) task->n;
	for (size_t i = 0; i < task->n; i += PACKED)
	{
		double		number = 0;

		for (size_t j = 0; j < PACKED; j++)
			number = number * 256 + (i + j < task->n ? bytes[i + j] : 0);
		theta[T_HEADER + i / PACKED] = number;
	}
}

DpemEvaluateTask
dpem_evaluate_task(const double *theta)
{
	return (DpemEvaluateTask) {(int) theta[T_BINS], (int) theta[T_VALUES], (size_t) theta[T_BYTES]};
}

void
dpem_evaluate_read(const double *theta, unsigned char *bytes)
{
	size_t		n = (size_t) theta[T_BYTES];

	for (size_t i = 0; i < n; i++)
		bytes[i] = (unsigned char) ((uint64_t) theta[T_HEADER + i / PACKED] >> 8 * (PACKED - 1 - i % PACKED));
}

double
dpem_evaluate_unit(int values)
{
	return floor(ldexp(1, DPEM_FEATURE_BITS) / sqrt((double) values)) * ldexp(1, -DPEM_FEATURE_BITS);
}

/* ---- theta ---- */

/* classes: 0: as many as bins, which are those that are predicted */
static bool
is_header(const DpemMomentLayout *layout, const double *theta, int classes)
{
	int			bins;

	if (!dpem_is_whole(theta[T_BINS], 0, DPEM_EVALUATE_MOST_BINS) || !dpem_is_whole(theta[T_VALUES], 0, DPEM_EVALUATE_MOST_VALUES) ||
		!dpem_is_whole(theta[T_BYTES], 0, MOST_BYTES))
		return false;
	bins = (int) theta[T_BINS];
	if (bins > 0)
		return theta[T_VALUES] == 0 && layout->second == DPEM_COUNTS_ALONE && layout->k == (classes > 0 ? classes : bins) * bins;
	return dpem_is_whole(theta[T_VALUES], 1, layout->d) && layout->second == DPEM_SECOND_NONE && layout->k == 1;
}

static size_t
check(const DpemMomentLayout *layout, const double *theta, size_t available, int classes)
{
	size_t		length;

	if (dpem_make_row_scorer == NULL || available < T_HEADER || !is_header(layout, theta, classes))
		return 0;
	length = T_HEADER + packed_length((size_t) theta[T_BYTES]);
	if (available < length)
		return 0;
	for (size_t i = T_HEADER; i < length; i++)
	{
		if (!dpem_is_whole(theta[i], 0, 0x1p48 - 1))
			return 0;
	}
	return length;
}

static size_t
rows_check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	return check(layout, theta, available, 1);
}

static size_t
classes_check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	return check(layout, theta, available, 2);
}

static size_t
pairs_check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	return check(layout, theta, available, 0);
}

static const double *
prepare(const DpemMomentLayout *layout, const double *theta)
{
	return (const double *) dpem_make_row_scorer(theta, layout->d);
}

/* ---- rows ---- */

static size_t
scratch_length(const DpemMomentLayout *layout)
{
	return (size_t) layout->d + DPEM_EVALUATE_MOST_VALUES;
}

/* where a row's class is */
typedef enum Labels
{
	NO_LABELS, SIGNS, NUMBERS
} Labels;

/*
 * Features of the unit ball, of the row's own sign; returns its class, from 0.  Of two classes it is the sign of the
 * last feature, which is constant; of more, a number from 1, which is -1 here unless it is one of `classes` (0: any).
 */
static int
read_row(const DpemBlock *block, int row, double unit, Labels labels, int classes, double *x)
{
	bool		negative = labels == SIGNS && block->x[(size_t) (block->d - 1) * DPEM_BLOCK_STRIDE + row] < 0;

	for (int j = 0; j < block->d; j++)
		x[j] = block->x[(size_t) j * DPEM_BLOCK_STRIDE + row] * (negative ? -unit : unit);
	if (labels == NUMBERS)
		return block->label[row] >= 1 && block->label[row] <= (classes > 0 ? classes : DPEM_EVALUATE_MOST_BINS) ? (int) block->label[row] - 1 : -1;
	return labels == SIGNS && !negative ? 1 : 0;
}

/* the bin of a place in [0, 1]; the first for what is no number */
static int
bin_of(double place, int bins)
{
	double		at = place * bins;

	return at >= bins ? bins - 1 : at > 0 ? (int) at : 0;
}

/* the row's features are replaced by its values, integers of DPEM_FEATURE_BITS if `exact`, whatever features have, so that their norm is at most 1 */
static void
put_values(DpemBlock *block, int row, const double *value, int values, bool exact)
{
	double		unit = dpem_evaluate_unit(values);

	for (int j = 0; j < block->d; j++)
	{
		double		clipped = j < values ? (value[j] >= -1 ? fmin(value[j], 1) : -1) : 0;

		block->x[(size_t) j * DPEM_BLOCK_STRIDE + row] = exact ? rint(ldexp(clipped * unit, DPEM_FEATURE_BITS)) : clipped * unit;
	}
}

static void
locate(DpemRowScorer *scorer, DpemBlock *block, int bits, Labels labels, int32_t *component, double *scratch)
{
	double	   *x = scratch;
	double	   *score = scratch + block->d;
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	for (int row = 0; row < block->rows; row++)
	{
		component[row] = -1;
		if (!(block->keep[row] > 0))
			continue;
		scorer->class = read_row(block, row, ldexp(1, -bits), labels, scorer->task.bins, x);
		if (scorer->class < 0)
			continue;
		scorer->score(scorer, x, score);
		component[row] = scorer->task.bins > 0 ? scorer->class * scorer->task.bins + bin_of(score[0], scorer->task.bins) : 0;
		if (scorer->task.bins == 0)
			put_values(block, row, score, scorer->task.values, bits > 0);
	}
	dpem_fpenv_leave(&fpenv);
}

static void
locate_rows(const DpemMomentLayout *layout, const double *prepared, DpemBlock *block, int feature_bits,
			int32_t *component, double *scratch)
{
	(void) layout;
	locate((DpemRowScorer *) prepared, block, feature_bits, NO_LABELS, component, scratch);
}

static void
locate_classes(const DpemMomentLayout *layout, const double *prepared, DpemBlock *block, int feature_bits,
			   int32_t *component, double *scratch)
{
	(void) layout;
	locate((DpemRowScorer *) prepared, block, feature_bits, SIGNS, component, scratch);
}

static void
locate_pairs(const DpemMomentLayout *layout, const double *prepared, DpemBlock *block, int feature_bits,
			 int32_t *component, double *scratch)
{
	(void) layout;
	locate((DpemRowScorer *) prepared, block, feature_bits, NUMBERS, component, scratch);
}

const DpemKernel dpem_kernel_evaluate = {
	.name = "evaluate",.code = 40,.max_components = DPEM_EVALUATE_MOST_BINS,.theta_check = rows_check,
	.scratch_length = scratch_length,.prepare = prepare,.own = true,.fine = true,.locate = locate_rows
};

const DpemKernel dpem_kernel_class_evaluate = {
	.name = "class_evaluate",.code = 41,.max_components = 2 * DPEM_EVALUATE_MOST_BINS,.labelled = true,
	.theta_check = classes_check,.scratch_length = scratch_length,.prepare = prepare,.own = true,.fine = true,.locate = locate_classes
};

const DpemKernel dpem_kernel_pairs_evaluate = {
	.name = "pairs_evaluate",.code = 45,.max_components = DPEM_EVALUATE_MOST_CLASSES * DPEM_EVALUATE_MOST_CLASSES,
	.labelled = true,.keeps_signs = true,.theta_check = pairs_check,.scratch_length = scratch_length,.prepare = prepare,
	.own = true,.fine = true,.locate = locate_pairs
};
