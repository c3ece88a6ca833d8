/*
 * test_lda.c - topics: a document's statistics have its words' mass, are the
 * same in every clone and no integers of theirs leave the ball or move the sum
 * further than declared (docs/proofs.md, 16).
 */
#include "core/accounting/sensitivity.h"
#include "core/kernels/lda_kernel.h"
#include "core/kernels/kernel.h"
#include "core/numeric/exp_digamma.h"
#include "kernel_fixture.h"
#include "seeded_source.h"

#define TERMS	60
#define TOPICS	11
#define BITS	(P + Q)

/* ---- the special function ---------------------------------------------------------- */

static void
check_digamma(Rng *rng)
{
	int			bad = 0;

	/* Abramowitz and Stegun, 6.3.2, 6.3.3: psi(1) = -gamma, psi(1/2) = -gamma - 2 ln 2 */
	CHECK_CLOSE(dpem_digamma(1), -0.57721566490153286, 1e-12, "psi(1)");
	CHECK_CLOSE(dpem_digamma(0.5), -0.57721566490153286 - 2 * log(2), 1e-12, "psi(1/2)");
	for (int i = 0; i < 2000; i++)
	{
		double		x = exp(rng_uniform(rng, -6, 25));
		double		step = dpem_digamma(x + 1) - dpem_digamma(x) - 1 / x;

		bad += fabs(step) > 4e-12 * (1 + fabs(dpem_digamma(x)) + 1 / x);
		bad += !unit_close(dpem_exp_digamma(x), exp(dpem_digamma(x)), 1e-11);
	}
	CHECK(bad == 0, "psi(x + 1) = psi(x) + 1/x, %d of 4000 not", bad);
	CHECK(dpem_exp_digamma(1e-4) == 0, "exp(psi) underflows quietly");
}

/* ---- documents ---------------------------------------------------------------------- */

typedef struct Fixture
{
	DpemMomentLayout layout;
	double		theta[DPEM_LDA_TASK_WEIGHTS(TOPICS, TERMS) + TOPICS * TERMS];
	DpemLdaTask task;
	DpemLdaDocument document;
	int32_t		term[TERMS];
	double		count[TERMS];
	double		work[16 * (TERMS + 4) + TERMS];
} Fixture;

static void
make_fixture(Rng *rng, Fixture *f, int k, double length)
{
	double		alpha[TOPICS];
	double		emphasis[TERMS];
	DpemLdaTask head = {.k = k,.terms = TERMS,.alpha = alpha,.emphasis = emphasis,.length = length,.steps = DPEM_LDA_STEPS};

	f->layout = (DpemMomentLayout) {k, TERMS, DPEM_SECOND_NONE};
	for (int i = 0; i < k; i++)
		alpha[i] = exp(rng_uniform(rng, -4, 2));
	for (int i = 0; i < TERMS; i++)
		emphasis[i] = exp(rng_uniform(rng, -5, 5));
	dpem_lda_task_write(&head, f->theta);
	for (int i = 0; i < k * TERMS; i++)
		f->theta[DPEM_LDA_TASK_WEIGHTS(k, TERMS) + i] = exp(rng_uniform(rng, -40, 0));
	dpem_lda_task_read(&f->layout, f->theta, &f->task);
	f->document = (DpemLdaDocument) {0, f->term, f->count};
}

/* a few terms, often one alone, with counts that are often large */
static void
make_document(Rng *rng, Fixture *f)
{
	int			terms = 1 + (int) (rng_uniform(rng, 0, 1) * rng_uniform(rng, 0, 1) * (TERMS - 1));
	int			first = (int) rng_uniform(rng, 0, TERMS);

	f->document.terms = terms;
	for (int i = 0; i < terms; i++)
	{
		f->term[i] = (first + 7 * i) % TERMS;
		f->count[i] = floor(exp(rng_uniform(rng, 0, 15)));
	}
}

