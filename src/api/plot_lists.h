/*
 * plot_lists.h - pictures with a line per column, as SQL functions that dp_plot calls, too.
 */
#ifndef DPEM_API_PLOT_LISTS_H
#define DPEM_API_PLOT_LISTS_H

#include "postgres.h"

#include "fmgr.h"

/* dp_plot_NAME(model text): SVG; 42704 for a model that the caller may not read, 42809 for one of another family */
extern Datum dp_plot_loadings(PG_FUNCTION_ARGS);
extern Datum dp_plot_coefficients(PG_FUNCTION_ARGS);
extern Datum dp_plot_topics(PG_FUNCTION_ARGS);

#endif							/* DPEM_API_PLOT_LISTS_H */
