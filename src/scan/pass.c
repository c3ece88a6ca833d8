/*
 * pass.c - writing and reading a pass.
 *
 * Wire format: a fixed header of 64-bit words, then doubles, all in the
 * machine's byte order: leader and workers run the same binary, and another
 * server must run the same version on a machine of the same kind.
 */
#include "postgres.h"

#include <math.h>

#include "core/numeric/column_scale.h"
#include "port/pg_bswap.h"
#include "registry/binding.h"
#include "scan/pass.h"
#include "server/version_shims.h"
#include "storage/shmem.h"
#include "utils/memutils.h"

#define PASS_MAGIC		UINT64CONST(0x6470656d70617309) /* "dpempas", version 9 */
#define PASS_VERSIONS	UINT64CONST(0xff)	/* where the version is */
#define PASS_MAX_D		100000

enum
{
	W_MAGIC, W_KERNEL, W_K, W_D, W_SECOND, W_FEATURE_BITS, W_RESPONSIBILITY_BITS,
	W_CENTER, W_WHITENING, W_ARGS, W_GROUPS, W_ROWS, W_SCALED, W_CLASSES, W_SOURCE, W_PAIRS, W_WAVES,
	W_UNKNOWN, W_IMPUTED, W_RANGE, W_KNOWN, W_TOLD, W_KEPT, W_OUTPUTS, W_WORDS
};

/*
 * The numbers: every group's radius, arg_lengths, bounds, scales, frequencies, then
 * every group's range, center, whitening and theta.
 */
static size_t
shared_doubles(const DpemFeatureMap *map, size_t nargs, size_t parts, bool scaled)
{
	return parts + nargs + (scaled ? 3 : 2) * (size_t) map->d + (size_t) map->pairs * map->waves;
}

static size_t
frame_doubles(size_t d, bool range, bool center, bool whitening)
{
	return (range ? 2 * d : 0) + (center ? d : 0) + (whitening ? d * d : 0);
}

static int
count_parts(const DpemPass *pass)
{
	return Max(pass->groups, 1);
}

DpemPassPart
dpem_pass_part(const DpemPass *pass, int group)
{
	return pass->part ? pass->part[group]
		: (DpemPassPart) {pass->map.radius, pass->map.range, pass->map.center, pass->map.whitening, pass->theta};
}

DpemFeatureMap
dpem_pass_map(const DpemPass *pass, int group)
{
	DpemPassPart part = dpem_pass_part(pass, group);
	DpemFeatureMap map = pass->map;

	map.radius = part.radius;
	map.range = part.range;
	map.center = part.center;
	map.whitening = part.whitening;
	return map;
}

DpemMomentLayout
dpem_pass_moments(const DpemPass *pass)
{
	DpemMomentLayout layout = pass->layout;

	layout.k *= count_parts(pass);
	return layout;
}

static char *
append(char *at, const double *values, size_t n)
{
	if (n > 0)					/* values may be NULL otherwise */
		memcpy(at, values, n * sizeof(double));
	return at + n * sizeof(double);
}

static size_t
theta_length(const DpemPass *pass, int group)
{
	return dpem_kernel_theta_length(pass->kernel, &pass->layout, dpem_pass_part(pass, group).theta, SIZE_MAX);
}

static Size
wire_size(const DpemPass *pass)
{
	DpemPassPart first = dpem_pass_part(pass, 0);
	size_t		d = (size_t) pass->map.d;
	Size		n = shared_doubles(&pass->map, pass->nargs, count_parts(pass), pass->scale != NULL);
	Size		size;

	for (int g = 0; g < count_parts(pass); g++)
		n = add_size(n, add_size(frame_doubles(d, first.range, first.center, first.whitening), theta_length(pass, g)));
	size = add_size(VARHDRSZ + W_WORDS * sizeof(uint64), mul_size(sizeof(double), n));
	if (!AllocSizeIsValid(size))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the model's parameters do not fit into memory")));
	return size;
}

