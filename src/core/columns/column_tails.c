/*
 * column_tails.c - see column_tails.h.
 *
 * A tail is a hidden Markov chain (Rabiner 1989, Proceedings of the IEEE 77) of windows, each about as long as all before it together.
 * A window holds no row, or a number of them known to a factor of two; from the median outward numbers rise, then fall in the tail, then
 * there is none, and seldom some again.  Forward and backward sums give what is expected in each window of what is released of all.
 */
#include <math.h>

#include "core/columns/column_tails.h"

/* ---- what columns are like ---- */

/*
 * The probabilities are near those of windows of exact rows in 383 numeric columns of 120 public tables: where a window has fewer rows
 * than one before it, half such windows are the last that have any, and one in eight is followed by one with as many.  Those of
 * rows that come back or grow in a tail are less, as every such row that noise hides, anywhere in a wide domain, makes clamps
 * wider.  They were chosen by errors of averages and variances of 60 such columns in domains of 1.5 to 1,000 times where rows
 * are (test/bench/bench_clamp.c does the same with columns that are made up).
 */

/* standard deviations of its noise that the median's bin holds: others are not looked into */
#define DPEM_TAIL_SEEN			3.0

/* in the tail: no row from here on; as many as before; half as many, a quarter, ..; twice as many, four times, .. */
#define DPEM_TAIL_ENDS			0.5
#define DPEM_TAIL_SAME			0.12
#define DPEM_TAIL_FALLS			0.1
#define DPEM_TAIL_FALLS_MORE	0.8
#define DPEM_TAIL_GROWS			0.003
#define DPEM_TAIL_GROWS_MORE	0.12

/* before it: nothing follows; the tail begins, times the above; half as many, as many, twice, four, eight, and more times as many */
#define DPEM_TAIL_NONE			0.12
#define DPEM_TAIL_BEGINS		0.3
#define DPEM_TAIL_RISES			{0.05, 0.25, 0.4, 0.1, 0.02, 0.005}

/* after a window without rows there are some again; and where bins become coarser, which show what finer ones hide */
#define DPEM_TAIL_BACK			1e-6
#define DPEM_TAIL_BACK_COARSER	0.001

#define LEAST_VARIANCE	1e-6	/* of a count, so that margins without noise have a likelihood */

/* bins of all levels, counted from the upper or the lower end of the box */
typedef struct View
{
	const DpemMarginGrid *grid;
	const double *count;
	double		variance[DPEM_MARGINS_MAX_LEVELS];
	bool		mirrored;
} View;

static double
count_of(const View *v, int level, int bin)
{
	int			bins = dpem_margin_level_bins(v->grid, level);

	return v->count[dpem_margin_level_first(v->grid, level) + (v->mirrored ? bins - 1 - bin : bin)];
}

/* of a bin of that level, in those of the finest */
static int
unit_of(const View *v, int level)
{
	return dpem_margin_level_bins(v->grid, v->grid->levels - 1) / dpem_margin_level_bins(v->grid, level);
}

/* ---- windows ---- */

typedef struct Window
{
	int			from;			/* in bins of the finest level */
	int			to;
	bool		coarser;		/* than the window before: its bins are of another level */
	int			bins;
	double		variance;		/* of the noise in one of them */
	double		sum;			/* of what is released of them, */
	double		most;			/* and the greatest */
} Window;

/* where bins of a level begin to be used: at the first of their edges half a bin or more from the center */
static int
first_edge(const View *v, int level, double center)
{
	int			unit = unit_of(v, level);

	return (int) ceil((center + unit / 2.0) / unit) * unit;
}

static void
read_window(const View *v, int level, Window *w)
{
	int			unit = unit_of(v, level);

	w->bins = (w->to - w->from) / unit;
	w->variance = fmax(v->variance[level], LEAST_VARIANCE);
	for (int b = 0; b < w->bins; b++)
	{
		double		count = count_of(v, level, w->from / unit + b);

		w->sum += count;
		w->most = fmax(w->most, count);
	}
}

