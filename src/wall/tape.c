/*
 * tape.c - see tape.h.
 *
 * With noise of standard deviation s_i on number i, a change x has the
 * Gaussian trade-off of mu = sqrt(sum (x_i / s_i)^2); with Laplace noise of
 * scale t_i it is pure (sum |x_i| / t_i)-DP; a choice at scale t has a range of
 * (max x - min x) / t.  Each is paid for if it is at most 1 / noise multiplier.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "utils/memutils.h"

#include "core/accounting/accountant.h"
#include "core/accounting/choice.h"
#include "scan/raw_moments.h"
#include "wall/tape_inside.h"

static DpemTape *running = NULL;

DpemTape *
dpem_tape_running(void)
{
	if (running == NULL)
		elog(ERROR, "dpem: made-up rows outside dp_selftest");
	return running;
}

TapedRelease *
dpem_tape_next(DpemTape *tape, const DpemInt128 *raw, size_t length)
{
	TapedRelease *release = NULL;
	MemoryContext old;

	if (!tape->recording)
	{
		if (tape->replay.releases < list_length(tape->releases))
			release = list_nth(tape->releases, tape->replay.releases);
		tape->replay.releases++;
		if (release == NULL || release->length != length)
			tape->replay.same_shape = false;
		return tape->replay.same_shape ? release : NULL;
	}
	old = MemoryContextSwitchTo(tape->context);
	release = palloc0(sizeof(TapedRelease));
	release->length = length;
	release->raw = palloc(length * sizeof(DpemInt128));
	if (length > 0)
		memcpy(release->raw, raw, length * sizeof(DpemInt128));
	tape->releases = lappend(tape->releases, release);
	MemoryContextSwitchTo(old);
	return release;
}

/* `spent`: what was measured, in units of what 1 / noise multiplier pays for */
static void
note_measured(DpemTape *tape, const DpemDeclared *declared, double spent)
{
	DpemMeasured *m = tape->measured;
	double		measured = spent * declared->noise_multiplier * declared->sensitivity;

	while (m < tape->measured + tape->nmeasured && strcmp(m->statistic, declared->statistic) != 0)
		m++;
	if (m == tape->measured + tape->nmeasured)
	{
		if (tape->nmeasured == DPEM_TAPE_STATISTICS)
			elog(ERROR, "dpem: a tape of too many statistics");
		tape->nmeasured++;
		strlcpy(m->statistic, declared->statistic, DPEM_CHARGE_NAME);
		m->declared = declared->sensitivity;
		m->measured = 0;
	}
	if (measured * m->declared >= m->measured * declared->sensitivity)
	{
		m->declared = declared->sensitivity;
		m->measured = measured;
	}
	tape->replay.worst = Max(tape->replay.worst, measured / declared->sensitivity);
}

void
dpem_tape_note(DpemTape *tape, const DpemDeclared *declared, DpemNoiseKind kind, double sum)
{
	double		mu = kind == DPEM_NOISE_LAPLACE ? sum : sqrt(sum);

	note_measured(tape, declared, mu);
	if (kind == DPEM_NOISE_LAPLACE && dpem_gdp_from_pure(sum, &mu) != DPEM_OK)
		mu = INFINITY;
	tape->replay.mu2 += mu * mu;
}

/* |difference| of two 128-bit numbers, as a double */
static double
distance(DpemInt128 a, DpemInt128 b)
{
	return fabs((double) (a - b));
}

/* numbers first .. last - 1 of component c's record, of one kind of noise */
static double
weighted_change(const DpemRawMoments *raw, const TapedRelease *taped, const DpemEntryNoise *entry,
				int c, size_t first, size_t last)
{
	size_t		offset = (size_t) c * dpem_moments_record(&raw->layout);
	double		sum = 0;

	for (size_t i = first; i < last; i++)
	{
		double		x;

		if (entry[i].scale == 0)
			continue;
		x = distance(raw->total[offset + i], taped->raw[offset + i]) / (double) entry[i].scale;
		sum += entry[i].kind == DPEM_NOISE_LAPLACE ? x : x * x;
	}
	return sum;
}

