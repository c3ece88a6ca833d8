/*
 * class_kernel.c - see logit_kernel.h.
 *
 * Each row's sums run over the coordinates in ascending order, rows are the
 * inner loop (as in projection.c).
 */
#include <math.h>
#include <string.h>

#include "core/kernels/logit_kernel.h"
#include "core/kernels/kernel.h"
#include "core/numeric/fpenv.h"

#define GROUP	DPEM_BLOCK_GROUP

/* more than what the sums, the root and the quotient of a row's a can be off by */
#define SLACK	(1 - 0x1p-30)

/* ---- losses ---------------------------------------------------------------------- */

double
dpem_loss_slope(const DpemMarginLoss *loss, double margin)
{
	double		slope = (1 + loss->smoothing - margin) / (2 * loss->smoothing);

	if (loss->kind == DPEM_LOSS_LOGISTIC)
		return 1 / (1 + exp(margin));
	return slope > 1 ? 1 : slope < 0 ? 0 : slope;
}

double
dpem_loss_most_curvature(const DpemMarginLoss *loss)
{
	return loss->kind == DPEM_LOSS_LOGISTIC ? 0.25 : 1 / (2 * loss->smoothing);
}

double
dpem_loss_curvature(const DpemMarginLoss *loss, double margin)
{
	double		odds = exp(-fabs(margin));

	if (loss->kind == DPEM_LOSS_LOGISTIC)
		return odds / ((1 + odds) * (1 + odds));
	return fabs(1 - margin) <= loss->smoothing ? dpem_loss_most_curvature(loss) : 0;
}

double
dpem_loss_value(const DpemMarginLoss *loss, double margin)
{
	double		over = 1 + loss->smoothing - margin;

	if (loss->kind == DPEM_LOSS_LOGISTIC)
		return margin > 0 ? log1p(exp(-margin)) : log1p(exp(margin)) - margin;
	if (over <= 0)
		return 0;
	return over >= 2 * loss->smoothing ? 1 - margin : over * over / (4 * loss->smoothing);
}

/* ---- parameters ------------------------------------------------------------------ */

void
dpem_class_write(const DpemMarginLoss *loss, double bound_or_class, double whole, double *theta)
{
	theta[0] = loss->kind;
	theta[1] = loss->smoothing;
	theta[2] = bound_or_class;
	theta[3] = whole;
}

static DpemMarginLoss
read_loss(const double *theta)
{
	return (DpemMarginLoss) {(DpemClassLoss) theta[0], theta[1]};
}

/* of margins, or of the scores of several problems together */
static bool
is_loss(const double *theta, bool several)
{
	return (theta[0] == DPEM_LOSS_NONE || theta[0] == DPEM_LOSS_LOGISTIC || theta[0] == DPEM_LOSS_HINGE ||
			(several && theta[0] == DPEM_LOSS_MULTINOMIAL)) &&
		theta[1] > 0 && isfinite(1 / theta[1]) && isfinite(theta[1]);
}

/* of two problems there is one: the other is its negative */
bool
dpem_class_gradient_valid(const DpemMomentLayout *layout, const double *theta)
{
	return layout->second == DPEM_SECOND_NONE && layout->k != 2 && is_loss(theta, layout->k > 2) &&
		theta[2] >= 1 && isfinite(theta[2]) && theta[3] >= 0;
}

bool
dpem_class_curvature_valid(const DpemMomentLayout *layout, const double *theta)
{
	(void) layout;
	return is_loss(theta, false) && theta[2] >= 0 && theta[2] <= DPEM_CLASS_MAX_PROBLEMS && theta[2] == rint(theta[2]) && theta[3] == 0;
}

/* ---- rows ------------------------------------------------------------------------ */

/* y of a label in the problem of that class; class 0: labels are signs */
static inline double
sign_of(double label, int class)
{
	return class == 0 ? (label < 0 ? -1 : 1) : label == class ? 1 : -1;
}

static void
slopes_of(const DpemMarginLoss *loss, const double *m, int class, const DpemBlock *block, int first, double unit,
		  double whole, double *a)
{
	double		score[GROUP] = {0};

	if (loss->kind != DPEM_LOSS_NONE)
		dpem_group_scores(m, block->d, block->x + first, unit, whole, score);
	for (int i = 0; i < GROUP && first + i < block->rows; i++)
	{
		double		y;

		if (block->keep[first + i] == 0)
			continue;
		y = sign_of(block->label[first + i], class);
		if (loss->kind == DPEM_LOSS_NONE)
			a[first + i] = class == 0 ? y : (y > 0);
		else
			a[first + i] = y * dpem_loss_slope(loss, y * score[i]);
	}
}

static void
put_scores(const double *m, const DpemBlock *block, double unit, double whole, double *a)
{
	for (int first = 0; first < block->rows; first += GROUP)
	{
		double		score[GROUP] = {0};

		dpem_group_scores(m, block->d, block->x + first, unit, whole, score);
		for (int i = 0; i < GROUP && first + i < block->rows; i++)
			a[first + i] = block->keep[first + i] == 0 ? 0 : score[i];
	}
}

