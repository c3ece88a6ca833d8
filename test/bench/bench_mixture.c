/*
 * bench_mixture.c - mixtures of numbers and categories beside one component at equal mu, on tables that are unlike each
 * other: many fits of each without a server.  Everything but the sampler is what a fit does whose passes are all in the units of all rows, as
 * they are where every number has an atom of its own; components have no frames of their own here (mixture_own.c).  Mean log-densities of
 * rows held out, in the columns' own units: median, mean and worst of the fits, and how often one component was chosen.
 * held_skewed, held_two, held_large, held_larger, held_cauchy, held_weibull, held_money and held_balances took no part in the choice of
 * constants; the others did.
 *
 * Usage: bench_mixture [runs [regex of tables [epsilons...]]]
 */
#include <regex.h>
#include <stdio.h>

#include "core/density/gmm_background.h"
#include "core/numeric/vector.h"
#include "mixture_releases.h"

/* ---- a fit: mixture_fit.c without a server ---- */

static DpemMixtureMoments
make_moments(int k, int n)
{
	return (DpemMixtureMoments) {k, n, zeros(k), zeros((size_t) k * n), zeros((size_t) k * n), 0, 0, 0, NULL, NULL};
}

static void
free_moments(DpemMixtureMoments *m)
{
	free(m->count);
	free(m->sum);
	free(m->square);
}

static Fit
begin(const Table *t, int k, double mu)
{
	const TableSpec *s = t->spec;
	Fit			f = {
		.table = t,.coordinates = t->d + (s->missing ? s->numbers : 0),.mu = mu,
		.rows = {.numbers = s->numbers,.d = t->d,.missing = s->missing,.law = t->law,.label = t->label}
	};

	f.rows.radius = dpem_mixture_radius(s->numbers, s->labels, s->missing ? s->numbers : 0);
	f.feature = zeros((size_t) t->n * f.coordinates);
	f.total = make_mixture(1, t->d);
	f.mixture = make_mixture(3 * k, t->d);
	f.all = make_moments(1, f.coordinates);
	f.moments = make_moments(3 * k, f.coordinates);
	return f;
}

static void
end(Fit *f)
{
	free(f->feature);
	free_mixture(&f->total);
	free_mixture(&f->mixture);
	free_moments(&f->all);
	free_moments(&f->moments);
}

static void
copy_total(Fit *f)
{
	for (int j = 0; j < f->rows.d; j++)
	{
		f->mixture.mean[j] = f->total.mean[j];
		f->mixture.variance[j] = f->total.variance[j];
	}
	f->mixture.weight[0] = 1;
	f->mixture.k = 1;
}

static void
start(Fit *f, int k, const DpemNoisyMoments *m, double sum_sd)
{
	double	   *memory;

	f->mixture.k = f->moments.k = dpem_mixture_early_components(k, fmax(m->value[0], 1), sum_sd * f->rows.radius);
	if (dpem_mixture_start(&f->rows, m, &f->total, &f->mixture, workspace(&memory, dpem_mixture_start_work(&f->rows, f->mixture.k))) != DPEM_OK)
		abort();
	free(memory);
}

/* rows of the passes, which may be longer than those of the moments of all rows */
static void
widen(Fit *f, int k, const DpemNoisyMoments *m, double sum_sd)
{
	double		radius = dpem_mixture_found_radius(&f->rows, m, f->rows.radius * sum_sd * k / fmax(m->value[0], 1));

	if (radius <= f->rows.radius)
		return;
	f->rows.radius = radius;
	set_features(f);
	dpem_mixture_forget(&f->all);
}

/* are the components worth it? */
static bool
settle(Fit *f, DpemMixturePrior prior)
{
	double	   *memory;
	double		worth;

	dpem_mixture_maximize(&f->rows, &f->moments, &f->total, prior, &f->mixture);
	worth = dpem_mixture_worth(&f->rows, &f->moments, &f->total, prior, &f->mixture,
							   workspace(&memory, dpem_mixture_worth_work(&f->rows, f->mixture.k)));
	free(memory);
	if (worth < DPEM_MIXTURE_LEAST_WORTH)
		copy_total(f);
	return worth >= DPEM_MIXTURE_LEAST_WORTH;
}

/* what is left of the passes, for all rows as one */
static void
take_totals(Fit *f, double share, int passes, int left)
{
	for (int i = 0; i < left; i++)
	{
		DpemNoisyMoments m = release_total(f, DPEM_SECOND_DIAGONAL, share / passes);

		dpem_mixture_pool(&f->rows, &m, &f->all);
		free(m.value);
	}
	dpem_mixture_total(&f->rows, &f->all, &f->total);
	copy_total(f);
}

