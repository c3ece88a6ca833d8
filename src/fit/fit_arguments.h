/*
 * fit_arguments.h - arguments common to all fits, and checks that several
 * families use.
 */
#ifndef DPEM_FIT_FIT_ARGUMENTS_H
#define DPEM_FIT_FIT_ARGUMENTS_H

#include "postgres.h"

#include "fit/fit.h"
#include "server/named_arguments.h"
#include "server/version_shims.h"

/*
 * Reads and checks those of the following that the function has: dataset, epsilon,
 * delta, columns, filter, by, iterations, composition, minimum, fresh, clip_norm, sampling_rate.
 * A delta that is not given is the one of the caller's share that is for noise; where
 * deltas add up, or for private keys, at most 1e-6 and a hundredth of the share's.
 * Raises 22023 naming the argument, 42704 for a dataset that does not exist.
 */
extern void dpem_fit_arguments(const DpemArguments *arguments, const char *function, DpemFitRequest *request);

/* the same of a call a part of whose delta adds up: one that is not given is at most 1e-6 and a hundredth of the share's */
extern void dpem_fit_added_delta(const DpemArguments *arguments, DpemFitRequest *request);

/* reads the model's name, which only a private fit may have; called after all other arguments */
extern void dpem_fit_model_argument(const DpemArguments *arguments, DpemFitRequest *request);

/* argument `missing`: true for marginal, false for complete and for functions without it; 22023 for others */
extern bool dpem_named_marginal(const DpemArguments *arguments);

/* the same of regressions and classifiers: true for impute, false for complete; NULL: `centered`, whether there are centers to impute */
extern bool dpem_named_imputed(const DpemArguments *arguments, bool centered);

/* a number above 0 between `least` and DPEM_MOST_NUMBER; `otherwise` for NULL */
extern double dpem_named_magnitude(const DpemArguments *arguments, const char *name, double least, double otherwise);

/*
 * Reads features ('linear', 'fourier'), dimension (an even number up to `most`), width and seed; raises 22023, also
 * where rows of Fourier features, of norm 1, are given a clip norm.
 */
extern void dpem_fit_fourier_arguments(const DpemArguments *arguments, const DpemFitRequest *request, int most,
									   DpemFitFourier *fourier);

/*
 * Reads order_column and batches of an algorithm that learns online, from batches of rows in the order of that column,
 * which are the groups of what is bound, `usual` where their number is not given; without noise there are none.
 * Raises 22023, also where groups are wanted besides, or where another algorithm is given either.
 */
extern void dpem_fit_online_arguments(const DpemArguments *arguments, bool online, int usual, DpemFitRequest *request);

/* raises 22023 unless the value is NaN or inside */
extern void dpem_check_range(const char *name, double value, bool inside, const char *range);

/*
 * Limits of numbers in unit-ball coordinates: with these and the columns'
 * bounds (dp_register_column), squares and their inverses do not overflow.
 */
#define DPEM_MOST_NUMBER	1e30
#define DPEM_LEAST_NUMBER	1e-30

/* returns the value; raises 22023 unless it is NaN or between `least` and DPEM_MOST_NUMBER */
extern double dpem_check_magnitude(const char *name, double value, double least);

/* raises 22023 with message `what` */
pg_noreturn extern void dpem_refuse_argument(const char *what, const char *hint);

/*
 * A number of components that may be several, int, int[] or text in the form of either: the largest.
 * Several become r->candidates, ascending and distinct; more than DPEM_SIZES_MAX, or an array
 * without numbers, raise 22023.
 */
extern int	dpem_named_sizes(const DpemArguments *a, const char *name, DpemFitRequest *r);

/* raises 22023 if there is a choice, which argument `name`, of that value, does not go with */
extern void dpem_refuse_choice(const DpemFitRequest *r, bool given, const char *name, const char *hint);

#endif							/* DPEM_FIT_FIT_ARGUMENTS_H */
