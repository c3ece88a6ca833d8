/*
 * pass.h - what one pass over the private rows computes, and how it travels.
 *
 * The leader writes a pass into a bytea, which is a parameter of the query
 * and so reaches every parallel worker (and could reach another server); the
 * aggregate parses and checks it once per group.
 */
#ifndef DPEM_SCAN_PASS_H
#define DPEM_SCAN_PASS_H

#include "core/kernels/kernel.h"
#include "core/pass/features.h"
#include "core/pass/moments.h"

#define DPEM_PASS_MAX_COMPONENTS (1 << 20)	/* of all groups together */

/* parameters of a pass for the rows of one group */
typedef struct DpemPassPart
{
	double		radius;
	const double *range;		/* as in DpemFeatureMap; for all groups or for none, as are center and whitening */
	const double *center;
	const double *whitening;
	const double *theta;		/* dpem_kernel_theta_length numbers */
} DpemPassPart;

typedef struct DpemPass
{
	const DpemKernel *kernel;
	DpemMomentLayout layout;	/* of one group; d: dpem_features_dimension(&map), which may be more than map.d */
	int			groups;			/* each row has a group, and moments are those of each group in turn; 0: no groups */
	DpemFeatureMap map;			/* map.bits = q; 0: real numbers, owner-only */
	int			responsibility_bits;	/* p; 0 exactly when map.bits is 0 */
	int			classes;		/* of rows with labels: 2, which are signs, or more, which are numbers; 0: none */
	int			nargs;			/* column arguments of the aggregate, quota flags left out */
	const double *arg_lengths;	/* coordinates of each: 1, or an array's registered length */
	int			unknown;		/* leading coordinates that are NaN where a number is NULL; else its row is the null row */
	int			known;			/* numbers that may be unknown, the first so many coordinates, and */
	int			told;			/* from this coordinate on which of them are known in a row: no arguments, but made of these */
	const double *scale;		/* d, of raw values (core/numeric/column_scale.h), before the map; NULL: all linear */
	uint32		rows;			/* where rows are kept for later passes (resident_rows.h); 0: nowhere */
	const double *theta;		/* dpem_kernel_theta_length numbers */
	const DpemPassPart *part;	/* of each group, instead of map and theta; NULL: map and theta are for every group */
} DpemPass;

/* the layout of all that a pass returns: components of the first group, then of the second, ... */
extern DpemMomentLayout dpem_pass_moments(const DpemPass *pass);

/* parameters for rows of that group (0 without groups) */
extern DpemPassPart dpem_pass_part(const DpemPass *pass, int group);
extern DpemFeatureMap dpem_pass_map(const DpemPass *pass, int group);

/* the pass as a bytea in the current memory context */
extern bytea *dpem_pass_write(const DpemPass *pass);

/*
 * Parses and checks; arrays point into memory of the current context.
 * Raises 22P03 (invalid binary representation) on anything malformed.
 */
extern void dpem_pass_read(bytea *wire, DpemPass *pass);

/*
 * Clears the place where rows are kept, which differs between fits, in a written
 * pass; other bytes stay as they are.
 */
extern void dpem_pass_clear_rows(bytea *wire);

/*
 * Some kernels take parameters that only dpem writes (DpemKernel.own), and the aggregate is open to everybody.  Such a
 * pass is accepted from the scan that says here, in the leader, that it runs this one, and from roles that bring
 * models from another server.  One that keeps rows for later passes, which take them for what this one makes of rows, is
 * accepted from such a scan alone.
 */
extern void dpem_own_pass_init(void);

/* until the identity that the scan took is left again (as_owner.h); not in parallel mode */
extern void dpem_own_pass_set(bytea *wire);

/* in the leader or a parallel worker: is it this one? */
extern bool dpem_own_pass_is(bytea *wire);

/* unless it is; raises 42501 for any other pass, unless the role may execute dpem_internal.brings_models */
extern void dpem_own_pass_require(bytea *wire);

#endif							/* DPEM_SCAN_PASS_H */
