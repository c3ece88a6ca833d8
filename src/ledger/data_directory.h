/*
 * data_directory.h - a mark that distinguishes a data directory from its copies.
 */
#ifndef DPEM_LEDGER_DATA_DIRECTORY_H
#define DPEM_LEDGER_DATA_DIRECTORY_H

/* The data directory's mark, or NULL if it has none. */
extern char *dpem_data_directory_mark(void);

/* Gives the data directory the mark `uuid`, durably, unless it has one already. */
extern void dpem_data_directory_make_mark(const char *uuid);

#endif							/* DPEM_LEDGER_DATA_DIRECTORY_H */
