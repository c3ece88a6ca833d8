/*
 * lda_merge.h - fewer topics from more, for candidates of a choice: post-processing.
 */
#ifndef DPEM_CORE_LDA_MERGE_H
#define DPEM_CORE_LDA_MERGE_H

#include "core/lda/lda_estimate.h"
#include "core/numeric/workspace.h"

/*
 * Makes the two topics one, again and again until there are k, whose words tell least about which of the two they
 * are of: the least loss of information about topics, n_a log n_a + n_b log n_b - (n_a + n_b) log(n_a + n_b) of
 * all words less the same of every term (Slonim and Tishby 2000, "Agglomerative information bottleneck", equation 5).  Their
 * parameters are added, so that together topics are the distribution that they were.  lambda keeps the first k rows.  work:
 * dpem_lda_merge_work of the topics there are.
 */
extern size_t dpem_lda_merge_work(int topics);
extern void dpem_lda_merge(DpemLdaTopics *topics, int k, void (*pause) (void), DpemWorkspace work);

#endif							/* DPEM_CORE_LDA_MERGE_H */