/* a row's scores become slopes; one that is no number, or infinitely large, makes all of them none */
static void
multinomial_slopes(int problems, double label, double *a)
{
	double		most = a[0];
	double		sum = 0;

	for (int k = 1; k < problems; k++)
		most = fmax(most, a[(size_t) k * DPEM_BLOCK_STRIDE]);
	for (int k = 0; k < problems; k++)
		sum += a[(size_t) k * DPEM_BLOCK_STRIDE] = exp(a[(size_t) k * DPEM_BLOCK_STRIDE] - most);
	for (int k = 0; k < problems; k++)
		a[(size_t) k * DPEM_BLOCK_STRIDE] = (label == k + 1) - a[(size_t) k * DPEM_BLOCK_STRIDE] / sum;
}

/* into the unit ball, and to integers, towards zero: their squares, at most 2^36, add up exactly */
static void
shorten(int problems, double bound, int bits, int row, double *a)
{
	double		one = ldexp(1, bits);
	double		square = 0;
	double		factor;

	for (int k = 0; k < problems; k++)
	{
		a[(size_t) k * DPEM_BLOCK_STRIDE + row] /= bound;
		square += a[(size_t) k * DPEM_BLOCK_STRIDE + row] * a[(size_t) k * DPEM_BLOCK_STRIDE + row];
	}
	/* a margin that is no number gives none */
	factor = square <= 1 ? 1 : square > 1 ? 1 / sqrt(square) : 0;
	if (bits > 0 && problems > 1 && square > SLACK)
		factor *= SLACK;
	for (int k = 0; k < problems; k++)
	{
		double	   *at = &a[(size_t) k * DPEM_BLOCK_STRIDE + row];

		*at = factor > 0 ? *at * factor : 0;
		if (bits > 0)
			*at = trunc(*at * one);
	}
}

/* slopes of a problem, or scores of one of several together */
static void
put_problem(const DpemMarginLoss *loss, const double *m, int class, const DpemBlock *block, double unit, double whole, double *a)
{
	if (loss->kind == DPEM_LOSS_MULTINOMIAL)
	{
		put_scores(m, block, unit, whole, a);
		return;
	}
	for (int first = 0; first < block->rows; first += GROUP)
		slopes_of(loss, m, class, block, first, unit, whole, a);
}

static bool
has_class(int problems, double label)
{
	return problems == 1 ? label == 1 || label == -1 : label >= 1 && label <= problems;
}

void
dpem_class_gradient_respond(int problems, const double *theta, const DpemBlock *block, int feature_bits,
							int responsibility_bits, double *a)
{
	DpemMarginLoss loss = read_loss(theta);
	double		unit = ldexp(1, -feature_bits);
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	memset(a, 0, (size_t) problems * DPEM_BLOCK_STRIDE * sizeof(double));
	for (int k = 0; k < problems; k++)
		put_problem(&loss, theta + DPEM_CLASS_HEAD + (size_t) k * block->d, problems == 1 ? 0 : k + 1, block, unit, theta[3], a + (size_t) k * DPEM_BLOCK_STRIDE);
	for (int row = 0; row < block->rows; row++)
	{
		if (block->keep[row] != 0 && loss.kind == DPEM_LOSS_MULTINOMIAL)
			multinomial_slopes(problems, block->label[row], a + row);
		if (block->keep[row] != 0 && !has_class(problems, block->label[row]))
			for (int k = 0; k < problems; k++)
				a[(size_t) k * DPEM_BLOCK_STRIDE + row] = 0;
		shorten(problems, theta[2], responsibility_bits, row, a);
	}
	dpem_fpenv_leave(&fpenv);
}

void
dpem_class_curvature_respond(const double *theta, const DpemBlock *block, int feature_bits, int responsibility_bits,
							 double *r)
{
	DpemMarginLoss loss = read_loss(theta);
	double		unit = ldexp(1, -feature_bits);
	double		one = ldexp(1, responsibility_bits);
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	memset(r, 0, DPEM_BLOCK_STRIDE * sizeof(double));
	for (int first = 0; first < block->rows; first += GROUP)
	{
		double		score[GROUP] = {0};

		if (loss.kind != DPEM_LOSS_NONE)
			dpem_group_scores(theta + DPEM_CLASS_HEAD, block->d, block->x + first, unit, 0, score);
		for (int i = 0; i < GROUP && first + i < block->rows; i++)
		{
			double		z;
			double		w;

			if (block->keep[first + i] == 0)
				continue;
			z = sign_of(block->label[first + i], (int) theta[2]) * score[i];
			w = loss.kind == DPEM_LOSS_NONE ? 1 : dpem_loss_curvature(&loss, z) / dpem_loss_most_curvature(&loss);
			if (w > 0 && w <= 1)
				r[first + i] = responsibility_bits > 0 ? rint(w * one) : w;
		}
	}
	dpem_fpenv_leave(&fpenv);
}

