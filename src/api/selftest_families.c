/*
 * selftest_families.c - see selftest_families.h.  A new family is a new row.
 *
 * Left out is what draws random numbers besides its noise, so that two runs differ
 * by more than a row: samples and random blocks of rows.
 */
#include "postgres.h"

#include "api/selftest_families.h"

#define LAST "model => NULL)"

/* start at corners where rows of norm 1 belong to one component only: the neighbours that move moments most */
#define GMM(arguments) "dp_gmm_fit('dpem_selftest', 3, 4, 1e-6, iterations => 2, clip_norm => 1," \
	" init_means => '{{0.5,0.5,0.5},{-0.5,-0.5,-0.5},{0.5,-0.5,0.1}}', init_variance => 0.02, " arguments ", " LAST

#define KMEANS(algorithm, more) "dp_kmeans_fit('dpem_selftest', 3, 4, 1e-6, iterations => 2, clip_norm => 1," \
	" init_means => '{{0.5,0.5,0.5},{-0.5,-0.5,-0.5},{0.5,-0.5,0.1}}', algorithm => '" algorithm "', " more LAST

/* of rows that count for fits of all columns: the others are null rows, whichever column a statistic is of */
#define STATISTIC(name, columns, more) "dp_" name "('dpem_selftest', " columns "4, 1e-6, " more \
	"filter => 'a between -1e300 and 1e300 and b between -1e300 and 1e300 and c between -1e300 and 1e300')"

const DpemSelftestFamily dpem_selftest_families[] = {
	{"gmm full", GMM("precondition => 'none'")},
	{"gmm diagonal", GMM("covariance => 'diagonal', precondition => 'none'")},
	{"gmm spherical", GMM("covariance => 'spherical', precondition => 'none'")},
	{"gmm full, whitened", GMM("precondition => 'whiten'")},
	{"gmm diagonal, whitened", GMM("covariance => 'diagonal', precondition => 'whiten'")},
	{"gmm spherical, whitened", GMM("covariance => 'spherical', precondition => 'whiten'")},
	{"gmm own start", "dp_gmm_fit('dpem_selftest', 2, 2, 1e-6, iterations => 4, precondition => 'none', " LAST},
	{"gmm one component", "dp_gmm_fit('dpem_selftest', 1, 2, 1e-6, iterations => 1, clip_norm => 1, precondition => 'none', " LAST},
	{"gmm ggg", GMM("mechanism => 'ggg'")},
	{"gmm ggg diagonal", GMM("mechanism => 'ggg', covariance => 'diagonal'")},
	{"gmm llg", GMM("mechanism => 'llg'")},
	{"gmm llg spherical", GMM("mechanism => 'llg', covariance => 'spherical'")},
	{"gmm by groups", GMM("precondition => 'none', by => 'label'")},
	{"gmm by groups, whitened", "dp_gmm_fit('dpem_selftest', 1, 4, 1e-6, iterations => 2, covariance => 'diagonal', by => 'label', " LAST},
	{"kmeans joint", KMEANS("joint", "")},
	{"kmeans dpem gaussian", KMEANS("dpem", "noise => 'gaussian', ")},
	{"kmeans dpem laplace", KMEANS("dpem", "noise => 'laplace', ")},
	{"kmeans dplloyd", KMEANS("dplloyd", "")},
	{"kmeans joint, mcmc", KMEANS("joint", "postprocess => 'mcmc', postprocess_steps => 500, ")},
	{"kmeans dplloyd, mcmc", KMEANS("dplloyd", "postprocess => 'mcmc', postprocess_steps => 500, ")},
	{"kmeans joint by groups", KMEANS("joint", "by => 'label', ")},
	{"kmeans dplloyd by groups", KMEANS("dplloyd", "by => 'label', ")},
	{"kmeans genetic", "dp_kmeans_fit('dpem_selftest', 3, 4, 1e-6, clip_norm => 1, iterations => 2, algorithm => 'genetic', " LAST},
	{"kmeans grid", "dp_kmeans_fit('dpem_selftest', 3, 4, 1e-6, algorithm => 'grid', " LAST},
	{"kmeans sparse grid", "dp_kmeans_fit('dpem_selftest', 3, 4, 1e-6, algorithm => 'sparse_grid', " LAST},
	{"kmeans plane", "dp_kmeans_fit('dpem_selftest', 3, 4, 1e-6, algorithm => 'plane', " LAST},
	{"factor analysis", "dp_fa_fit('dpem_selftest', 1, 4, 1e-6, clip_norm => 1, " LAST},
	{"pca analyze_gauss", "dp_pca_fit('dpem_selftest', 2, 4, 1e-6, clip_norm => 1, algorithm => 'analyze_gauss', " LAST},
	{"pca analyze_gauss, radius", "dp_pca_fit('dpem_selftest', 2, 4, 1e-6, centre => 'public', precondition => 'radius', " LAST},
	{"factor analysis by groups", "dp_fa_fit('dpem_selftest', 1, 4, 1e-6, clip_norm => 1, by => 'label', " LAST},
	{"pca by groups, radius", "dp_pca_fit('dpem_selftest', 2, 4, 1e-6, algorithm => 'analyze_gauss', precondition => 'radius', by => 'label', " LAST},
	{"pca power", "dp_pca_fit('dpem_selftest', 2, 4, 1e-6, clip_norm => 1, algorithm => 'power', iterations => 2, " LAST},
	{"sbn", "dp_sbn_fit('dpem_selftest', 2, 4, 1e-6, iterations => 2, " LAST},
	{"pca exponential", "dp_pca_fit('dpem_selftest', 1, 4, 1e-6, columns => '{a,b}', clip_norm => 1, algorithm => 'exponential', " LAST},
	{"logit", "dp_logit_fit('dpem_selftest', 'label', 4, 1e-6, clip_norm => 1, iterations => 3, " LAST},
	{"logit, one pass", "dp_logit_fit('dpem_selftest', 'label', 4, 1e-6, clip_norm => 1, iterations => 1, intercept => false, prior_variance => 10, " LAST},
	{"lda", "dp_lda_fit('dpem_selftest', 2, 4, 1e-6, iterations => 3, " LAST},
	{"lda, truncation", "dp_lda_fit('dpem_selftest', 2, 4, 1e-6, iterations => 2, estimator => 'truncation', resample => false, clip => 1, " LAST},
	{"logit by groups", "dp_logit_fit('dpem_selftest', 'label', 4, 1e-6, clip_norm => 1, iterations => 3, by => 'label', " LAST},
	{"count", STATISTIC("count", "", "")},
	{"count by groups, laplace", STATISTIC("count", "", "by => 'label', mechanism => 'laplace', ")},
	{"sum, laplace", STATISTIC("sum", "'b', ", "mechanism => 'laplace', ")},
	{"average by groups", STATISTIC("avg", "'b', ", "by => 'label', ")},
	{"variance", STATISTIC("variance", "'a', ", "")},
	{"covariance by groups", STATISTIC("covariance", "'a', 'c', ", "by => 'label', ")},
	{"histogram", STATISTIC("histogram", "'b', ", "bins => 4, ")},
	{"median", STATISTIC("quantile", "'b', 0.5, ", "bins => 50, ")},
	{"quantile", STATISTIC("quantile", "'c', 0.75, ", "bins => 50, ")},
};

const int	dpem_selftest_nfamilies = lengthof(dpem_selftest_families);