static void
run_passes(Fit *f, int k, double share, int passes)
{
	int			early = dpem_mixture_early_passes(passes);
	DpemMixture begun = make_mixture(f->mixture.k, f->rows.d);
	double	   *memory;

	dpem_mixture_copy(&f->mixture, &begun);
	for (int pass = 1; pass <= passes; pass++)
	{
		int			since = pass > early ? pass - early : pass;
		DpemNoisyMoments m;

		if (pass == early + 1)
		{
			if (!settle(f, dpem_mixture_weak_prior) || is_chance(f, &begun, k, share / passes, early))
			{
				take_totals(f, share, passes, passes - early);
				return;
			}
			dpem_mixture_merge(&f->rows, k, &f->mixture, workspace(&memory, dpem_mixture_merge_work(f->mixture.k)));
			free(memory);
			f->moments.k = k;
		}
		m = release_pass(f, k, share, passes);
		dpem_mixture_average(&f->rows, &m, dpem_mixture_step(since), &f->moments);
		dpem_mixture_pool(&f->rows, &m, &f->all);
		dpem_mixture_total(&f->rows, &f->all, &f->total);
		dpem_mixture_maximize(&f->rows, &f->moments, &f->total, dpem_mixture_weak_prior, &f->mixture);
		free(m.value);
	}
	settle(f, dpem_mixture_found_prior(&f->rows, &f->moments, &f->total));
}

/* shares of the budget, which a fit's plan makes add up to one: margins, all rows, components */
static void
take_shares(const Fit *f, int k, double share[3])
{
	double		sd[3];
	double		margins = share_of_margins(f);
	double		sum = 0;
	bool		passes;

	noise_of(f, k, dpem_mixture_shares.components, dpem_mixture_iterations(k), sd);
	passes = k > 1 && !dpem_mixture_is_hidden(k, f->table->n, f->rows.radius * sd[1]);
	share[1] = dpem_mixture_shares.total;
	share[0] = f->rows.numbers == 0 ? 0 : passes ? margins : share[1];
	share[2] = passes ? dpem_mixture_shares.components + dpem_mixture_shares.margins - margins : 0;
	for (int i = 0; i < 3; i++)
		sum += share[i];
	for (int i = 0; i < 3; i++)
		share[i] /= sum;
}

static void
fit(Fit *f, int k)
{
	double		sd[3];
	double		share[3];
	DpemNoisyMoments m;

	take_shares(f, k, share);
	if (f->rows.numbers > 0)
		find_frame(f, share[0]);
	else
		set_features(f);
	m = release_total(f, DPEM_SECOND_FULL, share[1]);
	dpem_mixture_average(&f->rows, &m, 1, &f->all);
	dpem_mixture_total(&f->rows, &f->all, &f->total);
	if (share[2] > 0)
	{
		reframe(f, &m);
		noise_of(f, k, share[2], dpem_mixture_iterations(k), sd);
		start(f, k, &m, sd[1]);
		widen(f, k, &m, sd[1]);
		run_passes(f, k, share[2], dpem_mixture_iterations(k));
	}
	else
		copy_total(f);
	free(m.value);
}

/* ---- what it is worth: mixture_use.c without a server ---- */

static double
log_normal(double x, double mean, double variance)
{
	return -((x - mean) * (x - mean) / variance + log(2 * M_PI * variance)) / 2;
}

/* the background of the normal numbers, about all components together */
static void
make_background(const Fit *f, DpemGmmBackground *b)
{
	const TableSpec *s = f->table->spec;
	const DpemMixture *m = &f->mixture;
	double		mean[MOST_NUMBERS];
	double		variance[MOST_NUMBERS];

	for (int j = 0; j < s->numbers; j++)
	{
		double		first = 0;
		double		second = 0;

		for (int c = 0; c < m->k; c++)
		{
			double		x = m->mean[(size_t) c * m->d + j];

			first += m->weight[c] * x;
			second += m->weight[c] * (m->variance[(size_t) c * m->d + j] + x * x);
		}
		mean[j] = f->middle[j] + f->unit[j] * first;
		variance[j] = f->unit[j] * f->unit[j] * (second - first * first);
	}
	dpem_gmm_background_about(s->numbers, mean, variance, s->lower, s->upper, b);
}

/* far: ln of the background's density there */
static double
log_number(const Fit *f, int j, double x, double mean, double variance, double far)
{
	double		unit = f->unit[j];

	mean = f->middle[j] + unit * mean;
	return dpem_gmm_background_add(f->table->law[j] == DPEM_LAW_POISSON ? x * log(mean) - mean - lgamma(x + 1)
								   : log_normal(x, mean, unit * unit * variance), far);
}

