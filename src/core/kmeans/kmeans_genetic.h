/*
 * kmeans_genetic.h - candidates of a genetic search for k-means.
 *
 * PrivGene (Zhang, Xiao, Yang, Zhang, Winslett 2013, "PrivGene: Differentially
 * Private Model Fitting Using Genetic Algorithms"): from a population of candidate
 * sets of centers the exponential mechanism chooses, by their utility scores, the
 * parents of the next one.  This file uses only public random numbers and the
 * parents chosen so far: post-processing.
 */
#ifndef DPEM_CORE_KMEANS_GENETIC_H
#define DPEM_CORE_KMEANS_GENETIC_H

#include <stddef.h>

#include "core/numeric/public_random.h"

/* the publication's numbers of candidates, and of parents chosen from them */
#define DPEM_GENETIC_CANDIDATES 200
#define DPEM_GENETIC_PARENTS	10

typedef struct DpemGenetic
{
	int			k;
	int			d;
	double		half_width;		/* of the box in feature coordinates */
	DpemPublicRandom random;
	double	   *candidate;		/* DPEM_GENETIC_CANDIDATES * k * d */
	double	   *parent;			/* DPEM_GENETIC_PARENTS * k * d */
} DpemGenetic;

/*
 * Number of generations: the publication's rule, epsilon * rows / (800
 * parents), but at least 8, and at most 20; rows 0 if not public.
 */
extern int	dpem_genetic_generations(double rows, double epsilon);

/*
 * Distance at which a row's mark for a candidate is 0 (score_kernel.h): twice
 * the radius of the balls that k equal cells of the domain have.
 */
extern double dpem_genetic_reach(int k, int d, double half_width);

/* candidates of the first generation: random centers in the domain */
extern void dpem_genetic_begin(DpemGenetic *genetic);

/*
 * The next generation: the parents, then their children in pairs.  The children of
 * two parents swap all centers after a random one, then one center of each moves by
 * up to a step that shrinks with the generation (counted from 1).
 */
extern void dpem_genetic_breed(DpemGenetic *genetic, const size_t chosen[DPEM_GENETIC_PARENTS],
							   int generation);

#endif							/* DPEM_CORE_KMEANS_GENETIC_H */
