/*
 * lda_fixture.h - topics, documents and the search of neighbours for tests of what a document adds.
 */
#ifndef DPEM_TEST_LDA_FIXTURE_H
#define DPEM_TEST_LDA_FIXTURE_H

#include "core/accounting/sensitivity.h"
#include "core/lda/lda_choice.h"
#include "kernel_fixture.h"

#define TERMS	40
#define TOPICS	3
#define BITS	(P + Q)

/* room for a document, its halves, and what it adds */
typedef struct Fixture
{
	DpemLdaTask task;
	double		probability[TERMS * TOPICS];
	double		part[TOPICS];
	int32_t		term[TERMS];
	double		count[TERMS];
	int32_t		half_term[TERMS];
	double		half_count[TERMS];
	DpemLdaDocument document;
	DpemLdaDocument half;
	double		added[DPEM_LDA_GAINS];
	double		work[16 * (TERMS + 8) + TERMS];
} Fixture;

/* topic k prefers the terms that are k modulo the number of topics, e^sharpness times; the task is the caller's */
static void
make_topics(Fixture *f, double sharpness)
{
	for (int k = 0; k < TOPICS; k++)
	{
		double		sum = 0;

		f->part[k] = (k + 1) / 6.0;
		for (int v = 0; v < TERMS; v++)
			sum += f->probability[v * TOPICS + k] = v % TOPICS == k ? exp(sharpness) : 1;
		for (int v = 0; v < TERMS; v++)
			f->probability[v * TOPICS + k] /= sum;
	}
	f->document = (DpemLdaDocument) {0, f->term, f->count};
	f->half = (DpemLdaDocument) {0, f->half_term, f->half_count};
}

/* some terms of one topic, or of all */
static void
make_document(Rng *rng, Fixture *f, bool one_topic, double largest)
{
	f->document.terms = 0;
	for (int v = (int) rng_uniform(rng, 0, TOPICS); v < TERMS; v += one_topic ? TOPICS : 1)
	{
		if (rng_uniform(rng, 0, 1) < 0.5)
			continue;
		f->term[f->document.terms] = v;
		f->count[f->document.terms++] = floor(exp(rng_uniform(rng, 0, largest)));
	}
}

/* whole numbers that a document adds, n of them: their squared length, or squared distance to another's */
static double
moved2(const double *a, const double *b, int n)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += ldexp(a[i] - (b ? b[i] : 0), -BITS) * ldexp(a[i] - (b ? b[i] : 0), -BITS);
	return sum;
}

/* the furthest that documents moved the sums: alone, and one in place of the one before it */
typedef struct Moved
{
	double		kept[DPEM_LDA_GAINS];
	double		worst[2];
	int			bad;			/* documents that cannot be clipped, or numbers that are not whole */
} Moved;

static void
move(Moved *m, Fixture *f, int n, double radius)
{
	m->bad += !dpem_lda_clip(f->added, n, radius, BITS);
	for (int i = 0; i < n; i++)
		m->bad += f->added[i] < 0 || f->added[i] != rint(f->added[i]);
	m->worst[0] = fmax(m->worst[0], moved2(f->added, NULL, n));
	m->worst[1] = fmax(m->worst[1], moved2(f->added, m->kept, n));
	memcpy(m->kept, f->added, n * sizeof(double));
}

static void
check_moved(const Moved *m)
{
	CHECK(m->bad == 0, "%d documents without numbers, or numbers that are not whole", m->bad);
	CHECK(m->worst[0] <= dpem_document_sensitivity2(false) + 1e-12, "a document alone moves the sums by %.15f", sqrt(m->worst[0]));
	CHECK(m->worst[1] <= dpem_document_sensitivity2(true) + 1e-12, "a pair moves them by %.15f", sqrt(m->worst[1]));
	CHECK(m->worst[0] > 0.999999, "the bound is attained: %.9f", m->worst[0]);
}

#endif							/* DPEM_TEST_LDA_FIXTURE_H */