static double
log_density(const Fit *f, const DpemGmmBackground *b, const double *box, const int *category)
{
	const TableSpec *s = f->table->spec;
	double		x[MOST_NUMBERS];
	double		far[MOST_NUMBERS];
	double		sum = 0;

	for (int j = 0; j < s->numbers; j++)
	{
		x[j] = s->lower[j] + (s->upper[j] - s->lower[j]) / 2 * (box[j] + 1);
		far[j] = f->table->law[j] == DPEM_LAW_POISSON ? -log(s->upper[j] - s->lower[j] + 1) : dpem_gmm_background_axis(b, j, x[j]);
	}
	for (int c = 0; c < f->mixture.k; c++)
	{
		double		term = log(f->mixture.weight[c]);
		const double *mean = f->mixture.mean + (size_t) c * f->rows.d;
		int			first = s->numbers;

		for (int j = 0; j < s->numbers; j++)
			term += isnan(x[j]) ? 0 : log_number(f, j, x[j], mean[j], f->mixture.variance[(size_t) c * f->rows.d + j], far[j]);
		for (int l = 0; l < s->labels; first += s->categories[l++])
			term += log(mean[first + category[l]]);
		sum += exp(term);
	}
	return log(fmax(sum, 1e-300));
}

static double
score(const Fit *f)
{
	const Table *t = f->table;
	double		memory[3 * MOST_NUMBERS];
	DpemGmmBackground b = {.mean = memory,.narrow = memory + MOST_NUMBERS,.wide = memory + 2 * MOST_NUMBERS};
	double		sum = 0;

	make_background(f, &b);
	for (int i = t->n; i < t->n + t->held; i++)
		sum += log_density(f, &b, t->x + (size_t) i * t->spec->numbers, t->category + (size_t) i * t->spec->labels);
	return sum / t->held;
}

/* ---- the bench ---- */

/* of some numbers: the median of a law with two peaks is one or the other of them by chance */
static double
mean_of(const double *value, int n)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += value[i];
	return sum / n;
}

static void
measure(const Table *t, int k, double epsilon, int runs, double *value, int *single)
{
	double		mu;

	if (dpem_gdp_mu(epsilon, 1e-6, &mu) != DPEM_OK)
		abort();
	*single = 0;
	for (int i = 0; i < runs; i++)
	{
		Fit			f = begin(t, k, mu);

		fit(&f, k);
		value[i] = score(&f);
		*single += f.mixture.k == 1;
		end(&f);
	}
	qsort(value, runs, sizeof(double), dpem_ascending);
}

static void
report(const Table *t, double epsilon, int runs)
{
	double	   *mixture = zeros(runs);
	double	   *one = zeros(runs);
	int			single;
	int			all;

	measure(t, t->spec->k, epsilon, runs, mixture, &single);
	measure(t, 1, epsilon, runs, one, &all);
	printf("%-14s %6g  %9.3f %9.3f %9.3f  %9.3f %9.3f %9.3f  %3d of %d%s\n", t->spec->name, epsilon, mixture[runs / 2],
		   mean_of(mixture, runs), mixture[0], one[runs / 2], mean_of(one, runs), one[0], single, runs, mixture[runs / 2] < one[runs / 2] - 0.01 || mixture[0] < one[0] - 0.02 ? "  loses" : "");
	fflush(stdout);
	free(mixture);
	free(one);
}

static bool
wanted(const char *name, const char *pattern)
{
	regex_t		regex;
	bool		matches;

	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	matches = regexec(&regex, name, 0, NULL, 0) == 0;
	regfree(&regex);
	return matches;
}

int
main(int argc, char **argv)
{
	static const double epsilons[] = {0.1, 0.5, 1, 4};
	int			runs = argc > 1 ? atoi(argv[1]) : 10;

	printf("%-14s %6s  %9s %9s %9s  %9s %9s %9s  %s\n", "table", "eps", "mixture", "mean", "worst", "one", "mean", "worst",
		   "one component chosen");
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
	{
		Table		t;

		if (!wanted(tables[i].name, argc > 2 ? argv[2] : "."))
			continue;
		t = make_table(&tables[i]);
		for (int e = 0; e < (argc > 3 ? argc - 3 : 4); e++)
			report(&t, argc > 3 ? atof(argv[3 + e]) : epsilons[e], runs);
		free(t.x);
		free(t.category);
	}
	return 0;
}
