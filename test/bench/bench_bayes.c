/*
 * bench_bayes.c - naive Bayes classifiers of a table, many fits of it without a server: budget, cells and estimates are those of
 * dp_bayes_fit by default, delta 1e-6, add_remove or, with ADJACENCY=replace_one, that.  Noise is normal and seeded: a bench, not a release.
 *
 *     [ADJACENCY=replace_one] [BINS=apart] [POWER=one] bench_bayes FILE.csv [seeds [epsilons...]]
 *
 * With BINS=apart nothing is joined, with POWER=one no power of the evidence is estimated, and no budget is for it.  For each fit AUC, or accuracy of
 * more than two classes, on rows held out, log loss, how many cells were counted by class, and the power.  Epsilon 0 stands for the shares of the classes alone.
 * test/bench/gam_tables.pl writes such files.
 */
#define _DEFAULT_SOURCE
#include "../unit/kernel_fixture.h"
#include "core/accounting/fit_cost.h"
#include "core/accounting/sensitivity.h"
#include "core/bayes/bayes_estimate.h"
#include "core/bayes/bayes_power.h"
#include "core/bayes/bayes_rules.h"
#include "core/bayes/cell_join.h"
#include "core/bayes/class_pairs.h"
#include "gam_data.h"

#define DELTA	1e-6

typedef struct Fit
{
	const Data *data;
	int			classes;
	int			columns;
	int			cells;
	int			length[MOST_COLUMNS];
	bool		ordered[MOST_COLUMNS];
	bool		complete[MOST_COLUMNS];
	double	   *exact;			/* classes * (1 + cells) */
	double		sd[3];			/* of a mark: of bins, of counts by class, and of a count of pairs of classes */
} Fit;

/* cells of the rows of the fit, which labels without a value have none of */
static void
count_rows(Fit *f)
{
	const Part *train = &f->data->part[0];

	f->exact = room((size_t) f->classes * (1 + f->cells), sizeof(double));
	for (int r = 0; r < train->rows; r++)
	{
		double	   *own = f->exact + (size_t) train->target[r] * (1 + f->cells);
		int			at = 1;

		own[0]++;
		for (int c = 0; c < f->columns; at += f->length[c++])
		{
			int			cell = train->cell[(size_t) r * f->columns + c] - f->data->offset[c];

			if (cell < f->length[c])
				own[at + cell]++;
		}
	}
}

static DpemCostLine
line_of(double share)
{
	return dpem_cost_line(DPEM_COST_GAUSSIAN, sqrt(1 / fmax(share, 1e-9)), 1);
}

static bool
begin(Fit *f, const Data *data, double epsilon, bool joins, bool powered)
{
	bool		replace = getenv("ADJACENCY") != NULL && strcmp(getenv("ADJACENCY"), "replace_one") == 0;
	double		first = joins ? dpem_bayes_first : 0;
	double		last = powered ? dpem_bayes_power_share : 0;
	DpemCostLine lines[3] = {line_of(1 - first - last), line_of(first), line_of(last)};

	*f = (Fit) {.data = data,.classes = data->shape.targets,.columns = data->shape.columns};
	for (int c = 0; c < f->columns; c++)
	{
		f->length[c] = data->column[c].bins;
		f->ordered[c] = f->complete[c] = data->column[c].length == 0;
		f->cells += f->length[c];
	}
	count_rows(f);
	if (isinf(epsilon))
		return true;
	if (dpem_cost_calibrate(lines, 3, 0, DPEM_COMPOSE_EXACT, epsilon, DELTA, 0) != DPEM_OK)
		return false;
	f->sd[1] = lines[0].noise_multiplier * sqrt(dpem_document_sensitivity2(replace));
	f->sd[2] = lines[2].noise_multiplier * (replace ? sqrt(2) : 1);
	f->sd[0] = lines[1].noise_multiplier * sqrt(dpem_document_sensitivity2(replace));
	return true;
}

