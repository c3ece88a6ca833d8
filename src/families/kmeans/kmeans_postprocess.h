/*
 * kmeans_postprocess.h - postprocessing of the released answers of a k-means
 * fit; entries of dpem_kmeans_postprocesses (kmeans_algorithms.c).
 */
#ifndef DPEM_FAMILY_KMEANS_POSTPROCESS_H
#define DPEM_FAMILY_KMEANS_POSTPROCESS_H

#include "families/kmeans/kmeans.h"

/* Lee and Kifer 2016: the clusters of a dataset that explains all answers */
extern void dpem_kmeans_postprocess_mcmc(DpemKmeansRun *run);

#endif							/* DPEM_FAMILY_KMEANS_POSTPROCESS_H */
