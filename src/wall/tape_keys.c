/*
 * tape_keys.c - record and replay of a selection of private keys.
 *
 * Of the keys that both neighbours have, numbers of units are compared like any
 * numbers with noise.  A key that one of them alone has tells them apart when it
 * is released: the probability of that follows from the noise and the threshold
 * that were about to be used, and no run need be waited for that shows it.
 */
#include "postgres.h"

#include <math.h>

#include "core/accounting/keys.h"
#include "wall/tape_inside.h"

void
dpem_tape_note_key(DpemFoundKeys *found, const char *key, int64 units)
{
	if (found->n == found->room)
	{
		MemoryContext old = MemoryContextSwitchTo(found->context);

		found->room = Max(2 * found->room, 64);
		found->key = found->key ? repalloc(found->key, found->room * sizeof(DpemFoundKey))
			: palloc(found->room * sizeof(DpemFoundKey));
		MemoryContextSwitchTo(old);
	}
	found->key[found->n++] = (DpemFoundKey) {MemoryContextStrdup(found->context, key), units};
}

static int
compare_found(const void *a, const void *b)
{
	return strcmp(((const DpemFoundKey *) a)->key, ((const DpemFoundKey *) b)->key);
}

static DpemFoundKeys *
keep_found(MemoryContext context, const DpemFoundKeys *found)
{
	DpemFoundKeys *kept = MemoryContextAllocZero(context, sizeof(DpemFoundKeys));

	kept->context = context;
	for (int i = 0; i < found->n; i++)
		dpem_tape_note_key(kept, found->key[i].key, found->key[i].units);
	return kept;
}

/* of the release of a key that only one of two neighbours has */
static double
release_probability(const DpemKeyNoise *noise, int64 units)
{
	int64		above = noise->threshold - (units << noise->bits);

	return above >= 1 ? dpem_keys_failure(noise->kind, noise->scale, above, 1) : 1;
}

static void
compare_found_keys(DpemTape *tape, const DpemFoundKeys *a, const DpemFoundKeys *b,
				   const DpemKeyNoise *noise, const DpemDeclared *declared)
{
	double		unit = ldexp(1, noise->bits) / (double) noise->scale;
	double		failure[2] = {0, 0};
	double		sum = 0;
	int			i = 0;
	int			j = 0;

	while (i < a->n || j < b->n)
	{
		int			order = i == a->n ? 1 : j == b->n ? -1 : strcmp(a->key[i].key, b->key[j].key);

		if (order < 0)
			failure[0] += release_probability(noise, a->key[i++].units);
		else if (order > 0)
			failure[1] += release_probability(noise, b->key[j++].units);
		else
		{
			double		x = unit * fabs((double) (a->key[i++].units - b->key[j++].units));

			sum += noise->kind == DPEM_NOISE_LAPLACE ? x : x * x;
		}
	}
	dpem_tape_note(tape, declared, noise->kind, sum);
	tape->replay.failure += Max(failure[0], failure[1]);
}

void
dpem_tape_compare_keys(DpemFoundKeys *found, const DpemKeyNoise *noise, const DpemDeclared *declared)
{
	DpemTape   *tape = dpem_tape_running();
	TapedRelease *taped = dpem_tape_next(tape, NULL, 0);

	qsort(found->key, found->n, sizeof(DpemFoundKey), compare_found);
	if (tape->recording)
	{
		taped->found = keep_found(tape->context, found);
		dpem_tape_expect(tape, taped, found->n);
		for (int i = 0; i < found->n; i++)
			dpem_tape_expect_noise(taped, i, noise->kind, noise->scale);
	}
	else if (taped != NULL && taped->found == NULL)
		tape->replay.same_shape = false;
	else if (taped != NULL)
		compare_found_keys(tape, taped->found, found, noise, declared);
}

/* a copy in the present context of the tape's */
static DpemReleasedKeys
copy_released(const DpemReleasedKeys *keys)
{
	DpemReleasedKeys copy = *keys;

	copy.key = palloc(Max(keys->n, 1) * sizeof(char *));
	copy.units = palloc(Max(keys->n, 1) * sizeof(double));
	for (int i = 0; i < keys->n; i++)
	{
		copy.key[i] = pstrdup(keys->key[i]);
		copy.units[i] = keys->units[i];
	}
	return copy;
}

void
dpem_tape_exchange_keys(DpemReleasedKeys *passed)
{
	DpemTape   *tape = dpem_tape_running();
	TapedRelease *taped;
	MemoryContext old;

	if (tape->recording)
	{
		taped = llast(tape->releases);
		old = MemoryContextSwitchTo(tape->context);
		taped->passed = copy_released(passed);
		MemoryContextSwitchTo(old);
	}
	else if (tape->replay.same_shape)
	{
		taped = list_nth(tape->releases, tape->replay.releases - 1);
		*passed = copy_released(&taped->passed);
	}
}
