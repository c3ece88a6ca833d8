/*
 * source_capture.h - the owner's code, whose names another role could capture.
 *
 * Functions that a view, an index, a constraint or statistics call, and those
 * that these call in turn, run as the owner of the source in the session of
 * whoever fits.  Temporary objects of that session, and what it remembers of a
 * function, must not decide what a name in them means.
 */
#ifndef DPEM_REGISTRY_SOURCE_CAPTURE_H
#define DPEM_REGISTRY_SOURCE_CAPTURE_H

/*
 * Raises 55000 if the source depends on a function or a domain that belongs neither
 * to its owner or a member of that role nor to a superuser or a superuser's extension:
 * whoever owns it may replace it by one that keeps the rows, or check it by one.
 * And if it depends on a function in a procedural language
 * that roles other than its owner may call and that has no search_path of its
 * own: a session that has called it before keeps the types of its variables as
 * resolved by that caller's search_path.
 */
extern void dpem_source_refuse_borrowed(Oid source);

/*
 * The same, and if temporary objects of this session could stand in for names
 * in functions, operators or types that the source depends on.
 */
extern void dpem_source_refuse_capture(Oid source, const char *dataset);

/* until the scan's settings end, in its parallel workers too: the rows are that role's, and of that ledger */
extern void dpem_capture_watch(Oid owner, int64 ledger);

/* 0: no scan runs */
extern int64 dpem_scanned_ledger(void);

/*
 * Makes every query of a scan raise when it calls such a function: calls by
 * other functions are recorded in no catalog.
 */
extern void dpem_capture_init(void);

#endif							/* DPEM_REGISTRY_SOURCE_CAPTURE_H */
