/*
 * lda_body.h - the inner loop of a document's E-step, for one clone.
 *
 * Topics are padded to a multiple of TOPIC_GROUP.  Sums over topics are
 * TOPIC_GROUP partial sums, added in one fixed order, whatever LANES is: a
 * document's statistics have the same bits in every clone.
 */

#define GROUP_PARTS (TOPIC_GROUP / LANES)

/* sum_k a_k b_k over the padded topics */
INLINE double
CLONE(lda_dot)(int padded, const double *a, const double *b)
{
	Vec			part[GROUP_PARTS];
	double		lane[TOPIC_GROUP];

	UNROLL for (int p = 0; p < GROUP_PARTS; p++)
		part[p] = LOAD(a + p * LANES) * LOAD(b + p * LANES);
	for (int k = TOPIC_GROUP; k < padded; k += TOPIC_GROUP)
	{
		UNROLL for (int p = 0; p < GROUP_PARTS; p++)
			part[p] += LOAD(a + k + p * LANES) * LOAD(b + k + p * LANES);
	}
	UNROLL for (int p = 0; p < GROUP_PARTS; p++)
		STORE(lane + p * LANES, part[p]);
	return ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

/* ratio_i = n_i / sum_k w_k b_ik and sum_k = sum_i ratio_i b_ik */
CLONE_TARGET static void
CLONE(lda_sweep)(int padded, int terms, const double *b, const double *count, const double *weight,
				 double *ratio, double *sum)
{
	for (int k = 0; k < padded; k++)
		sum[k] = 0;
	for (int i = 0; i < terms; i++)
	{
		const double *row = b + (size_t) i * padded;

		ratio[i] = count[i] / CLONE(lda_dot)(padded, weight, row);
		for (int k = 0; k < padded; k += LANES)
			STORE(sum + k, LOAD(sum + k) + CLONE(splat)(ratio[i]) * LOAD(row + k));
	}
}

#undef GROUP_PARTS
