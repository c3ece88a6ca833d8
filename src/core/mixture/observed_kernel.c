/*
 * observed_kernel.c - the E-step of rows of which some coordinates are unknown; see observed.h.
 * What depends on the pattern of known coordinates alone is kept within a block.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/kernels/gmm_kernel.h"
#include "core/mixture/observed.h"
#include "core/numeric/fpenv.h"

#define MOST_SLOTS	64			/* patterns */
#define SLOT_ROOM	(1 << 18)	/* doubles for them, unless one takes more */
#define LEAST_PIVOT	1e-12		/* of a variance: covariances that are singular are taken as this far from it */

/* of one pattern and component; the factor's known coordinates come first */
typedef struct Conditional
{
	double	   *log_norm;		/* log weight less the log determinant's half of the known coordinates */
	double	   *trace;			/* of the spread, in squared units */
	double	   *factor;			/* lower triangle G, G G' = S with rows in the pattern's order */
	double	   *spread;			/* conditional covariance in feature units, as the layout's second moments */
} Conditional;

typedef struct Observed
{
	const DpemMomentLayout *layout;
	const DpemFeatureMap *map;
	DpemObservedParameters theta;
	size_t		d;
	size_t		triangle;
	size_t		second;
	double		unit;			/* 2^q, or 1 */
	double		rounding;		/* how far rounding moves a vector at most */
	double		whole;			/* 2^p, or 1 */
	int			slots;
	uint64_t	pattern[MOST_SLOTS];	/* of each slot; 0: empty */
	double	   *slot;
	double	   *box;			/* d: the row, in box coordinates */
	double	   *solved;			/* d */
	double	   *vector;			/* d */
	double	   *logit;			/* k */
	double	   *image;			/* k * d: expected features of each component */
	bool		usable[DPEM_GMM_MAX_COMPONENTS];
	int			known;			/* of the pattern at hand */
	int			order[DPEM_OBSERVED_MAX_D];	/* known coordinates, then the others */
} Observed;

static size_t
conditional_length(const DpemMomentLayout *layout)
{
	return 2 + (size_t) layout->d * (layout->d + 1) / 2 + dpem_moments_second_length(layout);
}

static int
count_slots(const DpemMomentLayout *layout)
{
	size_t		fit = SLOT_ROOM / ((size_t) layout->k * conditional_length(layout));

	return fit < 1 ? 1 : fit > MOST_SLOTS ? MOST_SLOTS : (int) fit;
}

static void
take_arrays(Observed *o, DpemWorkspace *work)
{
	const DpemMomentLayout *layout = o->layout;
	size_t		d = (size_t) layout->d;
	size_t		k = (size_t) layout->k;

	o->slots = count_slots(layout);
	o->slot = dpem_workspace_take(work, o->slots * k * conditional_length(layout));
	o->box = dpem_workspace_take(work, d);
	o->solved = dpem_workspace_take(work, d);
	o->vector = dpem_workspace_take(work, d);
	o->logit = dpem_workspace_take(work, k);
	o->image = dpem_workspace_take(work, k * d);
}

size_t
dpem_observed_scratch(const DpemMomentLayout *layout)
{
	Observed	dry = {.layout = layout};
	DpemWorkspace work = {NULL, NULL};

	take_arrays(&dry, &work);
	return dpem_workspace_taken(&work) + dpem_kernel_gmm.scratch_length(layout);
}

static Conditional
conditional_of(const Observed *o, int slot, int k)
{
	double	   *at = o->slot + ((size_t) slot * o->layout->k + k) * conditional_length(o->layout);

	return (Conditional) {at, at + 1, at + 2, at + 2 + o->triangle};
}

static double
entry(const double *triangle, int i, int j)
{
	return i >= j ? triangle[(size_t) i * (i + 1) / 2 + j] : triangle[(size_t) j * (j + 1) / 2 + i];
}

/* ---- patterns -------------------------------------------------------------- */

static void
set_order(Observed *o, uint64_t pattern)
{
	int			next = 0;

	for (int j = 0; j < (int) o->d; j++)
		if (pattern >> j & 1)
			o->order[next++] = j;
	o->known = next;
	for (int j = 0; j < (int) o->d; j++)
		if (!(pattern >> j & 1))
			o->order[next++] = j;
}

/* Cholesky's factor, in which a pivot that rounding or anybody's parameters made too small is the least one */
static void
factorise(const Observed *o, const double *covariance, double *factor)
{
	for (int i = 0; i < (int) o->d; i++)
	{
		double	   *row = factor + (size_t) i * (i + 1) / 2;
		double		variance = entry(covariance, o->order[i], o->order[i]);
		double		least = fmax(LEAST_PIVOT * variance, 1e-300);

		for (int j = 0; j <= i; j++)
		{
			const double *other = factor + (size_t) j * (j + 1) / 2;
			double		sum = entry(covariance, o->order[i], o->order[j]);

			for (int s = 0; s < j; s++)
				sum -= row[s] * other[s];
			row[j] = j < i ? sum / other[j] : sqrt(fmax(sum, least));
		}
	}
}