static void
append_numbers(char *at, const DpemPass *pass)
{
	DpemPassPart first = dpem_pass_part(pass, 0);
	size_t		d = (size_t) pass->map.d;

	for (int g = 0; g < count_parts(pass); g++)
		at = append(at, &(double) {dpem_pass_part(pass, g).radius}, 1);
	at = append(at, pass->arg_lengths, pass->nargs);
	at = append(at, pass->map.lower, d);
	at = append(at, pass->map.upper, d);
	at = append(at, pass->scale, pass->scale ? d : 0);
	at = append(at, pass->map.frequency, (size_t) pass->map.pairs * pass->map.waves);
	for (int g = 0; g < count_parts(pass); g++)
	{
		DpemPassPart part = dpem_pass_part(pass, g);

		if ((part.range != NULL) != (first.range != NULL) || (part.center != NULL) != (first.center != NULL) ||
			(part.whitening != NULL) != (first.whitening != NULL))
			elog(ERROR, "dpem: groups of a pass have frames of several forms");
		at = append(at, part.range, part.range ? 2 * d : 0);
		at = append(at, part.center, part.center ? d : 0);
		at = append(at, part.whitening, part.whitening ? d * d : 0);
		at = append(at, part.theta, theta_length(pass, g));
	}
}

bytea *
dpem_pass_write(const DpemPass *pass)
{
	DpemPassPart first = dpem_pass_part(pass, 0);
	uint64		words[W_WORDS] = {
		[W_MAGIC] = PASS_MAGIC,[W_KERNEL] = pass->kernel->code,[W_K] = pass->layout.k,
		[W_D] = pass->layout.d,[W_SECOND] = pass->layout.second,
		[W_FEATURE_BITS] = pass->map.bits,
		[W_RESPONSIBILITY_BITS] = pass->responsibility_bits,[W_CENTER] = first.center != NULL,
	[W_WHITENING] = first.whitening != NULL,[W_ARGS] = pass->nargs,[W_GROUPS] = pass->groups,
		[W_ROWS] = pass->rows,[W_SCALED] = pass->scale != NULL,[W_CLASSES] = pass->kernel->labelled ? pass->classes : 0,
		[W_SOURCE] = pass->map.d,[W_PAIRS] = pass->map.pairs,[W_WAVES] = pass->map.waves,
	[W_UNKNOWN] = pass->unknown,[W_IMPUTED] = pass->map.imputed,[W_RANGE] = first.range != NULL,
	[W_KNOWN] = pass->known,[W_TOLD] = pass->told,[W_KEPT] = pass->map.kept,[W_OUTPUTS] = pass->map.outputs};
	bytea	   *wire = palloc(wire_size(pass));

	SET_VARSIZE(wire, wire_size(pass));
	memcpy(VARDATA(wire), words, sizeof(words));
	append_numbers(VARDATA(wire) + sizeof(words), pass);
	return wire;
}

static void
malformed(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("malformed pass given to dpem_internal.moments")));
}

/* another version of dpem, or a machine with the other byte order; anything else is malformed */
static void
check_magic(uint64 magic)
{
	if (magic == PASS_MAGIC)
		return;
	if ((magic | PASS_VERSIONS) != (PASS_MAGIC | PASS_VERSIONS) && magic != pg_bswap64(PASS_MAGIC))
		malformed();
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("pass given to dpem_internal.moments by another version of dpem or a machine of another byte order"),
			 errhint("Install the same version of dpem on every server.")));
}

/* Fourier features or a narrow matrix, if there is one, are what makes coordinates other than those of the columns */
static void
read_waves(const uint64 *words, DpemPass *pass)
{
	if (words[W_OUTPUTS] > (words[W_WHITENING] && words[W_PAIRS] == 0 && pass->kernel->aggregate == NULL ? words[W_SOURCE] : 0) ||
		words[W_PAIRS] > PASS_MAX_D || (words[W_PAIRS] > 0
										? words[W_WAVES] < 1 || words[W_WAVES] > words[W_SOURCE] || pass->kernel->aggregate != NULL
										: words[W_WAVES] != 0))
		malformed();
	pass->map.pairs = (int) words[W_PAIRS];
	pass->map.waves = (int) words[W_WAVES];
	pass->map.outputs = (int) words[W_OUTPUTS];
	if (dpem_features_dimension(&pass->map) != pass->layout.d)
		malformed();
}

/* what tells which of the first numbers are known stands after these */
static void
read_known(const uint64 *words, DpemPass *pass)
{
	if (words[W_KNOWN] > words[W_SOURCE] / 2 || words[W_TOLD] > words[W_SOURCE] ||
		(words[W_KNOWN] > 0 ? words[W_TOLD] < words[W_KNOWN] || words[W_TOLD] + words[W_KNOWN] > words[W_SOURCE] || pass->kernel->aggregate != NULL
		 : words[W_TOLD] != 0))
		malformed();
	pass->known = (int) words[W_KNOWN];
	pass->told = (int) words[W_TOLD];
}

