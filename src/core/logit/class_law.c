/*
 * class_law.c - see class_law.h.
 */
#include <math.h>
#include <string.h>

#include "core/logit/class_law.h"
#include "core/numeric/linalg.h"
#include "core/numeric/public_random.h"

#define LEAST_ROWS	100			/* of a class */
#define LEAST_BENDS	2000		/* of all classes, of margins: few of them may bend the loss */
#define MOST_LONGER	4.0			/* times as long as clipped rows are */
#define LENGTH_STEPS	30
#define COORDINATES	2			/* times as many rows of all classes, at least */
#define EXPONENTIAL	20			/* products that one takes as long as */

static int
classes_of(int problems)
{
	return problems == 1 ? 2 : problems;
}

static int
rows_of(int problems, int d, const DpemMarginLoss *loss)
{
	int			classes = classes_of(problems);
	int			least = 2 * ((COORDINATES * d + 2 * classes - 1) / (2 * classes));
	int			bends = loss->kind == DPEM_LOSS_MULTINOMIAL ? 0 : LEAST_BENDS / classes / 2 * 2;

	least = least > bends ? least : bends;
	return least > LEAST_ROWS ? least : LEAST_ROWS;
}

double
dpem_class_law_rows(int problems, int d, const DpemMarginLoss *loss)
{
	return (double) classes_of(problems) * rows_of(problems, d, loss);
}

double
dpem_class_law_cost(int problems, int d, const DpemMarginLoss *loss)
{
	return 2.0 * rows_of(problems, d, loss) * classes_of(problems) * problems * (d + EXPONENTIAL);
}

DpemClassLaw
dpem_class_law_take(int problems, int d, const DpemMarginLoss *loss, int least, DpemWorkspace *work)
{
	int			classes = classes_of(problems);
	int			usual = rows_of(problems, d, loss);
	DpemClassLaw law = {.d = d,.classes = classes,.problems = problems,.loss = *loss,.rows = usual > least ? usual : least};
	size_t		rows = (size_t) law.rows;

	law.row = dpem_workspace_take(work, classes * rows * d);
	law.times = dpem_workspace_take(work, classes * rows);
	law.weight = dpem_workspace_take(work, classes);
	law.score = dpem_workspace_take(work, rows * problems);
	law.slope = dpem_workspace_take(work, rows * problems);
	law.own = dpem_workspace_take(work, (size_t) problems * d);
	return law;
}

/* nearly a normal deviate for every n, to the bit on every machine: of a binomial number of 64 */
static double
deviate(uint64_t n)
{
	return (__builtin_popcountll(dpem_public_word_at(n)) - 32) / 4.0;
}

/* of one class; own is overwritten */
static void
fill_class(const DpemClassFit *fit, int class, DpemClassLaw *law)
{
	int			d = law->d;
	const double *center = fit->problem[class].center;

	for (int r = 0; r < law->rows; r += 2)
	{
		size_t		first = (size_t) class * law->rows + r;
		double	   *one = law->row + first * d;

		for (int j = 0; j < d; j++)
			law->own[j] = deviate(first * d + j);
		dpem_linalg_product(1, d, d, law->own, fit->spread, one);
		for (int i = 0; i < d; i++)
		{
			one[d + i] = center[i] - one[i];
			one[i] += center[i];
		}
	}
	law->weight[class] = fit->problem[class].share * fmax(fit->rows, 1) / law->rows;
}

/* ---- the clip, which rows have been through whose law is known ---- */

/* of columns whose square is that, beside a constant, what the release of second moments has left of it */
static double
clipped_square(bool kept, double constant, double square)
{
	double		all = square + constant * constant;

	if (kept)
		return fmin(square, 1 - constant * constant);
	return all > 1 ? square / all : square;
}

