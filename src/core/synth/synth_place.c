/*
 * synth_place.c - see synth_place.h.
 */
#include <math.h>
#include <string.h>

#include "core/synth/synth_place.h"
#include "core/synth/synth_rules.h"
#include "core/synth/synth_smooth.h"

void
dpem_synth_equal_bins(int parts, int bins, DpemSynthBins *out)
{
	out->bins = bins;
	memset(out->empty, false, sizeof out->empty);
	for (int i = 0; i <= bins; i++)
		out->edge[i] = (int) ((int64_t) parts * i / bins);
}

/* ---- how many bins are wanted where ------------------------------------------------ */

/* may a bin hide rows? */
static bool
may_hide(const DpemSynthBins *from, const double *share, int i)
{
	return share[i] == 0 && !from->empty[i];
}

/* the density of bins that are wanted, times each bin's width; evenly over bins that may hide rows */
static void
find_weights(const DpemSynthBins *from, const double *share, double hidden, double *weight)
{
	double		power = dpem_synth_place_rules.power;
	double		sum = 0;
	int			hiding = 0;

	for (int i = 0; i < from->bins; i++)
	{
		weight[i] = share[i] > 0 ? pow(share[i], power) * pow(from->edge[i + 1] - from->edge[i], 1 - power) : 0;
		sum += weight[i];
		hiding += may_hide(from, share, i);
	}
	for (int i = 0; i < from->bins; i++)
		weight[i] = share[i] > 0 ? (1 - hidden) * weight[i] / sum : may_hide(from, share, i) ? hidden / hiding : 0;
}

/* ---- stretches of bins: of rows, and of what is empty between them ---------------------- */

typedef struct Stretch
{
	int			first;			/* bins of what was counted, */
	int			end;
	double		weight;			/* 0: it is empty */
	int			bins;			/* that it gets */
} Stretch;

typedef struct Stretches
{
	int			n;
	Stretch		of[DPEM_SYNTH_SIZE + 1];
} Stretches;

static int
width_of(const DpemSynthBins *from, const Stretch *s)
{
	return from->edge[s->end] - from->edge[s->first];
}

/* from the first to the last bin with weight; empty ones at least `wide` parts long are stretches of their own */
static void
divide(const DpemSynthBins *from, const double *weight, double wide, Stretches *out)
{
	int			first = 0;
	int			end = from->bins;

	while (first < end - 1 && weight[first] == 0)
		first++;
	while (end > first + 1 && weight[end - 1] == 0)
		end--;
	*out = (Stretches) {1, {{.first = first,.end = first}}};
	for (int i = first; i < end;)
	{
		Stretch		run = {.first = i,.end = i + 1};

		while (weight[i] == 0 && run.end < end && weight[run.end] == 0)
			run.end++;
		if (weight[i] == 0 && width_of(from, &run) >= wide)
		{
			out->of[out->n++] = run;
			out->of[out->n++] = (Stretch) {.first = run.end,.end = run.end};
		}
		else
		{
			out->of[out->n - 1].end = run.end;
			for (int b = run.first; b < run.end; b++)
				out->of[out->n - 1].weight += weight[b];
		}
		i = run.end;
	}
}

/* what is empty counts from a part of what is not on, or from as much more as leaves most bins for rows */
static void
find_stretches(const DpemSynthBins *from, const double *weight, int bins, Stretches *out)
{
	double		rows = 0;
	double		wide;

	for (int i = 0; i < from->bins; i++)
		rows += weight[i] > 0 ? from->edge[i + 1] - from->edge[i] : 0;
	wide = dpem_synth_place_rules.gap * rows;
	do
		divide(from, weight, wide, out);
	while (out->n > bins / 2 && (wide = 2 * wide + 1) > 0);
}

/* bins that a stretch may be divided into: no more than it has parts, and up to `most` of each bin that was counted and has weight */
static int
room_in(const DpemSynthBins *from, const Stretch *s, const double *weight, int most)
{
	double		room = 0;

	for (int i = s->first; i < s->end; i++)
		room += weight[i] > 0 ? fmin(from->edge[i + 1] - from->edge[i], most) : 0;
	return (int) fmin(room, width_of(from, s));
}

/* bins for each stretch: one if it is empty, else by weight; returns how many of `bins` there is no room for */
static int
share_bins(const DpemSynthBins *from, const double *weight, int bins, int most, Stretches *s)
{
	for (int i = 0; i < s->n; i++)
		s->of[i].bins = 1;
	for (bins -= s->n; bins > 0; bins--)
	{
		int			best = -1;

		for (int i = 0; i < s->n; i++)
		{
			const Stretch *one = &s->of[i];

			if (one->weight == 0 || one->bins >= room_in(from, one, weight, most))
				continue;
			if (best < 0 || one->weight / one->bins > s->of[best].weight / s->of[best].bins)
				best = i;
		}
		if (best < 0)
			break;
		s->of[best].bins++;
	}
	return bins;
}

