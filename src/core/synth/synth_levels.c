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
find_shares(const Groups *g, const double *one_way, double sd, double *share)
{
	double		count[DPEM_SYNTH_SIZE];
	double		sum[DPEM_SYNTH_SIZE] = {0};
	int			members[DPEM_SYNTH_SIZE] = {0};

	smooth_counts(g, one_way, sd, count);
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

	for (int c = 0; c < n; c++)
		g.group[c] = c;
	levels->size[0][j] = n;
	for (int l = 1; l < DPEM_SYNTH_LEVELS; l++)
	{
		memcpy(levels->group[l] + at, levels->group[l - 1] + at, (size_t) n * sizeof(int));
		g.group = levels->group[l] + at;
		count_groups(&g, one_way + at);
		join_small(&g, dpem_synth_least_count * sd, dpem_synth_most_groups(l, levels->domain.columns, rows, pair_sd));
		levels->size[l][j] = g.n;
		if (l == 1)
			find_shares(&g, one_way + at, sd, levels->share + at);
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
