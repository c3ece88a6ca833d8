/*
 * online_rules.c - see online_rules.h.
 *
 * Regret in nats a row and the AUC of held-out rows after the last batch, medians of 3 runs on adult in the order of
 * age, and in a random one, at epsilon 0.5, 1 and 4, add_remove (logistic loss; test/bench/online.pl is the same
 * through SQL):
 *
 *   batches  reach  spare   by age                                random
 *        31    0.8      3   0.094 / 0.090 / 0.077, 0.872 to 0.879   0.101 / 0.092 / 0.082
 *        63    0.4      0   0.092 / 0.075 / 0.058, 0.872 to 0.884   0.113 / 0.088 / 0.067
 *        63    0.8      0   0.086 / 0.077 / 0.073, 0.875 to 0.882   0.109 / 0.103 / 0.084
 *        63    0.8      3   0.086 / 0.068 / 0.058, 0.874 to 0.881   0.102 / 0.079 / 0.062
 *        63    0.8     10   0.091 / 0.079 / 0.067, 0.872 to 0.877   0.100 / 0.081 / 0.061
 *       127    0.8      3   0.077 / 0.067 / 0.053, 0.873 to 0.883   0.102 / 0.083 / 0.053
 *
 * One weight for all coordinates is worse: 0.088 / 0.089 / 0.098 by age, 63 batches, at its best reach.
 */
#include "core/online/online_rules.h"

#define REACH	0.8				/* of a score's slope, in units of the ball's radius */

/* 2^h - 1: as many as cost no more noise than 2^(h - 1); each is a pass over the rows that are kept */
const int	dpem_online_batches = 63;

const double dpem_online_spare = 3;

/*
 * A row of so many ones as the radius squared moves by the radius squared times the reach in a step: by 1, half of the
 * target's domain.  Regret in parts of the target's variance, medians of 3 runs at epsilon 1, of reaches of 0.25, 0.5, 1 and 2
 * over the radius squared: 0.207, 0.143, 0.127, 0.395 on adult by age, 0.110, 0.085, 0.097, 0.267 in a random order, and 0.245,
 * 0.104, 0.054, 0.064 of six uniform columns.  Clipped at 0.5 instead of 0.25: 0.125, 0.092 and 0.063 at reach 1.
 */
double
dpem_online_slope_reach(double radius)
{
	return 1 / (radius * radius);
}

const double dpem_online_residual = 0.25;

double
dpem_online_reach(double radius)
{
	return REACH * radius;
}

/*
 * R squared of all rows held out, medians of 5 fits at epsilon 1 / 4 (test/bench/online.pl), of hours a week on adult by age, in a
 * random order, and of a stream that changes, whose least squares have 0.18, 0.18 and 0.82:
 *
 *   after the last batch        -0.42 / -0.45   0.15 / 0.16     0.76 / 0.77
 *   average after all batches   0.073 / 0.074   0.142 / 0.152   0.820 / 0.821
 *   without the first eighth    0.069 / 0.072   0.146 / 0.156   0.822 / 0.822
 */
int
dpem_online_left_out(int batches)
{
	return batches / 8;
}
