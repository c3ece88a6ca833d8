/*
 * mechanism.c - see mechanism.h.
 */
#include "postgres.h"

#include "ledger/mechanism.h"

/* in the ledger for ever: a name may be added and none changed */
static const char *const names[] = {
	[DPEM_MECHANISM_GAUSSIAN] = "gaussian",
	[DPEM_MECHANISM_LAPLACE] = "laplace",
	[DPEM_MECHANISM_EXPONENTIAL] = "exponential",
	[DPEM_MECHANISM_GAMMA] = "gamma",
	[DPEM_MECHANISM_WISHART] = "wishart",
};

const char *
dpem_mechanism_name(DpemMechanism mechanism)
{
	if ((unsigned) mechanism >= lengthof(names) || names[mechanism] == NULL)
		elog(ERROR, "dpem: a release without a mechanism");
	return names[mechanism];
}

DpemMechanism
dpem_mechanism_from_name(const char *name)
{
	for (int i = 0; i < lengthof(names); i++)
	{
		if (names[i] != NULL && strcmp(names[i], name) == 0)
			return i;
	}
	elog(ERROR, "dpem: no mechanism \"%s\"", name);
}
