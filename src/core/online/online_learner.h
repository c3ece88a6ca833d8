/*
 * online_learner.h - parameters that follow the regularised leader: for losses l_1, l_2, ... of batches
 * met at at_1 = 0, at_2, ..., the minimum of sum_s grad l_s(at_s)'x + sum_j x_j^2 w_j / 2 (McMahan 2017,
 * JMLR 18), from noisy sums of gradients (Kairouz et al. 2021, algorithm 1).
 *
 * The weights are those of AdaGrad (Duchi, Hazan, Singer 2011, JMLR 12, of diagonal matrices): w_j = the root of
 * the sum of a coordinate's squared gradients, as released, over the reach; to this sum some more of the largest
 * are added, for batches to come that are larger than all before (ibid., delta).  A coordinate in which there is
 * little but noise is held by it.
 *
 * The average of what batches have led to is what a model of all rows takes of them (Cesa-Bianchi, Conconi, Gentile 2004, IEEE
 * Transactions on Information Theory 50): the last parameters alone are as good for rows like the last ones only.
 */
#ifndef DPEM_CORE_ONLINE_LEARNER_H
#define DPEM_CORE_ONLINE_LEARNER_H

#include "core/online/tree_sums.h"

typedef struct DpemOnlineLearner
{
	int			d;
	double		reach;			/* of a parameter in a step, if its gradients agree */
	DpemTreeSums sums;
	double	   *square;			/* d: of gradients, as released, added up */
	double	   *largest;		/* d: of these squares */
	double	   *at;				/* d: the parameters that the next batch is to be met with */
	double	   *noise;			/* d: standard deviations of the noise in these, given the weights */
	int			left_out;		/* parameters after so many batches at first count not in the average, */
	double	   *mean;			/* d: which is of those after each later batch so far; 0 before */
	double	   *mean_noise;		/* d: of the noise in that */
	double	   *factor;			/* d: scratch */
} DpemOnlineLearner;

extern size_t dpem_online_work(int d);

/* of so many batches to come */
extern DpemOnlineLearner dpem_online_create(int d, double reach, int batches, DpemWorkspace *work);

/*
 * The nodes that end with the next batch (dpem_tree_sums_add): negative gradients, d numbers each, with
 * noise of standard deviation sd.
 */
extern void dpem_online_take(DpemOnlineLearner *learner, const double *const *ended, double sd);

#endif							/* DPEM_CORE_ONLINE_LEARNER_H */
