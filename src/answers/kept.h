/*
 * kept.h - released statistics are kept, and given again where the same is asked.
 *
 * A kept answer is a list of cells, each a released number with its noise, under a question:
 * what was asked, in one way of writing it, and the public facts that the release was made by.
 * It is given again if the question and the facts are the same, for at most the epsilon and the
 * delta that were paid (so that it is no noisier than a new one), to
 *
 * - roles that paid for it: post-processing, which costs nothing;
 * - other roles, at exactly the price that was paid, which their own share of the budget is
 *   charged, once; the dataset's budget is not (docs/proofs.md, "Answers that several roles read").
 *
 * Cells whose noise is Gaussian, with a deviation that is known exactly, and unbiased are averaged
 * over all releases of the question that the role has paid for, each weighted by the inverse of
 * its variance, but for those so far from it that rows must have changed in between.
 */
#ifndef DPEM_ANSWERS_KEPT_H
#define DPEM_ANSWERS_KEPT_H

#include "postgres.h"

#include "registry/binding.h"
#include "utils/timestamp.h"

typedef struct DpemKeptQuestion
{
	const char *function;		/* its name in messages */
	const DpemDataset *dataset;
	char	   *text;
	char	   *facts;			/* source, unit, domains */
	double		epsilon;
	double		delta;
	bool		fresh;			/* nothing kept is wanted */
	bool		quiet;			/* no NOTICE: who asked sees it otherwise */
	void		(*require_open) (const void *asked);	/* raises what a new release would be refused by before its charge */
	const void *asked;
} DpemKeptQuestion;

typedef struct DpemKeptCell
{
	const char *statistic;		/* "avg(age)" */
	const char *key;			/* of its group; NULL: there are no groups */
	double		value;
	double		noise;			/* standard deviation; NaN: not known */
	double		lower;			/* 95 % interval */
	double		upper;
	double		rank_error;		/* of a quantile, in rows; NaN: of others */
	bool		adds;			/* Gaussian, unbiased, of a known deviation */
} DpemKeptCell;

typedef struct DpemKeptAnswer
{
	int			n;
	DpemKeptCell *cell;
	double		epsilon;		/* paid */
	double		delta;
	int64		charge;
	TimestampTz answered_at;
	int			releases;		/* that are averaged in a cell, at most; below 2: none are */
	TimestampTz since;			/* the oldest of them */
} DpemKeptAnswer;

/*
 * The question of a call: `what` ("avg(age)"), and from the binding groups, filter and facts; how:
 * what else the release depends on (mechanism, composition).  Reads the catalog, no row.
 */
extern DpemKeptQuestion *dpem_kept_question(const DpemBinding *binding, const char *what, const char *how);

/* the facts alone, for questions that are written otherwise */
extern char *dpem_kept_facts(const DpemBinding *binding);

/* of a source that is a view: what it says now; "" for tables */
extern char *dpem_kept_source(const DpemDataset *dataset);

/* a filter in one way of writing it */
extern char *dpem_filter_text(const DpemRowFilter *filter);

/* "region", "age in 20 bins from 0 to 100": what rows are grouped by */
extern char *dpem_kept_group(const DpemGrouping *grouping);

/* a cell's key; NULL without groups */
extern const char *dpem_kept_key(const DpemBinding *binding, int group);

/*
 * What is kept for the question; NULL: nothing is, and a new release has to be paid for.  A NOTICE
 * says that an answer is given again.  May charge the caller's share: DP001 where that does not
 * afford it, and the other errors of dpem_charge_commit.
 */
extern DpemKeptAnswer *dpem_kept_find(const DpemKeptQuestion *question);

/* the same without a charge, for plans: only what the caller has paid for */
extern DpemKeptAnswer *dpem_kept_own(const DpemKeptQuestion *question);

/* after a release; a failure is a WARNING, as what was paid for is returned in any case.  charge 0: nothing is kept */
extern void dpem_kept_store(const DpemKeptQuestion *question, const DpemKeptAnswer *answer);

/* for kept_find.c: the caller's own share pays for what charge `paid` released; returns when that is committed */
extern void dpem_kept_pay_share(const DpemKeptQuestion *question, int64 paid);

extern void dpem_kept_init(void);

/* settings */
extern bool dpem_fresh;			/* nothing kept is given */

#endif							/* DPEM_ANSWERS_KEPT_H */
