/*
 * spill.h - memory for the sorts and hash tables of a scan, and where it spills to.
 *
 * Everybody may query the size of the database's own tablespace, temporary
 * files included.  So the memory of a scan is chosen by the server, and large;
 * what does not fit goes to a tablespace whose size analysts cannot query, if
 * the administrator has named one.
 */
#ifndef DPEM_SERVER_SPILL_H
#define DPEM_SERVER_SPILL_H

/* on while a scan runs, in its parallel workers too */
#define DPEM_SCANNING "dpem.scanning"

extern void dpem_spill_init(void);

extern bool dpem_is_scanning(void);

/* kB for each sort or hash table of a scan */
extern int	dpem_scan_memory(void);

#endif							/* DPEM_SERVER_SPILL_H */