static void
compare_stacked(DpemTape *tape, const DpemRawMoments *raw, const TapedRelease *taped,
				const DpemEntryNoise *entry, const DpemDeclared *declared)
{
	double		sum = 0;

	for (int c = 0; c < raw->layout.k; c++)
		sum += weighted_change(raw, taped, entry, c, 0, dpem_moments_record(&raw->layout));
	dpem_tape_note(tape, declared, entry[0].kind, sum);
}

static void
compare_separate(DpemTape *tape, const DpemRawMoments *raw, const TapedRelease *taped,
				 const DpemEntryNoise *entry, const DpemDeclared *declared)
{
	const size_t end[] = {1, 1 + raw->layout.d, dpem_moments_record(&raw->layout)};
	double		counts = 0;

	for (int c = 0; c < raw->layout.k; c++)
	{
		counts += weighted_change(raw, taped, entry, c, 0, end[0]);
		for (int s = DPEM_PAPER_MEANS; s < DPEM_PAPER_STATISTICS; s++)
			if (end[s] > end[s - 1])
				dpem_tape_note(tape, &declared[s], entry[end[s - 1]].kind,
							 weighted_change(raw, taped, entry, c, end[s - 1], end[s]));
	}
	dpem_tape_note(tape, &declared[DPEM_PAPER_WEIGHTS], entry[0].kind, counts);
}

void
dpem_tape_compare(const DpemRawMoments *raw, const DpemEntryNoise *entry,
				  const DpemDeclared *declared, int ndeclared)
{
	DpemTape   *tape = dpem_tape_running();
	TapedRelease *taped = dpem_tape_next(tape, raw->total, raw->length);
	size_t		record = dpem_moments_record(&raw->layout);

	if (taped == NULL)
		return;
	if (tape->recording)
	{
		dpem_tape_expect(tape, taped, raw->length);
		for (size_t i = 0; i < raw->length; i++)
			dpem_tape_expect_noise(taped, i, entry[i % record].kind, entry[i % record].scale);
	}
	else if (ndeclared == 1)
		compare_stacked(tape, raw, taped, entry, declared);
	else
		compare_separate(tape, raw, taped, entry, declared);
}

/* the recorded numbers in the place of this run's, or these onto the tape */
void
dpem_tape_exchange(DpemNoisyMoments *noisy)
{
	DpemTape   *tape = dpem_tape_running();
	TapedRelease *taped;
	double	   *value = noisy->value;

	if (tape->recording)
	{
		taped = llast(tape->releases);
		taped->released = *noisy;
		taped->released.value = MemoryContextAlloc(tape->context, taped->length * sizeof(double));
		memcpy(taped->released.value, value, taped->length * sizeof(double));
	}
	else if (tape->replay.same_shape)
	{
		taped = list_nth(tape->releases, tape->replay.releases - 1);
		memcpy(value, taped->released.value, taped->length * sizeof(double));
	}
}

void
dpem_tape_keep(double *number, size_t n)
{
	DpemTape   *tape = dpem_tape_running();

	if (tape->recording)
	{
		MemoryContext old = MemoryContextSwitchTo(tape->context);
		double	   *copy = palloc(n * sizeof(double));

		memcpy(copy, number, n * sizeof(double));
		tape->kept = lappend(tape->kept, copy);
		MemoryContextSwitchTo(old);
	}
	else if (tape->taken < list_length(tape->kept))
		memcpy(number, list_nth(tape->kept, tape->taken++), n * sizeof(double));
}

size_t
dpem_tape_choose(const DpemInt128 *score, size_t n, DpemUint128 scale,
				 const DpemDeclared *declared, size_t chosen)
{
	DpemTape   *tape = dpem_tape_running();
	TapedRelease *taped = dpem_tape_next(tape, score, n);
	double		most = -INFINITY;
	double		least = INFINITY;

	if (taped == NULL)
		return chosen;
	if (tape->recording)
		return taped->chosen = chosen;
	for (size_t i = 0; i < n; i++)
	{
		most = Max(most, (double) (score[i] - taped->raw[i]));
		least = Min(least, (double) (score[i] - taped->raw[i]));
	}
	note_measured(tape, declared, (most - least) / (double) scale);
	if (most > least)
		tape->replay.mu2 += dpem_choice_mu2((most - least) / (double) scale);
	return taped->chosen;
}

