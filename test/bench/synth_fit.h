/*
 * synth_fit.h - a fit of bench_synth.c: noise levels of its budget, and a model of its columns' counts.
 */
#ifndef DPEM_SYNTH_FIT_H
#define DPEM_SYNTH_FIT_H

#include <math.h>
#include <time.h>

#include "core/accounting/fit_cost.h"
#include "core/synth/synth_use.h"
#include "synth_data.h"

#define DELTA		1e-9

static inline double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static inline double
parameter(const char *name, double otherwise)
{
	const char *text = getenv(name);

	return text != NULL ? atof(text) : otherwise;
}

typedef struct Fit
{
	const Data *data;
	DpemPublicRandom random;
	DpemSynthSchedule plan;
	double		one_way_sd[DPEM_SYNTH_COLUMNS];
	double		choice_epsilon;
	double		measure_sd;
	DpemSynthDomain domain;
	DpemSynthLevels levels;
	DpemSynthModel model;
	double	  **expected;		/* of each candidate set, at level 1 */
	double	  **released;		/* of all candidate sets at once, at level 0; NULL: tables are chosen */
	double		fit_seconds;
	double		table_seconds;
} Fit;

static inline DpemStatus
calibrate(Fit *fit, double epsilon)
{
	const DpemSynthSchedule *s = &fit->plan;
	double		many = (double) s->rounds * s->each;
	DpemCostLine lines[3] = {dpem_cost_line(DPEM_COST_GAUSSIAN, s->one_way, 1),
		dpem_cost_line(DPEM_COST_CHOICE, s->choice, many),
	dpem_cost_line(DPEM_COST_GAUSSIAN, s->measure, many)};
	bool		all = s->at_once;
	DpemCostLine at_once[2] = {dpem_cost_line(DPEM_COST_GAUSSIAN, s->one_way, 1), dpem_cost_line(DPEM_COST_GAUSSIAN, s->measure, 1)};
	DpemStatus	status = all ? dpem_cost_calibrate(at_once, 2, 0, DPEM_COMPOSE_EXACT, epsilon, DELTA, 0) : dpem_cost_calibrate(lines, 3, 0, DPEM_COMPOSE_EXACT, epsilon, DELTA, 0);

	if (all)
	{
		lines[0] = at_once[0];
		lines[2] = at_once[1];
		lines[2].noise_multiplier *= sqrt(fit->data->n);
	}
	dpem_synth_column_weights(&fit->domain, fit->one_way_sd);
	for (int j = 0; j < fit->data->columns; j++)
		fit->one_way_sd[j] = lines[0].noise_multiplier * sqrt(fit->data->columns) / fit->one_way_sd[j];
	fit->choice_epsilon = 1 / lines[1].noise_multiplier;
	fit->measure_sd = lines[2].noise_multiplier;
	return status;
}

static inline void
take_one_ways(Fit *fit)
{
	const Data *data = fit->data;
	double	   *noisy = room((size_t) DPEM_SYNTH_COLUMNS * DPEM_SYNTH_SIZE, sizeof *noisy);
	size_t		work = dpem_synth_levels_work(&fit->domain);
	double	   *memory = room(work, sizeof *memory);
	int			at = 0;
	DpemSynthShape shape = {data->columns, 1000, 2e6, 2 * fit->plan.cells};
	size_t		model_work = dpem_synth_model_work(&shape);
	double	   *model_memory = room(model_work, sizeof *model_memory);

	for (int j = 0; j < data->columns; at += data->size[j], j++)
	{
		int64_t    *count = count_set(data, dpem_synth_column(j));

		for (int c = 0; c < data->size[j]; c++)
			noisy[at + c] = (double) count[c] + fit->one_way_sd[j] * dpem_public_normal(&fit->random);
		free(count);
	}
	dpem_synth_levels(&fit->domain, noisy, fit->one_way_sd, fit->measure_sd, &fit->levels,
					  (DpemWorkspace) {memory, memory + work});
	dpem_synth_model_init(&shape, &fit->levels, &fit->model, (DpemWorkspace) {model_memory, model_memory + model_work});
	at = 0;
	for (int j = 0; j < data->columns; at += data->size[j], j++)
		dpem_synth_add(&fit->model, (DpemSynthTable) {dpem_synth_column(j), 0}, noisy + at, fit->one_way_sd[j], NULL);
	free(noisy);
}

#endif							/* DPEM_SYNTH_FIT_H */
