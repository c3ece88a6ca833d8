/*
 * class_objective.h - objective perturbation (Chaudhuri, Monteleoni, Sarwate 2011, JMLR 12, algorithm 2, over a ball
 * as in Kifer, Smith, Thakurta 2012, COLT; of an approximate minimum as in Iyengar, Near, Song, Thakkar, Thakurta,
 * Wang 2019, IEEE S&P): steps to the minimum of
 *
 *     sum l(w'z) + ridge |w|^2 / 2 + b'w,   |w| <= reach,
 *
 * over rows z of the unit ball, on the private side of the wall.  As margins stay within the reach, curvatures lie
 * between `least` and `most`, so that in the metric M of most sum z z' + ridge, made of one pass, each step
 *
 *     w+ = the point of the ball nearest to w - M^-1 gradient in the metric M
 *
 * brings w nearer to the minimum by a public factor, however ill-conditioned the rows are and however many there are
 * (docs/proofs.md, 30).
 */
#ifndef DPEM_CORE_CLASS_OBJECTIVE_H
#define DPEM_CORE_CLASS_OBJECTIVE_H

#include "core/kernels/logit_kernel.h"
#include "core/numeric/workspace.h"

/* a problem in d coordinates: its reach, or the hinge's tilt, are what that many passes come near enough for */
extern DpemObjective dpem_class_objective(const DpemMarginLoss *loss, int d, double ridge, double part, int passes);

/* of its loss, the tilt of dpem_slopes_respond */
extern double dpem_objective_tilt(const DpemMarginLoss *loss, const DpemObjective *o);

typedef struct DpemMinimiser
{
	DpemObjective objective;
	int			d;
	double	   *axis;			/* d x d: row i is an axis of sum z z' */
	double	   *metric;			/* d: the steps' metric along it */
	const double *noise;		/* d: b */
	double	   *at;				/* d */
	double	   *spare;			/* 2 d */
} DpemMinimiser;

/*
 * The metric, from sum z z' of that many rows (second, d x d, overwritten and kept), and `at` zero.  objective, d, noise
 * and at are the caller's.  work: dpem_minimiser_work(d).
 */
extern size_t dpem_minimiser_work(int d);
extern DpemStatus dpem_minimiser_start(DpemMinimiser *m, double rows, double *second, DpemWorkspace work);

/* a step, from sum -l'(w'z) z at m->at */
extern void dpem_minimiser_step(DpemMinimiser *m, const double *sum);

#endif							/* DPEM_CORE_CLASS_OBJECTIVE_H */
