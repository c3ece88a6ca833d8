/*
 * release_keys.h - private keys that pass the wall (partition selection).
 *
 * The wall itself starts the scan: nothing else sees a key before its noisy
 * number of units has reached the threshold (core/accounting/keys.h).
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

/* noise and threshold of a release of keys, in numbers of units */
typedef struct DpemKeyLaw
{
	double		sensitivity;	/* of the keys that neighbours share: L2, or L1 */
	double		sd;				/* of the noise */
	double		threshold;
} DpemKeyLaw;

/*
 * Noise and threshold for a noise multiplier and a failure probability.
 * Raises 22023 if there are none; called before the charge.
 */
extern DpemKeyLaw dpem_release_keys_law(const DpemKeySpec *spec, double noise_multiplier, double failure);

/* public from here on; in ascending byte order */
typedef struct DpemReleasedKeys
{
	int			n;
	char	  **key;
	double	   *units;			/* noisy, at least the threshold */
	double		sd;				/* of their noise; 0 without */
} DpemReleasedKeys;

/*
 * Scans a source that seeks keys.  Takes the single release of the line, with
 * the failure probability that was charged.
 */
extern DpemReleasedKeys *dpem_release_keys(DpemCharge *charge, int line, DpemSource *source,
										   const DpemKeySpec *spec);

/* No noise and no threshold: for a caller who has been shown to have the right to read the rows. */
extern DpemReleasedKeys *dpem_release_keys_to_reader(const DpemReader *reader, DpemSource *source);

#endif							/* DPEM_WALL_RELEASE_KEYS_H */
