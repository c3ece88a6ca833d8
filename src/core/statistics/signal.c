/*
 * signal.c - see signal.h.
 */
#include <math.h>

#include "core/statistics/signal.h"

#define LOG_CHANCE	20			/* -log of 2.1e-9 */
#define DEVIATIONS	6			/* a normal deviate is larger with a probability of 9.9e-10 */
#define LAPLACE_DEVIATIONS	(LOG_CHANCE * M_SQRT1_2)	/* and one of this law, or a mean of such, with half of that */

/* one statistic of all components: the values of noise sd in every record */
typedef struct Statistic
{
	const double *value;
	size_t		record;			/* from a component to the next */
	size_t		length;			/* of it in a component */
	size_t		k;
	double		sd;
} Statistic;

static double
total_of(const Statistic *s)
{
	double		total = 0;

	for (size_t i = 0; i < s->k; i++)
		for (size_t j = 0; j < s->length; j++)
			total += s->value[i * s->record + j];
	return total;
}

/* of m values: union bound over them (normal: Q(t) <= exp(-t^2 / 2) / 2) */
static double
largest_of_noise(DpemNoiseKind noise, double m)
{
	double		log_odds = log(m) + LOG_CHANCE;

	return noise == DPEM_NOISE_LAPLACE ? log_odds * M_SQRT1_2 : sqrt(2 * log_odds);
}

/* a single value, or all their squares together (Laurent, Massart 2000, lemma 1), are more than noise makes */
static bool
stands_out(const Statistic *s, DpemNoiseKind noise)
{
	double		m = (double) s->k * s->length;
	double		largest = 0;
	double		squares = 0;

	if (!(s->sd > 0) || m == 0)
		return false;
	for (size_t i = 0; i < s->k; i++)
		for (size_t j = 0; j < s->length; j++)
		{
			double		z = s->value[i * s->record + j] / s->sd;

			largest = fmax(largest, fabs(z));
			squares += z * z;
		}
	return largest > largest_of_noise(noise, m) ||
		(noise == DPEM_NOISE_GAUSSIAN && squares > m + 2 * sqrt(m * LOG_CHANCE) + 2 * LOG_CHANCE);
}

static void
add_rows(DpemSignal *signal, int line, int parts, double rows, double variance)
{
	if (signal->line != line || signal->parts != parts)
		signal->precision = signal->weighted = 0;
	signal->line = line;
	signal->parts = parts;
	signal->precision += 1 / variance;
	signal->weighted += rows / variance;
}

void
dpem_signal_add(DpemSignal *signal, int line, DpemNoiseKind noise, bool shared, const DpemNoisyMoments *m)
{
	const DpemMomentLayout *layout = &m->layout;
	size_t		record = dpem_moments_record(layout);
	size_t		d = layout->second == DPEM_COUNTS_ALONE ? 0 : (size_t) layout->d;
	Statistic	count = {m->value, record, 1, (size_t) layout->k, m->count_sd};
	Statistic	sum = {m->value + 1, record, d, (size_t) layout->k, m->sum_sd};
	Statistic	second = {m->value + 1 + d, record, record - 1 - d, (size_t) layout->k, m->second_sd};
	double		rows = total_of(&count);
	double		sd = m->count_sd * sqrt(layout->k);

	signal->seen |= stands_out(&count, noise) || stands_out(&sum, noise) || stands_out(&second, noise) ||
		(sd > 0 && rows > (noise == DPEM_NOISE_LAPLACE ? LAPLACE_DEVIATIONS : DEVIATIONS) * sd);
	if (sd > 0 && shared && layout->second != DPEM_COUNTS_ALONE)
		add_rows(signal, line, layout->k, rows, sd * sd);
}

void
dpem_signal_add_rows(DpemSignal *signal, double rows, double sd)
{
	if (!(sd > 0))
		return;
	signal->rows_precision += 1 / (sd * sd);
	signal->rows_weighted += rows / (sd * sd);
}

void
dpem_signal_add_counts(DpemSignal *signal, const DpemNoisyMoments *m)
{
	Statistic	count = {m->value, dpem_moments_record(&m->layout), 1, (size_t) m->layout.k, m->count_sd};

	dpem_signal_add_rows(signal, total_of(&count), m->count_sd * sqrt(m->layout.k));
}

double
dpem_signal_counted(const DpemSignal *signal, double *sd)
{
	bool		released = signal->rows_precision > 0;

	*sd = released ? 1 / sqrt(signal->rows_precision) : NAN;
	return released ? fmax(signal->rows_weighted / signal->rows_precision, 0) : NAN;
}

double
dpem_signal_drowned(const DpemSignal *signal)
{
	double		mean;
	double		sd;

	if (signal->parts < 2)
		return 0;
	mean = signal->weighted / signal->precision / signal->parts;
	sd = 1 / sqrt(signal->precision * signal->parts);
	return mean < sd ? sd : 0;
}
