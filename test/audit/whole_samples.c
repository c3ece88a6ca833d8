/*
 * whole_samples.c - passes that were paid for as samples read every unit.
 */
#include "postgres.h"

#include "scan/query/source.h"
#include "saboteur.h"

SABOTEUR;

extern DpemSource *__real_dpem_source_open(const DpemDataset *dataset, const DpemReader *reader, const DpemSample *sample);
extern DpemSource *__wrap_dpem_source_open(const DpemDataset *dataset, const DpemReader *reader, const DpemSample *sample);

DpemSource *
__wrap_dpem_source_open(const DpemDataset *dataset, const DpemReader *reader, const DpemSample *sample)
{
	return __real_dpem_source_open(dataset, reader, NULL);
}
