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

/* how its rows are read */
extern const DpemRowsRead *dpem_source_rows(const DpemSource *source);

#endif							/* DPEM_SCAN_RAW_KEYS_H */
