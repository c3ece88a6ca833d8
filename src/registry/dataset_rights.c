/*
 * dataset_rights.c - who administers a dataset, and to whom it is told what it is like.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/syscache.h"

#include "registry/dataset.h"
#include "registry/source_relations.h"
#include "server/version_shims.h"

static bool
is_there(const DpemDataset *ds)
{
	return SearchSysCacheExists1(RELOID, ObjectIdGetDatum(ds->source));
}

/* who administers it; InvalidOid: superusers alone */
static Oid
owner_of(const DpemDataset *ds)
{
	return is_there(ds) ? dpem_relation_owner(ds->source) : ds->owner;
}

static bool
administers(const DpemDataset *ds)
{
	Oid			owner = owner_of(ds);

	return OidIsValid(owner) ? has_privs_of_role(GetUserId(), owner) : superuser();
}

void
dpem_dataset_require_owner(const DpemDataset *ds)
{
	Oid			owner = owner_of(ds);
	char	   *whose = OidIsValid(owner) ? GetUserNameFromId(owner, true) : NULL;

	if (!administers(ds))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be owner of the source of dataset \"%s\"", ds->name),
				 whose == NULL ? 0 : errhint("Ask role \"%s\", whose it is.", whose)));
}

/* the source, or a column of it */
static bool
may_read(const DpemDataset *ds)
{
	return is_there(ds) &&
		(pg_class_aclcheck(ds->source, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
		 pg_attribute_aclcheck_all(ds->source, GetUserId(), ACL_SELECT, ACLMASK_ANY) == ACLCHECK_OK);
}

bool
dpem_dataset_is_visible(const DpemDataset *ds)
{
	return administers(ds) || may_read(ds) || ds->shared;
}

void
dpem_dataset_require_visible(const DpemDataset *ds)
{
	if (!dpem_dataset_is_visible(ds))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("role \"%s\" has no budget on dataset \"%s\"", GetUserNameFromId(GetUserId(), false), ds->name),
				 errhint("The dataset's owner grants one with dp_grant_budget.")));
}
