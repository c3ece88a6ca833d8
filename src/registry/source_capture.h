/*
 * source_capture.h - code of the source's owner that another role could bend.
 *
 * What a view calls, what an index, a constraint or statistics are made by, and
 * what these call in turn runs as the owner of the source, in the session of
 * whoever fits: its temporary objects, and what the session remembers of a
 * function, must not decide what a name in it means.
 */
#ifndef DPEM_REGISTRY_SOURCE_CAPTURE_H
#define DPEM_REGISTRY_SOURCE_CAPTURE_H

/*
 * Raises 55000 if the source depends on a function in a procedural language
 * that others than its owner may call and that has no search_path of its own: a
 * session that has called it before keeps the types of its variables as that
 * caller's search_path had them.
 */
extern void dpem_source_refuse_borrowed(Oid source);

/*
 * The same, and if temporary objects of this session could stand in for names
 * in functions, operators or types that the source depends on.
 */
extern void dpem_source_refuse_capture(Oid source, const char *dataset);

/*
 * Makes every query of a scan raise where it comes upon a function as the first
 * of these speaks of: one that is called by another function is in no catalog.
 */
extern void dpem_capture_init(void);

#endif							/* DPEM_REGISTRY_SOURCE_CAPTURE_H */