/* how many times as long they were before: as clipped rows of the law have as much as it says */
static double
length_before(const DpemClassLaw *law, bool kept, double constant)
{
	double		low = 1;
	double		high = MOST_LONGER;

	for (int step = 0; step < LENGTH_STEPS; step++)
	{
		double		middle = (low + high) / 2;
		double		more = 0;

		for (int k = 0; k < law->classes; k++)
			for (int r = 0; r < law->rows; r++)
			{
				double		square = law->times[(size_t) k * law->rows + r];

				more += law->weight[k] * (clipped_square(kept, constant, middle * middle * square) - square);
			}
		if (more < 0)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* so much longer, and clipped as gradients' rows are; times: squares of columns until then */
static void
clip_row(double factor, double constant, bool whole, int d, double *row, double *times)
{
	double		length = sqrt(factor * factor * *times + constant * constant);
	double		part = length > 1 ? 1 / length : 1;

	for (int j = 0; j < d - 1; j++)
		row[j] *= factor * part;
	row[d - 1] *= part;
	*times = whole ? fmin(1 / part, DPEM_MOST_STRETCH) : 1;
}

/* rows of a constant: others are no longer than 1 */
static void
clip_rows(const DpemClassFit *fit, DpemClassLaw *law)
{
	int			d = law->d;
	bool		whole = fit->problem->s.value > 0;
	double		factor;

	for (size_t r = 0; r < (size_t) law->classes * law->rows; r++)
	{
		law->times[r] = 0;
		for (int j = 0; j < d - 1; j++)
			law->times[r] += law->row[r * d + j] * law->row[r * d + j];
	}
	factor = length_before(law, whole && law->problems == 1, fit->constant);
	for (size_t r = 0; r < (size_t) law->classes * law->rows; r++)
		clip_row(factor, fit->constant, whole, d, law->row + r * d, law->times + r);
}

void
dpem_class_law_fill(const DpemClassFit *fit, DpemClassLaw *law)
{
	for (int k = 0; k < law->classes; k++)
		fill_class(fit, k, law);
	for (size_t r = 0; r < (size_t) law->classes * law->rows; r++)
		law->times[r] = 1;
	if (fit->constant > 0 && fit->constant < 1)
		clip_rows(fit, law);
}

/* ---- gradients ---- */

/* scores of a row of that class become slopes */
static void
multinomial_slopes(int problems, int class, double *score)
{
	double		most = score[0];
	double		sum = 0;

	for (int k = 1; k < problems; k++)
		most = fmax(most, score[k]);
	for (int k = 0; k < problems; k++)
		sum += score[k] = exp(score[k] - most);
	for (int k = 0; k < problems; k++)
		score[k] = (k == class) - score[k] / sum;
}

/* the same of margins: a row's slopes together are no longer than 1 */
static void
margin_slopes(const DpemClassLaw *law, int class, double *score)
{
	double		square = 0;

	for (int k = 0; k < law->problems; k++)
	{
		double		y = law->problems == 1 ? 2 * class - 1 : class == k ? 1 : -1;

		score[k] = y * dpem_loss_slope(&law->loss, y * score[k]);
		square += score[k] * score[k];
	}
	for (int k = 0; k < law->problems && square > 1; k++)
		score[k] /= sqrt(square);
}

/* times the weight, in column r of slope */
static void
put_slopes(DpemClassLaw *law, int class, int r)
{
	double	   *score = law->score + (size_t) r * law->problems;
	double		times = law->times[(size_t) class * law->rows + r];

	for (int k = 0; k < law->problems; k++)
		score[k] *= times;
	if (law->loss.kind == DPEM_LOSS_MULTINOMIAL)
		multinomial_slopes(law->problems, class, score);
	else
		margin_slopes(law, class, score);
	for (int k = 0; k < law->problems; k++)
		law->slope[(size_t) k * law->rows + r] = law->weight[class] * score[k];
}

void
dpem_class_law_gradient(const double *coefficients, DpemClassLaw *law, double *out)
{
	int			d = law->d;
	int			n = law->problems;

	memset(out, 0, (size_t) n * d * sizeof(double));
	for (int class = 0; class < law->classes; class++)
	{
		const double *row = law->row + (size_t) class * law->rows * d;

		dpem_linalg_product_nt(law->rows, n, d, row, d, coefficients, d, law->score, n);
		for (int r = 0; r < law->rows; r++)
			put_slopes(law, class, r);
		dpem_linalg_product(n, d, law->rows, law->slope, row, law->own);
		for (int i = 0; i < n * d; i++)
			out[i] += law->own[i];
	}
}

/* ---- curvature ---- */

size_t
dpem_class_law_curvature_work(const DpemClassLaw *law)
{
	size_t		n = (size_t) law->problems * law->d;

	return n * n + law->rows * n;
}

/* of row r of a class, in score: probabilities; returns its weight */
static double
find_probabilities(DpemClassLaw *law, int class, int r, double *p)
{
	double		times = law->times[(size_t) class * law->rows + r];

	for (int k = 0; k < law->problems; k++)
		p[k] *= times;
	multinomial_slopes(law->problems, law->problems, p);
	for (int k = 0; k < law->problems; k++)
		p[k] = -p[k];
	return law->weight[class] * times;
}

/* into pair what weight p p' x x' is the square of, and weight p x x' into out's diagonal blocks */
static void
take_row(const DpemClassLaw *law, double weight, const double *p, const double *x, double *pair, double *out)
{
	int			d = law->d;
	size_t		n = (size_t) law->problems * d;
	double		root = sqrt(weight);

	for (int k = 0; k < law->problems; k++)
	{
		double	   *block = out + k * d * n + k * d;

		for (int i = 0; i < d; i++)
		{
			pair[k * d + i] = root * p[k] * x[i];
			for (int j = 0; j < d; j++)
				block[i * n + j] += weight * p[k] * x[i] * x[j];
		}
	}
}

void
dpem_class_law_curvature(const double *coefficients, DpemClassLaw *law, double *out, double *scratch)
{
	int			d = law->d;
	int			n = law->problems * d;
	double	   *pair = scratch + (size_t) n * n;

	memset(out, 0, (size_t) n * n * sizeof(double));
	for (int class = 0; class < law->classes; class++)
	{
		const double *row = law->row + (size_t) class * law->rows * d;

		dpem_linalg_product_nt(law->rows, law->problems, d, row, d, coefficients, d, law->score, law->problems);
		for (int r = 0; r < law->rows; r++)
		{
			double	   *p = law->score + (size_t) r * law->problems;
			double		weight = find_probabilities(law, class, r, p);

			take_row(law, weight, p, row + (size_t) r * d, pair + (size_t) r * n, out);
		}
		dpem_linalg_gram(law->rows, n, pair, scratch);
		for (size_t i = 0; i < (size_t) n * n; i++)
			out[i] -= scratch[i];
	}
}

/* ---- curvature of two classes' margins ---- */

size_t
dpem_class_law_bend_work(const DpemClassLaw *law)
{
	return (size_t) law->d * law->d + (size_t) law->rows * law->d;
}

void
dpem_class_law_bend(const double *coefficients, DpemClassLaw *law, double *out, double *scratch)
{
	size_t		d = (size_t) law->d;
	double	   *root = scratch + d * d;

	memset(out, 0, d * d * sizeof(double));
	for (int class = 0; class < law->classes; class++)
	{
		const double *row = law->row + (size_t) class * law->rows * d;
		const double *times = law->times + (size_t) class * law->rows;

		dpem_linalg_product_nt(law->rows, 1, law->d, row, law->d, coefficients, law->d, law->score, 1);
		for (int r = 0; r < law->rows; r++)
		{
			double		margin = (2 * class - 1) * times[r] * law->score[r];
			double		part = sqrt(law->weight[class] * times[r] * dpem_loss_curvature(&law->loss, margin));

			for (size_t j = 0; j < d; j++)
				root[r * d + j] = part * row[r * d + j];
		}
		dpem_linalg_gram(law->rows, law->d, root, scratch);
		for (size_t i = 0; i < d * d; i++)
			out[i] += scratch[i];
	}
}
