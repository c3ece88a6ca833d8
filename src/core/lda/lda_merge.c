/*
 * lda_merge.c - see lda_merge.h.
 */
#include <math.h>
#include <string.h>

#include "core/lda/lda_merge.h"
#include "core/numeric/vector.h"

size_t
dpem_lda_merge_work(int topics)
{
	return (size_t) topics * (size_t) topics;
}

/* x log x + y log y - (x + y) log(x + y), at most 0 */
static double
split(double x, double y)
{
	return x * log(x / (x + y)) + y * log(y / (x + y));
}

/* what is no longer known of all words when topics a and b are one */
static double
loss_of(const DpemLdaTopics *t, int a, int b)
{
	const double *x = t->lambda + (size_t) a * t->terms;
	const double *y = t->lambda + (size_t) b * t->terms;
	double		loss = -split(dpem_sum(x, t->terms), dpem_sum(y, t->terms));

	for (int v = 0; v < t->terms; v++)
		loss += split(x[v], y[v]);
	return loss;
}

static void
find_losses(const DpemLdaTopics *t, int a, double *loss, int side, void (*pause) (void))
{
	if (pause != NULL)
		pause();
	for (int b = 0; b < t->k; b++)
		if (b != a)
			loss[(size_t) a * side + b] = loss[(size_t) b * side + a] = loss_of(t, a, b);
}

/* b is added to a, and the last topic takes the place of b */
static void
merge_pair(DpemLdaTopics *t, int a, int b, double *loss, int side)
{
	size_t		terms = (size_t) t->terms;
	int			last = t->k - 1;

	for (size_t v = 0; v < terms; v++)
		t->lambda[a * terms + v] += t->lambda[b * terms + v];
	memmove(t->lambda + b * terms, t->lambda + last * terms, terms * sizeof(double));
	for (int i = 0; i < last; i++)
		if (i != b)
			loss[(size_t) i * side + b] = loss[(size_t) b * side + i] = loss[(size_t) i * side + last];
	t->k = last;
}

void
dpem_lda_merge(DpemLdaTopics *t, int k, void (*pause) (void), DpemWorkspace work)
{
	int			side = t->k;
	double	   *loss = dpem_workspace_take(&work, dpem_lda_merge_work(side));

	for (int a = 0; t->k > k && a < t->k; a++)
		find_losses(t, a, loss, side, pause);
	while (t->k > k)
	{
		int			first = 0;
		int			second = 1;

		for (int a = 1; a < t->k; a++)
			for (int b = 0; b < a; b++)
				if (loss[(size_t) a * side + b] < loss[(size_t) second * side + first])
				{
					first = b;
					second = a;
				}
		merge_pair(t, first, second, loss, side);
		find_losses(t, first, loss, side, pause);
	}
}
