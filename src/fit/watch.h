/*
 * watch.h - what a fit does that others can see: the queries it sends and
 * the messages that reach the client.  For dp_selftest.
 */
#ifndef DPEM_FIT_WATCH_H
#define DPEM_FIT_WATCH_H

#include "lib/stringinfo.h"

typedef struct DpemWatch
{
	int			queries;
	int			messages;
	StringInfoData query_log;	/* text of each, and a hash of each pass given to it */
	StringInfoData message_log; /* level, SQLSTATE and texts of each */
} DpemWatch;

/* an empty one in the current memory context */
extern DpemWatch *dpem_watch_create(void);

/*
 * Between these two, of which the second is called after an error too.
 * Messages from INFO on are asked for until the (sub)transaction ends.
 */
extern void dpem_watch_start(DpemWatch *watch);
extern void dpem_watch_stop(void);

#endif							/* DPEM_FIT_WATCH_H */
