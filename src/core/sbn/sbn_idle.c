/*
 * sbn_idle.c - see sbn_idle.h.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/numeric/public_random.h"
#include "core/sbn/sbn_idle.h"
#include "core/sbn/sbn_ones.h"
#include "core/sbn/sbn_rules.h"
#include "core/sbn/sbn_shares.h"

/* of the Bernoulli law with these log-odds: -log(p) = log(1 + exp(-x)), and x (1 - p) more where it is 0 */
static double
entropy_of(double log_odds)
{
	double		x = fabs(log_odds);

	return log1p(exp(-x)) + x * dpem_sbn_share_of(-x);
}

/* rows of hidden units drawn from the model: the means of columns' shares and of their entropies, d numbers each */
static void
draw(const DpemSbnEstimate *fit, double *share, double *entropy)
{
	DpemPublicRandom random = {((uint64_t) fit->d << 16) + (uint64_t) fit->hidden};
	int			d = fit->d;

	memset(share, 0, d * sizeof(double));
	memset(entropy, 0, d * sizeof(double));
	for (int i = 0; i < DPEM_SBN_IDLE_DRAWS; i++)
	{
		bool		on[DPEM_SBN_MAX_HIDDEN];

		for (int k = 0; k < fit->hidden; k++)
			on[k] = dpem_public_uniform(&random) < dpem_sbn_share_of(fit->bias[k]);
		for (int j = 0; j < d; j++)
		{
			double		field = fit->weight[j];

			for (int k = 0; k < fit->hidden; k++)
				field += on[k] ? fit->weight[(size_t) (k + 1) * d + j] : 0;
			share[j] += dpem_sbn_share_of(field) / DPEM_SBN_IDLE_DRAWS;
			entropy[j] += entropy_of(field) / DPEM_SBN_IDLE_DRAWS;
		}
	}
}

/* of a column whose log-odds are released, from a law of that share */
static double
divergence(double log_odds, double share)
{
	double		p = dpem_sbn_share_of(log_odds);

	return -entropy_of(log_odds) - p * log(share) - (1 - p) * log1p(-share);
}

bool
dpem_sbn_is_idle(DpemSbnEstimate *fit)
{
	double	   *share = fit->moved;
	double	   *entropy = fit->moved + fit->d;
	double		off = 0;
	double		worth = 0;

	draw(fit, share, entropy);
	for (int j = 0; j < fit->d; j++)
	{
		double		p = fmin(fmax(share[j], DBL_EPSILON), 1 - DBL_EPSILON);

		off += divergence(fit->ones.log_odds[j], p);
		worth += entropy_of(dpem_sbn_odds_of(p)) - entropy[j];
	}
	return off > worth + 2 * dpem_sbn_ones_loss(fit);
}
