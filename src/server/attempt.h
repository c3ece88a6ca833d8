/*
 * attempt.h - work that may fail without failing the statement.
 */
#ifndef DPEM_SERVER_ATTEMPT_H
#define DPEM_SERVER_ATTEMPT_H

#include "utils/elog.h"

/*
 * Calls body(argument) in a subtransaction, which is kept if it succeeds and
 * `keep` is true, and rolled back otherwise.  Returns its error, in the current
 * memory context, or NULL.  Cancellation is raised again.
 */
extern ErrorData *dpem_attempt(void (*body) (void *), void *argument, bool keep);

#endif							/* DPEM_SERVER_ATTEMPT_H */
