/*
 * synth_plan.h - which tables may be measured, how badly a model explains them,
 * and how a budget is divided: AIM (McKenna, Mullins, Sheldon, Miklau 2022, VLDB)
 * with rounds decided beforehand.
 *
 * One fit: all one-way tables are released; groups are made of them
 * (dpem_synth_levels); then `rounds` times `each` tables are chosen by the
 * exponential mechanism among candidates and released.  Everything here but the
 * counts that dpem_synth_score reads is public.
 */
#ifndef DPEM_CORE_SYNTH_PLAN_H
#define DPEM_CORE_SYNTH_PLAN_H

#include "core/numeric/int128.h"
#include "core/synth/synth_domain.h"

/* ---- workload and candidates ---- */

/* a table that is wanted, and how much relative to others */
typedef struct DpemSynthWanted
{
	DpemSynthSet set;
	int			weight;			/* 1 .. 1000 */
} DpemSynthWanted;

/* the default: all pairs, and all triples with `label` if that is a column (-1: none); returns their number */
extern int	dpem_synth_workload_size(int columns, int label);
extern int	dpem_synth_workload(int columns, int label, DpemSynthWanted *wanted);

/*
 * Sets of two columns and more in the workload's downward closure, each once, in
 * increasing order of columns and then of masks; returns their number, or -1 if
 * there are more than `most`.  Single columns are released anyway.
 */
extern int	dpem_synth_closure(const DpemSynthWanted *wanted, int n, int most, DpemSynthSet *sets);

/* w_r = sum over the workload of weight_s |r and s|  (AIM, section 4.2) */
extern int64_t dpem_synth_weight(const DpemSynthWanted *wanted, int n, DpemSynthSet set);

/* ---- scores: the only function that reads counts ---- */

/* fraction bits of a score */
#define DPEM_SYNTH_SCORE_BITS 16

/*
 * weight (sum over cells |counts - expected| - bias), bias the expected sum of
 * absolute noise, sqrt(2 / pi) sd cells (AIM, algorithm 2, line 4), as an exact
 * integer in units of 2^-DPEM_SYNTH_SCORE_BITS: `expected` and bias are rounded to
 * these units first, so one more row changes the score by at most
 * dpem_synth_score_step(weight), up or down.  So under add_remove a row moves the
 * greatest less the least difference by at most twice that, under replace_one by
 * at most four times.  counts and expected in rows; |expected| < 2^40, weight < 2^24.
 */
extern DpemInt128 dpem_synth_score(size_t cells, const int64_t *counts, const double *expected, double sd,
								   int64_t weight);
extern DpemUint128 dpem_synth_score_step(int64_t weight);

/* ---- schedule ---- */

/*
 * Noise multipliers relative to each other, for dpem_cost_calibrate: it multiplies
 * them all by one number.  The one-way tables are one Gaussian release of L2
 * sensitivity sqrt(columns) (under add_remove, one row per unit) and standard
 * deviation one_way sqrt(columns) / weight (dpem_synth_column_weights) in every cell; each of rounds * each choices is
 * the exponential mechanism with noise multiplier `choice`, each measurement
 * Gaussian with `measure`, of sensitivity 1.  At once: one Gaussian release with
 * `measure` of all candidates, of sensitivity sqrt(their number), in their categories.
 */
typedef struct DpemSynthSchedule
{
	bool		at_once;		/* nothing is chosen: all candidates are one release */
	int			rounds;			/* >= 1; at once: tables that the model takes in, as far as it has room */
	int			each;			/* tables chosen and measured per round */
	double		one_way;
	double		choice;
	double		measure;
	int			iterations;		/* of dpem_synth_fit after a round */
	int			last_iterations;	/* ... and after the last */
	double		cells;			/* most cells of the junction tree after the last round: memory */
} DpemSynthSchedule;

/*
 * From public facts: the columns, the n candidates, rows as far as known beforehand (0: not known)
 * and mu of the whole budget (dpem_gdp_mu).  rounds: 0, or as asked for: then tables are chosen.
 * DPEM_BAD_ARGUMENT.
 */
extern DpemStatus dpem_synth_schedule(const DpemSynthDomain *domain, const DpemSynthSet *sets, int n, double rows, double mu,
									  int rounds, DpemSynthSchedule *schedule);

/*
 * What is left in a released table of the model's misfit beyond what its noise makes of it (dpem_synth_score, without a weight):
 * of n cells in rows, with noise of these variances.  For tables released at once, of which the model takes in the worst explained.
 */
extern double dpem_synth_misfit(size_t n, const double *released, const double *variance, const double *expected);

/*
 * How much of the one-way tables' release each column has: weights, whose squares add up to the number of columns, by which
 * the noise in its cells is divided.  Columns of more categories have more.
 */
extern void dpem_synth_column_weights(const DpemSynthDomain *domain, double *weight);

/* cells that the junction tree may have in round r, 0 .. rounds - 1: they grow as the budget is spent (AIM, section 4.1) */
extern double dpem_synth_limit(const DpemSynthSchedule *schedule, int r);

#endif							/* DPEM_CORE_SYNTH_PLAN_H */
