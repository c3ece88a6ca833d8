/*
 * attempt.h - what may fail without taking the statement along.
 */
#ifndef DPEM_SERVER_ATTEMPT_H
#define DPEM_SERVER_ATTEMPT_H

#include "utils/elog.h"

/*
 * Calls body(argument) in a subtransaction, which stands if it succeeds and
 * `keep`, and is undone otherwise.  Returns the error it ended with, in the
 * current memory context, or NULL.  Cancellation goes on.
 */
extern ErrorData *dpem_attempt(void (*body) (void *), void *argument, bool keep);

#endif							/* DPEM_SERVER_ATTEMPT_H */
