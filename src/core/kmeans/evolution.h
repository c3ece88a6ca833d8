/*
 * evolution.h - private evolution: candidates for centers that rows vote for.
 *
 * Every row votes for its nearest candidate; the noisy numbers of votes are all that
 * is released (Lin, Gopi, Kulkarni, Nori, Yekhanin 2024, "Differentially Private
 * Synthetic Data via Foundation Model APIs", algorithm 1; for k-means arXiv
 * 2606.00342).  Candidates of many votes survive, and so do the centers of weighted
 * k-means on them; the next generation is these and random variations of them.
 * Reads released numbers only, with public random numbers: post-processing.
 */
#ifndef DPEM_CORE_EVOLUTION_H
#define DPEM_CORE_EVOLUTION_H

#include <stdbool.h>

#include "core/kmeans/seeded_kmeans.h"

/* a generation, points of a box cut by the unit ball */
typedef struct DpemCandidates
{
	int			n;
	int			d;
	double		half_width;		/* of the box */
	double	   *x;				/* n * d */
	double	   *scale;			/* n: about how far the rows that vote for it are from it */
} DpemCandidates;

/* ---- rules from public numbers (kmeans_rules.c) ---- */

/* rounds of votes, the last of which weighs the centers */
extern const int dpem_evolution_rounds;

/* candidates of a round, for rows of which each vote is counted with noise of that deviation, 0 for none */
extern int	dpem_evolution_candidates(int k, double rows, double sd);
extern const int dpem_evolution_most_candidates;

/* a variation's distance from its parent, in the parent's scales */
extern const double dpem_evolution_step;

/* ---- generations ---- */

/* the first: spread over the box at random */
extern void dpem_evolution_begin(DpemCandidates *to, DpemPublicRandom *random);

/*
 * The next, of from's candidates with more votes than the threshold: k centers of
 * these, the most voted for, and variations, parents drawn by their votes.  If there
 * are none it begins again.  from and to share nothing; to->n >= k.
 */
extern size_t dpem_evolution_work(int n, int k, int d);
extern void dpem_evolution_breed(const DpemCandidates *from, const double *votes, double threshold, int k,
								 DpemPublicRandom *random, DpemCandidates *to, DpemWorkspace work);

#endif							/* DPEM_CORE_EVOLUTION_H */
