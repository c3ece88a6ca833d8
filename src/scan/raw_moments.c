/*
 * raw_moments.c - creating, adding, writing and checking raw moments.
 */
#include "postgres.h"

#include <math.h>

#include "libpq/pqformat.h"
#include "storage/shmem.h"
#include "utils/memutils.h"

#include "core/synth/tables.h"
#include "scan/raw_moments.h"
#include "server/version_shims.h"

#define RAW_VERSION 2
#define RAW_MAX_K	(1 << 20)
#define RAW_MAX_D	100000

static Size
number_size(bool exact)
{
	return exact ? sizeof(DpemInt128) : sizeof(double);
}

DpemRawMoments *
dpem_raw_moments_create(const DpemKernel *kernel, const DpemMomentLayout *layout, bool exact)
{
	DpemRawMoments *moments = palloc0(sizeof(DpemRawMoments));
	Size		size;

	moments->kernel = kernel;
	moments->layout = *layout;
	moments->exact = exact;
	moments->length = dpem_moments_length(layout);
	size = mul_size(moments->length, number_size(exact));
	if (!AllocSizeIsValid(add_size(size, 64)))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("moments of %d components in %d coordinates do not fit into memory",
						layout->k, layout->d)));
	if (exact)
		moments->total = palloc0(size);
	else
		moments->real = palloc0(size);
	return moments;
}

static bool
has_shape(const DpemRawMoments *a, const DpemKernel *kernel, const DpemMomentLayout *layout, bool exact)
{
	return a->kernel == kernel && a->exact == exact && a->layout.k == layout->k && a->layout.d == layout->d &&
		a->layout.second == layout->second;
}

void
dpem_raw_moments_add(DpemRawMoments *total, const DpemRawMoments *other)
{
	if (!has_shape(total, other->kernel, &other->layout, other->exact))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("states of dpem_internal.moments of different kernels or shapes cannot be added")));
	for (size_t i = 0; i < total->length; i++)
	{
		if (total->exact)
			total->total[i] += other->total[i];
		else
			total->real[i] += other->real[i];
	}
}

Size
dpem_raw_moments_size(const DpemRawMoments *moments)
{
	return mul_size(moments->length, number_size(moments->exact));
}

static void
add_exact(char *to, const char *from, size_t length)
{
	DpemInt128	total;
	DpemInt128	more;

	for (size_t i = 0; i < length * sizeof(DpemInt128); i += sizeof(DpemInt128))
	{
		memcpy(&total, to + i, sizeof(total));
		memcpy(&more, from + i, sizeof(more));
		total += more;
		memcpy(to + i, &total, sizeof(total));
	}
}

static void
add_real(double *to, const double *from, size_t length)
{
	for (size_t i = 0; i < length; i++)
		to[i] += from[i];
}

void
dpem_raw_moments_add_to(const DpemRawMoments *moments, void *numbers)
{
	if (moments->exact)
		add_exact(numbers, (const char *) moments->total, moments->length);
	else
		add_real(numbers, moments->real, moments->length);
}

void
dpem_raw_moments_take(DpemRawMoments *moments, void *numbers)
{
	if (moments->exact)
		add_exact((char *) moments->total, numbers, moments->length);
	else
		add_real(moments->real, numbers, moments->length);
	explicit_bzero(numbers, dpem_raw_moments_size(moments));
}

bytea *
dpem_raw_moments_write(const DpemRawMoments *moments)
{
	StringInfoData buf;

	pq_begintypsend(&buf);
	enlargeStringInfo(&buf, 16 + moments->length * number_size(moments->exact));
	pq_sendbyte(&buf, RAW_VERSION);
	pq_sendbyte(&buf, moments->kernel->code);
	pq_sendbyte(&buf, moments->exact ? 1 : 0);
	pq_sendbyte(&buf, (uint8) moments->layout.second);
	pq_sendint32(&buf, moments->layout.k);
	pq_sendint32(&buf, moments->layout.d);
	for (size_t i = 0; i < moments->length; i++)
	{
		if (moments->exact)
		{
			pq_sendint64(&buf, (uint64) ((unsigned __int128) moments->total[i] >> 64));
			pq_sendint64(&buf, (uint64) moments->total[i]);
		}
		else
			pq_sendfloat8(&buf, moments->real[i]);
	}
	return pq_endtypsend(&buf);
}

