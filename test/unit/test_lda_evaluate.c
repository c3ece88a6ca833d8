/*
 * test_lda_evaluate.c - what documents add to the perplexity of released topics: the mean log-probability
 * of words that the other half predicts, clipped as said; no document moves the sums further than
 * declared (docs/proofs.md, 16), and intervals cover.
 */
#include "core/accounting/sensitivity.h"
#include "core/evaluation/evaluate_metrics.h"
#include "core/lda/lda_choice.h"
#include "core/lda/lda_evaluate.h"
#include "kernel_fixture.h"

#define TERMS	40
#define TOPICS	3
#define BITS	(P + Q)

typedef struct Fixture
{
	DpemLdaTask task;
	double		probability[TERMS * TOPICS];
	double		alpha[TOPICS];
	int32_t		term[TERMS];
	double		count[TERMS];
	int32_t		half_term[TERMS];
	double		half_count[TERMS];
	DpemLdaDocument document;
	DpemLdaDocument half;
	double		loss[DPEM_LDA_LOSSES];
	double		work[16 * (TERMS + 8) + TERMS];
} Fixture;

/* topic k prefers the terms that are k modulo the number of topics, e^sharpness times */
static void
make_fixture(Fixture *f, double sharpness, double length, double low, double high)
{
	for (int k = 0; k < TOPICS; k++)
	{
		double		sum = 0;

		f->alpha[k] = (k + 1) / 6.0;
		for (int v = 0; v < TERMS; v++)
			sum += f->probability[v * TOPICS + k] = v % TOPICS == k ? exp(sharpness) : 1;
		for (int v = 0; v < TERMS; v++)
			f->probability[v * TOPICS + k] /= sum;
	}
	f->task = dpem_lda_evaluation(TOPICS, TERMS, f->alpha, f->probability);
	f->task.length = length;
	f->task.low = low;
	f->task.high = high;
	f->task.sums = DPEM_LDA_SUM_LOSSES;
	f->document = (DpemLdaDocument) {0, f->term, f->count};
	f->half = (DpemLdaDocument) {0, f->half_term, f->half_count};
}

static void
make_document(Rng *rng, Fixture *f, double largest)
{
	int			step = rng_uniform(rng, 0, 1) < 0.5 ? TOPICS : 1;

	f->document.terms = 0;
	for (int v = (int) rng_uniform(rng, 0, TOPICS); v < TERMS; v += step)
	{
		if (rng_uniform(rng, 0, 1) < 0.5)
			continue;
		f->term[f->document.terms] = v;
		f->count[f->document.terms++] = floor(exp(rng_uniform(rng, 0, largest)));
	}
}

static void
find_losses(Fixture *f)
{
	dpem_lda_losses(&f->task, &f->document, &f->half, f->loss, f->work);
}

/* mean log-probability of the predicted words, and their number */
static double
completed(Fixture *f, double *words)
{
	double		log_probability = 0;

	*words = 0;
	dpem_lda_complete(&f->task, &f->document, &f->half, f->work, &log_probability, words, f->work + TOPICS);
	return log_probability;
}

/* where nothing is clipped, two sums give back the mean over all words of all documents */
static void
check_mean(Rng *rng)
{
	Fixture		f;
	double		sum[DPEM_LDA_LOSSES] = {0};
	double		log_probability = 0;
	double		words = 0;

	make_fixture(&f, 2, 1e5, -9, -1e-3);
	for (int i = 0; i < 300; i++)
	{
		double		n;

		make_document(rng, &f, 3);
		log_probability += completed(&f, &n);
		words += n;
		find_losses(&f);
		sum[0] += f.loss[0];
		sum[1] += f.loss[1];
	}
	CHECK_CLOSE((sum[0] + sum[1]) * 1e5, words, 1e-12, "words");
	CHECK_CLOSE(-1e-3 - (9 - 1e-3) * sum[1] / (sum[0] + sum[1]), log_probability / words, 1e-12, "mean log-probability");
}

static void
check_clips(Rng *rng)
{
	Fixture		f;

	make_fixture(&f, 1, 1, -3, -2.9);
	f.document.terms = 0;
	find_losses(&f);
	CHECK(f.loss[0] == 0 && f.loss[1] == 0, "no words, no part");
	do
		make_document(rng, &f, 3);
	while (f.document.terms < 5);
	find_losses(&f);
	CHECK(f.loss[0] + f.loss[1] == 1 && f.loss[1] == 1, "a long document is one of the most that counts, and no worse than the range");
	make_fixture(&f, 1, 1000, -90, -80);
	make_document(rng, &f, 1);
	find_losses(&f);
	CHECK(f.loss[1] == 0 && f.loss[0] < 1, "nor better");
}

/* squared length of a document's numbers, or squared distance to another's */
static double
moved2(const double *a, const double *b)
{
	double		sum = 0;

	for (int i = 0; i < DPEM_LDA_LOSSES; i++)
		sum += ldexp(a[i] - (b ? b[i] : 0), -BITS) * ldexp(a[i] - (b ? b[i] : 0), -BITS);
	return sum;
}

