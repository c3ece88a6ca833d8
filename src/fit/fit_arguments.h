/*
 * fit_arguments.h - the arguments that all fits share, and readers of kinds of
 * arguments that several families have.
 */
#ifndef DPEM_FIT_FIT_ARGUMENTS_H
#define DPEM_FIT_FIT_ARGUMENTS_H

#include "postgres.h"

#include "fmgr.h"

#include "fit/fit.h"
#include "server/version_shims.h"

/* positions in the function's argument list; below 1, but for the dataset: the function has no such argument */
typedef struct DpemFitPositions
{
	int			dataset;
	int			epsilon;
	int			delta;
	int			columns;
	int			iterations;
	int			composition;
	int			clip_norm;
	int			model;
	int			sampling_rate;
	int			filter;
	int			by;
} DpemFitPositions;

/*
 * Reads and checks them; raises 22023 naming the argument.  The model's name,
 * which only a private fit may have, is read by dpem_fit_model_argument.
 */
extern void dpem_fit_arguments(FunctionCallInfo fcinfo, const DpemFitPositions *at,
							   const char *function, DpemFitRequest *request);
extern void dpem_fit_model_argument(FunctionCallInfo fcinfo, const DpemFitPositions *at,
									DpemFitRequest *request);

/* true for the first, false for the second of two names */
extern bool dpem_choice_argument(FunctionCallInfo fcinfo, int i, const char *name, const char *yes,
								 const char *no);

/* NaN for NULL */
extern double dpem_optional_number(FunctionCallInfo fcinfo, int i);

/* raises 22023 unless the value is NaN or inside */
extern void dpem_check_range(const char *name, double value, bool inside, const char *range);

/*
 * Numbers in unit-ball coordinates: with these and the columns' bounds
 * (dp_register_column) squares and their inverses stay in the range of double.
 */
#define DPEM_MOST_NUMBER	1e30
#define DPEM_LEAST_NUMBER	1e-30

/* the value; raises 22023 unless it is NaN or between `least` and DPEM_MOST_NUMBER */
extern double dpem_check_magnitude(const char *name, double value, double least);

/* raises 22023: what is said, and what to do */
pg_noreturn extern void dpem_refuse_argument(const char *what, const char *hint);

#endif							/* DPEM_FIT_FIT_ARGUMENTS_H */
