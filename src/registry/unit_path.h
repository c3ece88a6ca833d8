/*
 * unit_path.h - whose rows they are, proved from the catalog.
 *
 * A dataset's unit may be a path of foreign keys to the table of persons:
 *
 *     patient_id -> hospital.patients.id
 *     order_id -> shop.orders.id, customer_id -> shop.customers.id
 *     hospital.patients.id
 *
 * the last one for the table of persons itself.  Each step is a column, and the
 * key that it refers to by a validated, enforced foreign key of that one column;
 * the next step's column is of the table that was reached.  A key has one row at
 * most, so that each row of the source speaks of one person at most
 * (docs/proofs.md, "Paths").
 */
#ifndef DPEM_REGISTRY_UNIT_PATH_H
#define DPEM_REGISTRY_UNIT_PATH_H

#include "nodes/pg_list.h"

typedef struct DpemUnitStep
{
	char	   *column;			/* of the source, or of the table before; NULL: the source is the table */
	char	   *schema;
	char	   *name;
	char	   *table;			/* both, quoted where needed */
	Oid			relation;		/* as registered; InvalidOid: there is none */
	char	   *key;
} DpemUnitStep;

typedef struct DpemUnitPath
{
	char	   *text;			/* as written above, quoted where needed */
	char	   *person;			/* the last step's key with its table: what all datasets of these persons have for a unit */
	List	   *steps;			/* of DpemUnitStep, at least one */
} DpemUnitPath;

/* NULL for a text that has no path's form (a column's name, which may be anything); relations are looked up by their names */
extern DpemUnitPath *dpem_unit_path_parse(const char *text);

/* a path as the catalog has it: its text, and the relations of its steps as oids with spaces between them */
extern DpemUnitPath *dpem_unit_path_restore(const char *text, const char *relations);
extern char *dpem_unit_path_relations(const DpemUnitPath *path);

/*
 * What is wrong with a path from `source`, as the end of a sentence about it;
 * NULL: nothing.  The tables of the path must be locked.  A source that is a view, a materialised view or a foreign table
 * has no constraints: there the first step is its owner's word, and only the others are proved.
 */
extern char *dpem_unit_path_fault(const DpemUnitPath *path, Oid source);

/* the table, 0: the source, and its column that has the person's key in it */
extern Oid	dpem_unit_path_last(const DpemUnitPath *path, Oid source, const char **column, int *step);

/*
 * The only path of foreign keys from `source` to the key of persons; raises
 * 22023 with the reason if there is none, or if there are several: a row may then speak of two persons.
 */
extern DpemUnitPath *dpem_unit_path_find(Oid source, const DpemUnitPath *persons);

#endif							/* DPEM_REGISTRY_UNIT_PATH_H */
