/*
 * resident_file.c - the files of kept rows (resident_inside.h).
 */
#include "postgres.h"

#include <fcntl.h>

#include "storage/shmem.h"
#include "utils/memutils.h"
#include "utils/wait_event.h"

#include "scan/resident_inside.h"
#include "server/version_shims.h"

Size
dpem_resident_data_size(const DpemResidentShape *shape, int rows)
{
	if (shape->codes > 0)
		return mul_size(mul_size(shape->codes, DPEM_BLOCK_ROWS), sizeof(int16));
	return mul_size(mul_size(shape->d, rows), sizeof(double));
}

/* values as they lie in a block: nothing is copied on their way into a file and out of it */
static Size
data_size(const DpemResidentShape *shape)
{
	if (shape->codes > 0)
		return dpem_resident_data_size(shape, DPEM_BLOCK_ROWS);
	return mul_size(mul_size(shape->d, DPEM_BLOCK_STRIDE), sizeof(double));
}

Size
dpem_resident_record_size(const DpemResidentShape *shape, int rows)
{
	return add_size(RECORD_HEADER, dpem_resident_data_size(shape, rows));
}

static char *
name_of(int number)
{
	return psprintf("rows.%d", number);
}

void
dpem_resident_files_create(DpemResidentRows *resident)
{
	for (int i = 0; i < DPEM_ROWS_FILES; i++)
		resident->file[i] = FileSetCreate(&resident->header->files, name_of(i));
}

void
dpem_resident_files_close(DpemResidentRows *resident)
{
	for (int i = 0; i < DPEM_ROWS_FILES; i++)
	{
		if (resident->file[i] > 0)
			FileClose(resident->file[i]);
		resident->file[i] = 0;
	}
}

/* what fails here is done when the files are unlinked */
void
dpem_resident_rows_empty(DpemResidentRows *resident, int part, int parts)
{
	for (int i = part; i < DPEM_ROWS_FILES; i += parts)
	{
		if (resident->file[i] > 0)
			(void) FileTruncate(resident->file[i], 0, WAIT_EVENT_BUFFILE_WRITE);
	}
}

/* where a record is */
typedef struct RecordPlace
{
	File		file;
	off_t		offset;
} RecordPlace;

static RecordPlace
find_place(DpemResidentRows *resident, uint32 index)
{
	const DpemRowsHeader *header = resident->header;
	uint32		record = index - header->slots;
	int			number = (int) (record % DPEM_ROWS_FILES);
	File	   *file = &resident->file[number];

	if (*file <= 0)
		*file = FileSetOpen(&resident->header->files, name_of(number), O_RDWR);
	if (*file <= 0)
		elog(ERROR, "dpem: a file of kept rows is gone");
	return (RecordPlace) {*file, (off_t) (record / DPEM_ROWS_FILES) * (off_t) (RECORD_HEADER + data_size(&header->shape))};
}

DpemBlockRecord *
dpem_resident_file_record(DpemResidentRows *resident)
{
	const DpemResidentShape *shape = &resident->header->shape;

	if (resident->record == NULL)
		resident->record = MemoryContextAlloc(resident->context, add_size(RECORD_HEADER, shape->codes > 0 ? data_size(shape) : 0));
	return resident->record;
}

/* what a file of one process would be refused for by the server; these are of several */
static void
check_file_limit(off_t end)
{
	if (temp_file_limit >= 0 && end > (off_t) temp_file_limit * 1024)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("temporary file size exceeds temp_file_limit (%dkB)", temp_file_limit)));
}

static void
transfer(File file, char *at, off_t offset, Size size, bool write)
{
	while (size > 0)
	{
		int			part = (int) Min(size, (Size) 1 << 30);
		int			done = write ? FileWrite(file, at, part, offset, WAIT_EVENT_BUFFILE_WRITE) :
						   FileRead(file, at, part, offset, WAIT_EVENT_BUFFILE_READ);

		if (done <= 0)
			ereport(ERROR, (errcode_for_file_access(),
							write ? errmsg("could not write kept rows to a temporary file: %m") :
									errmsg("could not read kept rows from a temporary file")));
		at += done;
		offset += done;
		size -= done;
	}
}

void
dpem_resident_file_write(DpemResidentRows *resident, uint32 index, const void *data)
{
	RecordPlace place = find_place(resident, index);
	Size		size = data_size(&resident->header->shape);

	check_file_limit((place.offset + (off_t) (RECORD_HEADER + size)) * DPEM_ROWS_FILES);
	transfer(place.file, (char *) resident->record, place.offset, RECORD_HEADER, true);
	transfer(place.file, (char *) unconstify(void *, data), place.offset + RECORD_HEADER, size, true);
}

void
dpem_resident_file_read(DpemResidentRows *resident, uint32 index, double *x)
{
	const DpemResidentShape *shape = &resident->header->shape;
	RecordPlace place = find_place(resident, index);
	DpemBlockRecord *record = dpem_resident_file_record(resident);

	transfer(place.file, (char *) record, place.offset, RECORD_HEADER, false);
	if (record->rows < 1 || record->rows > DPEM_BLOCK_ROWS)
		elog(ERROR, "dpem: a file of kept rows is damaged");
	transfer(place.file, shape->codes > 0 ? (char *) RECORD_CODES(record) : (char *) x, place.offset + RECORD_HEADER, data_size(shape), false);
}
