/*
 * bayes_power.c - see bayes_power.h.
 */
#include <math.h>

#include "core/bayes/bayes_power.h"
#include "core/bayes/bayes_rules.h"
#include "core/bayes/class_pairs.h"

/* powers that are looked at: from the largest on, each so much smaller in its binary logarithm */
#define LARGEST		log2(DPEM_BAYES_MOST_POWER)
#define STEP		0.1
#define POWERS		101

/* the mean odds of two classes at each level, each pair by how many rows its two classes have */
static void
find_odds(const DpemPairCounts *counts, double *odds)
{
	double		total[DPEM_PAIRS_LEVELS] = {0};

	for (int i = 0; i < DPEM_PAIRS_LEVELS; i++)
		odds[i] = 0;
	for (int c = 0; c < counts->classes; c++)
		for (int other = 0; other < c; other++)
		{
			double		apart = fabs(log(counts->weight[c] / counts->weight[other]));
			double		pair = counts->weight[c] * counts->weight[other];
			int			level = dpem_class_pairs_level(counts->classes, apart);

			odds[level] += pair * apart;
			total[level] += pair;
		}
	for (int i = 0; i < DPEM_PAIRS_LEVELS; i++)
		odds[i] = total[i] > 0 ? odds[i] / total[i] : 0;
}

/*
 * Log-likelihood, but for a constant, of the share p of the second class in a place's rows, whose number is not negative and otherwise unknown: counts
 * are that number times (1 - p, p), and noise across this direction and along it.  Where there is nothing but noise all p are as likely.
 */
static double
log_likelihood(double first, double second, double sd, double p)
{
	double		length = sqrt(p * p + (1 - p) * (1 - p));
	double		along = (p * second + (1 - p) * first) / length;
	double		across = (p * first - (1 - p) * second) / length;
	double		rows = fmax(along, 0) / length;
	double		seen = (fmax(second, 0) + 0.5) / (fmax(first, 0) + fmax(second, 0) + 1);
	double		chance = rows * fmax(p * (1 - p), seen * (1 - seen)) + pow(dpem_bayes_misfit * rows, 2);
	double		more = 1 + chance / pow(sd * length, 2);	/* than noise alone */

	return -pow(across / sd, 2) / (2 * more) - log(more) / 2 + log(fmax(erfc(-along / (sd * sqrt(2))), 1e-300));
}

static double
of_power(const DpemPairCounts *counts, const double *odds, double power)
{
	double		sum = -pow((log(power) - dpem_bayes_power_columns * log(counts->columns)) / dpem_bayes_power_spread, 2) / 2;
	int			bins = dpem_class_pairs_places(counts->classes) / 2;

	for (int i = 0; i < bins; i++)
	{
		const double *n = counts->count + 2 * (size_t) i;
		double		score = power * dpem_class_pairs_evidence(i % DPEM_PAIRS_BINS) - odds[i / DPEM_PAIRS_BINS];

		sum += log_likelihood(n[0], n[1], counts->sd, 1 / (1 + exp(-score)));
	}
	return sum;
}

double
dpem_bayes_power(const DpemPairCounts *counts)
{
	double		odds[DPEM_PAIRS_LEVELS];
	double		density[POWERS];
	double		most = -INFINITY;
	double		total = 0;
	double		mean = 0;

	find_odds(counts, odds);
	for (int i = 0; i < POWERS; i++)
	{
		density[i] = of_power(counts, odds, exp2(LARGEST - STEP * i));
		most = fmax(most, density[i]);
	}
	for (int i = 0; i < POWERS; i++)
	{
		double		weight = exp(density[i] - most);

		total += weight;
		mean += weight * (LARGEST - STEP * i);
	}
	return exp2(mean / total);
}
