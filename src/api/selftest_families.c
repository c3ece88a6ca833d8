/*
 * selftest_families.c - see selftest_families.h.  A new family is a new row.
 *
 * What draws rows at random besides its noise (samples, random blocks) runs on a
 * table of which the rows of one unit alone count.  Two runs draw other rows, but
 * all that can differ is that unit's part: it is in a sample or not, and blocks
 * without its rows have all the same output, so that whichever blocks have them
 * does not matter to the sum.  Both are covered by the sensitivity: a unit that is
 * missed is one that is not there.  For one component a sum of blocks' outputs moves by
 * no more than that even if a of the unit's blocks became b: |a (x - s) - b (y - s)|
 * <= 2 max(a, b), s being the output without rows.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"

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

#define START "init_means => '{{0.5,0.5,0.5},{-0.5,-0.5,-0.5},{0.5,-0.5,0.1}}', "

/* passes enough for every draw to be met by some neighbour */
#define SAMPLED(function, more) "dp_" function "4, 1e-6, iterations => 4, " more "composition => 'rdp', sampling_rate => 0.5, " LAST

#define BLOCKS(noise) "dp_kmeans_fit('dpem_selftest', 1, 4, 1e-6, iterations => 2, clip_norm => 1, algorithm => 'sample_aggregate', noise => '" noise "', " LAST