/* pairs of documents under topics, ranges and lengths of every kind: a search for one that moves the sums further */
static void
check_sensitivity(Rng *rng)
{
	Fixture		f;
	double		kept[DPEM_LDA_LOSSES] = {0};
	double		worst[2] = {0, 0};
	int			bad = 0;

	for (int round = 0; round < 10000; round++)
	{
		double		low = -exp(rng_uniform(rng, -2, 5));

		make_fixture(&f, rng_uniform(rng, 0, 30), floor(exp(rng_uniform(rng, 0, 8))), low, low + exp(rng_uniform(rng, -9, 5)));
		make_document(rng, &f, rng_uniform(rng, 0, 8));
		find_losses(&f);
		bad += !dpem_lda_clip(f.loss, DPEM_LDA_LOSSES, 1, BITS);
		for (int i = 0; i < DPEM_LDA_LOSSES; i++)
			bad += f.loss[i] < 0 || f.loss[i] != rint(f.loss[i]);
		worst[0] = fmax(worst[0], moved2(f.loss, NULL));
		worst[1] = fmax(worst[1], moved2(f.loss, kept));
		memcpy(kept, f.loss, sizeof(kept));
	}
	CHECK(bad == 0, "%d documents without losses, or numbers that are not whole", bad);
	CHECK(worst[0] <= dpem_document_sensitivity2(false) + 1e-12, "a document alone moves the sums by %.15f", sqrt(worst[0]));
	CHECK(worst[1] <= dpem_document_sensitivity2(true) + 1e-12, "a pair moves them by %.15f", sqrt(worst[1]));
	CHECK(worst[0] > 0.999999 && worst[1] > 1.999999, "the bounds are attained: %.9f, %.9f", worst[0], worst[1]);
}

/*
 * 2,000 releases of sums that noise hides more and more: of intervals of 95 % between 93 and 97 % contain the
 * ratio without noise; another number happens twice in 100,000 times for one, and here the numbers drawn are always the same.
 */
static void
check_coverage(Rng *rng)
{
	const double sums[DPEM_LDA_LOSSES] = {900, 1100};
	const double sd[] = {1, 20, 100, 200};

	for (int i = 0; i < 4; i++)
	{
		int			covered = 0;

		for (int round = 0; round < 2000; round++)
		{
			double		noisy[DPEM_LDA_LOSSES] = {sums[0] + sd[i] * rng_normal(rng), sums[1] + sd[i] * rng_normal(rng)};
			DpemStatisticValue v;

			dpem_evaluate_ratio(DPEM_LDA_LOSSES, noisy, sd[i], (double[]) {0, 1}, (double[]) {1, 1}, 0, 1, &v);
			covered += v.lower <= 0.55 && 0.55 <= v.upper;
		}
		CHECK(covered >= 1860 && covered <= 1940, "noise of %g: %d of 2000 intervals cover", sd[i], covered);
	}
}

/* words drawn from equal topics have a log-probability of mean -entropy; equal terms have a range all the same */
static void
check_range(void)
{
	Fixture		f;
	double		low;
	double		high;

	make_fixture(&f, 0, 1, 0, 0);
	dpem_lda_word_bounds(&f.task, 1.5, &low, &high);
	CHECK(fabs((low + high) / 2 + log(TERMS)) < 1e-9 && high - low > 0.1 && high <= 0, "a range about -log of the terms: %g to %g", low, high);
	make_fixture(&f, 4, 1, 0, 0);
	dpem_lda_word_bounds(&f.task, 1.5, &low, &high);
	CHECK(low < -log(TERMS / TOPICS) && high <= 0 && low < high, "a wider one of sharp topics: %g to %g", low, high);
}

/* parameters that are none: no length, an empty range, resampled documents, bounds of what has none */
static void
check_task(void)
{
	static double theta[DPEM_LDA_TASK_HEAD + 2 * TOPICS + TERMS + TOPICS * TERMS];
	const double odd[][2] = {{0, 0}, {1, 1}, {2, 0}, {3, 3}, {3, 0.5}, {4, 1}, {4, -INFINITY}, {4, NAN}, {5, -5}, {5, INFINITY}, {5, NAN}};
	DpemMomentLayout layout = {TOPICS, TERMS, DPEM_SECOND_NONE};
	Fixture		f;

	make_fixture(&f, 1, 100, -4, -1);
	dpem_lda_task_write(&f.task, theta);
	memcpy(theta + DPEM_LDA_TASK_WEIGHTS(TOPICS, TERMS), f.probability, sizeof(f.probability));
	CHECK(dpem_lda_task_valid(&layout, theta), "a task");
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
	{
		double	   *at = theta + (int) odd[i][0];
		double		kept = *at;

		*at = odd[i][1];
		CHECK(!dpem_lda_task_valid(&layout, theta), "number %g is %g", odd[i][0], odd[i][1]);
		*at = kept;
	}
	theta[3] = DPEM_LDA_SUM_WORDS;
	CHECK(!dpem_lda_task_valid(&layout, theta), "words have no range");
	theta[4] = theta[5] = 0;
	CHECK(dpem_lda_task_valid(&layout, theta), "words");
}

int
main(void)
{
	Rng			rng = {2031};

	check_mean(&rng);
	check_clips(&rng);
	check_sensitivity(&rng);
	check_coverage(&rng);
	check_range();
	check_task();
	return unit_report();
}
