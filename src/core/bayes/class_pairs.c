/*
 * class_pairs.c - see class_pairs.h.
 *
 * On the wire: the cells as class_cells.c writes them, then ln of each class's share, then ln of the probabilities of each class's cells.
 */
#include <float.h>
#include <math.h>

#include "core/bayes/class_pairs.h"
#include "core/kernels/kernel.h"
#include "core/numeric/fpenv.h"

#define FIRST_BIN	0.25		/* in units of evidence, natural logarithms */
#define LEVEL		1.5			/* likewise of odds */

/* ---- places ---------------------------------------------------------------------- */

int
dpem_class_pairs_levels(int classes)
{
	return classes == 2 ? 1 : DPEM_PAIRS_LEVELS;
}

int
dpem_class_pairs_places(int classes)
{
	return dpem_class_pairs_levels(classes) * DPEM_PAIRS_BINS * 2;
}

int
dpem_class_pairs_level(int classes, double odds)
{
	return (int) fmin(fabs(odds) / LEVEL, dpem_class_pairs_levels(classes) - 1);
}

/* where bin i of a side begins */
static double
border_of(int i)
{
	return i > 0 ? ldexp(FIRST_BIN, i - 1) : 0;
}

double
dpem_class_pairs_evidence(int bin)
{
	int			i = bin < DPEM_PAIRS_SIDE ? DPEM_PAIRS_SIDE - 1 - bin : bin - DPEM_PAIRS_SIDE;
	double		middle = (border_of(i) + border_of(i + 1)) / 2;

	return bin < DPEM_PAIRS_SIDE ? -middle : middle;
}

/* what is no number is in a bin, too */
static int
bin_of(double evidence)
{
	int			i = 0;

	while (i < DPEM_PAIRS_SIDE - 1 && fabs(evidence) >= border_of(i + 1))
		i++;
	return evidence < 0 ? DPEM_PAIRS_SIDE - 1 - i : DPEM_PAIRS_SIDE + i;
}

/* the two classes of the highest scores; of equals the first */
static void
find_pair(int classes, const double *log_weight, const double *evidence, size_t stride, int *one, int *two)
{
	double		best[2] = {-INFINITY, -INFINITY};

	*one = 0;
	*two = 1;
	for (int c = 0; c < classes; c++)
	{
		double		score = log_weight[c] + evidence[c * stride];

		if (score > best[0])
		{
			*two = c > 0 ? *one : 1;
			*one = c;
			best[1] = best[0];
			best[0] = score;
		}
		else if (score > best[1])
		{
			*two = c;
			best[1] = score;
		}
	}
}

int
dpem_class_pairs_place(int classes, const double *log_weight, const double *evidence, size_t stride, int class)
{
	int			one;
	int			two;
	int			first;
	int			level;

	find_pair(classes, log_weight, evidence, stride, &one, &two);
	if (class != one && class != two)
		return -1;
	first = log_weight[two] > log_weight[one] || (log_weight[two] == log_weight[one] && two < one) ? two : one;
	two = first == one ? two : one;
	level = dpem_class_pairs_level(classes, log_weight[two] - log_weight[first]);
	return (level * DPEM_PAIRS_BINS + bin_of(evidence[two * stride] - evidence[first * stride])) * 2 + (class == two);
}

/* ---- parameters of a pass ---------------------------------------------------------- */

size_t
dpem_class_pairs_theta_length(const DpemClassPairs *pairs)
{
	return dpem_class_cells_theta_length(&pairs->cells) + (size_t) pairs->cells.classes * (1 + dpem_class_cells_number(&pairs->cells));
}

void
dpem_class_pairs_write(const DpemClassPairs *pairs, double *theta)
{
	size_t		classes = (size_t) pairs->cells.classes;
	size_t		places = classes * dpem_class_cells_number(&pairs->cells);

	dpem_class_cells_write(&pairs->cells, theta);
	theta += dpem_class_cells_theta_length(&pairs->cells);
	for (size_t c = 0; c < classes; c++)
		*theta++ = log(fmax(pairs->weight[c], DBL_MIN));
	for (size_t i = 0; i < places; i++)
		*theta++ = log(fmax(pairs->probability[i], DBL_MIN));
}

static size_t
check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	size_t		cells = dpem_class_cells_check_shape(layout->d, theta, available);
	DpemCellsRead read;
	size_t		length;

	if (cells == 0 || layout->second != DPEM_COUNTS_ALONE)
		return 0;
	read = dpem_class_cells_read(theta);
	length = cells + (size_t) read.classes * (1 + read.cells);
	if (read.classes < 2 || layout->k != dpem_class_pairs_places(read.classes) || available < length)
		return 0;
	for (size_t i = cells; i < length; i++)
		if (!isfinite(theta[i]))
			return 0;
	return length;
}

/* ---- rows ---------------------------------------------------------------------------- */

/* each row's evidence by class, and its class, and where a column's cell is noted: coordinates are at least as many as classes */
static size_t
scratch_length(const DpemMomentLayout *layout)
{
	return ((size_t) layout->d + 2) * DPEM_BLOCK_STRIDE;
}

static void
add_column(const DpemBlock *block, const DpemCellsRead *read, const double *log_probability, const double *which, double *evidence)
{
	for (int c = 0; c < read->classes; c++, log_probability += read->cells, evidence += DPEM_BLOCK_STRIDE)
		for (int row = 0; row < block->rows; row++)
			evidence[row] += which[row] >= 0 ? log_probability[(size_t) which[row]] : 0;
}

static void
locate(const DpemMomentLayout *layout, const double *theta, DpemBlock *block, int feature_bits, int32_t *component, double *scratch)
{
	DpemCellsRead read = dpem_class_cells_read(theta);
	const double *log_weight = theta + read.length;
	const double *log_probability = log_weight + read.classes;
	double	   *class = scratch;
	double	   *which = scratch + DPEM_BLOCK_STRIDE;
	double	   *evidence = which + DPEM_BLOCK_STRIDE;
	DpemFpenv	fpenv;

	(void) layout;
	dpem_fpenv_enter(&fpenv);
	dpem_class_cells_find_class(theta, block, feature_bits, class);
	for (size_t i = 0; i < (size_t) read.classes * DPEM_BLOCK_STRIDE; i++)
		evidence[i] = 0;
	for (int j = 0; j < read.columns; j++)
	{
		int			cells = dpem_class_cells_find_next(&read, block, feature_bits, which);

		add_column(block, &read, log_probability, which, evidence);
		log_probability += cells;
	}
	for (int row = 0; row < block->rows; row++)
		component[row] = class[row] >= 0 ? dpem_class_pairs_place(read.classes, log_weight, evidence + row, DPEM_BLOCK_STRIDE, (int) class[row]) : -1;
	dpem_fpenv_leave(&fpenv);
}

const DpemKernel dpem_kernel_class_pairs = {
	.name = "class_pairs",.code = 47,.max_components = DPEM_PAIRS_LEVELS * DPEM_PAIRS_BINS * 2,.theta_check = check,
	.scratch_length = scratch_length,.fine = true,.locate = locate
};
