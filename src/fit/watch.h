/*
 * watch.h - records what a fit does that others can observe: the queries it
 * sends and the messages that reach the client.  For dp_selftest.
 */
#ifndef DPEM_FIT_WATCH_H
#define DPEM_FIT_WATCH_H

#include "lib/stringinfo.h"

typedef struct DpemWatch
{
	int			queries;
	int			messages;
	StringInfoData query_log;	/* text of each, and a hash of each pass it got as a parameter */
	StringInfoData message_log; /* level, SQLSTATE and texts of each */
} DpemWatch;

/* an empty log in the current memory context */
extern DpemWatch *dpem_watch_create(void);

/*
 * Start and stop recording; stop must be called after an error too.  The client
 * gets messages from INFO on until the (sub)transaction ends.
 */
extern void dpem_watch_start(DpemWatch *watch);
extern void dpem_watch_stop(void);

#endif							/* DPEM_FIT_WATCH_H */