/* what a row adds is rounded by itself, and no product of features */
static bool
may_be_fine(const DpemKernel *kernel, uint64 second)
{
	return kernel->fine || (kernel == &dpem_kernel_cells && second == DPEM_COUNTS_ALONE);
}

static void
read_header(const uint64 *words, DpemPass *pass)
{
	check_magic(words[W_MAGIC]);
	if (words[W_KERNEL] > PG_UINT8_MAX)
		malformed();
	pass->kernel = dpem_kernel_from_code((uint8) words[W_KERNEL]);
	if (pass->kernel == NULL ||
		words[W_K] < 1 || words[W_K] > (uint64) pass->kernel->max_components ||
		words[W_D] < 1 || words[W_D] > PASS_MAX_D || words[W_SECOND] > DPEM_SECOND_LAST ||
		(words[W_FEATURE_BITS] != 0 && words[W_FEATURE_BITS] != DPEM_FEATURE_BITS &&
		 (words[W_FEATURE_BITS] != DPEM_FINE_BITS || !may_be_fine(pass->kernel, words[W_SECOND]))) ||
		words[W_RESPONSIBILITY_BITS] != (words[W_FEATURE_BITS] ? DPEM_RESPONSIBILITY_BITS : 0) ||
		words[W_CENTER] > 1 || words[W_WHITENING] > 1 || words[W_RANGE] > 1 || words[W_SCALED] > 1 ||
		words[W_SOURCE] < 1 || words[W_SOURCE] > PASS_MAX_D || words[W_ARGS] < 1 || words[W_ARGS] > words[W_SOURCE] ||
		words[W_UNKNOWN] > words[W_SOURCE] || words[W_IMPUTED] > words[W_SOURCE] || words[W_KEPT] > words[W_D] || words[W_ROWS] > PG_UINT32_MAX)
		malformed();
	if (pass->kernel->labelled ? words[W_CLASSES] < 2 || words[W_CLASSES] > (pass->kernel->keeps_signs ? DPEM_CLASSES_MAX : 2)
		: words[W_CLASSES] != 0)
		malformed();
	if (((words[W_GROUPS] > 0 || words[W_ROWS] > 0) && pass->kernel->aggregate != NULL) || words[W_GROUPS] > DPEM_GROUPS_MAX ||
		words[W_K] * Max(words[W_GROUPS], 1) > DPEM_PASS_MAX_COMPONENTS)
		malformed();
	pass->layout.k = (int) words[W_K];
	pass->groups = (int) words[W_GROUPS];
	pass->classes = (int) words[W_CLASSES];
	pass->layout.d = (int) words[W_D];
	pass->layout.second = (DpemSecondMoment) words[W_SECOND];
	if (pass->kernel->locate != NULL
		? pass->layout.second != DPEM_COUNTS_ALONE && pass->layout.second != DPEM_SECOND_NONE &&
		pass->layout.second != DPEM_SECOND_NORM
		: pass->layout.second == DPEM_COUNTS_ALONE ? pass->kernel->accumulate == NULL && pass->kernel->tally == NULL &&
		pass->kernel != &dpem_kernel_block_cells
		: pass->kernel->tally != NULL)
		malformed();
	if (pass->layout.second == DPEM_SECOND_COMPONENTS && pass->kernel->accumulate == NULL)
		malformed();
	if ((pass->kernel == &dpem_kernel_gmm && pass->layout.second == DPEM_SECOND_NONE) ||
		(pass->kernel->add_incomplete != NULL && words[W_PAIRS] + words[W_IMPUTED] + words[W_KEPT] + words[W_OUTPUTS] > 0))
		malformed();
	pass->map.d = (int) words[W_SOURCE];
	pass->unknown = (int) words[W_UNKNOWN];
	pass->map.imputed = (int) words[W_IMPUTED];
	pass->map.kept = (int) words[W_KEPT];
	read_waves(words, pass);
	read_known(words, pass);
	pass->map.bits = (int) words[W_FEATURE_BITS];
	pass->responsibility_bits = (int) words[W_RESPONSIBILITY_BITS];
	pass->rows = (uint32) words[W_ROWS];
}

/* the columns must make up the d coordinates, but for what tells which are known, which stands between two of them or at the end */
static void
check_arguments(const DpemPass *pass)
{
	double		d = 0;
	bool		told = pass->told == 0;

	for (int i = 0; i < pass->nargs; i++)
	{
		if (!(pass->arg_lengths[i] >= 1 && pass->arg_lengths[i] <= PASS_MAX_D &&
			  pass->arg_lengths[i] == rint(pass->arg_lengths[i])))
			malformed();
		d += pass->arg_lengths[i];
		told = told || d == pass->told;
	}
	if (d + pass->known != pass->map.d || !told)
		malformed();
}