static int
cut_windows(const View *v, int level, int core, Window *w)
{
	double		center = (core + 0.5) * unit_of(v, level);
	int			end = dpem_margin_level_bins(v->grid, v->grid->levels - 1);
	int			n = 1;

	w[0] = (Window) {.from = core * unit_of(v, level),.to = (core + 1) * unit_of(v, level)};
	read_window(v, level, &w[0]);
	for (; w[n - 1].to < end && n < DPEM_TAIL_WINDOWS; n++)
	{
		int			from = w[n - 1].to;
		int			before = level;
		double		reach;

		while (level > 0 && from >= first_edge(v, level - 1, center))
			level--;
		reach = ceil((center + 2 * (from - center)) / unit_of(v, level)) * unit_of(v, level);
		reach = fmin(reach, level > 0 ? first_edge(v, level - 1, center) : end);
		w[n] = (Window) {.from = from,.to = (int) fmin(reach, end),.coarser = level < before};
		read_window(v, level, &w[n]);
	}
	return n;
}

/* ---- the chain: state 0 is no row; then masses in the tail, each half the one before; then the same on the way to it ---- */

#define MASSES	40
#define STATES	(2 * MASSES + 1)

typedef struct Chain
{
	int			masses;
	double		top;
	double		back;			/* probability of rows after a window without */
	double		back_coarser;	/* the same where bins become coarser */
	double		tail[2 * MASSES];	/* probability of a mass 2^j times that before, at j + masses */
	double		rise[2 * MASSES];
} Chain;

static Chain
make_chain(double rows, double again)
{
	static const double rises[] = DPEM_TAIL_RISES;
	Chain		c = {
		.masses = (int) fmin(2 + ceil(log2(fmax(rows, 1))), MASSES),.top = fmax(rows, 1),
		.back = DPEM_TAIL_BACK * again,.back_coarser = DPEM_TAIL_BACK_COARSER * again
	};

	for (int j = 1 - c.masses; j < c.masses; j++)
	{
		c.tail[j + c.masses] = j > 0 ? DPEM_TAIL_GROWS * pow(DPEM_TAIL_GROWS_MORE, j - 1)
			: j == 0 ? DPEM_TAIL_SAME : DPEM_TAIL_FALLS * pow(DPEM_TAIL_FALLS_MORE, -1 - j);
		c.rise[j + c.masses] = j < -1 ? 0 : rises[j < 4 ? j + 1 : 5];
	}
	return c;
}

/*
 * How unlikely what is released is of so many rows, as the square of a deviate: their sum has the noise of all bins, and no
 * bin has more than all, whichever of them it is, with the noise of one.
 */
static double
misfit(const Window *w, double rows)
{
	double		off = w->sum - rows;
	double		over = fmax(w->most - rows, 0);

	return fmax(off * off / (w->bins * w->variance), over * over / w->variance - 2 * log(w->bins));
}

/* of a state, as near to what is released as it allows */
static double
mass_of(const Chain *c, int state, const Window *w)
{
	double		m = c->top * ldexp(1, -((state - 1) % c->masses));
	double		released = w->most > w->sum && misfit(w, w->most) < misfit(w, w->sum) ? w->most : w->sum;

	return state == 0 ? 0 : fmin(fmax(released, m / M_SQRT2), m * M_SQRT2);
}

static double
likelihood(const Chain *c, int state, const Window *w)
{
	return exp(fmax(-misfit(w, mass_of(c, state, w)) / 2, -600));
}

static double
step(const Chain *c, int from, int to, bool coarser)
{
	double		back = coarser ? c->back_coarser : c->back;
	int			j = (from - 1) % c->masses - (to - 1) % c->masses + c->masses;

	if (from == 0)
		return to == 0 ? 1 - back : to <= c->masses ? back / c->masses : 0;
	if (from <= c->masses)
		return to == 0 ? DPEM_TAIL_ENDS : to <= c->masses ? c->tail[j] : 0;
	return to == 0 ? DPEM_TAIL_NONE : to <= c->masses ? DPEM_TAIL_BEGINS * c->tail[j] : c->rise[j];
}

static void
normalise(int n, double *p)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += p[i] + 1e-280;
	for (int i = 0; i < n; i++)
		p[i] = (p[i] + 1e-280) / sum;
}

