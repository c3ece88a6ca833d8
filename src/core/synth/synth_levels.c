/*
 * synth_levels.c - groups of categories from noisy counts: see synth_domain.h.
 */
#include <math.h>
#include <string.h>

#include "core/numeric/vector.h"
#include "core/synth/synth_domain.h"
#include "core/synth/synth_rules.h"
#include "core/synth/synth_smooth.h"

static void
take(const DpemSynthDomain *domain, DpemSynthLevels *levels, DpemWorkspace *work)
{
	levels->offset[0] = 0;
	for (int j = 0; j < domain->columns; j++)
		levels->offset[j + 1] = levels->offset[j] + domain->size[j];
	for (int l = 0; l < DPEM_SYNTH_LEVELS; l++)
		levels->group[l] = (int *) dpem_workspace_take(work, dpem_synth_doubles((size_t) levels->offset[domain->columns] * sizeof(int)));
	levels->share = dpem_workspace_take(work, (size_t) levels->offset[domain->columns]);
}

size_t
dpem_synth_levels_work(const DpemSynthDomain *domain)
{
	DpemWorkspace dry = {NULL, NULL};
	DpemSynthLevels levels;

	take(domain, &levels, &dry);
	return dpem_workspace_taken(&dry);
}

/* ---- joining groups ---------------------------------------------------------- */

typedef struct Groups
{
	int			categories;
	int		   *group;			/* of each category */
	int			n;
	bool		ordered;
	double		count[DPEM_SYNTH_SIZE];
} Groups;

static void
count_groups(Groups *g, const double *one_way)
{
	memset(g->count, 0, sizeof g->count);
	for (int c = 0; c < g->categories; c++)
		g->count[g->group[c]] += one_way[c];
}

/* the group of the least count but `other`; of neighbours of it alone, if only these are alike */
static int
least_group(const Groups *g, int other)
{
	int			best = -1;

	for (int i = 0; i < g->n; i++)
	{
		if (i == other || (other >= 0 && g->ordered && i != other - 1 && i != other + 1))
			continue;
		if (best < 0 || g->count[i] < g->count[best])
			best = i;
	}
	return best;
}

static void
join(Groups *g, int i, int j)
{
	int			low = i < j ? i : j;
	int			high = i < j ? j : i;

	g->count[low] += g->count[high];
	for (int k = high; k < g->n - 1; k++)
		g->count[k] = g->count[k + 1];
	for (int c = 0; c < g->categories; c++)
		if (g->group[c] == high)
			g->group[c] = low;
		else if (g->group[c] > high)
			g->group[c]--;
	g->n--;
}

static void
join_small(Groups *g, double least, int most)
{
	while (g->n > 1)
	{
		int			i = least_group(g, -1);

		if (g->n <= most && g->count[i] >= least)
			return;
		join(g, i, least_group(g, i));
	}
}

/* ---- empty bins ------------------------------------------------------------------ */

#define EMPTY_ROWS	0.1			/* of a bin that has none beside its noise, next to one that has; */
#define EMPTY_DECAY 0.1			/* and of the ones farther away in parts of each other */

/*
 * Of bins that together clearly have rows, the last ones, up to where they have them most clearly: those before may be noise alone, and are
 * farther from all rows than any.
 */
static void
reveal_last(const double *one_way, int first, int last, int step, bool *hidden)
{
	double		sum = 0;
	double		most = 0;
	int			n = 0;
	int			from = last;

	for (int i = last; i != first - step; i -= step)
	{
		sum += hidden[i] ? one_way[i] : 0;
		n += hidden[i];
		if (n > 0 && sum / sqrt(n) > most)
		{
			most = sum / sqrt(n);
			from = i;
		}
	}
	for (int i = from; i != last + step; i += step)
		hidden[i] = false;
}

/* bins of an end of a column that are empty one by one are not where together they clearly have rows */
static void
reveal_end(const DpemSynthBody *body, const double *one_way, double sd, int end, int step, bool *hidden)
{
	double		sum = 0;
	int			n = 0;
	int			first = end;

	for (int i = end; i >= 0 && i < body->bins && body->empty[i]; i += step)
	{
		sum += hidden[i] ? one_way[i] : 0;
		n += hidden[i];
		if (sum <= dpem_synth_place_rules.clear * sd * sqrt(n))
			continue;
		reveal_last(one_way, first, i, step, hidden);
		first = i + step;
		sum = 0;
		n = 0;
	}
}

/* which bins are taken for empty, some but not all; false: none is, or nothing is known of them */
static bool
find_hidden(const DpemSynthDomain *domain, int j, const double *one_way, double sd, bool *hidden)
{
	const DpemSynthBody *body = domain->body != NULL ? &domain->body[j] : NULL;
	int			n = 0;

	for (int i = 0; body != NULL && i < body->bins; i++)
		hidden[i] = body->empty[i] && one_way[i] <= dpem_synth_place_rules.clear * sd;
	if (body != NULL && body->bins > 0)
	{
		reveal_end(body, one_way, sd, 0, 1, hidden);
		reveal_end(body, one_way, sd, body->bins - 1, -1, hidden);
	}
	for (int i = 0; body != NULL && i < body->bins; i++)
		n += hidden[i];
	return n > 0 && n < body->bins;
}