/* rows of numbers' bins with noise, nothing of labels */
static double *
release_bins(const Fit *f, Rng *rng)
{
	double	   *count = room((size_t) f->cells, sizeof(double));
	int			numbers = 0;
	int			at = 0;

	for (int c = 0; c < f->columns; c++)
		numbers += f->ordered[c];
	for (int c = 0; c < f->columns; c++)
		for (int i = 0; i < f->length[c]; i++, at++)
			for (int k = 0; k < f->classes && f->ordered[c]; k++)
				count[at] += f->exact[(size_t) k * (1 + f->cells) + 1 + at] + (k == 0 ? f->sd[0] * sqrt(numbers + 1.0) * rng_normal(rng) : 0);
	return count;
}

static double *
release_counts(const Fit *f, const DpemBayesCounts *counts, const DpemCellJoin *join, Rng *rng)
{
	double	   *out = room((size_t) f->classes * (1 + counts->cells), sizeof(double));

	for (int k = 0; k < f->classes; k++)
	{
		double	   *own = out + (size_t) k * (1 + counts->cells);
		const double *exact = f->exact + (size_t) k * (1 + f->cells);
		int			first = 1;
		int			at = 1;

		own[0] = exact[0];
		for (int c = 0; c < f->columns; at += f->length[c], first += join->left[c++])
			for (int i = 0; i < f->length[c] && join->left[c] > 0; i++)
				own[first + join->place[at - 1 + i]] += exact[at + i];
		for (int i = 0; i <= counts->cells; i++)
			own[i] += counts->sd * rng_normal(rng);
	}
	return out;
}

/* cells of a row, below 0 where it has none */
static void
read_cells(const Fit *f, const Part *part, int row, int *cell)
{
	int			at = 0;

	for (int c = 0; c < f->columns; at += f->length[c++])
	{
		int			own = part->cell[(size_t) row * f->columns + c] - f->data->offset[c];

		cell[c] = own < f->length[c] ? at + own : -1;
	}
}

/* of rows of the fit; columns: that are counted by class */
static double
find_power(const Fit *f, const DpemBayes *bayes, int columns, Rng *rng)
{
	const Part *train = &f->data->part[0];
	int			places = dpem_class_pairs_places(f->classes);
	double	   *count = room((size_t) places, sizeof(double));
	double		log_weight[DPEM_GAM_MAX_CLASSES];
	double		power;

	for (int k = 0; k < f->classes; k++)
		log_weight[k] = log(bayes->weight[k]);
	for (int r = 0; r < train->rows; r++)
	{
		int			cell[MOST_COLUMNS];
		double		evidence[DPEM_GAM_MAX_CLASSES] = {0};
		int			place;

		read_cells(f, train, r, cell);
		for (int k = 0; k < f->classes; k++)
			for (int c = 0; c < f->columns; c++)
				evidence[k] += cell[c] >= 0 ? log(bayes->probability[(size_t) k * f->cells + cell[c]]) : 0;
		place = dpem_class_pairs_place(f->classes, log_weight, evidence, 1, (int) train->target[r]);
		if (place >= 0)
			count[place]++;
	}
	for (int i = 0; i < places; i++)
		count[i] += f->sd[2] * rng_normal(rng);
	power = dpem_bayes_power(&(DpemPairCounts) {f->classes, columns, bayes->weight, count, f->sd[2]});
	free(count);
	return power;
}

static Worth
evaluate(const Fit *f, const DpemBayes *bayes, double power)
{
	const Part *test = &f->data->part[1];
	int			scores = f->classes == 2 ? 1 : f->classes;
	double	   *score = room((size_t) test->rows * scores, sizeof(double));
	Worth		worth;

	for (int r = 0; r < test->rows; r++)
	{
		int			cell[MOST_COLUMNS];
		double		posterior[DPEM_GAM_MAX_CLASSES];

		read_cells(f, test, r, cell);
		dpem_bayes_posterior(f->classes, f->columns, f->cells, bayes->weight, bayes->probability, power, cell, posterior);
		for (int s = 0; s < scores; s++)
			score[(size_t) r * scores + s] = scores == 1 ? log(fmax(posterior[1], 1e-300) / fmax(posterior[0], 1e-300)) : log(fmax(posterior[s], 1e-300));
	}
	worth = scores == 1 ? worth_of_two(test, score) : worth_of_several(test, scores, score);
	free(score);
	return worth;
}