/* p: a law of each window's states by what is released of it and of those before */
static void
go_forward(const Chain *c, int n, const Window *w, double *p)
{
	int			states = 2 * c->masses + 1;

	for (int k = 0; k < n; k++, p += states)
	{
		for (int to = 0; to < states; to++)
		{
			p[to] = k == 0 && to > c->masses;
			for (int from = 0; from < states && k > 0; from++)
				p[to] += p[from - states] * step(c, from, to, w[k].coarser);
			p[to] *= likelihood(c, to, &w[k]);
		}
		normalise(states, p);
	}
}

/* what the windows from the k-th on are, as likely as they are, after each state of the one before; `after` is that of the next one */
static void
step_back(const Chain *c, const Window *w, double *after)
{
	int			states = 2 * c->masses + 1;
	double		seen[STATES];

	for (int to = 0; to < states; to++)
		seen[to] = after[to] * likelihood(c, to, w);
	for (int from = 0; from < states; from++)
	{
		after[from] = 0;
		for (int to = 0; to < states; to++)
			after[from] += step(c, from, to, w->coarser) * seen[to];
	}
	normalise(states, after);
}

static void
expect_rows(const Chain *c, int n, const Window *w, double *rows, double *p)
{
	int			states = 2 * c->masses + 1;
	double		after[STATES];

	go_forward(c, n, w, p);
	for (int i = 0; i < states; i++)
		after[i] = 1;
	for (int k = n - 1; k >= 0; k--)
	{
		double		sum = 0;

		rows[k] = 0;
		for (int i = 0; i < states; i++)
		{
			double		weight = p[k * states + i] * after[i];

			sum += weight;
			rows[k] += weight * mass_of(c, i, &w[k]);
		}
		rows[k] /= sum;
		step_back(c, &w[k], after);
	}
}

/* ---- both tails ---- */

static int
median_bin(const double *p, int bins)
{
	double		sum = 0;
	int			b = 0;

	while (b < bins - 1 && (sum += p[b]) < 0.5)
		b++;
	return b;
}

/* the finest level on which the median's bin, and all that it is in, is seen; -1: none */
static int
core_level(const View *v, int median)
{
	int			l = 0;

	while (l < v->grid->levels && count_of(v, l, median / unit_of(v, l)) > DPEM_TAIL_SEEN * sqrt(v->variance[l]))
		l++;
	return l - 1;
}

static void
find_tail(const View *v, int level, int core, double rows, double again, DpemColumnTail *tail, DpemWorkspace work)
{
	Window		w[DPEM_TAIL_WINDOWS];
	Chain		c = make_chain(rows, again);
	double		width = 2.0 / dpem_margin_level_bins(v->grid, v->grid->levels - 1);

	tail->windows = cut_windows(v, level, core, w);
	expect_rows(&c, tail->windows, w, tail->rows, dpem_workspace_take(&work, DPEM_TAIL_WINDOWS * STATES));
	for (int k = 0; k < tail->windows; k++)
	{
		tail->edge[k] = width * w[k].from - 1;
		tail->edge[k + 1] = width * w[k].to - 1;
	}
}

size_t
dpem_column_tails_work(const DpemMarginGrid *grid)
{
	int			finest = dpem_margin_level_bins(grid, grid->levels - 1);
	size_t		law = dpem_margins_law_work(grid);
	size_t		chain = DPEM_TAIL_WINDOWS * STATES;

	return dpem_margin_bins(grid) + (size_t) finest + (law > chain ? law : chain);
}

bool
dpem_column_tails(const DpemMargins *m, int column, double again, DpemColumnTail tail[2], DpemWorkspace work)
{
	int			finest = dpem_margin_level_bins(&m->grid, m->grid.levels - 1);
	double	   *count = dpem_workspace_take(&work, dpem_margin_bins(&m->grid));
	double	   *p = dpem_workspace_take(&work, finest);
	View		up = {.grid = &m->grid,.count = count};
	View		down;
	int			median;
	int			level;

	dpem_margins_counts(m, column, count, up.variance);
	dpem_margins_law(m, column, p, work);
	median = median_bin(p, finest);
	level = core_level(&up, median);
	if (level < 0)
		return false;
	down = up;
	down.mirrored = true;
	find_tail(&up, level, median / unit_of(&up, level), dpem_margins_rows(m, column), again, &tail[0], work);
	find_tail(&down, level, (finest - 1 - median) / unit_of(&up, level), dpem_margins_rows(m, column), again, &tail[1], work);
	return true;
}
