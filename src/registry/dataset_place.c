/*
 * dataset_place.c - which table a dataset's column is of.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/lsyscache.h"

#include "registry/person_column.h"
#include "registry/source_relations.h"

/* what stands behind `prefix.` in a name; NULL if that is not what it begins with */
static const char *
behind(const char *name, const char *prefix)
{
	size_t		length = strlen(prefix);

	return strncmp(name, prefix, length) == 0 && name[length] == '.' ? name + length + 1 : NULL;
}

/* `table.column`, or, as two schemas may each have such a table, `schema.table.column` */
static bool
find_on_path(const DpemUnitPath *path, const char *name, bool with_schema, DpemColumnPlace *place)
{
	ListCell   *cell;

	foreach(cell, path->steps)
	{
		const DpemUnitStep *step = lfirst(cell);
		const char *rest = name;
		char	   *table = OidIsValid(step->relation) ? get_rel_name(step->relation) : NULL;

		if (table == NULL || step->column == NULL)
			continue;
		if (with_schema)
			rest = behind(name, get_namespace_name(get_rel_namespace(step->relation)));
		rest = rest ? behind(rest, table) : NULL;
		*place = (DpemColumnPlace) {foreach_current_index(cell), step->relation, rest, NULL};
		if (rest != NULL && OidIsValid(dpem_source_column_type(step->relation, rest)))
			return true;
	}
	return false;
}

static const DpemPersonColumn *
find_person_column(const DpemDataset *ds, const char *name)
{
	ListCell   *cell;

	foreach(cell, ds->persons)
	{
		if (strcmp(((DpemPersonColumn *) lfirst(cell))->name, name) == 0)
			return lfirst(cell);
	}
	return NULL;
}

bool
dpem_dataset_place(const DpemDataset *ds, const char *name, DpemColumnPlace *place)
{
	*place = (DpemColumnPlace) {-1, ds->source, name, NULL};
	/* before all others: no column of its name may stand in for whose rows they are */
	if (ds->path != NULL && strcmp(name, ds->unit) == 0)
	{
		place->relation = dpem_unit_path_last(ds->path, ds->source, &place->attribute, &place->step);
		return true;
	}
	place->person = find_person_column(ds, name);
	if (place->person != NULL)
		return true;
	if (ds->path == NULL || OidIsValid(dpem_source_column_type(ds->source, name)))
		return OidIsValid(dpem_source_column_type(ds->source, name));
	return find_on_path(ds->path, name, false, place) || find_on_path(ds->path, name, true, place);
}

/* the column of a dataset that counts the rows of units is in no table */
static bool
is_count(const DpemDataset *ds, const char *name)
{
	return ds->counts_rows && strcmp(name, DPEM_ROWS_COLUMN) == 0;
}

Oid
dpem_dataset_column_type(const DpemDataset *ds, const char *name)
{
	DpemColumnPlace place;

	if (is_count(ds, name))
		return FLOAT8OID;
	if (!dpem_dataset_place(ds, name, &place))
		return InvalidOid;
	return place.person ? FLOAT8OID : dpem_source_column_type(place.relation, place.attribute);
}

char *
dpem_dataset_origin(const DpemDataset *ds, const char *name)
{
	DpemColumnPlace place;

	if (is_count(ds, name))
		return pstrdup(" as how many rows a unit has");
	if (!dpem_dataset_place(ds, name, &place) || (place.person == NULL && place.step < 0))
		return pstrdup("");
	if (place.person == NULL)
		return psprintf(" of %u", place.relation);
	return psprintf(" as %s of %u by %s where %s", place.person->text, place.person->detail, place.person->path->text,
					place.person->filter ? place.person->filter : "");
}

/* relations that are gone have left nothing to read, and what is wrong is said where the path is checked */
static List *
append_relations(List *relations, const DpemUnitPath *path)
{
	ListCell   *cell;

	foreach(cell, path ? path->steps : NIL)
	{
		if (OidIsValid(((DpemUnitStep *) lfirst(cell))->relation))
			relations = list_append_unique_oid(relations, ((DpemUnitStep *) lfirst(cell))->relation);
	}
	return relations;
}

List *
dpem_dataset_relations(const DpemDataset *ds)
{
	List	   *relations = append_relations(list_make1_oid(ds->source), ds->path);
	ListCell   *cell;

	foreach(cell, ds->persons)
	{
		const DpemPersonColumn *person = lfirst(cell);

		if (OidIsValid(person->detail))
			relations = list_append_unique_oid(relations, person->detail);
		relations = append_relations(relations, person->path);
	}
	return relations;
}
