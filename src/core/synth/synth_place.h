/*
 * synth_place.h - where a number's bins are to be, as noisy counts tell.
 * Reads released numbers and public facts only: post-processing.
 *
 * In a domain that is far wider than the rows equal bins have all of them in one, and say nothing.  So a number's rows are
 * counted in a few bins, whose released counts say where the next ones are to be, until the fit's own are known.  Edges are
 * between small equal parts of the domain, whose number is all that is known of it here.
 */
#ifndef DPEM_CORE_SYNTH_PLACE_H
#define DPEM_CORE_SYNTH_PLACE_H

#include "core/synth/synth_domain.h"

/* bins of a number: edge[i] .. edge[i + 1] - 1 are the parts in bin i; edge[0] is 0 and edge[bins] their number */
typedef struct DpemSynthBins
{
	int			bins;			/* 1 .. DPEM_SYNTH_SIZE, at most as many as there are parts */
	int			edge[DPEM_SYNTH_SIZE + 1];
	bool		empty[DPEM_SYNTH_SIZE]; /* has next to no rows, as far as can be seen: tails, and what is wide and empty between rows */
} DpemSynthBins;

extern void dpem_synth_equal_bins(int parts, int bins, DpemSynthBins *out);

/*
 * `bins` bins (at least 2, no more than there are parts) from counts of others with noise of standard deviation sd.  Intervals of
 * neighbours with one count (synth_smooth.h) have rows where that is clearly more than noise.  Bins are the narrower the more rows
 * there are: their density is proportional to the power 2/3 of that of the rows, between its power 1/3, which makes squares of
 * errors least (Panter, Dite 1951, Proc. IRE 39), and equal rows in each.  What is wide and empty between rows is a bin of its own.
 * Beyond the first and last rows there are a few bins up to the ends of the domain, each many times as wide as the one before.
 * Where noise hides many of the rows that bins have in which some were seen before, these are divided evenly.
 */
extern void dpem_synth_place(const DpemSynthBins *from, const double *count, double sd, int bins, DpemSynthBins *out);

/* the bins of the fit: equal ones where rows fill enough of these, as they do in domains that are not wide */
extern void dpem_synth_place_last(const DpemSynthBins *from, const double *count, double sd, int bins, DpemSynthBins *out);

#endif							/* DPEM_CORE_SYNTH_PLACE_H */