/* y = whitening x in feature units; x are box coordinates relative to the center */
static void
map_vector(const Observed *o, const double *x, double *y)
{
	double		factor = o->unit / o->map->radius;

	for (size_t i = 0; i < o->d; i++)
	{
		double		sum = o->map->whitening ? 0 : x[i];

		for (size_t j = 0; o->map->whitening && j < o->d; j++)
			sum += o->map->whitening[i * o->d + j] * x[j];
		y[i] = sum * factor;
	}
}

/* the s-th direction of the conditional covariance, which is the sum of their squares: a column of the factor */
static double
map_direction(Observed *o, const double *factor, int s, double *y)
{
	double		square = 0;

	for (size_t j = 0; j < o->d; j++)
		o->vector[j] = 0;
	for (int i = s; i < (int) o->d; i++)
		o->vector[o->order[i]] = factor[(size_t) i * (i + 1) / 2 + s];
	map_vector(o, o->vector, y);
	for (size_t j = 0; j < o->d; j++)
		square += y[j] * y[j];
	return square;
}

/* second += a h(y), h as the layout says */
static void
add_second(const Observed *o, double a, const double *y, double *second)
{
	for (size_t i = 0; i < o->d; i++)
	{
		if (o->layout->second == DPEM_SECOND_NORM)
			second[0] += a * (y[i] * y[i]);
		else if (o->layout->second == DPEM_SECOND_DIAGONAL)
			second[i] += a * (y[i] * y[i]);
		for (size_t j = 0; o->layout->second == DPEM_SECOND_FULL && j <= i; j++)
			second[i * (i + 1) / 2 + j] += a * (y[i] * y[j]);
	}
}

/* its directions, so that they take no more than half of the ball, as integers */
static void
spread_pattern(Observed *o, Conditional c)
{
	double	   *y = o->solved;
	double		square = 0;
	double		shrink;

	for (int s = o->known; s < (int) o->d; s++)
		square += map_direction(o, c.factor, s, y);
	shrink = fmin(1, o->unit * sqrt(0.5 / square));
	*c.trace = 0;
	memset(c.spread, 0, o->second * sizeof(double));
	for (int s = o->known; s < (int) o->d; s++)
	{
		(void) map_direction(o, c.factor, s, y);
		for (size_t j = 0; j < o->d; j++)
		{
			y[j] = o->unit > 1 ? rint(y[j] * shrink) : y[j] * shrink;
			*c.trace += y[j] * y[j];
		}
		add_second(o, 1, y, c.spread);
	}
}

static void
prepare_pattern(Observed *o, int slot)
{
	for (int k = 0; k < o->layout->k; k++)
	{
		Conditional c = conditional_of(o, slot, k);

		factorise(o, o->theta.covariance + k * o->triangle, c.factor);
		*c.log_norm = o->theta.log_weight[k];
		for (int i = 0; i < o->known; i++)
			*c.log_norm -= log(c.factor[(size_t) i * (i + 3) / 2]);
		spread_pattern(o, c);
	}
}

static int
find_pattern(Observed *o, uint64_t pattern)
{
	int			slot = (int) ((pattern * UINT64_C(0x9e3779b97f4a7c15) >> 32) % (uint64_t) o->slots);

	set_order(o, pattern);
	if (o->pattern[slot] != pattern)
	{
		o->pattern[slot] = pattern;
		prepare_pattern(o, slot);
	}
	return slot;
}

/* ---- rows ------------------------------------------------------------------- */

/* the row's known coordinates in the box, clamped to the range; returns which they are */
static uint64_t
read_row(const Observed *o, const DpemBlock *rows, int row)
{
	uint64_t	pattern = 0;

	for (size_t j = 0; j < o->d; j++)
	{
		double		x = rows->x[j * DPEM_BLOCK_STRIDE + row];
		double		lower = o->map->lower[j];
		double		upper = o->map->upper[j];

		o->box[j] = 0;
		if (!isfinite(x))
			continue;
		pattern |= UINT64_C(1) << j;
		o->box[j] = 2 * ((fmin(fmax(x, lower), upper) / 2 - lower / 2) / (upper / 2 - lower / 2)) - 1;
		if (o->map->range)
			o->box[j] = fmin(fmax(o->box[j], o->map->range[j]), o->map->range[o->d + j]);
	}
	return pattern;
}

