/*
 * data_directory.c - what tells a data directory from its copies.
 *
 * A base backup that is started without archive recovery keeps the system
 * identifier and the timeline, and nothing in its tables can say that time
 * has gone back.  So a random mark lies where base backups do not reach:
 * pg_basebackup, pg_rewind and the tools that follow their rules leave out
 * what is in pg_stat_tmp, while the server itself never empties it.  Where the
 * file system tells when a file was made, that is part of the mark, and a
 * copy of the files has another.  A snapshot of the volume has the same.
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "miscadmin.h"
#include "pgstat.h"
#include "storage/fd.h"

#include "ledger/data_directory.h"

#define MARK_FILE	PG_STAT_TMP_DIR "/dpem.mark"
#define UUID_LENGTH	36

/* ".seconds.nanoseconds" of the file's making, or nothing where that is not known */
static char *
birth(int fd)
{
#ifdef STATX_BTIME
	struct statx made;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &made) == 0 && (made.stx_mask & STATX_BTIME) != 0)
		return psprintf(".%lld.%09u", (long long) made.stx_btime.tv_sec, made.stx_btime.tv_nsec);
#endif
	return pstrdup("");
}

char *
dpem_data_directory_mark(void)
{
	char		uuid[UUID_LENGTH + 1] = {0};
	char	   *mark = NULL;
	int			fd = OpenTransientFile(MARK_FILE, O_RDONLY | PG_BINARY);

	if (fd < 0)
	{
		if (errno == ENOENT)
			return NULL;
		ereport(ERROR,
				(errcode_for_file_access(), errmsg("could not open file \"%s\": %m", MARK_FILE)));
	}
	if (read(fd, uuid, UUID_LENGTH) == UUID_LENGTH)
		mark = psprintf("%s%s", uuid, birth(fd));
	CloseTransientFile(fd);
	return mark;
}

static void
write_file(const char *path, const char *uuid)
{
	int			fd = OpenTransientFile(path, O_WRONLY | O_CREAT | O_TRUNC | PG_BINARY);

	/* what a short write is without an errno */
	if (fd >= 0)
		errno = ENOSPC;
	if (fd < 0 || write(fd, uuid, UUID_LENGTH) != UUID_LENGTH || pg_fsync(fd) != 0 ||
		CloseTransientFile(fd) != 0)
		ereport(ERROR,
				(errcode_for_file_access(), errmsg("could not write file \"%s\": %m", path)));
}

/* complete under a name of our own first; of two that come at once, link() lets one win */
void
dpem_data_directory_make_mark(const char *uuid)
{
	char		path[MAXPGPATH];

	Assert(strlen(uuid) == UUID_LENGTH);
	if (dpem_data_directory_mark() != NULL)
		return;
	snprintf(path, sizeof(path), "%s.%d", MARK_FILE, MyProcPid);
	write_file(path, uuid);
	if (link(path, MARK_FILE) != 0 && errno != EEXIST)
		ereport(ERROR,
				(errcode_for_file_access(), errmsg("could not create file \"%s\": %m", MARK_FILE)));
	(void) unlink(path);
	fsync_fname(PG_STAT_TMP_DIR, true);
	if (dpem_data_directory_mark() == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("file \"%s\" is not what dpem wrote", MARK_FILE),
				 errhint("Remove it; ledgers will then have to be acknowledged with dp_acknowledge_restore.")));
}
