/*
 * server_stub.c - what the scan's parsers need of the server: memory, errors
 * and message buffers, so that the very code that reads a pass and a state in
 * a backend runs under a fuzzer.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "storage/shmem.h"
#include "utils/memutils.h"

#include "server_stub.h"

jmp_buf		stub_catch;
int			stub_sqlstate;

/* ---- memory ---- */

#define MOST_CHUNKS 4096

static void *chunks[MOST_CHUNKS];
static int	nchunks;

void *
palloc(Size size)
{
	void	   *chunk = malloc(size);

	if (chunk == NULL || nchunks == MOST_CHUNKS || !AllocSizeIsValid(size))
		abort();
	return chunks[nchunks++] = chunk;
}

void *
palloc0(Size size)
{
	return memset(palloc(size), 0, size);
}

void
pfree(void *pointer)
{
	int			i = nchunks - 1;

	while (i >= 0 && chunks[i] != pointer)
		i--;
	if (i < 0)
		abort();
	free(pointer);
	chunks[i] = chunks[--nchunks];
}

void
stub_free_all(void)
{
	while (nchunks > 0)
		free(chunks[--nchunks]);
}

Size
add_size(Size a, Size b)
{
	if (a + b < a)
		abort();
	return a + b;
}

Size
mul_size(Size a, Size b)
{
	if (a != 0 && a * b / a != b)
		abort();
	return a * b;
}

/* ---- errors ---- */

bool
errstart(int elevel, const char *domain)
{
	if (elevel < ERROR)
		abort();
	return true;
}

bool
errstart_cold(int elevel, const char *domain)
{
	return errstart(elevel, domain);
}

int
errcode(int sqlerrcode)
{
	return stub_sqlstate = sqlerrcode;
}

int
errmsg(const char *fmt,...)
{
	return 0;
}

int
errhint(const char *fmt,...)
{
	return 0;
}

int
errmsg_internal(const char *fmt,...)
{
	return 0;
}

void
errfinish(const char *filename, int lineno, const char *funcname)
{
	if (stub_sqlstate == 0)
		stub_sqlstate = ERRCODE_INTERNAL_ERROR;
	longjmp(stub_catch, 1);
}

void
ExceptionalCondition(const char *conditionName, const char *errorType, const char *fileName, int lineNumber)
{
	abort();
}

/* ---- message buffers, as stringinfo.c and pqformat.c have them ---- */

void
enlargeStringInfo(StringInfo str, int needed)
{
	char	   *data;

	if (str->len + needed < str->maxlen)
		return;
	data = palloc(2 * (Size) (str->len + needed + 1));
	memcpy(data, str->data, str->len);
	str->data = data;
	str->maxlen = 2 * (str->len + needed + 1);
}

void
pq_begintypsend(StringInfo buf)
{
	buf->data = palloc(64);
	buf->maxlen = 64;
	buf->cursor = 0;
	buf->len = VARHDRSZ;
	memset(buf->data, 0, VARHDRSZ);
}

bytea *
pq_endtypsend(StringInfo buf)
{
	SET_VARSIZE(buf->data, buf->len);
	return (bytea *) buf->data;
}

void
pq_sendfloat8(StringInfo buf, float8 f)
{
	uint64		bits;

	memcpy(&bits, &f, sizeof(bits));
	pq_sendint64(buf, bits);
}

static uint64
get_bytes(StringInfo msg, int n)
{
	uint64		value = 0;

	if (n > msg->len - msg->cursor)
		ereport(ERROR, (errcode(ERRCODE_PROTOCOL_VIOLATION), errmsg("insufficient data left in message")));
	for (int i = 0; i < n; i++)
		value = value << 8 | (unsigned char) msg->data[msg->cursor++];
	return value;
}

int
pq_getmsgbyte(StringInfo msg)
{
	return (int) get_bytes(msg, 1);
}

unsigned int
pq_getmsgint(StringInfo msg, int b)
{
	return (unsigned int) get_bytes(msg, b);
}

int64
pq_getmsgint64(StringInfo msg)
{
	return (int64) get_bytes(msg, 8);
}

float8
pq_getmsgfloat8(StringInfo msg)
{
	uint64		bits = get_bytes(msg, 8);
	float8		value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}