static DpemBayes
make_bayes(int classes, int cells)
{
	return (DpemBayes) {room(classes, sizeof(double)), room(classes, sizeof(double)), room((size_t) classes * cells, sizeof(double)), room(classes, sizeof(double))};
}

static void
free_bayes(DpemBayes *b)
{
	free(b->weight);
	free(b->weight_noise);
	free(b->probability);
	free(b->noise);
}

static void
run(const Data *data, double epsilon, int seed)
{
	bool		joins = !isinf(epsilon) && getenv("BINS") == NULL;
	bool		powered = !isinf(epsilon) && data->shape.columns > 1 && getenv("POWER") == NULL;
	Rng			rng = {(uint64_t) seed};
	Fit			f;
	int		   *place;
	int			left[MOST_COLUMNS];
	DpemCellJoin join;
	DpemBayes	bayes;
	DpemBayes	all;
	double	   *bins;
	double	   *count;
	double	   *memory;
	double		power;
	DpemBayesCounts counts;
	Worth		worth;
	int			length[MOST_COLUMNS];
	bool		ordered[MOST_COLUMNS];
	bool		complete[MOST_COLUMNS];

	if (!begin(&f, data, epsilon, joins, powered))
		exit(1);
	place = room((size_t) f.cells, sizeof(int));
	counts = (DpemBayesCounts) {.classes = f.classes,.columns = f.columns,.cells = f.cells,.length = f.length,.ordered = f.ordered,.complete = f.complete};
	bins = release_bins(&f, &rng);
	join = (DpemCellJoin) {place, left, bins, joins ? f.sd[0] * sqrt(f.columns + 1.0) : 0};
	dpem_cells_apart(&counts, &join);
	memory = room(dpem_cells_join_work(&counts), sizeof(double));
	if (joins)
		dpem_cells_join(&counts, f.sd[1] * sqrt(f.columns + 1.0), &join, (DpemWorkspace) {memory, memory + dpem_cells_join_work(&counts)});
	free(memory);
	counts = dpem_cells_left(&counts, &join, length, ordered, complete);
	counts.sd = f.sd[1] * sqrt(counts.columns + 1.0);
	counts.count = count = release_counts(&f, &counts, &join, &rng);
	bayes = make_bayes(f.classes, counts.cells);
	all = make_bayes(f.classes, f.cells);
	memory = room(dpem_bayes_estimate_work(&counts), sizeof(double));
	dpem_bayes_estimate(&counts, &bayes, (DpemWorkspace) {memory, memory + dpem_bayes_estimate_work(&counts)});
	dpem_cells_part(&(DpemBayesCounts) {.classes = f.classes,.columns = f.columns,.cells = f.cells,.length = f.length,.ordered = f.ordered}, &join, &bayes, counts.cells, &all);
	power = powered ? find_power(&f, &all, counts.columns, &rng) : 1;
	worth = evaluate(&f, &all, power);
	printf("%g %d %.4f %.4f %d %.3f\n", epsilon, seed, worth.measure, worth.loss, counts.cells, power);
	free(memory);
	free(place);
	free(bins);
	free(count);
	free(f.exact);
	free_bayes(&bayes);
	free_bayes(&all);
}

int
main(int argc, char **argv)
{
	static Data data;

	if (argc < 2 || !read_data(argv[1], &data) || data.shape.targets < 2)
	{
		printf("skipped: bench_bayes FILE.csv [seeds [epsilons...]], of a table with a label\n");
		return 0;
	}
	print_shares(&data);
	for (int e = 3; e < argc; e++)
		for (int seed = 1; seed <= (isinf(atof(argv[e])) ? 1 : atoi(argv[2])); seed++)
			run(&data, atof(argv[e]), seed);
	return 0;
}