/* no bin of what was counted gets more bins than it has parts, or `most`: rows of one value are in one of them */
static void
limit_weights(const DpemSynthBins *from, const Stretch *s, int most, double *weight)
{
	for (int round = 0; round < 8; round++)
	{
		double		sum = 0;

		for (int i = s->first; i < s->end; i++)
			sum += weight[i];
		for (int i = s->first; i < s->end; i++)
			weight[i] = fmin(weight[i], sum * fmin(from->edge[i + 1] - from->edge[i], most) / s->bins);
	}
}

/* edges within a stretch, at equal parts of its weight; they are distinct */
static void
cut(const DpemSynthBins *from, const Stretch *s, int most, double *weight, int *edge)
{
	double		sum = 0;
	double		before = 0;
	int			k = 1;

	limit_weights(from, s, most, weight);
	for (int i = s->first; i < s->end; i++)
		sum += weight[i];
	for (int i = s->first; i < s->end; before += weight[i++])
		for (; k < s->bins && before + weight[i] >= sum * k / s->bins && weight[i] > 0; k++)
			edge[k] = from->edge[i] + (int) rint((from->edge[i + 1] - from->edge[i]) * (sum * k / s->bins - before) / weight[i]);
	for (; k < s->bins; k++)
		edge[k] = from->edge[s->end];
	edge[0] = from->edge[s->first];
	for (k = 1; k < s->bins; k++)
		edge[k] = edge[k] > edge[k - 1] ? edge[k] : edge[k - 1] + 1;
	for (k = s->bins - 1; k > 0; k--)
	{
		int			most = from->edge[s->end] - (s->bins - k);

		edge[k] = edge[k] < most ? edge[k] : most;
	}
}

/* ---- tails --------------------------------------------------------------------- */

static double
first_of_tail(int body)
{
	return fmax(dpem_synth_place_rules.tail_start * body, 1);
}

/* of `bins`, those of a tail of so many parts beside a body of `body`; last: of the fit */
static int
tail_bins(int parts, int body, int bins, bool last)
{
	double		more = parts > first_of_tail(body) ? ceil(log(parts / first_of_tail(body)) / log(dpem_synth_place_rules.tail_growth[last])) : 0;

	return parts == 0 ? 0 : (int) fmin(fmin(1 + more, fmin(dpem_synth_place_rules.tail_bins[last], bins / 6)), parts);
}

/* how far from the body the tail's edge i is, distinct ones: the first bin is as wide as a part of it, and all others grow by one factor */
static int
tail_edge(int parts, int body, int bins, int i)
{
	double		first = fmin(first_of_tail(body), (double) parts / bins);
	double		at = i == 0 ? 0 : i == bins ? parts : first * pow(parts / first, (i - 1.0) / (bins - 1));

	return i + (int) rint(at * (parts - bins) / parts);
}

/* ---- all bins ------------------------------------------------------------------ */

/* what is still missing comes from dividing the widest bins */
static void
fill_up(int bins, DpemSynthBins *out)
{
	while (out->bins < bins)
	{
		int			widest = 0;

		for (int i = 1; i < out->bins; i++)
			if (out->edge[i + 1] - out->edge[i] > out->edge[widest + 1] - out->edge[widest])
				widest = i;
		memmove(out->edge + widest + 2, out->edge + widest + 1, (size_t) (out->bins - widest) * sizeof(int));
		out->edge[widest + 1] = (out->edge[widest] + out->edge[widest + 2]) / 2;
		out->bins++;
		memmove(out->empty + widest + 1, out->empty + widest, (size_t) (out->bins - 1 - widest) * sizeof(bool));
	}
}

/* `left` bins that stretches do not take, as these have no more parts, make tails finer, the longer one first */
static void
lengthen_tails(int left, int low, int high, int *below, int *above)
{
	for (int i = 0; i < 2; i++)
	{
		bool		second = (high > low) != (i == 1);
		int		   *tail = second ? above : below;
		int			room = (second ? high : low) - *tail;
		int			more = left < room ? left : room;

		*tail += more > 0 ? more : 0;
		left -= more > 0 ? more : 0;
	}
}

static void
put_body(const DpemSynthBins *from, Stretches *s, int most, double *weight, DpemSynthBins *out)
{
	for (int i = 0; i < s->n; i++)
	{
		if (s->of[i].weight > 0)
			cut(from, &s->of[i], most, weight, out->edge + out->bins);
		else
		{
			out->edge[out->bins] = from->edge[s->of[i].first];
			out->empty[out->bins] = true;
		}
		out->bins += s->of[i].bins;
	}
}

