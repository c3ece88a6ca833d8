/*
 * pass.c - writing and reading a pass.
 *
 * Wire format: a fixed header of 64-bit words, then doubles, all in the
 * machine's byte order: leader and workers run the same binary, and another
 * server must run the same version on a machine of the same kind.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/dataset.h"
#include "engine/pass.h"
#include "port/pg_bswap.h"
#include "storage/shmem.h"
#include "utils/memutils.h"
#include "version_shims.h"

#define PASS_MAGIC		UINT64CONST(0x6470656d70617301) /* "dpempas", version 1 */
#define PASS_VERSIONS	UINT64CONST(0xff)	/* where the version is */
#define PASS_MAX_D		100000
#define PASS_MAX_COMPONENTS (1 << 20)	/* of all groups together */

enum
{
	W_MAGIC, W_FAMILY, W_K, W_D, W_SECOND, W_FEATURE_BITS, W_RESPONSIBILITY_BITS,
	W_CENTRE, W_WHITENING, W_ARGS, W_GROUPS, W_WORDS
};

/* all numbers of a pass but theta */
static size_t
map_doubles(const DpemMomentLayout *layout, size_t nargs, bool centre, bool whitening)
{
	size_t		d = (size_t) layout->d;

	return 1 + nargs + 2 * d + (centre ? d : 0) + (whitening ? d * d : 0);
}

DpemMomentLayout
dpem_pass_moments(const DpemPass *pass)
{
	DpemMomentLayout layout = pass->layout;

	layout.k *= Max(pass->groups, 1);
	return layout;
}

static char *
append(char *at, const double *values, size_t n)
{
	if (n > 0)					/* values may be NULL otherwise */
		memcpy(at, values, n * sizeof(double));
	return at + n * sizeof(double);
}

bytea *
dpem_pass_write(const DpemPass *pass)
{
	size_t		d = (size_t) pass->layout.d;
	bool		centre = pass->map.centre != NULL;
	bool		whitening = pass->map.whitening != NULL;
	size_t		theta = dpem_family_theta_length(pass->family, &pass->layout, pass->theta, SIZE_MAX);
	uint64		words[W_WORDS] = {
		[W_MAGIC] = PASS_MAGIC,[W_FAMILY] = pass->family->code,[W_K] = pass->layout.k,
		[W_D] = pass->layout.d,[W_SECOND] = pass->layout.second,
		[W_FEATURE_BITS] = pass->map.bits,
		[W_RESPONSIBILITY_BITS] = pass->responsibility_bits,[W_CENTRE] = centre,
	[W_WHITENING] = whitening,[W_ARGS] = pass->nargs,[W_GROUPS] = pass->groups};
	Size		size = add_size(VARHDRSZ + sizeof(words),
								mul_size(sizeof(double),
										 add_size(map_doubles(&pass->layout, pass->nargs, centre, whitening), theta)));
	bytea	   *wire;
	char	   *at;

	if (!AllocSizeIsValid(size))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the model's parameters do not fit into memory")));
	wire = palloc(size);
	SET_VARSIZE(wire, size);
	memcpy(VARDATA(wire), words, sizeof(words));
	at = append(VARDATA(wire) + sizeof(words), &pass->map.radius, 1);
	at = append(at, pass->arg_lengths, pass->nargs);
	at = append(at, pass->map.lower, d);
	at = append(at, pass->map.upper, d);
	if (centre)
		at = append(at, pass->map.centre, d);
	if (whitening)
		at = append(at, pass->map.whitening, d * d);
	append(at, pass->theta, theta);
	return wire;
}

static void
malformed(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("malformed pass given to dpem.moments")));
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
			 errmsg("pass given to dpem.moments by another version of dpem or a machine of another byte order"),
			 errhint("Install the same version of dpem on every server.")));
}

