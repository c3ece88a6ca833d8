/*
 * tree_sums.h - sums of the first t of B batches, for every t, from the nodes of a binary tree, each of
 * which is a sum over 2^level successive batches with noise of its own (Dwork, Naor, Pitassi, Rothblum 2010;
 * Chan, Shi, Song 2011).
 *
 * A node's sum is also that of its two halves: both estimates are weighted by their precision, from
 * the leaves up (Honaker 2015, "estimation from below"), which halves the variance of large nodes.
 */
#ifndef DPEM_CORE_TREE_SUMS_H
#define DPEM_CORE_TREE_SUMS_H

#include <stddef.h>

#include "core/numeric/workspace.h"

#define DPEM_TREE_MOST_BATCHES	1023
#define DPEM_TREE_MOST_LEVELS	10

/* levels that have a whole node, leaves included: the nodes that a batch is in, at most */
extern int	dpem_tree_levels(int batches);

/* how many nodes end with this batch (counted from 1): those of levels 0, 1, ... */
extern int	dpem_tree_ending(int batch);

typedef struct DpemTreeSums
{
	int			d;
	int			batch;			/* that have been added */
	double	   *node;			/* DPEM_TREE_MOST_LEVELS x d: estimates; of levels that the binary number `batch` has */
	double	   *last;			/* d */
	double	   *common;			/* DPEM_TREE_MOST_LEVELS x d: covariances of these estimates with the weighted sum of all totals (dpem_tree_sums_weigh) */
	double	   *carried;		/* d: likewise of `last` */
	double	   *spread;			/* d: variances of that weighted sum */
} DpemTreeSums;

extern size_t dpem_tree_sums_work(int d);
extern DpemTreeSums dpem_tree_sums_create(int d, DpemWorkspace *work);

/* the nodes that end with the next batch, d numbers each, of levels 0, 1, ... (dpem_tree_ending) */
extern void dpem_tree_sums_add(DpemTreeSums *sums, const double *const *ended);

/* the sum of all batches that have been added, d numbers; returns the variance of its noise, in units of that of a node's */
extern double dpem_tree_sums_total(const DpemTreeSums *sums, double *total);

/*
 * A sum of totals after different batches, each times d weights, shares the noise of nodes: adds the total so far with these weights
 * to it, and keeps the variances of its noise in `spread`, in units of that of a node's.
 */
extern void dpem_tree_sums_weigh(DpemTreeSums *sums, const double *weight);

#endif							/* DPEM_CORE_TREE_SUMS_H */