/* ---- for dp_selftest ---- */

DpemTape *
dpem_tape_create(void)
{
	DpemTape   *tape = palloc0(sizeof(DpemTape));

	tape->context = CurrentMemoryContext;
	return tape;
}

void
dpem_tape_record(DpemTape *tape)
{
	tape->recording = true;
	running = tape;
}

void
dpem_tape_replay(DpemTape *tape)
{
	tape->recording = false;
	tape->replay = (DpemReplay) {.same_shape = true};
	tape->taken = 0;
	running = tape;
}

void
dpem_tape_stop(void)
{
	if (running != NULL && !running->recording &&
		running->replay.releases != list_length(running->releases))
		running->replay.same_shape = false;
	running = NULL;
}

const DpemReplay *
dpem_tape_replayed(const DpemTape *tape)
{
	return &tape->replay;
}

int
dpem_tape_measured(const DpemTape *tape, const DpemMeasured **measured)
{
	*measured = tape->measured;
	return tape->nmeasured;
}

int
dpem_tape_releases(const DpemTape *tape)
{
	return list_length(tape->releases);
}

/* ---- numbers that vary ---- */

/*
 * Numbers are compared as doubles, of 53 bits: sums over up to 2^11 rows with noise of at least 2^-10 rows are the same
 * with no greater probability, however fine the noise is as an integer.
 */
#define LEAST_LIKELIEST 0x1p-30

void
dpem_tape_expect(DpemTape *tape, TapedRelease *release, size_t n)
{
	release->likeliest = MemoryContextAllocZero(tape->context, n * sizeof(double));
	release->luck = MemoryContextAlloc(tape->context, n * sizeof(double));
	for (size_t i = 0; i < n; i++)
		release->luck[i] = 1;
}

void
dpem_tape_expect_noise(TapedRelease *release, size_t i, DpemNoiseKind kind, DpemUint128 scale)
{
	release->likeliest[i] = scale > 0 ? Max(dpem_noise_likeliest(kind, scale), LEAST_LIKELIEST) : 0;
}

/* keys that pass are numbers, too */
static size_t
count_numbers(const TapedRelease *release)
{
	return release->likeliest == NULL ? 0 : release->found != NULL ? (size_t) release->passed.n : release->length;
}

static double
number(const TapedRelease *release, size_t i)
{
	return release->found != NULL ? release->passed.units[i] : release->released.value[i];
}

/* which number of y is the same statistic as the i-th of x: of the same key, or in the same place; all that there are: none */
static size_t
counterpart(const TapedRelease *x, size_t i, const TapedRelease *y)
{
	size_t		n = count_numbers(y);
	size_t		j = 0;

	if ((x->found == NULL) != (y->found == NULL))
		return n;
	if (x->found == NULL)
		return i < n && y->likeliest[i] > 0 ? i : n;
	while (j < n && strcmp(x->passed.key[i], y->passed.key[j]) != 0)
		j++;
	return j;
}

static void
meet(TapedRelease *x, const TapedRelease *y)
{
	for (size_t i = 0; i < count_numbers(x); i++)
	{
		size_t		j = counterpart(x, i, y);

		if (x->likeliest[i] == 0 || x->luck[i] == 0 || j == count_numbers(y))
			continue;
		x->luck[i] = number(x, i) == number(y, j) ? Max(x->luck[i] * x->likeliest[i], DBL_MIN) : 0;
	}
}

void
dpem_tape_meet(DpemTape *tape, const DpemTape *other)
{
	ListCell   *a;
	ListCell   *b;

	forboth(a, tape->releases, b, other->releases)
		meet(lfirst(a), lfirst(b));
}

DpemVariety
dpem_tape_variety(const DpemTape *tape)
{
	DpemVariety variety = {0, 0, 0};
	ListCell   *cell;

	foreach(cell, tape->releases)
	{
		const TapedRelease *release = lfirst(cell);

		for (size_t i = 0; i < count_numbers(release); i++)
		{
			if (release->luck[i] == 1)
				continue;
			variety.numbers++;
			variety.varied += release->luck[i] == 0;
			variety.luck = Max(variety.luck, release->luck[i]);
		}
	}
	return variety;
}
