/*
 * gmm_rules.c - see gmm_rules.h.
 */
#include "gmm_rules.h"

const DpemGmmWeights dpem_gmm_weights[3] = {
	{0.2, 0.6, 1},				/* centre */
	{0.35, 0.6, 1},				/* whitening */
	{0.35, 0.6, 1}				/* mixture */
};

const double dpem_gmm_budget_shares[3] = {0.05, 0.25, 0.70};

const double dpem_gmm_start_radius[2] = {0.3, 0.5};
const double dpem_gmm_start_variance[2] = {0.1, 0.3};
const double dpem_gmm_whitened_clip = 1.3;

/*
 * More passes mean more noise in each.  Of use is what a pass tells about a
 * component: its second moments' noise relative to its size.
 */
int
dpem_gmm_iterations(const DpemGmmPrediction *p)
{
	double		rows = p->rows > 0 ? p->rows : 10000;
	double		noise = p->second_sd * p->k / rows;

	if (!(noise > 0))
		return 10;
	return noise > 0.01 ? 3 : noise > 0.004 ? 6 : noise > 0.0008 ? 10 : 20;
}
