/*
 * lda_choose.c - topics of every number that was given, made of those of the largest, to be judged side by side.
 */
#include "postgres.h"

#include "core/lda/lda_merge.h"
#include "families/lda/lda.h"
#include "server/fit_memory.h"

static DpemLdaTopics
copy_topics(const DpemLdaTopics *from)
{
	size_t		n = (size_t) from->k * from->terms;
	DpemLdaTopics to = {from->k, from->terms, dpem_fit_allocate(n)};

	memcpy(to.lambda, from->lambda, n * sizeof(double));
	return to;
}

/* each of those of the next larger one, by merging */
static void
reduce(const DpemSizes *sizes, const DpemLdaTopics *most, DpemLdaTopics *topics)
{
	for (int i = sizes->n - 1; i >= 0; i--)
	{
		topics[i] = copy_topics(i == sizes->n - 1 ? most : &topics[i + 1]);
		dpem_lda_merge(&topics[i], sizes->k[i], dpem_fit_pause, dpem_fit_workspace(dpem_lda_merge_work(topics[i].k)));
	}
}

DpemLdaCandidates
dpem_lda_candidates(const DpemSizes *sizes, const DpemLdaTopics *most)
{
	DpemLdaCandidates c = {.n = Max(sizes->n, 1)};
	int			at = 0;

	c.topics = palloc(c.n * sizeof(DpemLdaTopics));
	if (sizes->n > 0)
		reduce(sizes, most, c.topics);
	else
		c.topics[0] = *most;
	for (int i = 0; i < c.n; i++)
		c.all += c.topics[i].k;
	c.part = dpem_fit_allocate(c.all);
	c.set = dpem_fit_allocate(c.all);
	for (int i = 0; i < c.n; at += c.topics[i++].k)
	{
		dpem_lda_parts(&c.topics[i], c.part + at);
		for (int k = 0; k < c.topics[i].k; k++)
			c.set[at + k] = i;
	}
	return c;
}

void
dpem_lda_candidate_weights(const DpemLdaCandidates *c, double *weight)
{
	int			at = 0;

	for (int i = 0; i < c->n; at += c->topics[i++].k)
	{
		const DpemLdaTopics *t = &c->topics[i];
		double	   *own = dpem_fit_allocate((size_t) t->k * t->terms);

		dpem_lda_probabilities(t, own);
		for (int v = 0; v < t->terms; v++)
			memcpy(weight + (size_t) v * c->all + at, own + (size_t) v * t->k, t->k * sizeof(double));
		pfree(own);
	}
}
