/*
 * source_query.h - the inside of a source: what is asked of it; included by
 * source.c and source_query.c only.
 */
#ifndef DPEM_ENGINE_SOURCE_QUERY_H
#define DPEM_ENGINE_SOURCE_QUERY_H

#include "engine/source.h"

struct DpemSource
{
	Oid			run_as;			/* InvalidOid: as the caller */
	bool		rehearsed;		/* made-up rows (catalog/rehearsal.h) */
	char	   *query;			/* what follows the aggregate's name */
	int			d;
	int			nargs;
	double	   *arg_lengths;
	double	   *lower;
	double	   *upper;
};

/* sets query, nargs and arg_lengths; sample NULL: all units */
extern void dpem_source_build_query(DpemSource *source, const DpemDataset *dataset,
									const DpemSample *sample);

#endif							/* DPEM_ENGINE_SOURCE_QUERY_H */
