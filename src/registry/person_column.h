/*
 * person_column.h - columns of one value a person, from the rows of another table.
 *
 *     count(hospital.visits)                    rows
 *     exists(hospital.visits)                   1 or 0
 *     count(distinct hospital.visits.ward)
 *     sum(hospital.visits.cost), avg, min, max
 *
 * of the detail rows whose path of foreign keys leads to the person, and which
 * match a filter.  All of these are the person's own, so that a person's rows, in
 * whatever table, change that person's values only (docs/proofs.md, "Person columns").
 */
#ifndef DPEM_REGISTRY_PERSON_COLUMN_H
#define DPEM_REGISTRY_PERSON_COLUMN_H

#include "registry/binding.h"

typedef enum DpemPersonAggregate
{
	DPEM_PERSON_COUNT,
	DPEM_PERSON_EXISTS,
	DPEM_PERSON_DISTINCT,
	DPEM_PERSON_SUM,
	DPEM_PERSON_AVG,
	DPEM_PERSON_MIN,
	DPEM_PERSON_MAX
} DpemPersonAggregate;

typedef struct DpemPersonColumn
{
	char	   *name;
	char	   *text;			/* as written above, with names quoted where needed */
	DpemPersonAggregate aggregate;
	struct RangeVar *table;		/* as it was written */
	Oid			detail;			/* as registered; InvalidOid: there is none any more */
	char	   *detail_name;	/* qualified */
	char	   *column;			/* of the detail rows; NULL: the rows themselves */
	DpemUnitPath *path;			/* from the detail rows to persons */
	char	   *filter;			/* of detail rows; NULL: all */
} DpemPersonColumn;

/* NULL for a text of another form; raises 42P01 if there is no such table; path and filter are left out */
extern DpemPersonColumn *dpem_person_column_parse(const char *text);

/* those of a dataset, as registered: a list of DpemPersonColumn */
extern List *dpem_person_columns_load(int64 dataset);

/* what is wrong with one, as the end of a sentence about it; NULL: nothing.  Its tables must be locked */
extern char *dpem_person_column_fault(const DpemPersonColumn *person);

/* a column of the detail rows, bound as what its type is; false if it has no type for filters */
extern bool dpem_person_detail_column(const DpemPersonColumn *person, const char *name, DpemColumn *column);

/* its filter, bound to the columns of the detail table; raises 22023 or 42703 */
extern DpemRowFilter *dpem_person_filter(const DpemPersonColumn *person);

#endif							/* DPEM_REGISTRY_PERSON_COLUMN_H */