static void
malformed(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("malformed state of dpem_internal.moments")));
}

static DpemRawMoments *
parse_header(StringInfo buf)
{
	const DpemKernel *kernel;
	DpemMomentLayout layout;
	int			exact;
	int			second;

	if (buf->len < 12)
		malformed();
	if (pq_getmsgbyte(buf) != RAW_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("state of dpem_internal.moments in the format of another version of dpem"),
				 errhint("Install the same version of dpem on every server.")));
	kernel = dpem_kernel_from_code((uint8) pq_getmsgbyte(buf));
	exact = pq_getmsgbyte(buf);
	second = pq_getmsgbyte(buf);
	layout.k = (int) pq_getmsgint(buf, 4);
	layout.d = (int) pq_getmsgint(buf, 4);
	if (kernel == NULL || exact > 1 || second > DPEM_SECOND_LAST || layout.k < 1 || layout.k > RAW_MAX_K ||
		layout.d < 1 || layout.d > RAW_MAX_D)
		malformed();
	layout.second = (DpemSecondMoment) second;
	/* before allocating: the bytes must be there */
	if ((size_t) (buf->len - buf->cursor) != dpem_moments_length(&layout) * number_size(exact))
		malformed();
	return dpem_raw_moments_create(kernel, &layout, exact == 1);
}

DpemRawMoments *
dpem_raw_moments_parse(bytea *wire)
{
	StringInfoData buf;
	DpemRawMoments *moments;

	buf.data = VARDATA_ANY(wire);
	buf.len = buf.maxlen = VARSIZE_ANY_EXHDR(wire);
	buf.cursor = 0;
	moments = parse_header(&buf);
	for (size_t i = 0; i < moments->length; i++)
	{
		if (moments->exact)
		{
			uint64		high = (uint64) pq_getmsgint64(&buf);
			uint64		low = (uint64) pq_getmsgint64(&buf);

			moments->total[i] = (DpemInt128) (((unsigned __int128) high << 64) | low);
		}
		else
			moments->real[i] = pq_getmsgfloat8(&buf);
	}
	return moments;
}

void
dpem_raw_moments_wipe(DpemRawMoments *moments)
{
	if (moments->exact)
		explicit_bzero(moments->total, moments->length * sizeof(DpemInt128));
	else
		explicit_bzero(moments->real, moments->length * sizeof(double));
}

DpemRawMoments *
dpem_raw_moments_read(bytea *wire, const DpemKernel *kernel, const DpemMomentLayout *layout, bool exact)
{
	DpemRawMoments *moments;

	if (wire == NULL)
		moments = dpem_raw_moments_create(kernel, layout, exact);
	else
	{
		moments = dpem_raw_moments_parse(wire);
		explicit_bzero(VARDATA_ANY(wire), VARSIZE_ANY_EXHDR(wire));
		pfree(wire);
	}
	if (!has_shape(moments, kernel, layout, exact))
		elog(ERROR, "dpem: the pass returned moments of another kernel or shape");
	return moments;
}

void
dpem_raw_moments_set_rows(DpemRawMoments *moments, const DpemRowsRead *rows)
{
	moments->rows = *rows;
}

/* what the wall knows of one group's tables is then true of each, wherever their bins are */
void
dpem_raw_moments_note_tables(DpemRawMoments *moments, const DpemPass *pass)
{
	const double *theta = dpem_pass_part(pass, 0).theta;
	double	   *copy;
	size_t		size;

	if (pass->kernel != &dpem_kernel_tables)
		return;
	size = mul_size(dpem_tables_cells_length(theta), sizeof(double));
	for (int g = 1; g < pass->groups; g++)
	{
		if (memcmp(dpem_pass_part(pass, g).theta, theta, size) != 0)
			elog(ERROR, "dpem: groups with tables of their own");
	}
	copy = palloc(size);
	memcpy(copy, theta, size);
	moments->tables = copy;
}

bool
dpem_raw_moments_of(const DpemRawMoments *moments, bool replace_one, int rows_per_unit)
{
	const DpemRowsRead *rows = &moments->rows;

	return rows->rows_per_unit > 0 && rows->rows_per_unit == rows_per_unit && rows->replace_one == replace_one;
}

bool
dpem_raw_moments_are(const DpemRawMoments *moments, DpemContribution contribution)
{
	return moments->kernel->contribution == contribution;
}