static void
check_shares(Rng *rng, int k)
{
	Fixture		f;
	int			bad = 0;
	int			differ = 0;

	for (int round = 0; round < 300; round++)
	{
		DpemLdaShare share;
		double		copy[TERMS * 16];
		size_t		n;

		make_fixture(rng, &f, k, round % 2 ? 500 : 0);
		make_document(rng, &f);
		share = dpem_lda_respond(&f.task, &f.document, NULL, f.work);
		n = (size_t) f.document.terms * share.padded;
		memcpy(copy, share.share, n * sizeof(double));
		for (int i = 0; i < f.document.terms; i++)
		{
			double		sum = 0;
			double		words = 0;

			for (int j = 0; j < share.padded; j++)
			{
				bad += !(copy[i * share.padded + j] >= 0) || (j >= k && copy[i * share.padded + j] != 0);
				sum += copy[i * share.padded + j];
			}
			for (int j = 0; j < f.document.terms; j++)
				words += f.count[j];
			bad += !unit_close(sum, f.count[i] * f.task.emphasis[f.term[i]] * (round % 2 ? 500 / words : 1), 1e-12);
		}
		for (int clone = 0; clone < DPEM_CLONES; clone++)
		{
			if (!dpem_clone_runs(clone))
				continue;
			share = dpem_lda_respond_clone(clone, &f.task, &f.document, NULL, f.work);
			differ += memcmp(share.share, copy, n * sizeof(double)) != 0;
		}
	}
	CHECK(bad == 0, "%d topics: words are not shared out, %d times", k, bad);
	CHECK(differ == 0, "%d topics: other bits in another clone, %d times", k, differ);
}

/* integers of a document as a whole vector of topics and terms; false: the null row */
static bool
contribute(Fixture *f, double radius, DpemInt128 *out)
{
	DpemLdaShare share = dpem_lda_respond(&f->task, &f->document, NULL, f->work);

	memset(out, 0, dpem_moments_length(&f->layout) * sizeof(DpemInt128));
	if (!dpem_lda_clip(share.share, (size_t) f->document.terms * share.padded, radius, BITS))
		return false;
	dpem_lda_add_exact(&f->layout, &f->document, &share, out);
	return true;
}

/* squared distance, exactly, in units of the radius */
static double
moved2(const Fixture *f, const DpemInt128 *a, const DpemInt128 *b)
{
	DpemUint128 sum = 0;

	for (size_t i = 0; i < dpem_moments_length(&f->layout); i++)
	{
		DpemInt128	change = a[i] - (b ? b[i] : 0);

		sum += (DpemUint128) (change * change);
	}
	/* rounded up */
	return ldexp((double) (sum >> 8) + 1, 8 - 2 * BITS);
}

/*
 * Pairs of documents under one task, with clipping from almost all to none:
 * none moves the sum further than declared, and one-word documents get there.
 */
static void
check_sensitivity(Rng *rng)
{
	static DpemInt128 first[TOPICS * (TERMS + 1)];
	static DpemInt128 second[TOPICS * (TERMS + 1)];
	double		worst[2] = {0, 0};
	Fixture		f;
	int			bad = 0;

	for (int round = 0; round < 3000; round++)
	{
		double		radius = 500 * (round % 3 == 0 ? 1 : exp(rng_uniform(rng, -8, 0)));
		double		alone;
		double		pair;

		make_fixture(rng, &f, 1 + round % TOPICS, round % 5 == 0 ? 0 : 500);
		make_document(rng, &f);
		bad += !contribute(&f, radius, first);
		make_document(rng, &f);
		bad += !contribute(&f, radius, second);
		alone = moved2(&f, first, NULL);
		pair = moved2(&f, first, second);
		worst[0] = fmax(worst[0], alone);
		worst[1] = fmax(worst[1], pair);
		for (size_t i = 0; i < dpem_moments_length(&f.layout); i++)
			bad += first[i] < 0;
	}
	CHECK(bad == 0, "%d documents without statistics, or negative numbers", bad);
	/* moved2 rounds up by 2^(8 - 2 BITS) */
	CHECK(worst[0] <= dpem_document_sensitivity2(false) + 0x1p-50, "a document alone moves the sum by %.15f", sqrt(worst[0]));
	CHECK(worst[1] <= dpem_document_sensitivity2(true) + 0x1p-50, "a pair moves it by %.15f", sqrt(worst[1]));
	CHECK(worst[0] > 0.999999 && worst[1] > 1.99999, "the bounds are attained: %.9f, %.9f", worst[0], worst[1]);
}

