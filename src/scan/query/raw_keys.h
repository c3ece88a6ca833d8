/*
 * raw_keys.h - keys and their units as a scan finds them: the private side, for the scan and the wall.
 */
#ifndef DPEM_SCAN_RAW_KEYS_H
#define DPEM_SCAN_RAW_KEYS_H

#include "scan/query/source.h"

/*
 * Takes the keys one by one, each once, in an order that depends on private
 * rows and must not be revealed.  It must not raise because of a key or its
 * number of units.
 */
typedef struct DpemKeySink
{
	void		(*take) (struct DpemKeySink *sink, const char *key, int64 units);
} DpemKeySink;

/* a scan of a source that seeks keys; raises as dpem_source_scan does */
extern void dpem_source_scan_keys(DpemSource *source, DpemKeySink *sink);

/* what a source of such a scan counts for each key, or, of the last two, for each group, or in one that has any name */
typedef enum DpemDistinct
{
	DPEM_DISTINCT_NONE,			/* units that have the key */
	DPEM_DISTINCT_PERSONS,		/* different units with a row that counts, or such rows where a row is a unit */
	DPEM_DISTINCT_VALUES		/* different values of a column in rows that count */
} DpemDistinct;

extern DpemDistinct dpem_source_distinct(const DpemSource *source);

/* how its rows are read */
extern const DpemRowsRead *dpem_source_rows(const DpemSource *source);

#endif							/* DPEM_SCAN_RAW_KEYS_H */
