/*
 * resident_fit.c - see resident_fit.h.
 *
 * How much memory is taken and how many workers are asked for depends on
 * settings and on the size of the source on disk, nothing else.
 */
#include "postgres.h"

#include <limits.h>

#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/paths.h"
#include "storage/shmem.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "scan/resident_fit.h"
#include "scan/resident_pass.h"

#define PASSES_OF_FILE	4		/* over all rows, the first of which keeps them */
#define ROWS_OF_MEMORY	(4.0 * 1024 * 1024)	/* bytes that are always kept in memory, if that is allowed */

struct DpemResidentFit
{
	MemoryContext context;
	DpemResidentRows *rows;
	DpemTeam   *team; /* NULL before the first pass over kept rows */
	bool		filled;
	int			workers;
	uint32		map; /* number of the last pass's feature maps */
	MemoryContext maps; /* where their copies are */
	int			imputed;
	int			kept;
	int			outputs;
	int			pairs;
	int			waves;
	const double *frequency;
	int			bits;
	DpemPassPart *last; /* for each group, without theta; the domain does not change */
};

static int resident_memory = -1;

void
dpem_resident_fit_init(void)
{
	DefineCustomIntVariable(
		"dpem.resident_memory",
		"Most shared memory for the rows that a fit keeps between its passes.",
		"What does not fit, or is read again a few times only, goes into temporary files. -1: maintenance_work_mem; 0: every pass reads the source.",
		&resident_memory, -1, -1, MAX_KILOBYTES, PGC_USERSET, GUC_UNIT_KB, NULL, NULL, NULL);
}

/*
 * As for one scan of all that the passes go over, since workers start only
 * once, but for the planner's scale: work is in proportion to rows.
 */
static int
workers_for(int d, double rows, int passes)
{
	double		bytes = passes * rows * d * sizeof(double);
	double		each = Max((double) min_parallel_table_scan_size * BLCKSZ, 1);

	return (int) Min(max_parallel_workers_per_gather, bytes / each);
}

/*
 * Rows that are read again a few times only go into the files: that costs less than shared memory, whose pages are cleared,
 * mapped and given back one by one (docs/performance.md).  Not few rows, and not codes, which are small.
 */
static bool
are_for_file(DpemResidentShape shape, double rows, int passes)
{
	return passes <= PASSES_OF_FILE && shape.codes == 0 && rows * shape.d * sizeof(double) > ROWS_OF_MEMORY;
}

DpemResidentFit *
dpem_resident_fit_begin(DpemResidentShape shape, double rows, int passes)
{
	DpemResidentFit *fit;
	Size		memory = are_for_file(shape, rows, passes) ? 0 : (Size) (resident_memory < 0 ? maintenance_work_mem : resident_memory) * 1024;

	if (resident_memory == 0)
		return NULL;
	fit = palloc0(sizeof(DpemResidentFit));
	fit->context = CurrentMemoryContext;
	fit->rows = dpem_resident_rows_create(shape, rows, memory);
	fit->maps = AllocSetContextCreate(fit->context, "dpem feature maps", ALLOCSET_SMALL_SIZES);
	fit->workers = workers_for(shape.d, rows, passes);
	return fit;
}

uint32
dpem_resident_fit_place(const DpemResidentFit *fit)
{
	return fit->filled ? 0 : dpem_resident_rows_handle(fit->rows);
}

/* ---- telling feature maps apart ---- */

static bool
same_numbers(const double *a, const double *b, size_t n)
{
	return (a == NULL) == (b == NULL) && (a == NULL || memcmp(a, b, n * sizeof(double)) == 0);
}

static const double *
copy_numbers(const double *from, size_t n)
{
	double	   *copy;

	if (from == NULL)
		return NULL;
	copy = palloc(n * sizeof(double));
	memcpy(copy, from, n * sizeof(double));
	return copy;
}

static void
remember_maps(DpemResidentFit *fit, const DpemPass *pass)
{
	int			groups = Max(pass->groups, 1);
	size_t		d = (size_t) pass->map.d;
	MemoryContext old;

	MemoryContextReset(fit->maps);
	old = MemoryContextSwitchTo(fit->maps);
	fit->bits = pass->map.bits;
	fit->imputed = pass->map.imputed;
	fit->kept = pass->map.kept;
	fit->outputs = pass->map.outputs;
	fit->pairs = pass->map.pairs;
	fit->waves = pass->map.waves;
	fit->frequency = copy_numbers(pass->map.frequency, (size_t) pass->map.pairs * pass->map.waves);
	fit->last = palloc(mul_size(groups, sizeof(DpemPassPart)));
	for (int g = 0; g < groups; g++)
	{
		DpemPassPart part = dpem_pass_part(pass, g);

		fit->last[g] = (DpemPassPart) {.radius = part.radius,.range = copy_numbers(part.range, 2 * d),.center = copy_numbers(part.center, d),
			.whitening = copy_numbers(part.whitening, d * d)};
	}
	MemoryContextSwitchTo(old);
}

static bool
same_map(const DpemPassPart *a, const DpemPassPart *b, size_t d)
{
	return a->radius == b->radius && same_numbers(a->range, b->range, 2 * d) && same_numbers(a->center, b->center, d) &&
		same_numbers(a->whitening, b->whitening, d * d);
}

static bool
same_waves(const DpemResidentFit *fit, const DpemFeatureMap *map)
{
	return fit->pairs == map->pairs && fit->waves == map->waves &&
		same_numbers(fit->frequency, map->frequency, (size_t) map->pairs * map->waves);
}

/* another one if the map of any group is another */
static uint32
number_of_maps(DpemResidentFit *fit, const DpemPass *pass)
{
	bool		same = fit->bits == pass->map.bits && fit->imputed == pass->map.imputed && fit->kept == pass->map.kept && fit->outputs == pass->map.outputs &&
		same_waves(fit, &pass->map);

	for (int g = 0; same && g < Max(pass->groups, 1); g++)
	{
		DpemPassPart part = dpem_pass_part(pass, g);

		same = same_map(&fit->last[g], &part, (size_t) pass->map.d);
	}
	if (!same)
	{
		remember_maps(fit, pass);
		fit->map++;
	}
	return fit->map;
}

/* ---- passes ---- */

void
dpem_resident_fit_filled(DpemResidentFit *fit, const DpemPass *pass)
{
	remember_maps(fit, pass);
	fit->map = DPEM_RESIDENT_FIRST_MAP;
	fit->filled = true;
}

DpemRawMoments *
dpem_resident_fit_pass(DpemResidentFit *fit, const DpemPass *pass)
{
	if (fit->team == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(fit->context);

		fit->team = dpem_team_start(fit->rows, fit->workers);
		MemoryContextSwitchTo(old);
	}
	return dpem_team_pass(fit->team, pass, number_of_maps(fit, pass));
}

void
dpem_resident_fit_end(DpemResidentFit *fit)
{
	if (fit->team != NULL)
		dpem_team_dismiss(fit->team);
	dpem_resident_rows_destroy(fit->rows);
	MemoryContextDelete(fit->maps);
	pfree(fit);
}
