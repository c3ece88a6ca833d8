/*
 * column_law.h - the distribution of a column from its released margins.
 * Reads released numbers and public facts only: post-processing.
 */
#ifndef DPEM_CORE_COLUMN_LAW_H
#define DPEM_CORE_COLUMN_LAW_H

#include "core/columns/released_margins.h"
#include "core/numeric/workspace.h"

/* standard deviations of noise that are taken for rows; column_spread.c says why not fewer or more */
#define DPEM_COLUMNS_SEEN	3.0

/*
 * The distribution of a column over the bins of the finest level: p
 * (dpem_margin_level_bins of the last level), nonnegative, of sum 1.  It is that of the bins that are seen, or, of regressions, where noise leaves that no
 * clearly likelier, the mean of normal laws: true.
 *
 * Of the bins that are seen: from the top, a bin's share is divided among the bins within it that
 * exceed 3 standard deviations of their noise beside one that does, or 4.5 alone, in
 * proportion.  Rows that these clearly do not hold, if more than a fifth, or all where none does, are in the other bins:
 * evenly, but for the window of neighbouring bins, of one or several bins above, that holds so many more rows of the same
 * level than its even share that noise does not, if there is any (a scan statistic: Kulldorff 1997, Communications in Statistics 26).
 * One bin, or two beside each other, that alone make the column more than four times as wide are not seen where noise is
 * likelier than that one in ten columns has rows there: noise makes such a bin in one of 300 narrow columns, most often
 * beside the one that is full.
 * work: dpem_margins_law_work.
 */
extern size_t dpem_margins_law_work(const DpemMarginGrid *grid);
extern bool dpem_margins_law(const DpemMargins *margins, int column, double *p, DpemWorkspace work);

/*
 * Laws of margins (kept) whose columns are asked for several times: a normal one takes milliseconds.  All `found` are false at first, and
 * again where laws of other margins are to follow.
 */
struct DpemKeptLaws
{
	bool	   *found;			/* of each column */
	bool	   *normal;
	double	   *p;				/* columns x bins of the finest level */
};

extern void dpem_laws_forget(DpemKeptLaws *kept, int columns);

/* the same of the bins that are seen, in any noise; work: dpem_seen_law_work */
extern size_t dpem_seen_law_work(const DpemMarginGrid *grid);
extern void dpem_seen_law(const DpemMargins *margins, int column, double *p, DpemWorkspace work);

/*
 * Normal laws (normal_law.c).  Where few rows stand against the noise no single bin of the finest level is told from none, and a law made of the bins that
 * are is as wide as the bins above these.  A normal law says how many rows each bin of every level has, and so all of them say together where it is.
 *
 * p: over the bins of the finest level, the mean of normal laws, of means anywhere in the box and of deviations from its width down to a third
 * of such a bin, all octaves alike, each weighed by its posterior probability; but for the rows of its ends that are fewer than noise hides.  Returns the
 * log-likelihood of the likeliest beside no rows.  work: dpem_normal_law_work.
 */
extern size_t dpem_normal_law_work(const DpemMarginGrid *grid);
extern double dpem_normal_law(const DpemMargins *margins, int column, double *p, DpemWorkspace work);

/* the same log-likelihood of another law */
extern double dpem_law_likelihood(const DpemMargins *margins, int column, const double *p);

/* mean and variance of such a law; rows of a bin lie anywhere in it */
extern void dpem_margins_law_moments(const DpemMarginGrid *grid, const double *p, double *mean, double *variance);

/* is nearly all of such a law in one bin, as far as can be seen?  Of a column of that law anything may be hidden. */
extern bool dpem_margins_single(const DpemMarginGrid *grid, const double *p);

#endif							/* DPEM_CORE_COLUMN_LAW_H */