/* a slope in [0, 1] as digits of so many bits, DPEM_BLOCK_STRIDE apart; what is none is 0 */
static void
put_digits(double slope, int bits, int digits, double *r)
{
	double		one = ldexp(1, bits);

	if (!(slope > 0 && slope <= 1))
		return;
	if (bits == 0)
	{
		r[0] = slope;
		return;
	}
	for (int k = 0; k < digits; k++)
	{
		double		digit = floor(slope * one);

		r[(size_t) k * DPEM_BLOCK_STRIDE] = digit;
		slope = slope * one - digit;
	}
}

static double
tilted_slope(const DpemMarginLoss *loss, double tilt, double margin)
{
	double		slope = dpem_loss_slope(loss, margin);

	if (tilt == 0)
		return slope;
	slope = (slope + tilt * (DPEM_TILT_REACH - margin)) / (1 + 2 * tilt * DPEM_TILT_REACH);
	return slope > 1 ? 1 : slope < 0 ? 0 : slope;
}

void
dpem_slopes_respond(int digits, const double *theta, const DpemBlock *block, int feature_bits, int responsibility_bits, double *r)
{
	DpemMarginLoss loss = read_loss(theta);
	double		unit = ldexp(1, -feature_bits);
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	memset(r, 0, digits * DPEM_BLOCK_STRIDE * sizeof(double));
	for (int first = 0; first < block->rows; first += GROUP)
	{
		double		score[GROUP] = {0};

		if (loss.kind != DPEM_LOSS_NONE)
			dpem_group_scores(theta + DPEM_CLASS_HEAD, block->d, block->x + first, unit, 0, score);
		for (int i = 0; i < GROUP && first + i < block->rows; i++)
		{
			if (block->keep[first + i] != 0)
				put_digits(loss.kind == DPEM_LOSS_NONE ? 1 : tilted_slope(&loss, theta[2], score[i]), responsibility_bits, digits,
						   &r[first + i]);
		}
	}
	dpem_fpenv_leave(&fpenv);
}

/* ---- gradient steps -------------------------------------------------------------- */

void
dpem_descent_first(DpemDescent *descent, double rows, const double *sum)
{
	descent->length = 1 / (descent->steps.ridge + rows * descent->steps.curvature);
	for (int j = 0; j < descent->d; j++)
		descent->at[j] = descent->length * descent->steps.slope * sum[j];
}

void
dpem_descent_next(DpemDescent *descent, const double *sum)
{
	for (int j = 0; j < descent->d; j++)
		descent->at[j] += descent->length * (sum[j] - descent->steps.ridge * descent->at[j]);
}

/* ---- the kernels of a pass ------------------------------------------------------- */

static size_t
gradient_theta_length(const DpemMomentLayout *layout)
{
	return DPEM_CLASS_HEAD + (size_t) layout->k * layout->d;
}

static void
gradient_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block, int feature_bits,
				 int responsibility_bits, double *r, double *scratch)
{
	(void) scratch;
	dpem_class_gradient_respond(layout->k, theta, block, feature_bits, responsibility_bits, r);
}

static size_t
curvature_theta_length(const DpemMomentLayout *layout)
{
	return DPEM_CLASS_HEAD + (size_t) layout->d;
}

static void
curvature_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block, int feature_bits,
				  int responsibility_bits, double *r, double *scratch)
{
	(void) layout;
	(void) scratch;
	dpem_class_curvature_respond(theta, block, feature_bits, responsibility_bits, r);
}

const DpemKernel dpem_kernel_class_gradient = {
	.name = "class_gradient",.code = 17,.contribution = DPEM_PRODUCT,.max_components = DPEM_CLASS_MAX_PROBLEMS,
	.labelled = true,.keeps_signs = true,.theta_length = gradient_theta_length,.theta_valid = dpem_class_gradient_valid,
	.scratch_length = dpem_kernel_no_length,.respond = gradient_respond
};

const DpemKernel dpem_kernel_class_curvature = {
	.name = "class_curvature",.code = 18,.max_components = 1,.labelled = true,.keeps_signs = true,
	.theta_length = curvature_theta_length,.theta_valid = dpem_class_curvature_valid,
	.scratch_length = dpem_kernel_no_length,.respond = curvature_respond
};

static bool
slopes_valid(const DpemMomentLayout *layout, const double *theta)
{
	return layout->second == DPEM_SECOND_NONE && (layout->k == 2 || layout->k == 3) && is_loss(theta, false) && theta[2] >= 0 &&
		isfinite(theta[2]) && theta[3] == 0;
}

static void
slopes_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block, int feature_bits,
			   int responsibility_bits, double *r, double *scratch)
{
	(void) scratch;
	dpem_slopes_respond(layout->k, theta, block, feature_bits, responsibility_bits, r);
}

/* never released: where steps along such sums end is (wall/release_steps.h) */
const DpemKernel dpem_kernel_slopes = {
	.name = "slopes",.code = 46,.contribution = DPEM_MARKS,.max_components = 3,.labelled = true,
	.theta_length = curvature_theta_length,.theta_valid = slopes_valid,.scratch_length = dpem_kernel_no_length,
	.respond = slopes_respond
};
