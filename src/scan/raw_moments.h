/*
 * raw_moments.h - the inside of raw moments, for the scan and the wall (src/README.md).
 */
#ifndef DPEM_SCAN_RAW_MOMENTS_H
#define DPEM_SCAN_RAW_MOMENTS_H

#include "scan/moments.h"

struct DpemRawMoments
{
	DpemMomentLayout layout;
	const DpemKernel *kernel;	/* of the pass that made them; sent along with them */
	bool		exact;			/* integers in total; else numbers in real */
	DpemRowsRead rows;
	const double *tables;		/* of the kernel `tables`: parameters of the pass, as a source set them; else NULL */
	size_t		length;
	DpemInt128 *total;
	double	   *real;
};

/* zeroed moments of a kernel and layout in the current memory context; sizes checked */
extern DpemRawMoments *dpem_raw_moments_create(const DpemKernel *kernel, const DpemMomentLayout *layout, bool exact);

/* total += other; raises 22P03 if they differ in kernel or shape */
extern void dpem_raw_moments_add(DpemRawMoments *total, const DpemRawMoments *other);

/*
 * The numbers alone, as several processes add them up in shared memory:
 * their size in bytes; numbers += moments; moments += numbers, which are
 * overwritten.  Zeroed bytes, at any address, are zeros.
 */
extern Size dpem_raw_moments_size(const DpemRawMoments *moments);
extern void dpem_raw_moments_add_to(const DpemRawMoments *moments, void *numbers);
extern void dpem_raw_moments_take(DpemRawMoments *moments, void *numbers);

/* byte form: version, kernel, shape, numbers; what workers send and the final function returns */
extern bytea *dpem_raw_moments_write(const DpemRawMoments *moments);

/* any kernel and shape; raises 22P03 on malformed bytes */
extern DpemRawMoments *dpem_raw_moments_parse(bytea *wire);

/* do rows contribute to them as this contribution says? */
extern bool dpem_raw_moments_are(const DpemRawMoments *moments, DpemContribution contribution);

/* were their rows read with this adjacency and so many rows per unit, for which there is a price? */
extern bool dpem_raw_moments_of(const DpemRawMoments *moments, bool replace_one, int rows_per_unit);

/* overwrites the numbers */
extern void dpem_raw_moments_wipe(DpemRawMoments *moments);

#endif							/* DPEM_SCAN_RAW_MOMENTS_H */
