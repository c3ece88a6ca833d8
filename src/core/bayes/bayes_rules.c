/*
 * bayes_rules.c - see bayes_rules.h.  The numbers were chosen by
 * test/bench/regression.pl (docs/families/bayes.md).
 */
#include "core/bayes/bayes_rules.h"

const int	dpem_bayes_parts = 32;

/* sums of a block are gone over once for each block */
const double dpem_bayes_most_places = 1 << 16;

const double dpem_bayes_pseudo_count = 1;

const double dpem_bayes_spread[DPEM_BAYES_SPREADS] = {1e-4, 4e-4, 1.6e-3, 6.4e-3, 0.025, 0.05, 0.1, 0.3, 1};
const double dpem_bayes_tie[DPEM_BAYES_TIES] = {0, 0.5, 0.8, 0.9, 0.95, 0.98};
