/*
 * spill.h - what a scan sorts and hashes: in how much memory, and where the rest goes.
 *
 * Everybody may ask for the size of the database's own tablespace, temporary
 * files included.  So the memory of a scan is the server's choice and large,
 * and what is more than that goes to a tablespace that nobody can size, if the
 * administrator has named one.
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