static void
put_bins(const DpemSynthBins *from, double *weight, int bins, bool last, DpemSynthBins *out)
{
	int			parts = from->edge[from->bins];
	int			most = last ? dpem_synth_place_rules.most_in_one : bins;
	Stretches	s;
	int			low;
	int			high;
	int			size;
	int			below;
	int			above;

	find_stretches(from, weight, bins, &s);
	low = from->edge[s.of[0].first];
	high = from->edge[s.of[s.n - 1].end];
	size = high - low;
	below = tail_bins(low, size, bins, last);
	above = tail_bins(parts - high, size, bins, last);
	lengthen_tails(share_bins(from, weight, bins - below - above, most, &s), low, parts - high, &below, &above);
	out->bins = 0;
	memset(out->empty, false, sizeof out->empty);
	memset(out->empty, true, (size_t) below * sizeof(bool));
	for (; out->bins < below; out->bins++)
		out->edge[out->bins] = low - tail_edge(low, size, below, below - out->bins);
	put_body(from, &s, most, weight, out);
	memset(out->empty + out->bins, true, (size_t) above * sizeof(bool));
	for (int i = 0; i < above; i++)
		out->edge[out->bins++] = high + tail_edge(parts - high, size, above, i);
	out->edge[out->bins] = parts;
	fill_up(bins, out);
}

/* ---- ordinary domains ------------------------------------------------------------- */

/* shares of rows: those that are seen, those that bins may hide, each in these; and the rest, which noise may hide anywhere */
static double
suppose_rows(const DpemSynthBins *from, const double *count, double sd, const double *share, double *supposed)
{
	double		rows[2] = {0};	/* in bins that are not empty, and elsewhere */
	int			hiding = 0;
	int			empty = 0;

	for (int i = 0; i < from->bins; i++)
	{
		bool		elsewhere = share[i] == 0 && from->empty[i];

		rows[elsewhere] += count[i];
		empty += elsewhere;
		hiding += may_hide(from, share, i);
		supposed[i] = share[i] > 0 ? fmax(count[i], 0) : 0;
	}
	for (int i = 0; i < from->bins && hiding > 0; i++)
		rows[0] -= supposed[i];
	for (int i = 0; i < from->bins; i++)
		supposed[i] += may_hide(from, share, i) ? fmax(rows[0], 0) / hiding : 0;
	return fmax(rows[1] + dpem_synth_place_rules.doubt * sd * sqrt(empty), 0);
}

/* how many of so many equal bins the rows fill: the exponential of their entropy */
static double
filled_bins(const DpemSynthBins *from, const double *supposed, double anywhere, int bins)
{
	double		in_bin[DPEM_SYNTH_SIZE] = {0};
	double		wide = (double) from->edge[from->bins] / bins;
	double		all = anywhere;
	double		entropy = 0;

	for (int i = 0; i < from->bins; i++)
	{
		double		low = from->edge[i] / wide;
		double		high = from->edge[i + 1] / wide;

		all += supposed[i];
		for (int b = (int) low; b < bins && b < high; b++)
			in_bin[b] += supposed[i] * (fmin(high, b + 1) - fmax(low, b)) / (high - low);
	}
	for (int b = 0; b < bins; b++)
	{
		double		rows = all > 0 ? (in_bin[b] + anywhere / bins) / all : 1.0 / bins;

		entropy -= rows > 0 ? rows * log(rows) : 0;
	}
	return exp(entropy);
}

/* equal ones do as well where rows fill many of them */
static bool
is_ordinary(const DpemSynthBins *from, const double *count, double sd, const double *share, int bins)
{
	double		supposed[DPEM_SYNTH_SIZE];
	double		anywhere = suppose_rows(from, count, sd, share, supposed);

	return filled_bins(from, supposed, anywhere, bins) >= dpem_synth_place_rules.filled * bins;
}

static void
place_rows(const DpemSynthBins *from, const double *share, double hidden, int bins, bool last, DpemSynthBins *out)
{
	double		weight[DPEM_SYNTH_SIZE];

	find_weights(from, share, hidden, weight);
	put_bins(from, weight, bins, last, out);
}

void
dpem_synth_place(const DpemSynthBins *from, const double *count, double sd, int bins, DpemSynthBins *out)
{
	double		share[DPEM_SYNTH_SIZE];
	double		hidden = dpem_synth_find_rows(from->bins, count, from->empty, sd, share);

	place_rows(from, share, hidden, bins, false, out);
}

void
dpem_synth_place_last(const DpemSynthBins *from, const double *count, double sd, int bins, DpemSynthBins *out)
{
	double		share[DPEM_SYNTH_SIZE];
	double		hidden = dpem_synth_find_rows(from->bins, count, from->empty, sd, share);

	if (is_ordinary(from, count, sd, share, bins))
		dpem_synth_equal_bins(from->edge[from->bins], bins, out);
	else
		place_rows(from, share, hidden, bins, true, out);
}