/* what is no number is the null row */
static void
check_null_rows(void)
{
	double		share[4] = {1, NAN, 2, 3};

	CHECK(!dpem_lda_clip(share, 4, 10, BITS), "NaN");
	share[1] = INFINITY;
	CHECK(!dpem_lda_clip(share, 4, 10, BITS), "infinity");
	share[1] = 1e200;
	CHECK(!dpem_lda_clip(share, 4, 10, BITS), "beyond squares");
}

static void
check_task(Rng *rng)
{
	const double odd[] = {-1, NAN, INFINITY, 0.5, 1e9};
	const int	positive[] = {DPEM_LDA_TASK_HEAD + 2, DPEM_LDA_TASK_HEAD + 6 + 5, (int) DPEM_LDA_TASK_WEIGHTS(3, TERMS) + 5};
	DpemMomentLayout few = {3, DPEM_LDA_GAINS - 1, DPEM_SECOND_NONE};
	Fixture		f;

	make_fixture(rng, &f, 3, 500);
	CHECK(dpem_kernel_lda.theta_valid(&f.layout, f.theta), "a task");
	/* length: no whole number in range; resampling, steps, choosing: neither */
	for (int at = 0; at < DPEM_LDA_TASK_HEAD; at++)
	{
		double		kept = f.theta[at];

		for (int i = 0; i < 5; i++)
		{
			f.theta[at] = odd[i];
			CHECK(!dpem_kernel_lda.theta_valid(&f.layout, f.theta), "number %d is %g", at, odd[i]);
		}
		f.theta[at] = kept;
	}
	/* alpha, emphasis, a weight */
	for (int i = 0; i < 3; i++)
	{
		double		kept = f.theta[positive[i]];

		f.theta[positive[i]] = 0;
		CHECK(!dpem_kernel_lda.theta_valid(&f.layout, f.theta), "number %d is zero", positive[i]);
		f.theta[positive[i]] = kept;
	}
	f.theta[3] = 1;
	CHECK(dpem_kernel_lda.theta_valid(&f.layout, f.theta) && !dpem_kernel_lda.theta_valid(&few, f.theta), "room for gains");
}

/* ---- resampling ---------------------------------------------------------------------- */

/*
 * The number drawn of each of three terms over 400 documents of 500 words, as
 * a chi-squared of two degrees of freedom: above 40 once in 5e8.
 */
static void
check_resampling(void)
{
	SeededSource seeded;
	DpemSampler sampler;
	const double count[3] = {1, 30, 69};
	double		drawn[3] = {0};
	double		chi2 = 0;
	int			bad = 0;

	seeded_init(&seeded, 42);
	dpem_sampler_init(&sampler, &seeded.source);
	for (int round = 0; round < 400; round++)
	{
		int32_t		term[3] = {4, 9, 2};
		double		words[3] = {count[0], count[1], count[2]};
		double		sum[3];
		double		total = 0;
		DpemLdaDocument document = {3, term, words};

		CHECK(dpem_lda_resample(&sampler, 500, &document, sum) == DPEM_OK, "drawn");
		for (int i = 0; i < document.terms; i++)
		{
			total += words[i];
			bad += words[i] < 1;
			drawn[term[i] == 4 ? 0 : term[i] == 9 ? 1 : 2] += words[i];
		}
		bad += total != 500;
	}
	CHECK(bad == 0, "%d documents of another length, or terms without words", bad);
	for (int i = 0; i < 3; i++)
	{
		double		expected = 400 * 500 * count[i] / 100;

		chi2 += (drawn[i] - expected) * (drawn[i] - expected) / expected;
	}
	CHECK(chi2 < 40, "drawn in proportion: chi-squared %.1f", chi2);
	dpem_sampler_wipe(&sampler);
	{
		int32_t		term = 1;
		double		words = 5;
		double		sum;
		DpemLdaDocument document = {1, &term, &words};

		CHECK(dpem_lda_resample(&sampler, 10, &document, &sum) == DPEM_ENTROPY_FAILED, "no entropy, no document");
	}
}

int
main(void)
{
	Rng			rng = {16};

	check_digamma(&rng);
	check_shares(&rng, 1);
	check_shares(&rng, 3);
	check_shares(&rng, 8);
	check_shares(&rng, TOPICS);
	check_sensitivity(&rng);
	check_null_rows();
	check_task(&rng);
	check_resampling();
	return unit_report();
}
