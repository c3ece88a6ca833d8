/*
 * model_name.c - see model_name.h.
 *
 * Names are claimed by locks that only this file takes: no SQL can, and nobody
 * waits for one.  They are held to the end of the transaction, prepared or
 * not, and go with a savepoint, as the models do; when they are free again, the
 * models can be seen.  So whoever has them and sees no model of its names, in a
 * snapshot that was taken afterwards, finds no other transaction's in its way
 * when it stores its own: neither a duplicate nor one to wait for.
 *
 * A name may have slashes of its own.  A model locks its name exclusively, and
 * what precedes a slash in it in a mode that conflicts only with that of a
 * stem of categories, which excludes everybody: so `a/b` and the category b of
 * a stem `a` exclude each other, `a/b` and `a/c` do not.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "fit/model_name.h"
#include "fit/model_store.h"
#include "server/arguments.h"
#include "server/as_owner.h"

#define DATASET_MOST	160		/* bytes of its name in a stem */

/* of no system catalog's object; names that share one can at worst be taken for each other's */
static LOCKTAG
lock_of(const char *name, int length)
{
	uint64		hash = hash_bytes_extended((const unsigned char *) name, length, 0);
	Oid			models = get_relname_relid("model", get_namespace_oid("dpem_internal", false));
	LOCKTAG		tag;

	SET_LOCKTAG_OBJECT(tag, MyDatabaseId, models, (uint32) hash, (uint16) (hash >> 32));
	return tag;
}

static bool
try_lock(const char *name, int length, LOCKMODE mode)
{
	LOCKTAG		tag = lock_of(name, length);

	return LockAcquire(&tag, mode, false, true) != LOCKACQUIRE_NOT_AVAIL;
}

static LOCKMODE
stem_mode(const DpemModelNames *names)
{
	return names->n > 0 ? AccessExclusiveLock : ExclusiveLock;
}

/* the stem last, which is the one that a claim gives back */
static bool
try_locks(const char *stem, LOCKMODE mode)
{
	for (const char *slash = strchr(stem, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
	{
		if (!try_lock(stem, (int) (slash - stem), AccessShareLock))
			return false;
	}
	return try_lock(stem, (int) strlen(stem), mode);
}

static Datum
names_of(const DpemModelNames *names, const char *stem)
{
	int			n = Max(names->n, 1);
	Datum	   *each = palloc(n * sizeof(Datum));

	for (int i = 0; i < n; i++)
		each[i] = CStringGetTextDatum(dpem_model_name(stem, names->n > 0 ? names->category[i] : NULL));
	return PointerGetDatum(construct_array(each, n, TEXTOID, -1, false, TYPALIGN_INT));
}

/* those of the names that are names of models, committed by now or this transaction's, in order */
static List *
find_taken(const DpemModelNames *names, const char *stem)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {TEXTARRAYOID};
	Datum		values[] = {names_of(names, stem)};
	List	   *taken;
	DpemIdentity saved;
	uint64		n;

	dpem_owner_enter(&saved);
	PushActiveSnapshot(GetLatestSnapshot());
	n = dpem_spi_query("SELECT name FROM dpem_internal.model WHERE name = ANY ($1) ORDER BY array_position($1, name)",
					   1, types, values, NULL, true, SPI_OK_SELECT);
	taken = dpem_spi_texts(n, caller);
	PopActiveSnapshot();
	dpem_owner_leave(&saved);
	return taken;
}

void
dpem_model_claim(const DpemModelNames *names)
{
	List	   *taken;
	ListCell   *cell;

	if (!try_locks(names->stem, stem_mode(names)))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("model \"%s\" is being made by another transaction", names->stem),
				 errhint("Choose another name.")));
	taken = find_taken(names, names->stem);
	foreach(cell, taken)
	{
		if (!names->replace || !dpem_model_may_change(lfirst(cell)))
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_OBJECT),
					 errmsg("model \"%s\" already exists", (char *) lfirst(cell)),
					 errhint("Choose another name, drop it with dp_drop_model, or replace it with replace => true.")));
	}
}

char *
dpem_model_claim_free(const DpemModelNames *names, int first)
{
	for (int n = first;; n++)
	{
		char	   *stem = n == 1 ? pstrdup(names->stem) : psprintf("%s_%d", names->stem, n);
		LOCKTAG		tag = lock_of(stem, (int) strlen(stem));

		CHECK_FOR_INTERRUPTS();
		if (!try_locks(stem, stem_mode(names)))
			continue;
		if (find_taken(names, stem) == NIL)
			return stem;
		LockRelease(&tag, stem_mode(names), false);
	}
}

char *
dpem_model_stem(const char *dataset, const char *family, int64 charge)
{
	int			length = pg_mbcliplen(dataset, (int) strlen(dataset), DATASET_MOST);

	char	   *stem = psprintf("%.*s_%s_" INT64_FORMAT, length, dataset, family, charge);

	/* somebody's lock on what precedes a slash would stand in the way of every number */
	for (char *at = strchr(stem, '/'); at != NULL; at = strchr(at, '/'))
		*at = '_';
	return stem;
}

char *
dpem_model_name(const char *stem, const char *category)
{
	return category ? psprintf("%s/%s", stem, category) : pstrdup(stem);
}

const char *
dpem_model_hint(const char *name, List *known)
{
	size_t		length = strlen(name);
	ListCell   *cell;

	foreach(cell, known)
	{
		const char *model = lfirst(cell);

		if (strncmp(model, name, length) == 0 && model[length] == '/')
			return psprintf("There is a model of each category, such as \"%s\".  ", model);
	}
	return dpem_did_you_mean(name, known);
}
