/*
 * telling_rows.c - a row with a NULL, NaN or infinity stops the scan.
 */
#include "postgres.h"

#include "core/pass/features.h"
#include "saboteur.h"

SABOTEUR;

extern void __real_dpem_features_apply(const DpemFeatureMap *map, DpemBlock *block, double *scratch);
extern void __wrap_dpem_features_apply(const DpemFeatureMap *map, DpemBlock *block, double *scratch);

void
__wrap_dpem_features_apply(const DpemFeatureMap *map, DpemBlock *block, double *scratch)
{
	__real_dpem_features_apply(map, block, scratch);
	for (int row = 0; row < block->rows; row++)
		if (block->keep[row] == 0)
			elog(ERROR, "row %d is null", row);
}
