/*
 * release_keys.h - the wall's door for keys that are not public.
 *
 * The wall itself sends for the rows: nothing else sees a key before its number
 * of units has noise and has reached the threshold (core/accounting/keys.h).
 */
#ifndef DPEM_WALL_RELEASE_KEYS_H
#define DPEM_WALL_RELEASE_KEYS_H

#include "core/accounting/paper_mechanism.h"
#include "ledger/charge.h"
#include "scan/query/source.h"

typedef struct DpemKeySpec
{
	DpemNoiseKind noise;		/* Gaussian or Laplace */
	bool		replace_one;
	int			rows_per_unit;
} DpemKeySpec;

/* what a release of keys does, in units */
typedef struct DpemKeyLaw
{
	double		sensitivity;	/* of the keys that neighbours share: L2, or L1 */
	double		sd;				/* of the noise */
	double		threshold;
} DpemKeyLaw;

/*
 * Noise and threshold of a noise multiplier and a failure.  Raises 22023 where
 * there are none, before anything is paid for.
 */
extern DpemKeyLaw dpem_release_keys_law(const DpemKeySpec *spec, double noise_multiplier, double failure);

/* public from here on: ascending by bytes */
typedef struct DpemReleasedKeys
{
	int			n;
	char	  **key;
	double	   *units;			/* noisy, at least the threshold */
	double		sd;				/* of their noise; 0 without */
} DpemReleasedKeys;

/*
 * Scans a source that seeks keys.  Takes the one release of the line, whose
 * failure is the one that it was charged with.
 */
extern DpemReleasedKeys *dpem_release_keys(DpemCharge *charge, int line, DpemSource *source,
										   const DpemKeySpec *spec);

/* No noise and no threshold: for a caller who was shown to read the rows anyway. */
extern DpemReleasedKeys *dpem_release_keys_to_reader(const DpemReader *reader, DpemSource *source);

#endif							/* DPEM_WALL_RELEASE_KEYS_H */
