/*
 * resident_file.c - the file of kept rows (resident_inside.h).
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

Size
dpem_resident_record_size(const DpemResidentShape *shape, int rows)
{
	return add_size(RECORD_HEADER, dpem_resident_data_size(shape, rows));
}

static void
open_file(DpemResidentRows *resident)
{
	if (resident->file <= 0)
		resident->file = FileSetOpen(&resident->header->files, DPEM_ROWS_FILE, O_RDWR);
	if (resident->file <= 0)
		elog(ERROR, "dpem: the file of kept rows is gone");
}

DpemBlockRecord *
dpem_resident_file_record(DpemResidentRows *resident)
{
	if (resident->record == NULL)
		resident->record = MemoryContextAlloc(resident->context,
											  dpem_resident_record_size(&resident->header->shape, DPEM_BLOCK_ROWS));
	return resident->record;
}

static off_t
file_offset(const DpemResidentRows *resident, uint32 index)
{
	const DpemRowsHeader *header = resident->header;

	return (off_t) (index - header->slots) * (off_t) dpem_resident_record_size(&header->shape, DPEM_BLOCK_ROWS);
}

/* what a file of one process would be refused for by the server; this one is of several */
static void
check_file_limit(off_t end)
{
	if (temp_file_limit >= 0 && end > (off_t) temp_file_limit * 1024)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("temporary file size exceeds temp_file_limit (%dkB)", temp_file_limit)));
}

static void
transfer(DpemResidentRows *resident, char *at, off_t offset, Size size, bool write)
{
	while (size > 0)
	{
		int			part = (int) Min(size, (Size) 1 << 30);
		int			done = write ? FileWrite(resident->file, at, part, offset, WAIT_EVENT_BUFFILE_WRITE) :
						   FileRead(resident->file, at, part, offset, WAIT_EVENT_BUFFILE_READ);

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
dpem_resident_file_write(DpemResidentRows *resident, uint32 index)
{
	const DpemBlockRecord *record = resident->record;
	off_t		offset = file_offset(resident, index);
	Size		size = dpem_resident_record_size(&resident->header->shape, record->rows);

	open_file(resident);
	check_file_limit(offset + (off_t) size);
	transfer(resident, (char *) record, offset, size, true);
}

void
dpem_resident_file_read(DpemResidentRows *resident, uint32 index)
{
	off_t		offset = file_offset(resident, index);
	DpemBlockRecord *record;

	open_file(resident);
	record = dpem_resident_file_record(resident);
	transfer(resident, (char *) record, offset, RECORD_HEADER, false);
	if (record->rows < 1 || record->rows > DPEM_BLOCK_ROWS)
		elog(ERROR, "dpem: the file of kept rows is damaged");
	transfer(resident, (char *) RECORD_VALUES(record), offset + RECORD_HEADER,
			 dpem_resident_data_size(&resident->header->shape, record->rows), false);
}