/* fills in the expected coordinates, clamped to the box; returns the logarithm of the known ones' density */
static double
complete_row(const Observed *o, Conditional c, const double *mean, double *x)
{
	double		square = 0;

	for (int i = 0; i < (int) o->d; i++)
	{
		const double *row = c.factor + (size_t) i * (i + 1) / 2;
		int			j = o->order[i];
		double		sum = i < o->known ? o->box[j] - mean[j] : mean[j];

		for (int s = 0; s < i && s < o->known; s++)
			sum += (i < o->known ? -1 : 1) * row[s] * o->solved[s];
		if (i < o->known)
		{
			o->solved[i] = sum / row[i];
			square += o->solved[i] * o->solved[i];
		}
		x[j] = i < o->known ? o->box[j] : fmin(fmax(sum, -1), 1);
		x[j] -= o->map->center ? o->map->center[j] : 0;
	}
	return *c.log_norm - square / 2;
}

/*
 * The expected features, clipped to what the spread leaves of the ball.  With bits they are
 * integers, and what is checked is exact.
 */
static bool
clip_image(const Observed *o, double trace, double *y)
{
	double		ball = o->unit * o->unit;
	double		shorten = 1.0 - (double) (o->d + 8) * 0x1p-51;
	double		most = (sqrt(fmax(ball - trace, 0)) - o->rounding) * shorten;
	double		square = 0;
	double		factor;

	for (size_t j = 0; j < o->d; j++)
		square += y[j] * y[j];
	factor = square > most * most ? fmax(most, 0) / sqrt(square) : 1;
	square = trace;
	for (size_t j = 0; j < o->d; j++)
	{
		y[j] = o->rounding > 0 ? rint(y[j] * factor) : y[j] * factor;
		square += y[j] * y[j];
	}
	return square <= ball;
}

/* logits become responsibilities that add up to `whole` exactly: the first of the largest takes what rounding leaves */
static void
respond(const Observed *o)
{
	int			k = o->layout->k;
	int			top = 0;
	double		sum = 0;
	double		left = o->whole;

	for (int c = 0; c < k; c++)
	{
		o->logit[c] = fmin(fmax(o->logit[c], -1e300), 1e300);
		top = o->logit[c] > o->logit[top] ? c : top;
	}
	for (int c = 0; c < k; c++)
		sum += exp(o->logit[c] - o->logit[top]);
	for (int c = k - 1; c >= 0; c--)
	{
		double		r = exp(o->logit[c] - o->logit[top]) / sum * o->whole;

		if (c == top)
			continue;
		o->logit[c] = o->rounding > 0 ? floor(r) : r;
		left -= o->logit[c];
	}
	o->logit[top] = left;
}

static void
add_row(Observed *o, int slot, double *sums)
{
	size_t		record = dpem_moments_record(o->layout);

	for (int k = 0; k < o->layout->k; k++)
	{
		Conditional c = conditional_of(o, slot, k);
		double	   *y = o->image + k * o->d;

		o->logit[k] = complete_row(o, c, o->theta.mean + k * o->d, o->vector);
		map_vector(o, o->vector, y);
		o->usable[k] = clip_image(o, *c.trace, y);
	}
	respond(o);
	for (int k = 0; k < o->layout->k; k++)
	{
		double	   *to = sums + k * record;
		double		r = o->usable[k] ? o->logit[k] : 0;
		const double *y = o->image + k * o->d;

		if (r == 0)
			continue;
		to[0] += r;
		for (size_t j = 0; j < o->d; j++)
			to[1 + j] += r * y[j];
		add_second(o, r, y, to + 1 + o->d);
		for (size_t i = 0; i < o->second; i++)
			to[1 + o->d + i] += r * conditional_of(o, slot, k).spread[i];
	}
}

void
dpem_observed_add(const DpemMomentLayout *layout, const double *theta, const DpemFeatureMap *map,
				  const DpemBlock *rows, int responsibility_bits, double *sums, double *scratch)
{
	Observed	o = {
		.layout = layout,.map = map,.theta = dpem_observed_parameters(layout, theta),.d = (size_t) layout->d,
		.triangle = (size_t) layout->d * (layout->d + 1) / 2,.second = dpem_moments_second_length(layout),
		.unit = ldexp(1, map->bits),.rounding = map->bits > 0 ? 0.5 * sqrt(layout->d) : 0,.whole = ldexp(1, responsibility_bits)
	};
	DpemWorkspace work = {scratch, scratch + dpem_observed_scratch(layout)};
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	take_arrays(&o, &work);
	for (int row = 0; row < rows->rows; row++)
	{
		uint64_t	pattern = read_row(&o, rows, row);

		if (pattern != 0)
			add_row(&o, find_pattern(&o, pattern), sums);
	}
	dpem_fpenv_leave(&fpenv);
}
