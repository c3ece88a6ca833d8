/*
 * model_use.h - what can be done with a released model, family by family.
 */
#ifndef DPEM_FIT_MODEL_USE_H
#define DPEM_FIT_MODEL_USE_H

#include "core/noise/sampler.h"

struct DpemPlot;				/* fit/plot.h */

/*
 * A model is loaded once per query, in a context that lives as long, and then
 * asked point by point; x has `dimension` finite numbers in the columns' own
 * units.  A family leaves NULL what it has no meaning for; the caller then
 * gets an error that names the family.  Arrays that are returned may be the
 * model's own scratch.
 */
typedef struct DpemModelUse
{
	const char *family;			/* as the model store writes it */
	const char *title;			/* as messages call it, with its article */
	void	   *(*load) (const char *name);
	int			(*dimension) (const void *model);
	int			(*predict) (void *model, const double *x);	/* from 1 */
	const double *(*posterior) (void *model, const double *x, int *n);
	double		(*log_density) (void *model, const double *x);
	double		(*squared_distance) (void *model, const double *x);	/* to what is nearest in the model */
	const double *(*transform) (void *model, const double *x, int *n);
	void		(*sample) (void *model, DpemSampler *sampler, double *x);
	void		(*plot) (struct DpemPlot *plot);	/* in the plane of two columns; loads nothing */
} DpemModelUse;

/* the family of that name; an internal error if there is none */
extern const DpemModelUse *dpem_model_use(const char *family);

extern const DpemModelUse dpem_gmm_use;
extern const DpemModelUse dpem_kmeans_use;
extern const DpemModelUse dpem_fa_use;
extern const DpemModelUse dpem_pca_use;
extern const DpemModelUse dpem_logit_use;
extern const DpemModelUse dpem_lda_use;
extern const DpemModelUse dpem_sbn_use;

#endif							/* DPEM_FIT_MODEL_USE_H */
