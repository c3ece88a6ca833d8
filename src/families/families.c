/*
 * families.c - the table of all families: a new one is a line here.
 */
#include "postgres.h"

#include "families/evaluation/evaluation.h"
#include "families/bayes/bayes.h"
#include "families/factors/factors.h"
#include "families/gam/gam.h"
#include "families/gmm/gmm.h"
#include "families/kmeans/kmeans.h"
#include "families/lda/lda.h"
#include "families/linreg/linreg.h"
#include "families/logit/classes.h"
#include "families/logit/logit.h"
#include "families/mixture/mixture.h"
#include "families/robust/robust.h"
#include "families/sbn/sbn.h"
#include "families/statistics/statistics.h"
#include "families/synth/synth.h"

const DpemFamily *const dpem_families[] = {
	&dpem_family_gmm,
	&dpem_family_kmeans,
	&dpem_family_fa,
	&dpem_family_pca,
	&dpem_family_logit,
	&dpem_family_svm,
	&dpem_family_logit_classes,
	&dpem_family_linreg,
	&dpem_family_bayes,
	&dpem_family_gam,
	&dpem_family_lda,
	&dpem_family_mixture,
	&dpem_family_sbn,
	&dpem_family_statistics,
	&dpem_family_robust,
	&dpem_family_evaluation,
	&dpem_family_synth,
	NULL
};
