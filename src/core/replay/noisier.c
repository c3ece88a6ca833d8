/*
 * noisier.c - see noisier.h.
 */
#include <math.h>

#include "core/replay/noisier.h"

static double
more(double sd, DpemPublicRandom *random)
{
	return DPEM_NOISIER_PART * sd * dpem_public_normal(random);
}

void
dpem_noisier_add(const DpemNoisyMoments *from, DpemPublicRandom *random, DpemNoisyMoments *to)
{
	const DpemMomentLayout *layout = &from->layout;
	const double *in = from->value;
	double	   *out = to->value;

	*to = *from;
	to->value = out;
	for (int k = 0; k < layout->k; k++)
	{
		*out++ = *in++ + more(from->count_sd, random);
		for (int j = 0; j < layout->d; j++)
			*out++ = *in++ + more(from->sum_sd, random);
		for (int i = 0; i < layout->d && layout->second == DPEM_SECOND_FULL; i++)
			for (int j = 0; j <= i; j++)
				*out++ = *in++ + more(from->second_sd * (i == j ? 1 : M_SQRT1_2), random);
	}
}