/* with the visible bin before, or, at the beginning, after them */
static void
join_hidden(Groups *g, int bins, const bool *hidden)
{
	bool		visible = !hidden[0];

	for (int i = 1; i < bins; i++)
	{
		if (hidden[i] || !visible)
			join(g, g->group[i - 1], g->group[i]);
		visible = visible || !hidden[i];
	}
}

/* smooth counts of what is not hidden alone, and next to none of what is */
static void
smooth_visible(int bins, const bool *hidden, const double *one_way, double sd, double *out)
{
	double		seen[DPEM_SYNTH_SIZE];
	double		smooth[DPEM_SYNTH_SIZE];
	int			n = 0;
	double		rows = 0;

	for (int i = 0; i < bins; i++)
		if (!hidden[i])
			seen[n++] = one_way[i];
	dpem_synth_smooth(n, seen, sd, dpem_synth_interval_price, smooth);
	n = 0;
	for (int i = 0; i < bins; i++)
	{
		rows = hidden[i] ? (rows > 0 ? rows * EMPTY_DECAY : 0) : EMPTY_ROWS / EMPTY_DECAY;
		out[i] = hidden[i] ? rows : fmax(smooth[n++], 1);
	}
	rows = 0;
	for (int i = bins - 1; i >= 0; i--)
	{
		rows = hidden[i] ? (rows > 0 ? rows * EMPTY_DECAY : 0) : EMPTY_ROWS / EMPTY_DECAY;
		out[i] = hidden[i] ? fmax(out[i], rows) : out[i];
	}
}

/* ---- shares -------------------------------------------------------------------- */

/* counts with less noise: of neighbours along an ordered column, else of each group */
static void
smooth_counts(const Groups *g, const double *one_way, double sd, double *out)
{
	if (g->ordered)
	{
		dpem_synth_smooth(g->categories, one_way, sd, dpem_synth_interval_price, out);
		return;
	}
	for (int i = 0; i < g->n; i++)
	{
		bool		member[DPEM_SYNTH_SIZE];

		for (int c = 0; c < g->categories; c++)
			member[c] = g->group[c] == i;
		dpem_synth_shrink(g->categories, member, one_way, sd, out);
	}
}

/* shares from smooth counts, negative ones taken as zero; equal shares if there are none */
static void
find_shares(const Groups *g, const double *one_way, double sd, int bins, const bool *hidden, double *share)
{
	double		count[DPEM_SYNTH_SIZE];
	double		sum[DPEM_SYNTH_SIZE] = {0};
	int			members[DPEM_SYNTH_SIZE] = {0};

	smooth_counts(g, one_way, sd, count);
	if (hidden != NULL)
		smooth_visible(bins, hidden, one_way, sd, count);
	for (int c = 0; c < g->categories; c++)
	{
		sum[g->group[c]] += fmax(count[c], 0);
		members[g->group[c]]++;
	}
	for (int c = 0; c < g->categories; c++)
		share[c] = sum[g->group[c]] > 0 ? fmax(count[c], 0) / sum[g->group[c]] : 1.0 / members[g->group[c]];
}

static void
group_column(DpemSynthLevels *levels, int j, const double *one_way, double sd, double pair_sd)
{
	int			n = levels->domain.size[j];
	int			at = levels->offset[j];
	double		rows = dpem_sum(one_way + at, n);
	Groups		g = {n, levels->group[0] + at, n, levels->domain.ordered != NULL && levels->domain.ordered[j], {0}};
	bool		hidden[DPEM_SYNTH_SIZE];
	bool		hides = find_hidden(&levels->domain, j, one_way + at, sd, hidden);
	int			bins = hides ? levels->domain.body[j].bins : 0;

	for (int c = 0; c < n; c++)
		g.group[c] = c;
	levels->size[0][j] = n;
	for (int l = 1; l < DPEM_SYNTH_LEVELS; l++)
	{
		memcpy(levels->group[l] + at, levels->group[l - 1] + at, (size_t) n * sizeof(int));
		g.group = levels->group[l] + at;
		count_groups(&g, one_way + at);
		if (l == 1 && hides)
			join_hidden(&g, bins, hidden);
		join_small(&g, dpem_synth_least_count * sd, dpem_synth_most_groups(l, levels->domain.columns, rows, pair_sd));
		levels->size[l][j] = g.n;
		if (l == 1)
			find_shares(&g, one_way + at, sd, bins, hides ? hidden : NULL, levels->share + at);
	}
}

DpemStatus
dpem_synth_levels(const DpemSynthDomain *domain, const double *one_way, const double *sd, double pair_sd,
				  DpemSynthLevels *levels, DpemWorkspace work)
{
	if (dpem_synth_domain_check(domain) != DPEM_OK || !(pair_sd >= 0))
		return DPEM_BAD_ARGUMENT;
	for (int j = 0; j < domain->columns; j++)
		if (!(sd[j] >= 0))
			return DPEM_BAD_ARGUMENT;
	levels->domain = *domain;
	take(domain, levels, &work);
	for (int j = 0; j < domain->columns; j++)
		group_column(levels, j, one_way, sd[j], pair_sd);
	return DPEM_OK;
}
