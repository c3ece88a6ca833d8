/*
 * online_rules.h - constants of learning online, and the bench that chose each.
 */
#ifndef DPEM_CORE_ONLINE_RULES_H
#define DPEM_CORE_ONLINE_RULES_H

/* batches, unless the caller says how many */
extern const int dpem_online_batches;

/* how many more batches like the largest there might be */
extern const double dpem_online_spare;

/* after how many batches at first parameters are left out of the model's average of them */
extern int	dpem_online_left_out(int batches);

/* reach of the coefficients of scores whose margins are about 1, for rows clipped to that radius */
extern double dpem_online_reach(double radius);

/* of those of a regression, for predictors and target in half domains; its residuals are clipped at that part of the target's */
extern double dpem_online_slope_reach(double radius);
extern const double dpem_online_residual;

#endif							/* DPEM_CORE_ONLINE_RULES_H */
