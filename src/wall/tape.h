/*
 * tape.h - record and replay of the releases of a rehearsal.
 *
 * One run of a fit on artificial rows is recorded: the raw moments of each
 * release, and what was released.  It is played back to runs on neighbouring
 * rows: each release returns what the recorded run released, so both runs have
 * the same randomness, and the change of the raw moments is measured in units
 * of the noise that was about to be added.  (Record and replay: Zhang, Roth,
 * Haeberlen, Pierce, Roth 2019, "Fuzzi"; Wang, Ding, Wang, Kifer 2020,
 * "CheckDP".)
 *
 * The wall calls the first nine functions, for moments marked as rehearsed
 * (ledger/rehearsal.h) only; they raise if no tape is running.
 */
#ifndef DPEM_WALL_TAPE_H
#define DPEM_WALL_TAPE_H

#include "core/accounting/paper_mechanism.h"
#include "core/pass/noisy_moments.h"
#include "ledger/charge.h"
#include "scan/moments.h"
#include "wall/release_keys.h"

/* noise on one number of every component's record */
typedef struct DpemEntryNoise
{
	DpemUint128 scale;			/* 0: not released */
	DpemNoiseKind kind;
	int			bits;
} DpemEntryNoise;

/* what was declared and paid for a release: noise of this multiplier for changes up to `sensitivity` */
typedef struct DpemDeclared
{
	const char *statistic;
	double		sensitivity;
	double		noise_multiplier;
} DpemDeclared;

/* ndeclared 1: one release of everything; 3: counts, and each component's sums and second moments */
extern void dpem_tape_compare(const DpemRawMoments *raw, const DpemEntryNoise *entry,
							  const DpemDeclared *declared, int ndeclared);
extern void dpem_tape_exchange(DpemNoisyMoments *noisy);
extern size_t dpem_tape_choose(const DpemInt128 *score, size_t n, DpemUint128 scale,
							   const DpemDeclared *declared, size_t chosen);

/* cells of tables, or counts, with noise of these scales, as one release */
extern void dpem_tape_compare_cells(const DpemInt128 *count, const DpemUint128 *scale, size_t n,
									DpemNoiseKind kind, const DpemDeclared *declared);

/* the number compared last is a distance to be tested: of two zeros, nothing but this probability keeps what follows a pass apart */
extern void dpem_tape_note_test(int64 distance, double failure);

/* numbers between two releases that a run played back has from the recorded one: onto the tape, or from it */
extern void dpem_tape_keep(double *number, size_t n);

/* keys of artificial rows and their numbers of units, as a scan finds them */
typedef struct DpemFoundKey
{
	char	   *key;
	int64		units;
} DpemFoundKey;

typedef struct DpemFoundKeys
{
	MemoryContext context;		/* of everything in it */
	int			n;
	int			room;
	DpemFoundKey *key;
} DpemFoundKeys;

/* noise and threshold about to be applied to each of them, in multiples of 2^-bits of a unit */
typedef struct DpemKeyNoise
{
	DpemNoiseKind kind;
	DpemUint128 scale;
	int64		threshold;
	int			bits;
} DpemKeyNoise;

extern void dpem_tape_note_key(DpemFoundKeys *found, const char *key, int64 units);
extern void dpem_tape_compare_keys(DpemFoundKeys *found, const DpemKeyNoise *noise, const DpemDeclared *declared);
extern void dpem_tape_exchange_keys(DpemReleasedKeys *passed);

typedef struct DpemTape DpemTape;

#define DPEM_TAPE_STATISTICS DPEM_CHARGE_MAX_LINES

/* largest change between neighbours, over all runs played back so far */
typedef struct DpemMeasured
{
	char		statistic[DPEM_CHARGE_NAME];
	double		declared;		/* sensitivity */
	double		measured;		/* change, in the same units */
} DpemMeasured;

/* result of a run that was played back */
typedef struct DpemReplay
{
	int			releases;
	bool		same_shape;		/* as many releases as recorded, of the same shapes */
	double		mu2;			/* sum over releases of the squared measured mu */
	double		worst;			/* greatest measured over declared */
	double		failure;		/* probability that keys which only one of the two tables has are released, or that a test fails */
} DpemReplay;

/* an empty tape in the current memory context */
extern DpemTape *dpem_tape_create(void);

extern void dpem_tape_record(DpemTape *tape);
extern void dpem_tape_replay(DpemTape *tape);
extern void dpem_tape_stop(void);

/* of the run played back last */
extern const DpemReplay *dpem_tape_replayed(const DpemTape *tape);

extern int	dpem_tape_measured(const DpemTape *tape, const DpemMeasured **measured);

/* number of releases recorded */
extern int	dpem_tape_releases(const DpemTape *tape);

/*
 * Whether numbers that got noise vary from one recording of a fit to others of the same rows, each of which it has met.
 * One that was the same in all k of them, though it has noise, was so with a probability of at most the k-th power
 * of that of its likeliest noise (dpem_noise_likeliest), whatever was released before it.
 */
typedef struct DpemVariety
{
	int			numbers;		/* that got noise, here and in a recording that was met */
	int			varied;			/* those of them that differed in some recording */
	double		luck;			/* greatest such probability of those that did not; 0: there are none */
} DpemVariety;

extern void dpem_tape_meet(DpemTape *tape, const DpemTape *other);
extern DpemVariety dpem_tape_variety(const DpemTape *tape);

#endif							/* DPEM_WALL_TAPE_H */
