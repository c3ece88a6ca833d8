/*
 * release_tree.c - see release_tree.h.
 *
 * The sum of a level begins anew after its node has been released.  A level whose last node never
 * ends is wiped with what it has.
 */
#include "postgres.h"

#include "scan/raw_moments.h"
#include "wall/release_inside.h"
#include "wall/release_tree.h"

struct DpemTree
{
	DpemCharge *charge;
	int			line;
	DpemSource *source;
	DpemPass	pass;
	DpemPassPart *part;			/* of each batch, all alike */
	DpemReleaseSpec spec;
	int			levels;
	int			batch;			/* that have been read */
	double		noise_multiplier;
	DpemRawMoments *open[DPEM_TREE_MOST_LEVELS];
};

static void
check(const DpemTree *tree)
{
	DpemContribution contribution = tree->spec.contribution;

	if (tree->pass.groups < 1 || tree->pass.groups > DPEM_TREE_MOST_BATCHES || tree->pass.map.bits == 0 ||
		tree->pass.kernel->contribution != contribution || tree->spec.noise != DPEM_NOISE_GAUSSIAN ||
		(contribution != DPEM_ON_SIMPLEX && contribution != DPEM_PRODUCT) || !dpem_source_keeps_rows(tree->source))
		elog(ERROR, "dpem: a tree that cannot be released");
}

DpemTree *
dpem_tree_begin(DpemCharge *charge, int line, DpemSource *source, const DpemPass *pass, const DpemReleaseSpec *spec)
{
	DpemTree   *tree = palloc0(sizeof(DpemTree));

	*tree = (DpemTree) {
		.charge = charge,.line = line,.source = source,.pass = *pass,.spec = *spec,.levels = dpem_tree_levels(pass->groups)
	};
	check(tree);
	tree->part = palloc(pass->groups * sizeof(DpemPassPart));
	for (int g = 0; g < pass->groups; g++)
		tree->part[g] = dpem_pass_part(pass, 0);
	tree->pass.part = tree->part;
	for (int level = 0; level < tree->levels; level++)
		tree->open[level] = dpem_raw_moments_create(pass->kernel, &pass->layout, true);
	return tree;
}

/* a pass over all rows, whichever the batch; only its own sums are kept */
static DpemRawMoments *
scan_batch(DpemTree *tree, const double *theta)
{
	DpemRawMoments *all;
	DpemRawMoments *own = dpem_raw_moments_create(tree->pass.kernel, &tree->pass.layout, true);

	for (int g = 0; g < tree->pass.groups; g++)
		tree->part[g].theta = theta;
	tree->pass.theta = theta;
	all = dpem_source_scan(tree->source, &tree->pass);
	if (!all->exact || all->length != own->length * tree->pass.groups)
		elog(ERROR, "dpem: batches of other moments");
	memcpy(own->total, all->total + own->length * tree->batch, own->length * sizeof(DpemInt128));
	dpem_raw_moments_set_rows(own, &all->rows);
	dpem_raw_moments_wipe(all);
	return own;
}

/* one release of the line for each level: all that the line has */
static void
take_releases(DpemTree *tree, const DpemRowsRead *rows)
{
	DpemMechanism mechanism = dpem_noise_mechanism(tree->spec.noise, tree->pass.layout.second);

	for (int level = 0; level < tree->levels; level++)
		tree->noise_multiplier = dpem_charge_take(tree->charge, tree->line, mechanism, rows);
}

static DpemNoisyMoments *
release_node(DpemTree *tree, int level, const DpemRowsRead *rows)
{
	DpemRawMoments *node = tree->open[level];

	dpem_raw_moments_set_rows(node, rows);
	tree->open[level] = dpem_raw_moments_create(tree->pass.kernel, &tree->pass.layout, true);
	return dpem_release_paid(dpem_charge_statistic(tree->charge, tree->line), tree->noise_multiplier, node, &tree->spec);
}

int
dpem_tree_next(DpemTree *tree, const double *theta, DpemNoisyMoments **node)
{
	DpemRawMoments *batch;
	int			ended;

	if (tree->batch >= tree->pass.groups)
		elog(ERROR, "dpem: a tree of too many batches");
	batch = scan_batch(tree, theta);
	if (tree->batch++ == 0)
		take_releases(tree, &batch->rows);
	for (int level = 0; level < tree->levels; level++)
		dpem_raw_moments_add(tree->open[level], batch);
	ended = dpem_tree_ending(tree->batch);
	for (int level = 0; level < ended; level++)
		node[level] = release_node(tree, level, &batch->rows);
	dpem_raw_moments_wipe(batch);
	for (int level = 0; level < tree->levels && tree->batch == tree->pass.groups; level++)
		dpem_raw_moments_wipe(tree->open[level]);
	return ended;
}