static void
check_domain(const DpemPass *pass)
{
	for (int j = 0; j < pass->map.d; j++)
	{
		double		scale = pass->scale ? pass->scale[j] : DPEM_SCALE_LINEAR;

		if (!(pass->map.lower[j] < pass->map.upper[j]) || !(scale >= 0 && scale < DPEM_SCALES && scale == rint(scale)))
			malformed();
	}
}

/* the numbers of a group that stand together; returns how many they are */
static size_t
read_part(const double *at, size_t available, const uint64 *words, const DpemPass *pass, DpemPassPart *part)
{
	size_t		d = (size_t) pass->map.d;
	size_t		frame = frame_doubles(d, words[W_RANGE], words[W_CENTER], words[W_WHITENING]);
	const double *own = at + (words[W_RANGE] ? 2 * d : 0);
	size_t		theta;

	if (available < frame)
		malformed();
	part->range = words[W_RANGE] ? at : NULL;
	part->center = words[W_CENTER] ? own : NULL;
	part->whitening = words[W_WHITENING] ? own + (words[W_CENTER] ? d : 0) : NULL;
	part->theta = at + frame;
	theta = dpem_kernel_theta_length(pass->kernel, &pass->layout, part->theta, available - frame);
	/* 0 is how theta_check refuses: a pass without parameters would look right */
	if (theta > available - frame || (theta == 0 && pass->kernel->theta_check != NULL))
		malformed();
	if (!(part->radius > 0))
		malformed();
	for (size_t j = 0; part->range && j < d; j++)
		if (!(part->range[j] <= part->range[d + j]))
			malformed();
	if (pass->kernel->theta_valid && !pass->kernel->theta_valid(&pass->layout, part->theta))
		malformed();
	return frame + theta;
}

static void
read_numbers(const double *at, size_t n, const uint64 *words, DpemPass *pass)
{
	size_t		d = (size_t) pass->map.d;
	int			parts = count_parts(pass);
	size_t		shared = shared_doubles(&pass->map, words[W_ARGS], parts, words[W_SCALED]);
	DpemPassPart *part = palloc0(mul_size(parts, sizeof(DpemPassPart)));
	const double *end = at + n;

	if (n < shared)
		malformed();
	for (int g = 0; g < parts; g++)
		part[g].radius = *at++;
	pass->nargs = (int) words[W_ARGS];
	pass->arg_lengths = at;
	pass->map.lower = at + pass->nargs;
	pass->map.upper = pass->map.lower + d;
	at = pass->map.upper + d;
	pass->scale = words[W_SCALED] ? at : NULL;
	at += words[W_SCALED] ? d : 0;
	pass->map.frequency = pass->map.pairs > 0 ? at : NULL;
	at += (size_t) pass->map.pairs * pass->map.waves;
	check_arguments(pass);
	check_domain(pass);
	for (int g = 0; g < parts; g++)
		at += read_part(at, end - at, words, pass, &part[g]);
	if (at != end)
		malformed();
	pass->part = part;
	pass->map = dpem_pass_map(pass, 0);
	pass->theta = part[0].theta;
}

void
dpem_pass_read(bytea *wire, DpemPass *pass)
{
	uint64		words[W_WORDS];
	Size		size = VARSIZE_ANY_EXHDR(wire);
	size_t		n;
	double	   *values;

	memset(pass, 0, sizeof(*pass));
	if (size < sizeof(words))
		malformed();
	memcpy(words, VARDATA_ANY(wire), sizeof(words));
	read_header(words, pass);
	n = (size - sizeof(words)) / sizeof(double);
	if (size != sizeof(words) + n * sizeof(double))
		malformed();
	values = palloc(n * sizeof(double));
	memcpy(values, VARDATA_ANY(wire) + sizeof(words), n * sizeof(double));
	for (size_t i = 0; i < n; i++)
		if (!isfinite(values[i]))
			malformed();
	read_numbers(values, n, words, pass);
}

void
dpem_pass_clear_rows(bytea *wire)
{
	uint64		words[W_WORDS];

	if (VARSIZE_ANY_EXHDR(wire) < sizeof(words))
		return;
	memcpy(words, VARDATA_ANY(wire), sizeof(words));
	if (words[W_MAGIC] != PASS_MAGIC)
		return;
	words[W_ROWS] = 0;
	memcpy(VARDATA_ANY(wire), words, sizeof(words));
}
