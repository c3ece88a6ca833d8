/*
 * kmeans_algorithms.c - the tables of k-means algorithms and of what can be
 * done with their answers.
 */
#include "postgres.h"

#include "engine/kmeans_blocks.h"
#include "engine/kmeans_genetic.h"
#include "engine/kmeans_lloyd.h"
#include "engine/kmeans_postprocess.h"
#include "engine/kmeans_request.h"

const DpemKmeansAlgorithm dpem_kmeans_algorithms[] = {
	{
		.name = "joint",.iterates = true,.plan = dpem_kmeans_plan_joint,
		.forecast = dpem_kmeans_forecast_joint,.run = dpem_kmeans_run_lloyd
	},
	{
		.name = "dpem",.iterates = true,.has_noise_kinds = true,.plan = dpem_kmeans_plan_dpem,
		.forecast = dpem_kmeans_forecast_dpem,.run = dpem_kmeans_run_lloyd
	},
	{
		.name = "dplloyd",.iterates = true,.plan = dpem_kmeans_plan_dplloyd,
		.forecast = dpem_kmeans_forecast_joint,.run = dpem_kmeans_run_lloyd
	},
	{
		.name = "genetic",.plan = dpem_kmeans_plan_genetic,
		.forecast = dpem_kmeans_forecast_genetic,.run = dpem_kmeans_run_genetic
	},
	{
		.name = "sample_aggregate",.has_noise_kinds = true,.plan = dpem_kmeans_plan_blocks,
		.forecast = dpem_kmeans_forecast_blocks,.run = dpem_kmeans_run_blocks
	},
	{.name = NULL}
};

const DpemKmeansPostprocess dpem_kmeans_postprocesses[] = {
	{.name = "mcmc",.apply = dpem_kmeans_postprocess_mcmc},
	{.name = NULL}
};

const DpemKmeansAlgorithm *
dpem_kmeans_choose(const DpemKmeansPlan *plan)
{
	return &dpem_kmeans_algorithms[0];
}
