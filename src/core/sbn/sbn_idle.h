/*
 * sbn_idle.h - whether a network's hidden units could make up for what it gets wrong about single columns.
 *
 * Passes clip rows, and rare ones most: what they climb to has other shares of ones than the rows.  Gradients that are
 * clipped themselves cannot tell, but the first release, which clips no row, does.  Reads released numbers only:
 * post-processing.
 */
#ifndef DPEM_CORE_SBN_IDLE_H
#define DPEM_CORE_SBN_IDLE_H

#include "core/sbn/sbn_estimate.h"

/*
 * Whether the network would be better without its hidden units: its shares of ones are further from the rows' than
 * these units and the noise in released shares can be worth together.  In nats a row: the divergence of released shares
 * from the network's, less what noise adds to it; what noise costs columns by themselves; and the information that
 * units have about columns, each column by itself, which is no less than what all gain by them.  Writes over fit->moved.
 */
extern bool dpem_sbn_is_idle(DpemSbnEstimate *fit);

#endif							/* DPEM_CORE_SBN_IDLE_H */
