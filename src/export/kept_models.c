/*
 * kept_models.c - see kept_models.h.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/pg_list.h"
#include "utils/memutils.h"

#include "export/kept_models.h"

typedef struct KeptModel
{
	MemoryContext memory;		/* of all of it */
	char	   *name;
	Oid			role;
	void	   *ready;
	Size		bytes;
} KeptModel;

/* in fn_extra */
typedef struct KeptModels
{
	List	   *kept;			/* the last used first */
	Size		bytes;
} KeptModels;

static KeptModels *
models_of(FunctionCallInfo fcinfo)
{
	if (fcinfo->flinfo->fn_extra == NULL)
		fcinfo->flinfo->fn_extra = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(KeptModels));
	return fcinfo->flinfo->fn_extra;
}

/* NULL: it is not kept */
static KeptModel *
take(KeptModels *models, const char *name, Oid role)
{
	ListCell   *cell;

	foreach(cell, models->kept)
	{
		KeptModel  *kept = lfirst(cell);

		if (kept->role == role && strcmp(kept->name, name) == 0)
		{
			if (foreach_current_index(cell) > 0)
				models->kept = lcons(kept, list_delete_nth_cell(models->kept, foreach_current_index(cell)));
			return kept;
		}
	}
	return NULL;
}

static void
forget_oldest(KeptModels *models)
{
	KeptModel  *kept = llast(models->kept);

	models->kept = list_delete_last(models->kept);
	models->bytes -= kept->bytes;
	MemoryContextDelete(kept->memory);
}

static KeptModel *
make_kept(FunctionCallInfo fcinfo, const char *name, DpemMakeReady make)
{
	MemoryContext memory = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt, "dpem model", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(memory);
	KeptModel  *kept = palloc(sizeof(KeptModel));

	*kept = (KeptModel) {.memory = memory,.name = pstrdup(name),.role = GetUserId(),.ready = make(fcinfo, name)};
	kept->bytes = MemoryContextMemAllocated(memory, true);
	MemoryContextSwitchTo(old);
	return kept;
}

void *
dpem_kept_model(FunctionCallInfo fcinfo, const char *name, DpemMakeReady make)
{
	KeptModels *models = models_of(fcinfo);
	KeptModel  *kept = take(models, name, GetUserId());
	MemoryContext old;

	if (kept != NULL)
		return kept->ready;
	kept = make_kept(fcinfo, name, make);
	while (models->kept != NIL && models->bytes + kept->bytes > (Size) work_mem * 1024)
		forget_oldest(models);
	old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	models->kept = lcons(kept, models->kept);
	models->bytes += kept->bytes;
	MemoryContextSwitchTo(old);
	return kept->ready;
}