const DpemSelftestFamily dpem_selftest_families[] = {
	{"gmm full", GMM("precondition => 'none'"), false},
	{"gmm diagonal", GMM("covariance => 'diagonal', precondition => 'none'"), false},
	{"gmm spherical", GMM("covariance => 'spherical', precondition => 'none'"), false},
	{"gmm full, whitened", GMM("precondition => 'whiten'"), false},
	{"gmm diagonal, whitened", GMM("covariance => 'diagonal', precondition => 'whiten'"), false},
	{"gmm spherical, whitened", GMM("covariance => 'spherical', precondition => 'whiten'"), false},
	{"gmm own start", "dp_gmm_fit('dpem_selftest', 2, 2, 1e-6, iterations => 4, precondition => 'none', " LAST, false},
	{"gmm one component", "dp_gmm_fit('dpem_selftest', 1, 2, 1e-6, iterations => 1, clip_norm => 1, precondition => 'none', " LAST, false},
	{"gmm ggg", GMM("mechanism => 'ggg'"), false},
	{"gmm ggg diagonal", GMM("mechanism => 'ggg', covariance => 'diagonal'"), false},
	{"gmm llg", GMM("mechanism => 'llg'"), false},
	{"gmm llg spherical", GMM("mechanism => 'llg', covariance => 'spherical'"), false},
	{"gmm by groups", GMM("precondition => 'none', by => 'label'"), false},
	{"gmm by groups, whitened", "dp_gmm_fit('dpem_selftest', 1, 4, 1e-6, iterations => 2, covariance => 'diagonal', by => 'label', " LAST, false},
	{"kmeans joint", KMEANS("joint", ""), false},
	{"kmeans dpem gaussian", KMEANS("dpem", "noise => 'gaussian', "), false},
	{"kmeans dpem laplace", KMEANS("dpem", "noise => 'laplace', "), false},
	{"kmeans dplloyd", KMEANS("dplloyd", ""), false},
	{"kmeans joint, mcmc", KMEANS("joint", "postprocess => 'mcmc', postprocess_steps => 500, "), false},
	{"kmeans dplloyd, mcmc", KMEANS("dplloyd", "postprocess => 'mcmc', postprocess_steps => 500, "), false},
	{"kmeans joint by groups", KMEANS("joint", "by => 'label', "), false},
	{"kmeans dplloyd by groups", KMEANS("dplloyd", "by => 'label', "), false},
	{"kmeans genetic", "dp_kmeans_fit('dpem_selftest', 3, 4, 1e-6, clip_norm => 1, iterations => 2, algorithm => 'genetic', " LAST, false},
	{"kmeans grid", "dp_kmeans_fit('dpem_selftest', 3, 4, 1e-6, algorithm => 'grid', " LAST, false},
	{"kmeans sparse grid", "dp_kmeans_fit('dpem_selftest', 3, 4, 1e-6, algorithm => 'sparse_grid', " LAST, false},
	{"kmeans plane", "dp_kmeans_fit('dpem_selftest', 3, 4, 1e-6, algorithm => 'plane', " LAST, false},
	{"factor analysis", "dp_fa_fit('dpem_selftest', 1, 4, 1e-6, clip_norm => 1, " LAST, false},
	{"pca analyze_gauss", "dp_pca_fit('dpem_selftest', 2, 4, 1e-6, clip_norm => 1, algorithm => 'analyze_gauss', " LAST, false},
	{"pca analyze_gauss, radius", "dp_pca_fit('dpem_selftest', 2, 4, 1e-6, centre => 'public', precondition => 'radius', " LAST, false},
	{"factor analysis by groups", "dp_fa_fit('dpem_selftest', 1, 4, 1e-6, clip_norm => 1, by => 'label', " LAST, false},
	{"pca by groups, radius", "dp_pca_fit('dpem_selftest', 2, 4, 1e-6, algorithm => 'analyze_gauss', precondition => 'radius', by => 'label', " LAST, false},
	{"pca power", "dp_pca_fit('dpem_selftest', 2, 4, 1e-6, clip_norm => 1, algorithm => 'power', iterations => 2, " LAST, false},
	{"sbn", "dp_sbn_fit('dpem_selftest', 2, 4, 1e-6, iterations => 2, " LAST, false},
	{"pca exponential", "dp_pca_fit('dpem_selftest', 1, 4, 1e-6, columns => '{a,b}', clip_norm => 1, algorithm => 'exponential', " LAST, false},
	{"logit", "dp_logit_fit('dpem_selftest', 'label', 4, 1e-6, clip_norm => 1, iterations => 3, " LAST, false},
	{"logit, one pass", "dp_logit_fit('dpem_selftest', 'label', 4, 1e-6, clip_norm => 1, iterations => 1, intercept => false, prior_variance => 10, " LAST, false},
	{"lda", "dp_lda_fit('dpem_selftest', 2, 4, 1e-6, iterations => 3, " LAST, false},
	{"lda, truncation", "dp_lda_fit('dpem_selftest', 2, 4, 1e-6, iterations => 2, estimator => 'truncation', resample => false, clip => 1, " LAST, false},
	{"logit by groups", "dp_logit_fit('dpem_selftest', 'label', 4, 1e-6, clip_norm => 1, iterations => 3, by => 'label', " LAST, false},
	{"count", STATISTIC("count", "", ""), false},
	{"count by groups, laplace", STATISTIC("count", "", "by => 'label', mechanism => 'laplace', "), false},
	{"sum, laplace", STATISTIC("sum", "'b', ", "mechanism => 'laplace', "), false},
	{"average by groups", STATISTIC("avg", "'b', ", "by => 'label', "), false},
	{"variance", STATISTIC("variance", "'a', ", ""), false},
	{"covariance by groups", STATISTIC("covariance", "'a', 'c', ", "by => 'label', "), false},
	{"histogram", STATISTIC("histogram", "'b', ", "bins => 4, "), false},
	{"median", STATISTIC("quantile", "'b', 0.5, ", "bins => 50, "), false},
	{"quantile", STATISTIC("quantile", "'c', 0.75, ", "bins => 50, "), false},
	{"count by keys", STATISTIC("count", "", "by => 'word', "), false},
	{"count by keys, laplace", STATISTIC("count", "", "by => 'word', mechanism => 'laplace', "), false},
	{"sum by keys", STATISTIC("sum", "'b', ", "by => 'word', "), false},
	{"gmm, samples", SAMPLED("gmm_fit('dpem_selftest', 3, ", START "init_variance => 0.02, precondition => 'none', clip_norm => 1, "), true},
	{"kmeans joint, samples", SAMPLED("kmeans_fit('dpem_selftest', 3, ", START "clip_norm => 1, algorithm => 'joint', "), true},
	{"lda, samples", SAMPLED("lda_fit('dpem_selftest', 2, ", ""), true},
	{"kmeans blocks gaussian", BLOCKS("gaussian"), true},
	{"kmeans blocks laplace", BLOCKS("laplace"), true},
};

const int	dpem_selftest_nfamilies = lengthof(dpem_selftest_families);

static bool
is_like(const char *family, const char *pattern)
{
	return DatumGetBool(DirectFunctionCall2Coll(textlike, C_COLLATION_OID, CStringGetTextDatum(family),
												CStringGetTextDatum(pattern)));
}

bool
dpem_selftest_is_wanted(const char *family, const char *wanted)
{
	size_t		n = strlen(wanted);

	if (is_like(family, wanted))
		return true;
	return n > 0 && strncmp(family, wanted, n) == 0 && (family[n] == ' ' || family[n] == ',');
}

static char *
family_names(void)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < dpem_selftest_nfamilies; i++)
		appendStringInfo(&names, "%s\"%s\"", i > 0 ? ", " : "", dpem_selftest_families[i].name);
	return names.data;
}

void
dpem_selftest_require_wanted(const char *wanted)
{
	for (int i = 0; i < dpem_selftest_nfamilies; i++)
		if (dpem_selftest_is_wanted(dpem_selftest_families[i].name, wanted))
			return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("dp_selftest has no family like \"%s\"", wanted),
			 errhint("Say how a name begins, or a LIKE pattern, of: %s.", family_names())));
}
