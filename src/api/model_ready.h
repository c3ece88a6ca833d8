/*
 * model_ready.h - a model made ready for evaluation.
 */
#ifndef DPEM_API_MODEL_READY_H
#define DPEM_API_MODEL_READY_H

#include "postgres.h"

#include "fit/family.h"
#include "fmgr.h"

struct DpemResiduals;			/* families/evaluation/evaluation.h */

typedef struct DpemReadyModel
{
	MemoryContext memory;		/* of all of it */
	char	   *name;
	const DpemFamily *family;
	const DpemModel *shape;		/* its coordinates */
	void	   *model;
	double	   *x;				/* a point given by name */
	bool	   *noticed;		/* has a category been reported that is none of the model's? */
	struct DpemResiduals *residuals;	/* of dp_predict_interval: those that dp_evaluate has found last, or NULL */
	bool		sought;			/* have these been looked for? */
} DpemReadyModel;

/*
 * The model that the first argument, `model`, names, as kept_models.h keeps it; raises 42704
 * unless it exists and the current role may read it.
 */
extern DpemReadyModel *dpem_ready_model(FunctionCallInfo fcinfo);

/* raises 42809 unless the family has that function */
extern void dpem_require_use(const DpemReadyModel *ready, bool has, const char *function);

#endif							/* DPEM_API_MODEL_READY_H */