static void
read_header(const uint64 *words, DpemPass *pass)
{
	check_magic(words[W_MAGIC]);
	if (words[W_FAMILY] > PG_UINT8_MAX)
		malformed();
	pass->family = dpem_family_from_code((uint8) words[W_FAMILY]);
	if (pass->family == NULL ||
		words[W_K] < 1 || words[W_K] > (uint64) pass->family->max_components ||
		words[W_D] < 1 || words[W_D] > PASS_MAX_D || words[W_SECOND] > DPEM_SECOND_LAST ||
		(words[W_FEATURE_BITS] != 0 && words[W_FEATURE_BITS] != DPEM_FEATURE_BITS) ||
		words[W_RESPONSIBILITY_BITS] != (words[W_FEATURE_BITS] ? DPEM_RESPONSIBILITY_BITS : 0) ||
		words[W_CENTRE] > 1 || words[W_WHITENING] > 1 ||
		words[W_ARGS] < 1 || words[W_ARGS] > words[W_D])
		malformed();
	if ((words[W_GROUPS] > 0 && pass->family->aggregate != NULL) || words[W_GROUPS] > DPEM_GROUPS_MAX || words[W_K] * Max(words[W_GROUPS], 1) > PASS_MAX_COMPONENTS)
		malformed();
	pass->layout.k = (int) words[W_K];
	pass->groups = (int) words[W_GROUPS];
	pass->layout.d = (int) words[W_D];
	pass->layout.second = (DpemSecondMoment) words[W_SECOND];
	if (pass->family->locate != NULL
		? pass->layout.second != DPEM_COUNTS_ALONE && pass->layout.second != DPEM_SECOND_NONE
		: pass->layout.second == DPEM_COUNTS_ALONE)
		malformed();
	if ((pass->family->accumulate != NULL) != (pass->layout.second == DPEM_SECOND_COMPONENTS))
		malformed();
	if (pass->family == &dpem_family_gmm && pass->layout.second == DPEM_SECOND_NONE)
		malformed();
	pass->map.d = pass->layout.d;
	pass->map.bits = (int) words[W_FEATURE_BITS];
	pass->responsibility_bits = (int) words[W_RESPONSIBILITY_BITS];
}

/* the columns must make up the d coordinates */
static void
check_arguments(const DpemPass *pass)
{
	double		d = 0;

	for (int i = 0; i < pass->nargs; i++)
	{
		if (!(pass->arg_lengths[i] >= 1 && pass->arg_lengths[i] <= PASS_MAX_D &&
			  pass->arg_lengths[i] == rint(pass->arg_lengths[i])))
			malformed();
		d += pass->arg_lengths[i];
	}
	if (d != pass->layout.d)
		malformed();
}

static void
read_arrays(const double *at, const uint64 *words, DpemPass *pass)
{
	size_t		d = (size_t) pass->layout.d;

	pass->map.radius = *at++;
	pass->nargs = (int) words[W_ARGS];
	pass->arg_lengths = at;
	at += pass->nargs;
	pass->map.lower = at;
	pass->map.upper = at + d;
	at += 2 * d;
	if (words[W_CENTRE])
	{
		pass->map.centre = at;
		at += d;
	}
	if (words[W_WHITENING])
	{
		pass->map.whitening = at;
		at += d * d;
	}
	pass->theta = at;
	check_arguments(pass);
	for (size_t j = 0; j < d; j++)
	{
		if (!(pass->map.lower[j] < pass->map.upper[j]))
			malformed();
	}
	if (!(pass->map.radius > 0))
		malformed();
	if (pass->family->theta_valid && !pass->family->theta_valid(&pass->layout, pass->theta))
		malformed();
}

void
dpem_pass_read(bytea *wire, DpemPass *pass)
{
	uint64		words[W_WORDS];
	Size		size = VARSIZE_ANY_EXHDR(wire);
	size_t		n;
	size_t		fixed;
	size_t		theta;
	double	   *values;

	memset(pass, 0, sizeof(*pass));
	if (size < sizeof(words))
		malformed();
	memcpy(words, VARDATA_ANY(wire), sizeof(words));
	read_header(words, pass);
	n = (size - sizeof(words)) / sizeof(double);
	fixed = map_doubles(&pass->layout, words[W_ARGS], words[W_CENTRE], words[W_WHITENING]);
	if (n < fixed || size != sizeof(words) + n * sizeof(double))
		malformed();
	values = palloc(n * sizeof(double));
	memcpy(values, VARDATA_ANY(wire) + sizeof(words), n * sizeof(double));
	for (size_t i = 0; i < n; i++)
	{
		if (!isfinite(values[i]))
			malformed();
	}
	theta = dpem_family_theta_length(pass->family, &pass->layout, values + fixed, n - fixed);
	/* 0 is how theta_check refuses: a pass without parameters would look right */
	if (theta != n - fixed || (theta == 0 && pass->family->theta_check != NULL))
		malformed();
	read_arrays(values, words, pass);
}
